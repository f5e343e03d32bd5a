// Limit of stick-slip or hunting: values at factors of 2, then the fold of the cycle between them, or its extinction.
#include <bristle/analyse/limit.hpp>

#include <bristle/base/error.hpp>
#include <bristle/simulate/keyed.hpp>

#include <algorithm>
#include <cmath>

#include "analyse/cycle/cycle_transient.hpp"
#include "analyse/cycle/extinction_search.hpp"
#include "analyse/cycle/limit_search.hpp"
#include "base/shared_progress.hpp"
#include "base/text.hpp"

namespace bristle::inline analysis {

using namespace cycle;

namespace {

// Motions at values of the family; each value is evaluated once.
class Evaluations {
  public:
    Evaluations(const Family& family, const CycleOptions& options, Progress progress)
        : family_(family), options_(options), progress_(std::move(progress)) {}

    bool is_valid(double p) const {
        try {
            family_(p);
            return true;
        } catch (const Error&) {
            return false;
        }
    }
    Motions operator()(double p) {
        const auto known = known_.find(p);
        return known != known_.end() ? known->second : known_[p] = evaluated(p, options_);
    }
    // The same; motions that do not decide are followed ten times as far.
    Motions patient(double p) {
        if ((*this)(p) != Motions::undecided) return known_[p];
        CycleOptions longer = options_;
        longer.max_steps *= 10;
        return known_[p] = evaluated(p, longer);
    }
    const MotionsByValue& known() const { return known_; }

  private:
    Motions evaluated(double p, const CycleOptions& options) const {
        const Setup setup = family_(p);
        const auto flow = flow_of(setup, options.tolerance);
        const Settled settled = settle_anywhere(setup, *flow, options, progress_);
        if (settled.to == Settled::To::cancelled) throw Cancelled();
        if (settled.to == Settled::To::cycle && settled.stable) return Motions::hunt;
        if (settled.grows) return Motions::grow;
        return settled.to == Settled::To::equilibrium ? Motions::settle : Motions::undecided;
    }

    const Family& family_;
    const CycleOptions& options_;
    Progress progress_;
    MotionsByValue known_;
};

// Narrows a change from motions that settle to motions that grow until there is a cycle between them, or to 1e-6 of the value. Returns false
// if motions do not decide before that.
bool find_cycle(Evaluations& motions, Neighbours& change) {
    while (motions(change.with) == Motions::grow &&
           std::abs(change.with - change.without) > 1e-6 * std::abs(change.with)) {
        const double middle = 0.5 * (change.without + change.with);
        const Motions here = motions(middle);
        if (here == Motions::undecided) return false;
        (persists(here) ? change.with : change.without) = middle;
    }
    return true;
}

// The fold at which a cycle ends, and the stable cycle of its branch at least 0.1 % before it.
struct Fold {
    double value;
    Cycle beside;
    double beside_at;
};

// Returns the fold at which the cycle at change.with ends on its way to change.without; std::nullopt if its branch cannot be followed
// there.
std::optional<Fold> fold_between(const Family& family, const Neighbours& change, const CycleOptions& options,
                                 const Progress& progress) {
    const auto [low, high] = std::minmax(change.without, change.with);
    const CycleBranch branch = follow(family, change.with, low, high, options, progress);
    if (!branch.exists || !branch.points[branch.start].stable) return {};
    // last: the last point of the stable part of the branch, on the side that comes closest to change.without; step: direction of that side
    std::ptrdiff_t last = 0, step = 0;
    double reach = -1;
    for (const std::ptrdiff_t direction : {-1, 1}) {
        auto i = std::ptrdiff_t(branch.start);
        const auto is_stable = [&](std::ptrdiff_t at) {
            return at >= 0 && at < std::ptrdiff_t(branch.points.size()) && branch.points[std::size_t(at)].stable;
        };
        while (is_stable(i + direction)) i += direction;
        const double from_cycle = std::abs(branch.points[std::size_t(i)].parameter - change.with);
        if (from_cycle <= reach) continue;
        reach = from_cycle;
        last = i;
        step = direction;
    }
    const double end = branch.points[std::size_t(last)].parameter;
    const auto fold = std::min_element(branch.folds.begin(), branch.folds.end(), [&](const auto& a, const auto& b) {
        return std::abs(a.parameter - end) < std::abs(b.parameter - end);
    });
    if (fold == branch.folds.end()) return {};
    const auto start = std::ptrdiff_t(branch.start);
    while (last != start &&
           std::abs(branch.points[std::size_t(last)].parameter - fold->parameter) <= 1e-3 * std::abs(fold->parameter))
        last -= step;
    const CyclePoint* beside = &branch.points[std::size_t(last)];
    Cycle cycle = cycle_near(family(beside->parameter), beside->state, beside->period, options);
    if (!cycle.exists || !cycle.stable) return {};
    return Fold{fold->parameter, std::move(cycle), beside->parameter};
}

constexpr double distances[] = {1e-3, 3e-3, 1e-2, 2e-2, 5e-2};  // of a neighbour, as a fraction of the limit

// Sets the closest neighbour at which the motions settle. Returns false if there is none.
bool confirm_without(Evaluations& motions, Limit& out, double toward_cycle) {
    for (const double distance : distances) {
        const double p = out.value + (toward_cycle > out.value ? -1 : 1) * distance * std::abs(out.value);
        if (motions.patient(p) != Motions::settle) continue;
        out.without = p;
        return true;
    }
    return false;
}
// The same for the neighbour at which the motion persists.
bool confirm_with(Evaluations& motions, Limit& out, double toward_cycle) {
    for (const double distance : distances) {
        const double p = out.value + (toward_cycle > out.value ? 1 : -1) * distance * std::abs(out.value);
        if (!persists(motions.patient(p))) continue;
        out.with = p;
        return true;
    }
    return false;
}

}  // namespace

const char* name_of(LimitOutcome outcome) {
    switch (outcome) {
        case LimitOutcome::found:
            return "found";
        case LimitOutcome::cycle_nowhere:
            return "cycle_nowhere";
        case LimitOutcome::cycle_everywhere:
            return "cycle_everywhere";
        case LimitOutcome::no_valid_start:
            return "no_valid_start";
        default:
            return "undecided";
    }
}

Window limit_window(double start) {
    if (start == 0 || !std::isfinite(start))
        throw Error("the search for a limit starts at the value of the set-up, which is " + readable(start) +
                    ": give it a finite value other than 0");
    const double near = 1e-4 * start, far = 1e4 * start;
    return {std::min(near, far), std::max(near, far)};
}

Limit limit(const Family& family, double start, Window window, const CycleOptions& options, const Progress& progress) {
    if (!(start * window.from > 0 && start * window.to > 0 && window.from <= start && start <= window.to))
        throw Error("limit: the start value must lie in the window, and both ends must have its sign");
    Limit out{.starts = starts_of_a_search};
    SharedProgress shared(progress);
    Evaluations motions(family, options, shared.part(0, 0.6));
    if (!motions.is_valid(start)) {
        out.outcome = LimitOutcome::no_valid_start;
        out.lowest = out.highest = start;
        return out;
    }
    if (family(start).run.method == Method::hybrid)
        throw Error("limit: not for run.method = \"hybrid\"; use limit_cycle at single values");
    const bool cycle_at_start = persists(motions(start));
    const bool upward_first = cycle_at_start != (start > 0);  // toward larger magnitudes for a set-up without cycle
    std::optional<Neighbours> change;
    for (const bool upward : {upward_first, !upward_first})
        if (!change) change = change_between(motions, start, upward ? window.to : window.from);
    const auto close = [&](LimitOutcome outcome) { return closed(out, outcome, motions.known()); };
    if (!change) {
        if (any_undecided(motions.known())) return close(LimitOutcome::undecided);
        return close(cycle_at_start ? LimitOutcome::cycle_everywhere : LimitOutcome::cycle_nowhere);
    }
    if (!find_cycle(motions, *change)) return close(LimitOutcome::undecided);
    if (motions(change->with) == Motions::grow) {
        out.value = 0.5 * (change->without + change->with);
        out.without = change->without;
        out.with = change->with;
        out.grows = true;
        return close(LimitOutcome::found);
    }
    if (const auto fold = fold_between(family, *change, options, shared.part(0.6, 0.8))) {
        out.value = fold->value;
        // beyond the fold motions can take too long to settle: then the value at which they did is the neighbour
        if (!confirm_without(motions, out, change->with)) out.without = change->without;
        out.with = fold->beside_at;
        out.period = fold->beside.period;
        out.amplitude = fold->beside.amplitude;
        return close(LimitOutcome::found);
    }
    const auto end =
        extinction_between(family, change->with, change->without, {}, options, shared.part(0.8, 0.95)).value;
    if (shared.cancelled()) throw Cancelled();
    if (!end) return close(LimitOutcome::undecided);
    out.value = *end;
    if (!confirm_without(motions, out, change->with) || !confirm_with(motions, out, change->with))
        return close(LimitOutcome::undecided);
    out.grows = motions(out.with) == Motions::grow;
    if (!out.grows) {
        const Cycle cycle = limit_cycle(family(out.with), options, shared.part(0.95, 1));
        out.period = cycle.period;
        out.amplitude = cycle.amplitude;
    }
    return close(LimitOutcome::found);
}

Limit limit(const Setup& setup, std::string_view parameter, double from, double to, const CycleOptions& options,
            const Progress& progress) {
    return limit(family_of(setup, parameter), number_at(setup, parameter).value_or(0), {from, to}, options, progress);
}

Limit limit(const Setup& setup, std::string_view parameter, const CycleOptions& options, const Progress& progress) {
    const Family family = family_of(setup, parameter);  // throws if there is no such number
    const double start = number_at(setup, parameter).value_or(0);
    return limit(family, start, limit_window(start), options, progress);
}

}  // namespace bristle::analysis
