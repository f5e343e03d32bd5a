// Pieces, corners, range and period of an input; the phases of moves.
#include <bristle/simulate/check.hpp>

#include <algorithm>
#include <limits>
#include <numbers>

namespace bristle::inline simulation {

namespace {

// Returns the first point later than t.
auto after(const std::vector<Point>& points, double t) {
    return std::upper_bound(points.begin(), points.end(), t, [](double time, const Point& p) { return time < p.t; });
}

// Returns the first piece that begins later than t.
auto begins_after(const std::vector<Piece>& path, double t) {
    return std::upper_bound(path.begin(), path.end(), t, [](double time, const Piece& p) { return time < p.start; });
}

// A part of a move with one jerk.
struct Phase {
    double duration, acceleration, jerk;  // acceleration at its start
};

// The phases of a move over a distance >= 0, from rest to rest, in the shortest time.
std::vector<Phase> phases_of(double distance, const MoveLimits& limits) {
    double v = limits.speed, a = limits.acceleration;
    const double j = limits.jerk;
    const bool trapezoid = std::isinf(j);
    // To reach v the speed takes v/a + a/j, and the distance at the mean speed v/2; the same to stop.
    if (trapezoid) {
        v = std::min(v, std::sqrt(distance * a));
    } else {
        a = std::min(a, std::sqrt(v * j));
        if (distance < v * (v / a + a / j)) {
            v = 0.5 * a * (std::sqrt(a / j * (a / j) + 4 * distance / a) - a / j);
            if (v < a * a / j) {  // the largest acceleration is not reached
                v = std::cbrt(0.25 * distance * distance * j);
                a = std::sqrt(v * j);
            }
        }
    }
    const double cruise = std::max(0.0, distance / v - v / a - (trapezoid ? 0 : a / j));
    if (trapezoid) return {{v / a, a, 0}, {cruise, 0, 0}, {v / a, -a, 0}};
    const double rise = a / j, plateau = std::max(0.0, v / a - a / j);
    return {{rise, 0, j},  {plateau, a, 0},  {rise, a, -j}, {cruise, 0, 0},
            {rise, 0, -j}, {plateau, -a, 0}, {rise, -a, j}};
}

// Appends a move that begins at t.
void append_move(std::vector<Piece>& path, double t, double from, double to, const MoveLimits& limits) {
    const double side = to < from ? -1 : 1;
    double x = from, v = 0;
    if (to != from)
        for (const Phase& phase : phases_of(std::abs(to - from), limits)) {
            if (!(t + phase.duration > t)) continue;
            const double d = phase.duration;
            path.push_back({.offset = x,
                            .slope = side * v,
                            .start = t,
                            .curve = side * phase.acceleration,
                            .jerk = side * phase.jerk});
            x += side * d * (v + d * (0.5 * phase.acceleration + d * phase.jerk / 6));
            v += d * (phase.acceleration + 0.5 * d * phase.jerk);
            t += d;
        }
    path.push_back({.offset = to, .start = t});
}

bool are_usable(const MoveLimits& limits, double from, const std::vector<Point>& targets) {
    const auto usable = [](const Point& p) { return std::isfinite(p.t) && std::isfinite(p.value); };
    return broken_rule(limits) == nullptr && std::isfinite(from) && std::all_of(targets.begin(), targets.end(), usable);
}

}  // namespace

double move_time(double distance, const MoveLimits& limits) {
    double sum = 0;
    if (distance != 0)
        for (const Phase& phase : phases_of(std::abs(distance), limits)) sum += phase.duration;
    return sum;
}

Input Input::moves(double from, std::vector<Point> targets, const MoveLimits& limits) {
    Input out{.kind = Kind::moves, .wave = {.offset = from}, .points = std::move(targets), .limits = limits};
    if (!are_usable(limits, from, out.points)) return out;  // problems() says why
    for (const Point& target : out.points) {
        append_move(out.path, std::max(target.t, 0.0), from, target.value, limits);
        from = target.value;
    }
    return out;
}

double Input::next_corner(double t) const {
    if (kind == Kind::constant || kind == Kind::wave) return std::numeric_limits<double>::infinity();
    if (kind == Kind::moves) {
        const auto next = begins_after(path, t);
        return next == path.end() ? std::numeric_limits<double>::infinity() : next->start;
    }
    const auto next = after(points, t);
    return next == points.end() ? std::numeric_limits<double>::infinity() : next->t;
}

Piece Input::piece(double t) const {
    if (kind == Kind::constant || kind == Kind::wave) return wave;
    if (kind == Kind::moves) {
        const auto next = begins_after(path, t);
        return next == path.begin() ? Piece{.offset = wave.offset} : *(next - 1);
    }
    const auto next = after(points, t);
    if (next == points.begin()) return {.offset = points.empty() ? 0 : kind == Kind::ramps ? points.front().value : 0};
    const Point& last = *(next - 1);
    if (kind == Kind::steps || next == points.end()) return {.offset = last.value};
    return {.offset = last.value, .slope = (next->value - last.value) / (next->t - last.t), .start = last.t};
}

bool Input::is_constant() const {
    const Range all = range();
    return all.low == all.high;
}

Input::Range Input::range() const {
    if (kind == Kind::constant || kind == Kind::wave) {
        const bool oscillates = wave.omega != 0 || wave.bend != 0;
        const double middle = oscillates ? wave.offset : wave.value(0.0),
                     reach = oscillates ? std::abs(wave.amplitude) : 0;
        return {middle - reach, middle + reach};
    }
    const double first = kind == Kind::moves ? wave.offset : piece(0).value(0.0);
    Range out{first, first};
    if (kind == Kind::moves) {  // from rest to rest, without overshoot
        for (const Point& target : points) out = {std::min(out.low, target.value), std::max(out.high, target.value)};
        return out;
    }
    for (auto point = after(points, 0); point != points.end(); ++point)
        out = {std::min(out.low, point->value), std::max(out.high, point->value)};
    return out;
}

double Input::period(double t_end) const {
    const double fastest = std::max(std::abs(wave.omega), std::abs(wave.omega + 2 * wave.bend * t_end));
    if (kind != Kind::wave || wave.amplitude == 0 || !(fastest > 0)) return std::numeric_limits<double>::infinity();
    return 2 * std::numbers::pi / fastest;
}

}  // namespace bristle::simulation
