// Autocorrelation, errors and scale of residuals.
#include "identify/fit/statistics.hpp"

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

double robust_scale(std::span<const double> residual, std::span<const std::uint8_t> use) {
    std::vector<double> size;
    for (std::size_t i = 0; i < residual.size(); ++i)
        if (use[i]) size.push_back(std::abs(residual[i]));
    if (size.empty()) return 0;
    const auto middle = size.begin() + std::ptrdiff_t(size.size() / 2);
    std::nth_element(size.begin(), middle, size.end());
    return 3 * 1.4826 * *middle;
}

}  // namespace bristle::identification
