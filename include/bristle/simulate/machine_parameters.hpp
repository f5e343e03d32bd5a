// Tables of the parts of a machine: their lists, numbers and signals. Rules, file keys, units in reports and the tables of
// docs/experiments.md are made from them.
//
//   for_each_list(machine, visit)   visit(PartKind, list) for each list of parts
//   parameters(part, visit)         visit(PartParameter, number) for each number of a part; those of a law are in its own table
//   signals(part, visit)            visit(PartParameter, pointer to Input) for each signal; null: not given
// A number without a default is NaN in a default-constructed part.
#pragma once
#include <bristle/simulate/machine.hpp>

#include <concepts>
#include <string_view>

namespace bristle::inline simulation {

struct PartKind {
    MachineMember list;
    const char* section;  // of files, and the word for one part
    const char* plural;   // member of Machine, and the word for several
};

// The lists in the order of reports.
template <class AnyMachine, class Visit>
constexpr void for_each_list(AnyMachine& machine, Visit&& visit) {
    using enum MachineMember;
    visit(PartKind{bodies, "body", "bodies"}, machine.bodies);
    visit(PartKind{motions, "motion", "motions"}, machine.motions);
    visit(PartKind{springs, "spring", "springs"}, machine.springs);
    visit(PartKind{gears, "gear", "gears"}, machine.gears);
    visit(PartKind{contacts, "contact", "contacts"}, machine.contacts);
    visit(PartKind{forces, "force", "forces"}, machine.forces);
    visit(PartKind{motors, "motor", "motors"}, machine.motors);
    visit(PartKind{controllers, "controller", "controllers"}, machine.controllers);
}

// Units of a part: those of the bodies and motions that it acts on. both: it acts between a rotary and a linear one (the gear of a rack, a
// controller of a rotary motor that measures a linear body).
enum class PartUnits { unknown, linear, rotary, both };

// A number of a part, or a signal, with its units.
struct PartParameter {
    const char *name, *unit, *rotary_unit;  // unit: of linear parts
    const char* doc;
    Bound bound = rig_table::any;
    bool not_zero = false;              // 0 is not permitted
    bool unlimited = false;             // infinity is permitted: no limit
    const char* fallback = nullptr;     // what supplies the value if it is not given; null: nothing
    const char* rotary_name = nullptr;  // key in files, and doc, of rotary parts if it differs

    constexpr bool holds(double x) const {
        return bound.holds(x) || (unlimited && x == bound::infinite) || (fallback && x != x);
    }
    // The row with the unit, file key and doc of a part. Unit: "" for a part of both kinds, if that of the kinds differs.
    constexpr Parameter in_units(PartUnits units) const {
        if (units == PartUnits::both) return {name, std::string_view(unit) == rotary_unit ? unit : "", doc, bound};
        if (units != PartUnits::rotary) return {name, unit, doc, bound};
        return {rotary_name ? rotary_name : name, rotary_unit, rotary_name ? rotary_name : doc, bound};
    }
};

// Self is Part or const Part.
template <class Self, class Part>
concept AnyOf = std::same_as<std::remove_const_t<Self>, Part>;

template <AnyOf<Body> Self, class Visit>
constexpr void parameters(Self& body, Visit&& visit) {
    visit(PartParameter{.name = "mass",
                        .unit = "kg",
                        .rotary_unit = "kg m^2",
                        .doc = "mass",
                        .bound = bound::positive,
                        .rotary_name = "inertia"},
          body.mass);
    visit(PartParameter{"x", "m", "rad", "position at t = 0"}, body.x);
    visit(PartParameter{"v", "m/s", "rad/s", "velocity at t = 0"}, body.v);
    visit(PartParameter{"force", "N", "N m", "constant force, as its weight"}, body.force);
}
template <AnyOf<PrescribedMotion> Self, class Visit>
constexpr void parameters(Self& motion, Visit&& visit) {
    visit(PartParameter{"x", "m", "rad", "position at t = 0, if the velocity is given"}, motion.x);
}
template <AnyOf<Spring> Self, class Visit>
constexpr void parameters(Self& spring, Visit&& visit) {
    visit(PartParameter{"stiffness", "N/m", "N m/rad", "stiffness", bound::nonnegative}, spring.stiffness);
    visit(PartParameter{"damping", "N s/m", "N m s/rad", "damping", bound::nonnegative}, spring.damping);
    visit(PartParameter{"gap", "m", "rad", "width of the dead band", bound::nonnegative}, spring.gap);
    visit(PartParameter{"rest", "m", "rad", "x_first - x_second without force"}, spring.rest);
}
template <AnyOf<Gear> Self, class Visit>
constexpr void parameters(Self& gear, Visit&& visit) {
    visit(PartParameter{.name = "ratio",
                        .unit = "1",
                        .rotary_unit = "1",
                        .doc = "velocity of the driver over that of the driven body",
                        .not_zero = true},
          gear.ratio);
}
template <AnyOf<ContactPart> Self, class Visit>
constexpr void parameters(Self&, Visit&&) {}
template <AnyOf<Force> Self, class Visit>
constexpr void parameters(Self&, Visit&&) {}
template <AnyOf<Motor> Self, class Visit>
constexpr void parameters(Self& motor, Visit&& visit) {
    visit(PartParameter{.name = "gain",
                        .unit = "N",
                        .rotary_unit = "N m",
                        .doc = "force per unit of the command",
                        .not_zero = true},
          motor.gain);
    visit(PartParameter{.name = "limit",
                        .unit = "N",
                        .rotary_unit = "N m",
                        .doc = "limit of the force",
                        .bound = bound::positive,
                        .unlimited = true},
          motor.limit);
    visit(PartParameter{"lag", "s", "s", "time constant of the force", bound::nonnegative}, motor.lag);
    visit(PartParameter{"start", "N", "N m", "force at t = 0 with a lag"}, motor.start);
}
template <AnyOf<Pid> Self, class Visit>
constexpr void parameters(Self& pid, Visit&& visit) {
    visit(PartParameter{"Kp", "N/m", "N m/rad", "gain on the error", bound::nonnegative}, pid.Kp);
    visit(PartParameter{"Ki", "N/(m s)", "N m/(rad s)", "gain on its integral", bound::nonnegative}, pid.Ki);
    visit(PartParameter{"Kd", "N s/m", "N m s/rad", "gain on its rate", bound::nonnegative}, pid.Kd);
    visit(PartParameter{"filter", "s", "s", "time constant of the rate", bound::nonnegative}, pid.filter);
}
template <AnyOf<Cascade> Self, class Visit>
constexpr void parameters(Self& cascade, Visit&& visit) {
    visit(PartParameter{"Kx", "1/s", "1/s", "gain of the position loop", bound::nonnegative}, cascade.Kx);
    visit(PartParameter{"Kv", "N s/m", "N m s/rad", "gain of the velocity loop", bound::nonnegative}, cascade.Kv);
    visit(PartParameter{"Ki", "N/m", "N m/rad", "gain on the integral of the velocity error", bound::nonnegative},
          cascade.Ki);
    visit(PartParameter{.name = "speed_limit",
                        .unit = "m/s",
                        .rotary_unit = "rad/s",
                        .doc = "limit of the velocity command",
                        .bound = bound::positive,
                        .unlimited = true},
          cascade.speed_limit);
}
// Those of its law come first.
template <AnyOf<Controller> Self, class Visit>
constexpr void parameters(Self& controller, Visit&& visit) {
    std::visit([&](auto& law) { parameters(law, visit); }, controller.law);
    visit(PartParameter{.name = "inertia",
                        .unit = "kg",
                        .rotary_unit = "kg m^2",
                        .doc = "feedforward of the acceleration of the reference"},
          controller.inertia);
    visit(PartParameter{"viscous", "N s/m", "N m s/rad", "feedforward of its velocity"}, controller.viscous);
    visit(PartParameter{.name = "limit",
                        .unit = "N",
                        .rotary_unit = "N m",
                        .doc = "limit of the command",
                        .bound = bound::positive,
                        .unlimited = true},
          controller.limit);
    visit(PartParameter{.name = "tracking",
                        .unit = "s",
                        .rotary_unit = "s",
                        .doc = "time constant of the anti-windup",
                        .bound = bound::positive,
                        .unlimited = true,
                        .fallback = "Kp/Ki or Kv/Ki"},
          controller.tracking);
    visit(PartParameter{"start", "N", "N m", "integral part of the command at t = 0"}, controller.start);
    visit(PartParameter{"start_D", "N", "N m", "filtered part of the command at t = 0"}, controller.start_D);
}

template <class Part, class Visit>
constexpr void signals(Part& part, Visit&& visit) {
    using P = std::remove_const_t<Part>;
    if constexpr (std::same_as<P, PrescribedMotion>)
        visit(part.quantity == Quantity::velocity ? PartParameter{"value", "m/s", "rad/s", "velocity"}
                                                  : PartParameter{"value", "m", "rad", "position"},
              &part.value);
    else if constexpr (std::same_as<P, ContactPart>)
        visit(PartParameter{"load", "N", "N m", "normal load"}, part.load ? &*part.load : nullptr);
    else if constexpr (std::same_as<P, Force>)
        visit(PartParameter{"value", "N", "N m", "force"}, &part.value);
    else if constexpr (std::same_as<P, Motor>)
        visit(PartParameter{"command", "N", "N m", "command, if no controller gives it"}, &part.command);
    else if constexpr (std::same_as<P, Controller>)
        visit(PartParameter{"reference", "m", "rad", "reference, in units of the body that is measured"},
              &part.reference);
}

}  // namespace bristle::simulation
