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

// One signal inside a table: its first number, and the numbers from one sample to the next.
struct Lane {
    double* first;
    std::size_t stride;
};

class ZeroPhaseFilter {
  public:
    // bandwidth in Hz, > 0 and below half the sample rate [Hz].
    ZeroPhaseFilter(double bandwidth, double sample_rate);

    // Filters signals of n samples in place. One sample stays as it is.
    void apply(std::span<const Lane> lanes, std::size_t n) const;
    // The same for the columns of a table of n rows.
    void apply(double* rows, std::size_t n, std::size_t lanes) const;
    void apply(std::vector<double>& signal) const { apply(signal.data(), signal.size(), 1); }

    // Samples by which the signal is continued at each end, if it has more than that many.
    std::size_t padding() const { return padding_; }

    struct Section {
        double b0, b1, b2, a1, a2;  // y = (b0 + b1/z + b2/z^2)/(1 + a1/z + a2/z^2) x
    };
    using Sections = std::array<Section, 2>;

  private:
    Sections sections_;
    std::size_t padding_;
};

}  // namespace bristle::identification
