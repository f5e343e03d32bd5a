// An analysis by its name, of an experiment file: what the command line and the gallery ask for.
#pragma once
#include "report/analysis/analysis.hpp"

#include <span>

namespace bristle::report {

enum class Asked { equilibrium, cycle, branch, map, basin, hysteresis, properties, trend };
struct AskedName {
    Asked asked;
    const char* name;      // "equilibrium" ..., and "continue" for branch
    const char* window;    // what it takes, "KEY=FROM:TO"; nullptr: nothing
    const char* question;  // that it answers, for help
};
std::span<const AskedName> analysis_names();
const char* name_of(Asked asked);

struct Request {
    Asked asked = Asked::equilibrium;
    std::string window;  // "law.sigma2=0.1:1"
    int starts = 200;    // basin: along each axis
};

// An experiment as text, so that its numbers can vary. Without text: every kind of law, for Asked::properties.
struct Subject {
    std::string text, name;
    std::filesystem::path folder;
    std::vector<experiment::Override> overrides;
};

// other: a second law for a trend. Throws Unreadable where the file is wrong, Error (one sentence) where request and file do not fit.
Analysis analysis_of(const Request& request, const Subject& subject, const Progress& progress,
                     const std::optional<experiment::Experiment>& other = {});

}  // namespace bristle::report
