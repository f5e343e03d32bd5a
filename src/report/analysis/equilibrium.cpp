// Report of equilibria: kind, extent, eigenvalues, and the oscillators of stick and slip.
#include "report/analysis/parts.hpp"
#include "report/run/quantity.hpp"
#include "base/text.hpp"
#include "simulate/sliding_loop.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::report {

namespace {

// Kind and extent, in the units of the experiment.
std::string sentence(const experiment::Experiment& experiment, const Equilibrium& e) {
    const auto in = [&](double x, const std::string& unit) { return readable(x) + " " + unit_of(experiment, unit); };
    if (e.kind == EquilibriumKind::rest) return "at rest, where friction holds no force";
    if (e.kind == EquilibriumKind::sliding)
        return "slides at " + in(e.velocity, "m/s") + " against " + in(e.force, "N") + " of friction";
    if (!e.range) return "held at rest by " + in(e.force, "N") + " of friction, at any " + e.states[0].name;
    const StateValue& state = e.states[e.range->state];
    std::string out = "held at rest: friction holds any force from " + readable(e.set_low) + " to " +
                      in(e.set_high, "N") + ", so " + (e.range->state > 0 ? "the " : "") + state.name +
                      " may have any value";
    if (std::isfinite(e.range->low)) out += " from " + readable(e.range->low) + " to " + in(e.range->high, state.unit);
    if (e.stability == Stability::undecided)
        out += "; away from the target the integral grows until breakaway, which linear motion does not describe";
    return out;
}

Json json_of(const experiment::Experiment& experiment, const Equilibrium& e) {
    Json states = Json::object();
    for (const StateValue& state : e.states) states[state.name] = state.value;
    Json out{{"kind", name_of(e.kind)},
             {"text", sentence(experiment, e)},
             {"states", states},
             {"velocity", e.velocity},
             {"force", e.force},
             {"stability", name_of(e.stability)},
             {"eigenvalues", report::json_of(e.eigenvalues)},
             {"frequency", e.frequency},
             {"damping", e.damping}};
    if (!e.eigenvalues_negative.empty()) out["eigenvalues_negative"] = report::json_of(e.eigenvalues_negative);
    if (const auto& r = e.routh_hurwitz)
        out["routh_hurwitz"] = {{"a1", r->a1},
                                {"a2", r->a2},
                                {"a3", r->a3},
                                {"a1_a2_minus_a3", r->product},
                                {"approximation", r->approximation},
                                {"stable", r->stable()}};
    return out;
}
Json json_of(const Oscillation& o) {
    return {{"stiffness", o.stiffness}, {"damping", o.damping}, {"omega", o.omega}, {"ratio", o.ratio}};
}

std::string in_sentences(const experiment::Experiment& experiment, const Equilibrium& e) {
    std::string out = "  " + sentence(experiment, e) + "\n    " + std::string(name_of(e.stability)) + "; at";
    for (const StateValue& state : e.states) {
        const std::string unit = unit_of_state(experiment, state.name);
        out += " " + state.name + " = " + readable(state.value) + (unit.empty() ? "," : " " + unit + ",");
    }
    out += " friction " + in_units(e.force, unit_of(experiment, "N")) + "\n";
    if (!e.eigenvalues.empty()) {
        out += "    eigenvalues " + in_words(e.eigenvalues) + " 1/s";
        if (!e.eigenvalues_negative.empty())
            out += " for motion forward, " + in_words(e.eigenvalues_negative) + " 1/s backward";
        if (e.frequency > 0)
            out += ": oscillates at " + readable(e.frequency, 4) + " rad/s, damping ratio " + readable(e.damping, 3);
        out += '\n';
    }
    if (const auto& r = e.routh_hurwitz)
        out += "    Routh-Hurwitz: a1 = " + readable(r->a1, 4) + ", a2 = " + readable(r->a2, 4) +
               ", a3 = " + readable(r->a3, 4) + ", a1 a2 - a3 = " + readable(r->product, 4) +
               " (approximation h² F' /m: " + readable(r->approximation, 4) + ")\n";
    return out;
}
// The verdict on the equilibrium holds for small motions; this one for a contact that slides fast.
std::string in_sentences(const SlidingLoop& loop) {
    const std::string gain = "rig.Ki below " + readable(loop.largest_gain, 4) + " (Routh, SI units)";
    if (loop.stable) return "  While the contact slides, the control loop is stable: " + gain + "\n";
    return "  While the contact slides, the control loop is unstable: a disturbance that starts sliding can grow "
           "without bound" +
           (loop.largest_gain > 0 ? "; it is stable for " + gain : std::string()) + "\n";
}
std::string in_words(const char* name, const Oscillation& o) {
    return std::string("  ") + name + ": " + readable(o.omega, 4) + " rad/s, damping ratio " + readable(o.ratio, 3) +
           "\n";
}

std::optional<LinearModes> modes_of(const Setup& setup) {
    try {
        return linear_modes(setup);
    } catch (const Error&) {
        return {};  // the rig has no such modes
    }
}

}  // namespace

Analysis equilibrium_report(const experiment::Experiment& experiment) {
    const auto all = equilibria(experiment.setup);
    Analysis out = report_on(experiment, all.empty() ? "There is no equilibrium." : "Equilibria");
    Json list = Json::array();
    std::vector<EigenvalueSet> sets;
    for (const Equilibrium& e : all) {
        out.text += in_sentences(experiment, e);
        list.push_back(json_of(experiment, e));
        sets.push_back({std::string(name_of(e.kind)) + ", " + name_of(e.stability), e.eigenvalues});
    }
    if (std::any_of(all.begin(), all.end(), [](const Equilibrium& e) { return e.stable(); }))
        out.text += "  (stable: small disturbances decay; --cycle shows whether larger ones end in stick-slip)\n";
    Json json{{"equilibria", list}, {"modes", nullptr}, {"sliding_loop", nullptr}};
    if (const auto loop = sliding_loop(experiment.setup)) {
        out.text += in_sentences(*loop);
        json["sliding_loop"] = {{"stable", loop->stable}, {"largest_Ki", loop->largest_gain}};
    }
    if (const auto modes = modes_of(experiment.setup); modes && modes->slip.omega > 0) {
        out.text += "Linear modes (slip: A08 (20); stick: A08 (22))\n" + in_words("slip", modes->slip);
        if (modes->stick) out.text += in_words("stick", *modes->stick);
        json["modes"] = {{"speed", modes->speed},
                         {"slip", json_of(modes->slip)},
                         {"stick", modes->stick ? json_of(*modes->stick) : Json()},
                         {"frequency_ratio", modes->frequency_ratio},
                         {"stiffness_ratio", modes->stiffness_ratio}};
    }
    out.json = json;
    out.figure = eigenvalue_figure(figure_title(experiment), sets);
    return out;
}

}  // namespace bristle::report
