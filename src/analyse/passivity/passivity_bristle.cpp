#include "analyse/passivity/passivity_bristle.hpp"

#include "analyse/counterexample/counterexample.hpp"
#include "base/work_budget.hpp"
#include "analyse/passivity/passivity_closed.hpp"
#include "analyse/passivity/passivity_laws.hpp"
#include "analyse/passivity/passivity_nearest.hpp"
#include "analyse/passivity/passivity_speed.hpp"

#include "base/text.hpp"

#include <numbers>

namespace bristle::inline analysis {

using By = ClosedForm::By;

namespace {

constexpr const char* p3 = "P3 (A08 6-7, K08 21)";
constexpr const char* exact = "exact one-state criterion, interval arithmetic";

// What each part of a finding may cost, in units of effort.
constexpr long for_verdict = 800'000, for_speeds = 500'000, for_example = 800'000, for_margin = 300'000,
               for_nearest = 500'000;
// A limit of speed beyond this is none: what refutes lies far below.
constexpr double no_limit = 1e60;
double limit_of(const CertifyOptions& options) {
    return options.vmax && *options.vmax <= no_limit ? *options.vmax : infinity;
}
// Closer than this to the sigma2 that is needed, the legs of an input get too short for a signal in time.
constexpr double close_share = 5e-3;

std::string number(double x, int digits = 4) { return readable(x, digits); }
std::string speed(double v) { return in_units(v, "m/s"); }

// "it takes sigma2 >= 158.1 N s/m; here it is 0.4", with as many digits as tell the two apart.
std::string need(const std::string& key, double needed, double has) {
    int digits = 4;
    while (digits < 17 && needed != has && number(needed, digits) == number(has, digits)) ++digits;
    return "it takes " + key + " >= " + number(needed, digits) + " N s/m; here it is " + number(has, digits) + ".";
}

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

// What is known about the speeds up to which the law is passive.
struct Speeds {
    SpeedLimit plain, any;
    bool ended = false;  // for want of effort
};
Speeds speeds_of(const std::vector<Side>& sides) {
    const WorkBudget part(for_speeds);
    Speeds found;
    if (!(sides.front().gain > 1)) found.plain = plain_speed(sides);
    found.any = exact_speed(sides, found.plain.proved);
    found.ended = part.exhausted() && !found.any.sharp();
    return found;
}
std::string up_to(const SpeedLimit& limit) {
    if (limit.everywhere()) return "at every speed";
    return (limit.sharp() ? "up to " : "at least up to ") + speed(limit.proved);
}
std::string sentence(const Speeds& speeds) {
    const auto& [plain, any, ended] = speeds;
    const std::string end = ended ? "; the search for a higher speed was ended when it had cost enough." : ".";
    if (!(any.proved > 0))
        return (any.refuted < infinity ? " No limit of speed was found that mends it, down to " + speed(any.refuted)
                                       : " No speed was found up to which it is passive") +
               end;
    if (!(plain.proved > 0)) return " It is passive " + up_to(any) + ", with a storage of its own" + end;
    std::string text = " It is passive " + up_to(plain) + " with the storage sigma0 z^2/2";
    if (any.proved > plain.proved) text += ", " + up_to(any) + " with a storage that rises more steeply";
    return text + end;
}

struct Study {
    const AnyLaw& law;
    const CertifyOptions& options;
    std::vector<Side> sides = sides_of(law, options);
    double vmax = limit_of(options);
    std::optional<ClosedForm> closed = closed_form(law, options);
    bool load_varies = load_range(law, options).varies();

    // Whether a formula for all speeds has the last word.
    bool by_formula() const { return closed && (closed->verdict == Verdict::proved || !options.vmax); }

    // What draws energy: a cycle of the load where it varies, a shuttle around the point where the order is wrong otherwise.
    // needed: the sigma2 that is missed, 0 where it is not known.
    void counter(Finding& out, const Joint& joint, double reach, double needed) const {
        const WorkBudget part(for_example);
        const AnyLaw plain = without_shift(law);
        if (load_varies) out.counterexample = load_cycle(plain, options.load_min, options.load_max, vmax);
        if (!out.counterexample) {
            CertifyOptions held = options;
            held.load_max = held.load_min;
            const std::vector<Side> steady = sides_of(law, held);
            const Joint again = load_varies ? decide_all(steady, vmax, search_boxes) : joint;
            if (again.where) {
                const WrongOrder at = strengthen(*again.side, *again.where, reach);
                out.counterexample = shuttle(plain, witness_of(*again.side, at, stiffness_of(law), held.load_min));
            }
        }
        if (out.counterexample) return;
        const bool close = out.margin && -*out.margin < close_share * needed;
        out.text += close ? " So close to the limit no short input shows it."
                    : part.exhausted()
                        ? " No input that shows it is given: the search for one was ended when it had cost enough."
                        : " No input that shows it was constructed: its legs would be too unlike in length.";
    }

    void nearest(Finding& out) const {
        if (out.verdict == Verdict::undecided || (closed && closed->by == By::undamped)) return;
        const WorkBudget part(for_nearest);
        const bool formula = closed && closed->by == By::P3 && !options.vmax;
        const auto found = nearest_change(law, out.verdict, formula ? 1e-12 : 1e-3,
                                          [&](const AnyLaw& l) { return bristle_verdict(l, options); });
        if (part.exhausted())
            out.text += " The search for the nearest change of a parameter was ended when it had cost enough.";
        else if (found)
            out.nearest = found;
        else if (out.verdict == Verdict::refuted)
            out.text += " No change of a single parameter was found that mends it.";
    }

    // How far sigma2 is from what is needed, in the direction where it is missed most, or vc from its bound. Returns the sigma2 that is
    // needed, 0 where none is or it is not known.
    double margin(Finding& out) const {
        if (closed && by_formula() && (closed->by == By::P3 || closed->by == By::P4)) {
            out.margin = closed->margin;
            const bool viscous = closed->by == By::P3;
            out.margin_unit = viscous ? "N s/m" : "m/s";
            out.margin_key = viscous ? viscous_key(law, closed->direction) : "vc";
            if (viscous && out.verdict == Verdict::refuted)
                tell_need(out, closed->direction, closed->bound, closed->sigma2);
            return viscous ? closed->bound : 0;
        }
        if ((closed && by_formula()) || out.verdict == Verdict::undecided) return 0;
        const WorkBudget part(for_margin);
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
        tell_need(out, at->direction, needed, at->sigma2);
        return needed;
    }
    void tell_need(Finding& out, double direction, double needed, double has) const {
        std::string where = options.vmax ? "Up to " + speed(*options.vmax) + " " : "For all speeds ";
        if (sides.size() > 1) where = direction < 0 ? "For v < 0 " : "For v > 0 ";
        out.text += " " + where + need(viscous_key(law, direction), needed, has);
    }

    // The cure that leaves the curve as it is: bristle damping that fades with the speed.
    void cure(Finding& out) const {
        if (!std::holds_alternative<AnyLuGre>(law) || out.verdict != Verdict::refuted) return;
        double floor = infinity;
        for (const Side& side : sides) floor = std::min(floor, lowest_level(side, 0, infinity));
        const double vc = 4 * std::sqrt(2 * std::numbers::e) * floor / sides.front().sigma1;
        if (!(vc > 0 && vc < infinity)) return;
        out.text +=
            " A cure that leaves the levels as they are: bristle damping that fades with the speed (kind = "
            "\"lugre_microdamped\") is passive at every speed with vc below " +
            in_units(vc, "m/s", 3) + " (A08 property 4).";
    }

    Finding passive_at_all_speeds() const {
        Finding out;
        out.verdict = Verdict::proved;
        out.speed = infinity;
        if (!closed) {
            out.theorem = exact;
            const WorkBudget part(for_speeds);
            const SpeedLimit plain = sides.front().gain > 1 ? SpeedLimit{} : plain_speed(sides);
            out.text = sides.front().gain > 1
                           ? "Passive at every speed, also while the load on the whole force varies: what "
                             "leaks at rest can be bent and let back only at a loss."
                       : plain.everywhere() ? "Passive at every speed, with the storage sigma0 z^2/2."
                                            : "Passive at every speed, with a storage that rises more steeply than "
                                              "sigma0 z^2/2 (which does " +
                                                  up_to(plain) + ").";
        } else if (closed->by == By::undamped) {
            out.theorem = "storage sigma0 z^2/2";
            out.text = "Passive for all parameters: without bristle damping F v = d/dt (sigma0 z^2/2) + terms >= 0.";
        } else if (closed->by == By::rising) {
            out.theorem = "exact one-state criterion, level that never falls";
            out.text =
                "Passive at every speed, whatever " + viscous_key(law, 1) + ": the level never falls with the speed.";
        } else if (closed->by == By::P3) {
            out.theorem = p3;
            out.text = "Passive at every speed: " + viscous_key(law, closed->direction) + " = " +
                       number(closed->sigma2) + " N s/m, and " + number(closed->bound) + " N s/m are needed" +
                       (load_varies ? " while the load varies." : ".");
        } else {
            out.theorem = "P4 (A08 property 4)";
            out.text =
                "Passive at every speed: |v| sigma1(v) < 4 g(v), because vc is below " + speed(closed->bound) + ".";
        }
        return out;
    }

    Finding never_passive() const {
        Finding out;
        out.verdict = Verdict::refuted;
        out.speed = 0;
        out.theorem = "load cycle";
        out.text =
            " The load acts on the whole force: bend the bristles at the low load, raise it at rest, let them back, "
            "at any speed.";
        const WorkBudget part(for_example);
        out.counterexample = load_cycle(without_shift(law), options.load_min, options.load_max, vmax);
        if (!out.counterexample) out.text += " No input that shows it was constructed.";
        return out;
    }

    Finding found() const {
        if (closed && closed->by == By::load) return never_passive();
        Finding out;
        Joint joint;
        const bool settled = closed && closed->verdict == Verdict::proved;
        if (!settled) {
            const WorkBudget part(for_verdict);
            joint = decide_all(sides, infinity);
        }
        if (settled || joint.verdict == Verdict::proved) {
            out = passive_at_all_speeds();
            margin(out);
        } else {
            const Speeds speeds = speeds_of(sides);
            if (vmax < infinity) {
                const WorkBudget part(for_verdict);
                joint = decide_all(sides, vmax);
            }
            out.verdict = by_formula() ? closed->verdict : joint.verdict;
            out.theorem = by_formula() ? p3 : exact;
            out.speed = speeds.plain.proved > 0 ? speeds.plain.proved : speeds.any.proved;
            if (out.verdict == Verdict::proved && *out.speed < vmax)
                out.speed = std::max(speeds.any.proved, vmax);  // proved just now
            const double needed = margin(out);
            out.text += sentence(speeds);
            if (out.verdict == Verdict::undecided)
                out.text += (speeds.any.proved > 0 ? " Beyond, " : " ") + std::to_string(joint.boxes) +
                            " boxes of force and speed did not settle it.";
            if (out.verdict == Verdict::refuted)
                counter(out, joint, std::min(vmax, 4 * std::min(speeds.any.refuted, 1e6)), needed);
        }
        nearest(out);
        cure(out);
        return out;
    }
};

}  // namespace

Verdict bristle_verdict(const AnyLaw& law, const CertifyOptions& options) {
    const auto closed = closed_form(law, options);
    if (closed && (closed->verdict == Verdict::proved || !options.vmax || closed->by == By::load))
        return closed->verdict;
    return decide_all(sides_of(law, options), limit_of(options), search_boxes).verdict;
}

Finding bristle_passivity(const AnyLaw& law, const CertifyOptions& options) { return Study{law, options}.found(); }

}  // namespace bristle::inline analysis
