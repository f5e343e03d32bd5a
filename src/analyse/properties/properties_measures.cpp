#include "analyse/properties/properties_measures.hpp"

#include "analyse/properties/properties_drive.hpp"

#include <bristle/base/error.hpp>
#include <bristle/simulate/result.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace bristle::inline analysis {

namespace {

constexpr double pi = std::numbers::pi;

double relative_difference(const std::vector<double>& a, const std::vector<double>& b, double force) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
    return most / force;
}

// ---- a way with many turns of different size ----------------------------------------------------------------------

constexpr int way_steps = 2000;
constexpr double way_end = 4 * pi;
double way_at(double tau) { return std::sin(tau) + 0.4 * std::sin(2.7 * tau + 1); }

// Forces at the ends of the steps along the way, at a peak speed; warp bends the time.
std::vector<double> forces_along(const Subject& s, double peak_speed, double warp) {
    AnyContact contact(s.law, s.load);
    const double amplitude = 1.5 * s.scales.deflection, pace = amplitude * (1 + 0.4 * 2.7) / peak_speed;  // s per tau
    const auto time = [&](double tau) { return pace * (tau + warp * std::sin(tau)); };
    std::vector<double> out;
    for (int i = 0; i < way_steps; ++i) {
        const double a = way_end * i / way_steps, b = way_end * (i + 1) / way_steps, dt = time(b) - time(a);
        out.push_back(contact.step(amplitude * (way_at(b) - way_at(a)) / dt, dt).force_end);
    }
    return out;
}

// From well below the slowest speed of the law to well above the fastest.
std::array<double, 3> speeds(const Subject& s) {
    const double low = 0.1 * s.scales.slowest, high = 10 * s.scales.fastest;
    return {std::sqrt(low * high), low, high};
}

// Where the level falls most between a speed and the next: vs for the curves that have one.
template <class Curve>
double falling_speed(const AnyLaw& law, const Curve& curve, double otherwise) {
    if (const double vs = stribeck_velocity(law); vs > 0) return vs;
    const auto zone = curve.zone();
    double best = 0, at = zone.low > 0 ? std::sqrt(zone.low * zone.high) : otherwise;
    for (double v = zone.low; v > 0 && v < zone.high; v *= 1.1)
        if (const double fall = level(curve, v) - level(curve, 1.1 * v); fall > best) {
            best = fall;
            at = v;
        }
    return at;
}

AnyLaw without_viscous(AnyLaw law) {
    std::visit(
        [](auto& l) {
            if constexpr (requires { l.sigma2_negative; }) l.sigma2 = l.sigma2_negative = 0;
        },
        law);
    return law;
}

// Moves at a constant speed; the forces at the ends of the steps.
std::vector<double> move(AnyContact& contact, double way, double speed) {
    constexpr int steps = 200;
    std::vector<double> out;
    for (int i = 0; i < steps; ++i)
        out.push_back(contact.step(std::copysign(speed, way), std::abs(way) / (steps * speed)).force_end);
    return out;
}

}  // namespace

Subject subject_of(const AnyLaw& law, double load) {
    const Scales scales = scales_of(law, load);
    return std::visit(
        [&]<class Law>(const Law& l) {
            const auto& curve = bristle::detail::curve_of(l);
            using Curve = std::remove_cvref_t<decltype(curve)>;
            const auto n = loads(l, load);
            double hold = curve.peak();
            if constexpr (Curve::sticks) hold = std::min(double(curve.static_level(1)), double(curve.static_level(-1)));
            hold *= 0.45;
            if constexpr (requires { l.kappa; }) hold = std::min(hold, 0.9 * l.kappa * curve.floor());
            const double speed = falling_speed(law, curve, scales.slowest);
            double memory = scales.deflection / speed;
            if constexpr (requires { l.C; }) memory = curve.peak() * n.on_curve / l.C;
            return Subject{law, load, scales, hold * n.on_curve * n.on_force, speed, memory};
        },
        law);
}

double rate_dependence(const Subject& s) {
    const auto v = speeds(s);
    const auto middle = forces_along(s, v[0], 0);
    return std::max(relative_difference(middle, forces_along(s, v[1], 0), s.scales.force),
                    relative_difference(middle, forces_along(s, v[2], 0), s.scales.force));
}

double warp_dependence(const Subject& s) {
    double most = 0;
    for (const double v : speeds(s))
        most = std::max(most, relative_difference(forces_along(s, v, 0), forces_along(s, v, 0.8), s.scales.force));
    return most;
}

InnerLoop inner_loop(const Subject& s) {
    const double d = s.scales.deflection, v = s.speed;
    const auto& [out_first, back, part, in, out_again, on] = inner_loop_strokes;
    AnyContact virgin(s.law, s.load), outer = virgin;
    const double first = move(virgin, (out_first + back + part) * d, v).back();
    move(outer, out_first * d, v);
    move(outer, back * d, v);
    const double before = move(outer, part * d, v).back();
    AnyContact straight = outer;
    const auto expected = move(straight, on * d, v);
    InnerLoop loop{0, std::abs(before - first) / s.scales.force};
    for (const double size : {0.5, 1.0, 2.0}) {
        AnyContact contact = outer;
        move(contact, size * in * d, v);
        const double after = move(contact, size * out_again * d, v).back();
        loop.gap = std::max({loop.gap, std::abs(after - before) / s.scales.force,
                             relative_difference(expected, move(contact, on * d, v), s.scales.force)});
    }
    return loop;
}

namespace {

// A time in which the contact is far slower than any of its speeds.
double slow_time(const Subject& s) { return std::max(100 * s.scales.deflection / s.scales.slowest, 100 * s.memory); }

// The branch of B05's law is the sign of the acceleration: without a mass there is none.
bool needs_mass(const Subject& s) { return std::holds_alternative<AnyHysteretic>(s.law); }

// Where a mass that friction damps well is at the given times, under a force; at rest at first, held by the bristle.
std::vector<double> moved_mass(const Subject& s, const Input& force, const std::vector<double>& times,
                               double held_at_start = 0) {
    const auto& law = std::get<AnyHysteretic>(s.law);
    const double n = loads(law, s.load).on_force, damping = law.sigma1 + law.sigma2, stiffness = law.sigma0;
    const double slow = s.scales.deflection / s.scales.slowest;  // where nothing damps: rings within this time
    const double mass = n * (damping > 0 ? damping * damping / (4 * stiffness) : stiffness * slow * slow * 1e-6);
    Setup setup{.law = s.law,
                .rig = ForcedMass{mass},
                .input = force,
                .load = Input::constant(s.load),
                .start = {{"z", held_at_start / (n * stiffness)}},
                .run = {.duration = times.back(), .rtol = 1e-8, .atol = 1e-8, .samples = 2}};
    setup.run.sample_times = times;
    const Result result = simulate(setup);
    if (result.status != Status::done) throw Error("a property cannot be measured: " + result.message);
    std::vector<double> x;
    for (const double t : times) x.push_back(result.measures.at.at(t).at("x"));
    return x;
}

Pulled pulled(const Subject& s) {
    return Pulled(AnyContact(s.law, s.load), s.scales.deflection, s.scales.force, 1e9 * s.scales.fastest);
}

}  // namespace

double creep(const Subject& s) {
    if (needs_mass(s)) {
        const double T = 10 * slow_time(s);
        const auto x = moved_mass(s, Input::ramps({{0, 0}, {0.1 * T, s.held}}), {0.5 * T, T});
        return std::abs(x[1] - x[0]) / s.scales.deflection;
    }
    constexpr int steps = 2000;
    Pulled slider = pulled(s);
    const double dt = 10 * slow_time(s) / steps;
    double half = 0;
    for (int i = 1; i <= steps; ++i) {
        slider.pull(s.held * std::min(1.0, 10.0 * i / steps), dt);  // a tenth of the time to come up
        if (i == steps / 2) half = slider.x();
    }
    return std::abs(slider.x() - half) / s.scales.deflection;
}

double drift_per_cycle(const Subject& s) {
    constexpr int steps = 1000, cycles = 6;
    const double T = slow_time(s);
    if (needs_mass(s)) {
        // ten times as fast as the shift of the steady state, which would otherwise take up the vibration
        const auto& law = std::get<AnyHysteretic>(s.law);
        const double bends = s.held / (3 * loads(law, s.load).on_force * law.sigma0);
        const double fast = law.a > 0 ? std::min(100 * s.memory, 2 * pi * bends / (10 * law.a)) : 100 * s.memory;
        const auto x = moved_mass(s, Input::sine(2 * s.held / 3, s.held / 3, 2 * pi / fast, -pi / 2),
                                  {(cycles - 1) * fast, cycles * fast}, s.held / 3);
        return std::abs(x[1] - x[0]) / s.scales.deflection;
    }
    Pulled slider = pulled(s);
    const double dt = T / steps;
    for (int i = 1; i <= steps / 4; ++i) slider.pull(s.held / 3 * i / (steps / 4), dt);
    double before = 0;
    for (int cycle = 0; cycle < cycles; ++cycle) {
        before = slider.x();
        for (int i = 1; i <= steps; ++i)  // between a third of the held force and all of it
            slider.pull(s.held * (2 - std::cos(2 * pi * i / steps)) / 3, dt);
    }
    return std::abs(slider.x() - before) / s.scales.deflection;
}

double lag(const Subject& s) {
    constexpr int steps = 2000, cycles = 3;
    AnyContact contact(s.law, s.load);
    const double dt = 2 * pi * s.memory / 0.3 / steps;
    std::vector<double> F(steps);
    for (int i = 0; i < 40; ++i) contact.step(s.speed, s.scales.deflection / s.speed);  // every element slips
    for (int cycle = 0; cycle < cycles; ++cycle)  // from the slowest moment to the fastest and back
        for (int i = 0; i < steps; ++i) {
            const int mirrored = std::min(i, steps - 1 - i);
            const double v = s.speed * (1 - 0.9 * std::cos(2 * pi * (mirrored + 0.5) / steps));
            F[std::size_t(i)] = contact.step(v, dt).force;
        }
    double widest = 0;
    for (int i = 0; i < steps / 2; ++i)
        widest = std::max(widest, std::abs(F[std::size_t(i)] - F[std::size_t(steps - 1 - i)]));
    return widest / s.scales.force;
}

double breakaway_change(const Subject& s) {
    const Subject dry{without_viscous(s.law), s.load, s.scales, s.held, s.speed, s.memory};
    const auto breakaway = [&](double bending_speed) {  // of the tip of an elastic bristle
        const double longest = s.scales.deflection / bending_speed / 1000;
        const double rate = s.scales.force / s.scales.deflection * bending_speed;
        Pulled slider = pulled(dry);
        double dt = longest, force = 0;
        int held = 0;
        // until it does not hold a hundred-millionth more
        for (int i = 0; i < 20'000 && rate * dt > 1e-8 * s.scales.force; ++i) {
            if (slider.pull(force + rate * dt, dt)) {
                force += rate * dt;
                if (++held % 8 == 0) dt = std::min(longest, 2 * dt);
            } else {
                dt *= 0.5;
                held = 0;
            }
        }
        return force / s.scales.force;
    };
    const double slow = breakaway(0.01 * s.speed), middle = breakaway(0.1 * s.speed), fast = breakaway(s.speed);
    return std::max({slow, middle, fast}) - std::min({slow, middle, fast});
}

double excess(const Subject& s) {
    // speeds and ways that have nothing to do with each other
    AnyContact contact(without_viscous(s.law), s.load);
    const auto scattered = [](int i, double seed) { return std::fmod(seed * i, 1.0); };
    const double low = 0.1 * s.scales.slowest, high = 10 * s.scales.fastest;
    double most = 0;
    for (int i = 1; i <= 20'000; ++i) {
        const double v = low * std::pow(high / low, scattered(i, std::numbers::phi));
        const double way = s.scales.deflection * std::pow(10, 3 * scattered(i, std::numbers::sqrt2) - 2);
        const double side = scattered(i, std::numbers::sqrt3) < 0.5 ? 1 : -1;
        const Step<double> step = contact.step(side * v, way / v);
        most = std::max(most, contact.bend().value_or(std::abs(step.force) / s.scales.force));
    }
    return most - 1;
}

}  // namespace bristle::inline analysis
