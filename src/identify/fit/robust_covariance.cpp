// Newey-West covariances, their small-sample corrections, wild block bootstrap.
#include "identify/fit/robust_covariance.hpp"

#include "identify/fit/least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace bristle::inline identification {

namespace {

// Sums over blocks of rows, block by block; run_of[b] is the run of a block.
struct Blocks {
    std::vector<double> sums;  // blocks x p
    std::vector<std::size_t> run_of;
    std::size_t count() const { return run_of.size(); }
};
// Sums over the rows used of blocks of `length` rows (0: of whole runs). add(i, sum) adds row i to the p numbers at sum.
template <class Add>
Blocks block_sums(const FittedRows& rows, std::size_t p, std::size_t length, const Add& add) {
    Blocks out;
    for (std::size_t j = 0; j < rows.record.runs.size(); ++j) {
        const PreparedRun& run = rows.record.runs[j];
        const std::size_t step = length == 0 ? std::max<std::size_t>(run.size, 1) : length;
        for (std::size_t from = 0; from < run.size; from += step) {
            out.run_of.push_back(j);
            out.sums.resize(out.sums.size() + p, 0.0);
            double* const sum = out.sums.data() + out.sums.size() - p;
            for (std::size_t i = run.begin + from; i < run.begin + std::min(from + step, run.size); ++i)
                if (rows.use[i]) add(i, sum);
        }
    }
    return out;
}
Blocks block_scores(const FittedRows& rows, std::size_t length) {
    return block_sums(rows, rows.p, length, [&](std::size_t i, double* sum) {
        for (std::size_t k = 0; k < rows.p; ++k) sum[k] += rows.J[i * rows.p + k] * rows.residual[i];
    });
}

// Bartlett lag in blocks by Andrews (1991): 1.1447 (alpha n)^(1/3), alpha from AR(1) fits of each score.
double andrews_lag(const Blocks& blocks, std::size_t p) {
    double numerator = 0, denominator = 0;
    for (std::size_t k = 0; k < p; ++k) {
        double cross = 0, square = 0, innovation = 0;
        for (std::size_t b = 1; b < blocks.count(); ++b) {
            if (blocks.run_of[b] != blocks.run_of[b - 1]) continue;
            cross += blocks.sums[b * p + k] * blocks.sums[(b - 1) * p + k];
            square += blocks.sums[(b - 1) * p + k] * blocks.sums[(b - 1) * p + k];
        }
        if (!(square > 0)) continue;
        const double rho = std::clamp(cross / square, -0.97, 0.97);
        for (std::size_t b = 1; b < blocks.count(); ++b) {
            if (blocks.run_of[b] != blocks.run_of[b - 1]) continue;
            const double e = blocks.sums[b * p + k] - rho * blocks.sums[(b - 1) * p + k];
            innovation += e * e / square;  // scores have different units: relative to their size
        }
        const double power = std::pow(innovation, 2);
        numerator += 4 * rho * rho * power / (std::pow(1 - rho, 6) * std::pow(1 + rho, 2));
        denominator += power / std::pow(1 - rho, 4);
    }
    if (!(denominator > 0)) return 0;
    return 1.1447 * std::cbrt(numerator / denominator * double(blocks.count()));
}

// Sum of the products of scores at lags up to `lag` with Bartlett weights 1 - |l|/(lag + 1): the mean product of sums over windows of
// lag + 1 blocks, windows that begin before the run or end after it included. The cost does not depend on the lag.
std::vector<double> long_run_covariance(const Blocks& blocks, std::size_t p, std::size_t lag) {
    const std::size_t length = lag + 1;
    std::vector<double> S(p * p, 0.0), window(p);
    for (std::size_t first = 0, last = 0; first < blocks.count(); first = last) {
        while (last < blocks.count() && blocks.run_of[last] == blocks.run_of[first]) ++last;
        std::fill(window.begin(), window.end(), 0.0);
        for (std::size_t b = first; b < last + lag; ++b) {
            for (std::size_t k = 0; k < p; ++k) {
                if (b < last) window[k] += blocks.sums[b * p + k];
                if (b >= first + length) window[k] -= blocks.sums[(b - length) * p + k];
            }
            for (std::size_t i = 0; i < p; ++i)
                for (std::size_t j = 0; j <= i; ++j) S[i * p + j] += window[i] * window[j];
        }
    }
    for (std::size_t i = 0; i < p; ++i)
        for (std::size_t j = 0; j <= i; ++j) S[j * p + i] = S[i * p + j] /= double(length);
    return S;
}

// The corrections of the header, for blocks of `length` rows (0: whole runs) and Bartlett weights up to `lag` blocks.
struct SmallSample {
    std::vector<double> factor, degrees_of_freedom;  // of each variance
};
SmallSample small_sample(const FittedRows& rows, std::span<const double> inverse, std::size_t length, std::size_t lag) {
    constexpr double largest_fraction = 0.8;  // of the variance that the fit takes: beyond, the rule says nothing
    const std::size_t p = rows.p;
    SmallSample out;
    for (std::size_t k = 0; k < p; ++k) {
        // sums of a_i J_i, and of a_i^2 behind them
        const Blocks blocks = block_sums(rows, p + 1, length, [&](std::size_t i, double* sum) {
            const double* const row = rows.J.data() + i * p;
            double a = 0;
            for (std::size_t j = 0; j < p; ++j) a += inverse[k * p + j] * row[j];
            for (std::size_t j = 0; j < p; ++j) sum[j] += a * row[j];
            sum[p] += a * a;
        });
        const std::vector<double> products = long_run_covariance(blocks, p + 1, lag);
        double weight = 0, taken = 0, square = 0;
        for (std::size_t i = 0; i < p; ++i)
            for (std::size_t j = 0; j < p; ++j) taken += inverse[i * p + j] * products[i * (p + 1) + j];
        for (std::size_t b = 0; b < blocks.count(); ++b) {
            const double own = blocks.sums[b * (p + 1) + p];
            weight += own;
            if (own == 0) continue;
            for (std::size_t l = 0; l <= std::min(lag, b) && blocks.run_of[b - l] == blocks.run_of[b]; ++l) {
                const double bartlett = 1 - double(l) / double(lag + 1);
                square += (l == 0 ? 1 : 2) * bartlett * bartlett * own * blocks.sums[(b - l) * (p + 1) + p];
            }
        }
        const double fraction = weight > 0 ? std::clamp(taken / weight, 0.0, largest_fraction) : 0;
        out.factor.push_back(1 / (1 - fraction));
        out.degrees_of_freedom.push_back(square > 0 ? std::max(1.0, (1 - fraction) * weight * weight / square) : 1);
    }
    return out;
}

RobustCovariance corrected(std::vector<double> matrix, SmallSample&& small) {
    const std::size_t p = small.factor.size();
    for (std::size_t i = 0; i < p; ++i)
        for (std::size_t j = 0; j < p; ++j) matrix[i * p + j] *= std::sqrt(small.factor[i] * small.factor[j]);
    return {std::move(matrix), std::move(small.degrees_of_freedom)};
}

std::vector<double> inverse_of(const FittedRows& rows) {
    return inverse_normal(fold(rows.J.data(), rows.p, rows.residual.data(), rows.residual.size(), rows.p,
                               rows.curved.empty() ? rows.use : rows.curved));
}

}  // namespace

std::vector<double> classic_covariance(std::span<const double> J, std::span<const double> residual, std::size_t p,
                                       std::span<const std::uint8_t> use) {
    const Folded folded = fold(J.data(), p, residual.data(), residual.size(), p, use);
    std::vector<double> out = inverse_normal(folded);
    double square = 0;
    for (std::size_t i = 0; i < residual.size(); ++i)
        if (use[i]) square += residual[i] * residual[i];
    const double variance = square / std::max(1.0, double(folded.rows) - double(p));
    for (double& c : out) c *= variance;
    return out;
}

RobustCovariance robust_covariance(const FittedRows& rows, ErrorKind kind) {
    const std::size_t p = rows.p;
    if (rows.record.points)
        return {classic_covariance(rows.J, rows.residual, p, rows.use),
                std::vector<double>(p, std::numeric_limits<double>::infinity())};
    const std::size_t length = kind == ErrorKind::runs ? 0 : std::max<std::size_t>(1, rows.record.rows() / 4000);
    const Blocks scores = block_scores(rows, length);
    const double count = double(scores.count());
    const double rule = std::min(std::max(1.3 * std::sqrt(count), andrews_lag(scores, p)), count / 8);
    const std::size_t lag = kind == ErrorKind::runs ? 0 : std::size_t(std::lround(rule));
    const std::vector<double> inverse = inverse_of(rows);
    return corrected(sandwich(inverse, long_run_covariance(scores, p, lag), p),
                     small_sample(rows, inverse, length, lag));
}

RobustCovariance bootstrap_covariance(const FittedRows& rows, std::size_t length, int resamples, std::uint64_t seed) {
    const std::size_t p = rows.p;
    const Blocks scores = block_scores(rows, length);
    std::mt19937_64 random(seed);
    std::vector<double> S(p * p, 0.0);
    for (int b = 0; b < resamples; ++b) {
        std::vector<double> sum(p, 0.0);
        for (std::size_t block = 0; block < scores.count(); ++block) {
            const double sign = random() & 1 ? 1 : -1;
            for (std::size_t k = 0; k < p; ++k) sum[k] += sign * scores.sums[block * p + k];
        }
        for (std::size_t i = 0; i < p; ++i)
            for (std::size_t j = 0; j < p; ++j) S[i * p + j] += sum[i] * sum[j] / resamples;
    }
    const std::vector<double> inverse = inverse_of(rows);
    return corrected(sandwich(inverse, S, p), small_sample(rows, inverse, length, 0));
}

double student_975(double degrees) {
    if (!(degrees >= 1)) return 12.706;
    // Cornish-Fisher expansion about the normal point; within 0.2 % from 3 degrees of freedom on (Student.PointOf97_5Percent...)
    const double z = 1.959963984540054, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z, z9 = z7 * z * z;
    const double d = degrees;
    if (d < 3) return d < 2 ? 12.706 : 4.303;
    return z + (z3 + z) / (4 * d) + (5 * z5 + 16 * z3 + 3 * z) / (96 * d * d) +
           (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * d * d * d) +
           (79 * z9 + 776 * z7 + 1482 * z5 - 1920 * z3 - 945 * z) / (92160 * d * d * d * d);
}

}  // namespace bristle::identification
