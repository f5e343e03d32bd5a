// Example laws: every kind with the examples of its parameter table, those of Canudas de Wit et al. (1995), C95, if C95 has them.
#pragma once
#include <bristle/simulate/law.hpp>

namespace bristle::inline simulation {

// Returns the law of a kind with the example values of its parameters.
inline AnyLaw c95_law(std::string_view kind) {
    AnyLaw law = *law_of_kind(kind);
    std::visit([](auto& l) { set_example(l); }, law);
    return law;
}

}  // namespace bristle::simulation
