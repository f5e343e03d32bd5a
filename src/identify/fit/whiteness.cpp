// Ljung-Box test of residuals after the filter.
#include "identify/fit/whiteness.hpp"

#include "identify/signals/stretches.hpp"
#include "numerics/chi_square.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::inline identification {

namespace {

// Rows of the test: twelve periods of the bandwidth, after which the filter has settled.
constexpr std::size_t prediction_order = 24;

// Prediction of a stationary signal from 0, 1, 2 ... rows before, by the recursion of Levinson and Durbin.
struct Predictor {
    std::vector<std::vector<double>> coefficients;  // [order][j]: of the row j + 1 before
    std::vector<double> variance;                   // of the error, divided by that of the signal
};
Predictor predictor_of(const std::vector<double>& autocorrelation) {
    Predictor out{{{}}, {1}};
    for (std::size_t order = 1; order < autocorrelation.size(); ++order) {
        const std::vector<double>& last = out.coefficients.back();
        double numerator = autocorrelation[order];
        for (std::size_t j = 0; j < last.size(); ++j) numerator -= last[j] * autocorrelation[order - 1 - j];
        const double reflection = numerator / out.variance.back();
        const double variance = out.variance.back() * (1 - reflection * reflection);
        if (!(variance > 1e-9)) break;
        std::vector<double> next = last;
        for (std::size_t j = 0; j < last.size(); ++j) next[j] -= reflection * last[last.size() - 1 - j];
        next.push_back(reflection);
        out.coefficients.push_back(std::move(next));
        out.variance.push_back(variance);
    }
    return out;
}

// Errors of prediction of unbroken rows, divided by their standard deviation.
std::vector<double> prediction_errors(const Predictor& predictor, const std::vector<double>& rows) {
    std::vector<double> out(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::size_t order = std::min(i, predictor.coefficients.size() - 1);
        double error = rows[i];
        for (std::size_t j = 0; j < order; ++j) error -= predictor.coefficients[order][j] * rows[i - 1 - j];
        out[i] = error / std::sqrt(predictor.variance[order]);
    }
    return out;
}

// Unbroken sequences of rows to test.
std::vector<std::vector<double>> tested_rows(const Prepared& record, std::span<const double> residual,
                                             std::span<const std::uint8_t> use, double& interval) {
    std::vector<std::vector<double>> out;
    Predictor predictor;
    double period = 0;
    std::size_t step = 1;
    for (const PreparedRun& run : record.runs) {
        if (run.dt != period) {
            period = run.dt;
            const bool filtered = record.bandwidth > 0 && record.bandwidth < 0.45 / run.dt;
            step = filtered ? std::size_t(std::max(1.0, std::round(0.5 / (record.bandwidth * run.dt)))) : 1;
            predictor =
                predictor_of(filtered ? filter_autocorrelation(record.bandwidth, 1 / run.dt, prediction_order + 1, step)
                                      : std::vector<double>{1});
            if (out.empty()) interval = double(step) * run.dt;
        }
        // one grid of rows per run: neighbouring stretches of rows between it would share noise
        const std::size_t count = (run.size + step - 1) / step;
        for_each_stretch(
            count, [&](std::size_t i) { return use[run.begin + i * step] != 0; },
            [&](std::size_t begin, std::size_t end) {
                std::vector<double> rows;
                for (std::size_t i = begin; i < end; ++i) rows.push_back(residual[run.begin + i * step]);
                out.push_back(prediction_errors(predictor, rows));
            });
    }
    return out;
}

}  // namespace

// The impulse response of a zero-phase filter is even, so that its autocorrelation is the response to two passes.
std::vector<double> filter_autocorrelation(double bandwidth, double sample_rate, std::size_t count, std::size_t step) {
    const auto settled = std::size_t(std::ceil(16 * sample_rate / bandwidth));  // the slowest pole has decayed to 1e-16
    const std::size_t reach = std::max(settled, count * step);
    std::vector<double> response(2 * reach + 1, 0.0), out(count);
    response[reach] = 1;
    const ZeroPhaseFilter filter(bandwidth, sample_rate);
    filter.apply(response);
    filter.apply(response);
    for (std::size_t k = 0; k < count; ++k) out[k] = response[reach + k * step] / response[reach];
    return out;
}

WhitenessTest whiteness_of(const Prepared& record, std::span<const double> residual,
                           std::span<const std::uint8_t> use) {
    WhitenessTest out;
    if (record.points) return out;
    const std::vector<std::vector<double>> stretches = tested_rows(record, residual, use, out.interval);
    double squares = 0;
    for (const auto& rows : stretches) {
        out.rows += rows.size();
        for (const double x : rows) squares += x * x;
    }
    if (out.rows < least_tested_rows || !(squares > 0)) return out;
    const double n = double(out.rows);
    double sum = 0;
    for (std::size_t lag = 1; lag <= std::size_t(whiteness_lags); ++lag) {
        double product = 0;
        std::size_t pairs = 0;
        for (const auto& rows : stretches)
            for (std::size_t i = lag; i < rows.size(); ++i) {
                product += rows[i] * rows[i - lag];
                ++pairs;
            }
        if (pairs < least_pairs) break;
        sum += std::pow(product / squares, 2) / double(pairs);
        ++out.lags;
    }
    if (out.lags == 0) return out;
    out.statistic = n * (n + 2) * sum;
    out.p_value = numerics::chi_square_tail(out.statistic, out.lags);
    return out;
}

}  // namespace bristle::identification
