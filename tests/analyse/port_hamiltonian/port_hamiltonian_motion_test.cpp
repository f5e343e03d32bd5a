// Trajectories of port-Hamiltonian systems: systems made of blocks against simulate(), and the power balance of the step.
#include <bristle/base/error.hpp>
#include <bristle/simulate/result.hpp>

#include "port_hamiltonian_support.hpp"

namespace bristle::inline analysis::port_hamiltonian {
namespace {

// The law of a kind with parameters near A08's soft set: steps of 0.1 ms resolve its motion.
AnyLaw soft_law(std::string_view kind) {
    AnyLaw law = c95_law(kind);
    std::visit(
        [](auto& l) {
            std::remove_cvref_t<decltype(l)>::parameters(l, [](const Parameter& p, double& x) {
                const std::string_view name = p.name;
                if (name == "sigma0") x = 2940;
                if (name == "sigma1") x = 108;
                if (name == "Fc" || name == "g1" || name == "g4") x = 2.94;
                if (name == "Fs") x = 5.88;
                if (name == "vs" || name == "vc") x = 0.1;
                if (name == "c" || name == "g2" || name == "g5") x = 50;
                if (name == "g3") x = 5;
            });
        },
        law);
    return law;
}

// The classical Runge-Kutta step of order 4 for dx/dt = respond({x, u(t)}).rate.
template <class U>
Vector runge_kutta_step(const System& s, const Vector& x, const U& u, double t, double dt) {
    const auto f = [&](double at, const Vector& y) { return s.respond({y, {u(at)}}).rate; };
    const Vector a = f(t, x), b = f(t + dt / 2, plus(x, dt / 2, a)), c = f(t + dt / 2, plus(x, dt / 2, b)),
                 d = f(t + dt, plus(x, dt, c));
    return plus(plus(plus(plus(x, dt / 6, a), dt / 3, b), dt / 3, c), dt / 6, d);
}

// The same, divided at the kink of |v| where the momentum x[p] changes its sign: order 4 is kept.
template <class U>
Vector smooth_step(const System& s, const Vector& x, std::size_t p, const U& u, double t, double dt) {
    const Vector whole = runge_kutta_step(s, x, u, t, dt);
    if (x[p] * whole[p] >= 0) return whole;
    double low = 0, high = dt;
    for (int i = 0; i < 50; ++i) {
        const double middle = (low + high) / 2;
        (x[p] * runge_kutta_step(s, x, u, t, middle)[p] > 0 ? low : high) = middle;
    }
    return runge_kutta_step(s, runge_kutta_step(s, x, u, t, low), u, t + low, dt - low);
}

// ---- trajectories --------------------------------------------------------------------------------------------------

// A signal of simulate() and its state: signal = factor x.
struct Twin {
    const char* signal;
    double factor;
};
struct Followed {
    double farthest = 0;  // the largest difference, in units of the signal's largest value
    Vector end;
};
template <class U>
Followed follow(const bristle::Setup& setup, const System& system, const std::vector<Twin>& twins, std::size_t p,
                const U& u, double dt) {
    const Result run = simulate(setup);
    EXPECT_EQ(run.status, Status::done) << run.message;
    const double between = setup.run.duration / (setup.run.samples - 1);
    const int steps = int(std::lround(between / dt));
    Followed out{0, Vector(twins.size())};
    for (int i = 1; i < setup.run.samples; ++i) {
        for (int k = 0; k < steps; ++k) out.end = smooth_step(system, out.end, p, u, (i - 1) * between + k * dt, dt);
        for (std::size_t k = 0; k < twins.size(); ++k) {
            const Vector& values = run.signal(twins[k].signal)->values;
            const auto [low, high] = std::minmax_element(values.begin(), values.end());
            const double difference = std::abs(values[std::size_t(i)] - twins[k].factor * out.end[k]);
            out.farthest = std::max(out.farthest, difference / std::max(-*low, *high));
        }
    }
    return out;
}
Run accurately(double duration) { return {.duration = duration, .rtol = 1e-9, .atol = 1e-9, .samples = 101}; }

// A08 fig 4: twenty seconds of stick-slip.
TEST(Assembled, PulledSpringFollowsTheSimulatedRig) {
    AnyLuGre law;
    law.sigma0 = test::a08_soft.sigma0;
    law.sigma1 = test::a08_soft.sigma1;
    law.curve.stribeck.positive = test::a08_soft.curve;
    bristle::Setup setup;
    setup.law = law;
    setup.rig = PulledSpring{1, 2, 2};
    setup.run = accurately(test::sanitized ? 1 : 20);
    const auto rig = feedback(block::spring(2), feedback(block::mass(1), block::friction(setup.law)));
    const Followed f = follow(
        setup, rig, {{"elongation", 1}, {"v", 1}, {"z", 1}}, 1, [](double) { return 2.0; }, 4e-4);
    EXPECT_LT(f.farthest, 5e-8);
    if (test::sanitized) return;
    // quadruple-precision Taylor series
    EXPECT_NEAR(f.end[0], 2.21435184234036, 1e-9);
    EXPECT_NEAR(f.end[1], 5.24229951138983e-3, 1e-11);
    EXPECT_NEAR(f.end[2], 1.45237727541220e-3, 1e-12);
}

TEST(Assembled, MassOnEachBristleLawFollowsTheSimulatedRig) {
    for (const char* kind : one_bristle) {
        bristle::Setup setup;
        setup.law = soft_law(kind);
        setup.rig = ForcedMass{1.5};
        setup.input = Input::sine(0.2, 8, 6, 0);
        setup.run = accurately(test::sanitized ? 0.2 : 2);
        const auto whole = feedback(block::mass(1.5), block::friction(setup.law));
        const Followed f = follow(
            setup, whole, {{"v", 1 / 1.5}, {"z", 1}}, 0, [](double t) { return 0.2 + 8 * std::sin(6 * t); }, 2e-4);
        EXPECT_LT(f.farthest, 2e-8) << kind;
    }
}

// ---- the step ------------------------------------------------------------------------------------------------------

// A mass pulled at a varying speed, all laws: supplied = stored + dissipated over the sum of all steps.
TEST(Step, KeepsThePowerBalanceOverManySteps) {
    for (const char* kind : one_bristle) {
        const auto rig = feedback(block::spring(2), feedback(block::mass(1), block::friction(soft_law(kind))));
        Vector x{0, 0.3, 0};
        double sum = rig.energy(x), scale = sum;
        const int steps = int(test::draws(5000));
        for (int i = 0; i < steps; ++i) {
            const Advance a = step(rig, {x, {2 + std::sin(1e-2 * i)}}, 1e-3);
            sum += a.supplied - a.dissipated;
            scale += std::abs(a.supplied) + std::abs(a.dissipated);
            x = a.x;
        }
        EXPECT_LT(std::abs(rig.energy(x) - sum), 1e-12 * scale) << kind;
        EXPECT_GT(scale, 0.05);  // more than the energy it starts with
    }
}

// One step from random states, also with feedthrough at the outer port and with a load.
TEST(Step, KeepsThePowerBalanceFromRandomStates) {
    Random r(11);
    double worst = 0;
    for (int i = 0; i < 2000; ++i) {
        const auto kind = one_bristle[r.below(6)];
        System s = block::friction(c95_law(kind));
        Vector x{r.uniform(-1.5e-5, 1.5e-5)};
        if (r.below(2)) {
            s = feedback(block::mass(r.log_uniform(0.1, 10)), s);
            x.insert(x.begin(), r.sign() * r.log_uniform(1e-4, 1));
        }
        const double N = r.log_uniform(0.5, 2), u = r.sign() * r.log_uniform(1e-4, 1);
        const double dt = r.log_uniform(1e-6, 1e-3);
        const Advance a = step(s, {x, {u}, {N}}, dt);
        EXPECT_DOUBLE_EQ(a.supplied, dt * u * a.y[0]);
        const double before = s.energy(x, {N}), after = s.energy(a.x, {N});
        worst = std::max(worst, std::abs(after - before - a.supplied + a.dissipated) /
                                    (before + after + std::abs(a.supplied) + std::abs(a.dissipated)));
    }
    EXPECT_LT(worst, 1e-12);
}

// A08 fig 4. Oracle: quadruple-precision Taylor series.
TEST(Step, IsOfSecondOrder) {
    if (test::sanitized) GTEST_SKIP() << "a test of accuracy";
    const auto rig = feedback(block::spring(2), feedback(block::mass(1), block::friction(test::a08_soft)));
    const auto error = [&](int steps) {
        Vector x(3);
        for (int i = 0; i < steps; ++i) x = step(rig, {x, {2}}, 20.0 / steps).x;
        return std::abs(x[0] - 2.21435184234036);
    };
    const double coarse = error(2500), fine = error(5000);
    EXPECT_LT(fine, 1e-3);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.05);
}

TEST(Step, ThrowsIfTheStepIsTooLongOrTheStateIsNotFinite) {
    const auto s = feedback(block::mass(1e-3), block::friction(test::c95));
    EXPECT_THROW(step(s, {{1e-4, 1.4e-5}, {1}}, 10), Error);
    EXPECT_THROW(step(s, {{1e-4, NAN}, {1}}, 1e-6), Error);
}

}  // namespace
}  // namespace bristle::analysis::port_hamiltonian
