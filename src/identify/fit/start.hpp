// Start values of each law from the static stage, and a scan of the bristle stiffness.
#pragma once
#include "identify/fit/static_stage.hpp"

namespace bristle::inline identification {

// The law of a kind with numbers from the static curve and a stiffness [N/m]; over two curves if directions differ.
AnyLaw start_law(std::string_view kind, const StaticStage& stage, double sigma0, bool own_directions, double inertia);

// True for a law with a curve for each direction.
bool has_two_directions(const AnyLaw& law);

// The stage with the curve tanh(c v) (Fc + (Fs - Fc) exp(-(v/vs)^2)) + sigma2 v, for static laws over smooth curves: the static stage takes
// a smooth start for Fs < Fc. By linear least squares on a grid of c and vs, on about 2000 rows.
StaticStage smooth_stage(const Prepared& record, const Axis& axis, const StaticStage& stage,
                         std::span<const std::uint8_t> use);

// A start of a bristle law: stiffness [N/m], and its static curve.
struct BristleStart {
    double sigma0 = 1;
    StaticStage stage;  // curves scaled to the level that fits best
    double cost = 0;    // sum of squares
};
// Mean of the load channel [N]; 1 without one: the levels of the static stage are then forces.
double mean_load(const Prepared& record);

// The start at one deflection level/sigma0 [m]. The cost is infinite if the response is not finite.
BristleStart start_at(const Prepared& record, const Axis& axis, const StaticStage& curves, double deflection,
                      std::span<const std::uint8_t> use);
// Starts by increasing error. For each deflection on a grid the force of LuGre without damping is linear in the size of its level,
// so the level is found with the stiffness: over the curve of the static stage, and over a constant level (which a record without
// sliding needs). Empty for static points.
std::vector<BristleStart> bristle_starts(const Prepared& record, const Axis& axis, const StaticStage& stage,
                                         std::span<const std::uint8_t> use);

// Improves the parameters that enter the force linearly (sigma1, sigma2, terms) at the given start; returns the sum of squares.
double improve_linear(const FitProblem& problem, std::vector<double>& values, std::span<const std::uint8_t> use);

}  // namespace bristle::identification
