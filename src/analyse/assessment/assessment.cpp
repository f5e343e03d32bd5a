// Assessment of a set-up: certificate, step limits and verdicts on the three fixed-step schemes.
#include <bristle/analyse/assessment.hpp>

#include <bristle/base/error.hpp>

#include <algorithm>
#include <cmath>

namespace bristle::inline analysis {

namespace {

bool has_bristles(const AnyLaw& law) {
    return std::visit([]<class Law>(const Law&) { return !StaticLaw<Law>; }, law);
}
bool has_exact_step(const AnyLaw& law) {
    return std::visit([]<class Law>(const Law&) { return Law::guarantees.exact; }, law);
}

// Explicit coupling takes the damping at rest implicitly: it adds to the inertia.
double mass_factor(const StepLimits& limits, const Plant& plant, double dt) {
    return 1 + dt * limits.damping / plant.mass;
}

Stepping exact_stepping(const AnyLaw& law, Verdict verdict) {
    if (has_exact_step(law)) return {true, verdict, StepPassivity::as_the_law};
    return {true, verdict == Verdict::proved ? Verdict::undecided : verdict, StepPassivity::within_error};
}

Stepping explicit_stepping(const AnyLaw& law, const StepLimits& limits, const std::optional<double>& dt) {
    Stepping out;
    out.passive = Verdict::refuted;
    out.because = has_bristles(law) ? StepPassivity::adds_energy : StepPassivity::overstates_heat;
    if (!(limits.explicit_limit > 0))
        out.stable = false;
    else if (std::isinf(limits.explicit_limit))
        out.stable = true;
    else if (dt)
        out.stable = *dt < limits.explicit_limit;
    return out;
}

}  // namespace

Plant plant_of(const Setup& setup) {
    Plant plant;
    const Input::Range load = setup.load.range();
    plant.load = load.high;  // the stiffest bristles and the steepest curve
    plant.load_varies = load.low < load.high;
    if (setup.rig.is_prescribed() || setup.run.method == Method::hybrid) return plant;
    const RigEquations rig = setup.rig.equations();
    plant.mass = rig.contact_mass();
    // the restoring stiffness; without the weight of a pendulum, which has either sign
    plant.spring = std::max(0.0, -rig.sense * rig.kq / (rig.ratio * rig.ratio));
    // a load inside the curve: the ratio of the levels is monotone in the load, so one end of the range has the smaller unique limit
    if (plant.load_varies && accepts_load(setup.law, 0)) {
        Plant low = plant;
        low.load = load.low;
        if (step_limits(setup.law, low).unique_limit < step_limits(setup.law, plant).unique_limit) return low;
    }
    return plant;
}

Assessment assess(const Setup& setup, const AssessOptions& options) {
    if (options.dt && !(*options.dt > 0 && std::isfinite(*options.dt))) throw Error("dt must be a finite time > 0 [s]");
    Assessment out;
    const Input::Range load = setup.load.range();
    out.options = {options.vmax, load.low, load.high, {}};
    out.certificate = certify(setup.law, {options.vmax, load.low, load.high, options.should_continue});
    out.dt = options.dt;
    if (!out.dt && info_of(setup.run.method).fixed_step) out.dt = setup.run.step;
    out.plant = plant_of(setup);
    out.limits = step_limits(setup.law, out.plant);
    const Verdict law = out.certificate.passive.verdict;
    out.exact = exact_stepping(setup.law, law);
    out.coupled = {true, law, StepPassivity::as_the_law};
    out.explicit_ = explicit_stepping(setup.law, out.limits, out.dt);
    if (out.dt && out.plant.mass > 0) out.explicit_mass_factor = mass_factor(out.limits, out.plant, *out.dt);
    out.design = design(setup.law, out.plant);
    if (out.design) out.fast_start = breakaway_at_fast_start(setup.law, out.plant);
    return out;
}

std::optional<StepWarning> step_warning(const Setup& setup) {
    using Kind = StepWarning::Kind;
    const double dt = setup.run.step;
    const Plant plant = plant_of(setup);
    if (!info_of(setup.run.method).fixed_step || !(plant.mass > 0)) return {};
    const StepLimits limits = step_limits(setup.law, plant);
    if (setup.run.method == Method::explicit_) {
        if (!(dt < limits.explicit_limit)) return StepWarning{Kind::unstable, dt, limits.explicit_limit};
        const double factor = mass_factor(limits, plant, dt);
        if (!has_bristles(setup.law) && factor > max_mass_factor)
            return StepWarning{Kind::mass_increased, dt, 0, factor};
    } else if (limits.unique_limit && dt > *limits.unique_limit) {
        return StepWarning{Kind::ambiguous, dt, *limits.unique_limit};
    }
    return {};
}

}  // namespace bristle::analysis
