// Rules of a set-up: numbers of law, rig, inputs and run within their ranges, a load that the law accepts, states that exist.
#include <bristle/simulate/check.hpp>

#include <bristle/base/error.hpp>
#include <bristle/describe.hpp>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "simulate/rules.hpp"

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
    if (const char* rule = broken_rule(rig)) found.push_back(std::string("rig: ") + rule);
}

// Takes the broken rules of a section as sentences.
struct SectionSink {
    Problems& found;
    const char* section;
    void operator()(const Problem& problem) const { found.push_back(std::string(section) + "." + sentence(problem)); }
    void operator()(const std::string& key, const char* rule, const std::string& value) const {
        std::string text = section;
        if (!key.empty()) text.append(".").append(key);
        if (!value.empty()) text.append(" = ").append(value);
        found.push_back(text.append(": ").append(rule));
    }
};

void check_inputs(Problems& found, const Setup& setup) {
    const SectionSink load{found, "load"}, input{found, "input"};
    if (check_input(setup.load, "", load)) check_load(setup.law, setup.load.range().low, load);
    check_input(setup.input, "", input);
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

const char* broken_rule(const Input& input, std::size_t i) {
    const Point& point = input.points[i];
    if (!std::isfinite(point.t) || !std::isfinite(point.value)) return "t and value must be finite numbers";
    if (i == 0) return nullptr;
    const Point& before = input.points[i - 1];
    if (point.t <= before.t) return "t must be larger than that of the point before it";
    if (input.kind == Input::Kind::ramps && !std::isfinite((point.value - before.value) / (point.t - before.t)))
        return "the slope from the point before is not finite";
    if (input.kind == Input::Kind::moves && broken_rule(input.limits) == nullptr) {
        const double from = i > 1 ? input.points[i - 2].value : input.wave.offset;
        if (std::max(before.t, 0.0) + move_time(before.value - from, input.limits) > point.t)
            return "the move before this one has not ended at t; start later, or raise speed, acceleration or jerk";
    }
    return nullptr;
}

const char* broken_rule(const MoveLimits& limits) {
    const auto usable = [](double x) { return x > 0 && std::isfinite(x); };
    return usable(limits.speed) && usable(limits.acceleration) && limits.jerk > 0
               ? nullptr
               : "speed, acceleration and jerk of moves must be > 0";
}

const char* broken_rule(const Rig& rig) {
    const RigEquations r = rig.equations();
    const double products[] = {r.inertia, r.k0, r.ks, r.weight, 1 / r.inertia, 1 / (r.ratio * r.ratio)};
    const bool finite =
        std::all_of(std::begin(products), std::end(products), [](double x) { return std::isfinite(x); });
    return finite ? nullptr : "a product of these numbers is not finite; use values nearer to 1";
}

std::vector<std::string> problems(const Setup& setup) {
    Problems found;
    check_law(found, setup.law);
    check_rig(found, setup.rig);
    check_inputs(found, setup);
    check_run(setup.run, SectionSink{found, "run"});
    check_start(found, setup);
    return found;
}

void check(const Setup& setup) {
    std::string text;
    for (const std::string& problem : problems(setup)) append_item(text, problem, "\n");
    if (!text.empty()) throw Error(text);
}

}  // namespace bristle::simulation
