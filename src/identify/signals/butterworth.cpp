// Butterworth sections by the bilinear transform, applied forwards and backwards.
#include "identify/signals/butterworth.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace bristle::inline identification {

ZeroPhaseFilter::ZeroPhaseFilter(double bandwidth, double sample_rate) {
    // analogue prototype poles at angles 22.5 and 67.5 degrees; k = tan(pi f/fs) maps the bandwidth exactly
    const double k = std::tan(std::numbers::pi * bandwidth / sample_rate);
    for (std::size_t i = 0; i < sections_.size(); ++i) {
        const double damping = 2 * std::sin(std::numbers::pi * (2 * double(i) + 1) / 8);  // 1/Q
        const double norm = 1 / (1 + damping * k + k * k);
        const double b = k * k * norm;
        sections_[i] = {b, 2 * b, b, 2 * (k * k - 1) * norm, (1 - damping * k + k * k) * norm};
    }
    padding_ = std::size_t(std::ceil(2 * sample_rate / bandwidth));
}

namespace {

// One pass of a section over all rows, starting in the steady state of the first row; step is +lanes or -lanes.
template <class Section>
void pass(const Section& s, double* row, std::size_t n, std::ptrdiff_t step, std::size_t lanes,
          std::vector<double>& state) {
    // direct form II transposed; steady state for a constant x: y = x, z2 = (b2 - a2) x, z1 = (b1 - a1) x + z2
    double* z1 = state.data();
    double* z2 = z1 + lanes;
    for (std::size_t l = 0; l < lanes; ++l) {
        z2[l] = (s.b2 - s.a2) * row[l];
        z1[l] = (s.b1 - s.a1) * row[l] + z2[l];
    }
    for (std::size_t i = 0; i < n; ++i, row += step)
        for (std::size_t l = 0; l < lanes; ++l) {
            const double x = row[l], y = s.b0 * x + z1[l];
            z1[l] = s.b1 * x - s.a1 * y + z2[l];
            z2[l] = s.b2 * x - s.a2 * y;
            row[l] = y;
        }
}

}  // namespace

void ZeroPhaseFilter::apply(double* rows, std::size_t n, std::size_t lanes) const {
    if (n < 2 || lanes == 0) return;
    const std::size_t pad = std::min(padding_, n - 1), all = n + 2 * pad;
    std::vector<double> work(all * lanes), state(2 * lanes);
    std::copy(rows, rows + n * lanes, work.data() + pad * lanes);
    for (std::size_t i = 1; i <= pad; ++i)
        for (std::size_t l = 0; l < lanes; ++l) {
            work[(pad - i) * lanes + l] = 2 * rows[l] - rows[i * lanes + l];
            work[(pad + n - 1 + i) * lanes + l] = 2 * rows[(n - 1) * lanes + l] - rows[(n - 1 - i) * lanes + l];
        }
    const auto step = std::ptrdiff_t(lanes);
    for (const Section& s : sections_) pass(s, work.data(), all, step, lanes, state);
    for (const Section& s : sections_) pass(s, work.data() + (all - 1) * lanes, all, -step, lanes, state);
    std::copy_n(work.data() + pad * lanes, n * lanes, rows);
}

}  // namespace bristle::identification
