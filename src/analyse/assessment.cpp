#include <bristle/analyse/assessment.hpp>

#include <bristle/simulate/error.hpp>
#include <report/text.hpp>

#include <cmath>

namespace bristle::analyse {

using namespace simulate;

namespace {

std::string seconds(double t) { return report::in_units(t, "s", 3); }

bool has_fixed_step(const Run& run) { return run.method == Method::coupled || run.method == Method::explicit_; }

bool has_bristles(const AnyLaw& law) {
    return std::visit([]<class Law>(const Law&) { return !StaticLaw<Law>; }, law);
}

// What limits explicit coupling, and how that compares with the step.
Stepping explicit_stepping(const AnyLaw& law, const StepLimits& limits, const std::optional<double>& dt) {
    Stepping out;
    const double limit = limits.explicit_limit;
    if (std::isinf(limit)) return {true, Verdict::proved, "Explicit coupling is stable and passive at every dt."};
    out.passive = Verdict::refuted;
    const char* gains = has_bristles(law) ? " Even below its limit it is not passive: bent bristles at rest give the "
                                            "mass energy and keep their own."
                                          : "";
    if (!(limit > 0)) {
        out.stable = false;
        out.text = has_bristles(law) ? "Explicit coupling drifts at every dt: sigma1 + sigma2 = 0."
                                     : "Explicit coupling jumps to and fro around v = 0 at every dt.";
    } else if (!dt) {
        out.text = "Explicit coupling is stable at rest below dt = " + seconds(limit) + ", whatever the mass." + gains;
    } else if (*dt < limit) {
        out.stable = true;
        out.text = "At dt = " + seconds(*dt) + " explicit coupling is stable at rest: the limit is " + seconds(limit) +
                   "." + gains;
    } else {
        out.stable = false;
        out.text = "At dt = " + seconds(*dt) + " explicit coupling drifts: the limit is " + seconds(limit) +
                   ", whatever the mass; the coupled step has none.";
    }
    return out;
}

Stepping coupled_stepping(const StepLimits& limits, const std::optional<double>& dt, Verdict law) {
    Stepping out{true, law, "The coupled step is stable at every dt, and as passive as the law."};
    if (const auto& unique = limits.unique_limit; unique && std::isfinite(*unique)) {
        const bool beyond = dt && *dt > *unique;
        out.text += beyond ? " At dt = " + seconds(*dt) + " its equation can have several roots (one only up to " +
                                 seconds(*unique) + "): it follows the one that small steps lead to."
                           : " Its equation has one root up to dt = " + seconds(*unique) + ".";
    }
    if (const auto& follows = limits.resolving_step) {
        const bool blind = dt && *dt > *follows;
        out.text += " The ring of a stuck mass is followed up to dt = " + seconds(*follows) +
                    (blind ? "; at " + seconds(*dt) + " it is damped away instead." : ".");
    }
    return out;
}

}  // namespace

Plant plant_of(const Setup& setup) {
    Plant plant;
    plant.load = setup.load.range().high;  // the stiffest bristles and the steepest fall
    if (setup.type == RigType::prescribed || setup.type == RigType::hybrid) return plant;
    const Rig& rig = setup.rig;
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
    out.options = {options.vmax, load.low, load.high};
    out.certificate = certify(setup.law, out.options);
    out.dt = options.dt;
    if (!out.dt && has_fixed_step(setup.run)) out.dt = setup.run.step;
    out.plant = plant_of(setup);
    out.limits = step_limits(setup.law, out.plant);
    const Verdict law = out.certificate.passive.verdict;
    out.exact = {true, law,
                 "The exact step of the contact alone, with the velocity held, is as passive as the law at every dt."};
    out.coupled = coupled_stepping(out.limits, out.dt, law);
    out.explicit_ = explicit_stepping(setup.law, out.limits, out.dt);
    out.design = design(setup.law, out.plant);
    return out;
}

std::optional<std::string> unwise_step(const Setup& setup) {
    const double dt = setup.run.step;
    const Plant plant = plant_of(setup);
    if (!has_fixed_step(setup.run) || !(plant.mass > 0)) return {};
    const StepLimits limits = step_limits(setup.law, plant);
    const std::string step = "run.step = " + seconds(dt) + " is unwise: ";
    if (setup.run.method == Method::explicit_) {
        if (dt < limits.explicit_limit) return {};
        return step + "explicit coupling drifts " +
               (limits.explicit_limit > 0 ? "from " + seconds(limits.explicit_limit) + " on" : "at every step") +
               "; run.method = \"coupled\" does not";
    }
    if (limits.unique_limit && dt > *limits.unique_limit)
        return step + "beyond " + seconds(*limits.unique_limit) +
               " the equation of the coupled step can have several roots";
    return {};
}

}  // namespace bristle::analyse
