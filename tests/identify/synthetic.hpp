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

// Transmitted load [N] of gear laws at t [s].
inline double load(double t) { return 60 + 40 * std::sin(2 * std::numbers::pi * 0.37 * t + 0.5); }
template <class Law>
inline constexpr bool is_gear = neutral_load<Law> == 0;

// Friction force [N] of a law along the motion at a sample rate [Hz], without noise. Gear laws: under load(t).
template <class Law>
std::vector<double> force_along(const Law& law, double duration, double rate, double delay = 0) {
    constexpr int parts = 20;
    Contact<Law> contact(law);
    const double dt = 1 / rate, h = dt / parts;
    std::vector<double> out;
    for (int i = 0; i <= int(std::lround(duration * rate)); ++i) {
        const double t = i * dt - delay;
        const auto load_at = [](double at) { return is_gear<Law> ? load(at) : neutral_load<Law>; };
        if (i > 0)
            for (int k = 0; k < parts; ++k) {
                const double from = t - dt + k * h;
                contact.step((position(from + h) - position(from)) / h, h, load_at(from + 0.5 * h));
            }
        const double v = velocity(t);
        if constexpr (StaticLaw<Law>)
            out.push_back(v == 0 ? 0 : force(law, v, load_at(t)));
        else if constexpr (requires { contact.state().v; })
            out.push_back(force(law, contact.state().z, v, 1.0, sign0(v - velocity(t - 1e-6))));
        else if constexpr (requires { contact.state().z; })
            out.push_back(force(law, contact.state().z, v, load_at(t)));
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
    run.name = {"synthetic"};
    for (std::size_t i = 0; i < F.size(); ++i) {
        const double t = double(i) / rate, x = position(t);
        run.time.push_back(t);
        run.position.push_back(noise.resolution > 0 ? noise.resolution * std::round(x / noise.resolution) : x);
        run.force.push_back(F[i] + noise.force * normal(random));
        if (is_gear<Law>) run.load.push_back(load(t));
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
    run.name = {"run"};
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
    constexpr GearCurve teeth{.Fc = 12, .Fs = 18, .vs = 5e-3, .kc = 0.12, .ks = 0.2};
    visit("gear", GearFriction{.curve = teeth, .sigma2 = 60});
    visit("lugre_gear", GearLuGre{.sigma0 = 2e5, .sigma1 = 600, .sigma2 = 60, .curve = teeth});
    // a constant level: springs k that yield at nu Fc/k = 0.1, 1 and 10 mm
    visit("maxwell_slip", MaxwellSlip{.size = 3,
                                      .k = {1e5, 5e3, 5e2},
                                      .nu = {0.5, 0.25, 0.25},
                                      .C = 1e4,
                                      .curve = {.Fc = 20, .Fs = 20, .vs = 1},
                                      .sigma2 = 60});
}

// The true value of a fitted parameter; NaN if the law has none of that name, and for the elements k[i], d[i] of Maxwell-slip: their
// number is found by the fit.
inline double truth(const AnyLaw& law, const std::string& name) {
    if (name.starts_with("k[") || name.starts_with("d[")) return std::numeric_limits<double>::quiet_NaN();
    for (const KeyedNumber& number : numbers_of(Setup{.law = law}))
        if (number.key == "law." + name) return number.value;
    return name == "offset" || name == "delay" ? 0.0 : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace synthetic
