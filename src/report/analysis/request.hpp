// An analysis of an experiment, by name: used by the command line and the gallery.
#pragma once
#include "experiment/document.hpp"
#include "report/analysis/analysis.hpp"

#include <span>

namespace bristle::report {

enum class Asked { equilibrium, cycle, branch, limit, map, basin, hysteresis, properties, trend };
struct AskedName {
    Asked asked;
    const char* name;    // "equilibrium" ..., and "continue" for branch
    const char* window;  // its argument, "KEY=FROM:TO"; null: none; of limit the key is enough
    const char* doc;     // one line, for help
};
std::span<const AskedName> analysis_names();
const char* name_of(Asked asked);

// Initial states along each axis of a basin.
inline constexpr int min_starts = 2, max_starts = 1000;
inline bool are_valid_starts(double starts) { return starts >= min_starts && starts <= max_starts; }
inline std::string range_of_starts() { return std::to_string(min_starts) + " to " + std::to_string(max_starts); }

struct Request {
    Asked asked = Asked::equilibrium;
    std::string window = {};  // "law.sigma2=0.1:1"
    std::string over = {};    // limit: the window of a second number; empty: none
    int starts = 200;         // basin: along each axis
};

// The experiment of an analysis. Without a document: every kind of law, for Asked::properties.
struct Subject {
    std::string name;
    std::optional<experiment::Document> document{};
};

// other: a second law for a trend. Throws Unreadable if the file is wrong, Error (one sentence) if request and file do not fit.
Analysis analysis_of(const Request& request, const Subject& subject, const Progress& progress,
                     const std::optional<experiment::Experiment>& other = {});

}  // namespace bristle::report
