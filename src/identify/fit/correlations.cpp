// Correlations of the estimates of a fitted law.
#include <bristle/identify/fit.hpp>

#include <algorithm>
#include <cmath>

namespace bristle::inline identification {

std::vector<double> correlations(const LawFit& law) {
    const std::size_t n = law.covariance_names.size();
    if (n == 0 || law.covariance.size() != n * n) return {};
    std::vector<double> out(n * n, std::numeric_limits<double>::quiet_NaN()), deviation(n);
    for (std::size_t i = 0; i < n; ++i) {
        deviation[i] = std::sqrt(law.covariance[i * n + i]);  // NaN if negative
        // a parameter without any effect has an infinite standard error; residuals alone leave a finite number in its covariance
        const FittedParameter* parameter = law.parameter(law.covariance_names[i]);
        if (parameter && !(parameter->se > 0 && std::isfinite(parameter->se))) deviation[i] = 0;
    }
    const auto is_known = [&](std::size_t i) { return deviation[i] > 0 && std::isfinite(deviation[i]); };
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            if (!is_known(i) || !is_known(j)) continue;
            const double r = law.covariance[i * n + j] / deviation[i] / deviation[j];
            if (std::isfinite(r)) out[i * n + j] = i == j ? 1 : std::clamp(r, -1.0, 1.0);  // rounding
        }
    return out;
}

std::vector<CorrelatedPair> correlated_pairs(const LawFit& law) {
    const std::vector<double> r = correlations(law);
    const std::size_t n = law.covariance_names.size();
    std::vector<CorrelatedPair> out;
    if (r.empty()) return out;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 1; j < n; ++j)
            if (std::isfinite(r[i * n + j]))
                out.push_back({law.covariance_names[i], law.covariance_names[j], r[i * n + j]});
    std::stable_sort(out.begin(), out.end(), [](const CorrelatedPair& a, const CorrelatedPair& b) {
        return std::abs(a.correlation) > std::abs(b.correlation);
    });
    return out;
}

}  // namespace bristle::identification
