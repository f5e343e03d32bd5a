// Units of the parts of a machine, from the bodies and motions that they act on.
#include "simulate/machine/part_units.hpp"

#include "simulate/machine/assembly.hpp"

namespace bristle::inline simulation {

namespace {

PartUnits of_mark(bool rotary) { return rotary ? PartUnits::rotary : PartUnits::linear; }
// Of a body or motion; unknown for the ground.
PartUnits of_end(const Machine& machine, const std::string& name) {
    if (const int i = index_of(machine.bodies, name); i >= 0) return of_mark(machine.bodies[std::size_t(i)].rotary);
    if (const int i = index_of(machine.motions, name); i >= 0) return of_mark(machine.motions[std::size_t(i)].rotary);
    return PartUnits::unknown;
}
PartUnits joined(PartUnits a, PartUnits b) {
    if (a == PartUnits::unknown) return b;
    return b == PartUnits::unknown || a == b ? a : PartUnits::both;
}
PartUnits of_motor(const Machine& machine, const Controller& controller) {
    const int i = index_of(machine.motors, controller.motor);
    return i < 0 ? PartUnits::unknown : units_of(machine, machine.motors[std::size_t(i)]);
}

}  // namespace

PartUnits units_of(const Machine&, const Body& body) { return of_mark(body.rotary); }
PartUnits units_of(const Machine&, const PrescribedMotion& motion) { return of_mark(motion.rotary); }
PartUnits units_of(const Machine& machine, const Spring& spring) {
    return joined(of_end(machine, spring.first), of_end(machine, spring.second));
}
PartUnits units_of(const Machine& machine, const Gear& gear) {
    return joined(of_end(machine, gear.driver), of_end(machine, gear.driven));
}
PartUnits units_of(const Machine& machine, const ContactPart& contact) {
    return joined(of_end(machine, contact.first), of_end(machine, contact.second));
}
PartUnits units_of(const Machine& machine, const Force& force) { return of_end(machine, force.body); }
PartUnits units_of(const Machine& machine, const Motor& motor) { return of_end(machine, motor.body); }
PartUnits units_of(const Machine& machine, const Controller& controller) {
    return joined(of_motor(machine, controller), signal_units_of(machine, controller));
}
PartUnits signal_units_of(const Machine& machine, const Controller& controller) {
    return controller.sensor.empty() ? of_motor(machine, controller) : of_end(machine, controller.sensor);
}

}  // namespace bristle::simulation
