// A law with its state: what goes into a control loop.
//
//   Contact joint{law};
//   double F = joint.step(v, dt).force;        // v [m/s] held for dt [s]
//   double F = joint.step(v, dt, load).force;  // with a normal load [N]; Fc, Fs are then coefficients
//   double F = joint.step_to(x, dt).force;     // from an encoder: v = (x - x before)/dt
//
// step returns the mean force over the step, the force at its end, the work done on the contact and what became heat;
// work = change of stored() + dissipation, to rounding. Exact for held v where the law says so (Law::guarantees.exact).
// No heap, no lock, no throw, bounded time. A NaN or infinite v, dt <= 0 or a negative or non-finite load returns NaN
// forces and leaves the state as it was. Parameters are not checked here: call problems(law, sink) once, outside the loop.
#pragma once
#include <bristle/coupling_limits.hpp>

namespace bristle {

template <class Law>
class Contact {
  public:
    using T = typename Law::scalar;
    using State = typename Law::State;

    // Looks once at how steeply the curve falls (some microseconds), for steps coupled to a mass.
    Contact(const Law& law) noexcept
        : law_(law), softening_(bristle::softening(law)), zone_(detail::curve_of(law).zone()) {}

    // Advances by dt [s] with v [m/s] held. A position known from step_to is forgotten.
    Step<T> step(T v, T dt, T load = T(1)) noexcept {
        placed_ = false;
        return move(v, dt, load);
    }

    // Advances to the position x [m], reached dt [s] after the one before. The first call after construction, reset or
    // step only takes the position: v = 0. After a refused x the next one is taken as one dt later all the same.
    Step<T> step_to(T x, T dt, T load = T(1)) noexcept {
        const Step<T> done = move(placed_ ? (x - x_) / dt : x - x, dt, load);
        if (isfinite(done.force)) {
            x_ = x;
            placed_ = true;
        }
        return done;
    }

    // Mean force and its derivative with respect to the held velocity, without moving: for implicit plants of several
    // degrees of freedom. Once their velocities are found, step() with the same v and dt moves the contact. A dry static law
    // at v = 0 answers with its sliding force from above: whether it sticks is for the plant to decide.
    struct Response {
        T force;  // [N]
        T slope;  // dF/dv [N s/m]
    };
    Response respond(T v, T dt, T load = T(1)) const noexcept {
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
        placed_ = false;
    }
    T softening() const noexcept { return softening_; }
    const SpeedZone<T>& zone() const noexcept { return zone_; }
    // Energy in the bristles [J].
    T stored(T load = T(1)) const noexcept { return hamiltonian(law_, state_, load); }

  private:
    Step<T> move(T v, T dt, T load) noexcept {
        if (!usable_step(v, dt, load)) return refused();
        if constexpr (SticksExactly<Law>)
            if (v == T(0)) return at_rest(load);
        State next = state_;
        const Step<T> done = finish(law_, next, hold(law_, state_, v, dt, load), dt);
        if (!isfinite(done.force) || !isfinite(done.dissipation)) return refused();  // v so high that numbers overflow
        state_ = next;
        return done;
    }
    static bool usable_step(T v, T dt, T load) noexcept {
        return isfinite(v) && dt > T(0) && isfinite(dt) && load >= T(0) && isfinite(load);
    }
    static Step<T> refused() noexcept {
        const T nan = unset<T>();
        return {nan, nan, nan, nan, false, nan, nan};
    }
    Step<T> at_rest(T load) const noexcept requires SticksExactly<Law> {
        return {T(0), T(0), T(0), T(0), true, -holding_force(law_, T(-1), load), holding_force(law_, T(1), load)};
    }

    Law law_;
    T softening_;
    SpeedZone<T> zone_;
    State state_{};
    T x_{};
    bool placed_ = false;
};

}  // namespace bristle
