// Parts of a machine: names, units and energies for people.
#include "report/run/machine_parts.hpp"
#include "base/text.hpp"
#include "experiment/keys.hpp"
#include "experiment/path.hpp"
#include "report/run/quantity.hpp"
#include "simulate/machine/part_units.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace bristle::report {

namespace {

using experiment::Experiment;

template <class Parts>
bool has_part(const Parts& parts, const std::string& name) {
    return std::any_of(parts.begin(), parts.end(), [&](const auto& part) { return part.name == name; });
}

// The unit of the number that the names behind a part's own mean: "stiffness", "reference.amplitude", "law.Fc".
template <class Part>
std::string unit_in_part(const Machine& machine, const Part& part, const experiment::Path& path) {
    std::string unit;
    const PartUnits units = units_of(machine, part);
    const std::string name(path.names[2]);
    if (path.size == 3)
        parameters(part, [&](const PartParameter& p, double) {
            if (name == p.name || (p.rotary_name && name == p.rotary_name)) unit = p.in_units(units).unit;
        });
    signals(part, [&](const PartParameter& p, const Input*) {
        const std::string own = p.in_units(signal_units_of(machine, part)).unit;
        const bool in_section = std::string_view(p.name) == "value";  // its keys are those of the part's section
        if (path.size == 3 && in_section && unit.empty()) unit = experiment::unit_in_input(name, own).value_or("");
        if (path.size == 3 && name == p.name && !in_section) unit = own;
        if (path.size == 4 && name == p.name) unit = experiment::unit_in_input(path.last(), own).value_or("");
    });
    if constexpr (std::is_same_v<Part, ContactPart>)
        if (name == "law" && path.size > 3) {
            Experiment law;
            law.setup.law = part.law;
            law.rotary = units == PartUnits::rotary;
            return unit_of_key(law, "law." + std::string(path.rest(3)));
        }
    return unit;
}

}  // namespace

std::vector<Named> states_of(const Experiment& experiment) {
    if (!experiment.machine) return state_names(experiment.setup.law, experiment.setup.rig);
    const Machine& m = *experiment.machine;
    std::vector<Named> states;
    for (const Named& signal : signal_names(m)) {
        if (signal.role == SignalRole::state || has_part(m.bodies, signal.part)) states.push_back(signal);
    }
    return states;
}

std::string parts_in_words(const Machine& machine) {
    std::string text;
    for_each_list(machine, [&](const PartKind& kind, const auto& parts) {
        if (parts.empty()) return;
        append_item(text, std::to_string(parts.size()) + " " + (parts.size() == 1 ? kind.section : kind.plural));
        if (kind.list != MachineMember::contacts) return;
        std::set<std::string> kinds;
        std::string laws;
        for (const ContactPart& contact : machine.contacts)
            if (const std::string law(kind_of(contact.law)); kinds.insert(law).second) append_item(laws, law);
        text += " (" + laws + ")";
    });
    return text;
}

std::string unit_of_part_key(const Experiment& experiment, const std::string& key) {
    const experiment::Path path(key);
    std::string unit;
    for_each_list(*experiment.machine, [&](const PartKind& kind, const auto& parts) {
        if (path.size < 3 || path.names[0] != kind.section) return;
        if (const std::size_t i = experiment::place_of(parts, path.names[1]); i < parts.size())
            unit = unit_in_part(*experiment.machine, parts[i], path);
    });
    return unit == "1" ? "" : unit_of(experiment, unit);
}

Measures measures_of_contact(const Result& result, const std::string& contact) {
    Measures out;
    for (const Event& event : result.events)
        if (event.part == contact) {
            if (event.kind == Event::Kind::stick_begin) out.stick_begin.push_back(event.t);
            if (event.kind == Event::Kind::stick_end) out.stick_end.push_back(event.t);
        }
    return out;
}

std::vector<std::pair<const char*, std::string>> energy_by_part(const Energy& energy) {
    std::string supplied, stored, dissipated, numerical;
    // less than rounding of the ledger is not shown
    const auto add = [&](std::string& text, const std::string& name, double x) {
        if (std::abs(x) > 1e-12 * energy.scale) append_item(text, name + " " + readable(x) + " J");
    };
    for (const Energy::Part& part : energy.parts) {
        add(supplied, part.name, part.supplied);
        add(stored, part.name, part.end - part.start);
        add(dissipated, part.name, part.dissipated);
        add(numerical, part.name, part.numerical);
    }
    std::vector<std::pair<const char*, std::string>> out{
        {"supplied", supplied}, {"stored", stored}, {"dissipated", dissipated}};
    if (!numerical.empty()) out.emplace_back("numerical", numerical);
    return out;
}

}  // namespace bristle::report
