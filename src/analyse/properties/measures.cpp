// Measurements behind the table of properties.
#include "analyse/properties/measures.hpp"

#include "analyse/properties/drive.hpp"

#include <bristle/base/error.hpp>
#include <bristle/simulate/result.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace bristle::inline analysis::properties {

namespace {

constexpr double pi = std::numbers::pi;

double relative_difference(const std::vector<double>& a, const std::vector<double>& b, double force) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest / force;
}

// ---- a displacement with many reversals of different size ----------------------------------------------------------------------

constexpr int path_steps = 2000;
constexpr double path_end = 4 * pi;
double path_at(double tau) { return std::sin(tau) + 0.4 * std::sin(2.7 * tau + 1); }

// Forces at the ends of the steps of the displacement, for a peak speed [m/s]; warp changes the time monotonically.
std::vector<double> forces_along(const Subject& s, double peak_speed, double warp) {
    AnyContact contact(s.law, s.load);
    const double amplitude = 1.5 * s.scales.deflection, pace = amplitude * (1 + 0.4 * 2.7) / peak_speed;  // s per tau
    const auto time = [&](double tau) { return pace * (tau + warp * std::sin(tau)); };
    std::vector<double> out;
    for (int i = 0; i < path_steps; ++i) {
        const double a = path_end * i / path_steps, b = path_end * (i + 1) / path_steps, dt = time(b) - time(a);
        out.push_back(contact.step(amplitude * (path_at(b) - path_at(a)) / dt, dt).force_end);
    }
    return out;
}

// Peak speeds from well below the slowest speed of the law to well above the fastest.
std::array<double, 3> speeds(const Subject& s) {
    const double low = 0.1 * s.scales.slowest, high = 10 * s.scales.fastest;
    return {std::sqrt(low * high), low, high};
}

// Speed at which the level falls most [m/s]: vs for the curves that have one.
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

// Moves by a distance at constant speed; returns the forces at the ends of the steps.
std::vector<double> move(AnyContact& contact, double distance, double speed) {
    constexpr int steps = 200;
    std::vector<double> out;
    for (int i = 0; i < steps; ++i)
        out.push_back(contact.step(std::copysign(speed, distance), std::abs(distance) / (steps * speed)).force_end);
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
            if constexpr (requires { l.elastic_fraction(hold); }) hold = std::min(hold, 0.9 * l.kappa * curve.floor());
            const double speed = falling_speed(law, curve, scales.slowest);
            double relaxation_time = scales.deflection / speed;
            if constexpr (requires { l.nu; }) relaxation_time = curve.peak() * n.on_curve / l.C;
            return Subject{law, load, scales, hold * n.on_curve * n.on_force, speed, relaxation_time};
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
    double largest = 0;
    for (const double v : speeds(s))
        largest =
            std::max(largest, relative_difference(forces_along(s, v, 0), forces_along(s, v, 0.8), s.scales.force));
    return largest;
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

// A time in which motions of one deflection are slow against every speed of the law [s].
double slow_time(const Subject& s) {
    return std::max(100 * s.scales.deflection / s.scales.slowest, 100 * s.relaxation_time);
}

// A law whose rate depends on the sign of the acceleration (B05) needs a mass.
bool needs_mass(const Subject& s) {
    return std::visit([]<class Law>(const Law&) { return RemembersVelocity<Law>; }, s.law);
}

// Parameters of a bristle law that needs a mass, and a mass that its own damping damps well.
struct BristleOnMass {
    double on_force, sigma0;  // factor of the force from the load; N/m
    double shift;             // speed by which the steady state is shifted, a of B05 [m/s]
    double mass;              // kg
};
BristleOnMass bristle_on_mass(const Subject& s) {
    return std::visit(
        [&](const auto& law) -> BristleOnMass {
            if constexpr (requires { law.sigma0 + law.sigma1 + law.sigma2; }) {
                const double n = loads(law, s.load).on_force, damping = law.sigma1 + law.sigma2;
                const double slow =
                    s.scales.deflection / s.scales.slowest;  // without damping: oscillates within this time
                const double per_load =
                    damping > 0 ? damping * damping / (4 * law.sigma0) : law.sigma0 * slow * slow * 1e-6;
                BristleOnMass out{n, law.sigma0, 0, n * per_load};
                if constexpr (requires { law.a; }) out.shift = law.a;
                return out;
            } else {
                throw Error("properties: " + std::string(kind_of(s.law)) +
                            " needs a mass, but has no sigma0, sigma1 and sigma2");
            }
        },
        s.law);
}

// Displacement of that mass at the given times under a force [m]; starts at rest, with the bristle carrying held_at_start.
std::vector<double> moved_mass(const Subject& s, const Input& force, const std::vector<double>& times,
                               double held_at_start = 0) {
    const BristleOnMass bristle = bristle_on_mass(s);
    Setup setup{.law = s.law,
                .rig = ForcedMass{bristle.mass},
                .input = force,
                .load = Input::constant(s.load),
                .start = {{"z", held_at_start / (bristle.on_force * bristle.sigma0)}},
                .run = {.duration = times.back(), .rtol = 1e-8, .atol = 1e-8, .samples = 2}};
    setup.run.sample_times = times;
    const Result result = simulate(setup);
    if (result.status != Status::done) throw Error("properties: simulation failed: " + result.message);
    std::vector<double> x;
    for (const double t : times) x.push_back(result.measures.at.at(t).at("x"));
    return x;
}

MasslessSlider slider_of(const Subject& s) {
    return MasslessSlider(AnyContact(s.law, s.load), s.scales.deflection, s.scales.force, 1e9 * s.scales.fastest);
}

}  // namespace

double creep(const Subject& s) {
    if (needs_mass(s)) {
        const double T = 10 * slow_time(s);
        const auto x = moved_mass(s, Input::ramps({{0, 0}, {0.1 * T, s.held}}), {0.5 * T, T});
        return std::abs(x[1] - x[0]) / s.scales.deflection;
    }
    constexpr int steps = 2000;
    MasslessSlider slider = slider_of(s);
    const double dt = 10 * slow_time(s) / steps;
    double half = 0;
    for (int i = 1; i <= steps; ++i) {
        slider.pull(s.held * std::min(1.0, 10.0 * i / steps), dt);  // rises in a tenth of the time
        if (i == steps / 2) half = slider.x();
    }
    return std::abs(slider.x() - half) / s.scales.deflection;
}

double drift_per_cycle(const Subject& s) {
    constexpr int steps = 1000, cycles = 6;
    const double T = slow_time(s);
    if (needs_mass(s)) {
        // ten times as fast as the shift of the steady state, which would follow a slower vibration
        const auto [on_force, sigma0, shift, mass] = bristle_on_mass(s);
        const double amplitude = s.held / (3 * on_force * sigma0);  // of the deflection [m]
        const double slowest = 100 * s.relaxation_time;
        const double fast = shift > 0 ? std::min(slowest, 2 * pi * amplitude / (10 * shift)) : slowest;
        const auto x = moved_mass(s, Input::sine(2 * s.held / 3, s.held / 3, 2 * pi / fast, -pi / 2),
                                  {(cycles - 1) * fast, cycles * fast}, s.held / 3);
        return std::abs(x[1] - x[0]) / s.scales.deflection;
    }
    MasslessSlider slider = slider_of(s);
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
    const double dt = 2 * pi * s.relaxation_time / 0.3 / steps;
    std::vector<double> F(steps);
    for (int i = 0; i < 40; ++i) contact.step(s.speed, s.scales.deflection / s.speed);  // until every element slips
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
    const Subject dry{without_viscous(s.law), s.load, s.scales, s.held, s.speed, s.relaxation_time};
    const auto breakaway = [&](double deflection_rate) {  // of an elastic bristle [m/s]
        const double longest = s.scales.deflection / deflection_rate / 1000;
        const double rate = s.scales.force / s.scales.deflection * deflection_rate;
        MasslessSlider slider = slider_of(dry);
        double dt = longest, force = 0;
        int held = 0;
        // until the resolution of the force is 1e-8 of the peak
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
    // speeds and distances without correlation
    AnyContact contact(without_viscous(s.law), s.load);
    const auto scattered = [](int i, double seed) { return std::fmod(seed * i, 1.0); };
    const double low = 0.1 * s.scales.slowest, high = 10 * s.scales.fastest;
    double largest = 0;
    for (int i = 1; i <= 20'000; ++i) {
        const double v = low * std::pow(high / low, scattered(i, std::numbers::phi));
        const double distance = s.scales.deflection * std::pow(10, 3 * scattered(i, std::numbers::sqrt2) - 2);
        const double sign = scattered(i, std::numbers::sqrt3) < 0.5 ? 1 : -1;
        const Step<double> step = contact.step(sign * v, distance / v);
        largest = std::max(largest, contact.relative_deflection().value_or(std::abs(step.force) / s.scales.force));
    }
    return largest - 1;
}

}  // namespace bristle::analysis::properties
