// Pulled mass of the referee: LuGre on a spring whose end moves at constant speed, by the classical Runge-Kutta method in
// fixed steps, without events or error control. The step is so small that the kink at v = 0 does not matter.
#pragma once
#include "referee_law.hpp"

namespace referee {

struct PulledMass {
    struct State {
        double l, v, z;  // elongation [m], velocity [m/s], deflection [m]
    };
    double sigma0, sigma1, sigma2;
    Curve curve;
    double mass, stiffness, velocity;
    State y;

    explicit PulledMass(const bristle::Setup& setup) {
        const auto& rig = std::get<bristle::PulledSpring>(setup.rig);
        mass = rig.mass;
        stiffness = rig.stiffness;
        velocity = rig.velocity;
        const Law law = law_of(setup.law);
        sigma0 = law.sigma0;
        sigma1 = law.sigma1;
        sigma2 = law.sigma2[0];
        curve = law.curve[0];
        const auto start = [&](const char* name) { return setup.start.contains(name) ? setup.start.at(name) : 0.0; };
        y = {start("elongation"), start("v"), start("z")};
    }

    // A08 (14), A08 (15), with A08 (1), A08 (2)
    State rate(const State& s) const {
        const double speed = std::abs(s.v), dz = s.v - sigma0 * speed * s.z / curve(speed);
        const double F = sigma0 * s.z + sigma1 * dz + sigma2 * s.v;
        return {velocity - s.v, (stiffness * s.l - F) / mass, dz};
    }
    void step(double h) {
        const auto along = [&](const State& d, double t) { return State{y.l + t * d.l, y.v + t * d.v, y.z + t * d.z}; };
        const State a = rate(y), b = rate(along(a, h / 2)), c = rate(along(b, h / 2)), d = rate(along(c, h));
        y = {y.l + h / 6 * (a.l + 2 * b.l + 2 * c.l + d.l), y.v + h / 6 * (a.v + 2 * b.v + 2 * c.v + d.v),
             y.z + h / 6 * (a.z + 2 * b.z + 2 * c.z + d.z)};
    }
    // Changes one parameter linearly in time while it moves.
    void raise(double PulledMass::*number, double to, double duration, double h) {
        const double from = this->*number;
        const long steps = std::lround(duration / h);
        for (long i = 1; i <= steps; ++i) {
            this->*number = from + (to - from) * double(i) / double(steps);
            step(h);
        }
    }
};

// Speeds of a motion over an interval of time.
struct Watched {
    double slowest = 1e300, fastest = -1e300;  // m/s
    std::vector<double> peaks;                 // of the speed, if above that of the puller [m/s]
};
inline Watched watch(PulledMass& body, double duration, double h) {
    Watched out;
    double a = body.y.v, b = a;
    for (long i = std::lround(duration / h); i > 0; --i) {
        body.step(h);
        const double c = body.y.v;
        out.slowest = std::min(out.slowest, c);
        out.fastest = std::max(out.fastest, c);
        // the maximum of the parabola through three samples
        if (b > body.velocity && b > a && b >= c) out.peaks.push_back(b + (c - a) * (c - a) / (8 * (2 * b - a - c)));
        a = b;
        b = c;
    }
    return out;
}

// Returns the kind of motion over the last seconds, which are longer than a period.
enum class End { steady, stick_slip, neither };
inline End end_of(PulledMass& body, double h, double seconds = 20) {
    const Watched last = watch(body, seconds, h);
    const double swing = std::max(last.fastest - body.velocity, body.velocity - last.slowest);
    if (last.slowest < 0.01 * body.velocity) return End::stick_slip;
    return swing < 0.05 * body.velocity ? End::steady : End::neither;
}

}  // namespace referee
