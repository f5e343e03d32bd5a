// Cases for the tests of simulate(): every law with C95-like parameters on every rig.
#pragma once
#include <bristle/simulate/result.hpp>

#include <string>
#include <vector>

#include "../support/sets.hpp"
#include "simulate/c95_law.hpp"

namespace bristle::inline simulation {

// Coulomb friction without viscous friction.
inline bristle::Setup coulomb(double Fc, double Fs, const Rig& rig, double duration = 1) {
    AnyCoulomb law;
    law.curve.positive = {.Fc = Fc, .Fs = Fs};
    bristle::Setup s;
    s.law = law;
    s.rig = rig;
    s.run.duration = duration;
    return s;
}

struct Case {
    std::string name;
    bristle::Setup setup;
};
// All integrated rigs, driven so that they stick, slip and reverse.
inline std::vector<Case> rigs(const AnyLaw& law) {
    std::vector<Case> out;
    const auto add = [&](const char* name, const Rig& rig, double duration,
                         Input input = Input::constant(0)) -> bristle::Setup& {
        bristle::Setup s;
        s.law = law;
        s.rig = rig;
        s.input = std::move(input);
        s.run.duration = duration;
        s.run.stick_speed = 1e-3;
        out.push_back({name, s});
        return out.back().setup;
    };
    add("forced_mass", ForcedMass{1}, 4, Input::sine(0.2, 3, 3, 0));
    add("forced_mass_steps", ForcedMass{1}, 3, Input::steps({{0.5, 2}, {1, -1}, {2, 0.3}}));
    add("pulled_spring", PulledSpring{1, 2, 0.1}, 12);
    add("pid_servo", PidServo{1, 6, 3, 4, 1}, 20);
    add("conveyor", Conveyor{1, 8, 9.81, 0.1, 0.5}, 3);
    add("pendulum", Pendulum{1, 0.5, 9.81, 0.1}, 4).start["theta"] = 1;
    add("prescribed", Prescribed{}, 3, Input::sine(1e-3, 2e-3, 6, 0));
    add("prescribed_x", Prescribed{Quantity::displacement}, 3, Input::sine(0, 1e-4, 6, 0.3));
    return out;
}
inline bristle::Setup with(bristle::Setup setup, Method method, double rtol_or_step) {
    setup.run.method = method;
    (method == Method::adaptive || method == Method::cvode ? setup.run.rtol : setup.run.step) = rtol_or_step;
    setup.run.atol = setup.run.rtol;
    return setup;
}

}  // namespace bristle::simulation
