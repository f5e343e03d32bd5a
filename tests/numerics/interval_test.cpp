// Intervals contain the exact value (oracle: long double at random points) and are narrow; the same for curves over intervals.
#include "numerics/interval.hpp"
#include "analyse/passivity/level_range.hpp"

#include "../conformance/samples.hpp"
#include <gtest/gtest.h>
#include <functional>

// Inside the namespace: bristle has another Interval, of the coupled step.
namespace bristle::numerics {

using test::Random;
using wide = long double;

namespace {

double ulp(double x) { return std::nextafter(std::abs(x), infinity) - std::abs(x); }
// Width in units in the last place of the larger end.
double width(Interval x) { return (x.hi - x.lo) / ulp(std::max(std::abs(x.lo), std::abs(x.hi))); }
bool holds(Interval x, wide y) { return wide(x.lo) <= y && y <= wide(x.hi); }

Interval around(Random& random, double low, double high) {
    const double a = random.uniform(low, high), b = random.below(3) ? random.uniform(low, high) : a;
    return {std::min(a, b), std::max(a, b)};
}
double inside(Random& random, Interval x) {
    const int where = random.below(4);
    return where == 0 ? x.lo : where == 1 ? x.hi : std::clamp(random.uniform(x.lo, x.hi), x.lo, x.hi);
}

struct OfTwo {
    const char* name;
    std::function<Interval(Interval, Interval)> interval;
    std::function<wide(wide, wide)> number;
    bool divides;
};
struct OfOne {
    const char* name;
    std::function<Interval(Interval)> interval;
    std::function<wide(wide)> number;
    double low, high;
    double
        ulps;  // width allowed at a point: the stated error and one more on both sides; a quotient may have ulps half the size
};
const OfTwo of_two[] = {
    {"+", [](Interval a, Interval b) { return a + b; }, [](wide a, wide b) { return a + b; }, false},
    {"-", [](Interval a, Interval b) { return a - b; }, [](wide a, wide b) { return a - b; }, false},
    {"*", [](Interval a, Interval b) { return a * b; }, [](wide a, wide b) { return a * b; }, false},
    {"/", [](Interval a, Interval b) { return a / b; }, [](wide a, wide b) { return a / b; }, true}};
const OfOne of_one[] = {
    {"sqrt", [](Interval a) { return sqrt(a); }, [](wide x) { return std::sqrt(x); }, 0, 100, 2},
    {"exp", [](Interval a) { return exp(a); }, [](wide x) { return std::exp(x); }, -700, 10, 4},
    {"tanh", [](Interval a) { return tanh(a); }, [](wide x) { return std::tanh(x); }, -5, 20, 6},
    {"sin", [](Interval a) { return sin(a); }, [](wide x) { return std::sin(x); }, 0, 1.5707963, 4},
    {"pow 0.7", [](Interval a) { return pow(a, 0.7); }, [](wide x) { return std::pow(x, wide(0.7)); }, 0, 50, 4},
    {"pow 3.1", [](Interval a) { return pow(a, 3.1); }, [](wide x) { return std::pow(x, wide(3.1)); }, 0, 50, 4},
    {"tanh x/x", [](Interval a) { return tanh_over(a); }, [](wide x) { return x == 0 ? 1 : std::tanh(x) / x; }, 0, 9,
     14}};

}  // namespace

TEST(Interval, ContainsSumsAndProductsWithinAFewUlp) {
    Random random(1);
    for (long i = 0; i < test::draws(200000); ++i) {
        const double scale = random.log_uniform(1e-12, 1e12);
        const Interval a = around(random, -scale, scale);
        for (const OfTwo& f : of_two) {
            Interval b = around(random, -3, 3);
            if (f.divides && b.contains(0)) b = Interval(1e-3, 2);
            const double x = inside(random, a), y = inside(random, b);
            ASSERT_TRUE(holds(f.interval(a, b), f.number(x, y))) << x << f.name << y;
            ASSERT_LE(width(f.interval(x, y)), 2) << x << f.name << y;
        }
    }
}

TEST(Interval, ContainsFunctionsWithinAFewUlp) {
    Random random(2);
    for (const OfOne& f : of_one)
        for (long i = 0; i < test::draws(100000); ++i) {
            const Interval a = around(random, f.low, f.high);
            const double x = inside(random, a);
            ASSERT_TRUE(holds(f.interval(a), f.number(x))) << f.name << " at " << x;
            ASSERT_LE(width(f.interval(x)), f.ulps) << f.name << " at " << x;
        }
}

TEST(Interval, KeepsSignsAndHandlesInfinity) {
    const Interval zero(0), some(0, 3), far(2, infinity);
    EXPECT_EQ((zero * far).lo, 0);
    EXPECT_EQ((zero * far).hi, 0);
    EXPECT_EQ((some * some).lo, 0);
    EXPECT_EQ((some + zero).lo, 0);  // not the number below it
    EXPECT_EQ((some / far).lo, 0);
    EXPECT_EQ((Interval(1) / far).lo, 0);
    EXPECT_EQ((far / some).hi, infinity);
    EXPECT_EQ((Interval(1) / Interval(0, 2)).hi, infinity);
    EXPECT_LE((Interval(1) / Interval(-1, 2)).lo, -1e300);
    EXPECT_EQ(tanh(far).hi, 1);
    EXPECT_EQ(exp(-far).lo, 0);
    EXPECT_EQ(tanh_over(zero).lo, 1);
    EXPECT_EQ(tanh_over(far).lo, 0);
    const double large = std::numeric_limits<double>::max();
    EXPECT_EQ((Interval(large) + Interval(large)).lo, large);  // the sum is larger, and not infinite
    EXPECT_EQ((Interval(large) + Interval(large)).hi, infinity);
}

TEST(Interval, MiddleLiesInsideTheInterval) {
    for (const Interval x :
         {Interval(0, 1), Interval(1e-9, 1), Interval(0, infinity), Interval(3, infinity), Interval(1, 1.5)}) {
        EXPECT_GT(x.middle(), x.lo);
        EXPECT_LT(x.middle(), x.hi);
    }
}

// ---- curves ----------------------------------------------------------------------------------------------------------------

namespace {

template <class Curve>
Curve drawn(Random& random) {
    Curve curve;
    samples::draw(random, curve);
    return curve;
}
Table falling_table() {
    Table table;
    samples::typical(table);
    return table;
}

// g(v) in long double, from the papers.
template <class Curve>
wide judge(const Curve& curve, double v) {
    return samples::level_formula(curve, v);
}

template <class Curve>
void expect_held(Random& random, const Curve& curve) {
    for (int i = 0; i < 20; ++i) {
        double a = random.log_uniform(1e-7, 10), b = random.below(3) ? a * random.log_uniform(1, 1e4) : a;
        if (random.below(10) == 0) a = 0;
        if (random.below(10) == 0) b = infinity;
        const Interval v(a, b), g = passivity::level_range(curve, v), k = passivity::chord_range(curve, v);
        for (int j = 0; j < 10; ++j) {
            const double x = j == 0 && a > 0          ? a
                             : j == 1 && b < infinity ? b
                                                      : random.log_uniform(std::max(a, 1e-9), std::min(b, 1e3));
            if (!v.contains(x)) continue;
            const wide exact = judge(curve, x), slack = 3e-18L * exact;  // the judge's own rounding
            ASSERT_TRUE(wide(g.lo) <= exact + slack && exact - slack <= wide(g.hi)) << a << " " << b << " " << x;
            ASSERT_TRUE(wide(k.lo) <= (exact + slack) / x && (exact - slack) / x <= wide(k.hi))
                << a << " " << b << " " << x;
        }
    }
}

// Excess of the bound of an interval of relative width w over the true range, relative to the level.
template <class Curve>
double excess(const Curve& curve, double v, double w) {
    const Interval box(v, v * (1 + w)), g = passivity::level_range(curve, box);
    double low = infinity, high = 0;
    for (int i = 0; i <= 1000; ++i) {
        const double x = level(curve, v * (1 + w * i / 1000));
        low = std::min(low, x);
        high = std::max(high, x);
    }
    return std::max(high - g.lo - (high - low), g.hi - low - (high - low)) / high;
}

}  // namespace

TEST(LevelRange, ContainsEachCurve) {
    Random random(3);
    for (long i = 0; i < test::draws(3000); ++i) {
        expect_held(random, drawn<Stribeck>(random));
        expect_held(random, drawn<SmoothStribeck>(random));
        expect_held(random, drawn<SmoothStribeckPrinted>(random));
        expect_held(random, drawn<MakkarCurve>(random));
    }
}

TEST(LevelRange, ContainsTables) {
    Random random(4);
    for (long i = 0; i < test::draws(20000); ++i) {
        const Table table = i % 2 ? drawn<Table>(random) : falling_table();
        const double a = random.below(8) ? random.log_uniform(1e-7, 3) : 0, b = a + random.log_uniform(1e-8, 3);
        const Interval g = passivity::level_range(table, {a, b});
        for (int j = 0; j < 20; ++j) {
            const double x = random.uniform(a, b), exact = table.at(x);
            ASSERT_LE(g.lo, exact * (1 + 1e-15));
            ASSERT_GE(g.hi, exact * (1 - 1e-15));
        }
    }
}

// In Stribeck, printed and tables the variable occurs once: the bound is exact to rounding. The others: error of second order in width.
TEST(LevelRange, ExcessIsRoundingOrOfSecondOrder) {
    Random random(5);
    const SmoothStribeck smooth{.Fc = 1, .Fs = 1.5, .vs = 1e-3, .c = 1e4};
    const MakkarCurve makkar{.25, 100, 10, .1, 100};
    for (int i = 0; i < 200; ++i) {
        const double v = random.log_uniform(1e-5, 0.1);
        EXPECT_LT(excess(Stribeck{.Fc = 1, .Fs = 1.5, .vs = 1e-3}, v, 0.3), 1e-13);
        EXPECT_LT(excess(SmoothStribeckPrinted{smooth}, v, 0.3), 1e-13);
        EXPECT_LT(excess(falling_table(), v, 0.3), 1e-4);  // the samples miss an end of a narrow piece
        EXPECT_LT(excess(smooth, v, 1e-3), 2e-6);
        EXPECT_LT(excess(makkar, v, 1e-3), 2e-6);
    }
}

}  // namespace bristle::numerics
