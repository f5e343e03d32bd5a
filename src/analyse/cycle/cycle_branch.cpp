// Branches of cycles along one parameter.
#include "analyse/cycle/cycle_branch.hpp"

#include <bristle/base/error.hpp>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numbers>
#include <tbb/parallel_for.h>

#include "analyse/cycle/cycle_build.hpp"
#include "analyse/cycle/cycle_transient.hpp"
#include "analyse/equilibrium/branch_end.hpp"
#include "analyse/cycle/cycle_continuation.hpp"
#include "numerics/spread.hpp"

namespace bristle::inline analysis::cycle {

std::vector<double> CycleProblem::inside(std::span<const double> x) const {
    std::vector<double> p(parameters());
    for (std::size_t k = 0; k < p.size(); ++k) p[k] = std::clamp(x[states() + 1 + k], windows_[k].from, windows_[k].to);
    return p;
}

Setup CycleProblem::setup(std::span<const double> x) const { return family_(inside(x)); }

std::unique_ptr<Flow> CycleProblem::flow(std::span<const double> x, bool with_parameters) const {
    const std::vector<double> p = inside(x);
    std::vector<SetupDifference> differences;
    for (std::size_t k = 0; with_parameters && k < p.size(); ++k) {
        // central difference, one-sided on the edge of the window: beyond it the set-up can break a rule
        const Window& w = windows_[k];
        const double d = 1e-5 * std::max(std::abs(p[k]), 1e-2 * (w.to - w.from));
        std::vector<double> low = p, high = p;
        low[k] = std::max(w.from, p[k] - d);
        high[k] = std::min(w.to, p[k] + d);
        differences.push_back({family_(low), family_(high), high[k] - low[k]});
    }
    return flow_of(family_(p), tolerance_, differences);
}

Shot CycleProblem::shot(std::span<const double> x, bool with_parameters) const {
    try {
        const auto motion = flow(x, with_parameters);
        const std::vector<double> u(x.begin(), x.begin() + std::ptrdiff_t(states() + 1));
        Shot shot = shoot(*motion, scale_, u);
        if (!shot.usable) return shot;
        // curvature of the peak, relative to a sine of the size of the cycle at the start
        double curvature = 0;
        for (std::size_t i = 0; i < states(); ++i) curvature -= shot.section[i] * shot.rate_end[i];
        curvature *= motion->direction() * scale_.time / (2 * std::numbers::pi);
        if (!(curvature > 1e-3)) shot.usable = false;
        return shot;
    } catch (const Error&) {
        return {};
    }
}

Cycle CycleProblem::cycle(std::span<const double> x, int max_points) const {
    const Setup here = setup(x);
    const auto motion = flow_of(here, tolerance_);
    ClosedOrbit orbit;
    orbit.u.assign(x.begin(), x.begin() + std::ptrdiff_t(states() + 1));
    return cycle_of(here, *motion, scale_, orbit, max_points, CycleSource::guess);
}

CyclePoint point_of(const Cycle& cycle, double parameter) {
    return {parameter,     cycle.period,         cycle.amplitude,
            cycle.fastest, cycle.stick_fraction, cycle.multipliers.empty() ? 0 : cycle.multipliers.front(),
            cycle.stable,  cycle.state};
}

namespace {

// Returns the parameter at which the amplitude vanishes: near a Hopf point it is linear in the square of the amplitude.
double hopf_value(const CyclePoint& last, const CyclePoint& before) {
    const double a = last.amplitude * last.amplitude, b = before.amplitude * before.amplitude;
    return b > a ? last.parameter - (before.parameter - last.parameter) * a / (b - a) : last.parameter;
}

CycleEnd end_of(numerics::ContinuationEnd how, const std::vector<CyclePoint>& points, bool at_front) {
    const auto& last = at_front ? points.front() : points.back();
    if (how == numerics::ContinuationEnd::window) return {CycleEnd::Kind::window, last.parameter};
    if (how == numerics::ContinuationEnd::cancelled) return {CycleEnd::Kind::cancelled, last.parameter};
    double largest = 0;
    for (const CyclePoint& p : points) largest = std::max(largest, p.amplitude);
    const auto from_end = [&](std::size_t i) -> const CyclePoint& {
        return at_front ? points[i] : points[points.size() - 1 - i];
    };
    if (points.size() > 1 && last.amplitude < 0.02 * largest)
        return {CycleEnd::Kind::equilibrium, hopf_value(last, from_end(1))};
    // a canard: the cycle follows unstable creep for longer and longer while the parameter hardly changes
    double spread = 0, multiplier = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(points.size(), 8); ++i) {
        spread = std::max(spread, std::abs(from_end(i).parameter - last.parameter));
        multiplier = std::max(multiplier, std::abs(from_end(i).multiplier));
    }
    if (points.size() > 8 && spread < 1e-6 * std::abs(last.parameter) && multiplier > 10)
        return {CycleEnd::Kind::explosion, last.parameter};
    const bool many = how == numerics::ContinuationEnd::max_points;
    return {many ? CycleEnd::Kind::max_points : CycleEnd::Kind::lost, last.parameter};
}

// The cycle at the start of a branch, and the continuation from it.
struct BranchStart {
    Settled settled;
    std::unique_ptr<CycleProblem> cycles;
    std::unique_ptr<CycleContinuation> continuation;
    std::optional<CycleNode> node;
    NoBranch reason = NoBranch::not_searched;  // if there is no node
};

BranchStart start_branch(const Family& family, double start, Window window, const CycleOptions& options,
                         const Progress& progress, const CycleContinuationOptions& stepping) {
    if (!(window.from < window.to && window.from <= start && start <= window.to))
        throw Error("a branch needs a window with from < to and the start value inside");
    const Setup setup = family(start);
    if (setup.run.method == Method::hybrid)
        throw Error(
            "run.method = hybrid has no continuation, its cycle is known in closed form; choose another method");
    BranchStart out;
    if (jumps_at_peak(setup.law)) {
        out.reason = NoBranch::jump_on_section;
        return out;
    }
    const auto flow = flow_of(setup, options.tolerance);
    out.settled = settle_anywhere(setup, *flow, options, progress);
    if (out.settled.to != Settled::To::cycle) {
        out.reason = NoBranch::no_cycle;
        return out;
    }
    out.cycles = std::make_unique<CycleProblem>([family](const std::vector<double>& p) { return family(p[0]); },
                                                std::vector<Window>{window}, out.settled.scale, options.tolerance);
    std::vector<double> scale, x = out.settled.orbit.u;
    for (std::size_t i = 0; i < x.size(); ++i) scale.push_back(out.settled.scale.of(i));
    scale.push_back(std::max(std::abs(start), 0.1 * (window.to - window.from)));
    x.push_back(start);
    out.continuation = std::make_unique<CycleContinuation>(*out.cycles, scale, window, stepping);
    out.node = out.continuation->start(x);
    if (!out.node) out.reason = NoBranch::no_convergence;
    return out;
}

constexpr int start_values = 17;  // of a window without a cycle at its start value

// Returns the value nearest to `start`, of those spread over the window, at which motions end in a cycle; std::nullopt if there is none.
// Values that the family does not accept are left out.
std::optional<double> value_with_cycle(const Family& family, double start, Window window, const CycleOptions& options,
                                       const Progress& progress) {
    const bool decades = window.from * window.to > 0 && std::max(window.to / window.from, window.from / window.to) > 30;
    const auto spacing = decades ? numerics::Spacing::by_factors : numerics::Spacing::equal;
    std::vector<double> values = numerics::spread(window.from, window.to, start_values, spacing);
    const auto distance = [&](double p) { return decades ? std::abs(std::log(p / start)) : std::abs(p - start); };
    std::stable_sort(values.begin(), values.end(), [&](double a, double b) { return distance(a) < distance(b); });
    for (const double p : values) try {
            const Setup setup = family(p);
            const Settled settled = settle_anywhere(setup, *flow_of(setup, options.tolerance), options, progress);
            if (settled.to == Settled::To::cancelled) throw Cancelled();
            if (settled.to == Settled::To::cycle && settled.stable) return p;
        } catch (const Cancelled&) {
            throw;
        } catch (const Error&) {
        }
    return {};
}

CycleNode reversed(CycleNode node) {
    for (double& a : node.tangent) a = -a;
    return node;
}

// Returns true if a test changes its sign by more than rounding.
bool changes_sign(double CycleNode::*test, const CycleNode& a, const CycleNode& b) {
    return (a.*test > 0) != (b.*test > 0) && std::max(std::abs(a.*test), std::abs(b.*test)) > 1e-4;
}

// Progress without a measure of the remaining work, called from two threads.
class StepCounter {
  public:
    explicit StepCounter(const Progress& progress) : progress_(progress) {}
    bool operator()() {
        const std::lock_guard lock(mutex_);
        return !progress_ || progress_(std::min(0.9, 0.1 + 0.002 * ++count_));
    }

  private:
    const Progress& progress_;
    int count_ = 0;
    std::mutex mutex_;
};

}  // namespace

std::optional<StabilityLimit> find_stability_limit(const Family& family, double start, Window window,
                                                   const CycleOptions& options, const Progress& progress) {
    CycleContinuationOptions stepping;
    stepping.until_stability_limit = true;
    std::mutex mutex;
    stepping.progress = [&] {
        const std::lock_guard lock(mutex);
        return !progress || progress(0.5);
    };
    const BranchStart branch = start_branch(family, start, window, options, progress, stepping);
    if (!branch.node) return {};
    std::optional<StabilityLimit> found[2];
    tbb::parallel_for(0, 2, [&](int side) {
        const CycleNode begin = side == 0 ? *branch.node : reversed(*branch.node);
        std::vector<CycleNode> nodes{begin};
        branch.continuation->run(begin, nodes);
        const std::size_t last = nodes.size() - 1;
        for (const bool folds : {false, true}) {
            const auto test = folds ? &CycleNode::fold : &CycleNode::flip;
            if (last < 1 || !changes_sign(test, nodes[last - 1], nodes[last])) continue;
            const auto at = branch.continuation->zero(test, nodes[last - 1], nodes[last]);
            if (!at) continue;
            // sizes are those of the cycle here, which can differ from those at the start
            const std::size_t n = at->x.size() - 2;
            const std::vector<double> y(at->x.begin(), at->x.begin() + std::ptrdiff_t(n));
            found[side] =
                StabilityLimit{at->x, folds ? 1.0 : -1.0, scale_of(*branch.cycles->flow(at->x, false), y, at->x[n])};
        }
    });
    const auto distance = [&](const StabilityLimit& limit) { return std::abs(limit.x.back() - start); };
    if (found[0] && found[1]) return distance(*found[0]) < distance(*found[1]) ? found[0] : found[1];
    return found[0] ? found[0] : found[1];
}

}  // namespace bristle::analysis::cycle

namespace bristle::inline analysis {

using namespace cycle;

CycleBranch follow(const Family& family, double start, double from, double to, const CycleOptions& options,
                   const Progress& progress) {
    CycleBranch out;
    const Window window{std::min(from, to), std::max(from, to)};
    StepCounter counter(progress);
    CycleContinuationOptions stepping;
    stepping.progress = std::ref(counter);
    BranchStart branch = start_branch(family, start, window, options, progress, stepping);
    if (branch.settled.to == Settled::To::cancelled) throw Cancelled();
    if (branch.reason == NoBranch::no_cycle)
        if (const auto other = value_with_cycle(family, start, window, options, progress))
            branch = start_branch(family, *other, window, options, progress, stepping);
    out.reason = branch.reason;
    if (!branch.node) return out;
    std::vector<CycleNode> sides[2];
    numerics::ContinuationEnd ends[2];
    tbb::parallel_for(0, 2, [&](int i) {
        ends[i] = branch.continuation->run(i == 0 ? reversed(*branch.node) : *branch.node, sides[i]);
    });
    std::vector<CycleNode> nodes;
    for (auto node = sides[0].rbegin(); node != sides[0].rend(); ++node) nodes.push_back(reversed(*node));
    nodes.push_back(*branch.node);
    nodes.insert(nodes.end(), sides[1].begin(), sides[1].end());

    out.exists = true;
    out.start = sides[0].size();
    out.points.resize(nodes.size());
    tbb::parallel_for(std::size_t(0), nodes.size(), [&](std::size_t i) {
        out.points[i] = point_of(branch.cycles->cycle(nodes[i].x, 2), nodes[i].x.back());
    });
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i)
        for (const bool folds : {true, false}) {
            const auto test = folds ? &CycleNode::fold : &CycleNode::flip;
            if (!changes_sign(test, nodes[i], nodes[i + 1])) continue;
            if (const auto at = branch.continuation->zero(test, nodes[i], nodes[i + 1]))
                (folds ? out.folds : out.flips).push_back(point_of(branch.cycles->cycle(at->x, 2), at->x.back()));
        }
    out.first = end_of(ends[0], out.points, true);
    out.last = end_of(ends[1], out.points, false);
    return out;
}

CycleBranch follow(const Setup& setup, std::string_view parameter, double from, double to, const CycleOptions& options,
                   const Progress& progress) {
    return follow(family_of(setup, parameter), equilibrium::present_value(setup, parameter), from, to, options,
                  progress);
}

}  // namespace bristle::analysis
