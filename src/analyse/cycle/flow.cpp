#include "flow_law.hpp"

#include <bristle/simulate/error.hpp>

namespace bristle::analyse {

namespace {

using simulate::RigType;

// Time must not act. A belt that starts slowly is taken at its final speed: a start within a microsecond, long before t
// = 1 s, where its motions begin.
simulate::Setup autonomous(simulate::Setup setup) {
    if (setup.type != RigType::pulled_spring && setup.type != RigType::pid_servo && setup.type != RigType::conveyor)
        throw Error(std::string("the rig ") + simulate::rig_of(setup.type).name +
                    " has no motion that is followed here: take pulled_spring, pid_servo or conveyor");
    if (!setup.load.is_constant()) throw Error("the load changes with time: a limit cycle needs constant inputs");
    setup.rig.belt_time = 1e-6;
    return setup;
}

}  // namespace

std::unique_ptr<Flow> flow_of(const simulate::Setup& setup, double tolerance, const std::vector<Beside>& beside) {
    const simulate::Setup here = autonomous(setup);
    std::vector<Beside> around;
    for (const Beside& pair : beside) {
        if (pair.below.law.index() != setup.law.index() || pair.above.law.index() != setup.law.index() ||
            pair.below.type != setup.type || pair.above.type != setup.type)
            throw Error("the parameter changes the kind of law or rig: nothing can be continued in it");
        around.push_back({autonomous(pair.below), autonomous(pair.above), pair.apart});
    }
    return std::visit(
        [&](const auto& law) { return flow_for<std::remove_cvref_t<decltype(law)>>(here, tolerance, around); },
        here.law);
}

}  // namespace bristle::analyse
