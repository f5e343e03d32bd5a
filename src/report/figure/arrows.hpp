// Where the arrow heads of a path stand, that tell in which direction it is run through.
#pragma once
#include "report/figure/figure.hpp"

namespace bristle::report {

struct Arrow {
    double from_x, from_y, to_x, to_y;  // a short piece of the path; the head is at its end
};

// A few heads along each path of the panel, evenly spread over what is seen: a loop that is run through many times gets
// its heads once. [series]; empty for a series that is no path.
std::vector<std::vector<Arrow>> arrows(const Panel& panel);

}  // namespace bristle::report
