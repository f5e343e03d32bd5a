// A machine of the tests without events.
#pragma once
#include <bristle/simulate/machine.hpp>

namespace bristle::inline simulation {

// Two blocks in series between a puller and a belt, all sliding in one direction.
inline Machine sliding_blocks(double duration, double tolerance) {
    return {
        .bodies = {{.name = "a", .mass = 1, .v = 0.5}, {.name = "b", .mass = 2, .x = 0.0175, .v = 0.5}},
        .motions = {{.name = "puller", .value = Input::sine(0.5, 0.05, 4, 0.3), .x = 0.227},
                    {.name = "belt", .value = Input::constant(-0.3)}},
        .springs = {{.name = "pull", .first = "puller", .second = "a", .stiffness = 30, .damping = 1.5, .rest = 0.1},
                    {.name = "link", .first = "a", .second = "b", .stiffness = 80, .damping = 0.5, .rest = -0.05}},
        .contacts = {{.name = "foot",
                      .first = "a",
                      .law =
                          LuGre{.sigma0 = 3000, .sigma1 = 20, .sigma2 = 0.4, .curve = {.Fc = 1, .Fs = 1.5, .vs = 0.1}},
                      .start = {1e-4}},
                     {.name = "bed",
                      .first = "b",
                      .second = "belt",
                      .law = StribeckFriction{.curve = {.Fc = 2, .Fs = 3, .vs = 0.2}, .sigma2 = 0.7},
                      .load = Input::sine(1, 0.3, 9, 0)}},
        .run = {.duration = duration, .rtol = tolerance, .atol = tolerance}};
}

}  // namespace bristle::simulation
