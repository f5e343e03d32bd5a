// One run of an experiment and what came of it: what every report of a run is made from.
#pragma once
#include "experiment/experiment.hpp"

namespace bristle::report {

struct Outcome {
    experiment::Experiment experiment;
    std::vector<experiment::Override> overrides;  // all that were given for this run
    std::vector<experiment::Override> varied;     // those of them that tell the runs of one figure apart
    Result result;
    std::vector<experiment::Verdict> verdicts;

    // True if every claim holds.
    bool holds() const {
        for (const experiment::Verdict& verdict : verdicts)
            if (!verdict.holds) return false;
        return true;
    }
};

// The reports. One outcome gives one object or table; several give a list of objects, or one table with a column for the
// number of the run and one for each key that varies.
std::string json(const std::vector<Outcome>& outcomes);
std::string signals_csv(const std::vector<Outcome>& outcomes);
// For reading: what was run, how it ended, measures, energy, claims.
std::string summary(const Outcome& outcome);
// "the mass sticks: stick_begin 1 = 4.73 s, in [4.6, 4.85] s (A08 p.107)"
std::string claim_in_words(const experiment::Experiment& experiment, const experiment::Verdict& verdict);
// What the command line changed: "law.sigma2 = 0.5, rig.mass = 2"
std::string in_words(const std::vector<experiment::Override>& overrides);
// Its parts, with as many digits as tell the bounds and the value apart: "stick_begin 1", "4.73", "4.6 to 4.85".
struct ClaimParts {
    std::string measure, measured, low, high;
    bool found = true;  // false: there is no number, and measured says "did not occur"
};
ClaimParts parts_of(const experiment::Verdict& verdict);
ClaimParts parts_of(double low, double high, const std::optional<double>& measured);  // without a measure's name

}  // namespace bristle::report
