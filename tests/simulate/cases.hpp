// Every law with C95-like numbers on every rig: what the tests of simulate() go through.
#pragma once
#include <bristle/simulate/examples.hpp>
#include <bristle/simulate/result.hpp>

#include <string>
#include <vector>

#include "../support/sets.hpp"

namespace bristle::simulate {

struct Case {
    std::string name;
    Setup setup;
};
// All rigs that are integrated, driven so that they stick, slip and turn.
inline std::vector<Case> rigs(const AnyLaw& law) {
    std::vector<Case> out;
    const auto add = [&](const char* name, RigType type, Rig rig, double duration,
                         Input input = Input::constant(0)) -> Setup& {
        Setup s;
        s.law = law;
        s.type = type;
        s.rig = rig;
        s.input = std::move(input);
        s.run.duration = duration;
        s.run.stick_speed = 1e-3;
        out.push_back({name, s});
        return out.back().setup;
    };
    add("forced_mass", RigType::forced_mass, Rig::forced_mass(1), 4, Input::sine(0.2, 3, 3, 0));
    add("forced_mass_steps", RigType::forced_mass, Rig::forced_mass(1), 3, Input::steps({{0.5, 2}, {1, -1}, {2, 0.3}}));
    add("pulled_spring", RigType::pulled_spring, Rig::pulled_spring(1, 2, 0.1), 12);
    add("pid_servo", RigType::pid_servo, Rig::pid_servo(1, 6, 3, 4, 1), 20);
    add("conveyor", RigType::conveyor, Rig::conveyor(1, 8, 0.1, 0.5), 3);
    add("pendulum", RigType::pendulum, Rig::pendulum(1, 0.5, 9.81, 0.1), 4).start["theta"] = 1;
    add("prescribed", RigType::prescribed, {}, 3, Input::sine(1e-3, 2e-3, 6, 0));
    add("prescribed_x", RigType::prescribed, {}, 3, Input::sine(0, 1e-4, 6, 0.3)).quantity = Quantity::displacement;
    return out;
}
inline Setup with(Setup setup, Method method, double rtol_or_step) {
    setup.run.method = method;
    (method == Method::adaptive || method == Method::cvode ? setup.run.rtol : setup.run.step) = rtol_or_step;
    setup.run.atol = setup.run.rtol;
    return setup;
}

}  // namespace bristle::simulate
