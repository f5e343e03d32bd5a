// Blocks of port-Hamiltonian systems: mass, spring, damper, plate, friction of a law chosen at run time.
#include <bristle/analyse/port_hamiltonian.hpp>
#include <bristle/base/error.hpp>

#include <cmath>

namespace bristle::inline analysis::port_hamiltonian {

namespace block {

// K08 (35)
System mass(double mass) {
    System b;
    b.states = {"p"};
    b.follows_input = false;
    b.stiffness = [mass](const Vector&) { return Vector{1 / mass}; };
    b.structure_of = [](const Instant&) {
        Structure s(1, 1);
        s.G(0, 0) = 1;
        return s;
    };
    return b;
}

System spring(double stiffness) {
    System b;
    b.states = {"l"};
    b.follows_input = false;
    b.stiffness = [stiffness](const Vector&) { return Vector{stiffness}; };
    b.structure_of = [](const Instant&) {
        Structure s(1, 1);
        s.G(0, 0) = 1;
        return s;
    };
    return b;
}

namespace {
// y = resistance u
System resistor(double resistance) {
    System b;
    b.follows_input = false;
    b.stiffness = [](const Vector&) { return Vector{}; };
    b.structure_of = [resistance](const Instant&) {
        Structure s(0, 1);
        s.S(0, 0) = resistance;
        return s;
    };
    return b;
}
}  // namespace

System damper(double viscosity) { return resistor(viscosity); }
System plate(double viscosity) { return resistor(1 / viscosity); }

System friction(const AnyLaw& law) {
    return std::visit(
        [&](const auto& l) -> System {
            if constexpr (OneBristle<std::remove_cvref_t<decltype(l)>>)
                return friction(l);
            else
                throw Error("port-Hamiltonian friction: the state of " + std::string(kind_of(law)) +
                            " is not one bristle deflection; use lugre or a relative, dahl or elastoplastic");
        },
        law);
}

}  // namespace block

namespace detail {
void require_load(double N, bool may_vanish) {
    if (!((N > 0 || (may_vanish && N == 0)) && std::isfinite(N)))
        throw Error("port-Hamiltonian friction: a normal load must be finite and > 0");
}
}  // namespace detail

}  // namespace bristle::analysis::port_hamiltonian
