// Nodes of a path, and the rate-independent force at them: N13 (10), or a quasi-static motion for laws without N13 (7).
#pragma once
#include <bristle/analyse/hysteresis.hpp>

namespace bristle::inline analysis::hysteresis {

// A point of a stroke. Each stroke has an odd number of nodes with both ends, evenly spaced in time (in u if it jumps).
struct Node {
    double t, u, v, rho;
    double du_dxi;     // with xi from 0 to 1 along the stroke: the weight of F in the integral of F du
    double direction;  // psi'
    bool first;        // of its stroke
};
// Returns points + 1 nodes for each stroke; a stroke is divided at the time cut.
std::vector<Node> nodes_of(const Variation& variation, int points, double cut = 0);

// Returns the integral of F du over the nodes from the time `from` on, by Simpson's rule on each stroke [J].
double area_of(const std::vector<Node>& nodes, const std::vector<PathPoint>& points, double from);

// The same path repeated, period after period, in the rate-independent limit.
struct Passes {
    std::vector<std::vector<PathPoint>> passes;
    std::vector<PathPoint> settled;  // limit of the passes, N13 (11)
    double contraction = 0;  // factor of the difference of two deflections per pass; 0 if there is no closed form
};
// std::nullopt for a law that stores its last velocity. settled is empty unless settle is true.
std::optional<Passes> passes_of(const AnyLaw& law, const std::vector<Node>& nodes, int count, double z0, double load,
                                bool settle);

// Coefficients of N13 (10): g(0) for both directions.
struct StaticLevels {
    double sigma0, rising, falling;  // N/m, N, N
    double on_force;                 // factor of the force from the load
};
// std::nullopt for a law without N13 (7).
std::optional<StaticLevels> static_levels(const AnyLaw& law, double load);

}  // namespace bristle::analysis::hysteresis
