// Arrow heads that show the direction of a path.
#pragma once
#include "report/figure/figure.hpp"

namespace bristle::report {

struct Arrow {
    double from_x, from_y, to_x, to_y;  // a short piece of the path; the head is at its end
};

// Returns a few heads along each path of the panel, evenly spaced in the picture. A loop that is repeated many times gets
// its heads once. [series]; empty for a series that is not a path.
std::vector<std::vector<Arrow>> arrows(const Panel& panel);

}  // namespace bristle::report
