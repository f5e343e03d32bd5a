// Friction in steady sliding of a fitted law, and its standard error from the covariance of the parameters.
#include "report/fit/fit_report.hpp"

#include <bristle/contact.hpp>
#include <bristle/simulate/keyed.hpp>

#include <cmath>
#include <limits>

namespace bristle::report {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// Key of a parameter of the law in a set-up: law.negative.Fc if it holds for v < 0 only, else law.Fc. Lists keep their index.
std::string key_of(const FittedParameter& p) { return (p.direction < 0 ? "law.negative." : "law.") + p.table_name; }

}  // namespace

double steady_force(const AnyLaw& law, double v, double load) {
    if (!(std::abs(v) > 0)) return unknown;
    return std::visit(
        [&]<class Law>(const Law& one) {
            Contact<Law> contact{one};
            // path lengths [m or rad] far above every bristle deflection: the end of the last step is steady sliding
            double force = unknown;
            for (const double path : {0.1, 1.0, 10.0}) force = contact.step(v, path / std::abs(v), load).force_end;
            return std::isfinite(force) ? force : unknown;
        },
        law);
}

double steady_force_error(const LawFit& fit, double v, double load) {
    const std::size_t n = fit.covariance_names.size();
    if (n == 0 || fit.covariance.size() != n * n) return unknown;
    Setup setup;
    setup.law = fit.law;
    std::vector<double> slope(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
        const FittedParameter* parameter = fit.parameter(fit.covariance_names[i]);
        if (parameter == nullptr || !parameter->of_law()) continue;
        const std::string key = key_of(*parameter);
        const auto at = number_at(setup, key);
        const double se = std::sqrt(fit.covariance[i * n + i]);
        if (!at || !(se > 0) || !std::isfinite(se)) continue;  // no number of the law, or fixed
        // a thousandth of the standard error: linear, and above rounding
        const double h = std::max(1e-3 * se, 1e-7 * std::abs(*at));
        slope[i] = (steady_force(with_number(setup, key, *at + h).law, v, load) -
                    steady_force(with_number(setup, key, *at - h).law, v, load)) /
                   (2 * h);
        if (!std::isfinite(slope[i])) return unknown;
    }
    double variance = 0;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            if (slope[i] != 0 && slope[j] != 0) variance += slope[i] * fit.covariance[i * n + j] * slope[j];
    return variance >= 0 ? std::sqrt(variance) : unknown;
}

}  // namespace bristle::report
