// Units of the parts of a machine, from the bodies and motions that they act on.
#include "simulate/machine/part_units.hpp"

#include "simulate/machine/assembly.hpp"

namespace bristle::inline simulation {

namespace {

// Of a body or motion; std::nullopt for the ground and unknown names.
std::optional<bool> rotary_end(const Machine& machine, const std::string& name) {
    if (const int i = index_of(machine.bodies, name); i >= 0) return machine.bodies[std::size_t(i)].rotary;
    if (const int i = index_of(machine.motions, name); i >= 0) return machine.motions[std::size_t(i)].rotary;
    return {};
}
std::optional<bool> common(std::optional<bool> a, std::optional<bool> b) {
    if (!a || !b) return a ? a : b;
    return *a == *b ? a : std::nullopt;
}
const Motor* motor_of(const Machine& machine, const Controller& controller) {
    const int i = index_of(machine.motors, controller.motor);
    return i < 0 ? nullptr : &machine.motors[std::size_t(i)];
}

}  // namespace

std::optional<bool> is_rotary(const Machine&, const Body& body) { return body.rotary; }
std::optional<bool> is_rotary(const Machine&, const PrescribedMotion& motion) { return motion.rotary; }
std::optional<bool> is_rotary(const Machine& machine, const Spring& spring) {
    return common(rotary_end(machine, spring.first), rotary_end(machine, spring.second));
}
std::optional<bool> is_rotary(const Machine& machine, const Gear& gear) {
    return common(rotary_end(machine, gear.driver), rotary_end(machine, gear.driven));
}
std::optional<bool> is_rotary(const Machine& machine, const ContactPart& contact) {
    return common(rotary_end(machine, contact.first), rotary_end(machine, contact.second));
}
std::optional<bool> is_rotary(const Machine& machine, const Force& force) { return rotary_end(machine, force.body); }
std::optional<bool> is_rotary(const Machine& machine, const Motor& motor) { return rotary_end(machine, motor.body); }
std::optional<bool> is_rotary(const Machine& machine, const Controller& controller) {
    const Motor* motor = motor_of(machine, controller);
    return common(motor ? is_rotary(machine, *motor) : std::nullopt, has_rotary_signals(machine, controller));
}
std::optional<bool> has_rotary_signals(const Machine& machine, const Controller& controller) {
    if (!controller.sensor.empty()) return rotary_end(machine, controller.sensor);
    const Motor* motor = motor_of(machine, controller);
    return motor ? is_rotary(machine, *motor) : std::nullopt;
}

}  // namespace bristle::simulation
