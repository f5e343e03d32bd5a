// Autocorrelation and robust covariances.
#include "identify/fit/statistics.hpp"

#include "identify/fit/least_squares.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::inline identification {

std::vector<double> autocorrelation(const Prepared& record, std::span<const double> residual,
                                    std::span<const std::uint8_t> use, std::size_t max_lag) {
    std::vector<double> sums(max_lag + 1, 0.0);
    for (const PreparedRun& run : record.runs) {
        std::vector<double> r(run.size);
        for (std::size_t i = 0; i < run.size; ++i) r[i] = use[run.begin + i] ? residual[run.begin + i] : 0;
        for (std::size_t lag = 0; lag <= max_lag && lag < run.size; ++lag)
            for (std::size_t i = lag; i < run.size; ++i) sums[lag] += r[i] * r[i - lag];
    }
    const double all = sums[0];
    if (all > 0)
        for (double& s : sums) s /= all;
    return sums;
}

// Lags up to 256 samples one by one, longer ones on sums over blocks that grow by 8: the cost is linear in the rows. Sums over blocks of
// `step` rows have the covariance step sum(r_i r_(i + lag)) at a lag of whole blocks, for a correlation that is long beside a block.
double correlation_length(const Prepared& record, std::span<const double> residual, std::span<const std::uint8_t> use) {
    if (record.points) return 1;
    constexpr std::size_t lags = 256, growth = 8;
    std::vector<std::vector<double>> runs;
    std::size_t longest = 0;
    double squares = 0, sum = 1;
    for (const PreparedRun& run : record.runs) {
        auto& r = runs.emplace_back(run.size);
        for (std::size_t i = 0; i < run.size; ++i) r[i] = use[run.begin + i] ? residual[run.begin + i] : 0;
        for (const double x : r) squares += x * x;
        longest = std::max(longest, run.size);
    }
    if (!(squares > 0)) return 1;
    for (std::size_t step = 1, lag = 1;; step *= growth, lag = lags / growth + 1) {
        for (; lag <= lags; ++lag) {
            if (lag * step >= longest / 4) return std::max(1.0, sum);
            double product = 0;
            for (const auto& r : runs)
                for (std::size_t i = lag; i < r.size(); ++i) product += r[i] * r[i - lag];
            const double rho = product / (double(step) * squares);
            if (rho < 0.05) return std::max(1.0, sum);
            sum += 2 * rho * double(step);
        }
        for (auto& r : runs) {  // blocks of the next size
            for (std::size_t i = 0; i + growth <= r.size(); i += growth) {
                double block = 0;
                for (std::size_t k = 0; k < growth; ++k) block += r[i + k];
                r[i / growth] = block;
            }
            r.resize(r.size() / growth);
        }
    }
}

FitError fit_error(const Prepared& record, std::span<const double> residual, std::span<const double> y,
                   std::span<const std::uint8_t> use) {
    double square = 0, magnitude = 0, mean = 0, about = 0, total = 0;
    FitError out;
    for (std::size_t i = 0; i < record.rows(); ++i)
        if (use[i]) {
            ++out.rows;
            mean += y[i];
        }
    if (out.rows == 0) return out;
    const double n = double(out.rows);
    mean /= n;
    for (std::size_t i = 0; i < record.rows(); ++i)
        if (use[i]) {
            square += residual[i] * residual[i];
            magnitude += std::abs(residual[i]);
            about += (y[i] - mean) * (y[i] - mean);
            total += y[i] * y[i];
        }
    out.rmse = std::sqrt(square / n);
    out.mae = magnitude / n;
    out.nrmse = about > 0 ? std::sqrt(square / about) : 0;
    out.relative = total > 0 ? std::sqrt(square / total) : 0;
    out.r2 = about > 0 ? 1 - square / about : 0;
    return out;
}

namespace {

// Sums of the scores over blocks of `length` rows (0: over whole runs), block by block; run_of[b] is the run of a block.
struct Blocks {
    std::vector<double> sums;  // blocks x p
    std::vector<std::size_t> run_of;
    std::size_t count() const { return run_of.size(); }
};
Blocks block_sums(const Prepared& record, std::span<const double> J, std::span<const double> residual, std::size_t p,
                  std::span<const std::uint8_t> use, std::size_t length) {
    Blocks out;
    for (std::size_t j = 0; j < record.runs.size(); ++j) {
        const PreparedRun& run = record.runs[j];
        const std::size_t step = length == 0 ? std::max<std::size_t>(run.size, 1) : length;
        for (std::size_t from = 0; from < run.size; from += step) {
            out.run_of.push_back(j);
            const std::size_t base = out.sums.size();
            out.sums.resize(base + p, 0.0);
            for (std::size_t i = run.begin + from; i < run.begin + std::min(from + step, run.size); ++i)
                if (use[i])
                    for (std::size_t k = 0; k < p; ++k) out.sums[base + k] += J[i * p + k] * residual[i];
        }
    }
    return out;
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

RobustCovariance robust_covariance(const Prepared& record, std::span<const double> J, std::span<const double> residual,
                                   std::size_t p, std::span<const std::uint8_t> use, ErrorKind kind,
                                   std::span<const std::uint8_t> curved) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (record.points) return {classic_covariance(J, residual, p, use), infinity};
    const Folded folded = fold(J.data(), p, residual.data(), residual.size(), p, curved.empty() ? use : curved);
    const std::vector<double> inverse = inverse_normal(folded);
    std::vector<double> S;
    double degrees = 0;
    if (kind == ErrorKind::runs) {
        S = long_run_covariance(block_sums(record, J, residual, p, use, 0), p, 0);
        const double runs = double(record.runs.size());
        for (double& s : S) s *= runs / std::max(1.0, runs - 1);
        degrees = runs - 1;
    } else {
        const std::size_t length = std::max<std::size_t>(1, record.rows() / 4000);
        const Blocks blocks = block_sums(record, J, residual, p, use, length);
        const double count = double(blocks.count());
        const double lag = std::min(std::max(1.3 * std::sqrt(count), andrews_lag(blocks, p)), count / 8);
        S = long_run_covariance(blocks, p, std::size_t(std::lround(lag)));
        degrees = 1.5 * count / std::max(lag, 1.0);
    }
    std::vector<double> out = sandwich(inverse, S, p);
    const double n = double(folded.rows);
    for (double& c : out) c *= n / std::max(1.0, n - double(p));
    return {std::move(out), degrees};
}

double robust_scale(std::span<const double> residual, std::span<const std::uint8_t> use) {
    std::vector<double> size;
    for (std::size_t i = 0; i < residual.size(); ++i)
        if (use[i]) size.push_back(std::abs(residual[i]));
    if (size.empty()) return 0;
    const auto middle = size.begin() + std::ptrdiff_t(size.size() / 2);
    std::nth_element(size.begin(), middle, size.end());
    return 3 * 1.4826 * *middle;
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
