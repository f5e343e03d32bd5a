// Parts that the fixed steps of rigs and machines share: the grid of the steps, compensated sums, the friction force at an instant.
#pragma once
#include <bristle/contact.hpp>
#include <bristle/simulate/setup.hpp>

#include <algorithm>

namespace bristle::inline simulation {

// Ends of steps: on the grid of Run::step, with an extra step to each corner of an input; no step is shorter than rounding.
class FixedGrid {
  public:
    explicit FixedGrid(const Run& run) : run_(run) {}
    // Returns the end of the next step [s].
    double next(double corner) {
        const double step = run_.step, grid = std::min(double(i_) * step, run_.duration);
        const double end = grid > run_.duration - 1e-9 * step ? run_.duration : grid;
        const double to = corner < end - 1e-9 * step ? corner : end;
        if (to == end) ++i_;
        return to;
    }

  private:
    const Run& run_;
    long i_ = 1;
};

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
