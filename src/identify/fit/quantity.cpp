// Table of the names of rows and their meaning.
#include "identify/fit/quantity.hpp"

#include <algorithm>
#include <iterator>

namespace bristle::inline identification {

FittedQuantity quantity_of_row(std::string_view name) {
    using Q = FittedQuantity;
    struct Row {
        std::string_view name;
        Q quantity;
    };
    static constexpr Row rows[] = {{"Fc", Q::Fc},         {"Fs", Q::Fs},           {"vs", Q::vs}, {"alpha", Q::alpha},
                                   {"sigma0", Q::sigma0}, {"sigma1", Q::sigma1},   {"vc", Q::vc}, {"kappa", Q::kappa},
                                   {"a", Q::a},           {"a_scale", Q::a_scale}, {"c", Q::c},   {"g1", Q::g1},
                                   {"g2", Q::g2},         {"g3", Q::g3},           {"g4", Q::g4}, {"g5", Q::g5},
                                   {"kc", Q::kc},         {"ks", Q::ks},           {"C", Q::C},   {"k", Q::k}};
    const auto row = std::find_if(std::begin(rows), std::end(rows), [&](const Row& r) { return r.name == name; });
    return row == std::end(rows) ? Q::other_of_law : row->quantity;
}

bool has_row(const AnyLaw& law, FittedQuantity quantity) {
    for (const LawNumber& number : numbers_of_law(law))
        if (quantity_of_row(number.parameter.name) == quantity) return true;
    return false;
}

}  // namespace bristle::identification
