// The boundary of stick-slip in two parameters, seen by following motions: a coarse grid tells where it lives, and
// between neighbours that differ cycle_extinction looks for the place. Needs no cycle at the file's values, and nothing that
// shooting could follow. Progress is told by several threads at once: it has to be that of a SharedProgress.
#pragma once
#include <bristle/analyse/cycle.hpp>

namespace bristle::inline analysis {

// cycle_extinction with so many steps from start to toward, halved down to this share of the parameter.
struct DeathSearch {
    int strides = 20;
    double accuracy = 1e-7;
    bool carry = true;  // where no start finds it, the motion itself is carried on while the parameter changes
};
std::optional<double> death_between(const Family& family, double start, double toward, DeathSearch search,
                                    const CycleOptions& options, const Progress& progress);

// Whether stick-slip lives, on a grid of about columns x rows places; those that motions do not tell are left out.
std::vector<BoundaryLook> look_around(const Family2& family, Window first, Window second, int columns, int rows,
                                      const CycleOptions& options, const Progress& progress);

// Boundary points for so many values of the second parameter, and for each column of the grid, by rising second
// parameter; and what they rest on.
struct Deaths {
    std::vector<BoundaryPoint> points;
    std::vector<BoundaryLook> grid;
};
Deaths deaths_in(const Family2& family, Window first, Window second, int rows, const CycleOptions& options,
                 const Progress& progress);

}  // namespace bristle::inline analysis
