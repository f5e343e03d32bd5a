// Units of the parts of a machine: linear or rotary.
#pragma once
#include <bristle/simulate/machine_parameters.hpp>

namespace bristle::inline simulation {

// True if a part has rotary units: its own mark, or that of the bodies and motions that it acts on. std::nullopt if these are
// unknown or differ (the gear of a rack, a motor whose controller measures a linear body).
std::optional<bool> is_rotary(const Machine& machine, const Body& body);
std::optional<bool> is_rotary(const Machine& machine, const PrescribedMotion& motion);
std::optional<bool> is_rotary(const Machine& machine, const Spring& spring);
std::optional<bool> is_rotary(const Machine& machine, const Gear& gear);
std::optional<bool> is_rotary(const Machine& machine, const ContactPart& contact);
std::optional<bool> is_rotary(const Machine& machine, const Force& force);
std::optional<bool> is_rotary(const Machine& machine, const Motor& motor);
std::optional<bool> is_rotary(const Machine& machine, const Controller& controller);

// The same for the signals of a part. Those of a controller have the units of the body that is measured.
template <class Part>
std::optional<bool> has_rotary_signals(const Machine& machine, const Part& part) {
    return is_rotary(machine, part);
}
std::optional<bool> has_rotary_signals(const Machine& machine, const Controller& controller);

}  // namespace bristle::simulation
