// Report of the equilibria of a machine: contacts that hold or slide, states in the units of their parts, eigenvalues, and the sliding loop.
#include <bristle/analyse/machine_equilibrium.hpp>

#include "report/analysis/parts.hpp"
#include "report/run/quantity.hpp"
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

std::string motion_of(const MachineEquilibrium& e) {
    if (e.kind == EquilibriumKind::sliding) return "slides";
    if (e.moves) return e.is_carried ? "carried along" : "moves steadily";
    return e.kind == EquilibriumKind::stuck ? "held at rest" : "at rest";
}

std::string sentence(const MachineEquilibrium& e) {
    std::string out = motion_of(e);
    if (out == "at rest") out += ", where friction holds no force";
    for (std::size_t i = 0; i < e.contacts.size(); ++i) out += (i == 0 ? ": " : "; ") + sentence(e.contacts[i]);
    if (e.is_one_of_a_set) out += "; one of a set of equilibria, with the smallest holding forces";
    return out;
}

std::string sentence(const MachineEdge& edge) {
    switch (edge.of) {
        case MachineEdge::Of::gap:
            return "the gap of " + edge.part + " is just closed";
        case MachineEdge::Of::load:
            return "the load spring of " + edge.part + " is without force";
        default:
            return "the limit of " + edge.part + " is just reached";
    }
}

std::string reason_of(const MachineEquilibrium& e) {
    std::string edges;
    switch (e.undecided) {
        case UndecidedReason::integral:
            return "contacts hold exactly and an integral acts, which linear motion does not describe";
        case UndecidedReason::several_directions:
            return "several contacts hold by bristles that differ for the two directions of motion";
        case UndecidedReason::at_edge:
            for (const MachineEdge& edge : e.edges) append_item(edges, sentence(edge));
            return edges;
        case UndecidedReason::at_level:
            return "a contact holds at its level";
        default:
            return "";
    }
}

std::string in_sentences(const Machine& machine, const MachineEquilibrium& e) {
    std::string out = "  " + sentence(e) + "\n    " + name_of(e.stability);
    if (e.undecided != UndecidedReason::none)
        out += " (" + reason_of(e) + ": run it from displaced starts" +
               (machine.controllers.empty() ? "" : ", or search the gain of hunting with --limit") + ")";
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

std::string in_sentences(const experiment::Experiment& experiment, const MachineSlidingLoop& loop) {
    const bool unstable = loop.stability == Stability::unstable;
    std::string out = "  While the contacts slide fast, the control loop is " + std::string(name_of(loop.stability)) +
                      (unstable ? ": a disturbance that starts sliding can grow without bound" : "");
    bool limited = false;
    for (const auto& gain : loop.gains) {
        const std::string key = "controller." + gain.controller + ".Ki", unit = unit_of_key(experiment, key);
        limited = limited || (gain.largest_Ki > 0 && std::isfinite(gain.largest_Ki));
        out += "; " + key + " " +
               (gain.largest_Ki == 0 ? "is not the cause: the loop is unstable with every value"
                : std::isinf(gain.largest_Ki)
                    ? "has no limit"
                    : "below " + readable(gain.largest_Ki, 4) + (unit.empty() ? "" : " " + unit) + " is stable");
    }
    if (limited)
        out +=
            "\n    (This limit is that of small disturbances of contacts that slide, without the level of their "
            "friction.\n"
            "    Friction can hold the axis above it, and the axis can hunt below it: --limit finds the gain of "
            "hunting.)";
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
        out.text += in_sentences(*experiment.machine, e);
        list.push_back(json_of(e));
        sets.push_back({(e.moves && e.kind != EquilibriumKind::sliding ? motion_of(e) : name_of(e.kind)) + ", " +
                            name_of(e.stability),
                        e.eigenvalues});
    }
    if (!all.complete)
        out.text +=
            "  (not all steady motions were examined: two or more bodies slide without a spring or controller that "
            "ties them, or forces at some "
            "velocities were not found)\n";
    if (std::any_of(all.found.begin(), all.found.end(), [](const auto& e) { return e.stable(); }))
        out.text +=
            std::string("  (stable: small disturbances decay") +
            (experiment.machine->controllers.empty() ? ""
                                                     : "; --limit finds the gain at which larger ones end in hunting") +
            ")\n";
    out.json = {{"equilibria", list}, {"complete", all.complete}, {"sliding_loop", nullptr}};
    if (const auto loop = sliding_loop(*experiment.machine)) {
        out.text += in_sentences(experiment, *loop);
        out.json["sliding_loop"] = json_of(*loop);
    }
    out.figure = eigenvalue_figure(figure_title(experiment), sets);
    return out;
}

}  // namespace bristle::report
