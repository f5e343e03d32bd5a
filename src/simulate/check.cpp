// Rules of a set-up: numbers of law, rig and run within their ranges, a load > 0, states that exist, a method that fits.
#include <bristle/simulate/check.hpp>

#include <bristle/base/error.hpp>
#include <bristle/describe.hpp>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace bristle::inline simulation {

namespace {

using Problems = std::vector<std::string>;

void check_number(Problems& found, const char* section, const Parameter& p, double x) {
    if (!p.bound.holds(x)) found.push_back(section + sentence(Problem{p, x, p.bound.rule}));
}

void check_law(Problems& found, const AnyLaw& law) {
    std::visit(
        [&](const auto& l) {
            bristle::problems(l, [&](const Problem& problem) { found.push_back("law." + sentence(problem)); });
        },
        law);
}

void check_rig(Problems& found, const Rig& rig) {
    const std::size_t before = found.size();
    rig.parameters([&](const Parameter& p, double x) { check_number(found, "rig.", p, x); });
    if (found.size() > before) return;
    const RigEquations r = rig.equations();
    const double products[] = {r.inertia, r.k0, r.ks, r.weight, 1 / r.inertia, 1 / (r.ratio * r.ratio)};
    if (!std::all_of(std::begin(products), std::end(products), [](double x) { return std::isfinite(x); }))
        found.push_back("rig: the numbers are too large or too small to be multiplied with each other");
}

void check_run(Problems& found, const Run& run) {
    check_number(found, "run.", run_table::duration, run.duration);
    check_number(found, "run.", run_table::rtol, run.rtol);
    check_number(found, "run.", run_table::atol, run.atol);
    check_number(found, "run.", run_table::samples, run.samples);
    if (info_of(run.method).fixed_step) check_number(found, "run.", run_table::step, run.step);
    if (run.stick_speed != 0) check_number(found, "run.", run_table::stick_speed, run.stick_speed);
}

void check_start(Problems& found, const Setup& setup) {
    const auto states = state_names(setup.law, setup.rig);
    for (const auto& [name, value] : setup.start) {
        const bool known = std::any_of(states.begin(), states.end(), [&](const Named& s) { return s.name == name; });
        if (!known) {
            std::string list;
            for (const Named& state : states) append_item(list, state.name);
            found.push_back("start." + name + ": there is no such state; the set-up has " + list);
        } else if (!std::isfinite(value)) {
            found.push_back("start." + name + ": must be a finite number");
        }
    }
}

}  // namespace

std::vector<std::string> problems(const Setup& setup) {
    Problems found;
    check_law(found, setup.law);
    check_rig(found, setup.rig);
    const Input::Range load = setup.load.range(), input = setup.input.range();
    if (!(load.low > 0 && std::isfinite(load.high))) found.push_back("load: must be finite and stay > 0 N");
    if (!(std::isfinite(input.low) && std::isfinite(input.high))) found.push_back("input: must be finite");
    check_run(found, setup.run);
    check_start(found, setup);
    return found;
}

void check(const Setup& setup) {
    std::string text;
    for (const std::string& problem : problems(setup)) append_item(text, problem, "\n");
    if (!text.empty()) throw Error(text);
}

}  // namespace bristle::simulation
