// The methods with a fixed step.
//
// coupled: advance() of the core, in the coordinate of the contact. A rig with velocity v, ratio r and belt b has there
// the mass M/r^2, the velocity c = r v + b and the force (pull + u)/r + (M/r^2) db/dt. The energy balance is computed
// for the rig in the frame of the ground, at the middle of every sub-step, independently of that of the core; its
// residual is rounding.
// explicit: the coupling of many simulators, for comparison. v+ follows from the force at the start of the step (sigma1
// and sigma2 implicit, z frozen); then z is advanced exactly with the old velocity. Its residual is the energy that this
// coupling creates or loses.
#pragma once
#include <bristle/coupled.hpp>

#include "simulate/adaptive.hpp"
#include "simulate/fixed_parts.hpp"

namespace bristle::inline simulation {

// Returns sin(d)/d.
template <class S>
S cardinal_sine(const S& d) {
    return d * d < S(1e-7) ? S(1) - d * d * (1.0 / 6) : S(sin(d) / d);
}

// A rig in the contact's coordinate, over one sub-step of length tau [s] from (q, I), with the belt from b0 to b1 [m/s].
// moved: displacement of the contact in the sub-step [m].
struct SubStep {
    const RigEquations& rig;
    double tau, q, integral, b0, b1;
    double b = 0.5 * (b0 + b1);
    template <class S>
    S end(const S& moved) const {  // q at the end
        return q + rig.drift * tau + rig.sense * (moved - b * tau) * (1 / rig.ratio);
    }
    template <class S>
    S middle(const S& moved) const {
        return 0.5 * (q + end(moved));
    }
    template <class S>
    S velocity(const S& moved) const {
        return (moved * (1 / tau) - b) * (1 / rig.ratio);
    }
    template <class S>
    S integral_middle(const S& moved) const {
        return integral + 0.5 * tau * (middle(moved) - rig.target);
    }
    // Returns the mean force of spring, gravity and controller: each at the middle, gravity by its discrete gradient.
    template <class S>
    S pull(const S& moved) const {
        const S mid = middle(moved),
                line = rig.k0 + rig.kq * mid + rig.kv * velocity(moved) + rig.kI * integral_middle(moved);
        return rig.ks == 0 ? line : line + rig.ks * sin(mid) * cardinal_sine(S(0.5 * (end(moved) - q)));
    }
    // Returns the work of force, puller, controller and belt [J]. The displacement of the puller is that of the spring
    // minus that of the mass, rounding included: in long rests the rounding would add up.
    double supplied(double moved, double u, double friction) const {
        const double v = velocity(moved), controller = rig.has_integral ? pull(moved) * v : 0;
        const double pulled = rig.drift == 0 ? 0 : (end(moved) - q) - rig.sense * v * tau;
        return pulled * rig.spring * middle(moved) + tau * (u * v + controller + b * friction);
    }
};

template <class Law>
class FixedStep {
  public:
    FixedStep(const Law& law, const Setup& setup) : setup_(setup), rig_(setup.rig.equations()), contact_(law) {
        const auto name = [&](const char* key) { return start_of(setup, key); };
        const RigInfo& info = setup.rig.info();
        if (!setup.rig.is_prescribed()) {
            q_ = name(info.position.name);
            v_ = name(info.velocity.name);
            integral_ = name("integral");
        } else if (setup.rig.has_displacement_input()) {
            q_ = setup.input.piece(0).value(0.0);
        }
        auto state = contact_.state();
        if constexpr (requires { state.z; }) state.z = name("z");
        if constexpr (requires { state.F; })
            for (int i = 0; i < law.count(); ++i)
                state.F[i] = start_of(setup, std::string("F").append(std::to_string(i + 1)));
        if constexpr (RemembersVelocity<Law>) state.v = rig_.ratio * v_ + rig_.belt(0.0);
        contact_.set(state);
        load_ = setup.load.piece(0).value(0.0);
        stored_at_start_ = contact_.stored(load_);
        motion_.v = rig_.ratio * v_ + rig_.belt(0.0);
        update_snapshot(0, setup.rig.is_prescribed() ? prescribed_velocity(0) : rig_.ratio * v_ + rig_.belt(0.0), false,
                        0);
    }

    const Snapshot& snapshot() const { return now_; }
    Energy energy() const {
        Energy out;
        out.supplied = supplied_.value();
        out.dissipated = dissipated_.value();
        out.numerical = numerical_.value();
        return out;
    }
    long evaluations = 0;

    // Advances from t to t + dt. Returns false if a number is not finite.
    bool step(double t, double dt) {
        const double middle = t + 0.5 * dt;
        set_load(setup_.load.piece(middle).value(middle));
        if (setup_.rig.is_prescribed()) return step_prescribed(t, dt);
        return setup_.run.method == Method::coupled ? step_coupled(t, dt) : step_explicit(t, dt);
    }

  private:
    double input(double t) const { return setup_.input.piece(t).value(t); }
    double prescribed_velocity(double t) const {
        const Piece piece = setup_.input.piece(t);
        return setup_.rig.has_displacement_input() ? piece.rate(t) : piece.value(t);
    }
    // The load changes between steps; the work on deflected bristles is supplied from outside.
    void set_load(double load) {
        const double done = contact_.stored(load) - contact_.stored(load_);
        supplied_ += done;
        by_load_ += done;
        load_ = load;
    }

    bool step_coupled(double t, double dt) {
        const double mass = rig_.contact_mass();
        const int parts = parts_of(contact_, motion_, dt, {});
        const double tau = dt / parts;
        double force = 0;
        bool stuck = false;
        for (int i = 0; i < parts; ++i) {
            const double start = t + i * tau, c = motion_.v;
            const SubStep part{rig_, tau, q_, integral_, rig_.belt(start), rig_.belt(start + tau)};
            const double inertial = mass * (part.b1 - part.b0) / tau;
            motion_.x = 0;
            const auto drive = [&](const auto& in) {
                return (part.pull(in.x1 - in.x0) + input(start + in.t)) * (1 / rig_.ratio) + inertial;
            };
            const auto done = advance(Mass{mass}, contact_, motion_, drive, tau, {.load = load_, .divided = true});
            if (!std::isfinite(done.v)) return false;
            motion_ = done;
            evaluations += done.evaluations;
            supplied_ += part.supplied(done.x, input(start + 0.5 * tau), done.force);
            dissipated_ += done.dissipation;
            // the energy removed by holding the end velocity, converted to the frame of the ground
            if (done.numerical != 0) numerical_ += done.numerical - 0.5 * mass * (part.b1 - part.b0) * (done.v - c);
            integral_ += tau * (part.middle(done.x) - rig_.target) * rig_.has_integral;
            q_ = part.end(done.x);
            v_ = (done.v - part.b1) / rig_.ratio;
            force = done.force;
            stuck = done.stuck;
        }
        update_snapshot(t + dt, motion_.v, stuck, force);
        return true;
    }
    bool step_explicit(double t, double dt) {
        const double c = rig_.ratio * v_ + rig_.belt(t), u = setup_.input.piece(t + 0.5 * dt).value(t);
        const double damping = stick_damping(contact_.law(), load_);
        const double force = force_at(c, false, 0);
        // M (v+ - v)/dt = pull + u - ratio (F + damping ratio (v+ - v))
        const double implicit = 1 + dt * rig_.ratio * rig_.ratio * damping / rig_.inertia;
        const double change = dt / rig_.inertia * (rig_.pull(q_, v_, integral_) + u - rig_.ratio * force) / implicit;
        const double used = force + damping * rig_.ratio * change;
        const Step<double> moved = contact_.step(c, dt, load_);
        v_ += change;
        motion_.a = rig_.ratio * change / dt;  // selects the branch of the hysteretic law
        const double q = q_;
        q_ += dt * (rig_.drift + rig_.sense * v_);
        supplied_ += dt * (rig_.supplied(0.5 * (q + q_), v_, integral_, u) + rig_.belt(t + 0.5 * dt) * used);
        integral_ += dt * (q_ - rig_.target) * rig_.has_integral;
        dissipated_ += moved.dissipation;
        ++evaluations;
        update_snapshot(t + dt, rig_.ratio * v_ + rig_.belt(t + dt), false, 0);
        return std::isfinite(v_) && std::isfinite(moved.force);
    }
    bool step_prescribed(double t, double dt) {
        const double before = q_, x = setup_.rig.has_displacement_input() ? input(t + dt) : before;
        const double v = setup_.rig.has_displacement_input() ? (x - before) / dt : input(t + 0.5 * dt);
        const Step<double> moved = contact_.step(v, dt, load_);
        motion_.a = v - motion_.v;
        motion_.v = v;
        q_ = setup_.rig.has_displacement_input() ? x : before + dt * v;
        supplied_ += moved.work;
        dissipated_ += moved.dissipation;
        ++evaluations;
        update_snapshot(t + dt, prescribed_velocity(t + dt), moved.stuck, moved.stuck ? 0 : moved.force_end);
        return std::isfinite(moved.force);
    }
    // Returns the friction force at this instant [N]; mean if the contact is stuck.
    double force_at(double c, bool stuck, double mean) const {
        return StaticLaw<Law> && stuck ? mean : force_at_instant(contact_.law(), contact_.state(), c, load_, motion_.a);
    }
    void update_snapshot(double t, double c, bool stuck, double mean) {
        now_ = {};
        now_.t = t;
        now_.position = q_;
        now_.velocity = setup_.rig.is_prescribed() ? c : v_;
        now_.x = rig_.sense > 0 || setup_.rig.is_prescribed() ? q_ : rig_.drift * t - q_;
        const auto& state = contact_.state();
        if constexpr (requires { state.z; }) {
            now_.contact_states = 1;
            now_.z[0] = state.z;
            if constexpr (RemembersVelocity<Law>)
                now_.dz = rate(contact_.law(), state.z, c, load_, sign0(motion_.a));
            else
                now_.dz = rate(contact_.law(), state.z, c, load_);
        } else if constexpr (requires { state.F; }) {
            now_.contact_states = contact_.law().count();
            for (std::size_t i = 0; i < max_elements; ++i) now_.z[i] = state.F[i];
        }
        now_.integral = integral_;
        now_.F = force_at(c, stuck, mean);
        now_.u = rig_.has_integral ? rig_.pull(q_, v_, integral_) : input(t);
        now_.slip = c;
        now_.belt = rig_.belt(t);
        now_.load = load_;
        now_.heat = dissipated_.value();
        now_.stored = contact_.stored(load_);
        now_.work = now_.heat + (now_.stored - stored_at_start_) - by_load_.value();
    }

    const Setup& setup_;
    const RigEquations rig_;
    Contact<Law> contact_;
    double q_ = 0, v_ = 0, integral_ = 0, load_ = 1;
    Motion motion_;  // in the contact's coordinate
    double stored_at_start_ = 0;
    Sum supplied_, dissipated_, numerical_, by_load_;
    Snapshot now_;
};

// Returns the linear interpolation between two snapshots.
inline Snapshot between(const Snapshot& a, const Snapshot& b, double t) {
    const double fraction = (t - a.t) / (b.t - a.t);
    if (fraction >= 1) return b;
    Snapshot p = b;
    for (const auto member : {&Snapshot::position, &Snapshot::velocity, &Snapshot::x, &Snapshot::integral, &Snapshot::F,
                              &Snapshot::dz, &Snapshot::u, &Snapshot::slip, &Snapshot::belt, &Snapshot::load,
                              &Snapshot::heat, &Snapshot::work, &Snapshot::stored})
        p.*member = a.*member + fraction * (b.*member - a.*member);
    for (std::size_t i = 0; i < p.z.size(); ++i) p.z[i] = a.z[i] + fraction * (b.z[i] - a.z[i]);
    p.t = t;
    return p;
}

template <class Law>
Result simulate_fixed(const Law& law, const Setup& setup, const Progress& progress) {
    Result result;
    Recorder recorder(setup, progress);
    FixedStep<Law> rig(law, setup);
    recorder.start(rig.snapshot());
    double t = 0;
    for (FixedGrid grid(setup.run); t < setup.run.duration && result.status == Status::done;) {
        const double to = grid.next(next_corner(setup, t + grid.slack()));
        const Snapshot before = rig.snapshot();
        if (!rig.step(t, to - t)) {
            result.status = Status::not_finite;
            break;
        }
        ++result.statistics.steps;
        const Snapshot& now = rig.snapshot();
        if (const auto at = reversal_between(t, to, before.slip, now.slip, 0)) {
            recorder.reversal(*at);
            ++result.statistics.reversals;
        }
        if (!recorder.step(t, to, [&](double at) { return between(before, now, at); }))
            result.status = Status::cancelled;
        t = to;
    }
    result.statistics.evaluations = rig.evaluations;
    result.energy = rig.energy();
    recorder.close(result, rig.snapshot());
    return result;
}

}  // namespace bristle::simulation
