// Standard errors, intervals and identifiability of a fitted law.
#pragma once
#include "identify/fit/law_fit.hpp"

namespace bristle::inline identification {

struct Uncertainty {
    std::vector<double> covariance;          // p x p, row by row
    double classic_factor = 1;               // robust over classic standard error, median over the parameters
    std::vector<double> degrees_of_freedom;  // of each variance
};
// independent_rows: of the residuals.
Uncertainty uncertainty_of(const FitContext& context, const FittedLaw& law, double independent_rows);

// Parameters with values, errors, intervals and identifiability; findings on them are appended.
std::vector<FittedParameter> described_parameters(const FittedLaw& law, const Uncertainty& uncertainty,
                                                  std::vector<FitFinding>& findings);

// Replaces the findings on single parameters: at a bound, not identifiable, weak.
void add_parameter_findings(const std::vector<FittedParameter>& parameters, std::vector<FitFinding>& findings);

// The answer for a law: errors, parameters with intervals, covariance, findings on parameters.
LawFit described(const FitContext& context, const FittedLaw& law, double independent_rows);

// Adds the change of the values between other bandwidths to intervals, standard errors and covariance, where it exceeds the standard
// error; identifiability is judged again.
void add_sensitivity(const FittedLaw& law, const std::vector<FittedLaw>& others, LawFit& out);

}  // namespace bristle::identification
