// Stick-slip of a mass that is pulled through a spring: a set-up, a run, its measures and its energy balance.
#include <bristle/simulate.hpp>

#include <cstdio>

int main() {
    using namespace bristle;
    const Setup axis{.law = LuGre{.sigma0 = 1e5,
                                  .sigma1 = 316.2,
                                  .sigma2 = 0.4,                                           // N/m, N s/m, N s/m
                                  .curve = {.Fc = 1.0, .Fs = 1.5, .vs = 1e-3}},            // N, N, m/s
                     .rig = PulledSpring{.mass = 1.0, .stiffness = 2.0, .velocity = 0.1},  // kg, N/m, m/s
                     .run = {.duration = 40}};                                             // s
    const Result run = simulate(axis);
    std::printf("period %.4f s, amplitude %.4f m, top speed %.4f m/s\n", *run.measures.period, *run.measures.amplitude,
                run.measures.max.at("v"));
    std::printf("%zu stick phases; supplied %.4f J, dissipated %.4f J, stored %.4f J\n",
                run.measures.stick_begin.size(), run.energy.supplied, run.energy.dissipated, run.energy.stored());

    // The same axis in fixed steps of 1 ms, as a controller would take them.
    Setup sampled = axis;
    sampled.run.method = Method::coupled;
    sampled.run.step = 1e-3;
    std::printf("in steps of 1 ms: period %.4f s\n", *simulate(sampled).measures.period);
}
