// Period of a motion from its last two events [s].
#pragma once
#include <optional>

namespace bristle::inline simulation {

// Returns the time between two events of a periodic motion; std::nullopt if the next one is overdue by half a period at the end: the
// motion has died out.
inline std::optional<double> period_between(double before, double last, double end) {
    constexpr double overdue = 1.5;  // periods since the last event
    const double period = last - before;
    if (end - last > overdue * period) return {};
    return period;
}

}  // namespace bristle::simulation
