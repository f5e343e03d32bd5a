// Butterworth sections by the bilinear transform, applied forwards and backwards to groups of signals.
//
// Signals are filtered side by side: the recursion of one is a chain of operations, each waiting for the one before. Compiled with -O3, so
// that the loops over a group become vector instructions.
#include "identify/signals/butterworth.hpp"

#include "identify/instruction_set.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
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

// Both sections of a group of signals: direct form II transposed.
template <std::size_t Group>
class Cascade {
  public:
    // Starts in the steady state of the first sample x; for a constant x: y = x, z2 = (b2 - a2) x, z1 = (b1 - a1) x + z2.
    Cascade(const ZeroPhaseFilter::Sections& sections, const double* first) : sections_(sections) {
        double x[Group];
        std::copy_n(first, Group, x);
        for (std::size_t s = 0; s < 2; ++s)
            for (std::size_t l = 0; l < Group; ++l) {
                const auto& c = sections_[s];
                z2_[s][l] = (c.b2 - c.a2) * x[l];
                z1_[s][l] = (c.b1 - c.a1) * x[l] + z2_[s][l];
                x[l] = c.b0 * x[l] + z1_[s][l];
            }
    }
    void pass(double* x) {
        for (std::size_t s = 0; s < 2; ++s) {
            const auto& c = sections_[s];
            for (std::size_t l = 0; l < Group; ++l) {
                const double in = x[l], out = c.b0 * in + z1_[s][l];
                z1_[s][l] = c.b1 * in - c.a1 * out + z2_[s][l];
                z2_[s][l] = c.b2 * in - c.a2 * out;
                x[l] = out;
            }
        }
    }

  private:
    const ZeroPhaseFilter::Sections sections_;
    double z1_[2][Group], z2_[2][Group];
};

// Filters samples of `Group` signals, sample by sample, forwards and backwards.
template <std::size_t Group>
void forwards_and_backwards(const ZeroPhaseFilter::Sections& sections, double* samples, std::size_t n) {
    Cascade<Group> forwards(sections, samples);
    for (std::size_t i = 0; i < n; ++i) forwards.pass(samples + i * Group);
    Cascade<Group> backwards(sections, samples + (n - 1) * Group);
    for (std::size_t i = n; i-- > 0;) backwards.pass(samples + i * Group);
}
template <std::size_t Group>
void baseline(const ZeroPhaseFilter::Sections& sections, double* samples, std::size_t n) {
    forwards_and_backwards<Group>(sections, samples, n);
}
#if BRISTLE_HAS_AVX2
template <std::size_t Group>
BRISTLE_AVX2_FUNCTION void wide(const ZeroPhaseFilter::Sections& sections, double* samples, std::size_t n) {
    forwards_and_backwards<Group>(sections, samples, n);
}
#endif

template <std::size_t Group>
void filter_group(const ZeroPhaseFilter::Sections& sections, std::span<const Lane> lanes, std::size_t n,
                  std::size_t pad, double* work) {
    const std::size_t all = n + 2 * pad, count = lanes.size();
    const auto load = [&](std::size_t i, double* to) {
        for (std::size_t l = 0; l < count; ++l) to[l] = lanes[l].first[i * lanes[l].stride];
        for (std::size_t l = count; l < Group; ++l) to[l] = 0;
    };
    for (std::size_t i = 0; i < n; ++i) load(i, work + (pad + i) * Group);
    const double *begin = work + pad * Group, *end = begin + (n - 1) * Group;
    for (std::size_t i = 1; i <= pad; ++i)
        for (std::size_t l = 0; l < Group; ++l) {
            work[(pad - i) * Group + l] = 2 * begin[l] - begin[i * Group + l];
            work[(pad + n - 1 + i) * Group + l] = 2 * end[l] - *(end - i * Group + l);
        }
#if BRISTLE_HAS_AVX2
    (uses_avx2() ? wide<Group> : baseline<Group>)(sections, work, all);
#else
    baseline<Group>(sections, work, all);
#endif
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t l = 0; l < count; ++l) lanes[l].first[i * lanes[l].stride] = work[(pad + i) * Group + l];
}

}  // namespace

void ZeroPhaseFilter::apply(std::span<const Lane> lanes, std::size_t n) const {
    if (n < 2) return;
    const std::size_t pad = std::min(padding_, n - 1);
    const auto work = std::make_unique_for_overwrite<double[]>((n + 2 * pad) * (lanes.size() > 1 ? 8 : 1));
    for (; lanes.size() > 1; lanes = lanes.subspan(std::min<std::size_t>(8, lanes.size())))
        filter_group<8>(sections_, lanes.first(std::min<std::size_t>(8, lanes.size())), n, pad, work.get());
    if (!lanes.empty()) filter_group<1>(sections_, lanes, n, pad, work.get());
}

void ZeroPhaseFilter::apply(double* rows, std::size_t n, std::size_t lanes) const {
    std::vector<Lane> all;
    for (std::size_t l = 0; l < lanes; ++l) all.push_back({rows + l, lanes});
    apply(all, n);
}

}  // namespace bristle::identification
