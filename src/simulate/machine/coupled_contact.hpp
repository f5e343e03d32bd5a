// Contact of a machine in the coupled step: Contact<Law> behind a run-time interface. Each law is compiled once (BRISTLE_COUPLED_CONTACT).
//
//   begin(c, dt, load)              a step from the contact velocity c
//   respond(w, side)                mean force and slope with w held; keeps the state
//   finish(w, side)                 advances the state with w held
//   jump(), finish_within(w, F)     set-valued laws: where the force jumps, its interval there, and the step with a force F in it
// Jumps, low <= F <= high:
//   dry static laws   at w = 0, from -level to +level: the static level if c = 0 or if c would reverse, the level of sliding in the
//                     direction of c
//   Maxwell-slip      at w = 0 while elements slip: the motion stops after a fraction of the step
//   hysteretic        at w = c: the branch b in [-1, 1]
// Sides: +1 above the jump, -1 below it, 0 if there is none. Beyond its range a side goes on as a straight line that does not fall,
// so that the equations of a side are smooth.
// Limits: low > high is possible (a hysteretic bristle that releases); then no force lies in the jump.
#pragma once
#include <bristle/coupled.hpp>
#include <bristle/simulate/law.hpp>

#include <memory>

#include "numerics/regula_falsi.hpp"
#include "simulate/fixed_parts.hpp"

namespace bristle::inline simulation {

struct SideForce {
    double force, slope;  // N, N s/m
};
struct ForceJump {
    bool exists = false;
    double at = 0;             // velocity [m/s]
    double low = 0, high = 0;  // N
    int side = 0;              // on which the step probably ends; 0: within the jump
};
struct ContactStep {
    double force, dissipation;  // mean [N], J
};

class CoupledContact {
  public:
    virtual ~CoupledContact() = default;
    virtual bool dry() const = 0;
    virtual void set(const double* z) = 0;
    virtual void get(double* z) const = 0;
    virtual double stored(double load) const = 0;
    // Stiffness [N/m] and damping [N s/m] in stick; 0 for dry static laws.
    virtual double stiffness(double load) const = 0;
    virtual double damping(double load) const = 0;
    // Number of sub-steps of a step from c with the acceleration a: more than 1 in the sub-step zone.
    virtual int parts(double c, double a, double dt) const = 0;

    virtual void begin(double c, double dt, double load) = 0;
    virtual ForceJump jump() const = 0;
    virtual SideForce respond(double w, int side) const = 0;
    virtual ContactStep finish(double w, int side) = 0;
    virtual ContactStep finish_within(double w, double force) = 0;

    // Force at an instant [N]; 0 for a dry static law at c = 0. rise: sign of dc/dt.
    virtual double force_at(double c, double load, double rise) const = 0;
};

template <class Law>
class CoupledContactOf final : public CoupledContact {
    static constexpr bool is_dry = SticksExactly<Law>;
    static constexpr bool has_elements = requires(typename Law::State state) { state.F; };

  public:
    explicit CoupledContactOf(const Law& law) : contact_(law) {}

    bool dry() const override { return is_dry; }
    void set([[maybe_unused]] const double* z) override {
        auto state = contact_.state();
        if constexpr (requires { state.z; }) state.z = z[0];
        if constexpr (has_elements)
            for (int i = 0; i < law().count(); ++i) state.F[i] = z[i];
        contact_.set(state);
    }
    void get([[maybe_unused]] double* z) const override {
        const auto& state = contact_.state();
        if constexpr (requires { state.z; }) z[0] = state.z;
        if constexpr (has_elements)
            for (int i = 0; i < law().count(); ++i) z[i] = state.F[i];
    }
    double stored(double load) const override { return contact_.stored(load); }
    double stiffness(double load) const override { return is_dry ? 0 : stick_stiffness(law(), load); }
    double damping(double load) const override { return is_dry ? 0 : stick_damping(law(), load); }
    int parts(double c, double a, double dt) const override {
        return parts_of(contact_, Motion{.x = 0, .v = c, .a = a, .j = 0}, dt, {});
    }

    void begin(double c, double dt, double load) override {
        c_ = c;
        dt_ = dt;
        load_ = load;
        if constexpr (RemembersVelocity<Law>) contact_.set({contact_.state().z, c});
    }
    ForceJump jump() const override {
        if constexpr (is_dry) {
            const double up = c_ > 0 ? edge(1).force : holding_force(law(), 1.0, load_),
                         down = c_ < 0 ? edge(-1).force : -holding_force(law(), -1.0, load_);
            return {true, 0, down, up, 0};
        } else if constexpr (has_elements) {
            int direction = 0;
            for (int i = 0; i < law().count(); ++i)
                if (state().slipping[i] != 0) direction = state().slipping[i];
            if (direction == 0 || is_unloaded(law().C, loads(law(), load_).on_curve)) return {};
            const double stuck = force(law(), state(), 0.0, load_), slips = edge(direction).force;
            const int side = c_ * direction > 0 ? direction : c_ == 0 ? 0 : -direction;
            return {true, 0, direction > 0 ? stuck : slips, direction > 0 ? slips : stuck, side};
        } else if constexpr (RemembersVelocity<Law>) {
            return {true, c_, edge(-1).force, edge(1).force, 0};
        } else {
            return {};
        }
    }
    SideForce respond(double w, int side) const override {
        if (side == 0) return direct(w);
        if ((w - place()) * side > 0) return direct(w);
        SideForce line = edge(side);
        line.slope = std::max(0.0, line.slope);
        line.force += line.slope * (w - place());
        return line;
    }
    ContactStep finish(double w, int side) override {
        if constexpr (is_dry) {
            const double F = w == 0 && side == 0 ? 0 : respond(w, side).force;
            return {F, F * w * dt_};
        } else {
            if (side != 0 && !((w - place()) * side > 0)) w = beside(side);
            const auto done = contact_.step(w, dt_, load_);
            return {done.force, done.dissipation};
        }
    }
    ContactStep finish_within([[maybe_unused]] double w, double force) override {
        if constexpr (is_dry) {
            return {force, force * w * dt_};
        } else if constexpr (has_elements) {
            const double direction = jump().low == bristle::force(law(), state(), 0.0, load_) ? 1 : -1;
            return finish_along(force, 0, 1, [&](double fraction) {
                return hold_stopping(law(), state(), direction, fraction, dt_, load_);
            });
        } else if constexpr (RemembersVelocity<Law>) {
            return finish_along(force, -1, 1, [&](double b) {
                const auto flow = law().flow_on(state(), w, b, loads(law(), load_).on_curve, dt_);
                return hold_along(law(), state(), w, flow, dt_, load_);
            });
        } else {
            return finish(w, 0);
        }
    }
    double force_at(double c, double load, double rise) const override {
        return force_at_instant(law(), state(), c, load, rise);
    }

  private:
    const Law& law() const { return contact_.law(); }
    const auto& state() const { return contact_.state(); }
    double place() const { return RemembersVelocity<Law> ? c_ : 0; }
    // The velocity next to the jump.
    double beside(int side) const {
        const double at = place();
        return at == 0 ? side * std::numeric_limits<double>::min() : std::nextafter(at, side * 1e300);
    }
    SideForce direct(double w) const {
        const auto answer = contact_.respond(w, dt_, load_);
        return {answer.force, answer.slope};
    }
    SideForce edge(int side) const { return direct(beside(side)); }

    // Finishes along the step hold(s), s between from and to, whose force is the given one.
    template <class Hold>
    ContactStep finish_along(double force, double from, double to, const Hold& hold) {
        const double at_from = hold(from).force - force, at_to = hold(to).force - force;
        double s = std::abs(at_from) <= std::abs(at_to) ? from : to;
        if (at_from * at_to < 0) {
            numerics::RegulaFalsi zero{from, to, at_from, at_to};
            for (int i = 0; i < 200; ++i) {
                s = zero.next();
                const double error = hold(s).force - force;
                if (std::abs(error) <= 4e-16 * std::abs(force) || !(s > zero.low && s < zero.high)) break;
                zero.take(s, error);
            }
        }
        auto next = state();
        const auto done = bristle::finish(law(), next, hold(s), dt_);
        contact_.set(next);
        return {done.force, done.dissipation};
    }

    Contact<Law> contact_;
    double c_ = 0, dt_ = 0, load_ = 0;
};

std::unique_ptr<CoupledContact> make_coupled_contact(const AnyLaw& law);
template <class Law>
std::unique_ptr<CoupledContact> make_coupled_contact_of(const Law& law);

}  // namespace bristle::simulation

#define BRISTLE_COUPLED_CONTACT(row)                                                                                  \
    namespace bristle::inline simulation {                                                                            \
    template <>                                                                                                       \
    std::unique_ptr<CoupledContact> make_coupled_contact_of(const std::variant_alternative_t<row, LawVariant>& law) { \
        return std::make_unique<CoupledContactOf<std::variant_alternative_t<row, LawVariant>>>(law);                  \
    }                                                                                                                 \
    }
