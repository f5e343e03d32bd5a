// Laws with an equation in path length, N13 (7): one bristle that relaxes, over a curve that does not vanish at v = 0.
#pragma once
#include <bristle/contact.hpp>

namespace bristle::inline analysis::hysteresis {

template <class Law>
concept PathLengthLaw = BristleLaw<Law> && !RemembersVelocity<Law> &&
                        std::remove_cvref_t<decltype(bristle::detail::curve_of(std::declval<const Law&>()))>::sticks;

}  // namespace bristle::analysis::hysteresis
