// simulate() for one law, by each method. Instantiated once per law (methods.hpp).
#pragma once
#include <bristle/simulate/result.hpp>

namespace bristle::inline simulation {

template <class Law>
Result simulate_adaptive(const Law& law, const Setup& setup, const Progress& progress);
template <class Law>
Result simulate_fixed(const Law& law, const Setup& setup, const Progress& progress);  // coupled, explicit

// simulate() without the check of the set-up: for counterexamples of laws that break a rule (Makkar with g2 < g3).
Result simulate_unchecked(const Setup& setup, const Progress& progress = {});

// Limit on the steps of a run with variable step.
inline constexpr long max_run_steps = 5'000'000;

// Returns the value of a state at the start; 0 if the set-up does not give it.
inline double start_of(const Setup& setup, const std::string& name) {
    const auto found = setup.start.find(name);
    return found == setup.start.end() ? 0 : found->second;
}
// Returns the sentence for a run that ended early at t [s]; empty for Status::done.
std::string failure(Status status, double t);

}  // namespace bristle::simulation
