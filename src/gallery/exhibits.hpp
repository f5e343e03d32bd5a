// Runs the experiments of a catalogue and draws its figures, both in parallel (oneTBB). The numbers do not depend on the order in
// which that happens.
#pragma once
#include "gallery/catalogue.hpp"
#include "report/run/outcome.hpp"

#include <functional>

namespace bristle::gallery {

struct Exhibit {
    const Paper* paper;
    const Figure* figure;
    std::vector<const report::Outcome*> outcomes;  // one for each run of the figure
    std::vector<std::string> pictures;             // SVG, one for each panel; empty where it could not be drawn
};

struct StudyVerdict {
    const StudyClaim* claim;
    std::optional<double> measured;  // nothing where there is no such number
    bool holds = false;
};
struct StudyExhibit {
    const Paper* paper;
    const Study* study;
    report::Analysis analysis = {};
    std::string message = {};  // why it failed; empty: it did not
    std::vector<StudyVerdict> verdicts = {};
    std::vector<std::string> pictures = {};  // as those of an exhibit
};

struct Exhibition {
    std::map<std::string, report::Outcome> outcomes;  // by id of the experiment; each was run once
    std::vector<Exhibit> exhibits;                    // in the order of the catalogue
    std::vector<StudyExhibit> studies;                // likewise
    std::map<std::string, std::string> replaced;      // by id: the file that stands for the shipped experiment
    std::string note;                                 // one sentence where pictures are missing, else empty
    bool undrawn = false;                             // gnuplot is there but failed
    std::size_t claims() const;
    std::size_t failed() const;   // claims that do not hold, and runs that did not end
    std::size_t missing() const;  // pictures
};

// "astrom2008-fig4-1": of its files, and unique on the page.
std::string picture_name(const Exhibit& exhibit, std::size_t panel);
std::string picture_name(const StudyExhibit& exhibit, std::size_t panel);

// Where an experiment comes from, by its id.
struct Origin {
    std::string text, name;        // name: in messages, and for `bristle run`
    std::filesystem::path folder;  // where its csv files are
};
using Origins = std::function<Origin(const std::string& id)>;

// Called from any thread when one of `all` pieces of work is done; false stops.
using Told = std::function<bool(std::size_t done, std::size_t all)>;

// Pictures, their points and scripts go into the folder; without one nothing is drawn. Throws Error where that cannot be written,
// Unreadable where an experiment cannot be read (every problem at once); returns early, with nothing to
// be shown, where `told` says so.
Exhibition exhibit(const Catalogue& catalogue, const Origins& origins,
                   const std::optional<std::filesystem::path>& folder, const Told& told);

}  // namespace bristle::gallery
