#include <bristle/analyse/hysteresis.hpp>
#include <bristle/base/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace bristle::inline analysis {

namespace {

constexpr double max_turns = 1e6;

// The times in (from, to) at which the rate of a wave changes sign: slope + amplitude theta' cos(theta) = 0, with the
// angle theta = phase + omega t + bend t^2.
std::vector<double> turns_of(const Piece& p, double from, double to) {
    std::vector<double> turns;
    if (p.amplitude == 0) return turns;
    if (p.bend != 0 && p.slope != 0) throw Error("the turns of a chirp on a slope are not known in closed form");
    const double q = p.bend == 0 ? p.slope / (-p.amplitude * p.omega) : 0;
    if (!(std::abs(q) < 1)) return turns;  // the slope wins
    const double cross = std::acos(q), whole = 2 * std::numbers::pi;
    // the angle runs one way from a to b and meets 2 pi n + cross and 2 pi n - cross there
    const auto between = [&](double a, double b) {
        const auto theta = [&](double t) { return t * (p.omega + p.bend * t); };
        const double low = std::min(theta(a), theta(b)), high = std::max(theta(a), theta(b));
        if (high - low > std::numbers::pi * max_turns)
            throw Error("the displacement turns more than a million times: shorten its duration");
        const double way = theta(b) > theta(a) ? 1 : -1;  // the sign of theta'
        for (const double phase : {-cross - p.phase, cross - p.phase})
            for (double n = std::ceil((low - phase) / whole); whole * n + phase <= high; ++n) {
                const double target = whole * n + phase;
                double t = target / p.omega;
                if (p.bend != 0) {
                    // theta' = way * root there; the form of the solution that does not cancel
                    const double root = way * std::sqrt(std::max(0.0, p.omega * p.omega + 4 * p.bend * target));
                    t = root * p.omega > 0 ? 2 * target / (p.omega + root) : (root - p.omega) / (2 * p.bend);
                }
                if (t > a && t < b) turns.push_back(t);
            }
    };
    const double still = p.bend != 0 ? -p.omega / (2 * p.bend) : from;  // where the angle itself turns
    if (still > from && still < to) {
        turns.push_back(still);
        between(from, still);
        between(still, to);
    } else {
        between(from, to);
    }
    std::sort(turns.begin(), turns.end());
    return turns;
}

// A smooth stretch, cut where it turns.
void add_strokes(std::vector<Stroke>& strokes, const Piece& piece, double from, double to) {
    std::vector<double> times = turns_of(piece, from, to);
    times.push_back(to);
    double t = from, u = piece.value(from), rho = strokes.empty() ? 0 : strokes.back().rho1;
    for (const double end : times) {
        const double next = piece.value(end);
        if (next != u) strokes.push_back({t, end, u, next, rho, rho + std::abs(next - u)});
        rho += std::abs(next - u);
        t = end;
        u = next;
    }
}

const Stroke& stroke_at(const Variation& v, double rho) {
    if (v.strokes.empty()) throw Error("a displacement that rests has no way to be measured against");
    const auto found = std::upper_bound(v.strokes.begin(), v.strokes.end(), rho,
                                        [](double way, const Stroke& s) { return way < s.rho1; });
    return found == v.strokes.end() ? v.strokes.back() : *found;
}

}  // namespace

Variation variation_of(const Input& u, double duration) {
    if (!(duration > 0 && std::isfinite(duration))) throw Error("a displacement needs a duration > 0");
    Variation out{u, duration, {}, {}};
    double t = 0;
    while (t < duration) {
        const Piece piece = u.piece(t);
        const double end = std::min(duration, u.next_corner(t));
        add_strokes(out.strokes, piece, t, end);
        // a step, or the first point of a table: straight across
        const double left = piece.value(end), right = u.piece(end).value(end);
        const double rho = out.total();
        if (u.kind == Input::Kind::steps && end < duration && right != left)
            out.strokes.push_back({end, end, left, right, rho, rho + std::abs(right - left)});
        t = end;
    }
    for (std::size_t i = 1; i < out.strokes.size(); ++i) {
        const Stroke& s = out.strokes[i];
        if (s.direction() != out.strokes[i - 1].direction())
            out.reversals.push_back({s.t0, s.u0, s.rho0, s.direction() < 0});
    }
    return out;
}

double Variation::rho(double t) const {
    const auto found =
        std::upper_bound(strokes.begin(), strokes.end(), t, [](double time, const Stroke& s) { return time < s.t1; });
    if (found == strokes.end()) return total();
    if (t <= found->t0) return found->rho0;
    return std::min(found->rho1, found->rho0 + std::abs(input.piece(t).value(t) - found->u0));
}

double Variation::psi(double way) const {
    const Stroke& s = stroke_at(*this, way);
    if (way >= s.rho1) return s.u1;
    return s.u0 + s.direction() * std::max(0.0, way - s.rho0);
}

double Variation::slope(double way) const { return stroke_at(*this, way).direction(); }

double Variation::time(double way) const {
    const Stroke& s = stroke_at(*this, way);
    if (way <= s.rho0 || s.t0 == s.t1) return s.t0;
    if (way >= s.rho1) return s.t1;
    const double u = psi(way);
    const Piece piece = input.piece(s.t0);
    double a = s.t0, b = s.t1;
    for (int i = 0; i < 200; ++i) {
        const double middle = 0.5 * (a + b);
        if (!(middle > a && middle < b)) break;
        (s.direction() * (piece.value(middle) - u) < 0 ? a : b) = middle;
    }
    return b;
}

double Variation::velocity(double way) const {
    const Stroke& s = stroke_at(*this, way);
    if (s.t0 == s.t1) return s.direction() * std::numeric_limits<double>::infinity();
    const double v = input.piece(s.t0).rate(time(way));
    return s.direction() * v < 0 ? 0 : v;  // rounding at a turn
}

bool Variation::jumps() const {
    return std::any_of(strokes.begin(), strokes.end(), [](const Stroke& s) { return s.t0 == s.t1; });
}

Input stretched(const Input& u, double gamma) {
    Input out = u;
    out.wave.slope /= gamma;
    out.wave.start *= gamma;
    out.wave.omega /= gamma;
    out.wave.bend /= gamma * gamma;
    for (Point& p : out.points) p.t *= gamma;
    return out;
}

}  // namespace bristle::inline analysis
