// Findings on the axis and the recommended law, and what to measure next.
#pragma once
#include "identify/fit/law_fit.hpp"

namespace bristle::inline identification {

// Fs < Fc, directions that differ, and a level that they share, from a described law.
std::vector<FitFinding> curve_findings(const LawFit& described, double max_speed);

// Delay, ripple, those of the curve, drift, filter in the force channel.
std::vector<FitFinding> axis_findings(const FitContext& context, const FittedLaw& law, const LawFit& described,
                                      double independent_rows);

// A gap in series that lowers the error of Maxwell-slip clearly: its width [m]; std::nullopt if there is none.
std::optional<FitFinding> backlash_finding(const FitContext& context, const FittedLaw& law, double independent_rows);

// Friction that grows less with the speed than the law says.
std::optional<FitFinding> concave_finding(const FitContext& context, const FittedLaw& law, double independent_rows);

// A force proportional to the acceleration that explains more than a quarter of the residual of a model without inertia: value is the
// inertia [kg], other the part of the sum of squares that it explains [1].
std::optional<FitFinding> inertia_finding(const FitContext& context, const FittedLaw& law, double independent_rows);
// The same with the law at the values of a rough fit, on all rows.
std::optional<FitFinding> inertia_finding_at(const FitContext& context, const FittedLaw& rough);

// False for a finding of the record that does not limit this fit: a resolution far below the motion and the deflection.
bool matters(const FitFinding& finding, const FitContext& context, const FittedLaw& law);

// Motions that would determine the parameters that this record does not.
std::vector<NextMeasurement> next_measurements(const FitContext& context, const LawFit& law);

}  // namespace bristle::identification
