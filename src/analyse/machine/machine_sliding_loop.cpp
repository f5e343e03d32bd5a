// Control loop of a machine whose contacts slide fast.
#include <bristle/analyse/machine_equilibrium.hpp>

#include <cmath>
#include <limits>

#include "analyse/machine/steady_machine.hpp"

namespace bristle::inline analysis {

namespace {

// Loads of the contacts in the equilibrium; at the start if there is none, or if several velocities are possible [N].
std::vector<double> loads_of(const Machine& machine) {
    try {
        SteadyMachine steady(at_end(machine));
        if (auto loads = steady.loads_of_balance(); !loads.empty()) return loads;
    } catch (const EquilibriumError&) {  // an input varies without end
    }
    return SteadyMachine(machine).loads_at_start();
}

std::vector<std::complex<double>> loop_eigenvalues(const Machine& machine, const std::vector<double>& loads) {
    return SteadyMachine(machine).fast_motion(loads).eigenvalues();
}

double largest_gain(Machine machine, std::size_t controller, const std::vector<double>& loads) {
    double& Ki = integral_gain(machine.controllers[controller]);
    const double start = Ki;
    const auto stable = [&](double gain) {
        Ki = gain;
        return numerics::growth(loop_eigenvalues(machine, loads)).growing == 0;
    };
    const bool grows = stable(start);
    double known = start, other = start;
    for (int i = 0; i < 40; ++i) {
        other = grows ? 2 * known : 0.5 * known;
        if (stable(other) != grows) break;
        known = other;
        if (i == 39) return grows ? std::numeric_limits<double>::infinity() : 0;
    }
    double low = std::min(known, other), high = std::max(known, other);
    for (int i = 0; i < 60 && high > low; ++i) {
        const double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) break;
        (stable(middle) ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

}  // namespace

std::optional<MachineSlidingLoop> sliding_loop(const Machine& given) {
    check_machine(given);
    Machine machine = given;
    for (Spring& spring : machine.springs) spring.gap = 0;
    const std::vector<double> loads = loads_of(given);
    MachineSlidingLoop out;
    for (std::size_t i = 0; i < machine.controllers.size(); ++i)
        if (integral_gain(machine.controllers[i]) > 0)
            out.gains.push_back({machine.controllers[i].name, largest_gain(machine, i, loads)});
    if (out.gains.empty()) return {};
    out.eigenvalues = loop_eigenvalues(machine, loads);
    out.stability = equilibrium::stability_of(numerics::growth(out.eigenvalues));
    return out;
}

}  // namespace bristle::analysis
