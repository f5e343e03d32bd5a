// Energy stores of a rig and the closing of the ledger.
#include "simulate/ledger.hpp"

namespace bristle::inline simulation {

std::vector<std::pair<const char*, double>> stores_at(const Setup& setup, const Snapshot& at) {
    const RigEquations rig = setup.rig.equations();
    std::vector<std::pair<const char*, double>> out;
    if (!setup.rig.is_prescribed()) out.emplace_back("kinetic", 0.5 * rig.inertia * at.velocity * at.velocity);
    if (rig.spring != 0) out.emplace_back("spring", 0.5 * rig.spring * at.position * at.position);
    if (rig.weight != 0) out.emplace_back("gravity", rig.raised(at.position));
    if (at.contact_states > 0) out.emplace_back("bristle", at.stored);
    return out;
}

void close_ledger(Energy& energy, const Setup& setup, const Snapshot& first, const Snapshot& last, double max_stored) {
    const auto start = stores_at(setup, first), end = stores_at(setup, last);
    energy.stores.clear();
    energy.scale = std::abs(energy.supplied) + std::abs(energy.dissipated) + std::abs(energy.numerical) + max_stored;
    for (std::size_t i = 0; i < start.size(); ++i) {
        energy.stores.push_back({start[i].first, start[i].second, end[i].second});
        energy.scale += std::abs(start[i].second) + std::abs(end[i].second);
    }
}

bool closes(const Energy& energy, double rtol) {
    return energy.scale == 0 || std::abs(energy.residual()) <= 100 * rtol * energy.scale;
}

}  // namespace bristle::simulation
