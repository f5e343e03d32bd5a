// Path length of a displacement, its strokes and reversals: N13 2.1, N13 lemma 1, N13 lemma 2.
#include <bristle/analyse/hysteresis.hpp>
#include <bristle/base/error.hpp>

#include "numerics/bisect.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace bristle::inline analysis {

namespace {

constexpr double max_reversals = 1e6;

// The times in (from, to) at which the rate of a wave changes sign: slope + amplitude theta' cos(theta) = 0, with the
// angle theta = phase + omega t + bend t^2.
std::vector<double> reversals_of(const Piece& p, double from, double to) {
    std::vector<double> times;
    if (p.amplitude == 0) return times;
    if (p.bend != 0 && p.slope != 0)
        throw Error(
            "hysteresis: the reversals of a chirp on a slope have no closed form; use a chirp or a slope alone");
    const double q = p.bend == 0 ? p.slope / (-p.amplitude * p.omega) : 0;
    if (!(std::abs(q) < 1)) return times;  // the slope is steeper: u is monotone
    const double cross = std::acos(q), whole = 2 * std::numbers::pi;
    // theta is monotone from a to b; reversals are at 2 pi n + cross and 2 pi n - cross
    const auto between = [&](double a, double b) {
        const auto theta = [&](double t) { return t * (p.omega + p.bend * t); };
        const double low = std::min(theta(a), theta(b)), high = std::max(theta(a), theta(b));
        if (high - low > std::numbers::pi * max_reversals)
            throw Error("hysteresis: the displacement has more than a million reversals; shorten its duration");
        const double sense = theta(b) > theta(a) ? 1 : -1;  // the sign of theta'
        for (const double phase : {-cross - p.phase, cross - p.phase})
            for (double n = std::ceil((low - phase) / whole); whole * n + phase <= high; ++n) {
                const double target = whole * n + phase;
                double t = target / p.omega;
                if (p.bend != 0) {
                    // theta' = sense * root there; the form of the solution without cancellation
                    const double root = sense * std::sqrt(std::max(0.0, p.omega * p.omega + 4 * p.bend * target));
                    t = root * p.omega > 0 ? 2 * target / (p.omega + root) : (root - p.omega) / (2 * p.bend);
                }
                if (t > a && t < b) times.push_back(t);
            }
    };
    const double turning = p.bend != 0 ? -p.omega / (2 * p.bend) : from;  // theta' = 0
    if (turning > from && turning < to) {
        times.push_back(turning);
        between(from, turning);
        between(turning, to);
    } else {
        between(from, to);
    }
    std::sort(times.begin(), times.end());
    return times;
}

// Adds a smooth interval, divided at its reversals.
void add_strokes(std::vector<Stroke>& strokes, const Piece& piece, double from, double to) {
    std::vector<double> times = reversals_of(piece, from, to);
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
    if (v.strokes.empty()) throw Error("hysteresis: the displacement is constant, so its path length is 0");
    const auto found = std::upper_bound(v.strokes.begin(), v.strokes.end(), rho,
                                        [](double at, const Stroke& s) { return at < s.rho1; });
    return found == v.strokes.end() ? v.strokes.back() : *found;
}

}  // namespace

Variation variation_of(const Input& u, double duration) {
    if (!(duration > 0 && std::isfinite(duration))) throw Error("hysteresis: duration must be finite and > 0");
    Variation out{u, duration, {}, {}};
    double t = 0;
    while (t < duration) {
        const Piece piece = u.piece(t);
        const double end = std::min(duration, u.next_corner(t));
        add_strokes(out.strokes, piece, t, end);
        // a step of the input: straight across
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

double Variation::psi(double rho) const {
    const Stroke& s = stroke_at(*this, rho);
    if (rho >= s.rho1) return s.u1;
    return s.u0 + s.direction() * std::max(0.0, rho - s.rho0);
}

double Variation::slope(double rho) const { return stroke_at(*this, rho).direction(); }

double Variation::time(double rho) const {
    const Stroke& s = stroke_at(*this, rho);
    if (rho <= s.rho0 || s.t0 == s.t1) return s.t0;
    if (rho >= s.rho1) return s.t1;
    const double u = psi(rho);
    const Piece piece = input.piece(s.t0);
    const auto before = [&](double t) { return s.direction() * (piece.value(t) - u) < 0; };
    return numerics::bisect(s.t0, s.t1, 200, before).fails;
}

double Variation::velocity(double rho) const {
    const Stroke& s = stroke_at(*this, rho);
    if (s.t0 == s.t1) return s.direction() * std::numeric_limits<double>::infinity();
    const double v = input.piece(s.t0).rate(time(rho));
    return s.direction() * v < 0 ? 0 : v;  // rounding at a reversal
}

bool Variation::jumps() const {
    return std::any_of(strokes.begin(), strokes.end(), [](const Stroke& s) { return s.t0 == s.t1; });
}

Input time_scaled(const Input& u, double gamma) {
    Input out = u;
    out.wave.slope /= gamma;
    out.wave.start *= gamma;
    out.wave.omega /= gamma;
    out.wave.bend /= gamma * gamma;
    for (Point& p : out.points) p.t *= gamma;
    return out;
}

}  // namespace bristle::analysis
