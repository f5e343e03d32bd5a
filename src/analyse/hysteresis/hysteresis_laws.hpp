// Which laws have an equation against the way (N13 7): a bristle that relaxes, over a curve that does not vanish at
// rest.
#pragma once
#include <bristle/contact.hpp>

namespace bristle::inline analysis {

template <class Law>
concept TravelsByWay = BristleLaw<Law> && !RemembersVelocity<Law> &&
                       std::remove_cvref_t<decltype(bristle::detail::curve_of(std::declval<const Law&>()))>::sticks;

}  // namespace bristle::inline analysis
