// Passivity criterion: compared with P3, with closed forms, and with a grid evaluation of the law that shares no formula with it.
#include "analyse/passivity/closed_form.hpp"
#include "analyse/passivity/speed_limits.hpp"

#include "passivity_support.hpp"
#include <gtest/gtest.h>
#include <ctime>
#include <numbers>

namespace bristle::inline analysis {
namespace {

using namespace passivity;
using counterexample::Witness;
using test::Random;
using test::set_viscous;

double seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

// The largest x in [low, high] for which something holds that does not hold beyond.
double edge(double low, double high, const std::function<bool(double)>& holds) {
    while (high - low > 1e-5 * high) {
        const double middle = (low + high) / 2;
        (holds(middle) ? low : high) = middle;
    }
    return low;
}

Side c95_side() { return sides_of(test::any(test::c95), {}).front(); }

}  // namespace

// Oracle: A08 (7), K08 (21).
TEST(ClosedForm, EqualsP3ForRandomLuGreLaws) {
    Random random(11);
    const long n = test::draws(10000);
    long passive = 0;
    double spent = 0;
    for (long i = 0; i < n; ++i) {
        const AnyLuGre law = test::random_lugre(random, random.uniform(0, 2));
        const Stribeck& g = law.curve.stribeck.positive;
        const bool expected = law.sigma2 * g.Fc >= law.sigma1 * (g.Fs - g.Fc);
        const double start = seconds();
        const auto found = closed_form(law, {});
        spent += seconds() - start;
        ASSERT_TRUE(found);
        ASSERT_EQ(found->verdict, expected ? Verdict::proved : Verdict::refuted);
        ASSERT_NEAR(found->margin, law.sigma2 - law.sigma1 * (g.Fs / g.Fc - 1), 1e-12 * law.sigma1 * g.Fs / g.Fc);
        passive += expected;
    }
    EXPECT_GT(passive, n / 4);
    EXPECT_LT(passive, 3 * n / 4);
    EXPECT_LT(spent / double(n), 1e-3);
}

// The criterion without the formula.
TEST(Criterion, EqualsP3ForRandomLuGreLaws) {
    Random random(12);
    for (long i = 0; i < test::draws(1000); ++i) {
        const double fraction = i % 4 ? random.uniform(0, 2) : 1 + random.sign() * random.log_uniform(1.1e-3, 0.1);
        const AnyLuGre law = test::random_lugre(random, fraction);
        const Decision found = decide(sides_of(law, {}).front(), infinity);
        ASSERT_EQ(found.verdict, fraction > 1 ? Verdict::proved : Verdict::refuted)
            << "sigma2 at " << fraction << " of the limit";
    }
}

// Oracle, with storage function sigma0 z^2/2: the speed at which sigma1 v = (s^2 + sigma2 v g)/(s - g) for s = Fs, g = Fc
// (v is far above vs): v = Fs^2/(sigma1 (Fs - Fc) - sigma2 Fc) = 14.3 mm/s.
TEST(Criterion, C95IsPassiveUpTo14MillimetresPerSecond) {
    const std::vector<Side> sides{c95_side()};
    const double plain = plain_speed(sides).proved;
    EXPECT_NEAR(plain, 14.3e-3, 0.05e-3);
    EXPECT_NEAR(plain, 2.25 / (test::c95.sigma1 * 0.5 - 0.4), 2e-5 * plain);
    // with any storage function: the smallest v with sigma1 v - (s^2 + sigma2 v Fc)/(s - Fc) = s^2/(Fs - s) for some s
    double least = 1;
    for (double s = 1.01; s < 1.49; s += 1e-5)
        least = std::min(least, s * s * (1 / (1.5 - s) + 1 / (s - 1)) / (test::c95.sigma1 - 0.4 / (s - 1)));
    const SpeedLimit any = exact_speed(sides, plain);
    EXPECT_LE(any.proved, least);
    EXPECT_GE(any.refuted, least * (1 - 1e-9));
    EXPECT_NEAR(any.proved, least, 2e-4 * least);
    EXPECT_NEAR(any.refuted, least, 2e-4 * least);
}

// Elasto-plastic C95 with any storage function: the smallest v for which, at some s, A with s > g = Fc reaches the A of v = 0+ (g = Fs),
// s (1 - rho)/rho with rho = 1 - alpha s/Fs and alpha as Dupont et al. write it.
TEST(Criterion, SpeedLimitOfElastoPlasticC95EqualsTheClosedForm) {
    auto law = test::elastoplastic_c95();
    for (const double kappa : {0.3, 0.5, 0.7, 0.9}) {
        law.kappa = kappa;
        double least = 1;
        for (double s = 1.01; s < 1.4999; s += 1e-5) {
            const double p = s / 1.5, middle = (1 + kappa) / 2;
            const double alpha = p <= kappa ? 0 : (1 + std::sin(std::numbers::pi * (p - middle) / (1 - kappa))) / 2;
            const double rho = 1 - alpha * p, rising = s * (1 - rho) / rho;
            least = std::min(least, (rising + s * s / (s - 1)) / (law.sigma1 - law.sigma2 / (s - 1)));
        }
        const SpeedLimit found = exact_speed(sides_of(law, {}), 0.01);
        EXPECT_NEAR(found.proved, least, 3e-4 * least) << kappa;
        EXPECT_NEAR(found.refuted, least, 3e-4 * least) << kappa;
        // with a constant breakaway, kappa min g/sigma0, the fraction at rest is kappa Fc/Fs
        law.breakaway = Breakaway::constant;
        const double constant = exact_speed(sides_of(law, {}), 0.01).proved;
        law.breakaway = Breakaway::fraction;
        law.kappa = kappa / 1.5;
        EXPECT_NEAR(constant, exact_speed(sides_of(law, {}), 0.01).proved, 3e-4 * constant) << kappa;
    }
}

// Microdamped C95 written out as in A08 (1), A08 (2) and property 4, on a grid of speeds (500 per decade, both signs) and deflections:
// a second method for the limits of vc, without interval, side or formula of src/analyse/passivity.
class MicrodampedGrid {
  public:
    explicit MicrodampedGrid(double vc) {
        constexpr double sigma1 = 316.22776601683796;  // sqrt(1e5)
        for (int i = -4500; i <= 0; ++i)
            for (const double side : {1.0, -1.0}) {
                const double v = side * std::pow(10, i / 500.), g = 1 + 0.5 * std::exp(-std::pow(v / 1e-3, 2));
                points_.push_back({v, g, sigma1 * std::exp(-std::pow(v / vc, 2))});
            }
    }
    // F v >= d/dt of sigma0 z^2/2 everywhere.
    bool dissipates() const {
        return everywhere([&](double s) {
            for (const Point& p : points_)
                if (p.force(s) * p.v < s * p.rate(s)) return false;
            return true;
        });
    }
    // A storage function exists: F v/(dz/dt) is nowhere larger where z falls than where it rises.
    bool passive() const {
        return everywhere([&](double s) {
            double falling = -infinity, rising = infinity;
            for (const Point& p : points_) {
                const double quotient = p.force(s) * p.v / p.rate(s);
                if (p.rate(s) < 0) falling = std::max(falling, quotient);
                if (p.rate(s) > 0) rising = std::min(rising, quotient);
            }
            return falling <= rising;
        });
    }

  private:
    struct Point {
        double v, g, sigma1;
        double rate(double s) const { return v - std::abs(v) * s / g; }  // s = sigma0 z [N]
        double force(double s) const { return s + sigma1 * rate(s) + 0.4 * v; }
    };
    static bool everywhere(const auto& holds) {  // for 0 < s <= Fs; the law is odd
        for (int i = 1; i <= 1000; ++i)
            if (!holds(1.5 * i / 1000)) return false;
        return true;
    }
    std::vector<Point> points_;
};

// Oracles: vc < 4 sqrt(2 e) Fc/sigma1 = 0.0295 m/s (sufficient, A08 property 4); MicrodampedGrid for 0.0333 m/s (storage function
// sigma0 z^2/2) and 0.0894 m/s (any storage function).
// Tolerance: 1e-5 of each bisection, and of the grid, which is half a step off a smooth minimum; 5e-5 m/s for the printed digits.
TEST(Criterion, MicrodampedC95IsPassiveForVcBelow0_0894) {
    auto law = test::microdamped_c95();
    const auto side = [&](double vc) {
        law.fade.vc = vc;
        return sides_of(law, {}).front();
    };
    const double p4 = edge(0.001, 1, [&](double vc) {
        law.fade.vc = vc;
        const auto closed = closed_form(law, {});
        return closed && closed->verdict == Verdict::proved;
    });
    EXPECT_NEAR(p4, 0.0295, 0.00005);
    EXPECT_NEAR(p4, 4 * std::sqrt(2 * std::numbers::e) / test::c95.sigma1, 2e-5 * p4);
    const double plain = edge(0.02, 0.05, [](double vc) { return MicrodampedGrid(vc).dissipates(); }),
                 exact = edge(0.05, 0.15, [](double vc) { return MicrodampedGrid(vc).passive(); });
    EXPECT_NEAR(plain, 0.0333, 0.00005);
    EXPECT_NEAR(exact, 0.0894, 0.00005);
    EXPECT_NEAR(edge(0.001, 1, [&](double vc) { return decide_plain(side(vc), infinity).verdict == Verdict::proved; }),
                plain, 5e-5 * plain);
    EXPECT_NEAR(edge(0.001, 1, [&](double vc) { return decide(side(vc), infinity).verdict == Verdict::proved; }), exact,
                5e-5 * exact);
    EXPECT_NEAR(edge(0.001, 1, [&](double vc) { return decide(side(vc), infinity).verdict != Verdict::refuted; }),
                exact, 5e-5 * exact);
}

// Oracle: the grid (corridor) does not contradict a proof; the law itself confirms the point of a refutation.
TEST(Criterion, VerdictsAgreeWithTheLaws) {
    Random random(13);
    for (int kind = 0; kind < test::bristle_kinds; ++kind) {
        int proved = 0, refuted = 0, undecided = 0, seen = 0;
        for (long i = 0; i < test::draws(40); ++i) {
            const AnyLaw law = test::draw_bristle_law(random, kind);
            const double vmax = random.log_uniform(1e-3, 10);
            const std::vector<Side> sides = sides_of(law, {});
            const Joint found = decide_all(sides, vmax);
            if (found.verdict == Verdict::proved) {
                ++proved;
                const auto grid = test::corridor(law, vmax, {1.0}, 40, 150);
                EXPECT_GT(grid.narrowest, -1e-9) << "kind " << kind << ", z " << grid.z << ", vmax " << vmax;
            } else if (found.verdict == Verdict::refuted) {
                ++refuted;
                const WrongOrder& at = *found.where;
                const Witness w = witness_of(*found.side, at, test::sigma0_of(law), 1);
                const auto down = test::quotient(law, w.z, w.v_minus, w.load),
                           up = test::quotient(law, w.z, w.v_plus, w.load);
                EXPECT_LT(down.rate, 0);
                EXPECT_GT(up.rate, 0);
                EXPECT_NEAR(down.value - up.value, at.excess, 1e-6 * (std::abs(down.value) + std::abs(up.value)))
                    << "kind " << kind;
                EXPECT_GT(at.excess, 0);
                seen += test::corridor(law, vmax, {1.0}, 40, 150).narrowest < 0;
                EXPECT_LE(std::max(at.v_minus, at.v_plus), vmax);
            } else {
                ++undecided;
            }
        }
        std::printf("kind %d: %d proved, %d refuted, %d undecided\n", kind, proved, refuted, undecided);
        EXPECT_TRUE(test::sanitized || proved > 0) << "kind " << kind;
        EXPECT_GE(seen, refuted / 2) << "the grid should detect most refutations";
        EXPECT_LE(undecided, test::draws(40) / 20) << "kind " << kind;
        // a level that rises with the speed: A < sigma1 v where z falls, at lower speeds, A > sigma1 v where it rises
        const bool rising = kind == test::bristle_kinds - 1;
        // few draws may miss it
        EXPECT_TRUE(rising ? refuted == 0 : test::sanitized || refuted > 0) << "kind " << kind;
    }
}

// The same with a load between 1 and N, on the curve or on the whole force; each leg of a refutation has the worse load.
TEST(Criterion, VerdictsAgreeWithTheLawsUnderVaryingLoads) {
    Random random(17);
    for (int kind = 0; kind < test::bristle_kinds; ++kind) {
        int proved = 0, refuted = 0;
        for (long i = 0; i < test::draws(30); ++i) {
            AnyLaw law = test::draw_bristle_law(random, kind);
            const bool on_all = random.below(3) == 0;
            if (on_all) std::visit([](auto& l) { l.load_on = LoadOn::all; }, law);
            const double vmax = random.log_uniform(1e-3, 10), most = 1 + random.log_uniform(0.01, 3);
            const std::vector<Side> sides = sides_of(law, {.vmax = {}, .load_min = 1, .load_max = most});
            if (on_all && !sides.front().leaks()) continue;  // by formula
            const Joint found = decide_all(sides, vmax);
            if (found.verdict == Verdict::proved) {
                ++proved;
                const auto grid = test::corridor(law, vmax, {1, most}, 30, 100);
                EXPECT_GT(grid.narrowest, -1e-9) << "kind " << kind << ", z " << grid.z << ", vmax " << vmax;
            } else if (found.verdict == Verdict::refuted) {
                ++refuted;
                const Witness w = witness_of(*found.side, *found.where, test::sigma0_of(law), 1);
                // deflecting further means dz/dt > 0 for z > 0 and dz/dt < 0 for z < 0
                const bool forward = w.z > 0;
                const double bending = on_all ? 1 : most, returning = on_all ? most : 1;
                const auto down = test::quotient(law, w.z, w.v_minus, forward ? returning : bending),
                           up = test::quotient(law, w.z, w.v_plus, forward ? bending : returning);
                EXPECT_LT(down.rate, 0);
                EXPECT_GT(up.rate, 0);
                EXPECT_GT(down.value - up.value, 0) << "kind " << kind;
            }
        }
        std::printf("kind %d: %d proved, %d refuted\n", kind, proved, refuted);
        EXPECT_GT(proved + refuted, 0) << "kind " << kind;
        EXPECT_TRUE(test::sanitized || refuted > 0) << "kind " << kind;  // few draws may miss it
    }
}

// A gain so large that the slope of a bound is lost in rounding.
TEST(Criterion, NaNBoundsProveNothing) {
    auto law = test::smooth_c95();
    law.load_on = LoadOn::all;
    set_viscous(law, 200);
    std::vector<Side> sides = sides_of(law, {.vmax = {}, .load_min = 1, .load_max = 2});
    for (const double gain : {1e3, 1e12, 1e17, 1e20}) {
        sides.front().gain = gain;
        EXPECT_NE(decide_all(sides, 10).verdict, Verdict::proved) << gain;
        // 1 + (slope + 1)/gain - 1 rounds below 0 from 1e17 on, and its root is NaN
        const double bound = sides.front().highest_falling({0.1, 0.2}, {1e-7, 2e-7}, {1, 0.15});
        EXPECT_GE(bound, sides.front().falling_at(0.15, 1.5e-7)->hi) << gain;
    }
}

// The last point of the table is the largest: its level holds at every higher speed.
TEST(Criterion, TableWithTheHighestLevelAtHighSpeedAgreesWithTheGrid) {
    AnyLuGre table = test::any(test::c95);
    set_viscous(table, 0);
    table.curve.tabulated = true;
    table.curve.table.size = 3;
    const double g[] = {1, 0.9, 2};
    for (int i = 0; i < 3; ++i) {
        table.curve.table.v[i] = 0.01 * i;
        table.curve.table.g[i] = g[i];
    }
    const bool grid = test::corridor(table, 10).narrowest > 0;
    EXPECT_EQ(decide_all(sides_of(table, {}), infinity).verdict, grid ? Verdict::proved : Verdict::refuted);
}

// Passive at all speeds without viscous friction. Oracle: the grid.
TEST(ClosedForm, LevelThatNeverFallsIsPassive) {
    Random random(16);
    for (long i = 0; i < test::draws(20); ++i) {
        const AnyLaw law = test::draw_bristle_law(random, test::bristle_kinds - 1);
        const auto found = closed_form(law, {});
        ASSERT_TRUE(found);
        EXPECT_EQ(found->verdict, Verdict::proved);
        EXPECT_GT(test::corridor(law, 10, {1.0}, 40, 150).narrowest, -1e-9);
        // not with a load that varies: a drop of the load is a drop of the level
        EXPECT_FALSE(closed_form(law, {.vmax = {}, .load_min = 1, .load_max = 3}));
        EXPECT_LT(test::corridor(law, 1e4, {1, 3}, 40, 150).narrowest, 0);
    }
    AnyLuGre table = test::any(test::c95);
    set_viscous(table, 0);
    table.curve.tabulated = true;
    table.curve.table.size = 3;
    for (int i = 0; i < 3; ++i) {
        table.curve.table.v[i] = 0.01 * i;
        table.curve.table.g[i] = 1 + i * i;
    }
    EXPECT_EQ(closed_form(table, {})->verdict, Verdict::proved);
    EXPECT_GT(test::corridor(table, 10).narrowest, -1e-9);
    table.curve.table.g[2] = 1.5;  // a local maximum of the level
    EXPECT_FALSE(closed_form(table, {}));
    EXPECT_EQ(decide_all(sides_of(table, {}), infinity).verdict, Verdict::refuted);
}

// ---- loads -------------------------------------------------------------------------------------------------------------------

// LoadOn::curve: passive iff sigma2 >= sigma1 (N_max Fs/(N_min Fc) - 1), because a deflection reached at N_max remains after
// a drop of N; by formula and by the criterion.
TEST(Load, OnTheCurveMovesTheLimitOfP3) {
    Random random(14);
    for (long i = 0; i < test::draws(200); ++i) {
        AnyLuGre law = test::random_lugre(random, 0);
        const Stribeck& g = law.curve.stribeck.positive;
        const CertifyOptions options{.vmax = {}, .load_min = random.log_uniform(0.1, 10), .load_max = 0};
        CertifyOptions varying = options;
        varying.load_max = options.load_min * random.uniform(1, 4);
        const double limit = law.sigma1 * (varying.load_max * g.Fs / (varying.load_min * g.Fc) - 1);
        for (const double fraction : {0.5, 0.99, 1.01, 2.0}) {
            set_viscous(law, fraction * limit);
            const Verdict expected = fraction > 1 ? Verdict::proved : Verdict::refuted;
            ASSERT_EQ(closed_form(law, varying)->verdict, expected);
            ASSERT_EQ(decide_all(sides_of(law, varying), infinity).verdict, expected) << fraction;
        }
    }
}

// P4 under load: |v| sigma1(v) < 4 N_min mu(v).
TEST(Load, OnTheCurveMovesTheLimitOfP4) {
    auto law = test::microdamped_c95();
    const double bound = 4 * std::sqrt(2 * std::numbers::e) / law.sigma1;
    for (const double load : {0.5, 1.0, 3.0}) {
        law.fade.vc = 0.999 * load * bound;
        EXPECT_EQ(closed_form(law, {.vmax = {}, .load_min = load, .load_max = 4 * load})->verdict, Verdict::proved);
        law.fade.vc = 1.001 * load * bound;
        EXPECT_FALSE(closed_form(law, {.vmax = {}, .load_min = load, .load_max = 4 * load}));
    }
}

// Refuted for every load range and every sigma2, by formula and by the grid.
TEST(Load, OnTheForceIsNeverPassive) {
    AnyLuGre law = test::any(test::c95);
    law.load_on = LoadOn::all;
    set_viscous(law, 1000);
    const auto closed = closed_form(law, {.vmax = {}, .load_min = 1, .load_max = 1.2});
    ASSERT_TRUE(closed);
    EXPECT_EQ(closed->verdict, Verdict::refuted);
    EXPECT_LT(test::corridor(law, 1.0, {1.0, 1.2}).narrowest, 0);
    EXPECT_GT(test::corridor(law, 1.0, {1.2}).narrowest, 0);
}

// A level that vanishes with the speed: a bristle that relaxes at rest returns less energy than it took. For s -> 0, with G = 1/(c Fs), the
// two sides meet at N_max/N_min = ((sqrt(1 + b) + sqrt(a + b))/(sqrt(1 + b) - sqrt(a + b)))^2, a = sigma1 G, b = sigma2 G.
TEST(Load, OnTheForceIsPassiveUpToALoadRatioIfTheBristleRelaxesAtRest) {
    auto law = test::smooth_c95();
    law.load_on = LoadOn::all;
    set_viscous(law, 200);
    for (const double c : {2000.0, 1e4, 5e4}) {
        law.curve.c = c;
        const double G = 1 / (c * 1.5), a = law.sigma1 * G, b = 200 * G;
        const double limit = std::pow((std::sqrt(1 + b) + std::sqrt(a + b)) / (std::sqrt(1 + b) - std::sqrt(a + b)), 2);
        const auto verdict = [&](double ratio) {
            return decide_all(sides_of(law, {.vmax = {}, .load_min = 1, .load_max = ratio}), 10).verdict;
        };
        EXPECT_EQ(verdict(1 + 0.98 * (limit - 1)), Verdict::proved) << c;
        EXPECT_EQ(verdict(1 + 1.02 * (limit - 1)), Verdict::refuted) << c;
        EXPECT_GT(test::corridor(law, 10, {1, 1 + 0.98 * (limit - 1)}, 60, 600).narrowest, 0) << c;
        EXPECT_LT(test::corridor(law, 10, {1, 1 + 1.1 * (limit - 1)}, 60, 600).narrowest, 0) << c;
    }
}

// sigma2 within 1e-9 of the limit: undecided is accepted, a wrong verdict is not.
TEST(Criterion, VerdictIsNeverWrongAtTheLimit) {
    Random random(15);
    for (long i = 0; i < test::draws(50); ++i) {
        for (const double off : {-1e-9, 1e-9}) {
            const AnyLuGre law = test::random_lugre(random, 1 + off);
            const Verdict found = decide(sides_of(law, {}).front(), infinity, 20000).verdict;
            EXPECT_NE(found, off > 0 ? Verdict::refuted : Verdict::proved);
        }
    }
}

// P3: sigma1 (Fs - Fc)/Fc = 158.1 N s/m; tolerance 2e-4, that of viscous_needed.
TEST(Viscous, NeededForC95Is158) {
    const auto needed = viscous_needed(c95_side(), infinity);
    ASSERT_TRUE(needed);
    EXPECT_NEAR(*needed, 0.5 * test::c95.sigma1, 2e-4 * *needed);
    // the same from above; a proved law never needs more than it has
    Side side = c95_side();
    for (const double factor : {1.0000001, 1.00005, 1.3, 50.0}) {
        side.sigma2 = factor * 0.5 * test::c95.sigma1;
        const auto less = viscous_needed(side, infinity);
        ASSERT_TRUE(less) << factor;
        EXPECT_LE(*less, side.sigma2);
        EXPECT_NEAR(*less, 0.5 * test::c95.sigma1, 2e-4 * *less);
    }
    // a level that never falls needs none
    side.curve = Stribeck{.Fc = 1.5, .Fs = 1, .vs = 1e-3, .allow_rising = true};
    EXPECT_EQ(viscous_needed(side, 1), 0);
}

// Erratum E1: no sigma2 makes the printed conductance passive. z has no bound and U = 0 at v = 0+, so no storage function is better
// than sigma0 z^2/2, and it fails where sigma1 v = 2 (g + sqrt(g^2 + sigma2 v g)); g = Fc there.
TEST(Criterion, SpeedLimitOfThePrintedConductanceEqualsTheClosedForm) {
    auto printed = test::smooth_c95();
    printed.curve.printed = true;
    const std::vector<Side> sides = sides_of(printed, {});
    EXPECT_FALSE(viscous_needed(sides.front(), infinity));
    const double v = edge(1e-3, 1, [&](double x) { return printed.sigma1 * x < 2 * (1 + std::sqrt(1 + 0.4 * x)); });
    const SpeedLimit found = exact_speed(sides, plain_speed(sides).proved);
    EXPECT_NEAR(found.proved, v, 3e-4 * v);
    EXPECT_NEAR(found.refuted, v, 3e-4 * v);
}

}  // namespace bristle::analysis
