// Problems of the benchmarks: the C95 law, every law of the catalogue with similar parameters, stick-slip with its
// reference.
#pragma once
#include <bristle/bristle.hpp>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <string_view>
#include <vector>

namespace problems {

// Returns a law with the examples of its table: those of C95 if C95 has them.
template <class Law>
Law typical() {
    Law law{};
    bristle::set_example(law);
    return law;
}

// Returns a velocity that sweeps between minus and plus two Stribeck velocities [m/s]: the same input for every law.
template <class T>
std::vector<T> sweep() {
    std::vector<T> v(1024);
    for (std::size_t i = 0; i < v.size(); ++i)
        v[i] = T(2e-3 * std::sin(2 * std::numbers::pi * double(i) / double(v.size())));
    return v;
}

// Stick-slip: 1 kg on a spring of 2 N/m whose other end moves with 0.1 m/s, 25 s from rest.
namespace stick_slip {
inline constexpr bristle::Mass mass{1.0};
inline constexpr double spring = 2, speed = 0.1, duration = 25;
inline constexpr double x_end = 1.90883919922548;  // m; Taylor series in quadruple precision

struct Outcome {
    double x = 0;  // m
    long steps = 0, evaluations = 0;
    int most = 0;  // evaluations in one step
};

// Calls each(motion before the step) before every step.
template <class Law, class Each>
Outcome run(bristle::Contact<Law> contact, double dt, int substeps, const Each& each) {
    bristle::Motion motion;
    Outcome out;
    const long steps = std::lround(duration / dt);
    for (long i = 0; i < steps; ++i) {
        each(motion);
        const double t = double(i) * dt;
        const auto pull = [&](const auto& in) { return spring * (speed * (t + in.t) - in.middle()); };
        const auto done = bristle::advance(mass, contact, motion, pull, dt, {.substeps = substeps});
        motion = done;
        out.evaluations += done.evaluations;
        out.most = done.evaluations > out.most ? done.evaluations : out.most;
    }
    out.x = motion.x;
    out.steps = steps;
    return out;
}
template <class Law>
Outcome run(const bristle::Contact<Law>& contact, double dt, int substeps) {
    return run(contact, dt, substeps, [](const bristle::Motion&) {});
}

// Plain loop with one force per step: friction from step() with the old v, then v, then x. One evaluation.
inline Outcome run_plain(const bristle::LuGre& law, double dt) {
    bristle::Contact contact{law};
    double x = 0, v = 0;
    const long steps = std::lround(duration / dt);
    for (long i = 0; i < steps; ++i) {
        const double pull = spring * (speed * double(i) * dt - x);
        v += dt / mass.mass * (pull - contact.step(v, dt).force);
        x += dt * v;
    }
    return {x, steps, steps, 1};
}

// The coupling of many simulators: the spring and z at the start of the step, sigma1 and sigma2 implicit in v+, then z
// advanced exactly with the old v. One evaluation per step; in stick stable only for dt < (sigma1 + sigma2)/sigma0.
inline Outcome run_explicit(const bristle::LuGre& law, double dt) {
    bristle::Contact contact{law};
    double x = 0, v = 0;
    const long steps = std::lround(duration / dt);
    for (long i = 0; i < steps; ++i) {
        const double z = contact.state().z, h = law.sigma0 * bristle::conductance(law.curve, v);
        const double pull = spring * (speed * double(i) * dt - x);
        const double drag = law.sigma0 * z - law.sigma1 * h * z, damping = law.sigma1 + law.sigma2;
        const double v_next = (mass.mass * v + dt * (pull - drag)) / (mass.mass + dt * damping);
        contact.step(v, dt);
        v = v_next;
        x += dt * v;
    }
    return {x, steps, steps, 1};
}
}  // namespace stick_slip

}  // namespace problems
