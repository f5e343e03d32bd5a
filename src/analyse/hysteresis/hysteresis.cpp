#include <bristle/analyse/hysteresis.hpp>

#include "analyse/hysteresis/hysteresis_laws.hpp"
#include "analyse/hysteresis/hysteresis_limit.hpp"

#include <bristle/describe.hpp>
#include <bristle/base/error.hpp>
#include <bristle/simulate/result.hpp>
#include "base/text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace bristle::inline analysis {

double ClosedLoop::c() const { return sigma0 * (umax - umin) / level; }
double ClosedLoop::a() const { return 2 / (1 + std::exp(-c())); }
double ClosedLoop::rising(double u) const { return level * (1 - a() * std::exp(-sigma0 * (u - umin) / level)); }
double ClosedLoop::falling(double u) const { return level * (-1 + a() * std::exp(-sigma0 * (umax - u) / level)); }
double ClosedLoop::area() const { return 2 * level * level / sigma0 * (c() - 2 * std::tanh(0.5 * c())); }
double ClosedLoop::round_factor() const { return std::exp(-2 * c()); }

namespace {

using GoOn = std::function<bool(double share)>;

// What a path may cost: steps are counted over all its nodes.
class WorkBudget {
  public:
    WorkBudget(double most, const GoOn& should_continue) : most_(most), go_on_(should_continue) {}
    double share = 0;  // of the nodes that are done
    void claim(double steps) {
        spent_ += steps;
        if (!(spent_ <= most_))  // also where it is not a number
            throw Error("no force against the way: it takes more than " + readable(most_, 3) +
                        " steps; take a shorter motion or a softer bristle");
    }
    bool should_continue() const { return !go_on_ || go_on_(share); }

  private:
    double most_, spent_ = 0;
    const GoOn& go_on_;
};

// (7) times |v|: dx/dtau = v - |v| (sigma0/g(v/gamma)) x in the time tau of u, in which turns are regular points.
// Gauss's method of order 4, with steps that are short against the way in which a bristle forgets at the speed it has there.
template <class Law>
class ArcLengthRun {
  public:
    ArcLengthRun(const Law& law, const Variation& variation, double gamma, double load)
        : law_(law), input_(variation.input), gamma_(gamma), n_(loads(law, load)) {}
    // False where the effort is stopped.
    bool advance(double& x, const Node& from, const Node& to, WorkBudget& effort) {
        piece_ = input_.piece(from.t);
        double begin = from.t;
        if (forgets(begin, to) > 2 * forgotten) {
            // only the end of a long way is remembered: there the bristle is at its level, whatever was before
            double low = from.t, high = to.t;
            for (int i = 0; i < 60; ++i) {
                const double middle = 0.5 * (low + high);
                (forgets(middle, to) > forgotten ? low : high) = middle;
            }
            begin = low;
            const auto grip = grip_on(bristle::detail::curve_of(law_), to.direction, piece_.rate(begin) / gamma_);
            x = grip.steady * n_.on_curve / law_.sigma0;
        }
        double most = 0;
        for (int i = 0; i <= parts; ++i) most = std::max(most, pull_at(begin, to, i));
        const double steps = std::max(1.0, std::ceil((to.t - begin) * most / 0.02)), h = (to.t - begin) / steps;
        effort.claim(steps);
        for (double i = 0, asked = 1e3; i < steps; ++i) {
            if (i >= asked && !effort.should_continue()) return false;
            if (i >= asked) asked += 1e3;
            x = step(x, begin + i * h, h, to.direction);
        }
        return true;
    }
    // N13 (9)
    double force(double x, const Node& at) const {
        const double slow = at.v / gamma_, rate = (at.v - pull(at.v, at.direction) * x) / gamma_;
        const double damping = law_.damping(slow);
        double viscous = 0;
        if constexpr (requires { law_.sigma2; }) viscous = viscous_on(law_, at.direction, slow);
        return n_.on_force * (law_.sigma0 * x + damping * rate + viscous);
    }

  private:
    // |v| sigma0/g(v/gamma)
    double pull(double v, double direction) const {
        const auto grip = grip_on(bristle::detail::curve_of(law_), direction, v / gamma_);
        return gamma_ * grip.conductance * law_.sigma0 / n_.on_curve;
    }
    double pull_at(double begin, const Node& to, int i) const {
        return pull(piece_.rate(begin + (to.t - begin) * i / parts), to.direction);
    }
    // A deflection at `begin` is exp(-this) or less at the node: a lower sum, so that a level that changes on the way is safe.
    double forgets(double begin, const Node& to) const {
        double sum = 0, before = pull_at(begin, to, 0);
        for (int i = 1; i <= parts; ++i) {
            const double now = pull_at(begin, to, i);
            sum += std::min(before, now);
            before = now;
        }
        return sum * (to.t - begin) / parts;
    }
    double step(double x, double t, double h, double direction) const {
        const double offset = std::numbers::sqrt3 / 6, a = 0.25, b = 0.25 - offset, c = 0.25 + offset;
        const double v1 = piece_.rate(t + (0.5 - offset) * h), v2 = piece_.rate(t + (0.5 + offset) * h);
        const double q1 = pull(v1, direction), q2 = pull(v2, direction);
        // k1 = v1 - q1 (x + h (a k1 + b k2)), k2 = v2 - q2 (x + h (c k1 + a k2))
        const double m11 = 1 + q1 * h * a, m12 = q1 * h * b, m21 = q2 * h * c, m22 = 1 + q2 * h * a;
        const double r1 = v1 - q1 * x, r2 = v2 - q2 * x, det = m11 * m22 - m12 * m21;
        return x + 0.5 * h * ((r1 * m22 - m12 * r2) + (m11 * r2 - m21 * r1)) / det;
    }

    const Law& law_;
    const Input& input_;
    Piece piece_;
    double gamma_;
    Loads<double> n_;
    static constexpr int parts = 16;         // of the way to a node, to see how its speed changes
    static constexpr double forgotten = 40;  // exp(-40) of a deflection is nothing
};

template <class Law>
std::vector<PathPoint> points_by_way(const Law& law, const Variation& variation, const std::vector<Node>& nodes,
                                     double gamma, const HysteresisOptions& o, const GoOn& should_continue) {
    ArcLengthRun<Law> run(law, variation, gamma, o.load);
    std::vector<PathPoint> out;
    double x = o.z0;
    WorkBudget effort(o.max_steps, should_continue);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        effort.share = double(i) / double(nodes.size());
        if (i % 16 == 0 && !effort.should_continue()) return {};
        if (!nodes[i].first && !run.advance(x, nodes[i - 1], nodes[i], effort)) return {};
        out.push_back({nodes[i].rho, nodes[i].u, run.force(x, nodes[i]), x});
    }
    return out;
}

std::vector<PathPoint> points_by_solver(const AnyLaw& law, const Variation& variation, const std::vector<Node>& nodes,
                                        double gamma, const HysteresisOptions& o, const GoOn& should_continue) {
    Setup setup{.law = law,
                .rig = Prescribed{Quantity::displacement},
                .input = stretched(variation.input, gamma),
                .load = Input::constant(o.load),
                .start = {},
                .run = {.duration = gamma * variation.duration, .rtol = o.rtol, .atol = o.rtol, .samples = 2}};
    bool bristle = false;
    for (const auto& state : state_names(law, setup.rig)) bristle = bristle || state.name == "z";
    if (bristle) setup.start["z"] = o.z0;
    // a little inside each stroke: at a corner the velocity has two values, and at rest a dry law has no force
    std::vector<double> looks;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const bool last = i + 1 == nodes.size() || nodes[i + 1].first;
        const double gap = nodes[i].first ? nodes[i + 1].t - nodes[i].t : last ? nodes[i - 1].t - nodes[i].t : 0;
        looks.push_back(gamma * (nodes[i].t + 1e-9 * gap));
    }
    setup.run.sample_times = looks;
    const Result result = simulate(setup, should_continue);
    if (result.status == Status::cancelled) return {};
    if (result.status != Status::done) throw Error("no force against the way: " + result.message);
    std::vector<PathPoint> out;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const auto& seen = result.measures.at.at(looks[i]);
        out.push_back({nodes[i].rho, nodes[i].u, seen.at("F"), bristle ? seen.at("z") : 0});
    }
    return out;
}

void check(const AnyLaw& law, const HysteresisOptions& o) {
    std::string faults;
    const auto add = [&](const std::string& fault) { faults += (faults.empty() ? "" : "; ") + fault; };
    std::visit([&](const auto& l) { problems(l, [&](const Problem& p) { add(sentence(p)); }); }, law);
    for (const double gamma : o.gammas)
        if (!(gamma > 0 && std::isfinite(gamma))) add("each gamma must be a finite number > 0");
    if (o.period && !(*o.period > 0 && std::isfinite(*o.period))) add("the period must be a finite time > 0");
    if (!(o.load > 0 && std::isfinite(o.load))) add("the load must be a finite number > 0");
    if (!std::isfinite(o.z0)) add("z0 must be a finite deflection");
    if (o.points < 2 || o.points % 2) add("points must be an even number >= 2");
    if (o.rounds < 1) add("rounds must be >= 1");
    if (!faults.empty()) throw Error("no hysteresis: " + faults);
}

// No points where should_continue stops it.
std::vector<PathPoint> points_of(const AnyLaw& law, const Variation& variation, const std::vector<Node>& nodes,
                                 double gamma, const HysteresisOptions& o, bool by_solver,
                                 const GoOn& should_continue = {}) {
    if (variation.jumps())
        throw Error("no hysteresis at a given speed: the displacement jumps (steps have no velocity)");
    return std::visit(
        [&]<class Law>(const Law& l) {
            if constexpr (TravelsByWay<Law>)
                if (!by_solver) return points_by_way(l, variation, nodes, gamma, o, should_continue);
            return points_by_solver(law, variation, nodes, gamma, o, should_continue);
        },
        law);
}

std::optional<double> period_of(const Input& u, const HysteresisOptions& o) {
    if (o.period) return o.period;
    if (u.kind != Input::Kind::wave || u.wave.amplitude == 0 || u.wave.bend != 0 || u.wave.slope != 0) return {};
    return 2 * std::numbers::pi / std::abs(u.wave.omega);
}

double farthest(const std::vector<PathPoint>& a, const std::vector<PathPoint>& b, double PathPoint::*of) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i].*of - b[i].*of));
    return most;
}

double largest(const std::vector<PathPoint>& a, double PathPoint::*of) {
    double most = 0;
    for (const PathPoint& p : a) most = std::max(most, std::abs(p.*of));
    return most;
}

// How fast a distance falls between two time scales; nothing once it is down to the integration's own error.
std::optional<double> fall(std::optional<double> before, std::optional<double> now, double ratio, double error) {
    if (!before || !now || !(*now > error) || ratio == 1) return {};
    return std::log(*before / *now) / std::log(ratio);
}

// What (7) and (9) say near v = 0, for a Stribeck curve: the level departs from g(0) as |v/gamma|^alpha.
void add_theory(const AnyLaw& law, Hysteresis& out) {
    std::visit(
        [&]<class Law>(const Law& l) {
            if constexpr (TravelsByWay<Law> && requires { l.curve.stribeck; }) {
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

// Loop, rounds and closed form of a periodic displacement.
void add_loop(const AnyLaw& law, const Input& u, const HysteresisOptions& o, Hysteresis& out) {
    const Variation once = variation_of(u, *out.period);
    if (once.strokes.empty()) return;
    double umin = once.strokes.front().u0, umax = umin;
    for (const Stroke& s : once.strokes) {
        umin = std::min({umin, s.u0, s.u1});
        umax = std::max({umax, s.u0, s.u1});
    }
    if (std::abs(once.strokes.back().u1 - once.strokes.front().u0) > 1e-9 * (umax - umin))
        throw Error("no hysteresis loop: after its period the displacement is not back where it was");
    const std::vector<Node> nodes = nodes_of(once, o.points);
    const auto walks = walks_of(law, nodes, o.rounds, o.z0, o.load, true);
    if (!walks) return;
    out.loop = Path{.gamma = std::numeric_limits<double>::infinity(), .points = walks->settled};
    out.loop->area = area_of(nodes, walks->settled, 0);
    // where no closed form walks, the speed next to nothing leaves more than rounding
    const double noise = (walks->factor > 0 ? 1e-13 : 1e-8) * largest(walks->settled, &PathPoint::F);
    for (int k = 0; k < o.rounds; ++k) {
        Round round{.k = k, .distance = farthest(walks->passes[std::size_t(k)], walks->settled, &PathPoint::F)};
        if (k > 0 && round.distance > noise) round.ratio = round.distance / out.rounds.back().distance;
        out.rounds.push_back(round);
    }
    if (walks->factor > 0) out.round_factor = walks->factor;
    if (once.reversals.size() <= 2) out.closed = closed_loop(law, umin, umax, o.load);
    if (!out.closed) return;
    out.closed_error = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const PathPoint& p = walks->settled[i];
        const double exact = nodes[i].direction > 0 ? out.closed->rising(p.u) : out.closed->falling(p.u);
        out.closed_error = std::max(*out.closed_error, std::abs(p.F - exact));
    }
}

}  // namespace

std::optional<ClosedLoop> closed_loop(const AnyLaw& law, double umin, double umax, double load) {
    const auto rest = rest_levels(law, load);
    if (!rest || rest->rising != rest->falling) return {};
    return ClosedLoop{umin, umax, rest->on_force * rest->rising, rest->on_force * rest->sigma0};
}

Path path_at(const AnyLaw& law, const Variation& variation, double gamma, const HysteresisOptions& o, bool by_solver) {
    check(law, o);
    if (!(gamma > 0 && std::isfinite(gamma))) throw Error("gamma must be a finite number > 0");
    const auto nodes = nodes_of(variation, o.points);
    return {.gamma = gamma, .points = points_of(law, variation, nodes, gamma, o, by_solver)};
}

std::optional<Path> path_in_the_limit(const AnyLaw& law, const Variation& variation, const HysteresisOptions& o) {
    check(law, o);
    auto walks = walks_of(law, nodes_of(variation, o.points), 1, o.z0, o.load, false);
    if (!walks) return {};
    return Path{.gamma = std::numeric_limits<double>::infinity(), .points = std::move(walks->passes.front())};
}

Hysteresis hysteresis_loop(const AnyLaw& law, const Input& u, double duration, const HysteresisOptions& o,
                           const std::function<bool(double)>& progress) {
    check(law, o);
    const Variation variation = variation_of(u, duration);
    if (variation.strokes.empty()) throw Error("no hysteresis: the displacement does not move");
    Hysteresis out;
    out.kind = kind_of(law);
    out.reversals = variation.reversals;
    out.way = variation.total();
    out.period = period_of(u, o);
    const double from = out.period ? duration - *out.period : -1;
    const bool whole = out.period && from >= -1e-9 * duration;  // a period to take the area of
    const auto nodes = nodes_of(variation, o.points, whole ? from : 0);
    if (auto walks = walks_of(law, nodes, 1, o.z0, o.load, false)) {
        out.limit = Path{.gamma = std::numeric_limits<double>::infinity(), .points = std::move(walks->passes.front())};
        if (whole) out.limit->area = area_of(nodes, out.limit->points, from);
    }
    if (out.period) add_loop(law, u, o, out);
    add_theory(law, out);
    for (std::size_t i = 0; i < o.gammas.size(); ++i) {
        const GoOn should_continue = [&](double share) {
            return !progress || progress((double(i) + share) / double(o.gammas.size()));
        };
        Path path{.gamma = o.gammas[i], .points = {}};
        if (should_continue(0)) path.points = points_of(law, variation, nodes, o.gammas[i], o, false, should_continue);
        if (path.points.empty()) {
            out.cancelled = true;
            break;
        }
        if (whole) path.area = area_of(nodes, path.points, from);
        if (out.limit) {
            path.distance = farthest(path.points, out.limit->points, &PathPoint::F);
            path.distance_z = farthest(path.points, out.limit->points, &PathPoint::z);
        }
        if (i > 0) {
            const Path& before = out.paths.back();
            const double ratio = path.gamma / before.gamma, error = std::max(1e-8, 10 * o.rtol);
            path.rate = fall(before.distance, path.distance, ratio, error * largest(path.points, &PathPoint::F));
            path.rate_z = fall(before.distance_z, path.distance_z, ratio, error * largest(path.points, &PathPoint::z));
        }
        out.paths.push_back(std::move(path));
    }
    return out;
}

}  // namespace bristle::inline analysis
