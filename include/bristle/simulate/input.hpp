// Inputs: signals of time, smooth between corners.
//
//   constant  value
//   steps     points (t, value): each value holds from its time on; 0 before the first
//   ramps     points (t, value): linear between them, constant before the first and after the last
//   sine      offset + amplitude sin(omega t + phase)                              omega [rad/s], phase [rad]
//   chirp     offset + amplitude sin(2 pi (f0 t + (f1 - f0) t^2/(2 duration)))     f0, f1 [Hz], duration [s]
// A solver loses its order if it integrates across a corner. An input is therefore used in pieces: piece(t) is the
// smooth function that holds from t to the next corner after t.
#pragma once
#include <bristle/scalar.hpp>
#include <vector>

namespace bristle::inline simulation {

// offset + slope (t - start) + amplitude sin(phase + omega t + bend t^2)
// Units: t, start [s], phase [rad], omega [rad/s], bend [rad/s^2].
struct Piece {
    double offset = 0, slope = 0, start = 0;
    double amplitude = 0, omega = 0, bend = 0, phase = 0;

    template <class S>
    S value(const S& t) const {
        const S line = offset + slope * (t - start);
        return amplitude == 0 ? line : line + amplitude * sin(S(phase + t * (omega + bend * t)));
    }
    template <class S>
    S rate(const S& t) const {
        return amplitude == 0 ? S(slope)
                              : slope + amplitude * (omega + 2 * bend * t) * cos(S(phase + t * (omega + bend * t)));
    }
};

struct Point {
    double t = 0, value = 0;
};

struct Input {
    enum class Kind { constant, steps, ramps, wave };
    Kind kind = Kind::constant;
    Piece wave;                 // of kind constant and wave
    std::vector<Point> points;  // of kind steps and ramps, with rising t

    static Input constant(double value) { return {Kind::constant, {.offset = value}, {}}; }
    static Input steps(std::vector<Point> points) { return {Kind::steps, {}, std::move(points)}; }
    static Input ramps(std::vector<Point> points) { return {Kind::ramps, {}, std::move(points)}; }
    // omega_rad_s = 2 pi times the frequency in Hz.
    static Input sine(double offset, double amplitude, double omega_rad_s, double phase_rad) {
        return {Kind::wave, {.offset = offset, .amplitude = amplitude, .omega = omega_rad_s, .phase = phase_rad}, {}};
    }
    // The frequency changes linearly from f0_hz at t = 0 to f1_hz at t = duration_s.
    static Input chirp(double offset, double amplitude, double f0_hz, double f1_hz, double duration_s) {
        constexpr double pi = 3.14159265358979323846;
        return {Kind::wave,
                {.offset = offset,
                 .amplitude = amplitude,
                 .omega = 2 * pi * f0_hz,
                 .bend = pi * (f1_hz - f0_hz) / duration_s},
                {}};
    }

    // Returns the first corner after t [s]; infinity if there is none.
    double next_corner(double t) const;
    // Returns the smooth function that holds on [t, next_corner(t)).
    Piece piece(double t) const;
    // True if all values over t >= 0 are equal. Steps are 0 before their first point.
    bool is_constant() const;
    // Returns the smallest and the largest value over all t >= 0.
    struct Range {
        double low = 0, high = 0;
    };
    Range range() const;
    // Returns the shortest period of a wave up to t_end [s]; infinity if there is none.
    double period(double t_end) const;
};

}  // namespace bristle::simulation
