// [rig]: the numbers come from the rig's own table.
#include "experiment/parts.hpp"

#include <bristle/simulate/check.hpp>

namespace bristle::experiment {

namespace {

constexpr const char* hybrid_kind = "hybrid";  // short for pulled_spring with run.method = "hybrid"

Words rig_kinds() {
    Words kinds;
    for_each_rig([&](const auto& rig) { kinds.emplace_back(rig.info.kind); });
    kinds.emplace_back(hybrid_kind);
    return kinds;
}

}  // namespace

RigPart read_rig(Section section) {
    RigPart part;
    const auto kinds = rig_kinds();
    if (!section.there()) {
        section.diagnose("is missing: a section [rig] with kind = " + listed(kinds));
        return part;
    }
    const auto kind = section.choice("kind", kinds);
    if (!kind) return part;
    part.hybrid = kinds[*kind] == hybrid_kind;
    part.rig = part.hybrid ? Rig(PulledSpring{}) : rig_of_kind(kinds[*kind]);
    part.usable = true;
    part.rig->parameters([&](const Parameter& p, double& x) {
        const auto number = section.number(Key{p});
        part.usable = part.usable && number;
        x = number.value_or(0);
    });
    section.close();
    if (!part.usable) return part;
    if (const char* rule = broken_rule(*part.rig)) {
        part.usable = false;
        section.diagnose(rule);
    }
    return part;
}

}  // namespace bristle::experiment
