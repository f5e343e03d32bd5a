// Contact: a law with its state, for use in a control loop.
//
//   Contact joint{law};
//   double F = joint.step(v, dt).force;        // v [m/s] held for dt [s]
//   double F = joint.step(v, dt, load).force;  // with a normal load [N]; Fc, Fs are then coefficients. Gear laws: with the
//                                              // transmitted load
//   double F = joint.step_to(x, dt).force;     // from a position sensor: v = (x - last accepted x)/dt
//   double F = joint.step_to(wheel, x, dt).force;  // Encoder wheel: v from the time between counts (encoder.hpp)
//
// step returns the mean force and the end force [N], the work done on the contact [J] and the dissipation [J];
// work = change of stored() + dissipation, to rounding. Exact for held v if Law::guarantees.exact is true.
// No heap, no lock, no throw, bounded time.
// Errors: returns NaN forces and keeps the state if v is not finite, dt is not finite and > 0, or load is not finite
// and >= 0. Parameters are not checked here: call problems(law, sink) once before the loop.
// A contact can be constant-initialised: constinit Contact joint{law}. Its first advance() then costs some microseconds more, unless prepare()
// is called before.
#pragma once
#include <bristle/coupling_limits.hpp>
#include <bristle/encoder.hpp>
#include <type_traits>

namespace bristle {

template <class Law>
class Contact {
  public:
    using T = typename Law::scalar;
    using State = typename Law::State;

    // Calls prepare(), except in constant initialisation.
    constexpr Contact(const Law& law) noexcept : law_(law) {
        if (!std::is_constant_evaluated()) prepare();
    }
    // Computes the softening and the zone of the curve, which advance() needs, unless they are known. Cost: some microseconds.
    void prepare() noexcept {
        if (is_prepared_) return;
        softening_ = bristle::softening(law_);
        zone_ = detail::curve_of(law_).zone();
        is_prepared_ = true;
    }

    // Advances by dt [s] with v [m/s] held. Deletes the position that step_to has stored.
    Step<T> step(T v, T dt, T load = neutral_load<Law>) noexcept {
        has_position_ = false;
        return move(v, dt, load);
    }

    // Advances to the position x [m], reached dt [s] after the last accepted one. The first call after construction,
    // reset or step only stores x and uses v = 0. A rejected x is not stored: the next call uses
    // v = (x - last accepted x)/dt with its own dt.
    Step<T> step_to(T x, T dt, T load = neutral_load<Law>) noexcept {
        const Step<T> done = move(has_position_ ? (x - x_) / dt : x - x, dt, load);
        if (isfinite(done.force)) {
            x_ = x;
            has_position_ = true;
        }
        return done;
    }

    // The same for an encoder: v is the velocity that it gives for the position x [m]. After a rejected step the encoder is as before. Returns
    // NaN forces also if the encoder has no resolution or timeout > 0.
    Step<T> step_to(basic_encoder<T>& encoder, T x, T dt, T load = neutral_load<Law>) noexcept {
        if (!usable_step(T(0), dt, load)) return rejected();
        return step(encoder.velocity(x, dt), dt, load);
    }

    // Returns the mean force [N] and its derivative with respect to the held velocity [N s/m]; keeps the state. For
    // implicit plants of several degrees of freedom: find their velocities with respond(), then call step() with the
    // same v and dt. A dry static law at v = 0 returns its force for v -> 0+; the plant decides whether it sticks.
    struct Response {
        T force;  // [N]
        T slope;  // dF/dv [N s/m]
    };
    Response respond(T v, T dt, T load = neutral_load<Law>) const noexcept {
        if (!usable_step(v, dt, load)) return {unset<T>(), unset<T>()};
        using D = Dual<T, 1>;
        const D force = hold(law_, state_, D::variable(v), dt, load).force;
        return {force.v, force.d[0]};
    }

    const Law& law() const noexcept { return law_; }
    const State& state() const noexcept { return state_; }
    void set(const State& state) noexcept { state_ = state; }
    void reset() noexcept {
        state_ = State{};
        has_position_ = false;
    }
    // Returns the softening (coupling_limits.hpp). If the load acts inside the curve, a load [N] other than the last one costs
    // some microseconds.
    T softening([[maybe_unused]] T load = neutral_load<Law>) noexcept {
        prepare();
        if constexpr (LoadInCurve<Law>)
            if (load != softening_load_) {
                softening_ = bristle::softening(law_, load);
                softening_load_ = load;
            }
        return softening_;
    }
    SpeedZone<T> zone() const noexcept { return is_prepared_ ? zone_ : detail::curve_of(law_).zone(); }
    // Returns the energy stored in the bristles [J].
    T stored(T load = neutral_load<Law>) const noexcept { return hamiltonian(law_, state_, load); }

  private:
    Step<T> move(T v, T dt, T load) noexcept {
        if (!usable_step(v, dt, load)) return rejected();
        if constexpr (SticksExactly<Law>)
            if (v == T(0)) return at_rest(load);
        State next = state_;
        const Step<T> done = finish(law_, next, hold(law_, state_, v, dt, load), dt);
        if (!isfinite(done.force) || !isfinite(done.dissipation))
            return rejected();  // |v| so large that numbers overflow
        state_ = next;
        return done;
    }
    static bool usable_step(T v, T dt, T load) noexcept {
        return isfinite(v) && dt > T(0) && isfinite(dt) && load >= T(0) && isfinite(load);
    }
    static Step<T> rejected() noexcept {
        const T nan = unset<T>();
        return {nan, nan, nan, nan, false, nan, nan};
    }
    Step<T> at_rest(T load) const noexcept requires SticksExactly<Law> {
        return {T(0), T(0), T(0), T(0), true, -holding_force(law_, T(-1), load), holding_force(law_, T(1), load)};
    }

    Law law_;
    T softening_{};
    [[no_unique_address]] std::conditional_t<LoadInCurve<Law>, T, NoState> softening_load_{};  // [N]; 0 at the start
    SpeedZone<T> zone_{};
    bool is_prepared_ = false;
    State state_{};
    T x_{};
    bool has_position_ = false;
};

}  // namespace bristle
