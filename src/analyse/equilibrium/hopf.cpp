// Curves of Hopf points in the plane of two parameters.
#include <bristle/analyse/equilibrium.hpp>
#include <bristle/base/error.hpp>

#include <algorithm>
#include <cmath>

#include "analyse/equilibrium/branch_end.hpp"
#include "analyse/equilibrium/parameter_axis.hpp"
#include "numerics/arclength.hpp"

namespace bristle::inline analysis::equilibrium {

namespace {

// Returns the eigenvalue with positive imaginary part nearest to the imaginary axis; 0 if all are real.
std::complex<double> nearest_pair(const Equilibrium& e) {
    std::complex<double> best = 0;
    const auto damping = [](const std::complex<double>& s) { return std::abs(s.real()) / std::abs(s); };
    for (const auto& s : e.eigenvalues)
        if (s.imag() > 0 && (best == 0.0 || damping(s) < damping(best))) best = s;
    return best;
}

using Place = std::pair<double, double>;  // fractions of the two windows

double distance_to(const std::vector<numerics::CurvePoint>& curve, const Place& p) {
    double nearest = std::hypot(p.first - curve[0].x[0], p.second - curve[0].x[1]);
    for (std::size_t i = 0; i + 1 < curve.size(); ++i) {
        const double ax = curve[i].x[0], ay = curve[i].x[1], dx = curve[i + 1].x[0] - ax, dy = curve[i + 1].x[1] - ay;
        const double along = ((p.first - ax) * dx + (p.second - ay) * dy) / (dx * dx + dy * dy),
                     t = std::clamp(along, 0.0, 1.0);
        nearest = std::min(nearest, std::hypot(p.first - ax - t * dx, p.second - ay - t * dy));
    }
    return nearest;
}

// Returns the Hopf points on the two lines through the start.
std::vector<Place> seeds(const Family2& family, const ParameterAxis& first, const ParameterAxis& second,
                         std::pair<double, double> start) {
    std::vector<Place> out;
    const auto add = [&](const Family& line, const ParameterAxis& axis, double at, auto place) {
        for (const CriticalPoint& c : follow_equilibrium(line, axis.from, axis.to, at).critical)
            if (c.kind == CriticalPoint::Kind::hopf) out.push_back(place(axis.fraction(c.value)));
    };
    const double a = first.fraction(start.first), b = second.fraction(start.second);
    add([&](double p) { return family(p, start.second); }, first, start.first, [&](double s) { return Place{s, b}; });
    add([&](double p) { return family(start.first, p); }, second, start.second, [&](double s) { return Place{a, s}; });
    return out;
}

// One equation in the two fractions: Re s/|s| = 0 for the pair s nearest to the imaginary axis.
numerics::CurveProblem hopf_problem(const Family2& family, const ParameterAxis& first, const ParameterAxis& second) {
    const auto damping = [&family, first, second](double x, double y, double& out) {
        const std::complex<double> s = nearest_pair(main_equilibrium(family(first.value(x), second.value(y))));
        out = s.real() / std::abs(s);
        return s != 0.0;
    };
    numerics::CurveProblem problem;
    problem.unknowns = 2;
    problem.scale = {1, 1};
    problem.low = {0, 0};
    problem.high = {1, 1};
    problem.equations = [damping](auto x, auto G, auto J) {
        try {
            if (!damping(x[0], x[1], G[0])) return false;
            for (std::size_t k = 0; k < 2; ++k) {
                // a difference inside the window; Newton's method needs a few digits of it only
                const double at = std::clamp(x[k], 1e-5, 1 - 1e-5);
                double up, down;
                if (!damping(k == 0 ? at + 1e-5 : x[0], k == 1 ? at + 1e-5 : x[1], up) ||
                    !damping(k == 0 ? at - 1e-5 : x[0], k == 1 ? at - 1e-5 : x[1], down))
                    return false;
                J[k] = (up - down) / 2e-5;
                // linear beyond the window, where the set-up can break a rule
                G[0] += J[k] * (x[k] - std::clamp(x[k], 0.0, 1.0));
            }
            return true;
        } catch (const Error&) {
            return false;  // the set-up breaks a rule, or has no equilibrium
        }
    };
    return problem;
}

}  // namespace

}  // namespace bristle::analysis::equilibrium

namespace bristle::inline analysis {

using namespace equilibrium;

std::vector<HopfCurve> hopf_curves(const Family2& family, Window w1, Window w2, std::pair<double, double> start,
                                   int points) {
    const ParameterAxis first{w1.from, w1.to}, second{w2.from, w2.to};
    if (!(w1.from < w1.to && w2.from < w2.to)) throw Error("Hopf curves need windows FROM:TO with FROM < TO");
    if (!first.contains(start.first) || !second.contains(start.second))
        throw Error("Hopf curves need the start values inside their windows; widen FROM:TO around the present values");
    if (points < 2) throw Error("Hopf curves need at least 2 points");
    const numerics::CurveProblem problem = hopf_problem(family, first, second);
    numerics::ContinuationOptions options;
    options.largest = options.first = 1.0 / points;
    options.pairs = false;

    std::vector<HopfCurve> out;
    std::vector<std::vector<numerics::CurvePoint>> known;
    for (const Place& seed : seeds(family, first, second, start)) {
        if (std::any_of(known.begin(), known.end(), [&](const auto& c) { return distance_to(c, seed) < 0.1 / points; }))
            continue;
        const numerics::ContinuationCurve found = numerics::walk_curve(problem, {seed.first, seed.second}, options);
        HopfCurve curve;
        for (const numerics::CurvePoint& p : found.points) {
            const double a = first.value(p.x[0]), b = second.value(p.x[1]);
            curve.points.push_back({a, b, nearest_pair(main_equilibrium(family(a, b))).imag()});
        }
        const bool closed = found.forward == numerics::ContinuationEnd::closed;
        curve.first = branch_end(closed ? found.forward : found.backward);
        curve.last = branch_end(found.forward);
        known.push_back(found.points);
        out.push_back(std::move(curve));
    }
    return out;
}

}  // namespace bristle::analysis
