// Zero-phase low-pass filter: a Butterworth filter of order 4, once forwards and once backwards.
//
// At both ends the signal is continued by point reflection (odd extension) and each section starts in its steady state, as usual for
// zero-phase filtering. Gain at the bandwidth: 1/2 (-3 dB in each direction).
#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace bristle::inline identification {

class ZeroPhaseFilter {
  public:
    // bandwidth in Hz, > 0 and below half the sample rate [Hz].
    ZeroPhaseFilter(double bandwidth, double sample_rate);

    // Filters `lanes` signals at once, in place: row i holds sample i of each. Rows: n. One row stays as it is.
    void apply(double* rows, std::size_t n, std::size_t lanes) const;
    void apply(std::vector<double>& signal) const { apply(signal.data(), signal.size(), 1); }

    // Samples by which the signal is continued at each end, if it has more than that many.
    std::size_t padding() const { return padding_; }

  private:
    struct Section {
        double b0, b1, b2, a1, a2;  // y = (b0 + b1/z + b2/z^2)/(1 + a1/z + a2/z^2) x
    };
    std::array<Section, 2> sections_;
    std::size_t padding_;
};

}  // namespace bristle::identification
