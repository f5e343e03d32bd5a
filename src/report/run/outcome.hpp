// One run of an experiment with its result and verdicts: the input of every report of a run.
#pragma once
#include "experiment/experiment.hpp"

namespace bristle::report {

struct Outcome {
    experiment::Experiment experiment;
    std::vector<experiment::Override> overrides;  // all that were given for this run
    std::vector<experiment::Override> varied;     // those that differ between the runs of one figure
    Result result;
    std::vector<experiment::Verdict> verdicts;
    std::optional<std::string> failure = {};  // one sentence if the run was rejected or ended early

    // Fills the verdicts. Claims are for the file's own values: none is judged if --set changes one.
    void judge() {
        if (experiment.changes.empty()) verdicts = experiment::judge(experiment, result);
    }
    // True if every claim that was judged holds.
    bool holds() const {
        for (const experiment::Verdict& verdict : verdicts)
            if (!verdict.holds) return false;
        return true;
    }
};

// "name: title, law.sigma2 = 0.5 N s/m": the name alone without a title, then the changes by --set.
std::string titled(const experiment::Experiment& experiment);
// The same without the name, for a figure; also without the changes that its lines are labelled with.
std::string figure_title(const experiment::Experiment& experiment,
                         const std::vector<experiment::Override>& labelled = {});
// The signals as a table. Several outcomes give one table, with a column for the number of the run and one for each key that
// varies.
std::string signals_csv(const std::vector<Outcome>& outcomes);
// Lines for people: set-up, final state, measures, energy, claims.
std::string summary(const Outcome& outcome);
// "the mass sticks: stick_begin 1 = 4.73 s, in [4.6, 4.85] s (A08 p.107)"
std::string claim_in_words(const experiment::Experiment& experiment, const experiment::Verdict& verdict);
// "12 claims are not checked: they are for the file's own values, which --set changes"; empty if there are none.
std::string unchecked_claims(const Outcome& outcome);
// The parts of that sentence, with enough digits to distinguish the bounds and the value: "stick_begin 1", "4.73", "4.6", "4.85".
struct ClaimParts {
    std::string measure, measured, low, high;
    bool found = true;  // false: there is no number, and measured is "did not occur"
};
ClaimParts parts_of(const experiment::Verdict& verdict);
ClaimParts parts_of(double low, double high, const std::optional<double>& measured);  // without a measure's name

}  // namespace bristle::report
