// Inputs: signals of time, smooth between corners.
//
//   constant  value
//   steps     points (t, value): each value holds from its time on; 0 before the first
//   ramps     points (t, value): linear between them, constant before the first and after the last
//   sine      offset + amplitude sin(omega t + phase)                              omega [rad/s], phase [rad]
//   chirp     offset + amplitude sin(2 pi (f0 t + (f1 - f0) t^2/(2 duration)))     f0, f1 [Hz], duration [s]
//   moves     from a start to targets (t, value), from rest to rest: each move begins at its t, in the shortest time that the
//             limits permit. Without a limit on the jerk the speed is a trapezoid, with one the position is an S-curve.
// A solver loses its order if it integrates across a corner. An input is therefore used in pieces: piece(t) is the
// smooth function that holds from t to the next corner after t.
#pragma once
#include <bristle/scalar.hpp>
#include <limits>
#include <vector>

namespace bristle::inline simulation {

// offset + slope s + curve s^2/2 + jerk s^3/6 + amplitude sin(phase + omega t + bend t^2),    s = t - start
// Units: t, start [s], phase [rad], omega [rad/s], bend [rad/s^2].
struct Piece {
    double offset = 0, slope = 0, start = 0;
    double amplitude = 0, omega = 0, bend = 0, phase = 0;
    double curve = 0, jerk = 0;

    template <class S>
    S value(const S& t) const {
        S sum = offset + slope * (t - start);
        if (is_curved()) sum += (t - start) * (t - start) * (0.5 * curve + jerk / 6 * (t - start));
        return amplitude == 0 ? sum : sum + amplitude * sin(S(phase + t * (omega + bend * t)));
    }
    template <class S>
    S rate(const S& t) const {
        S sum(slope);
        if (is_curved()) sum += (t - start) * (curve + 0.5 * jerk * (t - start));
        return amplitude == 0 ? sum : sum + amplitude * (omega + 2 * bend * t) * cos(S(phase + t * (omega + bend * t)));
    }
    // Second derivative with respect to time.
    template <class S>
    S second_rate(const S& t) const {
        S sum(curve);
        if (jerk != 0) sum += jerk * (t - start);
        if (amplitude == 0) return sum;
        const S phase_there = phase + t * (omega + bend * t), turn = omega + 2 * bend * t;
        return sum + amplitude * (2 * bend * cos(phase_there) - turn * turn * sin(phase_there));
    }
    bool changes() const { return slope != 0 || amplitude != 0 || is_curved(); }
    bool is_curved() const { return curve != 0 || jerk != 0; }
};

struct Point {
    double t = 0, value = 0;
};

// Limits of moves, in units of the signal per s, s^2 and s^3. They are reached only where a move is long enough.
struct MoveLimits {
    double speed = 0, acceleration = 0;
    double jerk = std::numeric_limits<double>::infinity();
    bool operator==(const MoveLimits&) const = default;
};

// Returns the time of a move over a distance, from rest to rest [s].
double move_time(double distance, const MoveLimits& limits);

struct Input {
    enum class Kind { constant, steps, ramps, wave, moves };
    Kind kind = Kind::constant;
    Piece wave;                    // of kind constant and wave; moves: wave.offset is the start
    std::vector<Point> points;     // of kind steps, ramps and moves, with rising t
    MoveLimits limits = {};        // of kind moves
    std::vector<Piece> path = {};  // of kind moves: what the points and limits give

    static Input constant(double value) { return {.kind = Kind::constant, .wave = {.offset = value}, .points = {}}; }
    static Input steps(std::vector<Point> points) {
        return {.kind = Kind::steps, .wave = {}, .points = std::move(points)};
    }
    static Input ramps(std::vector<Point> points) {
        return {.kind = Kind::ramps, .wave = {}, .points = std::move(points)};
    }
    // omega_rad_s = 2 pi times the frequency in Hz.
    static Input sine(double offset, double amplitude, double omega_rad_s, double phase_rad) {
        return {.kind = Kind::wave,
                .wave = {.offset = offset, .amplitude = amplitude, .omega = omega_rad_s, .phase = phase_rad},
                .points = {}};
    }
    // The frequency changes linearly from f0_hz at t = 0 to f1_hz at t = duration_s.
    static Input chirp(double offset, double amplitude, double f0_hz, double f1_hz, double duration_s) {
        constexpr double pi = 3.14159265358979323846;
        return {.kind = Kind::wave,
                .wave = {.offset = offset,
                         .amplitude = amplitude,
                         .omega = 2 * pi * f0_hz,
                         .bend = pi * (f1_hz - f0_hz) / duration_s},
                .points = {}};
    }
    // A move to each target (t, value) begins at t, or at 0 if t is earlier; before the first the value is `from`.
    static Input moves(double from, std::vector<Point> targets, const MoveLimits& limits);
    // The same to one target with a trapezoid of the speed, and as an S-curve with a limited jerk.
    static Input trapezoid(double from, double to, double speed, double acceleration, double begin = 0) {
        return moves(from, {{begin, to}}, {.speed = speed, .acceleration = acceleration});
    }
    static Input s_curve(double from, double to, const MoveLimits& limits, double begin = 0) {
        return moves(from, {{begin, to}}, limits);
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
