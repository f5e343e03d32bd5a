// Measurements behind the table of properties.
#include "analyse/properties/measures.hpp"

#include "analyse/properties/drive.hpp"
#include "analyse/viscous.hpp"

#include <bristle/base/error.hpp>
#include <bristle/simulate/result.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace bristle::inline analysis::properties {

namespace {

constexpr double pi = std::numbers::pi;

// Returns the speed at which the level falls most [m/s]: vs for the curves that have one.
// Returns otherwise if the level is constant or changes down to v = 0.
template <class Curve>
double speed_of_steepest_fall(const AnyLaw& law, const Curve& curve, double otherwise) {
    if (const double vs = stribeck_velocity(law); vs > 0) return vs;
    const auto zone = curve.zone();
    double largest_fall = 0, at = zone.low > 0 ? std::sqrt(zone.low * zone.high) : otherwise;
    for (double v = zone.low; v > 0 && v < zone.high; v *= 1.1)
        if (const double fall = level(curve, v) - level(curve, 1.1 * v); fall > largest_fall) {
            largest_fall = fall;
            at = v;
        }
    return at;
}

AnyLaw without_viscous(AnyLaw law) {
    std::visit(
        []<class Law>(Law& l) {
            Law::parameters(l, [&](const Parameter&, double& x) {
                if (is_viscous(l, x)) x = 0;
            });
        },
        law);
    return law;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

}  // namespace

TestedLaw tested_law(const AnyLaw& law, double load) {
    const Scales scales = scales_of(law, load);
    return std::visit(
        [&]<class Law>(const Law& l) {
            const auto& curve = curve_under(l, load);
            using Curve = std::remove_cvref_t<decltype(curve)>;
            const auto n = loads(l, load);
            double breakaway = curve.peak();
            if constexpr (Curve::sticks)
                breakaway = std::min(double(curve.static_level(1)), double(curve.static_level(-1)));
            double force = 0.45 * breakaway;
            // elasto-plastic: below the smallest breakaway deflection, kappa min g/sigma0
            if constexpr (requires { l.elastic_fraction(force); })
                force = std::min(force, 0.9 * l.kappa * curve.floor());
            const double speed = speed_of_steepest_fall(law, curve, scales.slowest);
            double relaxation_time = scales.deflection / speed;
            if constexpr (HasElements<Law>) relaxation_time = curve.peak() * n.on_curve / l.C;  // Maxwell-slip
            return TestedLaw{law, load, scales, force * n.on_curve * n.on_force, speed, relaxation_time};
        },
        law);
}

// ---- a path with many reversals of different size -----------------------------------------------------------------

namespace {

constexpr int path_steps = 2000;
constexpr double path_end = 4 * pi;
double path_at(double tau) { return std::sin(tau) + 0.4 * std::sin(2.7 * tau + 1); }
constexpr double largest_path_rate = 1 + 0.4 * 2.7;  // upper bound of |d path/d tau|

// Returns the forces at the ends of the steps of the path [N]. peak_speed [m/s] is that of warp = 0.
std::vector<double> forces_along_path(const TestedLaw& tested, double peak_speed, double warp) {
    AnyContact contact(tested.law, tested.load);
    const double amplitude = 1.5 * tested.scales.deflection;
    const double time_per_tau = amplitude * largest_path_rate / peak_speed;  // s
    const auto time = [&](double tau) { return time_per_tau * (tau + warp * std::sin(tau)); };
    std::vector<double> out;
    for (int i = 0; i < path_steps; ++i) {
        const double a = path_end * i / path_steps, b = path_end * (i + 1) / path_steps, dt = time(b) - time(a);
        out.push_back(contact.step(amplitude * (path_at(b) - path_at(a)) / dt, dt).force_end);
    }
    return out;
}

// Peak speeds of the path [m/s], from well below the slowest speed of the law to well above the fastest.
struct PeakSpeeds {
    double low, middle, high;
};
PeakSpeeds peak_speeds(const Scales& scales) {
    const double low = 0.1 * scales.slowest, high = 10 * scales.fastest;
    return {low, std::sqrt(low * high), high};
}

}  // namespace

double rate_dependence(const TestedLaw& tested) {
    const PeakSpeeds speeds = peak_speeds(tested.scales);
    const auto forces = forces_along_path(tested, speeds.middle, 0);
    const double low = largest_difference(forces, forces_along_path(tested, speeds.low, 0));
    const double high = largest_difference(forces, forces_along_path(tested, speeds.high, 0));
    return std::max(low, high) / tested.scales.force;
}

double warp_dependence(const TestedLaw& tested) {
    const PeakSpeeds speeds = peak_speeds(tested.scales);
    double largest = 0;
    for (const double v : {speeds.low, speeds.middle, speeds.high})
        largest =
            std::max(largest, largest_difference(forces_along_path(tested, v, 0), forces_along_path(tested, v, 0.8)));
    return largest / tested.scales.force;
}

// ---- strokes at one speed -----------------------------------------------------------------------------------------

namespace {

// Moves the contact by a distance [m] at constant speed; returns the forces at the ends of the steps [N].
std::vector<double> move(AnyContact& contact, double distance, double speed) {
    constexpr int steps = 200;
    std::vector<double> out;
    for (int i = 0; i < steps; ++i)
        out.push_back(contact.step(std::copysign(speed, distance), std::abs(distance) / (steps * speed)).force_end);
    return out;
}

}  // namespace

InnerLoops inner_loops(const TestedLaw& tested) {
    const double force = tested.scales.force;
    const auto& [out, back, out_again, inner_back, inner_out, last] = nested_strokes;
    // Returns the forces of a stroke [N].
    const auto stroke = [&](AnyContact& contact, double deflections) {
        return move(contact, deflections * tested.scales.deflection, tested.falling_speed);
    };
    AnyContact direct(tested.law, tested.load), outer = direct;
    const double direct_force = stroke(direct, out + back + out_again).back();
    stroke(outer, out);
    stroke(outer, back);
    const double start_force = stroke(outer, out_again).back();  // where the inner loops begin

    AnyContact without_loop = outer;
    const auto forces_without_loop = stroke(without_loop, last);
    InnerLoops loops{0, std::abs(start_force - direct_force) / force};
    for (const double size : {0.5, 1.0, 2.0}) {
        AnyContact with_loop = outer;
        stroke(with_loop, size * inner_back);
        const double end_force = stroke(with_loop, size * inner_out).back();
        loops.gap = std::max({loops.gap, std::abs(end_force - start_force) / force,
                              largest_difference(forces_without_loop, stroke(with_loop, last)) / force});
    }
    return loops;
}

// ---- sliding in one direction -------------------------------------------------------------------------------------

double lag_width(const TestedLaw& tested) {
    constexpr int steps = 2000, cycles = 3;
    AnyContact contact(tested.law, tested.load);
    const double dt = 2 * pi * tested.relaxation_time / 0.3 / steps;
    // until every element slips
    for (int i = 0; i < 40; ++i) contact.step(tested.falling_speed, tested.scales.deflection / tested.falling_speed);
    std::vector<double> F(steps);  // of the last cycle
    for (int cycle = 0; cycle < cycles; ++cycle)
        for (int i = 0; i < steps; ++i) {
            const int mirrored = std::min(i, steps - 1 - i);  // steps i and steps - 1 - i have exactly the same speed
            const double v = tested.falling_speed * (1 - 0.9 * std::cos(2 * pi * (mirrored + 0.5) / steps));
            F[std::size_t(i)] = contact.step(v, dt).force;
        }
    double widest = 0;
    for (int i = 0; i < steps / 2; ++i)
        widest = std::max(widest, std::abs(F[std::size_t(i)] - F[std::size_t(steps - 1 - i)]));
    return widest / tested.scales.force;
}

// ---- quasi-random motion ------------------------------------------------------------------------------------------

double bound_excess(const TestedLaw& tested) {
    AnyContact contact(without_viscous(tested.law), tested.load);
    // Weyl sequences: equally distributed in [0, 1), without correlation for different irrational numbers
    const auto weyl = [](int i, double irrational) { return std::fmod(irrational * i, 1.0); };
    const double low = 0.1 * tested.scales.slowest, high = 10 * tested.scales.fastest;
    double largest = 0;
    for (int i = 1; i <= 20'000; ++i) {
        const double v = low * std::pow(high / low, weyl(i, std::numbers::phi));
        // from 0.01 to 10 deflections
        const double distance = tested.scales.deflection * std::pow(10, 3 * weyl(i, std::numbers::sqrt2) - 2);
        const double sign = weyl(i, std::numbers::sqrt3) < 0.5 ? 1 : -1;
        const Step<double> step = contact.step(sign * v, distance / v);
        largest = std::max(largest, contact.relative_deflection().value_or(std::abs(step.force) / tested.scales.force));
    }
    return largest - 1;
}

// ---- constant and vibrating force ---------------------------------------------------------------------------------

namespace {

// A time in which a motion of one deflection is slow compared with every speed of the law [s].
double slow_time(const TestedLaw& tested) {
    return std::max(100 * tested.scales.deflection / tested.scales.slowest, 100 * tested.relaxation_time);
}

MasslessSlider slider_of(const TestedLaw& tested) {
    return MasslessSlider(AnyContact(tested.law, tested.load), tested.scales.deflection, tested.scales.force,
                          1e9 * tested.scales.fastest);
}

// A law whose rate depends on the sign of the acceleration (B05) needs a mass.
bool needs_mass(const TestedLaw& tested) {
    return std::visit([]<class Law>(const Law&) { return RemembersVelocity<Law>; }, tested.law);
}

// Parameters of a bristle law that needs a mass, and the mass.
struct BristleOnMass {
    double on_force, sigma0;  // factor of the force from the load; N/m
    double shift;             // speed by which the steady state is shifted, a of B05 [m/s]
    double mass;  // critically damped by sigma1 + sigma2; without damping, light enough to oscillate fast [kg]
};
BristleOnMass bristle_on_mass(const TestedLaw& tested) {
    return std::visit(
        [&](const auto& law) -> BristleOnMass {
            if constexpr (requires { law.sigma0 + law.sigma1 + law.sigma2; }) {
                const double n = loads(law, tested.load).on_force, damping = law.sigma1 + law.sigma2;
                const double slow = tested.scales.deflection / tested.scales.slowest;  // s
                const double per_load =
                    damping > 0 ? damping * damping / (4 * law.sigma0) : law.sigma0 * slow * slow * 1e-6;
                BristleOnMass out{n, law.sigma0, 0, n * per_load};
                if constexpr (requires { law.a; }) out.shift = law.a;
                return out;
            } else {
                throw Error("properties: " + std::string(kind_of(tested.law)) +
                            " needs a mass, but has no sigma0, sigma1 and sigma2");
            }
        },
        tested.law);
}

// Returns the displacement of the mass between two times [s] under a force [m].
// Starts at rest, with a bristle that carries start_force [N].
double mass_displacement(const TestedLaw& tested, const Input& force, double from, double to, double start_force) {
    const BristleOnMass bristle = bristle_on_mass(tested);
    Setup setup{.law = tested.law,
                .rig = ForcedMass{bristle.mass},
                .input = force,
                .load = Input::constant(tested.load),
                .start = {{"z", start_force / (bristle.on_force * bristle.sigma0)}},
                .run = {.duration = to, .rtol = 1e-8, .atol = 1e-8, .samples = 2}};
    setup.run.sample_times = {from, to};
    const Result result = simulate(setup);
    if (result.status != Status::done) throw Error("properties: simulation failed: " + result.message);
    return std::abs(result.measures.at.at(to).at("x") - result.measures.at.at(from).at("x"));
}

// Creep in [T/2, T]: the force rises in the first tenth of T [s] and is then constant [m].
double creep_of_mass(const TestedLaw& tested, double T) {
    const Input force = Input::ramps({{0, 0}, {0.1 * T, tested.force_below_breakaway}});
    return mass_displacement(tested, force, 0.5 * T, T, 0);
}
double creep_of_slider(const TestedLaw& tested, double T) {
    constexpr int steps = 2000;
    MasslessSlider slider = slider_of(tested);
    double half = 0;
    for (int i = 1; i <= steps; ++i) {
        slider.pull(tested.force_below_breakaway * std::min(1.0, 10.0 * i / steps), T / steps);
        if (i == steps / 2) half = slider.x();
    }
    return std::abs(slider.x() - half);
}

constexpr int drift_cycles = 6;

// Drift in the last cycle of a force between a third of force_below_breakaway and all of it [m].
double drift_of_mass(const TestedLaw& tested) {
    const auto [on_force, sigma0, shift, mass] = bristle_on_mass(tested);
    const double force = tested.force_below_breakaway;
    // z moves ten times as fast as the shift of the steady state, which would follow a slower vibration
    const double amplitude = force / (3 * on_force * sigma0);  // of z [m]
    const double longest = 100 * tested.relaxation_time;
    const double period = shift > 0 ? std::min(longest, 2 * pi * amplitude / (10 * shift)) : longest;
    return mass_displacement(tested, Input::sine(2 * force / 3, force / 3, 2 * pi / period, -pi / 2),
                             (drift_cycles - 1) * period, drift_cycles * period, force / 3);
}
double drift_of_slider(const TestedLaw& tested) {
    constexpr int steps = 1000;  // per cycle
    const double force = tested.force_below_breakaway, dt = slow_time(tested) / steps;
    MasslessSlider slider = slider_of(tested);
    for (int i = 1; i <= steps / 4; ++i) slider.pull(force / 3 * i / (steps / 4), dt);
    double before = 0;
    for (int cycle = 0; cycle < drift_cycles; ++cycle) {
        before = slider.x();
        for (int i = 1; i <= steps; ++i) slider.pull(force * (2 - std::cos(2 * pi * i / steps)) / 3, dt);
    }
    return std::abs(slider.x() - before);
}

}  // namespace

double creep_displacement(const TestedLaw& tested) {
    const double T = 10 * slow_time(tested);
    return (needs_mass(tested) ? creep_of_mass(tested, T) : creep_of_slider(tested, T)) / tested.scales.deflection;
}

double drift_per_cycle(const TestedLaw& tested) {
    return (needs_mass(tested) ? drift_of_mass(tested) : drift_of_slider(tested)) / tested.scales.deflection;
}

// ---- ramps of force -----------------------------------------------------------------------------------------------

namespace {

// Returns the largest force that the slider holds, relative to the peak [1]; resolution 1e-8.
// The force rises as fast as an elastic bristle that deflects at deflection_rate [m/s].
double breakaway_force(const TestedLaw& tested, double deflection_rate) {
    const double longest = tested.scales.deflection / deflection_rate / 1000;  // step [s]
    const double rate = tested.scales.force / tested.scales.deflection * deflection_rate;
    MasslessSlider slider = slider_of(tested);
    double dt = longest, force = 0;
    int held = 0;  // steps held since the last failure
    for (int i = 0; i < 20'000 && rate * dt > 1e-8 * tested.scales.force; ++i) {
        if (slider.pull(force + rate * dt, dt)) {
            force += rate * dt;
            if (++held % 8 == 0) dt = std::min(longest, 2 * dt);
        } else {
            dt *= 0.5;
            held = 0;
        }
    }
    return force / tested.scales.force;
}

}  // namespace

double breakaway_spread(const TestedLaw& tested) {
    TestedLaw dry = tested;
    dry.law = without_viscous(tested.law);
    const double slow = breakaway_force(dry, 0.01 * tested.falling_speed),
                 middle = breakaway_force(dry, 0.1 * tested.falling_speed),
                 fast = breakaway_force(dry, tested.falling_speed);
    return std::max({slow, middle, fast}) - std::min({slow, middle, fast});
}

}  // namespace bristle::analysis::properties
