// gallery/errata.toml, line by line: TEST(Errata, X) shows by computation that the derived form is right and the
// printed one wrong. Masses and normal loads differ from 1, which would hide most errors. If two printed statements contradict
// each other, the test computes one of them, and the line states that the rest is interpretation.
#include <gtest/gtest.h>

#include <cctype>
#include <complex>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "errata_models.hpp"

namespace bristle::test {
namespace {

using std::numbers::e, std::numbers::pi, std::numbers::sqrt2;
// ---- E4, A08 -------------------------------------------------------------------------------------------------------

// An undamped oscillation far below Fs: half a period reverses its sign. As printed, a heavier mass oscillates faster.
TEST(Errata, StickFrequency) {
    const LuGre law{.sigma0 = 1e5, .curve = c95_curve};
    for (const double m : {4.0, 16.0}) {
        const double derived = std::sqrt(1e5 / m), printed = std::sqrt(m / 1e5);
        State<2> y{0, 1e-10};  // v, z
        const auto rates = [&](const State<2>& s) {
            return State<2>{-force(law, s[1], s[0]) / m, rate(law, s[1], s[0])};
        };
        for (int i = 0; i < 10000; ++i) advance(y, pi / derived / 10000, rates);
        EXPECT_NEAR(y[1], -1e-10, 1e-14) << m;
        EXPECT_GT(derived / printed, 1e3) << m;
    }
}

// The quotient on either side of v = 0: A08 (13) is the one for v > 0; the half wave with v < 0 is stiffer.
TEST(Errata, StickSide) {
    const double r = 0.5, z = r * 5.88 / 1.47e6, dv = 1e-12;
    EXPECT_NEAR(rate(a08_stiff, z, dv) / dv, 1 - r, 1e-6);
    EXPECT_NEAR(rate(a08_stiff, z, -dv) / -dv, 1 + r, 1e-6);
}

// Viscous friction damps, so the trace of A08 (20) must be negative; with the printed sign it is positive.
TEST(Errata, SlipMatrix) {
    const PulledMass rig{soft(0.7), 3, 2, 2};
    const auto a = slip_matrix(rig);
    EXPECT_NEAR(a[1][0], rig.k / rig.m, 1e-9);
    EXPECT_NEAR(a[1][1], -rig.force_slope() / rig.m, 1e-6);
    EXPECT_TRUE(a[0][0] + a[1][1] < 0 && rig.force_slope() > 0);
}

// Oracle: the characteristic polynomial of the linearised equations for m = 3 kg. Tolerance: 1e-5, for slopes by
// differences.
TEST(Errata, CoefficientA2) {
    for (const double vp : {0.02, 0.3, 0.6}) {
        const PulledMass rig{soft(0.2), 3, 2, vp};
        const Cubic p = rig.polynomial();
        EXPECT_NEAR(p.a2, (rig.h() * rig.force_slope() + rig.k) / rig.m, 1e-5 * std::fabs(p.a2)) << vp;
        EXPECT_GT(std::fabs(p.a2 - (rig.h() * rig.force_slope() + rig.k / rig.m)), 0.5 * std::fabs(p.a2)) << vp;
    }
}

TEST(Errata, HopfMargin) {
    const PulledMass rig{soft(0.2), 3, 2, 0.3};
    const double m = rig.m, h = rig.h(), f = rig.force_slope(), b = rig.bracket(), margin = rig.polynomial().margin();
    const double size = std::fabs(margin), last = rig.k * b / (m * m);
    EXPECT_NEAR(margin, h * h * f / m + h * b * f / (m * m) + last, 1e-5 * size);
    EXPECT_GT(std::fabs(margin - (h * h * f + h * b * f / m + last)), 0.5 * size);
    // the approximation: accurate to some percent here; as printed wrong by the factor m
    EXPECT_NEAR(margin, h * h * f / m, 0.05 * size);
    EXPECT_GT(std::fabs(margin - h * h * f), 0.5 * size);
}

// The four conditions agree with the roots; a1 a2 > a3 alone does not. The margin rises towards stability.
TEST(Errata, RouthHurwitz) {
    const Cubic p = PulledMass{soft(0, 0.001), 1, 2, 0.002}.polynomial();
    EXPECT_GT(p.margin(), 0);
    EXPECT_TRUE(p.a1 < 0 && p.a2 < 0 && p.fastest_growth() > 1);
    for (const double vs : {0.001, 0.1})
        for (double vp = 1e-6; vp < 1; vp *= 1.3) {
            const Cubic q = PulledMass{soft(0.2, vs), 1, 2, vp}.polynomial();
            EXPECT_EQ(q.a1 > 0 && q.a2 > 0 && q.a3 > 0 && q.margin() > 0, q.fastest_growth() < 0) << vs << " " << vp;
        }
    EXPECT_LT((PulledMass{soft(0.2), 1, 2, 0.45}.polynomial().margin()), 0);
    EXPECT_GT((PulledMass{soft(0.2), 1, 2, 0.55}.polynomial().margin()), 0);
}

// Condition i) of A08 property 4, and the power that the property guarantees to be at least sigma2 v^2.
TEST(Errata, MicrodampingBound) {
    const double derived = 4 * std::sqrt(2 * e) / c95.sigma1, printed = 4 * sqrt2 * e / c95.sigma1;  // Fc = 1
    for (const double vc : {0.999 * derived, 0.999 * printed}) {
        const MicrodampedLuGre law{1e5, c95.sigma1, 0.4, c95_curve, {.vc = vc}};
        double largest = 0, least_power = 1;
        for (double v = 1e-5; v < 1; v *= 1.001) {
            largest = std::max(largest, v * law.damping(v) / level(c95_curve, v));
            for (const double z : {0.2e-5, 1e-5, 1.5e-5})  // up to Fs/sigma0
                least_power = std::min(least_power, force(law, z, v) * v - 1e5 * z * rate(law, z, v) - 0.4 * v * v);
        }
        EXPECT_EQ(largest < 4, vc < derived) << vc;
        EXPECT_EQ(least_power >= 0, vc < derived) << vc;
    }
}

// The smallest (F v - dW/dt)/v^2 over the bounded set. In millinewtons it must be a thousand times larger.
TEST(Errata, PassivityExcess) {
    for (const double unit : {1.0, 1000.0}) {
        const double Fc = 2.94 * unit, Fs = 5.88 * unit, s0 = 2940 * unit, s1 = 108 * unit, s2 = 300 * unit;
        const LuGre law{.sigma0 = s0, .sigma1 = s1, .sigma2 = s2, .curve = {Fc, Fs, 0.1}};
        double least = 1e9;
        for (double v = 1e-4; v < 1e5; v *= 1.1)
            for (double z = -Fs / s0; z < 1.001 * Fs / s0; z += 0.01 * Fs / s0)
                least = std::min(least, (force(law, z, v) * v - s0 * z * rate(law, z, v)) / (v * v));
        EXPECT_NEAR(least, s2 - s1 * (Fs - Fc) / Fc, 1e-3 * s2);
        EXPECT_LT(s2 - s1 * (Fs - Fc / Fc), 0) << "would reject a law that is strictly passive";
    }
}

// k = 2, m = 1: the damping at which the two roots of the slip mode are equal.
TEST(Errata, CriticalDamping) {
    const auto discriminant = [](double sigma2) {
        const auto a = slip_matrix({soft(sigma2), 1, 2, 2});
        return a[1][1] * a[1][1] + 4 * a[0][1] * a[1][0];
    };
    EXPECT_NEAR(2 * sqrt2, 2.828, 5e-4);
    EXPECT_NEAR(discriminant(2 * sqrt2), 0, 1e-6);
    EXPECT_LT(discriminant(2.824), -0.02) << "still oscillates";
}

// Both printed times let the mass come to rest, so that the three displacements do not depend on them.
TEST(Errata, Fig2Times) {
    const std::pair<double, double> phases[] = {{2.94, 3.409e-6}, {0, 1.853e-6}, {2.94, 5.262e-6}};  // push, x at rest
    for (const double pause : {0.02, 0.1}) {
        State<3> y{};  // x, v, z
        for (const auto& [push, rest] : phases) {
            const auto rates = [F = push](const State<3>& s) {
                return State<3>{s[1], F - force(a08_stiff, s[2], s[1]), rate(a08_stiff, s[2], s[1])};
            };
            for (double t = 0; t < pause; t += 2e-6) advance(y, 2e-6, rates);
            EXPECT_NEAR(y[0], rest, 1e-9) << pause;
        }
    }
}

// The caption of (a) describes a motion that occurs at k = 0.5 and at k = 2; (b) is k = 2, and (a) is another figure.
TEST(Errata, Fig8Stiffness) {
    const auto sticks_at_last = [](const PulledMass& rig, State<3> y) {
        double slowest = 1e9;
        for (int i = 0; i < 300000; ++i) {  // 60 s
            advance(y, 2e-4, rig);
            if (i > 225000) slowest = std::min(slowest, std::fabs(y[1]));
        }
        return slowest < rig.law.curve.vs;
    };
    for (const double k : {0.5, 2.0, 8.0}) {
        const PulledMass rig{soft(0.19), 1, k, 2};
        const auto [l, v, z] = rig.equilibrium();
        EXPECT_NEAR(l, 3.32 / k, 1e-6) << "four times as far at 0.5 as at 2";
        EXPECT_FALSE(sticks_at_last(rig, {l, 0.9 * v, z})) << k;
        EXPECT_EQ(sticks_at_last(rig, {}), k < 8) << k;
    }
}

// Dahl, twice as fast: the same displacements need b v(b t). With v(b t) the path is shorter, and the force smaller.
TEST(Errata, RateIndependence) {
    const Dahl law{.sigma0 = 1e5, .Fc = 1};
    const auto force_after = [&](double duration, double factor, double b) {  // of v = factor 1e-4 cos(b t)
        const auto rates = [&](wide t, wide z) {
            return wide(rate(law, double(z), factor * 1e-4 * std::cos(b * double(t))));
        };
        return double(1e5 * runge_kutta(rates, 0, 0, duration, 20000));
    };
    EXPECT_NEAR(force_after(0.15, 2, 2), force_after(0.3, 1, 1), 1e-9);
    EXPECT_LT(force_after(0.15, 1, 2), force_after(0.3, 1, 1) - 0.1);
}

// ---- E6, K08 and B05 -----------------------------------------------------------------------------------------------

TEST(Errata, BristleStiffness) {
    for (const Block& b : blocks()) {
        const double leak = b.v - b.rate_of_z();  // the term that K08 (14) writes as coefficient times g0 z
        EXPECT_NEAR(b.k0() * b.g0() * b.z, leak, close * (1 + std::fabs(leak)));
        EXPECT_NEAR(b.law.sigma0 * b.g0() * b.z, leak / b.load, close) << "the normal force is missing";
    }
}

// The quantity defined in K08 (14) is the conductance, equal for every z; the friction force is not.
TEST(Errata, ListAfter15) {
    for (Block b : blocks()) {
        const double friction = b.friction(), g0 = b.g0();
        for (const double part : {1.0, 0.5}) {
            b.z *= part;
            EXPECT_NEAR((b.v - b.rate_of_z()) / (b.k0() * b.z), g0, 1e-9 * (1 + g0));
        }
        EXPECT_NE(b.friction(), friction);
    }
}

// Only in the order (p, z) do K08 (33), K08 (34) give the mass and the law from which they were derived, and u y the
// supplied power.
TEST(Errata, StateOrder) {
    double farthest = 0;
    for (const Block& b : blocks()) {
        const double u = 5, spring = b.k0() * b.z;
        const State<2> plain{u - b.friction(), b.rate_of_z()};
        const auto right = b.flow({b.v, spring}, u), wrong = b.flow({spring, b.v}, u);
        for (const auto j : {0u, 1u}) EXPECT_NEAR(right[j], plain[j], close * (10 + std::fabs(plain[j])));
        // as printed, the first row would be that of z
        farthest = std::max(farthest, std::fabs(wrong[0] - plain[1]));
        // dH/dt = u v - heat, with the heat of K08 (18): y = G' dH is v, and not k0 z
        const double heat = b.g0() * spring * spring + 2 * b.P() * spring * b.v + b.S() * b.v * b.v;
        EXPECT_NEAR(b.v * plain[0] + spring * plain[1], u * b.v - heat, 1e-10 * (1 + heat));
    }
    EXPECT_GT(farthest, 1);
}

TEST(Errata, ClosedLoop) {
    for (const Block& b : blocks()) {
        const State<2> dH{b.v, b.k0() * b.z}, plain{-b.friction(), b.rate_of_z()};
        const auto derived = b.flow(dH, 0), printed = b.flow(dH, 0, false);
        for (const auto j : {0u, 1u}) EXPECT_NEAR(derived[j], plain[j], close * (10 + std::fabs(plain[j])));
        // a skew matrix alone dissipates nothing
        EXPECT_NEAR(dH[0] * printed[0] + dH[1] * printed[1], 0, 1e-10);
        EXPECT_LT(dH[0] * plain[0] + dH[1] * plain[1], -1e-6);
    }
}

// A mass under a constant force: u y must be the rate of p^2/2m.
TEST(Errata, MassOutput) {
    const double m = 3, u = 5, p = 2, dp = 1e-6;
    const double power = ((p + dp) * (p + dp) - (p - dp) * (p - dp)) / (2 * m) / (2 * dp / u);
    EXPECT_NEAR(u * (p / m), power, 1e-8);
    EXPECT_GT(std::fabs(u * (p / m * p) - power), 1);
}

// K08 (6): the steady force is v/g0 + d2 v; for the conductance of K08 (42) it must be K08 (41).
TEST(Errata, MakkarConductance) {
    const double load = 9.81, g6 = 0.01;
    const MakkarCurve curve{.g1 = 0.25, .g2 = 100, .g3 = 10, .g4 = 0.1, .g5 = 100};
    const MakkarLuGre law{.sigma0 = 1e5, .sigma1 = 30, .sigma2 = g6, .curve = curve, .load_on = LoadOn::all};
    for (const double v : {-0.5, -0.01, 0.003, 0.02, 1.0}) {
        const double brackets = 0.25 * (std::tanh(100 * v) - std::tanh(10 * v)) + 0.1 * std::tanh(100 * v);
        const double wanted = (brackets + g6 * v) * load, derived = v / (load * brackets), printed = v / brackets;
        EXPECT_NEAR((1 / derived + g6 * load) * v, wanted, 1e-12);
        EXPECT_GT(std::fabs((1 / printed + g6 * load) * v - wanted), 0.05);
        Contact contact{law};  // a bristle in steady state at this speed has this force
        EXPECT_NEAR(contact.step(v, 10, load).force_end, wanted, 1e-9);
    }
}

// B05 (1), B05 (2), B05 (3) with table 1: the level at speed, and the stick-slip of fig 4, impossible with a rising
// level.
TEST(Errata, StribeckBracket) {
    const auto derived = [](double v) { return (1 + (1.5 - 1) * std::exp(-v * v / 1e-6)) / 1e5; };
    const auto printed = [](double v) { return (1 + (1.5 - 1 * std::exp(-v * v / 1e-6))) / 1e5; };
    EXPECT_NEAR(printed(0.1), (1 + 1.5) / 1e5, 1e-17) << "far above the Coulomb level";
    for (const double v : {0.0, 3e-4, 1e-3, 0.1}) EXPECT_NEAR(derived(v), level(c95_curve, v) / 1e5, 1e-19);
    const auto top_speed = [](const auto& g) {
        State<3> y{};  // l, v, z; k = 2, pulled at 0.1 m/s
        double top = 0;
        for (int i = 0; i < 600000; ++i) {  // 15 s: past the first slip in both cases
            advance(y, 2.5e-5, [&](const State<3>& s) {
                const double dz = s[1] - std::fabs(s[1]) / g(s[1]) * s[2];
                return State<3>{0.1 - s[1], 2 * s[0] - 1e5 * s[2] - std::sqrt(1e5) * dz - 0.4 * s[1], dz};
            });
            top = std::max(top, y[1]);
        }
        return top;
    };
    EXPECT_NEAR(top_speed(derived), 0.3698, 1e-3);
    EXPECT_LT(top_speed(printed), 0.2);
}

// ---- E8, N13 -------------------------------------------------------------------------------------------------------

// Oracle: the loop of the law at a speed so low that g = g(0), with f(0) = 0.7, against N13 (11) with both brackets.
TEST(Errata, LoopOffset) {
    const double width = 6e-6, speed = 1e-9, decay = 1.47e6 / 5.88;
    const auto force_after = [&](double distance) {
        Contact contact{a08_stiff};
        for (int i = 0; i < 60; ++i) contact.step(i % 2 ? -speed : speed, width / speed);
        return contact.step(speed, distance / speed).force_end + 0.7;
    };
    const double start = force_after(1e-15);
    for (const double distance : {1e-12, 1e-6, 3e-6, 6e-6}) {
        const double integral = std::expm1(decay * distance) / decay, F = force_after(distance);
        const auto formula = [&](double h) { return 1.47e6 * std::exp(-decay * distance) * (h + integral) + 0.7; };
        EXPECT_NEAR(formula((start - 0.7) / 1.47e6), F, 1e-4) << distance;
        EXPECT_NEAR(formula(start / 1.47e6), F + 0.7 * std::exp(-decay * distance), 1e-4) << distance;
    }
}

// N13 (7) and N13 (14) at constant speed: |x - h| against M D1 |chi|/(2 sigma0), for an M below g as in N13 (20), and
// for
// one above.
TEST(Errata, BoundOfG) {
    for (const double Fc : {1.0, 3.0})  // g falls from 1.5, or rises: N13 allows both
        for (const double speed : {2e-3, 1e-3, 5e-4}) {
            const LuGre law{.sigma0 = 1e5, .curve = {.Fc = Fc, .Fs = 1.5, .vs = 1e-3, .allow_rising = Fc > 1.5}};
            const double g = level(law.curve, speed), g0 = 1.5, chi = std::fabs(1 / g - 1 / g0);
            State<2> y{}, most{};  // x, h and their largest magnitudes
            for (int i = 0; i < 6000; ++i) {
                const double to = (i / 2000) % 2 ? -1 : 1;
                advance(y, 2e-7, [&](const State<2>& s) {
                    return State<2>{rate(law, s[0], to * speed) / speed, to - 1e5 / g0 * s[1]};
                });
                most = {std::max(most[0], std::fabs(y[0] - y[1])), std::max(most[1], std::fabs(y[1]))};
            }
            const double bound_per_M = most[1] * chi;  // D1 = 2 sigma0 max |h|
            EXPECT_GT(most[0], 0.99 * std::min(g, g0) * bound_per_M);
            EXPECT_LE(most[0], std::max(g, g0) * bound_per_M);
        }
}

// ---- the table -----------------------------------------------------------------------------------------------------

// Returns the text between begin and end of every line that starts and ends with them; without empty lines and
// comments.
std::vector<std::string> found(const char* path, const std::string& begin, const std::string& end) {
    std::ifstream file(std::filesystem::path(__FILE__).parent_path() / path);
    std::vector<std::string> all;
    for (std::string line; std::getline(file, line);)
        if (!line.empty() && line[0] != '#' && line.starts_with(begin) && line.ends_with(end))
            all.push_back(line.substr(begin.size(), line.size() - begin.size() - end.size()));
    return all;
}

TEST(ErrataTable, EveryLineHasItsTestAndEveryTestItsLine) {
    const char* table = "../../gallery/errata.toml";
    const auto column = [&](const std::string& key) { return found(table, key + " = \"", "\""); };
    const std::size_t rows = found(table, "[[formula]]", "").size();
    for (const char* key : {"id", "name", "test", "paper", "where", "printed", "derived", "text"})
        EXPECT_EQ(column(key).size(), rows) << key;
    EXPECT_EQ(found(table, "", "").size(), 9 * rows) << "no other lines";
    std::vector<std::string> named;  // stick_frequency: Errata.StickFrequency
    for (const auto& name : column("name")) {
        named.push_back("Errata.");
        for (std::size_t i = 0; i < name.size(); ++i)
            if (name[i] != '_') named.back() += char(i == 0 || name[i - 1] == '_' ? std::toupper(name[i]) : name[i]);
    }
    EXPECT_TRUE(!named.empty() && column("test") == named);
    auto written = found("errata_test.cpp", "TEST(Errata, ", ") {");
    for (auto& test : written) test = "Errata." + test;
    std::sort(named.begin(), named.end());
    std::sort(written.begin(), written.end());
    EXPECT_EQ(named, written);
}

}  // namespace
}  // namespace bristle::test
