// A user's program on the compiled libraries: simulate, certify, limit_cycle and follow, each with a number that is known.
#include <bristle/analyse.hpp>
#include <bristle/simulate.hpp>
#include <cmath>
#include <cstdio>

namespace {

bool good = true;

void check(const char* what, double value, double expected, double tolerance) {
    const bool holds = std::abs(value - expected) <= tolerance;
    good = good && holds;
    std::printf("%s: %.10g, expected %.10g to %.1g%s\n", what, value, expected, tolerance, holds ? "" : ": WRONG");
}

// The contact of C95, pulled at 0.1 m/s: stick-slip.
const bristle::LuGre law{
    .sigma0 = 1e5, .sigma1 = std::sqrt(1e5), .sigma2 = 0.4, .curve = bristle::Stribeck{.Fc = 1, .Fs = 1.5, .vs = 1e-3}};
const bristle::Setup axis{.law = law,
                          .rig = bristle::PulledSpring{.mass = 1, .stiffness = 2, .velocity = 0.1},
                          .run = {.duration = 40, .rtol = 1e-9}};

// The soft contact of A08 fig 7, pulled at 0.5 m/s.
const bristle::Setup soft{
    .law = bristle::LuGre{.sigma0 = 2940,
                          .sigma1 = 108,
                          .sigma2 = 0.2,
                          .curve = bristle::Stribeck{.Fc = 2.94, .Fs = 5.88, .vs = 0.1, .alpha = 1}},
    .rig = bristle::PulledSpring{.mass = 1, .stiffness = 2, .velocity = 0.5}};

}  // namespace

int main() {
    // Oracle: the period in quadruple precision (examples/stick_slip). Tolerances: 1e-9 of the run adds up over four cycles.
    const bristle::Result run = bristle::simulate(axis);
    check("simulate, period [s]", run.measures.period.value_or(0), 6.362719821, 1e-6);
    const bristle::Cycle cycle = bristle::limit_cycle(axis);
    check("limit_cycle, period [s]", cycle.period, 6.362719821, 1e-6);
    check("amplitude of both [m]", run.measures.amplitude.value_or(0), cycle.amplitude, 1e-5);
    check("limit_cycle, stable", cycle.stable, 1, 0);

    // Oracle: A08 property 3: passive needs sigma2 >= sigma1 (Fs - Fc)/Fc = 158.1 N s/m. The margin is sigma2 less that.
    const bristle::Certificate certificate = bristle::certify(law);
    check("certify, passive refuted", certificate.passive.verdict == bristle::Verdict::refuted, 1, 0);
    check("certify, needed sigma2 [N s/m]", law.sigma2 - certificate.passive.margin.value_or(0), 158.114, 1e-2);

    // Oracle: Runge-Kutta with the speed raised slowly: stick-slip at 2.129 m/s, none at 2.13 m/s. The fold itself by shooting.
    // The first fold ends the stable branch; those behind it are of unstable cycles.
    const bristle::CycleBranch branch = bristle::follow(soft, "rig.velocity", 0.1, 5);
    check("follow, first fold [m/s]", branch.folds.empty() ? 0 : branch.folds.front().parameter, 2.12912, 1e-5);
    return good ? 0 : 1;
}
