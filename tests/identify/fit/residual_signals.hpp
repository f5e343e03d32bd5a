// Residuals with known statistics for tests: records of bare rows, AR(1) signals.
#pragma once
#include "identify/signals/prepare.hpp"

#include <cmath>
#include <random>

namespace bristle::inline identification::residual_signals {

// A record of runs of equal length; only the rows matter.
inline Prepared rows_of(std::size_t runs, std::size_t size) {
    Prepared out;
    for (std::size_t j = 0; j < runs; ++j) out.runs.push_back({{"run"}, j * size, size, 1e-3});
    out.v.assign(runs * size, 1.0);
    out.compared.assign(runs * size, 1);
    return out;
}
// Stationary AR(1): e_i = rho e_(i-1) + innovation of standard deviation 1.
inline std::vector<double> ar1(std::size_t n, double rho, std::mt19937_64& random) {
    std::normal_distribution<double> normal;
    std::vector<double> out(n);
    double e = normal(random) / std::sqrt(1 - rho * rho);
    for (double& x : out) {
        x = e;
        e = rho * e + normal(random);
    }
    return out;
}
inline double mean_of(const std::vector<double>& x) {
    double sum = 0;
    for (const double e : x) sum += e;
    return sum / double(x.size());
}
inline std::vector<double> about_mean(std::vector<double> x) {
    const double mean = mean_of(x);
    for (double& e : x) e -= mean;
    return x;
}

}  // namespace bristle::identification::residual_signals
