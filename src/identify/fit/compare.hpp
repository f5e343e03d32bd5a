// Comparison of laws on one record: information criterion, verdicts, order.
#pragma once
#include "identify/fit/law_fit.hpp"

namespace bristle::inline identification {

// Sets bic and verdict of each law and sorts them: usable ones by BIC, refused ones last. Returns true if one is recommended.
//   BIC = N ln(sum of squares/rows) + parameters ln N,   N the number of independent rows of the best law
// refused: held-out R^2 < 0.5 or held-out error above twice the least one; inertia < 0; a law with fewer parameters has the same BIC
// or a lower one, and a held-out error at most 5 % larger. Recommended: the least BIC, unless its held-out error is 10 % above the least one;
// of laws within 10 % of that error, the one with the fewest parameters that the record does not determine.
bool compare(std::vector<LawFit>& laws, const std::vector<double>& costs, double independent_rows, bool held_out);

}  // namespace bristle::identification
