#include "analyse/cycle/cycle_branch.hpp"

#include <bristle/base/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <mutex>
#include <numbers>
#include <tbb/parallel_for.h>

#include "analyse/cycle/cycle_build.hpp"
#include "analyse/cycle/cycle_transient.hpp"
#include "analyse/cycle/cycle_walk.hpp"

namespace bristle::inline analysis {

std::vector<double> CycleProblem::inside(std::span<const double> x) const {
    std::vector<double> p(parameters());
    for (std::size_t k = 0; k < p.size(); ++k) p[k] = std::clamp(x[states() + 1 + k], windows_[k].from, windows_[k].to);
    return p;
}

Setup CycleProblem::setup(std::span<const double> x) const { return family_(inside(x)); }

std::unique_ptr<Flow> CycleProblem::flow(std::span<const double> x, bool with_parameters) const {
    const std::vector<double> p = inside(x);
    std::vector<Beside> beside;
    for (std::size_t k = 0; with_parameters && k < p.size(); ++k) {
        // a central difference, one-sided on the edge of the window: beyond it a rule may be broken
        const Window& w = windows_[k];
        const double d = 1e-5 * std::max(std::abs(p[k]), 1e-2 * (w.to - w.from));
        std::vector<double> low = p, high = p;
        low[k] = std::max(w.from, p[k] - d);
        high[k] = std::min(w.to, p[k] + d);
        beside.push_back({family_(low), family_(high), high[k] - low[k]});
    }
    return flow_of(family_(p), tolerance_, beside);
}

Shot CycleProblem::shot(std::span<const double> x, bool with_parameters) const {
    try {
        const auto motion = flow(x, with_parameters);
        const std::vector<double> u(x.begin(), x.begin() + std::ptrdiff_t(states() + 1));
        Shot shot = shoot(*motion, scale_, u);
        if (!shot.usable) return shot;
        // how sharp the peak is, in units of a sine's that has the size of the cycle at the start
        double bend = 0;
        for (std::size_t i = 0; i < states(); ++i) bend -= shot.section[i] * shot.rate_end[i];
        bend *= motion->direction() * scale_.time / (2 * std::numbers::pi);
        if (!(bend > 1e-3)) shot.usable = false;
        return shot;
    } catch (const Error&) {
        return {};
    }
}

Cycle CycleProblem::cycle(std::span<const double> x, int max_points) const {
    const Setup here = setup(x);
    const auto motion = flow_of(here, tolerance_);
    Closed orbit;
    orbit.u.assign(x.begin(), x.begin() + std::ptrdiff_t(states() + 1));
    return cycle_of(here, *motion, scale_, orbit, max_points);
}

CyclePoint point_of(const Cycle& cycle, double parameter) {
    return {parameter,     cycle.period,         cycle.amplitude,
            cycle.fastest, cycle.stick_fraction, cycle.multipliers.empty() ? 0 : cycle.multipliers.front(),
            cycle.stable,  cycle.state};
}

namespace {

CycleEnd end_of(numerics::ContinuationEnd how, const std::vector<CyclePoint>& points, bool at_front) {
    const auto& last = at_front ? points.front() : points.back();
    CycleEnd end;
    end.parameter = last.parameter;
    if (how == numerics::ContinuationEnd::window || how == numerics::ContinuationEnd::cancelled) {
        end.kind = how == numerics::ContinuationEnd::window ? CycleEnd::Kind::window : CycleEnd::Kind::cancelled;
        char text[60];
        std::snprintf(text, sizeof text, "leaves the window at %.6g", last.parameter);
        end.sentence = how == numerics::ContinuationEnd::window ? text : "was not followed further: stopped";
        return end;
    }
    double largest = 0;
    for (const CyclePoint& p : points) largest = std::max(largest, p.amplitude);
    const auto from_end = [&](std::size_t i) -> const CyclePoint& {
        return at_front ? points[i] : points[points.size() - 1 - i];
    };
    if (points.size() > 1 && last.amplitude < 0.02 * largest) {
        // near a Hopf point the parameter is even in the amplitude
        const CyclePoint& before = from_end(1);
        const double a = last.amplitude * last.amplitude, b = before.amplitude * before.amplitude;
        end.kind = CycleEnd::Kind::equilibrium;
        end.sentence = "shrinks to the equilibrium: a Hopf point";
        if (b > a) end.parameter = last.parameter - (before.parameter - last.parameter) * a / (b - a);
        return end;
    }
    // a canard: the cycle follows an unstable creep for longer and longer while the parameter stands still
    double spread = 0, multiplier = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(points.size(), 8); ++i) {
        spread = std::max(spread, std::abs(from_end(i).parameter - last.parameter));
        multiplier = std::max(multiplier, std::abs(from_end(i).multiplier));
    }
    if (points.size() > 8 && spread < 1e-6 * std::abs(last.parameter) && multiplier > 10) {
        end.kind = CycleEnd::Kind::explosion;
        end.sentence =
            "ends in an explosion: the parameter stands still while the multipliers grow; beyond it this cycle is gone";
        return end;
    }
    end.sentence = how == numerics::ContinuationEnd::max_points ? "was not followed further: it has too many points"
                                                                : "ends here: no further point was found";
    return end;
}

// A branch on its way: the cycle at the start, and how to walk from it.
struct Journey {
    Settled settled;
    std::unique_ptr<CycleProblem> cycles;
    std::unique_ptr<CycleWalk> walk;
    std::optional<CycleNode> begin;
    std::string message;  // why there is none
};

Journey set_out(const Family& family, double start, Window window, const CycleOptions& options,
                const Progress& progress, CycleWalkOptions walking) {
    if (!(window.from < window.to && window.from <= start && start <= window.to))
        throw Error("a branch needs a window with the start value inside");
    const Setup setup = family(start);
    if (setup.run.method == Method::hybrid)
        throw Error("the cycle of the rig hybrid is known in closed form: continue it on the rig pulled_spring");
    Journey out;
    if (std::holds_alternative<AnyHysteretic>(setup.law)) {
        // dv/dt = 0 is where the law changes its branch: the section would lie on a jump of the right-hand side
        out.message =
            "cycles of the hysteretic law are not continued: its force jumps where the slip is fastest, which is "
            "where a cycle is cut open; look at single values instead";
        return out;
    }
    const auto flow = flow_of(setup, options.tolerance);
    out.settled = settle_anywhere(setup, *flow, options, progress);
    if (out.settled.to != Settled::To::cycle) {
        out.message = out.settled.to == Settled::To::cancelled
                          ? "stopped"
                          : "no limit cycle found at the start value: nothing to continue";
        return out;
    }
    out.cycles = std::make_unique<CycleProblem>([family](const std::vector<double>& p) { return family(p[0]); },
                                                std::vector<Window>{window}, out.settled.scale, options.tolerance);
    std::vector<double> scale, x = out.settled.orbit.u;
    for (std::size_t i = 0; i < x.size(); ++i) scale.push_back(out.settled.scale.of(i));
    scale.push_back(std::max(std::abs(start), 0.1 * (window.to - window.from)));
    x.push_back(start);
    out.walk = std::make_unique<CycleWalk>(*out.cycles, scale, window, walking);
    out.begin = out.walk->start(x);
    if (!out.begin) out.message = "Newton's method lost the cycle at the start value";
    return out;
}

CycleNode backwards(CycleNode node) {
    for (double& a : node.tangent) a = -a;
    return node;
}

// Rounding may change the sign of a test that is tiny everywhere.
bool passes(double CycleNode::*test, const CycleNode& a, const CycleNode& b) {
    return (a.*test > 0) != (b.*test > 0) && std::max(std::abs(a.*test), std::abs(b.*test)) > 1e-4;
}

}  // namespace

CycleBranch follow(const Family& family, double start, double from, double to, const CycleOptions& options,
                   const Progress& progress) {
    CycleBranch branch;
    const Window window{std::min(from, to), std::max(from, to)};
    CycleWalkOptions walking;
    int seen = 0;
    std::mutex telling;
    walking.progress = [&] {
        const std::lock_guard lock(telling);
        return !progress || progress(std::min(0.9, 0.1 + 0.002 * ++seen));
    };
    const Journey journey = set_out(family, start, window, options, progress, walking);
    branch.message = journey.message;
    if (!journey.begin) return branch;
    std::vector<CycleNode> ways[2];
    numerics::ContinuationEnd ends[2];
    tbb::parallel_for(
        0, 2, [&](int i) { ends[i] = journey.walk->go(i == 0 ? backwards(*journey.begin) : *journey.begin, ways[i]); });
    std::vector<CycleNode> nodes;
    for (auto node = ways[0].rbegin(); node != ways[0].rend(); ++node) nodes.push_back(backwards(*node));
    nodes.push_back(*journey.begin);
    nodes.insert(nodes.end(), ways[1].begin(), ways[1].end());

    branch.exists = true;
    branch.start = ways[0].size();
    branch.points.resize(nodes.size());
    tbb::parallel_for(std::size_t(0), nodes.size(), [&](std::size_t i) {
        branch.points[i] = point_of(journey.cycles->cycle(nodes[i].x, 2), nodes[i].x.back());
    });
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i)
        for (const bool folds : {true, false}) {
            const auto test = folds ? &CycleNode::fold : &CycleNode::flip;
            if (!passes(test, nodes[i], nodes[i + 1])) continue;
            if (const auto at = journey.walk->zero(test, nodes[i], nodes[i + 1]))
                (folds ? branch.folds : branch.flips)
                    .push_back(point_of(journey.cycles->cycle(at->x, 2), at->x.back()));
        }
    branch.first = end_of(ends[0], branch.points, true);
    branch.last = end_of(ends[1], branch.points, false);
    return branch;
}

std::optional<CycleEdge> find_edge(const Family& family, double start, Window window, const CycleOptions& options,
                                   const Progress& progress) {
    CycleWalkOptions walking;
    walking.until_edge = true;
    std::mutex telling;
    walking.progress = [&] {
        const std::lock_guard lock(telling);
        return !progress || progress(0.5);
    };
    const Journey journey = set_out(family, start, window, options, progress, walking);
    if (!journey.begin) return {};
    std::optional<CycleEdge> found[2];
    tbb::parallel_for(0, 2, [&](int way) {
        const CycleNode begin = way == 0 ? *journey.begin : backwards(*journey.begin);
        std::vector<CycleNode> nodes{begin};
        journey.walk->go(begin, nodes);
        const std::size_t last = nodes.size() - 1;
        for (const bool folds : {false, true}) {
            const auto test = folds ? &CycleNode::fold : &CycleNode::flip;
            if (last < 1 || !passes(test, nodes[last - 1], nodes[last])) continue;
            const auto at = journey.walk->zero(test, nodes[last - 1], nodes[last]);
            if (!at) continue;
            // the cycle may have grown or shrunk a good deal on the way here
            const std::size_t n = at->x.size() - 2;
            const std::vector<double> y(at->x.begin(), at->x.begin() + std::ptrdiff_t(n));
            found[way] =
                CycleEdge{at->x, folds ? 1.0 : -1.0, scale_of(*journey.cycles->flow(at->x, false), y, at->x[n])};
        }
    });
    const auto far = [&](const CycleEdge& edge) { return std::abs(edge.x.back() - start); };
    if (found[0] && found[1]) return far(*found[0]) < far(*found[1]) ? found[0] : found[1];
    return found[0] ? found[0] : found[1];
}

}  // namespace bristle::inline analysis
