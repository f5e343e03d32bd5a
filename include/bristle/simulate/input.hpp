// What drives a rig: a signal of time, smooth between corners.
//
//   constant  value
//   steps     points (t, value): each value holds from its time on
//   ramps     points (t, value): straight between them, held before the first and after the last
//   sine      offset + amplitude sin(2 pi frequency t + phase)
//   chirp     offset + amplitude sin(2 pi (f0 t + (f1 - f0) t^2/(2 duration)))
// A solver that integrates across a corner loses its order there, so an input is handed out in pieces: piece(t) is the
// smooth function that holds from t to the next corner after t.
#pragma once
#include <bristle/scalar.hpp>
#include <vector>

namespace bristle::inline simulation {

// offset + slope (t - start) + amplitude sin(phase + omega t + bend t^2)
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
    double t, value;
};

struct Input {
    enum class Kind { constant, steps, ramps, wave };
    Kind kind = Kind::constant;
    Piece wave;                 // constant and wave: all of it
    std::vector<Point> points;  // steps and ramps, rising in t

    static Input constant(double value) { return {Kind::constant, {.offset = value}, {}}; }
    static Input steps(std::vector<Point> points) { return {Kind::steps, {}, std::move(points)}; }
    static Input ramps(std::vector<Point> points) { return {Kind::ramps, {}, std::move(points)}; }
    static Input sine(double offset, double amplitude, double omega, double phase) {
        return {Kind::wave, {.offset = offset, .amplitude = amplitude, .omega = omega, .phase = phase}, {}};
    }
    static Input chirp(double offset, double amplitude, double f0, double f1, double duration) {
        constexpr double pi = 3.14159265358979323846;
        return {Kind::wave,
                {.offset = offset, .amplitude = amplitude, .omega = 2 * pi * f0, .bend = pi * (f1 - f0) / duration},
                {}};
    }

    // The first corner after t; infinity if there is none.
    double next_corner(double t) const;
    // The smooth function that holds on [t, next_corner(t)).
    Piece piece(double t) const;
    // Does not change.
    bool is_constant() const;
    // The smallest and the largest value it can take at any time.
    struct Range {
        double low, high;
    };
    Range range() const;
    // The shortest period of a wave up to t_end; infinity where there is none.
    double period(double t_end) const;
};

}  // namespace bristle::inline simulation
