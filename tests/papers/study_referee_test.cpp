// Claims of the gallery's analyses that name Runge-Kutta: the same numbers by an integrator that shares no code with the
// analyses. The end of stick-slip is found as in an experiment: by a slow change of the parameter.
#include <bristle/analyse/basin.hpp>
#include "gallery/catalogue.hpp"
#include <gtest/gtest.h>

#include "../support/sets.hpp"
#include "referee_pulled.hpp"

namespace {

using namespace bristle;
using referee::End, referee::PulledMass;

constexpr double step = 0.2e-3;  // s

const gallery::Study& study_named(const std::string& name) {
    static const gallery::Catalogue catalogue = gallery::read(gallery::files());
    for (const auto& paper : catalogue.papers)
        for (const auto& study : paper.studies)
            if (study.name == name) return study;
    throw Error("no study " + name);
}
const gallery::StudyClaim& claim_of(const std::string& study, const std::string& pointer) {
    for (const auto& claim : study_named(study).claims)
        if (claim.pointer == pointer) return claim;
    throw Error("study " + study + " claims nothing about " + pointer);
}
bristle::Setup setup_of(const std::string& study) {
    const std::string& id = study_named(study).experiment;
    return experiment::read(std::string(experiment::find_shipped(id)->text), id).setup;
}

// Returns the final motion: start as in the file, change of the parameter from the file's value to another one, then
// constant parameter. 1000 s are enough: at the upper ends below, stick-slip ends after 120 s; at the lower ones the
// jumps are equal.
End followed(const std::string& study, double PulledMass::*knob, double to) {
    PulledMass body(setup_of(study));
    referee::watch(body, 60, step);
    const double from = body.*knob;
    body.raise(knob, from + 0.95 * (to - from), 200, step);
    body.raise(knob, to, 200, step);  // slower, because close to its end the cycle attracts weakly
    const auto peaks = referee::watch(body, 1000, step).peaks;
    const End end = referee::end_of(body, step);
    if (end == End::stick_slip) {
        EXPECT_GE(peaks.size(), 2u);
        // Equal jumps, so that it is not a slow transient. Tolerance: 1e-6 m/s; the jumps of a transient differ by at
        // least 5e-6 m/s and mostly by 1e-3 m/s, those of the cycle by 1e-8 m/s.
        EXPECT_NEAR(peaks.back(), peaks[peaks.size() - 2], 1e-6);
    }
    return end;
}

// ---- fig 6 and fig 7: a fold -------------------------------------------------------------------------------------------

TEST(StudyReferee, DampingEndsStickSlipBetweenTheBoundsOfTheClaim) {
    if (test::sanitized) GTEST_SKIP() << "compares numbers";
    const auto& claim = claim_of("fig6_branch", "/stable/0/1");
    EXPECT_LE(claim.high - claim.low, 1e-4);
    EXPECT_EQ(followed("fig6_branch", &PulledMass::sigma2, claim.low), End::stick_slip);
    EXPECT_EQ(followed("fig6_branch", &PulledMass::sigma2, claim.high), End::steady);
}

TEST(StudyReferee, SpeedEndsStickSlipBetweenTheBoundsOfTheClaim) {
    if (test::sanitized) GTEST_SKIP() << "compares numbers";
    const auto& claim = claim_of("fig7_branch", "/stable/0/1");
    EXPECT_LE(claim.high - claim.low, 2e-3);
    EXPECT_EQ(followed("fig7_branch", &PulledMass::velocity, claim.low), End::stick_slip);
    EXPECT_EQ(followed("fig7_branch", &PulledMass::velocity, claim.high), End::steady);
}

// ---- fig 8: a flip -----------------------------------------------------------------------------------------------------

// Returns the factor by which the difference between successive jumps grows per jump. The parameter settles so slowly that
// the difference is small at first; jumps alternate in size, so that successive differences have opposite signs.
double growth_of_alternation(double stiffness) {
    PulledMass body(setup_of("fig8_branch"));
    body.raise(&PulledMass::stiffness, 5.5, 60, step);
    referee::watch(body, 60, step);
    body.raise(&PulledMass::stiffness, stiffness, 600, step);
    const auto peaks = referee::watch(body, 900, step).peaks;
    const auto alternation = [&](std::size_t i) { return std::abs(peaks[i + 1] - peaks[i]); };
    const std::size_t first = 4, last = peaks.size() - 2;
    std::printf("%g N/m: from %.3g to %.3g m/s in %zu jumps\n", stiffness, alternation(first), alternation(last),
                last - first);
    return std::pow(alternation(last) / alternation(first), 1 / double(last - first));
}

TEST(StudyReferee, CyclePeriodDoublesWithinTheClaimedInterval) {
    if (test::sanitized) GTEST_SKIP() << "compares numbers";
    const double below = 6.188, above = 6.190;  // N/m
    EXPECT_LT(growth_of_alternation(below), 1);
    EXPECT_GT(growth_of_alternation(above), 1);
    const auto& claim = claim_of("fig8_branch", "/stable/0/1");
    EXPECT_LE(claim.low, below);
    EXPECT_GE(claim.high, above);
}

// Beyond the flip the result depends on the start. From rest with z = 0, the first jump ends in steady sliding from
// 7.2443 N/m on.
TEST(StudyReferee, MassFromRestLosesStickSlipBeyondTheFlip) {
    if (test::sanitized) GTEST_SKIP() << "compares numbers";
    const auto from_rest = [](double stiffness) {
        PulledMass body(setup_of("fig8_branch"));
        body.stiffness = stiffness;
        body.y = {0, 0, 0};
        referee::watch(body, 150, step);
        return referee::end_of(body, step);
    };
    EXPECT_EQ(from_rest(7.24), End::stick_slip);
    EXPECT_EQ(from_rest(7.25), End::steady);
    EXPECT_EQ(from_rest(8), End::steady);  // as A08 fig 8 has it
}

// A motion already in stick-slip continues in it, with jumps of two sizes, of four, without order and again of four, far
// beyond the range of the paper.
TEST(StudyReferee, ContinuedStickSlipEndsBetweenTheBoundsOfTheClaim) {
    if (test::sanitized) GTEST_SKIP() << "compares numbers";
    PulledMass body(setup_of("fig8_branch"));
    for (const double stiffness : {5.0, 6.5, 7.3, 8.0, 9.0, 10.0, 15.0, 20.0, 24.0, 25.3}) {
        body.raise(&PulledMass::stiffness, stiffness, 100, step);
        referee::watch(body, 100, step);
        EXPECT_EQ(referee::end_of(body, step), End::stick_slip) << stiffness;
    }
    const auto& claim = claim_of("fig8_branch", "/extinctions/0");
    body.raise(&PulledMass::stiffness, claim.low, 100, step);
    referee::watch(body, 600, step);
    EXPECT_EQ(referee::end_of(body, step), End::stick_slip);
    body.raise(&PulledMass::stiffness, claim.high, 100, step);
    referee::watch(body, 600, step);
    EXPECT_EQ(referee::end_of(body, step), End::steady);
}

// ---- fig 7: basins -----------------------------------------------------------------------------------------------------

TEST(StudyReferee, StartsEndAtTheAttractorOfTheBasin) {
    if (test::sanitized) GTEST_SKIP() << "compares numbers";
    const bristle::Setup setup = setup_of("fig7_basin");
    const auto [across, up] = basin_axes(setup, limit_cycle(setup), study_named("fig7_basin").request.starts);
    ASSERT_EQ(across.state + up.state, "elongationv");
    const Basin basin = bristle::basin(setup, across, up);
    const auto place = [](const BasinAxis& axis, int i) {
        return axis.from + (axis.to - axis.from) * i / (axis.count - 1);
    };
    const auto outcome = [&](int i, int j) { return basin.outcomes[std::size_t(j * across.count + i)]; };
    test::Random random(2008);
    int steady = 0, compared = 0;
    while (compared < 120) {
        // without the rim of the grid and the boundary of the basins, where the error of a step decides
        const int i = 1 + random.below(across.count - 2), j = 1 + random.below(up.count - 2);
        const auto expected = outcome(i, j);
        if (outcome(i - 1, j) != expected || outcome(i + 1, j) != expected || outcome(i, j - 1) != expected ||
            outcome(i, j + 1) != expected)
            continue;
        PulledMass body(setup);
        body.y.l = place(across, i);
        body.y.v = place(up, j);
        referee::watch(body, 30, 0.25e-3);  // some stick once or twice and then settle
        End end = End::neither;
        for (int window = 0; end == End::neither && window < 20; ++window) end = referee::end_of(body, 0.25e-3, 6);
        ASSERT_NE(end, End::neither) << place(across, i) << " m, " << place(up, j) << " m/s";
        EXPECT_EQ(end == End::steady, expected == BasinOutcome::steady)
            << place(across, i) << " m, " << place(up, j) << " m/s";
        steady += end == End::steady;
        ++compared;
    }
    EXPECT_GT(steady, 20);  // about a third
    EXPECT_LT(steady, 60);
}

// ---- properties of a law -----------------------------------------------------------------------------------------------

// The displacement of `rate_independent`: A (sin u + 0.4 sin(2.7 u + 1)), 0 < u <= 4 pi, in 2000 pieces of constant speed,
// at most the given speed. Returns the force [N] at the end of each piece. The pieces matter: the force changes most at
// the start, where z is small, and a smooth speed would give a difference smaller by half a percent.
std::vector<double> forces_on_the_way(const referee::Law& law, double peak_speed) {
    constexpr int pieces = 2000, steps = 4;
    const double A = 1.5 * law.curve[0].Fs / law.sigma0, du = 4 * std::acos(-1.0) / pieces;
    const double dt = A * (1 + 0.4 * 2.7) / peak_speed * du, h = dt / steps;
    const auto displacement = [&](int i) { return A * (std::sin(du * i) + 0.4 * std::sin(2.7 * du * i + 1)); };
    std::vector<double> out;
    double z = 0;
    for (int i = 0; i < pieces; ++i) {
        const double v = (displacement(i + 1) - displacement(i)) / dt;
        const auto rate = [&](double at) { return v - law.sigma0 * std::abs(v) * at / law.level(v); };
        for (int j = 0; j < steps; ++j) {
            const double a = rate(z), b = rate(z + h / 2 * a), c = rate(z + h / 2 * b), d = rate(z + h * c);
            z += h / 6 * (a + 2 * b + 2 * c + d);
        }
        out.push_back(law.sigma0 * z + law.sigma1 * rate(z) + law.viscous(v));
    }
    return out;
}

TEST(StudyReferee, RateDependenceOfLuGreLiesInTheClaimedInterval) {
    const referee::Law law = referee::law_of(setup_of("p5_lugre").law);
    // from a tenth of the slowest speed (g begins to fall at 0.1 vs) to ten times the fastest (sigma2 v reaches Fs)
    const double Fs = law.curve[0].Fs, low = 0.01 * law.curve[0].vs, high = 10 * Fs / law.sigma2[0];
    const auto middle = forces_on_the_way(law, std::sqrt(low * high));
    double most = 0;
    for (const double speed : {low, high}) {
        const auto forces = forces_on_the_way(law, speed);
        for (std::size_t i = 0; i < forces.size(); ++i) most = std::max(most, std::abs(forces[i] - middle[i]) / Fs);
    }
    std::printf("rate dependence: %.6f Fs\n", most);
    const auto& claim = claim_of("p5_lugre", "/properties/0/measured");
    EXPECT_LE(claim.low, most);
    EXPECT_GE(claim.high, most);
}

// Oracle: with Fs = Fc = 1 N and without damping a stroke of s deflections moves the force towards +1 or -1 N by exp(-s).
TEST(StudyReferee, InnerLoopOfLuGreChangesTheOuterLoopAsClaimed) {
    const referee::Law law = referee::law_of(setup_of("p6_lugre").law);
    ASSERT_EQ(law.curve[0].Fs, law.curve[0].Fc);
    ASSERT_EQ(law.sigma1 + law.sigma2[0], 0);
    const auto out = [](double F, double s) { return 1 - (1 - F) * std::exp(-s); };
    const auto in = [](double F, double s) { return -1 + (1 + F) * std::exp(-s); };
    const double before = out(in(out(0, 2.5), 5), 2.8);  // on a branch of the outer loop
    double most = 0;                                     // later differences are smaller
    for (const double s : {0.5, 1.0, 2.0}) most = std::max(most, std::abs(out(in(before, s), s) - before));
    std::printf("left behind: %.9f Fs\n", most);
    const auto& claim = claim_of("p6_lugre", "/properties/2/measured");
    EXPECT_LE(claim.low, most);
    EXPECT_GE(claim.high, most);
}

}  // namespace
