// One sentence for each reason of a certificate.
#include "report/certificate/sentences.hpp"

#include "base/text.hpp"
#include "report/run/quantity.hpp"

#include <utility>

namespace bristle::report {

std::string Units::name(const std::string& unit) const { return experiment ? unit_of(*experiment, unit) : unit; }
std::string Units::operator()(double x, const std::string& unit, int digits) const {
    return in_units(x, name(unit), digits);
}
std::string Units::plain(double x, const std::string& unit, int digits) const {
    return readable(x, digits) + " " + name(unit);
}

namespace {

using Why = reason::NoCounterexample::Why;

struct ReasonSentence {
    const Units& units;

    std::string speed(double v, int digits = 4) const { return units(v, "m/s", digits); }
    // "up to 14.3 mm/s"
    std::string up_to(const SpeedLimit& limit) const {
        if (limit.everywhere()) return "at every speed";
        return (limit.sharp() ? "up to " : "at least up to ") + speed(limit.proved);
    }

    // ---- bounded ----

    std::string operator()(const reason::NoState&) const { return "A static law has no internal state."; }
    std::string operator()(const reason::UnknownForm&) const { return "No theorem covers the equations of this law."; }
    std::string operator()(const reason::LevelUnbounded& r) const {
        return "With the conductance as printed, the steady-state level is g(v)/tanh(c v). It has no bound as v -> 0: "
               "at v = " +
               speed(r.v) + " it is 100 times g.";
    }
    std::string operator()(const reason::DeflectionBounded& r) const {
        return "|z| never exceeds " + units(r.z, "m") + ", the largest level over sigma0, if it starts within.";
    }
    std::string operator()(const reason::ElementsBounded& r) const {
        return "No element carries more than its fraction of " + units(r.level, "N") + ", the largest level.";
    }

    // ---- dissipative ----

    std::string operator()(const reason::RelaxationDissipates&) const {
        return "z dz/dt <= z v at every instant: relaxation can only reduce the storage function z^2/2.";
    }
    std::string operator()(const reason::ShiftDrivesDeflection&) const {
        return "While v rises through 0, z grows at the rate a although z v = 0: z is driven by v + a, not by v.";
    }
    std::string operator()(const reason::ElementsDissipate&) const {
        return "F_i dF_i/dt <= k_i F_i v at every instant, for every element: the level is constant.";
    }
    std::string operator()(const reason::ElementClimbs&) const {
        return "An element that slips climbs to a higher level at v = 0+: F_i dF_i/dt > 0 = k_i F_i v.";
    }
    std::string operator()(const reason::ElementClimbUndecided&) const {
        return "The level is lowest at rest: it is undecided whether an element climbs faster than the motion deflects "
               "it.";
    }

    // ---- passive: static laws ----

    std::string operator()(const reason::ForceOpposesMotion&) const {
        return "Passive: a static law whose force never has the sign opposite to v. It stores no energy.";
    }
    std::string operator()(const reason::PowerNonnegative&) const {
        return "Passive: a static law that never drives the motion, F v >= 0 at every speed, although g2 < g3.";
    }
    std::string operator()(const reason::ForceDrivesMotion& r) const {
        return "Friction drives the motion: F v < 0 at " + speed(r.v, 3) + ", because g2 < g3.";
    }
    std::string operator()(const reason::PowerUndecided& r) const {
        return "The sign of F v could not be decided with " + std::to_string(r.intervals) + " intervals of speed.";
    }

    // ---- passive: laws with one state ----

    std::string operator()(const reason::Undamped&) const {
        return "Passive for all parameters: without bristle damping F v = d/dt (sigma0 z^2/2) + terms >= 0.";
    }
    std::string operator()(const reason::PlainStorage&) const {
        return "Passive at every speed, with the storage function sigma0 z^2/2.";
    }
    std::string operator()(const reason::SteeperStorage& r) const {
        return "Passive at every speed, with a storage function that rises more steeply than sigma0 z^2/2 (which "
               "suffices " +
               up_to(r.plain) + ").";
    }
    std::string operator()(const reason::LevelNeverFalls& r) const {
        return "Passive at every speed, for every " + r.key + ": the level never falls with the speed.";
    }
    std::string operator()(const reason::ViscousSufficient& r) const {
        return "Passive at every speed: " + r.key + " = " + units.plain(r.value, "N s/m") + ", and " +
               units.plain(r.needed, "N s/m") + " are needed" + (r.load_varies ? " while the load varies." : ".");
    }
    std::string operator()(const reason::FadesSufficiently& r) const {
        return "Passive at every speed: |v| sigma1(v) < 4 g(v), because vc is below " + speed(r.vc_bound) + ".";
    }
    std::string operator()(const reason::LeakageDissipates&) const {
        return "Passive at every speed, also while the load on the whole force varies: a bristle that relaxes at rest "
               "can be "
               "deflected and released only at a loss.";
    }
    std::string operator()(const reason::ViscousNeeded& r) const {
        const int digits = distinguishing_digits({r.needed, r.value}, 4);
        const std::string where = r.direction < 0   ? "For v < 0"
                                  : r.direction > 0 ? "For v > 0"
                                  : r.vmax          ? "Up to " + speed(*r.vmax)
                                                    : "For all speeds";
        return where + " passivity requires " + r.key + " >= " + units.plain(r.needed, "N s/m", digits) +
               "; here it is " + readable(r.value, digits) + ".";
    }
    std::string operator()(const reason::PassiveSpeeds& r) const {
        const std::string end = r.exhausted ? "; the search for a higher speed reached its work budget." : ".";
        if (!(r.any.proved > 0) && r.any.refuted < std::numeric_limits<double>::infinity())
            return "No speed limit was found that makes it passive, down to " + speed(r.any.refuted) + end;
        if (!(r.any.proved > 0)) return "No speed was found up to which it is passive" + end;
        if (!(r.plain.proved > 0)) return "It is passive " + up_to(r.any) + ", with another storage function" + end;
        std::string text = "It is passive " + up_to(r.plain) + " with the storage function sigma0 z^2/2";
        if (r.any.proved > r.plain.proved) text += ", " + up_to(r.any) + " with one that rises more steeply";
        return text + end;
    }
    std::string operator()(const reason::BoxesUndecided& r) const {
        return (r.beyond ? "Beyond that speed, " : "") + std::to_string(r.boxes) +
               " boxes of force and speed did not decide it.";
    }
    std::string operator()(const reason::LoadOnForce&) const {
        return "The load acts on the whole force: deflect the bristles at the low load, raise it at rest, release "
               "them, at any "
               "speed.";
    }
    std::string operator()(const reason::FadingRemedy& r) const {
        return "Remedy with the same curve: bristle damping that fades with the speed (kind = \"lugre_microdamped\") "
               "with vc < " +
               speed(r.vc, 3) + " is passive at every speed (A08 property 4).";
    }

    // ---- passive: Maxwell-slip and hysteretic laws ----

    std::string operator()(const reason::ConstantLevel&) const {
        return "Passive at every speed: the level is constant, sticking elements store energy, slipping ones dissipate "
               "it. Any "
               "level that is higher at rest breaks it.";
    }
    std::string operator()(const reason::LevelHigherAtRest&) const {
        return "Slipping elements climb from a lower level to the one at rest without motion, and drive the contact "
               "back: at any "
               "speed.";
    }
    std::string operator()(const reason::ElementsClimbFaster&) const {
        return "Slipping elements climb towards a higher level faster than the motion deflects them.";
    }
    std::string operator()(const reason::LoadOnSprings&) const {
        return "Deflect the springs at the low load, raise it at rest, release them.";
    }
    std::string operator()(const reason::LoadOnLevel&) const {
        return "Elements that slip climb to the higher level when the load rises, without motion, and drive the "
               "contact back.";
    }
    std::string operator()(const reason::LevelLowestAtRest& r) const {
        return std::string("The level is lowest at rest. ") +
               (r.exhausted ? "The search for a cycle that extracts energy reached its work budget"
                            : "No cycle was found that extracts energy") +
               ", and no proof is known for such a level.";
    }
    std::string operator()(const reason::ShiftExtracts&) const {
        return "While v rises inside (-a, 0) the shifted velocity v + a deflects z forward, and F v < 0: at any speed.";
    }
    std::string operator()(const reason::NoSawtoothFound& r) const {
        return std::string(r.exhausted ? "The search for a sawtooth that extracts energy reached its work budget"
                                       : "No sawtooth was found that extracts energy") +
               ", and no proof is known for a shifted steady state.";
    }

    // ---- passive: searches ----

    std::string operator()(const reason::SearchFound& r) const {
        return "Of " + std::to_string(r.tried) + " inputs that were tried one extracts energy.";
    }
    std::string operator()(const reason::SearchFoundNone& r) const {
        return "None of " + std::to_string(r.tried) + " inputs that were tried extracts energy.";
    }
    std::string operator()(const reason::NoCounterexample& r) const {
        switch (r.why) {
            case Why::work_budget:
                return "No counterexample is given: the search reached its work budget.";
            case Why::near_limit:
                return "No counterexample is given: so close to the limit no short input extracts energy.";
            case Why::unequal_legs:
                return "No counterexample was constructed: the durations of its legs would differ too much.";
            case Why::not_constructed:
                break;
        }
        return "No counterexample was constructed.";
    }
    std::string operator()(const reason::NoNearestChange& r) const {
        return r.exhausted ? "The search for the nearest change of a parameter reached its work budget."
                           : "No change of a single parameter was found that makes it passive.";
    }
};

}  // namespace

std::string sentence_of(const Reason& reason, const Units& units) { return std::visit(ReasonSentence{units}, reason); }

std::string text_of(const Finding& finding, const Units& units) {
    std::string text;
    for (const Reason& reason : finding.reasons) append_item(text, sentence_of(reason, units), " ");
    return text;
}

std::string passivity_text(const Finding& passive, const CertifyOptions& options, const Units& units) {
    std::string scope;
    if (options.vmax) scope += " for |v| <= " + units(*options.vmax, "m/s");
    if (options.load_max > options.load_min)
        scope +=
            " while the load varies between " + units(options.load_min, "N") + " and " + units(options.load_max, "N");
    const std::string text = text_of(passive, units);
    if (passive.verdict == Verdict::proved && scope.empty()) return text;
    const char* verdict = passive.verdict == Verdict::undecided ? "Undecided"
                          : passive.verdict == Verdict::refuted ? "Not passive"
                                                                : "Passive";
    return verdict + scope + "." + (text.empty() ? "" : " " + text);
}

std::string name_with_reference(Theorem theorem) {
    const auto [name, reference] = info_of(theorem);
    return std::string(name) + (reference.empty() ? "" : " (" + std::string(reference) + ")");
}

}  // namespace bristle::report
