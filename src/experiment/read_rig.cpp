// [rig]: the numbers come from the rig's own table.
#include "experiment/parts.hpp"

#include <algorithm>
#include <cmath>

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
    const auto kind = section.kind(kinds);
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
    // products of numbers within their bounds can overflow
    const RigEquations rig = part.rig->equations();
    const double products[] = {rig.k0, rig.ks, rig.weight, 1 / rig.inertia, 1 / (rig.ratio * rig.ratio)};
    part.usable = std::all_of(std::begin(products), std::end(products), [](double x) { return std::isfinite(x); }) &&
                  rig.inertia < bound::infinite;
    if (!part.usable) section.diagnose("a product of these numbers is not finite; use values nearer to 1");
    return part;
}

}  // namespace bristle::experiment
