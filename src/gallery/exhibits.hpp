// The experiments of a catalogue, run and drawn in parallel (oneTBB). The numbers do not depend on the order.
#pragma once
#include "gallery/catalogue.hpp"
#include "report/run/outcome.hpp"

#include <functional>

namespace bristle::gallery {

struct Exhibit {
    const Paper* paper;
    const Figure* figure;
    std::vector<const report::Outcome*> outcomes;  // one for each run of the figure
    std::vector<std::string> pictures;             // SVG, one for each panel; empty if it could not be drawn
};

struct StudyVerdict {
    const StudyClaim* claim;
    std::optional<double> measured;  // std::nullopt if there is no such number
    bool holds = false;
};
struct StudyExhibit {
    const Paper* paper;
    const Study* study;
    report::Analysis analysis = {};
    std::string message = {};  // reason of a failure; empty: none
    std::vector<StudyVerdict> verdicts = {};
    std::vector<std::string> pictures = {};  // as those of an exhibit
};

struct Exhibition {
    std::map<std::string, report::Outcome> outcomes;  // by id of the experiment
    std::vector<Exhibit> exhibits;                    // in the order of the catalogue
    std::vector<StudyExhibit> studies;                // likewise
    std::map<std::string, std::string> replaced;      // by id: the file that replaces the shipped experiment
    std::string note;                                 // one sentence if pictures are missing
    bool undrawn = false;                             // gnuplot is installed but failed
    std::size_t claims() const;
    std::size_t failed() const;   // claims that do not hold, and runs that did not end
    std::size_t missing() const;  // pictures
};

// "astrom2008-fig4-1": the name of its files, unique on the page.
std::string picture_name(const Exhibit& exhibit, std::size_t panel);
std::string picture_name(const StudyExhibit& exhibit, std::size_t panel);

// The file of an experiment by its id. Its name differs from the id if it replaces the shipped one. Throws Unreadable.
using Documents = std::function<experiment::Document(const std::string& id)>;

// Called from any thread when one of `all` pieces of work is done. False cancels the rest.
using Completed = std::function<bool(std::size_t done, std::size_t all)>;

// Runs, analyses and draws. Pictures, their points and scripts are written into the folder; without a folder nothing is drawn.
// Throws Error if a file cannot be written, Unreadable if an experiment cannot be read (every problem at once). If `completed`
// cancels, the result is incomplete and must not be shown.
Exhibition exhibit(const Catalogue& catalogue, const Documents& documents,
                   const std::optional<std::filesystem::path>& folder, const Completed& completed);

}  // namespace bristle::gallery
