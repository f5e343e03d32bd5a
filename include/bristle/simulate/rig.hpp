// Rigs: mechanisms with one friction contact. Each is a struct of its parameters.
//
//   Prescribed     the motion of the contact is given by Setup::input, as velocity or displacement
//   ForcedMass     dx/dt = v,  m dv/dt = u(t) - F                     A08 (9), A08 (10); u: Setup::input [N]
//   PulledSpring   dl/dt = vp - v,  m dv/dt = k l - F                 A08 (14), A08 (15)
//   PidServo       m dv/dt = u - F,  u = -Kv v - Kp (x - xd) - Ki int(x - xd)   B05 (4), B05 (5)
//   Conveyor       m dv/dt = -k x + F,  slip = belt - v               M05 section III
//   Pendulum       m l^2 dw/dt = -m g l sin(theta) - r F,  slip = r w
//
// All reduce to one linear form, the only one that solvers use (RigEquations):
//   dq/dt = drift + sense v,     dI/dt = q - target
//   M dv/dt = k0 + kq q + kv v + kI I + ks sin q + u(t) - ratio F(c),     c = ratio v + belt(t)
// with F the friction force at the contact velocity c. Hence solvers are compiled once per law, not once per law and rig.
//
// A new rig is a struct here and one more alternative of RigVariant.
// Sign: F has the sign of c and is subtracted.
// Energy: supplied is the work of force, puller, belt and controller; stored is kinetic, spring, gravity and bristle
// energy.
// Limits: parameters are not checked here; simulate() and the analyses check a Setup before they use it.
#pragma once
#include <bristle/parameters.hpp>
#include <cmath>
#include <optional>
#include <string_view>
#include <variant>

namespace bristle::inline simulation {

// The linear form of a rig. Units: those of q (m or rad), v, I and of a force or torque.
struct RigEquations {
    double inertia = 1;                             // M
    double drift = 0, sense = 1;                    // dq/dt = drift + sense v
    double k0 = 0, kq = 0, kv = 0, kI = 0, ks = 0;  // pull
    double target = 0;                              // dI/dt = q - target
    double ratio = 1;                               // c = ratio v + belt(t)
    double belt_speed = 0, belt_time = 1;           // belt(t) = belt_speed (1 - exp(-t/belt_time))
    bool has_integral = false;
    double spring = 0;  // stored energy: spring q^2/2
    double weight = 0;  // stored energy: weight (1 - cos q)

    // Returns the inertia referred to the contact [kg].
    double contact_mass() const { return inertia / (ratio * ratio); }
    // Returns the power of force, puller and controller, without the belt [W].
    template <class S>
    S supplied(const S& q, const S& v, const S& I, const S& u) const {
        return u * v + drift * spring * q + (has_integral ? S(pull(q, v, I) * v) : S(0));
    }
    // Returns the kinetic, spring and gravity energy [J].
    double stored(double q, double v) const { return 0.5 * (inertia * v * v + spring * q * q) + raised(q); }
    double raised(double q) const {  // weight (1 - cos q) [J], accurate near q = 0
        const double s = std::sin(0.5 * q);
        return 2 * weight * s * s;
    }
    template <class S>
    S belt(const S& t) const {
        return belt_speed == 0 ? S(0) : belt_speed * (S(1) - exp(S(-t / belt_time)));
    }
    template <class S>
    S belt_rate(const S& t) const {
        return belt_speed == 0 ? S(0) : belt_speed / belt_time * exp(S(-t / belt_time));
    }
    template <class S>
    S pull(const S& q, const S& v, const S& I) const {
        const S line = k0 + kq * q + kv * v + kI * I;
        return ks == 0 ? line : line + ks * sin(q);
    }
};

// Name, unit and title of a coordinate in files, tables and figures.
struct Coordinate {
    const char *name, *unit, *title;
    bool name_is_symbol = true;  // as Signal::name_is_symbol
};

struct RigInfo {
    const char* kind;      // name in experiment files
    const char* title;     // the rig in a few words
    const char* equation;  // of motion and control, in the keys of the file; F: friction force at the contact velocity
    Coordinate position{"x", "m", "position"};
    Coordinate velocity{"v", "m/s", "velocity"};
    const char* force_title = nullptr;  // title of the signal u; null: the rig has no such signal
    bool takes_input = false;           // Setup::input drives it
    bool has_belt = false;              // signals slip and belt
    bool self_excited = false;          // can stick-slip or hunt under constant inputs
};

namespace rig_table {
inline constexpr Bound any{-bound::infinite, bound::infinite, false, "must be a finite number"};
inline constexpr Parameter mass{"mass", "kg", "mass that moves", bound::positive};
inline constexpr Parameter stiffness{"stiffness", "N/m", "stiffness of the spring", bound::positive};
inline constexpr Parameter gravity{"gravity", "m/s^2", "acceleration of gravity", bound::positive};
}  // namespace rig_table

enum class Quantity { velocity, displacement };

struct Prescribed {
    Quantity quantity = Quantity::velocity;  // meaning of Setup::input [m/s] or [m]

    static constexpr RigInfo info{.kind = "prescribed",
                                  .title = "a contact whose motion is given",
                                  .equation = "v or x = input(t)",
                                  .takes_input = true};
    template <class Self, class Visit>
    static constexpr void parameters(Self&, Visit&&) {}
    RigEquations equations() const { return {}; }  // not used: no coordinate moves freely
};

struct ForcedMass {
    double mass = unset<double>();  // kg

    static constexpr RigInfo info{.kind = "forced_mass",
                                  .title = "a mass under an external force",
                                  .equation = "mass dv/dt = input(t) - F",
                                  .force_title = "applied force",
                                  .takes_input = true};
    template <class Self, class Visit>
    static constexpr void parameters(Self& self, Visit&& visit) {
        visit(rig_table::mass, self.mass);
    }
    RigEquations equations() const { return {.inertia = mass}; }
};

struct PulledSpring {
    double mass = unset<double>();       // kg
    double stiffness = unset<double>();  // N/m
    double velocity = unset<double>();   // speed of the far end of the spring [m/s]

    static constexpr RigInfo info{.kind = "pulled_spring",
                                  .title = "a mass pulled through a spring at constant speed",
                                  .equation = "mass dv/dt = stiffness elongation - F, d elongation/dt = velocity - v",
                                  .position = {"elongation", "m", "elongation of the spring", false},
                                  .self_excited = true};
    template <class Self, class Visit>
    static constexpr void parameters(Self& self, Visit&& visit) {
        visit(rig_table::mass, self.mass);
        visit(rig_table::stiffness, self.stiffness);
        visit(Parameter{"velocity", "m/s", "speed of the spring's far end", rig_table::any}, self.velocity);
    }
    RigEquations equations() const {  // A08 (14), A08 (15)
        return {.inertia = mass, .drift = velocity, .sense = -1, .kq = stiffness, .spring = stiffness};
    }
};

struct PidServo {
    double mass = unset<double>();    // kg
    double Kv = unset<double>();      // N s/m
    double Kp = unset<double>();      // N/m
    double Ki = unset<double>();      // N/(m s)
    double target = unset<double>();  // m

    static constexpr RigInfo info{
        .kind = "pid_servo",
        .title = "a mass held at a target by a PID controller",
        .equation = "mass dv/dt = u - F, u = -Kv v - Kp (x - target) - Ki integral, d integral/dt = x - target",
        .force_title = "controller's force",
        .self_excited = true};
    template <class Self, class Visit>
    static constexpr void parameters(Self& self, Visit&& visit) {
        visit(rig_table::mass, self.mass);
        visit(Parameter{"Kv", "N s/m", "gain on the velocity", bound::nonnegative}, self.Kv);
        visit(Parameter{"Kp", "N/m", "gain on the error", bound::nonnegative}, self.Kp);
        visit(Parameter{"Ki", "N/(m s)", "gain on the integral of the error", bound::nonnegative}, self.Ki);
        visit(Parameter{"target", "m", "position to reach", rig_table::any}, self.target);
    }
    RigEquations equations() const {  // B05 (4), B05 (5)
        return {.inertia = mass,
                .k0 = Kp * target,
                .kq = -Kp,
                .kv = -Kv,
                .kI = -Ki,
                .target = target,
                .has_integral = true};
    }
};

struct Conveyor {
    double mass = unset<double>();        // kg
    double stiffness = unset<double>();   // N/m
    double gravity = unset<double>();     // m/s^2; load = mass gravity for a law whose parameters are coefficients
    double belt_speed = unset<double>();  // m/s
    double belt_time = unset<double>();   // s

    static constexpr RigInfo info{
        .kind = "conveyor",
        .title = "a block on a belt, held by a spring",
        .equation = "mass dv/dt = -stiffness x + F(belt - v), belt = belt_speed (1 - exp(-t/belt_time))",
        .has_belt = true,
        .self_excited = true};
    template <class Self, class Visit>
    static constexpr void parameters(Self& self, Visit&& visit) {
        visit(rig_table::mass, self.mass);
        visit(rig_table::stiffness, self.stiffness);
        visit(rig_table::gravity, self.gravity);
        visit(Parameter{"belt_speed", "m/s", "final speed of the belt", rig_table::any}, self.belt_speed);
        visit(Parameter{"belt_time", "s", "time constant of its start", bound::positive}, self.belt_time);
    }
    RigEquations equations() const {
        return {.inertia = mass,
                .kq = -stiffness,
                .ratio = -1,
                .belt_speed = belt_speed,
                .belt_time = belt_time,
                .spring = stiffness};
    }
};

struct Pendulum {
    double mass = unset<double>();     // kg
    double length = unset<double>();   // m
    double gravity = unset<double>();  // m/s^2
    double radius = unset<double>();   // m

    static constexpr RigInfo info{
        .kind = "pendulum",
        .title = "a pendulum with friction in its joint",
        .equation = "mass length^2 d omega/dt = -mass gravity length sin(theta) - radius F(radius omega)",
        .position = {"theta", "rad", "angle"},
        .velocity = {"omega", "rad/s", "angular velocity"}};
    template <class Self, class Visit>
    static constexpr void parameters(Self& self, Visit&& visit) {
        visit(rig_table::mass, self.mass);
        visit(Parameter{"length", "m", "from the joint to the mass", bound::positive}, self.length);
        visit(rig_table::gravity, self.gravity);
        visit(Parameter{"radius", "m", "of the joint, where the friction acts", bound::positive}, self.radius);
    }
    RigEquations equations() const {
        return {.inertia = mass * length * length,
                .ks = -mass * gravity * length,
                .ratio = radius,
                .weight = mass * gravity * length};
    }
};

// The list of rigs, in the order of help and docs.
using RigVariant = std::variant<Prescribed, ForcedMass, PulledSpring, PidServo, Conveyor, Pendulum>;

// Any rig, by value:  Rig rig = PulledSpring{.mass = 1, .stiffness = 2, .velocity = 0.1};
struct Rig : RigVariant {
    using RigVariant::RigVariant;

    const RigInfo& info() const {
        return std::visit([](const auto& rig) -> const RigInfo& { return rig.info; }, *this);
    }
    RigEquations equations() const {
        return std::visit([](const auto& rig) { return rig.equations(); }, *this);
    }
    bool is_prescribed() const { return std::holds_alternative<Prescribed>(*this); }
    bool has_displacement_input() const {
        const auto* motion = std::get_if<Prescribed>(this);
        return motion && motion->quantity == Quantity::displacement;
    }
    // Unit of Setup::input: "N", or that of the prescribed motion.
    const char* input_unit() const { return !is_prescribed() ? "N" : has_displacement_input() ? "m" : "m/s"; }
    // Calls visit(Parameter, value) for each number of the rig.
    template <class Visit>
    void parameters(Visit&& visit) {
        std::visit([&](auto& rig) { rig.parameters(rig, visit); }, *this);
    }
    template <class Visit>
    void parameters(Visit&& visit) const {
        std::visit([&](const auto& rig) { rig.parameters(rig, visit); }, *this);
    }
};

// Calls visit(rig) for each rig of the list, with no parameter set.
template <class Visit>
void for_each_rig(Visit&& visit) {
    const auto each = [&]<std::size_t... I>(std::index_sequence<I...>) {
        (visit(std::variant_alternative_t<I, RigVariant>{}), ...);
    };
    each(std::make_index_sequence<std::variant_size_v<RigVariant>>{});
}
// Returns the rig of a kind with no parameter set; std::nullopt if there is no such kind.
inline std::optional<Rig> rig_of_kind(std::string_view kind) {
    std::optional<Rig> found;
    for_each_rig([&](const auto& rig) {
        if (kind == rig.info.kind) found = rig;
    });
    return found;
}

}  // namespace bristle::simulation
