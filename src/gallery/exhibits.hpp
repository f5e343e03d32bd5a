// Runs the experiments of a catalogue and draws its figures, both in parallel (oneTBB). The numbers do not depend on the order in
// which that happens.
#pragma once
#include <gallery/catalogue.hpp>
#include <report/outcome.hpp>

#include <functional>

namespace bristle::gallery {

struct Exhibit {
    const Paper* paper;
    const Figure* figure;
    std::vector<const report::Outcome*> outcomes;  // one for each run of the figure
    std::vector<std::string> pictures;             // SVG, one for each panel; empty where it could not be drawn
};

struct Exhibition {
    std::map<std::string, report::Outcome> outcomes;  // by id of the experiment; each was run once
    std::vector<Exhibit> exhibits;                    // in the order of the catalogue
    std::string note;                                 // one sentence where pictures are missing, else empty
    std::size_t claims() const;
    std::size_t failed() const;   // claims that do not hold, and runs that did not end
    std::size_t missing() const;  // pictures
};

// The text of an experiment, by its id.
using Texts = std::function<std::string(const std::string& id)>;

// Called from any thread when one of `all` pieces of work is done; false stops.
using Told = std::function<bool(std::size_t done, std::size_t all)>;

// Pictures, their points and scripts go into the folder; without one nothing is drawn. Throws Error where that cannot be written,
// Unreadable where an experiment cannot be read (every problem at once); returns early, with nothing to
// be shown, where `told` says so.
Exhibition exhibit(const Catalogue& catalogue, const Texts& texts, const std::optional<std::filesystem::path>& folder,
                   const Told& told);

}  // namespace bristle::gallery
