// Parts of a machine: names, units and energies for people.
#include "report/run/machine_parts.hpp"
#include "base/text.hpp"
#include "experiment/keys.hpp"
#include "report/run/quantity.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::report {

namespace {

using experiment::Experiment;

template <class Parts>
bool has_part(const Parts& parts, const std::string& name) {
    return std::any_of(parts.begin(), parts.end(), [&](const auto& part) { return part.name == name; });
}

template <class Parts>
void count(std::string& text, const Parts& parts, const char* one, const char* many) {
    if (!parts.empty()) append_item(text, std::to_string(parts.size()) + " " + (parts.size() == 1 ? one : many));
}

// Units of numbers of parts, in linear units. Numbers of laws and inputs have their own tables.
constexpr std::pair<const char*, const char*> part_units[] = {
    {"load", "N"},  {"mass", "kg"},       {"inertia", "kg m^2"}, {"x", "m"},   {"v", "m/s"},
    {"force", "N"}, {"stiffness", "N/m"}, {"damping", "N s/m"},  {"gap", "m"}, {"rest", "m"}};

// True if the signals of a part have rotary units.
bool is_rotary(const Experiment& experiment, const std::string& part) {
    for (const Named& signal : signal_names(experiment))
        if (signal.name.starts_with(part + ".")) return signal.unit.starts_with("rad") || signal.unit == "N m";
    return false;
}

}  // namespace

std::vector<Named> states_of(const Experiment& experiment) {
    if (!experiment.machine) return state_names(experiment.setup.law, experiment.setup.rig);
    const Machine& m = *experiment.machine;
    std::vector<Named> states;
    for (const Named& signal : signal_names(m)) {
        const std::size_t dot = std::min(signal.name.find('.'), signal.name.size());
        const std::string part = signal.name.substr(0, dot), end = signal.name.substr(dot);
        const bool of_contact = has_part(m.contacts, part) && end != ".slip" && end != ".F" && end != ".load";
        if (has_part(m.bodies, part) || of_contact) states.push_back(signal);
    }
    return states;
}

std::string parts_in_words(const Machine& machine) {
    std::string text;
    count(text, machine.bodies, "body", "bodies");
    count(text, machine.motions, "motion", "motions");
    count(text, machine.springs, "spring", "springs");
    count(text, machine.gears, "gear", "gears");
    count(text, machine.contacts, "contact", "contacts");
    std::vector<std::string> kinds;
    for (const ContactPart& contact : machine.contacts)
        if (const std::string kind(kind_of(contact.law)); std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
            kinds.push_back(kind);
    std::string laws;
    for (const std::string& kind : kinds) append_item(laws, kind);
    if (!laws.empty()) text += " (" + laws + ")";
    count(text, machine.forces, "force", "forces");
    return text;
}

std::string unit_of_part_key(const Experiment& experiment, const std::string& key) {
    const Machine& m = *experiment.machine;
    const std::size_t first = std::min(key.find('.'), key.size());
    const std::string rest = key.substr(std::min(first + 1, key.size())), part = rest.substr(0, rest.find('.')),
                      name = key.substr(key.rfind('.') + 1);
    std::string unit;
    for (const auto& [known, of] : part_units)
        if (name == known) unit = of;
    const auto contact =
        std::find_if(m.contacts.begin(), m.contacts.end(), [&](const ContactPart& c) { return c.name == part; });
    const auto motion =
        std::find_if(m.motions.begin(), m.motions.end(), [&](const PrescribedMotion& p) { return p.name == part; });
    if (rest.find(".law.") != rest.npos && contact != m.contacts.end()) {
        Experiment law;
        law.setup.law = contact->law;
        unit = unit_of_key(law, "law." + name);
    } else if (const auto of_input = experiment::unit_in(experiment::input_keys, name)) {
        const bool moves = motion != m.motions.end();
        unit = !of_input->empty()                                    ? std::string(*of_input)
               : moves && motion->quantity == Quantity::displacement ? "m"
               : moves                                               ? "m/s"
                                                                     : "N";
    }
    Experiment axis;
    axis.rotary = is_rotary(experiment, part);
    return unit_of(axis, unit == "kg m^2" ? "kg" : unit);
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
