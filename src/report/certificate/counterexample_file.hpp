// A counterexample as an experiment that replays it, and as its file.
#pragma once
#include <bristle/analyse/certificate.hpp>
#include "experiment/experiment.hpp"

namespace bristle::report {

// Its claim is on the signal "work": the energy supplied to the contact since the start.
experiment::Experiment experiment_of(const AnyLaw& law, const Counterexample& counterexample);
// Returns why `bristle run` would reject its file (for example too long); std::nullopt if it would not.
std::optional<std::string> problem_of(const experiment::Experiment& replay);
// The file as TOML, with the law written from its own parameter table. Reading it gives the same experiment.
std::string experiment_text(const experiment::Experiment& replay, const Counterexample& counterexample);

}  // namespace bristle::report
