// Stick-slip of a mass pulled over a table through a spring whose far end moves at constant speed: the mass sticks, breaks
// away, slips, and sticks again, because friction is larger at rest than in motion (B05 fig 4).
//
//   m dv/dt = k (vp t - x) - F,   F: LuGre friction with the parameters of Canudas de Wit et al. (1995)
#include <bristle/bristle.hpp>
#include <bristle/base/error.hpp>
#include "report/figure/figure.hpp"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace {

constexpr bristle::LuGre law{.sigma0 = 1e5,                                  // N/m
                             .sigma1 = 316.22776601683796,                   // N s/m, sqrt(1e5)
                             .sigma2 = 0.4,                                  // N s/m
                             .curve = {.Fc = 1.0, .Fs = 1.5, .vs = 0.001}};  // N, N, m/s
constexpr bristle::Mass mass{1.0};                                           // kg
constexpr double k = 2.0, vp = 0.1, duration = 25.0;                         // N/m, m/s, s
constexpr double reference = 1.90883919922548;  // x(25 s) [m], by a Taylor series in quadruple precision

struct Run {
    std::vector<double> t, x, pull, v, F;                   // s, m, m, m/s, N
    double work = 0, heat = 0, numerical = 0, balance = 0;  // J
    double evaluations = 0;                                 // of the law, per step
};

Run simulate(double dt) {
    Run run;
    bristle::Contact joint{law};
    bristle::Motion now;  // at rest at x = 0
    const int steps = int(std::lround(duration / dt));
    for (int n = 0; n < steps; ++n) {
        const double t = n * dt;
        const auto spring = [&](const auto& i) { return k * (vp * (t + i.t) - i.middle()); };
        const auto next = advance(mass, joint, now, spring, dt);
        now = next;
        run.work += next.work;
        run.heat += next.dissipation;
        run.numerical += next.numerical;
        run.evaluations += double(next.evaluations) / steps;
        run.t.push_back(t + dt);
        run.x.push_back(next.x);
        run.pull.push_back(vp * (t + dt));
        run.v.push_back(next.v);
        run.F.push_back(next.force);
    }
    run.balance = 0.5 * mass.mass * now.v * now.v + joint.stored() + run.heat + run.numerical - run.work;
    return run;
}

// The coupling of many simulators: friction from the start of the step, and the bristle advanced with the old velocity.
double explicit_coupling(double dt) {
    bristle::Contact joint{law};
    double x = 0, v = 0;
    for (int n = 0; n < int(std::lround(duration / dt)); ++n) {
        const double F = force(law, joint.state().z, v);
        joint.step(v, dt);
        v += dt * (k * (vp * n * dt - x) - F) / mass.mass;
        x += dt * v;
    }
    return x;
}

// Returns the time between the last two instants at which the mass reaches the speed of the puller [s].
double period(const Run& run) {
    double last = NAN, before = NAN;
    for (std::size_t i = 1; i < run.v.size(); ++i)
        if (const double a = run.v[i - 1] - vp, b = run.v[i] - vp; a < 0 && b >= 0)
            before = last, last = run.t[i] + (run.t[i] - run.t[i - 1]) * b / (a - b);
    return last - before;
}

void report(const Run& run) {
    const auto error = [](double x) { return std::abs(x - reference); };
    const double naive = error(explicit_coupling(0.01));
    std::printf(
        "A mass of 1 kg is pulled by a spring (2 N/m) whose end moves at 0.1 m/s, for 25 s in steps of 1 ms.\n");
    std::printf("It sticks and slips with a period of %.4f s; its top speed is %.4f m/s.\n", period(run),
                *std::max_element(run.v.begin(), run.v.end()));
    std::printf("Position after 25 s: %.8f m, off by %.1e m, with %.1f evaluations of the law per step.\n",
                run.x.back(), error(run.x.back()), run.evaluations);
    std::printf("Energy: the spring did %.6f J of work, %.6f J became heat; the residual is %.0e J.\n", run.work,
                run.heat + run.numerical, std::abs(run.balance));
    std::printf("In steps of 10 ms it is off by %.1e m; with friction taken from the old velocity it %s.\n",
                error(simulate(0.01).x.back()), naive < 10 ? "drifts" : "diverges");
}

}  // namespace

int main(int count, char** arguments) {
    const std::string folder = count > 1 ? arguments[1] : "build/stick_slip";
    if (count == 2 && folder == "--help") {
        std::puts(
            "usage: stick_slip [FOLDER]\n\n"
            "Simulates a mass that sticks and slips while a spring pulls it, prints a summary, and draws it here "
            "and\n"
            "as stick_slip.svg, .png, .csv (every point) and .gp (gnuplot script) in FOLDER, build/stick_slip if not "
            "given.\n\n"
            "Try: set .Fs = 1.0 at the top of examples/stick_slip.cpp: stick-slip disappears (the reference value "
            "then no longer applies).");
        return 0;
    }
    if (count > 2 || folder.empty() || folder[0] == '-') {
        std::fputs("stick_slip: at most one argument, the folder for the pictures; see --help\n", stderr);
        return 2;
    }
    const Run run = simulate(0.001);
    report(run);

    using namespace bristle::report;
    const AxisLabel time{"time t", "s"};
    const Figure figure{"Stick-slip of a pulled mass",
                        {{time, {"position x", "m"}, {{"mass", run.t, run.x}, {"end of the spring", run.t, run.pull}}},
                         {time, {"velocity v", "m/s"}, {{"", run.t, run.v}}},
                         {time, {"friction force F", "N"}, {{"", run.t, run.F}}}}};
    try {
        if (const auto picture = drawn(figure, 100)) std::printf("%s", picture->c_str());
        const Written written = write(figure, folder, "stick_slip");
        for (const auto& file : written.files) std::printf("wrote %s\n", file.c_str());
        if (!written.note.empty()) std::printf("%s\n", written.note.c_str());
    } catch (const bristle::Error& error) {
        std::fprintf(stderr, "stick_slip: %s\n", error.what());
        return 2;
    }
}
