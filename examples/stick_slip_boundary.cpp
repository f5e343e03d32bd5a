// The pulling speed at which stick-slip ends, and the speed below which steady sliding is unstable (A08 fig 7).
#include <bristle/analyse.hpp>

#include <cstdio>

int main() {
    using namespace bristle;
    const Setup axis{.law = LuGre{.sigma0 = 2940,
                                  .sigma1 = 108,
                                  .sigma2 = 0.2,                                              // N/m, N s/m, N s/m
                                  .curve = {.Fc = 2.94, .Fs = 5.88, .vs = 0.1, .alpha = 1}},  // N, N, m/s, 1
                     .rig = PulledSpring{.mass = 1.0, .stiffness = 2.0, .velocity = 0.5}};    // kg, N/m, m/s

    const Cycle cycle = limit_cycle(axis);
    std::printf("at 0.5 m/s: stick-slip with a period of %.4f s, %.0f %% of it in stick\n", cycle.period,
                100 * cycle.stick_fraction);

    const CycleBranch branch = follow(axis, "rig.velocity", 0.1, 5);
    for (const CyclePoint& fold : branch.folds)
        if (fold.parameter > 1) {
            std::printf("stick-slip ends at %.4f m/s\n", fold.parameter);
            break;
        }

    const Branch sliding = follow_equilibrium(axis, "rig.velocity", 0.1, 5);
    for (const CriticalPoint& point : sliding.critical)
        std::printf("steady sliding is unstable below %.4f m/s (Hopf point, %.3f rad/s)\n", point.value,
                    point.frequency);
}
