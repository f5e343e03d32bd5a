// Meaning of the rows of a law's parameter table, and whether a law has a number of a meaning.
#pragma once
#include <bristle/identify/fitted_quantity.hpp>
#include <bristle/simulate/law.hpp>

#include <string_view>

namespace bristle::inline identification {

// By the name of the row; other_of_law if no decision of a fit depends on it. Viscous friction is found by the equations instead
// (analyse/viscous.hpp), because its name varies.
FittedQuantity quantity_of_row(std::string_view name);

// True if the number of a row holds for v < 0 only.
inline bool is_of_negative_side(const Parameter& row) { return *row.group != '\0'; }

// True if the parameter table of the law has such a row.
bool has_row(const AnyLaw& law, FittedQuantity quantity);

}  // namespace bristle::identification
