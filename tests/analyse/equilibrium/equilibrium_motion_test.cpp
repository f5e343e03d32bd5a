// Equilibria and eigenvalues against simulated motion: a start at an equilibrium stays there, and a disturbed one
// oscillates, grows and decays with the eigenvalues.
#include <gtest/gtest.h>

#include <cmath>

#include "../../simulate/cases.hpp"
#include "equilibrium_support.hpp"

namespace bristle::inline analysis {
namespace {

using test::forced, test::pulled;

bristle::Setup at(bristle::Setup setup, const Equilibrium& e, double duration) {
    for (const StateValue& s : e.states) setup.start[s.name] = s.value;
    setup.run.duration = duration;
    setup.run.rtol = 1e-11;
    setup.run.atol = 1e-11;
    return setup;
}

// Every law on every rig, at each of its equilibria.
TEST(EquilibriumMotion, StartsAtAnEquilibriumStayThere) {
    int checked = 0;
    for_each_law([&](const auto& entry) {
        for (auto& [name, setup] : rigs(c95_law(entry.kind))) {
            if (std::holds_alternative<Prescribed>(setup.rig)) continue;
            for (const double force : {0.8, 1.2, 1.7}) {
                bristle::Setup s = setup;
                if (std::holds_alternative<ForcedMass>(setup.rig))
                    s.input = Input::constant(force);
                else if (force > 1)
                    continue;
                if (auto* belt = std::get_if<Conveyor>(&s.rig))
                    belt->belt_time = 1e-12;  // the belt runs from the start
                for (const Equilibrium& e : equilibria(s)) {
                    // no longer than rounding needs to grow by a factor of 1000
                    const double growth = e.eigenvalues.empty() ? 0 : std::max(e.eigenvalues[0].real(), 0.0);
                    const double duration = std::min(0.5, 7 / (growth + 1e-9));
                    const Result r = simulate(at(s, e, duration));
                    ASSERT_EQ(r.status, Status::done) << r.message;
                    for (std::size_t i = 0; i < e.states.size(); ++i) {
                        const StateValue& x = e.states[i];
                        const double moved =
                            i == 0 && std::holds_alternative<ForcedMass>(setup.rig) ? e.velocity * duration : 0;
                        const double size = x.unit == "N" || i == 0 ? 1 : x.name == "z" ? 1e-5 : 1e-3;
                        EXPECT_NEAR(r.signal(x.name)->values.back(), x.value + moved, 1e-7 * (size + std::abs(x.value)))
                            << entry.kind << ' ' << name << ' ' << name_of(e.kind) << ' ' << x.name;
                    }
                    ++checked;
                }
            }
        }
    });
    std::printf("%d equilibria\n", checked);
    EXPECT_GT(checked, 100);
}

// Rereversals s + i w of samples of one oscillation e^(s t) cos(w t + phi): x(k+1) + x(k-1) e^(2 s d) = 2 e^(s d) cos(w d) x(k), least squares.
std::complex<double> exponent(const std::vector<double>& x, double d) {
    double aa = 0, ab = 0, bb = 0, ay = 0, by = 0;
    for (std::size_t k = 1; k + 1 < x.size(); ++k) {
        aa += x[k] * x[k];
        ab += x[k] * x[k - 1];
        bb += x[k - 1] * x[k - 1];
        ay += x[k] * x[k + 1];
        by += x[k - 1] * x[k + 1];
    }
    const double p = (ay * bb - by * ab) / (aa * bb - ab * ab), q = (by * aa - ay * ab) / (aa * bb - ab * ab);
    return std::log((p + std::sqrt(std::complex<double>(p * p + 4 * q))) / 2.0) / d;
}

// Compares growth and frequency after a small disturbance of steady sliding with the eigenvalues.
void expect_eigenvalue(const bristle::Setup& setup, double push, double duration, double tolerance, const char* what) {
    const Equilibrium e = main_equilibrium(setup);
    ASSERT_GT(e.frequency, 0) << what;
    std::complex<double> slow = 0;  // the oscillation; faster modes have decayed after the first quarter
    for (const auto& s : e.eigenvalues)
        if (s.imag() > 0) slow = s;
    bristle::Setup s = at(setup, e, duration);
    s.start["v"] += push;
    s.run.rtol = s.run.atol = 1e-12;
    s.run.samples = 1601;
    const Result r = simulate(s);
    ASSERT_EQ(r.status, Status::done) << r.message;
    std::vector<double> x;
    for (std::size_t i = 400; i < 1601; i += 4) x.push_back(r.signal("elongation")->values[i] - e.value("elongation"));
    const auto found = exponent(x, duration / 400);
    std::printf("%-18s expected %+.6f %+.6fi, simulated %+.6f %+.6fi\n", what, slow.real(), slow.imag(), found.real(),
                std::abs(found.imag()));
    EXPECT_NEAR(found.real(), slow.real(), tolerance * std::abs(slow)) << what;
    EXPECT_NEAR(std::abs(found.imag()), slow.imag(), tolerance * std::abs(slow)) << what;
}

TEST(EquilibriumMotion, OfTheSoftSetGrowsBelowTheHopfSpeedAndDecaysAbove) {
    LuGre law = test::a08_soft;
    law.sigma2 = 0.2;
    expect_eigenvalue(pulled(test::any(law), 1, 2, 0.45), 2e-6, 8, 1e-5, "soft, 0.45 m/s");
    expect_eigenvalue(pulled(test::any(law), 1, 2, 0.55), 2e-6, 8, 1e-5, "soft, 0.55 m/s");
    expect_eigenvalue(pulled(test::any(law), 1, 2, 1e-4), 5e-8, 400, 1e-4, "soft, 0.1 mm/s");
}

// Just above the Stribeck velocity, where F_ss falls: every law.
TEST(EquilibriumMotion, OfEveryLawHasTheGrowthAndFrequencyOfItsEigenvalues) {
    for_each_law([](const auto& entry) {
        const std::string kind = entry.kind;
        AnyLaw law = c95_law(kind);
        double vp = 2.5e-3;
        if (kind == "makkar" || kind == "lugre_makkar") vp = 0.02;  // where the level falls
        if (auto* m = std::get_if<AnyMaxwellSlip>(&law)) m->C = 1000;
        // the branches of the hysteretic law have h = sigma0 (v +- a)/g; the linearisation has a = 0: an error of a/v
        expect_eigenvalue(pulled(law, 1, 1000, vp), 1e-5 * vp, 0.6, kind == "hysteretic" ? 2e-3 : 1e-4, entry.kind);
    });
}

// A08 (13): half waves of two lengths, and the displacement after both.
TEST(EquilibriumMotion, OfAHeldMassHasTheHalfWavesOfA08_13) {
    LuGre law = test::a08_stiff;
    law.sigma1 = 242;
    law.curve.alpha = 2;  // flat at rest, so that the linear equation holds farther
    for (const double fraction : {0.5, -0.3}) {
        bristle::Setup s = forced(test::any(law), 1, fraction * 5.88);
        const HalfWaves w = half_waves(s, fraction);
        const double z0 = fraction * 5.88 / 1.47e6, push = 1e-10;
        s.start["z"] = z0 - push;
        s.run.duration = 0.02;
        s.run.rtol = 1e-11;
        s.run.atol = 1e-16;
        s.run.sample_times = {M_PI / w.positive.damped_omega + M_PI / w.negative.damped_omega};
        const Result r = simulate(s);
        ASSERT_EQ(r.status, Status::done);
        std::vector<double> reversals;
        for (const Event& e : r.events)
            if (e.kind == Event::Kind::v_zero && e.t > 0) reversals.push_back(e.t);
        ASSERT_GE(reversals.size(), 4u);
        EXPECT_NEAR(reversals[0], M_PI / w.positive.damped_omega, 1e-4 * reversals[0]);
        for (std::size_t i = 1; i < 4; ++i) {
            const double half = M_PI / (i % 2 ? w.negative : w.positive).damped_omega;
            EXPECT_NEAR(reversals[i] - reversals[i - 1], half, 1e-4 * half) << fraction << ' ' << i;
        }
        const double x = r.measures.at.at(s.run.sample_times[0]).at("x");
        std::printf("fraction %g: shift %.6f expected, %.6f simulated\n", fraction, w.shift, x / push);
        EXPECT_NEAR(x / push, w.shift, 1e-4);
    }
}

}  // namespace
}  // namespace bristle::analysis
