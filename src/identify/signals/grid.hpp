// A run on an even grid of times, before filtering.
#pragma once
#include <bristle/identify/record.hpp>

namespace bristle::inline identification {

struct GridRun {
    double dt = 0, t0 = 0;  // s
    bool even = false;      // the sample period varies by at most 1 % of its median, except over missing rows
    std::vector<double> x, v, a, y, load;
    std::vector<std::uint8_t> used, clipped;
    std::vector<std::uint8_t> missing;  // interpolated over missing rows; empty: none
};

// Rows of a run at times t0 + i dt. The rows are the measured ones if the period is even and no row is missing, i.e. no period exceeds 1.7
// medians. If rows are missing, those within 1 % of a period of the grid are the measured ones. All others are interpolated; they are
// marked as not used if rows are missing around them. `clipped` marks rows of the run whose measured force is at a limit.
GridRun on_grid(const MeasuredRun& run, Measurand measured, std::vector<std::uint8_t>&& clipped);

}  // namespace bristle::identification
