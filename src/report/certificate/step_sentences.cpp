// Sentences on fixed steps: the three schemes of an assessment, and the warning of a run.
#include "report/certificate/sentences.hpp"

#include "base/text.hpp"

#include <cmath>
#include <utility>

namespace bristle::report {

namespace {

std::string seconds(double t) { return in_units(t, "s", 3); }

// Two times with as many digits as distinguish them.
std::pair<std::string, std::string> distinguished(double a, double b) {
    const int digits = distinguishing_digits({a, b}, 3);
    return {in_units(a, "s", digits), in_units(b, "s", digits)};
}

}  // namespace

std::string explicit_step_text(const Assessment& a) {
    const double limit = a.limits.explicit_limit;
    const bool bristles = a.explicit_.because == StepPassivity::adds_energy;
    if (!(limit > 0))
        return bristles ? "Explicit coupling is unstable at every dt: nothing damps the bristles at rest."
                        : "Explicit coupling is unstable at every dt: v changes its sign in every step.";
    std::string text =
        "Explicit coupling takes the force from the start of the step, with the damping at rest implicit (method = "
        "\"explicit\"). ";
    if (std::isinf(limit)) {
        text += "It is stable at rest at every dt.";
    } else if (!a.dt) {
        text += "It is stable at rest below dt = " + seconds(limit) + ", for every mass.";
    } else {
        const bool stable = a.explicit_.stable.value_or(false);
        const auto [step, limit_text] = distinguished(*a.dt, limit);
        text += "At dt = " + step + (stable ? " it is stable at rest" : " it is unstable at rest") + ": the limit is " +
                limit_text + ", for every mass" + (stable ? "." : "; the coupled step has none.");
    }
    if (a.limits.plain_limit && *a.limits.plain_limit > 0)
        text += " With the damping from the start of the step too, the limit is " + seconds(*a.limits.plain_limit) +
                " for this mass.";
    if (a.explicit_mass_factor && *a.explicit_mass_factor > max_mass_factor)
        text += " At this step the effective mass is " + readable(*a.explicit_mass_factor, 3) +
                " times the mass, at all speeds: the damping at rest adds to its inertia.";
    return text + (bristles ? " Even below its limit it is not passive: deflected bristles at rest accelerate the mass "
                              "without losing stored energy."
                            : " It is not passive: it records more heat than the mass loses.");
}

std::string coupled_step_text(const Assessment& a) {
    std::string text =
        "The coupled step is stable at rest at every dt. Its energy balance is exact: it is as passive as the law.";
    if (const auto& unique = a.limits.unique_limit; unique && std::isfinite(*unique))
        text += a.dt && *a.dt > *unique
                    ? " At dt = " + seconds(*a.dt) + " more than one velocity can solve its equation (only one up to " +
                          seconds(*unique) + "): it uses the solution continued from small steps."
                    : " Only one velocity solves its equation up to dt = " + seconds(*unique) + ".";
    if (const auto& resolving = a.limits.resolving_step)
        text += " A mass in stick oscillates on its bristles; steps up to " + seconds(*resolving) + " resolve that" +
                (a.dt && *a.dt > *resolving ? ", a step of " + seconds(*a.dt) + " damps it instead." : ".");
    return text;
}

std::string exact_step_text(const Assessment& a) {
    if (a.exact.because == StepPassivity::as_the_law)
        return "The exact step of the contact alone, with the velocity held, is as passive as the law at every dt.";
    return "The step of the contact alone, with the velocity held, is not exact for this law: it is as passive as the "
           "law "
           "within its error.";
}

std::string sentence_of(const BreakawayPeak& breakaway, const Units& units) {
    const bool fades = units.experiment && has_fading_damping(units.experiment->setup.law);
    return "the largest friction force before breakaway is " + units(breakaway.force, "N", 3) + ", " +
           readable(breakaway.ratio(), 3) + " times the " + units(breakaway.without_sigma1, "N", 4) +
           " without sigma1; reduce sigma1" +
           (fades ? " or vc"
                  : ", or let it fade with the speed (kind = \"" + std::string(kind_of<MicrodampedLuGre>()) + "\")");
}

std::string sentence_of(const StepWarning& warning) {
    const std::string step = "run.step = " + seconds(warning.step) + ": ";
    const std::string coupled = "; reduce run.step or use run.method = \"coupled\"";
    switch (warning.kind) {
        case StepWarning::Kind::unstable:
            if (!(warning.limit > 0))
                return step + "explicit coupling is unstable at rest at every step; use run.method = \"coupled\"";
            return step + "explicit coupling is unstable at rest for steps >= " + seconds(warning.limit) + coupled;
        case StepWarning::Kind::mass_increased:
            return step + "explicit coupling has an effective mass of " + readable(warning.mass_factor, 3) +
                   " times the mass" + coupled;
        case StepWarning::Kind::ambiguous:
            break;
    }
    return step + "above " + seconds(warning.limit) +
           " more than one velocity can solve the equation of the coupled step; reduce run.step";
}

}  // namespace bristle::report
