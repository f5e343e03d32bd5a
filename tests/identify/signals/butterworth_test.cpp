// Zero-phase Butterworth filter.
#include "identify/signals/butterworth.hpp"

#include "identify/instruction_set.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace bristle::inline identification {
namespace {

std::vector<double> filtered(std::vector<double> x, double bandwidth, double rate) {
    ZeroPhaseFilter(bandwidth, rate).apply(x);
    return x;
}

std::vector<double> white(std::size_t n, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::vector<double> out(n);
    for (double& x : out) x = normal(random);
    return out;
}

// Oracle: SciPy 1.17.1. Tolerance: rounding of numbers of order 10, in two orders of summation.
//   x = sin(0.37 i) + 0.02 i^2 - 0.3 (7 i mod 5), i = 0 .. 23
//   sosfiltfilt(butter(4, 0.2, fs=1, output='sos'), x, padtype='odd', padlen=10)
TEST(ZeroPhaseFilter, OfABandwidthOfAFifthOfTheRateEqualsSciPy) {
    const double expected[] = {-0.003617653211905658, -0.2518476407868751, -0.1372838007457806, 0.3467027370308906,
                               0.8568077058268686,    1.048689774415112,   0.9107098192777883,  0.7342284221780638,
                               0.761943241171263,     0.9315396713428299,  1.024708527250752,   1.01843892840979,
                               1.16644847005382,      1.694559271847744,   2.519107424976896,   3.372127481315872,
                               4.159347737498834,     5.051659271466146,   6.181463777652937,   7.384369110466665,
                               8.382488028180187,     9.16753015409639,    10.01273556456254,   11.06699108561741};
    std::vector<double> x(24);
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = std::sin(0.37 * double(i)) + 0.02 * double(i * i) - 0.3 * double(i * 7 % 5);
    EXPECT_EQ(ZeroPhaseFilter(0.2, 1).padding(), 10u);
    const auto y = filtered(x, 0.2, 1);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(y[i], expected[i], 1e-12) << i;
}

// Oracle: SciPy 1.17.1, for the default of a fit, a tenth of the sample rate. Tolerance: rounding.
//   x = (1 if i // 8 is even, else -1) + 0.1 i, i = 0 .. 39
//   sosfiltfilt(butter(4, 100, fs=1000, output='sos'), x, padtype='odd', padlen=20)
TEST(ZeroPhaseFilter, OfABandwidthOfATenthOfTheRateEqualsSciPy) {
    const double expected[] = {
        1.000079996694577,     1.201883280102362,   1.374767265346624,    1.488578811458829,  1.513109696761117,
        1.425288247689946,     1.219769485282713,   0.9176129051416583,   0.5672569313121488, 0.2355819217547778,
        -0.007481393930181102, -0.1042405267749672, -0.01979394550868704, 0.2526247198954903, 0.690066554322343,
        1.241915755794433,     1.837038392860156,   2.396317972825521,    2.847428421220583,  3.136921623209757,
        3.236928172299742,     3.147459958990959,   2.896402131425541,    2.537197355847828,  2.142140204165007,
        1.790296750046333,     1.55275134768574,    1.480099504157803,    1.595327041929756,  1.891775704909102,
        2.334709416614352,     2.866608335543815,   3.41763937782281,     3.920852674325521,  4.327510519389003,
        4.616039008188946,     4.791182805954576,   4.875573770810018,    4.89945085575218,   4.893726281007365};
    std::vector<double> x(40);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = (i / 8 % 2 == 0 ? 1.0 : -1.0) + 0.1 * double(i);
    EXPECT_EQ(ZeroPhaseFilter(100, 1000).padding(), 20u);
    const auto y = filtered(x, 100, 1000);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(y[i], expected[i], 1e-12) << i;
}

// Oracle: |H|^2 of a Butterworth filter of order 4, 1/(1 + (tan(pi f/fs)/tan(pi fb/fs))^8), once forwards and once backwards:
// 1/2 at the bandwidth. Tolerance: rounding, far from the ends of 2000 samples.
TEST(ZeroPhaseFilter, GainOfASineEqualsTheClosedFormAndItsPhaseIsZero) {
    constexpr double rate = 1000, bandwidth = 50;
    using std::numbers::pi;
    for (const double f : {5.0, 20.0, 50.0, 100.0, 200.0}) {
        const double gain = 1 / (1 + std::pow(std::tan(pi * f / rate) / std::tan(pi * bandwidth / rate), 8));
        if (f == bandwidth) {
            EXPECT_NEAR(gain, 0.5, 1e-15);
        }
        std::vector<double> x(2000);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(2 * pi * f * double(i) / rate + 0.3);
        const auto y = filtered(x, bandwidth, rate);
        for (std::size_t i = 800; i < 1200; ++i) ASSERT_NEAR(y[i], gain * x[i], 1e-12) << f << " Hz, sample " << i;
    }
}

// Oracle: gain 1 at frequency 0, and the steady state of a constant at the start. Tolerance: rounding.
TEST(ZeroPhaseFilter, ConstantsStayAsTheyAreUpToTheEnds) {
    for (const double y : filtered(std::vector<double>(200, -7.25), 30, 1000)) ASSERT_NEAR(y, -7.25, 1e-13);
}

// Oracle: the odd extension of a straight line is the line, and a symmetric filter keeps it. The sections start in the state of a
// constant, padding() = 2 periods of the bandwidth before the first row. Tolerance: 1e-3 of the rise over one period at the ends, as the
// slowest pole has decayed there by exp(-4 pi sin(22.5 deg)) = 8e-3 with a factor of a tenth; rounding in the middle.
TEST(ZeroPhaseFilter, StraightLinesStayAsTheyAre) {
    std::vector<double> x(2000);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = 3 - 0.01 * double(i);
    const auto y = filtered(x, 50, 1000);
    const double rise = 0.01 * 1000 / 50;
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(y[i], x[i], i >= 500 && i < 1500 ? 1e-12 : 1e-3 * rise) << i;
}

// Oracle: definition of linearity. Tolerance: rounding.
TEST(ZeroPhaseFilter, OfASumIsTheSumOfTheFiltered) {
    const auto a = white(300, 1), b = white(300, 2);
    std::vector<double> sum(300);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = 2 * a[i] - 3 * b[i];
    const auto fa = filtered(a, 80, 1000), fb = filtered(b, 80, 1000), fsum = filtered(sum, 80, 1000);
    for (std::size_t i = 0; i < sum.size(); ++i) ASSERT_NEAR(fsum[i], 2 * fa[i] - 3 * fb[i], 1e-13) << i;
}

// Oracle: zero phase: forwards then backwards equals backwards then forwards, apart from the start of the sections at the ends.
// Tolerance: rounding, 30 periods of the bandwidth away from the ends; exp(-30 2 pi sin(22.5 deg)) = 5e-32.
TEST(ZeroPhaseFilter, OfTheReversedSignalIsTheReversedResultAwayFromTheEnds) {
    const auto x = white(2000, 3);
    std::vector<double> back(x.rbegin(), x.rend());
    const auto y = filtered(x, 50, 1000), z = filtered(back, 50, 1000);
    for (std::size_t i = 600; i < 1400; ++i) ASSERT_NEAR(y[i], z[z.size() - 1 - i], 1e-13) << i;
}

// Oracle: the filter of a single signal. Exact: each lane has the same operations in the same order.
TEST(ZeroPhaseFilter, LanesEqualSingleSignals) {
    const auto a = white(250, 4), b = white(250, 5), c = white(250, 6);
    std::vector<double> rows;
    for (std::size_t i = 0; i < a.size(); ++i) rows.insert(rows.end(), {a[i], b[i], c[i]});
    ZeroPhaseFilter(60, 1000).apply(rows.data(), a.size(), 3);
    const auto fa = filtered(a, 60, 1000), fb = filtered(b, 60, 1000), fc = filtered(c, 60, 1000);
    for (std::size_t i = 0; i < a.size(); ++i) {
        ASSERT_DOUBLE_EQ(rows[3 * i], fa[i]);
        ASSERT_DOUBLE_EQ(rows[3 * i + 1], fb[i]);
        ASSERT_DOUBLE_EQ(rows[3 * i + 2], fc[i]);
    }
}

// Oracle: documentation of apply(): one row stays; shorter signals than the padding are continued by all they have.
TEST(ZeroPhaseFilter, VeryShortSignalsStayFinite) {
    EXPECT_EQ(filtered({4.0}, 10, 1000), std::vector<double>{4.0});
    for (const std::size_t n : {2u, 3u, 7u})
        for (const double y : filtered(std::vector<double>(n, 2.0), 10, 1000)) EXPECT_NEAR(y, 2.0, 1e-12);
}

// Oracle: the baseline. Tolerance: 1e-12 of a signal of size 1; FMA rounds once where the baseline rounds twice.
TEST(ZeroPhaseFilter, WithAvx2EqualsTheBaselineToRounding) {
    if (!uses_avx2()) GTEST_SKIP() << "this processor or compiler has no AVX2";
    constexpr std::size_t rows = 500, lanes = 11;  // a full group of lanes and a part of one
    const auto table = white(rows * lanes, 7);
    const auto filtered_table = [&] {
        std::vector<double> out = table;
        ZeroPhaseFilter(60, 1000).apply(out.data(), rows, lanes);
        return out;
    };
    const auto wide = filtered_table();
    const BaselineOnly baseline_only;
    EXPECT_FALSE(uses_avx2());
    const auto baseline = filtered_table();
    for (std::size_t i = 0; i < table.size(); ++i) ASSERT_NEAR(wide[i], baseline[i], 1e-12) << i;
}

}  // namespace
}  // namespace bristle::identification
