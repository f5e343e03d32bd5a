// Resolution, noise and bandwidth of an encoder.
#include "identify/signals/encoder.hpp"

#include "identify/signals/derivatives.hpp"
#include "identify/signals/stretches.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace bristle::inline identification {

namespace {

// Standard deviation that steps of an encoder [m] leave in the n-th derivative of a position filtered with a bandwidth [Hz]: rounding is
// white noise of resolution/sqrt(12), of which the filter passes the part below the bandwidth.
double encoder_noise(double resolution, double bandwidth, double dt, int n) {
    const double omega = 2 * std::numbers::pi * bandwidth;
    return resolution / std::sqrt(12.0) * std::sqrt(2 * bandwidth * dt) * std::pow(omega, n) / std::sqrt(2.0 * n + 1);
}

}  // namespace

double resolution_of(const std::vector<double>& x) {
    double least = 0;
    for (std::size_t i = 1; i < x.size(); ++i)
        if (const double d = std::abs(x[i] - x[i - 1]); d > 0 && (least == 0 || d < least)) least = d;
    const double size = std::max(std::abs(x.front()), std::abs(x.back()));
    if (least == 0 || least < 1e-12 * size) return 0;
    std::size_t multiples = 0;
    for (std::size_t i = 1; i < x.size(); ++i) {
        const double q = std::abs(x[i] - x[i - 1]) / least;
        multiples += std::abs(q - std::round(q)) < 0.05;
    }
    return double(multiples) > 0.9 * double(x.size() - 1) ? least : 0;
}

double motion_bandwidth(const std::vector<double>& position, double dt, double resolution, double bandwidth) {
    constexpr int grid_size = 12;
    constexpr double ratio = 1.25;
    const auto acceleration = [&](double b) {
        std::vector<double> x = position;
        ZeroPhaseFilter(b, 1 / dt).apply(x);
        return differentiated_twice(x, dt);
    };
    const std::vector<double> all = acceleration(bandwidth);
    const double limit = 2.5 * encoder_noise(resolution, bandwidth, dt, 2);
    const auto removes_noise_only = [&](double b) {
        const std::vector<double> left = acceleration(b);
        const auto window = std::max<std::size_t>(8, std::size_t(std::ceil(1 / (b * dt))));
        for (std::size_t from = window; from + 2 * window < left.size(); from += window) {
            double square = 0;
            for (std::size_t i = from; i < from + window; ++i) square += (all[i] - left[i]) * (all[i] - left[i]);
            if (square > limit * limit * double(window)) return false;
        }
        return true;
    };
    int low = 0, high = grid_size + 1;  // powers of the ratio: permitted, not permitted
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        (removes_noise_only(bandwidth / std::pow(ratio, middle)) ? low : high) = middle;
    }
    return std::min(bandwidth, 2 * bandwidth / std::pow(ratio, low));
}

void mark_directions(Prepared& out) {
    if (out.resolution <= 0 || out.bandwidth <= 0) return;
    out.velocity_error = encoder_noise(out.resolution, out.motion_bandwidth, 1 / out.sample_rate, 1);
    const auto reach = std::size_t(std::ceil(out.sample_rate / out.motion_bandwidth));
    out.direction.assign(out.rows(), Direction::sure);
    for (const PreparedRun& run : out.runs)
        for_each_stretch(
            run.size, [&](std::size_t i) { return std::abs(out.v[run.begin + i]) < 3 * out.velocity_error; },
            [&](std::size_t begin, std::size_t end) {
                const bool rest = end - begin > reach;
                for (std::size_t i = begin - std::min(begin, reach); i < std::min(run.size, end + reach); ++i) {
                    Direction& direction = out.direction[run.begin + i];
                    direction = std::min(direction, rest ? Direction::rest : Direction::unsure);
                }
            });
}

}  // namespace bristle::identification
