// Units of the parts of a machine: linear or rotary.
#pragma once
#include <bristle/simulate/machine_parameters.hpp>

namespace bristle::inline simulation {

// Units of a part: its own mark, or that of the bodies and motions that it acts on; unknown if there are none of these names.
PartUnits units_of(const Machine& machine, const Body& body);
PartUnits units_of(const Machine& machine, const PrescribedMotion& motion);
PartUnits units_of(const Machine& machine, const Spring& spring);
PartUnits units_of(const Machine& machine, const Gear& gear);
PartUnits units_of(const Machine& machine, const ContactPart& contact);
PartUnits units_of(const Machine& machine, const Force& force);
PartUnits units_of(const Machine& machine, const Motor& motor);
PartUnits units_of(const Machine& machine, const Controller& controller);

// The same for the signals of a part. Those of a controller have the units of the body that is measured.
template <class Part>
PartUnits signal_units_of(const Machine& machine, const Part& part) {
    return units_of(machine, part);
}
PartUnits signal_units_of(const Machine& machine, const Controller& controller);

}  // namespace bristle::simulation
