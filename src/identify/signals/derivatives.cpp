// Five-point differences.
#include "identify/signals/derivatives.hpp"

#include <cstddef>

namespace bristle::inline identification {

std::vector<double> differentiated(const std::vector<double>& x, double dt) {
    const std::size_t n = x.size();
    std::vector<double> v(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        if (i >= 2 && i + 2 < n)
            v[i] = (x[i - 2] - 8 * x[i - 1] + 8 * x[i + 1] - x[i + 2]) / (12 * dt);
        else if (i >= 1 && i + 1 < n)
            v[i] = (x[i + 1] - x[i - 1]) / (2 * dt);
        else if (n > 1)
            v[i] = i == 0 ? (x[1] - x[0]) / dt : (x[n - 1] - x[n - 2]) / dt;
    }
    return v;
}

std::vector<double> differentiated_twice(const std::vector<double>& x, double dt) {
    const std::size_t n = x.size();
    std::vector<double> a(n, 0.0);
    for (std::size_t i = 1; i + 1 < n; ++i)
        a[i] = i >= 2 && i + 2 < n ? (-x[i - 2] + 16 * x[i - 1] - 30 * x[i] + 16 * x[i + 1] - x[i + 2]) / (12 * dt * dt)
                                   : (x[i - 1] - 2 * x[i] + x[i + 1]) / (dt * dt);
    if (n > 2) {
        a[0] = a[1];
        a[n - 1] = a[n - 2];
    }
    return a;
}

}  // namespace bristle::identification
