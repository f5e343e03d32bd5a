// The nodes at which a force is given against the way, and the force there when time plays no part: N13 (10), and what
// takes its place for other laws.
#pragma once
#include <bristle/analyse/hysteresis.hpp>

namespace bristle::inline analysis {

// A point of a stroke. Each stroke has an odd number of nodes, evenly spaced in time (in u where it jumps), with both
// ends.
struct Node {
    double t, u, v, rho;
    double pace;       // du/dxi with xi from 0 to 1 along the stroke: the weight of F in the integral of F du
    double direction;  // psi'
    bool first;        // of its stroke
};
// points of each stroke; a stroke is divided at the time cut.
std::vector<Node> nodes_of(const Variation& variation, int points, double cut = 0);

// The integral of F du over the nodes from t on, by Simpson's rule on each stroke.
double area_of(const std::vector<Node>& nodes, const std::vector<PathPoint>& points, double from);

// The same way walked again and again without regard to time.
struct Walks {
    std::vector<std::vector<PathPoint>> passes;
    std::vector<PathPoint> settled;  // what the passes tend to
    double factor = 0;               // by which a pass brings two deflections closer; 0 where no closed form gives it
};
// Nothing for the law of B05. settled is left empty unless settle.
std::optional<Walks> walks_of(const AnyLaw& law, const std::vector<Node>& nodes, int passes, double z0, double load,
                              bool settle);

// What (7) and (10) need: a bristle over a curve that sticks.
struct RestLevels {
    double sigma0, rising, falling;  // N/m; g(0) for either direction [N]
    double on_force;                 // factor of the force from the load
};
std::optional<RestLevels> rest_levels(const AnyLaw& law, double load);

}  // namespace bristle::inline analysis
