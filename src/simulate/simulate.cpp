// simulate(): selection of the method and of the law, and the messages of runs that ended early.
#include <bristle/describe.hpp>
#include <bristle/simulate/check.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "simulate/cvode_problem.hpp"
#include "simulate/divergence.hpp"
#include "simulate/hybrid_run.hpp"
#include "simulate/simulate_law.hpp"

namespace bristle::inline simulation {

std::string failure(Status status, double t) {
    const std::string at = "at t = " + quantity(t, "s");
    switch (status) {
        case Status::done:
            return "";
        case Status::cancelled:
            return std::string("cancelled ") + at;
        case Status::too_many_steps:
            return "step limit " + quantity(max_run_steps, "", 3) + " exceeded " + at +
                   ": shorten run.duration or raise run.rtol";
        case Status::step_too_small:
            return std::string("the step became too small ") + at +
                   ": raise run.rtol, or take a fixed step with run.method = \"coupled\" and run.step";
        case Status::unbalanced:
            return "the energy balance has a residual above 100 rtol of its scale, so the result is not reliable: "
                   "reduce run.rtol, or take a "
                   "fixed step with run.method = \"coupled\" and run.step";
        default:
            return std::string("a state is not finite ") + at + ": check the sizes and units of the parameters";
    }
}

Result simulate(const Setup& setup, const Progress& progress) {
    check(setup);
    return simulate_unchecked(setup, progress);
}

namespace {

Result simulate_by_method(const Setup& setup, const Progress& progress) {
    if (setup.run.method == Method::hybrid) return simulate_hybrid(setup, progress);
    if (setup.run.method == Method::cvode) return simulate_cvode(setup, progress);
    return std::visit(
        [&](const auto& law) {
            return setup.run.method == Method::adaptive ? simulate_adaptive(law, setup, progress)
                                                        : simulate_fixed(law, setup, progress);
        },
        setup.law);
}

}  // namespace

Result simulate_unchecked(const Setup& setup, const Progress& progress) {
    Result result = simulate_by_method(setup, progress);
    const Signal* speed = result.signal(setup.rig.info().velocity.name);
    const double runaway = runaway_speed(setup);
    if (result.status != Status::cancelled && speed != nullptr && runaway < std::numeric_limits<double>::infinity() &&
        (result.status == Status::diverges ||
         std::any_of(speed->values.begin(), speed->values.end(), [&](double v) { return std::abs(v) > runaway; }))) {
        result.status = Status::diverges;
        result.message = divergence_sentence(setup);
        result.measures = {};
    }
    return result;
}

}  // namespace bristle::simulation
