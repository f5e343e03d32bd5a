// The flow of a set-up: checks, then the instantiation for its law.
#include "analyse/cycle/flow_law.hpp"

#include <bristle/base/error.hpp>

#include "base/text.hpp"

namespace bristle::inline analysis::cycle {

namespace {

void check_autonomous(const Setup& setup) {
    if (!setup.rig.info().self_excited) {
        std::string others;
        for_each_rig([&](const auto& rig) {
            if (rig.info.self_excited) append_item(others, rig.info.kind);
        });
        throw Error(std::string("the rig ") + setup.rig.info().kind +
                    " has no stick-slip or hunting under constant inputs; rigs that have: " + others);
    }
    if (!setup.load.is_constant()) throw Error("the load changes with time; a limit cycle needs a constant load");
}

}  // namespace

RigEquations autonomous_rig(const Setup& setup) {
    RigEquations rig = setup.rig.equations();
    rig.belt_time = 1e-6;
    return rig;
}

double pull_velocity(const RigEquations& rig) { return rig.sense < 0 ? rig.drift : 0; }

std::unique_ptr<Flow> flow_of(const Setup& setup, double tolerance, const std::vector<SetupDifference>& differences) {
    check_autonomous(setup);
    for (const SetupDifference& pair : differences) {
        if (pair.below.law.index() != setup.law.index() || pair.above.law.index() != setup.law.index() ||
            pair.below.rig.index() != setup.rig.index() || pair.above.rig.index() != setup.rig.index())
            throw Error("the parameter changes the kind of law or rig; continuation needs a number");
        check_autonomous(pair.below);
        check_autonomous(pair.above);
    }
    return std::visit(
        [&](const auto& law) { return flow_for<std::remove_cvref_t<decltype(law)>>(setup, tolerance, differences); },
        setup.law);
}

}  // namespace bristle::analysis::cycle
