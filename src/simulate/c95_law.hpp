// Example laws: every kind with the parameters of Canudas de Wit et al. (1995), C95.
#pragma once
#include <bristle/simulate/law.hpp>

#include <cmath>

namespace bristle::inline simulation {

// Returns the law of a kind with the parameters of C95. Parameters that C95 does not have are our choice.
inline AnyLaw c95_law(std::string_view kind) {
    AnyLaw law = *law_of_kind(kind);
    std::visit(
        [](auto& l) {
            if constexpr (requires { l.nu; }) l.size = 4;
            std::remove_cvref_t<decltype(l)>::parameters(l, [](const Parameter& p, double& x) {
                const std::string_view name = p.name;
                x = name == "sigma0"                   ? 1e5
                    : name == "sigma1"                 ? std::sqrt(1e5)
                    : name == "sigma2" || name == "g6" ? 0.4
                    : name == "Fc" || name == "g4"     ? 1
                    : name == "Fs"                     ? 1.5
                    : name == "vs"                     ? 1e-3
                    : name == "alpha"                  ? 2
                    : name == "vc"                     ? 0.03
                    : name == "c"                      ? 1e3
                    : name == "a"                      ? 2e-6
                    : name == "a_scale"                ? 1
                    : name == "kappa"                  ? 0.5
                    : name == "k"                      ? 2.5e4
                    : name == "nu"                     ? 0.25
                    : name == "C"                      ? 10
                    : name == "g1"                     ? 0.7
                    : name == "g2" || name == "g5"     ? 2e3
                    : name == "g3"                     ? 1e2
                                                       : unset<double>();
            });
        },
        law);
    return law;
}

}  // namespace bristle::simulation
