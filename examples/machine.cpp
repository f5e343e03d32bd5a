// A compliant axis from parts: motor, gear, shaft with backlash, load; friction at motor and load. Where the energy goes.
#include <bristle/simulate.hpp>

#include <cmath>
#include <cstdio>

int main() {
    using namespace bristle;
    const LuGre bearing{.sigma0 = 60, .sigma1 = 0.05, .sigma2 = 1e-4, .curve = {.Fc = 0.02, .Fs = 0.03, .vs = 0.5}};
    const Coulomb guide{.curve = {.Fc = 2, .Fs = 2.6}, .sigma2 = 0.3};              // N m, N m, N m s/rad
    const Machine axis{.bodies = {{.name = "motor", .mass = 1e-4, .rotary = true},  // kg m^2
                                  {.name = "pinion", .mass = 2e-3, .rotary = true},
                                  {.name = "load", .mass = 0.25, .rotary = true}},
                       .springs = {{.name = "shaft",
                                    .first = "pinion",
                                    .second = "load",
                                    .stiffness = 400,  // N m/rad
                                    .damping = 0.3,    // N m s/rad
                                    .gap = 4e-3}},     // rad
                       .gears = {{.name = "gear", .driver = "motor", .driven = "pinion", .ratio = 20}},
                       .contacts = {{.name = "bearing", .first = "motor", .law = bearing},
                                    {.name = "guide", .first = "load", .law = guide}},
                       .forces = {{.name = "torque", .body = "motor", .value = Input::sine(0, 0.4, 8, 0)}},  // N m
                       .run = {.duration = 3}};                                                              // s
    const Result run = simulate(axis);

    int stops = 0;
    for (const Event& event : run.events) stops += event.part == "guide" && event.kind == Event::Kind::v_zero;
    std::printf("load: %d reversals, up to %.3f rad; shaft torque up to %.2f N m\n", stops,
                run.measures.max.at("load.x"), run.measures.max.at("shaft.F"));
    for (const Energy::Part& part : run.energy.parts)
        std::printf("%-8s supplied %7.3f J, dissipated %7.3f J\n", part.name.c_str(), part.supplied, part.dissipated);
    std::printf("balance closed within %s\n",
                std::abs(run.energy.residual()) < 1e-5 * run.energy.scale ? "1e-5" : "more");
}
