// Counterexamples by construction for a load between two values. Inputs and return rules: counterexample.hpp.
// All energies are integrated along the signal (replay.hpp); the energies of plans only serve to choose deflection and speeds.
#include "analyse/counterexample/climbing_cycle.hpp"
#include "analyse/counterexample/counterexample.hpp"
#include "analyse/counterexample/shuttle.hpp"
#include "analyse/scales.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace bristle::inline analysis::counterexample {

namespace {

// Deflection to z at the low load and release at the high one.
struct LeverPlan {
    DeflectionPlan deflect, release;
    double z = 0;       // m
    double energy = 0;  // of both [J]
};

// load_on = "all", one state: the halving of z from its bound that extracts most.
std::optional<Counterexample> bristle_load_cycle(const AnyLaw& law, double low, double high, double vmax) {
    const double excess = high / low - 1, slack = 0.05 * std::min(1.0, excess);
    const double bound = scales_of(law, low).deflection;
    LeverPlan best;
    for (int i = 1; i <= 24; ++i) {
        LeverPlan one{{}, {}, bound * std::pow(0.5, i), 0};
        one.deflect = cheapest_plan(law, 0, one.z, low, vmax, slack);
        one.release = cheapest_plan(law, one.z, 0, high, vmax, slack);
        one.energy = one.deflect.energy + one.release.energy;
        if (one.energy < best.energy) best = one;
    }
    if (!(best.energy < 0)) return {};
    const double rest = 1e-3 * std::min(1.0, excess) * std::min(best.deflect.time, best.release.time);
    SignalAssembler assembler(law, low);
    std::size_t begins = 0, ends = 0;
    for (int i = 0; i < 3; ++i) {
        begins = assembler.builder().legs();
        assembler.go(best.deflect);
        assembler.change_load(high, rest);
        assembler.go(best.release);
        assembler.change_load(low, rest);
        ends = assembler.builder().legs();
    }
    auto out = finished(law, assembler.builder().take(), begins, ends);
    if (!out || !(out->energy < 0)) return {};
    out->construction = Counterexample::Lever{best.z, low, high, false};
    return out;
}

// load_on = "all", Maxwell-slip: all elements stick.
std::optional<Counterexample> spring_load_cycle(const AnyMaxwellSlip& law, double low, double high, double vmax) {
    const double excess = std::min(1.0, high / low - 1);
    double path = infinite, stiffness = 0;
    for (int i = 0; i < law.count(); ++i) {
        path = std::min(path, 0.5 * law.nu[i] * law.curve.floor() / law.k[i]);
        stiffness += law.k[i];
    }
    const double sigma2 = std::max(law.sigma2, law.sigma2_negative);
    double v = std::min(vmax, scales_of(law, low).fastest);
    if (sigma2 > 0) v = std::min(v, 0.01 * excess * stiffness * path / sigma2);
    SignalBuilder builder(low);
    std::size_t begins = 0, ends = 0;
    for (int i = 0; i < 3; ++i) {
        begins = builder.legs();
        builder.hold(v, path / v);
        builder.change_load(high, 0.1 * path / v);
        builder.hold(-v, path / v);
        builder.change_load(low, 0.1 * path / v);
        ends = builder.legs();
    }
    auto out = finished(law, builder.take(), begins, ends);
    if (!out || !(out->energy < 0)) return {};
    out->construction = Counterexample::Lever{path, low, high, true};
    return out;
}

}  // namespace

std::optional<Counterexample> load_cycle(const AnyLaw& law, double load_min, double load_max, double vmax) {
    if (!(accepts_load(law, load_min) && load_max > load_min)) return {};
    const bool on_all = std::visit([](const auto& l) { return l.load_on == LoadOn::all; }, law);
    if (const auto* maxwell = std::get_if<AnyMaxwellSlip>(&law))
        return on_all ? spring_load_cycle(*maxwell, load_min, load_max, vmax)
                      : climbing_cycle(*maxwell, load_min, load_max, vmax);
    if (!has_one_state(law)) return {};
    if (on_all) return bristle_load_cycle(law, load_min, load_max, vmax);
    const std::array load_values{load_min, load_max};
    const auto found = largest_contrast(law, load_values, vmax);
    if (!found) return {};
    return shuttle_between(law, found->z, found->plus, found->minus,
                           std::max(std::abs(found->plus.v), std::abs(found->minus.v)));
}

}  // namespace bristle::analysis::counterexample
