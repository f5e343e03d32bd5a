// A rig: a mechanism with one friction contact in it, as a value. Every rig is
//
//   q' = drift + sense v,     I' = q - target
//   M v' = k0 + kq q + kv v + kI I + ks sin q + u(t) - ratio F(c),     c = ratio v + belt(t)
//
// with F the friction force at the contact's velocity c. That one form is all the solver knows, so a new rig is a new
// row here and never a new instantiation.
//
//   forced_mass    q = x: position          M = mass, u the force
//   pulled_spring  q = l: elongation        l' = velocity - v,  spring k l                       A08 (14)-(15)
//   pid_servo      q = x                    -Kv v - Kp (x - target) - Ki I                      B05 (4)-(5)
//   conveyor       q = x of the block       spring -k x; c = belt - v                           M05 III
//   pendulum       q = theta                M = mass length^2, -mass gravity length sin(theta), c = radius theta'
// Two kinds are not of this form: prescribed (the contact's motion is given, nothing moves freely) and hybrid (pulled_spring
// with Coulomb friction, solved in closed form: hybrid.hpp). rig_kinds() is the one table of all seven, their keys and states.
//
// Energy: supplied is what the outside does on the rig (force, puller, belt, controller); stored is kinetic, spring or
// gravity, and bristle.
#pragma once
#include <bristle/parameters.hpp>
#include <cmath>
#include <span>
#include <string_view>

namespace bristle::simulate {

struct Rig {
    double inertia = 1;                             // M
    double drift = 0, sense = 1;                    // q' = drift + sense v
    double k0 = 0, kq = 0, kv = 0, kI = 0, ks = 0;  // pull
    double target = 0;                              // I' = q - target
    double ratio = 1;                               // c = ratio v + belt(t)
    double belt_speed = 0, belt_time = 1;           // belt(t) = belt_speed (1 - exp(-t/belt_time))
    bool has_integral = false;
    double spring = 0;  // stored energy: spring q^2/2
    double weight = 0;  // stored energy: weight (1 - cos q)

    static Rig forced_mass(double mass) { return {.inertia = mass}; }
    static Rig pulled_spring(double mass, double stiffness, double velocity) {
        return {.inertia = mass, .drift = velocity, .sense = -1, .kq = stiffness, .spring = stiffness};
    }
    static Rig pid_servo(double mass, double Kv, double Kp, double Ki, double target) {
        return {.inertia = mass,
                .k0 = Kp * target,
                .kq = -Kp,
                .kv = -Kv,
                .kI = -Ki,
                .target = target,
                .has_integral = true};
    }
    static Rig conveyor(double mass, double stiffness, double belt_speed, double belt_time) {
        return {.inertia = mass,
                .kq = -stiffness,
                .ratio = -1,
                .belt_speed = belt_speed,
                .belt_time = belt_time,
                .spring = stiffness};
    }
    static Rig pendulum(double mass, double length, double gravity, double radius) {
        return {.inertia = mass * length * length,
                .ks = -mass * gravity * length,
                .ratio = radius,
                .weight = mass * gravity * length};
    }

    // Power of what acts from outside, without the belt: the force, the puller of a spring, the controller.
    template <class S>
    S supplied(const S& q, const S& v, const S& I, const S& u) const {
        return u * v + drift * spring * q + (has_integral ? S(pull(q, v, I) * v) : S(0));
    }
    // The energy in motion, spring and height.
    double stored(double q, double v) const { return 0.5 * (inertia * v * v + spring * q * q) + raised(q); }
    double raised(double q) const {  // weight (1 - cos q), which keeps its digits near 0
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

enum class RigType { prescribed, forced_mass, pulled_spring, pid_servo, conveyor, pendulum, hybrid };

struct RigKind {
    RigType type;
    const char* name;  // in experiment files
    const char* title;
    std::span<const Parameter> parameters;        // the numbers it takes, all of them required
    Rig (*make)(std::span<const double> values);  // in that order; prescribed: a Rig that is not used
    const char *position, *velocity;              // names of its states (prescribed: x and v are signals, not states)
    const char *position_unit, *velocity_unit;
    bool takes_input;
};
std::span<const RigKind> rig_kinds();
// Null if there is no such kind.
const RigKind* rig_of_kind(std::string_view name);
const RigKind& rig_of(RigType type);

}  // namespace bristle::simulate
