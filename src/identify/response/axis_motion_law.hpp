// Simulation of the axis with one law; compiled by BRISTLE_RESPONSE together with the response of the force.
#pragma once
#include <bristle/coupled.hpp>

#include "identify/response/axis_motion.hpp"
#include "identify/response/dual_law.hpp"

namespace bristle::inline identification {

template <std::size_t Row>
void move_axis(const AnyLaw& law, const AxisNumbers& axis, const AxisColumns& columns, const AxisSegment& segment,
               double* rows);

namespace response_detail {

// Column of the unknown velocity of a step.
inline constexpr std::size_t unknown = axis_pass_width;

inline D number(double value, int column) {
    D out(value);
    if (column >= 0) out.d[column] = 1;
    return out;
}

// Puts the solution of the step equation for the unknown: adds its change and removes its column.
inline D substituted(const D& y, const D& change) {
    D out(y.v + y.d[unknown] * change.v);
    for (std::size_t k = 0; k < unknown; ++k) out.d[k] = y.d[k] + y.d[unknown] * change.d[k];
    return out;
}

// Torques of the axis at a state; S is double, a dual number over double, or D.
struct AxisForces {
    D inertia, gravity, gravity_cos, offset, gain, back_emf;
    AxisForces(const AxisNumbers& a, const AxisColumns& c)
        : inertia(number(a.inertia, c.inertia)),
          gravity(number(a.gravity, c.gravity)),
          gravity_cos(number(a.gravity_cos, c.gravity_cos)),
          offset(number(a.offset, c.offset)),
          gain(number(a.gain, c.gain)),
          back_emf(number(a.back_emf, c.back_emf)) {}
    D motor(double u, bool off, const D& v) const { return off ? D(0.0) : gain * (u - back_emf * v); }
    D weight(const D& x) const { return gravity * sin(x) + gravity_cos * cos(x); }
    D external(double u, bool off, const D& x, const D& v) const { return motor(u, off, v) - weight(x) - offset; }
    template <class S>
    S plain_external(double u, bool off, const S& x, const S& v) const {
        const S motor = off ? S(0.0) : S(gain.v * (u - back_emf.v * v));
        return motor - gravity.v * sin(x) - gravity_cos.v * cos(x) - offset.v;
    }
};

// The mass and the contact in plain numbers and in dual numbers, advanced side by side.
template <std::size_t Row, class From>
class MovingAxis {
  public:
    MovingAxis(const From& from, const AxisNumbers& axis, const AxisColumns& columns, const AxisSegment& segment)
        : law_(dual_law<Row>(from, PassColumns{columns.of_parameter, -1})),
          plain_(from),
          forces_(axis, columns),
          segment_(segment),
          x_(number(segment.x0, columns.x0)),
          v_(number(segment.v0, columns.v0)) {
        set_start_within(law_, state_, segment.start_force, load_at(0, 0.0, false, 0.0));
    }
    const D& x() const { return x_; }

    // From sample i to i + 1.
    void to_next_sample(std::size_t i) {
        const double dt = segment_.dt / segment_.substeps;
        const bool off = !segment_.drive_off.empty() && segment_.drive_off[i + 1];
        for (int k = 0; k < segment_.substeps; ++k) step(i, (k + 0.5) / segment_.substeps, off, dt);
    }

  private:
    // At the middle of a sub-step of dt [s], extrapolated with the acceleration of the one before.
    D load_at(std::size_t i, double fraction, bool off, double dt) const {
        const auto between = [&](std::span<const double> all) {
            return all[i] + (i + 1 < all.size() ? fraction * (all[i + 1] - all[i]) : 0.0);
        };
        if (!segment_.load.empty()) return D(between(segment_.load));
        if constexpr (LoadInCurve<From>)
            return abs(forces_.motor(between(segment_.u), off, v_ + (0.5 * dt) * a_) +
                       forces_.weight(x_ + (0.5 * dt) * v_));
        else
            return neutral_load<DualLaw<Row>>;
    }

    void step(std::size_t i, double fraction, bool off, double dt) {
        const double u = segment_.u[i] + fraction * (segment_.u[i + 1] - segment_.u[i]);
        const D load = load_at(i, fraction, off, dt);
        if constexpr (requires { state_.z; }) {
            auto state = plain_.state();
            state.z = state_.z.v;
            plain_.set(state);
        }
        motion_.x = x_.v;
        motion_.v = v_.v;
        const auto drive = [&](const auto& at) { return forces_.plain_external(u, off, at.middle(), at.w); };
        const auto done = advance(Mass{forces_.inertia.v}, plain_, motion_, drive, dt,
                                  Coupling{.substeps = 1, .load = load.v, .report_ambiguous = false});
        motion_ = done;
        if (done.stuck) {
            v_ = a_ = D(0.0);
            return;
        }
        // the equation of the step at its root: w - v - gain (external - force) = 0
        const bool end_held = done.numerical > 0;
        const D w = [&] {
            D out(end_held ? done.v : 0.5 * (v_.v + done.v));
            out.d[unknown] = 1;
            return out;
        }();
        const auto held = hold(law_, state_, w, D(dt), load);
        const D external = forces_.external(u, off, x_ + (0.5 * dt) * w, w);
        const D gain = (end_held ? dt : 0.5 * dt) / forces_.inertia;
        D change = w - v_ - gain * (external - held.force);
        change = change * (-1 / change.d[unknown]);
        change.d[unknown] = 0;
        finish(law_, state_, held, D(dt));
        if constexpr (requires { state_.z; }) state_.z = substituted(state_.z, change);
        const D moved = substituted(w, change);
        x_ = x_ + dt * moved;
        const D before = v_;
        v_ = end_held ? moved : 2.0 * moved - v_;
        a_ = (v_ - before) * (1 / dt);
    }

    const DualLaw<Row> law_;
    typename DualLaw<Row>::State state_{};
    Contact<From> plain_;
    const AxisForces forces_;
    const AxisSegment& segment_;
    D x_, v_, a_{};  // a_: mean acceleration of the last sub-step
    Motion motion_{};
};

// The law has one unknown per step, the velocity.
template <class Law>
inline constexpr bool moves_an_axis = !RemembersVelocity<Law> && !requires(typename Law::State state) {
    state.F;
};

template <std::size_t Row, class From>
void move_axis_law(const From& from, const AxisNumbers& axis, const AxisColumns& columns, const AxisSegment& segment,
                   double* rows) {
    if constexpr (moves_an_axis<From>) {
        MovingAxis<Row, From> moving(from, axis, columns, segment);
        for (std::size_t i = 0; i < segment.u.size(); ++i, rows += pass_row_width) {
            if (i > 0) moving.to_next_sample(i - 1);
            rows[0] = moving.x().v;
            for (std::size_t k = 0; k < pass_width; ++k) rows[1 + k] = moving.x().d[k];
        }
    }
}

}  // namespace response_detail
}  // namespace bristle::identification
