#include "passivity_bristle.hpp"

#include <analyse/energy/counterexample.hpp>
#include "passivity_closed.hpp"
#include "passivity_laws.hpp"
#include "passivity_nearest.hpp"
#include "passivity_speed.hpp"

#include <report/text.hpp>

namespace bristle::analyse {

using simulate::AnyLaw;
using By = ClosedForm::By;

namespace {

constexpr const char* p3 = "P3 (A08 6-7, K08 21)";
constexpr const char* exact = "exact one-state criterion, interval arithmetic";

std::string number(double x, int digits = 4) { return report::readable(x, digits); }
std::string speed(double v) { return v == infinity ? "every speed" : report::in_units(v, "m/s"); }

double stiffness(const AnyLaw& law) {
    return std::visit(
        [](const auto& l) -> double {
            if constexpr (requires { l.sigma0; }) return l.sigma0;
            return 1;
        },
        law);
}

// A hysteretic law whose shift is zero is LuGre.
AnyLaw without_shift(const AnyLaw& law) {
    const auto* h = std::get_if<simulate::AnyHysteretic>(&law);
    if (!h) return law;
    simulate::AnyLuGre same;
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
    double plain = infinity;
    ExactSpeed any{infinity, infinity};
};
Speeds speeds_of(const std::vector<Side>& sides) {
    Speeds found;
    found.plain = sides.front().gain > 1 ? 0 : plain_speed(sides);
    found.any = exact_speed(sides, found.plain);
    return found;
}
std::string sentence(const Speeds& speeds) {
    if (!(speeds.any.proved > 0)) return "Not passive at any speed.";
    if (!(speeds.plain > 0)) return "Passive up to " + speed(speeds.any.proved) + ", with a storage of its own.";
    std::string text = "Passive up to " + speed(speeds.plain) + " with the storage sigma0 z^2/2";
    if (speeds.any.proved > speeds.plain) text += ", up to " + speed(speeds.any.proved) + " with a steeper one";
    return text + ".";
}

struct Study {
    const AnyLaw& law;
    const CertifyOptions& options;
    std::vector<Side> sides = sides_of(law, options);
    double vmax = options.vmax.value_or(infinity);
    std::optional<ClosedForm> closed = closed_form(law, options);
    bool load_varies = load_range(law, options).varies();

    double sigma2() const {
        double least = infinity;
        for (const Side& side : sides) least = std::min(least, side.sigma2);
        return least;
    }

    // What draws energy: a cycle of the load where it varies, a shuttle around the point where the order is wrong otherwise.
    void counter(Finding& out, const Joint& joint, double reach) const {
        if (load_varies) out.counterexample = load_cycle(law, options.load_min, options.load_max, vmax);
        if (out.counterexample) return;
        CertifyOptions held = options;
        held.load_max = held.load_min;
        const std::vector<Side> steady = sides_of(law, held);
        const Joint again = load_varies ? decide_all(steady, vmax) : joint;
        if (!again.where) return;
        const WrongOrder at = strengthen(*again.side, *again.where, reach);
        out.counterexample = shuttle(without_shift(law), witness_of(*again.side, at, stiffness(law), held.load_min));
    }

    void nearest(Finding& out) const {
        if (out.verdict == Verdict::undecided || (closed && closed->by == By::undamped)) return;
        const bool formula = closed && closed->by == By::P3 && vmax == infinity;
        out.nearest = nearest_change(law, out.verdict, formula ? 1e-12 : 1e-3,
                                     [&](const AnyLaw& l) { return bristle_verdict(l, options); });
    }

    void margin(Finding& out) const {
        const bool whole = vmax == infinity || (closed && closed->verdict == Verdict::proved);
        if (closed && whole && (closed->by == By::P3 || closed->by == By::P4)) {
            out.margin = closed->margin;
            out.margin_unit = closed->by == By::P3 ? "N s/m" : "m/s";
            return;
        }
        if ((closed && whole) || out.verdict == Verdict::undecided) return;
        const auto needed = viscous_needed(sides, vmax);
        if (!needed || !(*needed > 0)) return;
        out.margin = sigma2() - *needed;
        out.margin_unit = "N s/m";
        out.text += (vmax < infinity ? " Up to " + speed(vmax) + " it takes sigma2 >= " : " It takes sigma2 >= ") +
                    number(*needed) + " N s/m; here it is " + number(sigma2()) + ".";
    }

    Finding passive_at_all_speeds() const {
        Finding out;
        out.verdict = Verdict::proved;
        out.speed = infinity;
        if (!closed) {
            out.theorem = exact;
            out.text = sides.front().gain > 1
                           ? "Passive at every speed, also while the load on the whole force varies: what "
                             "leaks at rest can be bent and let back only at a loss."
                       : plain_speed(sides) == infinity
                           ? "Passive at every speed, with the storage sigma0 z^2/2."
                           : "Passive at every speed, with a storage steeper than sigma0 z^2/2 (which fails above " +
                                 speed(plain_speed(sides)) + ").";
        } else if (closed->by == By::undamped) {
            out.theorem = "storage sigma0 z^2/2";
            out.text = "Passive for all parameters: without bristle damping F v = d/dt (sigma0 z^2/2) + terms >= 0.";
        } else if (closed->by == By::rising) {
            out.theorem = "exact one-state criterion, level that never falls";
            out.text = "Passive at every speed, whatever sigma2: the level never falls with the speed.";
        } else if (closed->by == By::P3) {
            out.theorem = p3;
            out.text = "Passive at every speed: sigma2 = " + number(closed->bound + closed->margin) + " N s/m, and " +
                       number(closed->bound) + " N s/m are needed" + (load_varies ? " while the load varies." : ".");
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
            "Not passive at any speed while the load on the whole force varies: bend the bristles at the "
            "low load, raise it at rest, let them back.";
        out.counterexample = load_cycle(law, options.load_min, options.load_max, vmax);
        return out;
    }

    Finding found() const {
        if (closed && closed->by == By::load) return never_passive();
        Finding out;
        Joint joint;
        const bool settled = closed && closed->verdict == Verdict::proved;
        if (!settled) joint = decide_all(sides, infinity);
        if (settled || joint.verdict == Verdict::proved) {
            out = passive_at_all_speeds();
        } else {
            const Speeds speeds = speeds_of(sides);
            if (vmax < infinity) joint = decide_all(sides, vmax);
            out.verdict = closed && vmax == infinity ? closed->verdict : joint.verdict;
            out.theorem = closed && vmax == infinity ? p3 : exact;
            out.text = sentence(speeds);
            out.speed = speeds.plain > 0 ? speeds.plain : speeds.any.proved;
            if (out.verdict == Verdict::proved && *out.speed < vmax) out.speed = speeds.any.proved;
            if (closed && closed->by == By::P3 && vmax == infinity)
                out.text += " For all speeds it takes sigma2 >= " + number(closed->bound) + " N s/m; here it is " +
                            number(closed->bound + closed->margin) + ".";
            if (out.verdict == Verdict::undecided)
                out.text += " Beyond, " + std::to_string(joint.boxes) + " boxes did not settle it.";
            if (out.verdict == Verdict::refuted)
                counter(out, joint, vmax < infinity ? vmax : 4 * std::min(speeds.any.refuted, 1e6));
            if (out.verdict == Verdict::refuted && !out.counterexample)
                out.text += " So close to the limit no short input shows it.";
        }
        margin(out);
        nearest(out);
        return out;
    }
};

}  // namespace

Verdict bristle_verdict(const AnyLaw& law, const CertifyOptions& options) {
    const auto closed = closed_form(law, options);
    if (closed && (closed->verdict == Verdict::proved || !options.vmax || closed->by == By::load))
        return closed->verdict;
    return decide_all(sides_of(law, options), options.vmax.value_or(infinity), search_boxes).verdict;
}

Finding bristle_passivity(const AnyLaw& law, const CertifyOptions& options) { return Study{law, options}.found(); }

}  // namespace bristle::analyse
