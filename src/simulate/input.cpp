// Pieces, corners, range and period of an input.
#include <bristle/simulate/input.hpp>

#include <algorithm>
#include <limits>
#include <numbers>

namespace bristle::inline simulation {

namespace {

// Returns the first point later than t.
auto after(const std::vector<Point>& points, double t) {
    return std::upper_bound(points.begin(), points.end(), t, [](double time, const Point& p) { return time < p.t; });
}

}  // namespace

double Input::next_corner(double t) const {
    if (kind == Kind::constant || kind == Kind::wave) return std::numeric_limits<double>::infinity();
    const auto next = after(points, t);
    return next == points.end() ? std::numeric_limits<double>::infinity() : next->t;
}

Piece Input::piece(double t) const {
    if (kind == Kind::constant || kind == Kind::wave) return wave;
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
    const double first = piece(0).value(0.0);
    Range out{first, first};
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
