// Fit of Maxwell-slip by non-negative least squares.
//
// With a constant level every element is a spring k_i in series with a slider that yields at the deflection d_i. For given
// deflections the force is linear in the stiffnesses k_i >= 0: no start and no false minimum. The deflections begin on a grid, which is
// refined around the elements that carry a force (up to 2e6 rows). The law has Fc = Fs = sum k_i d_i and
// nu_i = k_i d_i/Fc; its Stribeck curve is not fitted, and a robust loss does not apply. With a gap each element has the gap in series: it carries no force within it.
#pragma once
#include "identify/fit/problem.hpp"

namespace bristle::inline identification {

struct MaxwellFit {
    AnyLaw law;                             // empty list of elements if none is left
    std::vector<FreeParameter> parameters;  // k[i], d[i] (if refined), sigma2, terms
    std::vector<double> values;
    std::vector<double> deflection;  // d_i [m] of the elements
    FitProblem::Rows rows;
    double cost = 0;  // sum of squares over the rows used
};
// delay and gain: of the axis, not fitted here. gap: width of the backlash in series [m]. refine: false keeps the grid, in a fifth of the time.
MaxwellFit fit_maxwell(const Prepared& record, const Axis& axis, double gap, std::span<const std::uint8_t> use,
                       bool refine = true);

// True for a law of elements if gain or back_emf are to be found: linear least squares do not find them.
bool needs_given_gain(std::string_view kind, const FitModel& model);

// The best gap [m] on a grid, and by how much it lowers the sum of squares.
struct GapScan {
    double gap = 0;
    double ratio = 1;  // sum of squares with the gap/without
};
GapScan scan_gap(const Prepared& record, const Axis& axis, std::span<const std::uint8_t> use);

// Friction force [N] of a Maxwell-slip law with a constant level along the record, filtered.
std::vector<double> maxwell_force(const Prepared& record, const AnyLaw& law, double gap);

// The level Fc [N] of a fitted Maxwell-slip law, the sum of its stiffnesses times yield deflections, from the covariance of its parameters
// and the Student point of the interval.
FittedParameter maxwell_level(const AnyLaw& law, const std::vector<FreeParameter>& parameters,
                              std::span<const double> covariance, double student);
// Widens its interval by the largest change of the level between other fits, where that exceeds the standard error.
void widen_maxwell_level(std::span<const AnyLaw> others, FittedParameter& level);

}  // namespace bristle::identification
