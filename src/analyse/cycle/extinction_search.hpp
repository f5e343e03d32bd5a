// Extinctions of stick-slip by simulation, along one parameter and in a plane of two. Needs no cycle at the start values
// of a plane, and no fold or flip that shooting can follow.
// Progress is called from several threads at once: pass a part of a SharedProgress.
#pragma once
#include <bristle/analyse/cycle.hpp>

namespace bristle::inline analysis::cycle {

struct ExtinctionSearch {
    int strides = 20;               // steps from start to toward
    double accuracy = 1e-7;         // of the bisection, as a fraction of the parameter
    bool continues_motions = true;  // if no start finds a cycle, one motion is continued while the parameter changes
};
// cycle_extinction with these numbers.
CycleExtinction extinction_between(const Family& family, double start, double toward, ExtinctionSearch search,
                                   const CycleOptions& options, const Progress& progress);

// Returns whether there is a stable cycle on a grid of columns x rows points, without the undecided ones.
std::vector<BoundaryGridPoint> sample_grid(const Family2& family, Window first, Window second, int columns, int rows,
                                           const CycleOptions& options, const Progress& progress);

// Extinctions between points of a coarse grid that differ, by rising second parameter.
struct Extinctions {
    std::vector<BoundaryPoint> points;
    std::vector<BoundaryGridPoint> grid;
};
// Searches along the first parameter for `rows` values of the second one, and along the second one for each column of
// the grid.
Extinctions extinctions_in(const Family2& family, Window first, Window second, int rows, const CycleOptions& options,
                           const Progress& progress);

}  // namespace bristle::analysis::cycle
