// Parts that the fixed steps of rigs and machines share: the grid of the steps, reversals, compensated sums, the friction force at an
// instant.
#pragma once
#include <bristle/contact.hpp>
#include <bristle/simulate/setup.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace bristle::inline simulation {

// Ends of steps: on the grid of Run::step, with an extra step to each corner of an input. A corner closer than slack() to the grid
// replaces that point, so that no step is shorter.
class FixedGrid {
  public:
    explicit FixedGrid(const Run& run) : run_(run) {}
    double slack() const { return 1e-9 * run_.step; }  // s; instants that are closer count as one
    // Returns the end of the next step [s]. corner: the first one after t + slack().
    double next(double corner) {
        const double grid = std::min(double(i_) * run_.step, run_.duration);
        const double end = grid > run_.duration - slack() ? run_.duration : grid;
        if (corner < end - slack()) return corner;
        ++i_;
        return corner <= end + slack() && end < run_.duration ? corner : end;
    }

  private:
    const Run& run_;
    long i_ = 1;
};

// Returns the instant at which a contact velocity reverses or stops between the ends of a step, if it does. It is linear in between.
// still: no reversal between two speeds up to this [m/s].
inline std::optional<double> reversal_between(double from, double to, double before, double now, double still) {
    if (std::abs(before) <= still && std::abs(now) <= still) return std::nullopt;
    if (!(before * now < 0 || (now == 0 && before != 0))) return std::nullopt;
    return from + (to - from) * before / (before - now);
}

// Compensated sum of many small terms (Kahan).
class Sum {
  public:
    Sum() = default;
    explicit Sum(double start) : value_(start) {}
    void operator+=(double term) {
        const double next = term - rounding_, sum = value_ + next;
        rounding_ = (sum - value_) - next;
        value_ = sum;
    }
    double value() const { return value_; }

  private:
    double value_ = 0, rounding_ = 0;
};

// Returns the friction force at an instant [N]; 0 for a dry static law at c = 0, whose force depends on the rest of the system. rise:
// sign of dc/dt, the branch of the hysteretic law.
template <class Law>
double force_at_instant(const Law& law, const typename Law::State& state, double c, double load,
                        [[maybe_unused]] double rise) {
    if constexpr (StaticLaw<Law>)
        return SticksExactly<Law> && c == 0 ? 0 : force(law, c, load);
    else if constexpr (RemembersVelocity<Law>)
        return force(law, state.z, c, load, sign0(rise));
    else if constexpr (requires { state.z; })
        return force(law, state.z, c, load);
    else
        return force(law, state, c, load);
}

}  // namespace bristle::simulation
