// Friction before breakaway compared with that without sigma1.
#include <bristle/analyse/assessment.hpp>

#include "analyse/scales.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::inline analysis {

namespace {

double bristle_damping_of(const AnyLaw& law) {
    return std::visit(
        [](const auto& l) -> double {
            if constexpr (requires { l.sigma1; })
                return l.sigma1;
            else
                return 0;
        },
        law);
}

// Largest viscous friction at a speed, of both directions [N].
double viscous_at(const AnyLaw& law, double speed) {
    return std::visit([&](const auto& l) { return std::max(std::abs(l.viscous(speed)), std::abs(l.viscous(-speed))); },
                      law);
}

}  // namespace

std::optional<BreakawayPeak> breakaway(const Setup& setup, const Result& result) {
    const double vs = stribeck_velocity(setup.law);
    if (!result.measures.breakaway_force || !(vs > 0) || !(bristle_damping_of(setup.law) > 0)) return {};
    const double level = scales_of(setup.law, setup.load.range().high).force;
    return BreakawayPeak{*result.measures.breakaway_force, level + viscous_at(setup.law, 10 * vs)};
}

std::optional<BreakawayPeak> breakaway_at_fast_start(const AnyLaw& law, const Plant& plant) {
    const double vs = stribeck_velocity(law);
    if (!(plant.mass > 0) || !(vs > 0) || !(bristle_damping_of(law) > 0)) return {};
    const double level = scales_of(law, plant.load).force, force = fast_start * level;
    Setup start{.law = law,
                .rig = ForcedMass{plant.mass},
                .input = Input::constant(force),
                .load = Input::constant(plant.load),
                .start = {},
                .run = {.duration = 10 * vs * plant.mass / force, .samples = 2}};
    // viscous friction can keep the mass below 10 vs for ever
    for (int i = 0; i < 7; ++i, start.run.duration *= 2)
        if (const Result result = simulate(start); result.status == Status::done && result.measures.breakaway_force)
            if (result.measures.max.at("v") > 10 * vs) return breakaway(start, result);
    return {};
}

}  // namespace bristle::analysis
