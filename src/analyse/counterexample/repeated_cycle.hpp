// Number of repetitions of a cycle: doubled until the cycles have recovered the energy of the first deflection.
#pragma once
#include <bristle/analyse/certificate.hpp>

#include <algorithm>

namespace bristle::inline analysis::counterexample {

struct RepeatedCycle {
    std::optional<Counterexample>
        input;  // the longest that could be integrated; std::nullopt if a cycle extracts no energy
    // energy < 0 by more than a tenth of the energy that the input supplies beside its cycles
    bool recovered = false;
};

// assembled(cycles) returns the input with its energies, std::nullopt if these cannot be integrated.
template <class Assemble>
RepeatedCycle repeat_until_recovered(int min_cycles, int max_cycles, const Assemble& assembled) {
    RepeatedCycle out;
    for (int cycles = min_cycles;; cycles = std::min(max_cycles, 2 * cycles)) {
        auto next = assembled(cycles);
        if (!next) return out;
        if (!(next->energy_per_cycle < 0)) return {};
        const double beside_cycles = next->energy - cycles * next->energy_per_cycle;
        out.recovered = next->energy < -0.1 * std::max(beside_cycles, 0.0);
        out.input = std::move(next);
        if (out.recovered || cycles == max_cycles) return out;
    }
}

}  // namespace bristle::analysis::counterexample
