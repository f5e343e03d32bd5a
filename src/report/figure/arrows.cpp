// Arrow heads along the paths of a phase plane.
#include "report/figure/arrows.hpp"
#include <algorithm>
#include <cmath>
#include <limits>

namespace bristle::report {

namespace {

// All lengths are in units of the panel, whose sides are 1 each.
constexpr double first_at = 0.15, spacing = 0.5, min_distance = 0.28, shaft = 0.02;
constexpr std::size_t max_arrows = 8;

struct Extent {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    void take(const std::vector<double>& values) {
        for (const double x : values)
            if (std::isfinite(x)) low = std::min(low, x), high = std::max(high, x);
    }
    double size() const { return high > low ? high - low : 1; }
};

}  // namespace

std::vector<std::vector<Arrow>> arrows(const Panel& panel) {
    Extent x, y;
    for (const Series& series : panel.series) {
        x.take(series.x);
        y.take(series.y);
    }
    const auto distance = [&](double from_x, double from_y, double to_x, double to_y) {
        return std::hypot((to_x - from_x) / x.size(), (to_y - from_y) / y.size());
    };
    std::vector<std::vector<Arrow>> all(panel.series.size());
    for (std::size_t s = 0; s < all.size(); ++s) {
        const Series& series = panel.series[s];
        if (series.mark != Mark::path) continue;
        double way = spacing - first_at;
        for (std::size_t i = 1; i < series.x.size() && all[s].size() < max_arrows; ++i) {
            const double whole = distance(series.x[i - 1], series.y[i - 1], series.x[i], series.y[i]);
            // a segment too short to have a direction gets no head; a long one is divided
            if (!std::isfinite(whole)) continue;
            const int parts = std::max(1, int(std::ceil(whole / shaft)));
            for (int k = 0; k < parts && all[s].size() < max_arrows; ++k) {
                const auto at = [&](const std::vector<double>& v, int n) {
                    return n == parts ? v[i] : v[i - 1] + (v[i] - v[i - 1]) * n / parts;
                };
                const Arrow piece{at(series.x, k), at(series.y, k), at(series.x, k + 1), at(series.y, k + 1)};
                way += whole / parts;
                if (way < spacing || whole < 1e-6) continue;
                const bool taken = std::any_of(all[s].begin(), all[s].end(), [&](const Arrow& other) {
                    return distance(other.to_x, other.to_y, piece.to_x, piece.to_y) < min_distance;
                });
                if (taken) continue;
                all[s].push_back(piece);
                way = 0;
            }
        }
    }
    return all;
}

}  // namespace bristle::report
