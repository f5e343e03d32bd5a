// Hysteresis study of a law: paths at several time scales by N13 (7), N13 (8), N13 (9) or by simulation, their limit and loop.
#include <bristle/analyse/hysteresis.hpp>

#include "analyse/hysteresis/limit.hpp"
#include "analyse/hysteresis/path_length_law.hpp"

#include <bristle/describe.hpp>
#include <bristle/base/error.hpp>
#include <bristle/simulate/result.hpp>
#include "base/text.hpp"
#include "numerics/bisect.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace bristle::inline analysis {

double ClosedFormLoop::c() const { return sigma0 * (umax - umin) / level; }
double ClosedFormLoop::a() const { return 2 / (1 + std::exp(-c())); }
// N13 (29)
double ClosedFormLoop::rising(double u) const { return level * (1 - a() * std::exp(-sigma0 * (u - umin) / level)); }
// N13 (30)
double ClosedFormLoop::falling(double u) const { return level * (-1 + a() * std::exp(-sigma0 * (umax - u) / level)); }
double ClosedFormLoop::area() const { return 2 * level * level / sigma0 * (c() - 2 * std::tanh(0.5 * c())); }
double ClosedFormLoop::contraction() const { return std::exp(-2 * c()); }

namespace hysteresis {
namespace {

using ShouldContinue = std::function<bool(double fraction)>;

// Step limit of a path: steps are counted over all its nodes.
class StepBudget {
  public:
    StepBudget(double max_steps, const ShouldContinue& should_continue)
        : max_steps_(max_steps), should_continue_(should_continue) {}
    double fraction = 0;  // of the nodes that are done
    void claim(double steps) {
        spent_ += steps;
        if (!(spent_ <= max_steps_))  // also if it is NaN
            throw Error("hysteresis: step limit " + readable(max_steps_, 3) +
                        " exceeded; shorten the motion or reduce law.sigma0");
    }
    bool should_continue() const { return !should_continue_ || should_continue_(fraction); }

  private:
    double max_steps_, spent_ = 0;
    const ShouldContinue& should_continue_;
};

// N13 (7) times |v|: dx/dtau = v - |v| (sigma0/g(v/gamma)) x in the time tau of u, in which reversals are regular points.
// Gauss's method of order 4. Steps are short against the relaxation time of the bristle at its speed.
template <class Law>
class PathLengthRun {
  public:
    PathLengthRun(const Law& law, const Variation& variation, double gamma, double load)
        : law_(law), input_(variation.input), gamma_(gamma), load_(load), n_(loads(law, load)) {}
    // Returns false if the run is cancelled.
    bool advance(double& x, const Node& from, const Node& to, StepBudget& budget) {
        piece_ = input_.piece(from.t);
        double begin = from.t;
        if (decay(begin, to) > 2 * negligible) {
            // the start of a long interval has no effect: begin later, with the bristle at its steady state
            begin = numerics::bisect(from.t, to.t, 60, [&](double t) { return decay(t, to) > negligible; }).holds;
            const auto grip = grip_on(curve_under(law_, load_), to.direction, piece_.rate(begin) / gamma_);
            x = grip.steady * n_.on_curve / law_.sigma0;
        }
        double fastest = 0;
        for (int i = 0; i <= parts; ++i) fastest = std::max(fastest, decay_rate_at(begin, to, i));
        const double steps = std::max(1.0, std::ceil((to.t - begin) * fastest / 0.02)), h = (to.t - begin) / steps;
        budget.claim(steps);
        for (double i = 0, asked = 1e3; i < steps; ++i) {
            if (i >= asked && !budget.should_continue()) return false;
            if (i >= asked) asked += 1e3;
            x = step(x, begin + i * h, h, to.direction);
        }
        return true;
    }
    // N13 (9)
    double force(double x, const Node& at) const {
        const double slow = at.v / gamma_, rate = (at.v - decay_rate(at.v, at.direction) * x) / gamma_;
        return n_.on_force * (law_.sigma0 * x + law_.damping(slow) * rate + viscous_on(law_, at.direction, slow));
    }

  private:
    // |v| sigma0/g(v/gamma) [1/s]
    double decay_rate(double v, double direction) const {
        const auto grip = grip_on(curve_under(law_, load_), direction, v / gamma_);
        return gamma_ * grip.conductance * law_.sigma0 / n_.on_curve;
    }
    double decay_rate_at(double begin, const Node& to, int i) const {
        return decay_rate(piece_.rate(begin + (to.t - begin) * i / parts), to.direction);
    }
    // Lower bound of the integral of the decay rate: a deflection at `begin` is at most exp(-decay) of itself at the node.
    double decay(double begin, const Node& to) const {
        double sum = 0, before = decay_rate_at(begin, to, 0);
        for (int i = 1; i <= parts; ++i) {
            const double now = decay_rate_at(begin, to, i);
            sum += std::min(before, now);
            before = now;
        }
        return sum * (to.t - begin) / parts;
    }
    double step(double x, double t, double h, double direction) const {
        const double offset = std::numbers::sqrt3 / 6, a = 0.25, b = 0.25 - offset, c = 0.25 + offset;
        const double v1 = piece_.rate(t + (0.5 - offset) * h), v2 = piece_.rate(t + (0.5 + offset) * h);
        const double q1 = decay_rate(v1, direction), q2 = decay_rate(v2, direction);
        // k1 = v1 - q1 (x + h (a k1 + b k2)), k2 = v2 - q2 (x + h (c k1 + a k2))
        const double m11 = 1 + q1 * h * a, m12 = q1 * h * b, m21 = q2 * h * c, m22 = 1 + q2 * h * a;
        const double r1 = v1 - q1 * x, r2 = v2 - q2 * x, det = m11 * m22 - m12 * m21;
        return x + 0.5 * h * ((r1 * m22 - m12 * r2) + (m11 * r2 - m21 * r1)) / det;
    }

    const Law& law_;
    const Input& input_;
    Piece piece_;
    double gamma_, load_;
    Loads<double> n_;
    static constexpr int parts = 16;          // of the interval to a node, at which the decay rate is evaluated
    static constexpr double negligible = 40;  // exp(-40) = 4e-18 of a deflection is below rounding
};

template <class Law>
std::vector<PathPoint> points_by_path_length(const Law& law, const Variation& variation, const std::vector<Node>& nodes,
                                             double gamma, const HysteresisOptions& o,
                                             const ShouldContinue& should_continue) {
    PathLengthRun<Law> run(law, variation, gamma, o.load);
    std::vector<PathPoint> out;
    double x = o.z0;  // N13 (8)
    StepBudget budget(o.max_steps, should_continue);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        budget.fraction = double(i) / double(nodes.size());
        if (i % 16 == 0 && !budget.should_continue()) return {};
        if (!nodes[i].first && !run.advance(x, nodes[i - 1], nodes[i], budget)) return {};
        out.push_back({nodes[i].rho, nodes[i].u, run.force(x, nodes[i]), x});
    }
    return out;
}

std::vector<PathPoint> points_by_solver(const AnyLaw& law, const Variation& variation, const std::vector<Node>& nodes,
                                        double gamma, const HysteresisOptions& o,
                                        const ShouldContinue& should_continue) {
    Setup setup{.law = law,
                .rig = Prescribed{Quantity::displacement},
                .input = time_scaled(variation.input, gamma),
                .load = Input::constant(o.load),
                .start = {},
                .run = {.duration = gamma * variation.duration, .rtol = o.rtol, .atol = o.rtol, .samples = 2}};
    bool bristle = false;
    for (const auto& state : state_names(law, setup.rig)) bristle = bristle || state.name == "z";
    if (bristle) setup.start["z"] = o.z0;
    // 1e-9 of an interval inside each stroke: at its ends the velocity can have two values, or a static law no force
    std::vector<double> times;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const bool last = i + 1 == nodes.size() || nodes[i + 1].first;
        const double gap = nodes[i].first ? nodes[i + 1].t - nodes[i].t : last ? nodes[i - 1].t - nodes[i].t : 0;
        times.push_back(gamma * (nodes[i].t + 1e-9 * gap));
    }
    setup.run.sample_times = times;
    const Result result = simulate(setup, should_continue);
    if (result.status == Status::cancelled) return {};
    if (result.status != Status::done) throw Error("hysteresis: simulation failed: " + result.message);
    std::vector<PathPoint> out;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const auto& sample = result.measures.at.at(times[i]);
        out.push_back({nodes[i].rho, nodes[i].u, sample.at("F"), bristle ? sample.at("z") : 0});
    }
    return out;
}

void check(const AnyLaw& law, const HysteresisOptions& o) {
    std::string faults;
    const auto add = [&](const std::string& fault) { append_item(faults, fault, "; "); };
    std::visit([&](const auto& l) { problems(l, [&](const Problem& p) { add(sentence(p)); }); }, law);
    for (const double gamma : o.gammas)
        if (!(gamma > 0 && std::isfinite(gamma))) add("each gamma must be finite and > 0");
    if (o.period && !(*o.period > 0 && std::isfinite(*o.period))) add("period must be finite and > 0 [s]");
    if (!(accepts_load(law, o.load) && std::isfinite(o.load))) add("load must be finite and > 0 [N]");
    if (!std::isfinite(o.z0)) add("z0 must be finite [m]");
    if (o.points < 2 || o.points % 2) add("points must be even and >= 2");
    if (o.periods < 1) add("periods must be >= 1");
    if (!faults.empty()) throw Error("hysteresis: " + faults);
}

// Returns no points if the run is cancelled.
std::vector<PathPoint> points_of(const AnyLaw& law, const Variation& variation, const std::vector<Node>& nodes,
                                 double gamma, const HysteresisOptions& o, bool by_solver,
                                 const ShouldContinue& should_continue = {}) {
    if (variation.jumps())
        throw Error("hysteresis: the displacement jumps, so it has no velocity; use ramps instead of steps");
    return std::visit(
        [&]<class Law>(const Law& l) {
            if constexpr (PathLengthLaw<Law>)
                if (!by_solver) return points_by_path_length(l, variation, nodes, gamma, o, should_continue);
            return points_by_solver(law, variation, nodes, gamma, o, should_continue);
        },
        law);
}

std::optional<double> period_of(const Input& u, const HysteresisOptions& o) {
    if (o.period) return o.period;
    if (u.kind != Input::Kind::wave || u.wave.amplitude == 0 || u.wave.bend != 0 || u.wave.slope != 0) return {};
    return 2 * std::numbers::pi / std::abs(u.wave.omega);
}

double largest_difference(const std::vector<PathPoint>& a, const std::vector<PathPoint>& b, double PathPoint::*of) {
    double found = 0;
    for (std::size_t i = 0; i < a.size(); ++i) found = std::max(found, std::abs(a[i].*of - b[i].*of));
    return found;
}

double largest(const std::vector<PathPoint>& a, double PathPoint::*of) {
    double found = 0;
    for (const PathPoint& p : a) found = std::max(found, std::abs(p.*of));
    return found;
}

// Order of convergence between two time scales; std::nullopt if the distance is at most the error of the integration.
std::optional<double> order_of(std::optional<double> before, std::optional<double> now, double ratio, double error) {
    if (!before || !now || !(*now > error) || ratio == 1) return {};
    return std::log(*before / *now) / std::log(ratio);
}

// Order of convergence by N13 (7) and N13 (9) near v = 0, for a Stribeck curve: the level differs from g(0) by |v/gamma|^alpha.
void add_theory(const AnyLaw& law, Hysteresis& out) {
    std::visit(
        [&]<class Law>(const Law& l) {
            if constexpr (PathLengthLaw<Law> && requires { l.curve.stribeck; }) {
                const auto& curve = l.curve.stribeck;
                if (l.curve.tabulated || curve.directional) return;
                const bool falls = curve.positive.Fs != curve.positive.Fc, damped = l.sigma1 > 0 || l.sigma2 > 0;
                if (falls) out.rate_z_theory = curve.positive.alpha;
                if (falls && damped)
                    out.rate_theory = std::min(1.0, curve.positive.alpha);
                else if (falls || damped)
                    out.rate_theory = falls ? curve.positive.alpha : 1;
            }
        },
        law);
}

// Loop N13 (11), its periods, and the closed form N13 (29) and N13 (30), of a periodic displacement.
void add_loop(const AnyLaw& law, const Input& u, const HysteresisOptions& o, Hysteresis& out) {
    const Variation once = variation_of(u, *out.period);
    if (once.strokes.empty()) return;
    double umin = once.strokes.front().u0, umax = umin;
    for (const Stroke& s : once.strokes) {
        umin = std::min({umin, s.u0, s.u1});
        umax = std::max({umax, s.u0, s.u1});
    }
    if (std::abs(once.strokes.back().u1 - once.strokes.front().u0) > 1e-9 * (umax - umin))
        throw Error(
            "hysteresis: the displacement at the end of the period differs from that at its start; correct period");
    const std::vector<Node> nodes = nodes_of(once, o.points);
    const auto passes = passes_of(law, nodes, o.periods, o.z0, o.load, true);
    if (!passes) return;
    out.loop = HysteresisPath{.gamma = std::numeric_limits<double>::infinity(), .points = passes->settled};
    out.loop->area = area_of(nodes, passes->settled, 0);
    // a quasi-static motion has a larger error than the closed form
    const double noise = (passes->contraction > 0 ? 1e-13 : 1e-8) * largest(passes->settled, &PathPoint::F);
    for (int k = 0; k < o.periods; ++k) {
        HysteresisPeriod period{
            .k = k, .distance = largest_difference(passes->passes[std::size_t(k)], passes->settled, &PathPoint::F)};
        if (k > 0 && period.distance > noise) period.ratio = period.distance / out.periods.back().distance;
        out.periods.push_back(period);
    }
    if (passes->contraction > 0) out.contraction = passes->contraction;
    if (once.reversals.size() <= 2) out.closed_form = closed_form_loop(law, umin, umax, o.load);
    if (!out.closed_form) return;
    out.closed_form_error = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const PathPoint& p = passes->settled[i];
        const double exact = nodes[i].direction > 0 ? out.closed_form->rising(p.u) : out.closed_form->falling(p.u);
        out.closed_form_error = std::max(*out.closed_form_error, std::abs(p.F - exact));
    }
}

}  // namespace
}  // namespace hysteresis

std::optional<ClosedFormLoop> closed_form_loop(const AnyLaw& law, double umin, double umax, double load) {
    const auto levels = hysteresis::static_levels(law, load);
    if (!levels || levels->rising != levels->falling) return {};
    return ClosedFormLoop{umin, umax, levels->on_force * levels->rising, levels->on_force * levels->sigma0};
}

HysteresisPath hysteresis_path(const AnyLaw& law, const Variation& variation, double gamma, const HysteresisOptions& o,
                               bool by_solver) {
    using namespace hysteresis;
    check(law, o);
    if (!(gamma > 0 && std::isfinite(gamma))) throw Error("hysteresis: gamma must be finite and > 0");
    const auto nodes = nodes_of(variation, o.points);
    return {.gamma = gamma, .points = points_of(law, variation, nodes, gamma, o, by_solver)};
}

std::optional<HysteresisPath> hysteresis_limit(const AnyLaw& law, const Variation& variation,
                                               const HysteresisOptions& o) {
    using namespace hysteresis;
    check(law, o);
    auto passes = passes_of(law, nodes_of(variation, o.points), 1, o.z0, o.load, false);
    if (!passes) return {};
    return HysteresisPath{.gamma = std::numeric_limits<double>::infinity(),
                          .points = std::move(passes->passes.front())};
}

Hysteresis hysteresis_loop(const AnyLaw& law, const Input& u, double duration, const HysteresisOptions& o,
                           const std::function<bool(double)>& progress) {
    using namespace hysteresis;
    check(law, o);
    const Variation variation = variation_of(u, duration);
    if (variation.strokes.empty()) throw Error("hysteresis: the displacement is constant");
    Hysteresis out;
    out.kind = kind_of(law);
    out.reversals = variation.reversals;
    out.path_length = variation.total();
    out.period = period_of(u, o);
    const double from = out.period ? duration - *out.period : -1;
    const bool whole = out.period && from >= -1e-9 * duration;  // the last period is complete: it has an area
    const auto nodes = nodes_of(variation, o.points, whole ? from : 0);
    if (auto passes = passes_of(law, nodes, 1, o.z0, o.load, false)) {
        out.limit = HysteresisPath{.gamma = std::numeric_limits<double>::infinity(),
                                   .points = std::move(passes->passes.front())};
        if (whole) out.limit->area = area_of(nodes, out.limit->points, from);
    }
    if (out.period) add_loop(law, u, o, out);
    add_theory(law, out);
    for (std::size_t i = 0; i < o.gammas.size(); ++i) {
        const ShouldContinue should_continue = [&](double fraction) {
            return !progress || progress((double(i) + fraction) / double(o.gammas.size()));
        };
        HysteresisPath path{.gamma = o.gammas[i], .points = {}};
        if (should_continue(0)) path.points = points_of(law, variation, nodes, o.gammas[i], o, false, should_continue);
        if (path.points.empty()) {
            out.cancelled = true;
            break;
        }
        if (whole) path.area = area_of(nodes, path.points, from);
        if (out.limit) {
            path.distance = largest_difference(path.points, out.limit->points, &PathPoint::F);
            path.distance_z = largest_difference(path.points, out.limit->points, &PathPoint::z);
        }
        if (i > 0) {
            const HysteresisPath& before = out.paths.back();
            const double ratio = path.gamma / before.gamma, error = std::max(1e-8, 10 * o.rtol);
            path.rate = order_of(before.distance, path.distance, ratio, error * largest(path.points, &PathPoint::F));
            path.rate_z =
                order_of(before.distance_z, path.distance_z, ratio, error * largest(path.points, &PathPoint::z));
        }
        out.paths.push_back(std::move(path));
    }
    return out;
}

}  // namespace bristle::analysis
