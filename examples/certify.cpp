// Passivity of a law: verdict, the viscous friction that is missing, and an input that extracts energy.
#include <bristle/analyse.hpp>

#include <cstdio>

int main() {
    using namespace bristle;
    const LuGre law{.sigma0 = 1e5, .sigma1 = 316.2, .sigma2 = 0.4, .curve = {.Fc = 1.0, .Fs = 1.5, .vs = 1e-3}};

    const Finding passive = certify(law).passive;
    std::printf("passive: %s; %s lacks %.1f N s/m\n", name_of(passive.verdict), passive.margin_key.c_str(),
                -*passive.margin);
    std::printf("passive for speeds up to %.1f mm/s\n", 1e3 * *passive.speed);
    std::printf("one cycle of the counterexample extracts %.2e J\n", -passive.counterexample->energy_per_cycle);

    // Bristle damping that fades with the speed is passive at every speed if vc < 4 sqrt(2 e) Fc/sigma1 (A08 property 4).
    const MicrodampedLuGre faded{.sigma0 = 1e5,
                                 .sigma1 = 316.2,
                                 .sigma2 = 0.4,
                                 .curve = {.Fc = 1.0, .Fs = 1.5, .vs = 1e-3},
                                 .fade = {.vc = 0.029}};
    std::printf("with damping that fades at 29 mm/s: %s\n", name_of(certify(faded).passive.verdict));
}
