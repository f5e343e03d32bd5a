// Passivity of laws with one state: formula or criterion first, then speeds, margin, counterexample and nearest change.
#include "analyse/passivity/one_state.hpp"

#include "analyse/counterexample/counterexample.hpp"
#include "analyse/passivity/closed_form.hpp"
#include "analyse/passivity/laws.hpp"
#include "analyse/passivity/nearest_change.hpp"
#include "analyse/passivity/speed_limits.hpp"
#include "base/work_budget.hpp"

#include <algorithm>

namespace bristle::inline analysis::passivity {

namespace {

using By = ClosedForm::By;
using Why = reason::NoCounterexample::Why;

// Work budgets of the parts of a finding.
constexpr long verdict_units = 800'000, speed_units = 500'000, one_state_example_units = 800'000,
               margin_units = 300'000, nearest_margin_units = 500'000;
// A speed limit above this value is treated as none: points that refute lie far below it.
constexpr double no_limit = 1e60;
double limit_of(const CertifyOptions& options) {
    return options.vmax && *options.vmax <= no_limit ? *options.vmax : infinity;
}
// Closer than this to the required sigma2, the legs of an input are too short for a signal in time.
constexpr double near_fraction = 5e-3;

// A hysteretic law whose shift is zero is LuGre.
AnyLaw without_shift(const AnyLaw& law) {
    const auto* h = std::get_if<AnyHysteretic>(&law);
    if (!h) return law;
    AnyLuGre same;
    same.sigma0 = h->sigma0;
    same.sigma1 = h->sigma1;
    same.sigma2 = h->sigma2;
    same.curve = h->curve;
    same.sigma2_negative = h->sigma2_negative;
    same.load_on = h->load_on;
    return same;
}

reason::PassiveSpeeds passive_speeds(const std::vector<Side>& sides) {
    const WorkBudget budget(speed_units);
    reason::PassiveSpeeds found{};
    if (!(sides.front().gain > 1)) found.plain = plain_speed(sides);
    found.any = exact_speed(sides, found.plain.proved);
    found.exhausted = budget.exhausted() && !found.any.sharp();
    return found;
}

struct Study {
    const AnyLaw& law;
    const CertifyOptions& options;
    std::vector<Side> sides = sides_of(law, options);
    double vmax = limit_of(options);
    std::optional<ClosedForm> closed = closed_form(law, options);
    bool load_varies = load_range(law, options).varies();

    // Whether a formula for all speeds decides.
    bool by_formula() const { return closed && (closed->verdict == Verdict::proved || !options.vmax); }

    // Adds a counterexample: a load cycle if the load varies, otherwise a shuttle around the point where the order is wrong.
    // needed: the required sigma2 [N s/m], 0 if it is not known.
    void add_counterexample(Finding& out, const Joint& joint, double fastest, double needed) const {
        const WorkBudget budget(one_state_example_units);
        const AnyLaw plain = without_shift(law);
        if (load_varies)
            out.counterexample = counterexample::load_cycle(plain, options.load_min, options.load_max, vmax);
        if (!out.counterexample) {
            CertifyOptions held = options;
            held.load_max = held.load_min;
            const std::vector<Side> steady = sides_of(law, held);
            const Joint again = load_varies ? decide_all(steady, vmax, search_boxes) : joint;
            if (again.where) {
                const WrongOrder at = strengthen(*again.side, *again.where, fastest);
                out.counterexample =
                    counterexample::shuttle(plain, witness_of(*again.side, at, stiffness_of(law), held.load_min));
            }
        }
        if (out.counterexample) return;
        const bool near = out.margin && -*out.margin < near_fraction * needed;
        out.reasons.push_back(reason::NoCounterexample{near                 ? Why::near_limit
                                                       : budget.exhausted() ? Why::work_budget
                                                                            : Why::unequal_legs});
    }

    void add_nearest(Finding& out) const {
        if (out.verdict == Verdict::undecided || (closed && closed->by == By::undamped)) return;
        const WorkBudget budget(nearest_margin_units);
        const bool formula = closed && closed->by == By::P3 && !options.vmax;
        const auto found = nearest_change(law, out.verdict, formula ? 1e-12 : 1e-3,
                                          [&](const AnyLaw& l) { return one_state_verdict(l, options); });
        if (budget.exhausted())
            out.reasons.push_back(reason::NoNearestChange{true});
        else if (found)
            out.nearest = found;
        else if (out.verdict == Verdict::refuted)
            out.reasons.push_back(reason::NoNearestChange{false});
    }

    // Adds the margin of sigma2, in the direction with the smaller margin, or of vc. Returns the required sigma2 [N s/m]; 0 if none is
    // required or it is not known.
    double add_margin(Finding& out) const {
        if (closed && by_formula() && (closed->by == By::P3 || closed->by == By::P4)) {
            out.margin = closed->margin;
            const bool viscous = closed->by == By::P3;
            out.margin_unit = viscous ? "N s/m" : "m/s";
            out.margin_key = viscous ? viscous_key(law, closed->direction) : "vc";
            if (viscous && out.verdict == Verdict::refuted)
                add_need(out, closed->direction, closed->bound, closed->sigma2);
            return viscous ? closed->bound : 0;
        }
        if ((closed && by_formula()) || out.verdict == Verdict::undecided) return 0;
        const WorkBudget budget(margin_units);
        double needed = 0;
        const Side* at = nullptr;
        for (const Side& side : sides) {
            const auto one = viscous_needed(side, vmax);
            if (!one) return 0;
            if (!(*one > 0) || (at && side.sigma2 - *one >= at->sigma2 - needed)) continue;
            needed = *one;
            at = &side;
        }
        if (!at) return 0;
        out.margin = at->sigma2 - needed;
        out.margin_unit = "N s/m";
        out.margin_key = viscous_key(law, at->direction);
        add_need(out, at->direction, needed, at->sigma2);
        return needed;
    }
    void add_need(Finding& out, double direction, double needed, double value) const {
        out.reasons.push_back(reason::ViscousNeeded{viscous_key(law, direction), needed, value,
                                                    sides.size() > 1 ? direction : 0, options.vmax});
    }

    // Adds the remedy that keeps the curve of LuGre: bristle damping that fades with the speed, P4.
    void add_remedy(Finding& out) const {
        if (!std::holds_alternative<AnyLuGre>(law) || out.verdict != Verdict::refuted) return;
        const double vc = fading_bound(sides);
        if (vc > 0 && vc < infinity) out.reasons.push_back(reason::FadingRemedy{vc});
    }

    Finding passive_at_all_speeds() const {
        Finding out;
        out.verdict = Verdict::proved;
        out.speed = infinity;
        if (!closed) {
            out.theorem = Theorem::one_state_criterion;
            const WorkBudget budget(speed_units);
            if (sides.front().gain > 1)
                out.reasons = {reason::LeakageDissipates{}};
            else if (const SpeedLimit plain = plain_speed(sides); plain.everywhere())
                out.reasons = {reason::PlainStorage{}};
            else
                out.reasons = {reason::SteeperStorage{plain}};
            return out;
        }
        switch (closed->by) {
            case By::undamped:
                out.theorem = Theorem::quadratic_storage;
                out.reasons = {reason::Undamped{}};
                break;
            case By::rising:
                out.theorem = Theorem::rising_level;
                out.reasons = {reason::LevelNeverFalls{viscous_key(law, 1)}};
                break;
            case By::P3:
                out.theorem = Theorem::P3;
                out.reasons = {reason::ViscousSufficient{viscous_key(law, closed->direction), closed->sigma2,
                                                         closed->bound, load_varies}};
                break;
            case By::P4:
                out.theorem = Theorem::P4;
                out.reasons = {reason::FadesSufficiently{closed->bound}};
                break;
            case By::load:  // never proved
                break;
        }
        return out;
    }

    Finding never_passive() const {
        Finding out;
        out.verdict = Verdict::refuted;
        out.speed = 0;
        out.theorem = Theorem::load_cycle;
        out.reasons = {reason::LoadOnForce{}};
        const WorkBudget budget(one_state_example_units);
        out.counterexample = counterexample::load_cycle(without_shift(law), options.load_min, options.load_max, vmax);
        if (!out.counterexample) out.reasons.push_back(reason::NoCounterexample{Why::not_constructed});
        return out;
    }

    Finding passive_up_to_a_speed(Joint joint) const {
        const reason::PassiveSpeeds speeds = passive_speeds(sides);
        if (vmax < infinity) {
            const WorkBudget budget(verdict_units);
            joint = decide_all(sides, vmax);
        }
        Finding out;
        out.verdict = by_formula() ? closed->verdict : joint.verdict;
        out.theorem = by_formula() ? Theorem::P3 : Theorem::one_state_criterion;
        out.speed = speeds.plain.proved > 0 ? speeds.plain.proved : speeds.any.proved;
        if (out.verdict == Verdict::proved && *out.speed < vmax) out.speed = std::max(speeds.any.proved, vmax);
        const double needed = add_margin(out);
        out.reasons.push_back(speeds);
        if (out.verdict == Verdict::undecided)
            out.reasons.push_back(reason::BoxesUndecided{joint.boxes, speeds.any.proved > 0});
        if (out.verdict == Verdict::refuted)
            add_counterexample(out, joint, std::min(vmax, 4 * std::min(speeds.any.refuted, 1e6)), needed);
        return out;
    }

    Finding finding() const {
        if (closed && closed->by == By::load) return never_passive();
        const bool settled = closed && closed->verdict == Verdict::proved;
        Joint joint;
        if (!settled) {
            const WorkBudget budget(verdict_units);
            joint = decide_all(sides, infinity);
        }
        Finding out;
        if (settled || joint.verdict == Verdict::proved) {
            out = passive_at_all_speeds();
            add_margin(out);
        } else {
            out = passive_up_to_a_speed(joint);
        }
        add_nearest(out);
        add_remedy(out);
        return out;
    }
};

}  // namespace

Verdict one_state_verdict(const AnyLaw& law, const CertifyOptions& options) {
    const auto closed = closed_form(law, options);
    if (closed && (closed->verdict == Verdict::proved || !options.vmax || closed->by == By::load))
        return closed->verdict;
    return decide_all(sides_of(law, options), limit_of(options), search_boxes).verdict;
}

Finding one_state_finding(const AnyLaw& law, const CertifyOptions& options) { return Study{law, options}.finding(); }

}  // namespace bristle::analysis::passivity
