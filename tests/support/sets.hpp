// Parameter sets of the papers, known solutions, and the number of random draws of a test.
#pragma once
#include <bristle/bristle.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace bristle::test {

// C95, the same in B05 table 1. Mass 1 kg.
inline const Stribeck c95_curve{.Fc = 1.0, .Fs = 1.5, .vs = 1e-3};
inline const LuGre c95{.sigma0 = 1e5, .sigma1 = std::sqrt(1e5), .sigma2 = 0.4, .curve = c95_curve};
// A08 fig 2, and fig 4 with vs = 0.1 (erratum E2). Mass 1 kg.
inline const LuGre a08_stiff{
    .sigma0 = 1.47e6, .sigma1 = 2.42e3, .curve = {.Fc = 2.94, .Fs = 5.88, .vs = 0.001, .alpha = 1}};
inline const LuGre a08_soft{.sigma0 = 2940, .sigma1 = 108, .curve = {.Fc = 2.94, .Fs = 5.88, .vs = 0.1, .alpha = 1}};

// C95 stick-slip: 1 kg pulled through 2 N/m at 0.1 m/s for 25 s. Oracle: Taylor series of A08 (14), A08 (15), A08 (16)
// in quadruple precision.
struct StickSlip {
    static constexpr double stiffness = 2, speed = 0.1, duration = 25;
    static constexpr double x = 1.90883919922548, v = 9.424154590728e-6, z = 1.181679545589e-5;
};

// Sanitized builds are slow and detect other faults: tests of accuracy do less there.
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
// Returns a number of draws: BRISTLE_DRAWS overrides it; sanitized builds use a tenth.
inline long draws(long usual) {
    if (const char* text = std::getenv("BRISTLE_DRAWS")) return std::strtol(text, nullptr, 10);
    return sanitized ? usual / 10 : usual;
}

// Random numbers whose seed is printed; BRISTLE_SEED repeats a run.
class Random {
  public:
    explicit Random(unsigned long usual) : seed_(usual) {
        if (const char* text = std::getenv("BRISTLE_SEED")) seed_ = std::strtoul(text, nullptr, 10);
        engine_.seed(seed_);
        std::printf("seed %lu\n", seed_);
    }
    double uniform(double a, double b) { return a + (b - a) * std::uniform_real_distribution<>()(engine_); }
    double log_uniform(double a, double b) { return std::exp(uniform(std::log(a), std::log(b))); }
    double sign() { return uniform(0, 1) < 0.5 ? -1 : 1; }
    int below(int n) { return int(uniform(0, n)); }

  private:
    unsigned long seed_;
    std::mt19937_64 engine_;
};

}  // namespace bristle::test
