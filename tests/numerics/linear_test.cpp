// Linear systems, null vectors and eigenvalues. Oracles: matrices made from known eigenvalues; Newton on the
// polynomial.
#include "numerics/linear.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "../support/sets.hpp"

namespace bristle::numerics {
namespace {

// Known eigenvalues, random well-conditioned bases, sizes 2 to 18, states scaled by up to 12 decades.
TEST(Eigenvalues, EqualThoseTheMatrixWasMadeFrom) {
    test::Random random(11);
    double worst = 0;
    for (long draw = 0; draw < test::draws(2000); ++draw) {
        const std::size_t n = std::size_t(2 + random.below(17));
        std::vector<double> D(n * n), B(n * n), A(n * n);
        std::vector<std::complex<double>> known;
        for (std::size_t i = 0; i < n;) {
            const double re = random.uniform(-1, 1);
            if (i + 1 < n && random.below(2)) {
                const double im = random.uniform(0.05, 2);
                D[i * n + i] = D[(i + 1) * n + i + 1] = re;
                D[i * n + i + 1] = im;
                D[(i + 1) * n + i] = -im;
                known.emplace_back(re, im);
                known.emplace_back(re, -im);
                i += 2;
            } else {
                D[i * n + i] = re;
                known.emplace_back(re);
                ++i;
            }
        }
        // B = 1 + small: a basis that is not orthogonal but well conditioned; A = S B D B^-1 S^-1
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) B[i * n + j] = (i == j) + random.uniform(-0.4, 0.4) / double(n);
        std::vector<double> size(n);
        for (double& s : size) s = random.log_uniform(1e-6, 1e6);
        for (std::size_t row = 0; row < n; ++row) {  // row of A B = row of B D: solve with B'
            std::vector<double> transposed(n * n), right(n);
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = 0; j < n; ++j) {
                    transposed[i * n + j] = B[j * n + i];
                    right[i] += B[row * n + j] * D[j * n + i];
                }
            const auto x = solve(transposed, right);
            ASSERT_EQ(x.size(), n);
            for (std::size_t j = 0; j < n; ++j) A[row * n + j] = x[j] * size[row] / size[j];
        }
        const auto found = eigenvalues(A, n);
        ASSERT_EQ(found.size(), n);
        for (const auto& k : known) {
            double nearest = HUGE_VAL;
            for (const auto& f : found) nearest = std::min(nearest, std::abs(f - k));
            worst = std::max(worst, nearest);
        }
        for (std::size_t i = 0; i + 1 < n; ++i) ASSERT_GE(found[i].real(), found[i + 1].real());
    }
    std::printf("worst error %.1e\n", worst);
    EXPECT_LT(worst, 1e-12);
}

// A mass on a spring with a bristle, [0 -1 0; k -d -f; 0 r -h], over many decades. Oracle: Newton on the polynomial.
// Tolerance: 1e-11 relative, where long double has 64 bits.
TEST(Eigenvalues, OfAStiffRigKeepTheirDigitsBesideLargerOnes) {
    test::Random random(12);
    double worst = 0;
    for (int draw = 0; draw < 20000; ++draw) {
        const double k = random.log_uniform(0.1, 1e5), d = random.sign() * random.log_uniform(1, 1e7);
        const double f = random.sign() * random.log_uniform(1, 1e9), h = random.log_uniform(1e-3, 1e5);
        const double r = -random.log_uniform(1e-7, 0.1);
        const double A[] = {0, -1, 0, k, -d, -f, 0, r, -h};
        using Wide = std::complex<long double>;
        const long double a1 = static_cast<long double>(h) + d, a3 = static_cast<long double>(k) * h,
                          a2 = k + static_cast<long double>(h) * d + static_cast<long double>(r) * f;
        for (const auto& found : eigenvalues(A, 3)) {
            Wide s(found);
            for (int i = 0; i < 5; ++i) s -= (((s + a1) * s + a2) * s + a3) / ((3.0L * s + 2 * a1) * s + a2);
            // how far rounding of the coefficients moves it: two eigenvalues that nearly meet are poorly determined
            const auto size = std::abs(s);
            const auto terms = ((size + h + std::abs(d)) * size + k + std::abs(h * d) + std::abs(r * f)) * size + a3;
            const auto condition = terms / (size * std::abs((3.0L * s + 2 * a1) * s + a2));
            worst = std::max(worst, double(std::abs(Wide(found) - s) / size / condition));
        }
    }
    std::printf("worst %.1e\n", worst);
    EXPECT_LT(worst, std::numeric_limits<long double>::digits > 60 ? 1e-11 : 1e-7);
}

TEST(Eigenvalues, OfDefectiveAndCyclicMatricesConverge) {
    // a cyclic permutation, which plain shifts do not change: the roots of unity
    std::vector<double> P(25);
    for (std::size_t i = 0; i < 5; ++i) P[i * 5 + (i + 1) % 5] = 1;
    const auto roots = eigenvalues(P, 5);
    for (const auto& r : roots) EXPECT_NEAR(std::abs(std::pow(r, 5) - 1.0), 0, 1e-13);
    EXPECT_NEAR(roots[0].real(), 1, 1e-14);
    EXPECT_EQ(roots[0].imag(), 0);
    EXPECT_EQ(eigenvalues(std::vector<double>(9), 3)[0], 0.0);
    EXPECT_TRUE(std::isnan(eigenvalues(std::vector<double>{1, NAN, 0, 1}, 2)[0].real()));
    // close together and far from 0, nearly defective: shifts around 0 do not end the cycle of the iteration
    const std::vector<double> close{-1, 0, 3.69749e-10, -6.58346e-27, -1, 1.24159e-20, 0, -0.108707, -1};
    for (const auto& s : eigenvalues(close, 3)) EXPECT_NEAR(std::abs(s + 1.0), 0, 1e-9);
    // exactly conjugate
    const auto pair = eigenvalues(std::vector<double>{0, 1, -4, 0}, 2);
    EXPECT_EQ(pair[0], std::complex<double>(0, 2));
    EXPECT_EQ(pair[1], std::complex<double>(0, -2));
}

// Oracles: triangular and block matrices with known eigenvalues; the companion matrix of (s + 1)(s^2 - 4 s + 13), whose pair is 2 +- 3i.
// Tolerance: 1e-14 of the largest eigenvalue, in double.
TEST(LargestRealPart, OfKnownSpectraIsExact) {
    EXPECT_EQ(largest_real_part(std::vector<double>{-7}, 1), -7);
    EXPECT_NEAR(largest_real_part(std::vector<double>{-3, 5, 2, 0, -1, 4, 0, 0, -2}, 3), -1, 3e-14);
    EXPECT_NEAR(largest_real_part(std::vector<double>{2, 3, -3, 2}, 2), 2, 4e-14);
    EXPECT_NEAR(largest_real_part(std::vector<double>{3, -9, -13, 1, 0, 0, 0, 1, 0}, 3), 2, 4e-14);
    EXPECT_TRUE(std::isnan(largest_real_part(std::vector<double>{1, NAN, 0, 1}, 2)));
    EXPECT_TRUE(std::isnan(largest_real_part({}, 0)));
}

// Oracle: eigenvalues(), in long double. Sizes 1 to 20, states scaled by up to 8 decades. Tolerance: 1e-10 of the largest eigenvalue.
TEST(LargestRealPart, OfRandomMatricesEqualsTheEigenvaluesInLongDouble) {
    test::Random random(13);
    double worst = 0;
    for (long draw = 0; draw < test::draws(2000); ++draw) {
        const std::size_t n = std::size_t(1 + random.below(20));
        std::vector<double> A(n * n), size(n);
        for (double& s : size) s = random.log_uniform(1e-4, 1e4);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) A[i * n + j] = random.uniform(-1, 1) * size[i] / size[j];
        const auto all = eigenvalues(A, n);
        double scale = 0;
        for (const auto& s : all) scale = std::max(scale, std::abs(s));
        worst = std::max(worst, std::abs(largest_real_part(A, n) - all.front().real()) / scale);
    }
    std::printf("worst %.1e\n", worst);
    EXPECT_LT(worst, 1e-10);
}

TEST(Growth, CountsRealPartsAboveRounding) {
    using C = std::complex<double>;
    const std::vector<C> mixed{{2, 1}, {2, -1}, {0, 3}, {0, -3}, {-1, 0}}, down{{-1, 5}, {-1, -5}},
        noise{{1e-14, 1}, {1e-14, -1}};
    EXPECT_EQ(growth(mixed).growing, 2);
    EXPECT_FALSE(growth(mixed).all_decay);
    EXPECT_EQ(growth(down).growing, 0);
    EXPECT_TRUE(growth(down).all_decay);
    EXPECT_EQ(growth(noise).growing, 0);
    EXPECT_FALSE(growth(noise).all_decay);
}

// A state that nothing depends on, or that depends on nothing: the diagonal entry is the eigenvalue, exactly.
TEST(Eigenvalues, OfUncoupledStatesAreTheirDiagonalEntries) {
    const std::vector<double> A{0, 0, 0, 1.5e-3, -0.04, 0, -0.6, 62, 0};  // triangular once reordered
    const auto found = eigenvalues(A, 3);
    EXPECT_EQ(found[0], 0.0);
    EXPECT_EQ(found[1], 0.0);
    EXPECT_EQ(found[2], -0.04);
    const std::vector<double> B{0, 2, 1e9, -2, 0, 3e-7, 0, 0, -1e-5};  // 2i, -2i and -1e-5
    const auto mixed = eigenvalues(B, 3);
    EXPECT_NEAR(mixed[0].imag(), 2, 1e-15);
    EXPECT_EQ(mixed[2], -1e-5);
}

// Oracle: the second-difference matrix has the eigenvalues 2 - 2 cos(k pi/4). Tolerance: rounding.
TEST(Eigenvalues, OfASymmetricMatrixAreReal) {
    const std::vector<double> found = symmetric_eigenvalues(std::vector<double>{2, -1, 0, -1, 2, -1, 0, -1, 2}, 3);
    ASSERT_EQ(found.size(), 3u);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(found[std::size_t(k)], 2 - 2 * std::cos(M_PI * (k + 1) / 4), 1e-15);
    EXPECT_TRUE(std::isnan(symmetric_eigenvalues(std::vector<double>{1, NAN, NAN, 1}, 2)[0]));
}

TEST(Solve, OfSeveralRightHandSidesInvertsAProduct) {
    // rows of very different size
    const std::vector<double> A{1e-9, 2e-9, 3e6, 1e6}, X{1, -2, 3, 0.5, 4, -1};  // X: 2 x 3
    std::vector<double> B(6);
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 3; ++j) B[i * 3 + j] = A[i * 2] * X[j] + A[i * 2 + 1] * X[3 + j];
    const auto found = solve(A, B, 3);
    ASSERT_EQ(found.size(), 6u);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(found[i], X[i], 1e-14);
    EXPECT_TRUE(solve(std::vector<double>{1, 2, 2, 4}, B, 3).empty());
    EXPECT_TRUE(solve(std::vector<double>{1, NAN, 2, 4}, B, 3).empty());
    EXPECT_TRUE(solve(std::vector<double>{0, 0, 2, 4}, std::vector<double>{1, 1}).empty());
    EXPECT_TRUE(solve({}, std::vector<double>{}).empty());
}

// Oracle of the null vector: (1, 1, -1)/sqrt(3), by hand. Tolerance: rounding.
TEST(Solve, OfSingularSystemsIsEmpty) {
    EXPECT_TRUE(solve(std::vector<double>{1, 2, 2, 4}, std::vector<double>{1, 1}).empty());
    EXPECT_TRUE(null_vector(std::vector<double>{1, 2, 3, 2, 4, 6}, 3).empty());
    const auto t = null_vector(std::vector<double>{1, 0, 1, 0, 1, 1}, 3);
    ASSERT_EQ(t.size(), 3u);
    EXPECT_NEAR(std::abs(t[0]), 1 / std::sqrt(3.0), 1e-15);
    EXPECT_NEAR(t[0] + t[2], 0, 1e-15);
    EXPECT_NEAR(t[1] + t[2], 0, 1e-15);
}

}  // namespace
}  // namespace bristle::numerics
