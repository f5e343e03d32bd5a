#include <bristle/analyse/assessment.hpp>

#include <bristle/base/error.hpp>
#include "base/text.hpp"

#include <cmath>
#include <utility>

namespace bristle::inline analysis {

namespace {

std::string seconds(double t) { return in_units(t, "s", 3); }

bool has_fixed_step(const Run& run) { return run.method == Method::coupled || run.method == Method::explicit_; }

bool has_bristles(const AnyLaw& law) {
    return std::visit([]<class Law>(const Law&) { return !StaticLaw<Law>; }, law);
}
bool stepped_exactly(const AnyLaw& law) {
    return std::visit([]<class Law>(const Law&) { return Law::guarantees.exact; }, law);
}

// Two times with as many digits as tell them apart.
std::pair<std::string, std::string> apart(double a, double b) {
    int digits = 3;
    while (digits < 17 && a != b && in_units(a, "s", digits) == in_units(b, "s", digits)) ++digits;
    return {in_units(a, "s", digits), in_units(b, "s", digits)};
}

// How much heavier explicit coupling makes a mass: its damping counts as inertia.
double heavier(const StepLimits& limits, const Plant& plant, double dt) { return 1 + dt * limits.damping / plant.mass; }
// From where on that is told of.
constexpr double much_heavier = 1.1;

// What limits explicit coupling, and how that compares with the step.
Stepping explicit_stepping(const AnyLaw& law, const StepLimits& limits, const Plant& plant,
                           const std::optional<double>& dt) {
    Stepping out;
    out.passive = Verdict::refuted;
    const double limit = limits.explicit_limit;
    const bool bristles = has_bristles(law);
    if (!(limit > 0)) {
        out.stable = false;
        out.text = bristles ? "Explicit coupling drifts at every dt: nothing damps the bristles at rest."
                            : "Explicit coupling jumps to and fro around v = 0 at every dt.";
        return out;
    }
    out.text =
        "Explicit coupling takes the force from the start of the step, with the damping at rest implicit (method = "
        "\"explicit\"). ";
    if (std::isinf(limit)) {
        out.stable = true;
        out.text += "It is stable at rest at every dt.";
    } else if (!dt) {
        out.text += "It is stable at rest below dt = " + seconds(limit) + ", whatever the mass.";
    } else {
        out.stable = *dt < limit;
        const auto [step, most] = apart(*dt, limit);
        out.text += "At dt = " + step + (*out.stable ? " it is stable at rest" : " it drifts") + ": the limit is " +
                    most + ", whatever the mass" + (*out.stable ? "." : "; the coupled step has none.");
    }
    if (limits.plain_limit && *limits.plain_limit > 0)
        out.text += " With the damping from the start of the step too, the limit is " + seconds(*limits.plain_limit) +
                    " for this mass.";
    if (dt && plant.mass > 0 && heavier(limits, plant, *dt) > much_heavier)
        out.text += " At this step it moves the mass as if it were " + readable(heavier(limits, plant, *dt), 3) +
                    " times as heavy, at all speeds: the damping at rest is counted everywhere.";
    out.text += bristles ? " Even below its limit it is not passive: bent bristles at rest give the mass energy and "
                           "keep their own."
                         : " It is not passive: it books more heat than the mass loses.";
    return out;
}

Stepping exact_stepping(const AnyLaw& law, Verdict verdict) {
    if (stepped_exactly(law))
        return {true, verdict,
                "The exact step of the contact alone, with the velocity held, is as passive as the law at every dt."};
    return {true, verdict == Verdict::proved ? Verdict::undecided : verdict,
            "The step of the contact alone, with the velocity held, is not exact for this law: it is as passive as the "
            "law to within its error."};
}

Stepping coupled_stepping(const StepLimits& limits, const std::optional<double>& dt, Verdict law) {
    Stepping out{
        true, law,
        "The coupled step is stable at rest at every dt. Its energy balance is closed: it is as passive as the "
        "law."};
    if (const auto& unique = limits.unique_limit; unique && std::isfinite(*unique)) {
        const bool beyond = dt && *dt > *unique;
        out.text += beyond ? " At dt = " + seconds(*dt) +
                                 " more than one velocity can solve its equation (only one up to " + seconds(*unique) +
                                 "): it follows the one that small steps lead to."
                           : " Only one velocity solves its equation up to dt = " + seconds(*unique) + ".";
    }
    if (const auto& follows = limits.resolving_step) {
        const bool blind = dt && *dt > *follows;
        out.text += " A stuck mass rings on its bristles; steps up to " + seconds(*follows) + " follow that" +
                    (blind ? ", one of " + seconds(*dt) + " damps it away instead." : ".");
    }
    return out;
}

}  // namespace

Plant plant_of(const Setup& setup) {
    Plant plant;
    const Input::Range load = setup.load.range();
    plant.load = load.high;  // the stiffest bristles and the steepest fall
    plant.load_varies = load.low < load.high;
    if (setup.rig.is_prescribed() || setup.run.method == Method::hybrid) return plant;
    const RigEquations rig = setup.rig.equations();
    const double square = rig.ratio * rig.ratio;
    plant.mass = rig.inertia / square;
    // what pulls back as the contact moves; a pendulum's weight is left out: it pulls either way
    plant.spring = std::max(0.0, -rig.sense * rig.kq / square);
    return plant;
}

Assessment assess(const Setup& setup, const AssessOptions& options) {
    if (options.dt && !(*options.dt > 0 && std::isfinite(*options.dt))) throw Error("dt must be a finite time > 0 [s]");
    Assessment out;
    const Input::Range load = setup.load.range();
    out.options = {options.vmax, load.low, load.high, options.should_continue};
    out.certificate = certify(setup.law, out.options);
    out.dt = options.dt;
    if (!out.dt && has_fixed_step(setup.run)) out.dt = setup.run.step;
    out.plant = plant_of(setup);
    out.limits = step_limits(setup.law, out.plant);
    const Verdict law = out.certificate.passive.verdict;
    out.exact = exact_stepping(setup.law, law);
    out.coupled = coupled_stepping(out.limits, out.dt, law);
    out.explicit_ = explicit_stepping(setup.law, out.limits, out.plant, out.dt);
    out.design = design(setup.law, out.plant);
    return out;
}

std::optional<std::string> step_warning(const Setup& setup) {
    const double dt = setup.run.step;
    const Plant plant = plant_of(setup);
    if (!has_fixed_step(setup.run) || !(plant.mass > 0)) return {};
    const StepLimits limits = step_limits(setup.law, plant);
    const std::string step = "run.step = " + seconds(dt) + " is unwise: ";
    if (setup.run.method == Method::explicit_) {
        const double weight = heavier(limits, plant, dt);
        if (!(dt < limits.explicit_limit))
            return step + "explicit coupling drifts " +
                   (limits.explicit_limit > 0 ? "from " + seconds(limits.explicit_limit) + " on" : "at every step") +
                   "; run.method = \"coupled\" does not";
        if (!has_bristles(setup.law) && weight > much_heavier)
            return step + "explicit coupling moves the mass as if it were " + readable(weight, 3) +
                   " times as heavy; run.method = \"coupled\" does not";
        return {};
    }
    if (limits.unique_limit && dt > *limits.unique_limit)
        return step + "beyond " + seconds(*limits.unique_limit) +
               " more than one velocity can solve the equation of the coupled step";
    return {};
}

}  // namespace bristle::inline analysis
