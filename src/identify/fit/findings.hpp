// Findings on the axis and the recommended law, and what to measure next.
#pragma once
#include "identify/fit/law_fit.hpp"

namespace bristle::inline identification {

// Delay, ripple, asymmetry, Fs < Fc, drift, filter in the force channel.
std::vector<FitFinding> axis_findings(const FitContext& context, const FittedLaw& law, const LawFit& described,
                                      double independent_rows);

// A gap in series that lowers the error of Maxwell-slip clearly: its width [m]; std::nullopt if there is none.
std::optional<FitFinding> backlash_finding(const FitContext& context, const FittedLaw& law, double independent_rows);

// Friction that grows less than linearly with the speed, from the fit of Coulomb and viscous friction.
std::optional<FitFinding> concave_finding(const FitContext& context, const FittedLaw& coulomb, double independent_rows);

// False for a finding of the record that does not limit this fit: a resolution far below the motion and the deflection.
bool matters(const FitFinding& finding, const FitContext& context, const FittedLaw& law);

// Motions that would determine the parameters that this record does not.
std::vector<NextMeasurement> next_measurements(const FitContext& context, const LawFit& law);

}  // namespace bristle::identification
