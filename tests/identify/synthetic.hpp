// Synthetic records with known laws: a prescribed motion that slides, creeps through the Stribeck zone and stays in presliding, the
// force of the law along it, and noise with a fixed seed.
//
// The force comes from Contact with 20 steps per sample, not from the response of identify. Motion: three parts with smooth envelopes
//   fast sliding 32 mm at 1 Hz (0.2 m/s), slow reversals 2 mm at 0.5 Hz (6 mm/s), presliding 60 um with 3 Hz and 17 Hz.
#pragma once
#include <bristle/identify.hpp>

#include <cmath>
#include <numbers>
#include <random>

namespace synthetic {

using namespace bristle;

struct Noise {
    double force = 0;       // N, standard deviation of white noise
    double resolution = 0;  // m, step of the encoder; 0: exact positions
    double delay = 0;       // s by which the force is late
    std::uint64_t seed = 1;
};

inline double envelope(double t, double from, double to) {
    const auto rise = [](double u) { return u <= 0 ? 0.0 : u >= 1 ? 1.0 : u * u * u * (10 + u * (-15 + 6 * u)); };
    return rise((t - from) / 0.5) * rise((to - t) / 0.5);
}
// Position [m] at t [s]; 20 s in all. Phases: no reversal falls on a sample, where a static law has every force.
inline double position(double t) {
    using std::numbers::pi;
    return envelope(t, 0, 8) * 32e-3 * std::sin(2 * pi * t + 0.3) +
           envelope(t, 7.5, 14) * 2e-3 * std::sin(2 * pi * 0.5 * t + 0.7) +
           envelope(t, 13.5, 20) * 60e-6 * (0.6 * std::sin(2 * pi * 3 * t + 0.2) + 0.4 * std::sin(2 * pi * 17 * t));
}
inline double velocity(double t) {
    constexpr double h = 1e-5;
    return (8 * (position(t + h) - position(t - h)) - (position(t + 2 * h) - position(t - 2 * h))) / (12 * h);
}

// Friction force [N] of a law along the motion at a sample rate [Hz], without noise.
template <class Law>
std::vector<double> force_along(const Law& law, double duration, double rate, double delay = 0) {
    constexpr int parts = 20;
    Contact<Law> contact(law);
    const double dt = 1 / rate, h = dt / parts;
    std::vector<double> out;
    for (int i = 0; i <= int(std::lround(duration * rate)); ++i) {
        const double t = i * dt - delay;
        if (i > 0)
            for (int k = 0; k < parts; ++k) {
                const double from = t - dt + k * h;
                contact.step((position(from + h) - position(from)) / h, h);
            }
        const double v = velocity(t);
        if constexpr (StaticLaw<Law>)
            out.push_back(v == 0 ? 0 : force(law, v));
        else if constexpr (requires { contact.state().v; })
            out.push_back(force(law, contact.state().z, v, 1.0, sign0(v - velocity(t - 1e-6))));
        else if constexpr (requires { contact.state().z; })
            out.push_back(force(law, contact.state().z, v));
        else
            out.push_back(force(law, contact.state(), v));
    }
    return out;
}

template <class Law>
Record record(const Law& law, const Noise& noise, double duration = 20, double rate = 1000) {
    const std::vector<double> F = force_along(law, duration, rate, noise.delay);
    std::mt19937_64 random(noise.seed);
    std::normal_distribution<double> normal;
    MeasuredRun run;
    run.name = "synthetic";
    for (std::size_t i = 0; i < F.size(); ++i) {
        const double t = double(i) / rate, x = position(t);
        run.time.push_back(t);
        run.position.push_back(noise.resolution > 0 ? noise.resolution * std::round(x / noise.resolution) : x);
        run.force.push_back(F[i] + noise.force * normal(random));
        run.used.push_back(1);
        run.line.push_back(std::uint32_t(i + 2));
    }
    Record out;
    out.runs.push_back(std::move(run));
    return out;
}

// A run with its own position [m] and force [N] as functions of time [s], and white noise on the force.
template <class Position, class Force>
MeasuredRun run_of(double duration, double rate, const Position& position, const Force& force, const Noise& noise) {
    std::mt19937_64 random(noise.seed);
    std::normal_distribution<double> normal;
    MeasuredRun run;
    run.name = "run";
    for (int i = 0; i < int(duration * rate); ++i) {
        const double t = i / rate;
        run.time.push_back(t);
        run.position.push_back(position(t));
        run.force.push_back(force(t) + noise.force * normal(random));
        run.used.push_back(1);
        run.line.push_back(std::uint32_t(i + 2));
    }
    return run;
}

inline constexpr Stribeck curve{.Fc = 20, .Fs = 30, .vs = 5e-3};

// A law of each kind, of a linear axis.
template <class Visit>
void for_each(Visit&& visit) {
    const LuGre lugre{.sigma0 = 2e5, .sigma1 = 600, .sigma2 = 60, .curve = curve};
    visit("coulomb", Coulomb{.curve = {.Fc = 20}, .sigma2 = 60});
    visit("stribeck", StribeckFriction{.curve = curve, .sigma2 = 60});
    visit("stribeck_smooth", SmoothFriction{.curve = {.Fc = 20, .Fs = 30, .vs = 5e-3, .c = 1500}, .sigma2 = 60});
    visit("makkar", Makkar{.curve = {.g1 = 14, .g2 = 1000, .g3 = 80, .g4 = 20, .g5 = 6000}, .sigma2 = 60});
    visit("dahl", Dahl{.sigma0 = 2e5, .Fc = 20});
    visit("lugre", lugre);
    visit("lugre_microdamped",
          MicrodampedLuGre{.sigma0 = 2e5, .sigma1 = 600, .sigma2 = 60, .curve = curve, .fade = {.vc = 8e-3}});
    visit(
        "lugre_smooth",
        SmoothLuGre{.sigma0 = 2e5, .sigma1 = 600, .sigma2 = 60, .curve = {.Fc = 20, .Fs = 30, .vs = 5e-3, .c = 1500}});
    visit("lugre_makkar", MakkarLuGre{.sigma0 = 2e5,
                                      .sigma1 = 600,
                                      .sigma2 = 60,
                                      .curve = {.g1 = 14, .g2 = 1000, .g3 = 80, .g4 = 20, .g5 = 6000}});
    visit("hysteretic", Hysteretic{.sigma0 = 2e5, .sigma1 = 600, .sigma2 = 60, .curve = curve, .a = 5e-4});
    visit("elastoplastic", ElastoPlastic{.sigma0 = 2e5, .sigma1 = 600, .sigma2 = 60, .curve = curve, .kappa = 0.5});
}

// The true value of a fitted parameter; NaN if the law has none of that name.
inline double truth(const AnyLaw& law, const std::string& name) {
    for (const KeyedNumber& number : numbers_of(Setup{.law = law}))
        if (number.key == "law." + name) return number.value;
    return name == "offset" || name == "delay" ? 0.0 : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace synthetic
