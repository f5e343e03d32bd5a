// What to simulate: a law, a rig, what drives it, where it starts, and how to compute it.
#pragma once
#include <bristle/simulate/input.hpp>
#include <bristle/simulate/law.hpp>
#include <bristle/simulate/rig.hpp>
#include <map>
#include <string>

namespace bristle::simulate {

enum class Method { adaptive, coupled, explicit_, cvode };
enum class Quantity { velocity, displacement };  // what the input of a prescribed rig means

struct Run {
    double duration = 0;  // s
    Method method = Method::adaptive;
    double rtol = 1e-6;              // adaptive, cvode
    double atol = 1e-6;              // adaptive, cvode: a factor on each state's nominal size (z: Fs/sigma0)
    double step = 0;                 // coupled, explicit [s]
    int samples = 1001;              // of every signal, evenly spaced from 0 to duration
    double stick_speed = 0;          // |contact velocity| below it counts as stick [m/s]; 0: no stick measures
    std::vector<double> looks = {};  // times [s] at which every signal is noted, also between samples
};

struct Setup {
    AnyLaw law;
    RigType type = RigType::forced_mass;
    Rig rig;  // made by its RigKind
    Input input = Input::constant(0);
    Quantity quantity = Quantity::velocity;
    Input load = Input::constant(1);      // N; 1 where the law's numbers are forces
    std::map<std::string, double> start;  // by name of state (state_names); zero otherwise
    Run run;
};

struct Named {
    std::string name, unit;
};
// The states of a law on a rig, in order: position and velocity (prescribed has neither), z or F1 F2 ..., integral.
std::vector<Named> state_names(const AnyLaw& law, RigType type);

// The Stribeck velocity of the law; the larger one where directions differ; 0 for a law that has none.
double stribeck_velocity(const AnyLaw& law);

}  // namespace bristle::simulate
