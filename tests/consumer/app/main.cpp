// A user's program: one short step, then one so long that the force must lie on the Stribeck curve.
#include <bristle/bristle.hpp>
#include <cmath>
#include <cstdio>

constexpr bristle::LuGre law{
    .sigma0 = 1e5, .sigma1 = 316.2, .sigma2 = 0.4, .curve = bristle::Stribeck{.Fc = 1.0, .Fs = 1.5, .vs = 1e-3}};

int main() {
    bristle::Contact joint{law};
    const double first = joint.step(1e-3, 1e-3).force;         // N; the bristle has begun to bend
    const double settled = joint.step(1e-3, 1e4).force;        // N; 8e5 time constants
    const double expected = 1 + 0.5 / std::exp(1.0) + 0.4e-3;  // Fc + (Fs - Fc) / e + sigma2 v, worked by hand
    std::printf("first step %.6f N, settled %.6f N, expected %.6f N\n", first, settled, expected);
    // The mean over the long step includes its beginning: 1 / 8e5 of it.
    return first > 0 && first < settled && std::abs(settled - expected) < 1e-5 ? 0 : 1;
}
