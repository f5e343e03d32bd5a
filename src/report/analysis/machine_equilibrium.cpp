// Report of the equilibria of a machine: contacts that hold or slide, states in the units of their parts, eigenvalues, and the sliding loop.
#include <bristle/analyse/machine_equilibrium.hpp>

#include "report/analysis/parts.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::report {

namespace {

std::string force_of(const MachineEquilibrium::Contact& c, double force) {
    return in_units(force, c.rotary ? "N m" : "N");
}
// What a contact does: "guide holds 0 N m, at most 0.14 N m".
std::string sentence(const MachineEquilibrium::Contact& c) {
    if (c.holds) {
        const bool same = c.set_high == -c.set_low;
        return c.name + " holds " + force_of(c, c.force) + ", " +
               (same ? "at most " + force_of(c, c.set_high)
                     : "from " + force_of(c, c.set_low) + " to " + force_of(c, c.set_high));
    }
    if (c.velocity == 0) return c.name + " rests without friction";
    return c.name + " slides at " + in_units(c.velocity, c.rotary ? "rad/s" : "m/s") + " against " +
           force_of(c, c.force);
}

std::string sentence(const MachineEquilibrium& e) {
    std::string out = e.kind == EquilibriumKind::sliding ? "slides"
                      : e.kind == EquilibriumKind::stuck ? "held at rest"
                                                         : "at rest, where friction holds no force";
    for (std::size_t i = 0; i < e.contacts.size(); ++i) out += (i == 0 ? ": " : "; ") + sentence(e.contacts[i]);
    if (e.is_one_of_a_set) out += "; one of a set of equilibria, with the smallest holding forces";
    return out;
}

const char* sentence(UndecidedReason reason) {
    switch (reason) {
        case UndecidedReason::integral:
            return "contacts hold exactly and an integral acts, which linear motion does not describe";
        case UndecidedReason::several_directions:
            return "several contacts hold by bristles that differ for the two directions of motion";
        case UndecidedReason::at_edge:
            return "a gap is just closed, a spring that gives a load is without force, or a limit of a motor or "
                   "controller is just reached";
        case UndecidedReason::at_level:
            return "a contact holds at its level";
        default:
            return "";
    }
}

std::string in_sentences(const MachineEquilibrium& e) {
    std::string out = "  " + sentence(e) + "\n    " + name_of(e.stability);
    if (e.undecided != UndecidedReason::none) out += std::string(" (") + sentence(e.undecided) + ")";
    out += "; at";
    for (std::size_t i = 0; i < e.states.size(); ++i) {
        const StateValue& state = e.states[i];
        out += std::string(i > 0 ? ", " : " ").append(state.name) + " = " + readable(state.value) + " " + state.unit;
    }
    if (e.free_positions > 0)
        out += std::string("; ") +
               (e.free_positions == 1 ? "one position is" : std::to_string(e.free_positions) + " positions are") +
               " free";
    out += '\n';
    if (e.eigenvalues.empty()) return out;
    out += "    eigenvalues " + in_words(e.eigenvalues) + " 1/s";
    if (!e.eigenvalues_negative.empty())
        out += " for motion forward, " + in_words(e.eigenvalues_negative) + " 1/s backward";
    if (e.frequency > 0)
        out += ": oscillates at " + readable(e.frequency, 4) + " rad/s, damping ratio " + readable(e.damping, 3);
    return out + '\n';
}

Json json_of(const MachineEquilibrium& e) {
    Json states = Json::object(), contacts = Json::object();
    for (const StateValue& state : e.states) states[state.name] = state.value;
    for (const auto& c : e.contacts)
        contacts[c.name] = {
            {"holds", c.holds}, {"velocity", c.velocity}, {"force", c.force}, {"set", {c.set_low, c.set_high}}};
    Json out{{"kind", name_of(e.kind)},
             {"text", sentence(e)},
             {"states", states},
             {"contacts", contacts},
             {"one_of_a_set", e.is_one_of_a_set},
             {"free_positions", e.free_positions},
             {"stability", name_of(e.stability)},
             {"undecided", e.undecided == UndecidedReason::none ? Json() : Json(name_of(e.undecided))},
             {"eigenvalues", report::json_of(e.eigenvalues)},
             {"frequency", e.frequency},
             {"damping", e.damping}};
    if (!e.eigenvalues_negative.empty()) out["eigenvalues_negative"] = report::json_of(e.eigenvalues_negative);
    return out;
}

std::string in_sentences(const MachineSlidingLoop& loop) {
    const bool unstable = loop.stability == Stability::unstable;
    std::string out = "  While the contacts slide fast, the control loop is " + std::string(name_of(loop.stability)) +
                      (unstable ? ": a disturbance that starts sliding can grow without bound" : "");
    for (const auto& gain : loop.gains)
        out += "; controller." + gain.controller + ".Ki " +
               (gain.largest_Ki == 0          ? "is not the cause: the loop is unstable with every value"
                : std::isinf(gain.largest_Ki) ? "has no limit"
                                              : "below " + readable(gain.largest_Ki, 4) + " is stable (SI units)");
    return out + "\n    eigenvalues " + in_words(loop.eigenvalues) + " 1/s\n";
}

Json json_of(const MachineSlidingLoop& loop) {
    Json gains = Json::object();
    for (const auto& gain : loop.gains)
        gains[gain.controller] = std::isinf(gain.largest_Ki) ? Json() : Json(gain.largest_Ki);
    return {{"stable", loop.stability == Stability::stable},
            {"stability", name_of(loop.stability)},
            {"eigenvalues", report::json_of(loop.eigenvalues)},
            {"largest_Ki", gains}};
}

}  // namespace

Analysis machine_equilibrium_report(const experiment::Experiment& experiment) {
    const MachineEquilibria all = equilibria(*experiment.machine);
    Analysis out = report_on(experiment, "Equilibria");
    Json list = Json::array();
    std::vector<EigenvalueSet> sets;
    for (const MachineEquilibrium& e : all.found) {
        out.text += in_sentences(e);
        list.push_back(json_of(e));
        sets.push_back({std::string(name_of(e.kind)) + ", " + name_of(e.stability), e.eigenvalues});
    }
    if (!all.complete)
        out.text +=
            "  (not all steady motions were examined: two or more bodies slide without a spring or controller that "
            "ties them, or forces at some "
            "velocities were not found)\n";
    if (std::any_of(all.found.begin(), all.found.end(), [](const auto& e) { return e.stable(); }))
        out.text +=
            "  (stable: small disturbances decay; --limit finds the gain at which larger ones end in hunting)\n";
    out.json = {{"equilibria", list}, {"complete", all.complete}, {"sliding_loop", nullptr}};
    if (const auto loop = sliding_loop(*experiment.machine)) {
        out.text += in_sentences(*loop);
        out.json["sliding_loop"] = json_of(*loop);
    }
    out.figure = eigenvalue_figure(figure_title(experiment), sets);
    return out;
}

}  // namespace bristle::report
