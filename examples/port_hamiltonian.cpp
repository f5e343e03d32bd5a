// Mass, spring and LuGre friction as port-Hamiltonian blocks (K08): the structure of the interconnection and its power balance.
#include <bristle/analyse.hpp>

#include <cmath>
#include <cstdio>

int main() {
    using namespace bristle;
    namespace ph = port_hamiltonian;
    const LuGre law{.sigma0 = 1e5, .sigma1 = 316.2, .sigma2 = 0.4, .curve = {.Fc = 1.0, .Fs = 1.5, .vs = 1e-3}};

    // friction in negative feedback with the mass, and both with the spring, whose far end moves at the input velocity
    const ph::System plant = feedback(ph::block::mass(1.0), ph::block::friction(law));
    const ph::System rig = feedback(ph::block::spring(2.0), plant);

    ph::Instant at{.x = ph::Vector(rig.states.size()), .u = {0.1}};  // relaxed and at rest; the puller moves at 0.1 m/s
    double supplied = 0, dissipated = 0, open = 0;                   // J
    for (int i = 0; i < 12000; ++i) {
        const double before = rig.energy(at.x);
        const ph::Advance step = ph::step(rig, at, 1e-3);
        at.x = step.x;
        supplied += step.supplied;
        dissipated += step.dissipated;
        open = std::fmax(open, std::fabs(rig.energy(at.x) - before - step.supplied + step.dissipated));
    }
    std::printf("states:");
    for (const std::string& name : rig.states) std::printf(" %s", name.c_str());
    std::printf("\nafter 12 s: supplied %.4f J, dissipated %.4f J, stored %.4f J\n", supplied, dissipated,
                rig.energy(at.x));
    std::printf("power balance of each step: %s\n", open < 1e-14 ? "closed to rounding" : "open");
}
