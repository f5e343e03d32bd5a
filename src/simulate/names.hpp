// The signals of a law on a rig: one table with name, unit, title, condition and value.
#pragma once
#include <bristle/simulate/result.hpp>

#include <array>

namespace bristle::inline simulation {

// The state of a rig at an instant. Every method passes these to the recorder.
struct Snapshot {
    double t = 0;
    double position = 0, velocity = 0;  // the coordinates of the rig, in its units
    double x = 0;                       // position of the mass [m], if position is an elongation
    int contact_states = 0;
    std::array<double, max_elements> z{};  // deflection, or the forces of the elements
    double integral = 0;
    double F = 0, dz = 0;  // friction force [N], rate of a single bristle [m/s]
    double u = 0;          // applied force, or the controller's [N]
    double slip = 0;       // velocity of the contact [m/s]
    double belt = 0, load = 1;
    double heat = 0;    // dissipated since the start [J]
    double work = 0;    // integral of F c dt since the start [J]
    double stored = 0;  // energy of the bristles [J]
};

// Reads one signal from a snapshot.
struct SignalReader {
    double (*value)(const Snapshot& at, std::size_t element);
    std::size_t element = 0;  // of Snapshot::z
    double operator()(const Snapshot& at) const { return value(at, element); }
};
struct SignalList {
    std::vector<Signal> signals;        // names, units and titles; no values yet
    std::vector<SignalReader> readers;  // readers[i] reads signals[i]
};
// Returns the states of a contact with this law, in order: z or F1 F2 ...; in the units of a linear contact.
std::vector<Named> contact_states(const AnyLaw& law);
const char* title_of(const Named& state);

// Label of the signals of a role in a machine. Rotary: of a part with an angle.
struct RoleLabel {
    const char *ending, *unit, *title, *rotary_unit, *rotary_title;
};
const RoleLabel& label_of(SignalRole role);
std::string signal_name(const std::string& part, const std::string& ending);
// Name of a signal of a machine: "axis.v". The ending of a state of a law is its name in contact_states.
std::string signal_name(const std::string& part, SignalRole role);

SignalList signals_of(const AnyLaw& law, const Rig& rig, const Input& load);

}  // namespace bristle::simulation
