// Set-up of a simulation: law, rig, input, load, start and run.
//
//   Setup axis{.law = LuGre{.sigma0 = 1e5, .sigma1 = 316.2, .sigma2 = 0.4, .curve = {.Fc = 1, .Fs = 1.5, .vs = 1e-3}},
//              .rig = PulledSpring{.mass = 1, .stiffness = 2, .velocity = 0.1},
//              .run = {.duration = 40}};
#pragma once
#include <bristle/simulate/input.hpp>
#include <bristle/simulate/law.hpp>
#include <bristle/simulate/rig.hpp>
#include <map>
#include <span>
#include <string>

namespace bristle::inline simulation {

enum class Method { adaptive, coupled, explicit_, cvode, hybrid };
struct MethodInfo {
    Method method;
    const char* name;  // in experiment files
    const char* doc;
    bool fixed_step;  // takes Run::step
};
// All methods, in the order of Method.
std::span<const MethodInfo> methods();
const MethodInfo& info_of(Method method);

struct Run {
    double duration = 0;  // s
    Method method = Method::adaptive;
    double rtol = 1e-6;      // adaptive, cvode
    double atol = 1e-6;      // adaptive, cvode: factor on the nominal size of each state (z: Fs/sigma0)
    double step = 0;         // coupled, explicit [s]
    int samples = 1001;      // number of samples of every signal, evenly spaced from 0 to duration
    double stick_speed = 0;  // stick: |contact velocity| < stick_speed [m/s]; 0: the law's Stribeck velocity
    std::vector<double> sample_times = {};  // times [s] at which every signal is recorded, besides the samples
};

struct Setup {
    AnyLaw law = {};
    Rig rig = ForcedMass{};
    Input input = Input::constant(0);  // ForcedMass: force [N]; Prescribed: the motion [m/s] or [m]
    // normal load [N]; 1 if the law's parameters are forces. Gear laws: transmitted load, 0 if it is not given with the law.
    Input load = Input::constant(neutral_load_of(law));
    std::map<std::string, double> start = {};  // by name of state (state_names); 0 if not given
    Run run = {};
};

// What a signal is: a coordinate or a state, a force, a signal of a controller, whatever its name is.
enum class SignalRole {
    other,
    time,
    position,
    velocity,
    elongation,
    spring_force,
    slip,
    friction,
    state,  // of a law: bristle deflection, or force of an element
    load,
    applied_force,
    motor_force,
    reference,
    error,
    command,
    integral,
    derivative
};
struct Named {
    std::string name, unit;
    std::string part = {};  // of a machine; empty for a rig
    SignalRole role = SignalRole::other;
};
// Returns the states of a law on a rig, in order: position and velocity (not of Prescribed), z or F1 F2 ..., integral.
std::vector<Named> state_names(const AnyLaw& law, const Rig& rig);

// Returns the Stribeck velocity of the law [m/s]; the larger one if directions differ; 0 for a law without one.
double stribeck_velocity(const AnyLaw& law);

// Returns Run::stick_speed, or the Stribeck velocity if that is 0 [m/s]. 0: the run has no stick measures.
double stick_speed(const Setup& setup);

}  // namespace bristle::simulation
