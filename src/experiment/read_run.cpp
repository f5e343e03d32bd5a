// [run]: how a run is computed.
#include "experiment/keys.hpp"
#include "experiment/parts.hpp"

#include <bristle/describe.hpp>

#include <cmath>

namespace bristle::experiment {

namespace {

// True if the law switches its equations during a run, which an integrator without events cannot do.
bool switches(const AnyLaw& law) {
    return std::visit(
        []<class Law>(const Law&) {
            return SticksExactly<Law> || RemembersVelocity<Law> || requires(const Law& l) { l.capacity; };
        },
        law);
}

// True if the rate depends on the sign of dv/dt and no damping sigma1 makes dv/dt continuous.
bool has_free_branch(const AnyLaw& law) {
    return std::visit(
        []<class Law>(const Law& l) {
            if constexpr (RemembersVelocity<Law>)
                return l.sigma1 == 0;
            else
                return false;
        },
        law);
}

}  // namespace

Run read_run(Section& section) {
    Run run;
    if (!section.there()) {
        section.missing("a section [run] with at least duration");
        return run;
    }
    run.duration = section.number(keys::duration).value_or(0);
    run.method = Method(section.choice("method", names_of(methods()), 0).value_or(0));
    run.rtol = section.number(keys::rtol).value_or(*keys::rtol.otherwise);
    run.atol = section.number(Key{keys::atol.parameter, run.rtol}).value_or(run.rtol);
    const bool fixed = info_of(run.method).fixed_step;
    run.step = section.number(fixed ? keys::step : Key{keys::step.parameter, 0.0}).value_or(0);
    if (run.step > run.duration && run.duration > 0) section.diagnose("step", run_table::step_rule, "s");
    if (run.step > 0 && run.duration / run.step > 1e9)
        section.diagnose("step", "makes " + quantity(run.duration / run.step, "") + " steps; at most 1e9", "s");
    const double samples = section.number(keys::samples).value_or(*keys::samples.otherwise);
    if (samples != std::floor(samples)) section.diagnose("samples", keys::samples.parameter.bound.rule);
    run.samples = static_cast<int>(samples);
    run.stick_speed = section.number(Key{keys::stick_speed.parameter, 0.0}).value_or(0);
    section.close();
    return run;
}

void check_method(Section& section, const Run& run, const LawPart& law, const RigPart& rig) {
    if (rig.hybrid && section.has("method") && run.method != Method::hybrid)
        section.diagnose("method", "the hybrid rig is solved in closed form; remove method");
    if (run.method == Method::adaptive && law.usable && rig.rig && !rig.rig->is_prescribed() &&
        has_free_branch(*law.law))
        section.diagnose("method", "adaptive needs law.sigma1 > 0 for " + std::string(kind_of(*law.law)) +
                                       ", whose rate depends on the sign of dv/dt; use coupled and run.step for "
                                       "sigma1 = 0");
    if (run.method != Method::cvode) return;
    if (!has_cvode())
        section.diagnose(
            "method",
            "this build has no CVODE; install libsundials-dev and build with -DBRISTLE_CVODE=ON, or use adaptive");
    if (law.law && switches(*law.law))
        section.diagnose("method", "CVODE cannot integrate a law that switches its equations, as " +
                                       std::string(kind_of(*law.law)) + " does; use adaptive or coupled");
}

}  // namespace bristle::experiment
