// The figure of a machine: signals of its parts, grouped by kind.
#include "report/run/machine_parts.hpp"
#include "base/text.hpp"
#include "report/run/quantity.hpp"
#include "report/run/run_panel.hpp"
#include "simulate/names.hpp"

#include <algorithm>

namespace bristle::report {

namespace {

constexpr std::size_t most_lines = 4;  // that a panel can distinguish

// Groups of signals of one unit, at most most_lines in each.
std::vector<std::vector<std::string>> by_unit(const Result& result, const std::vector<std::string>& names) {
    std::vector<std::vector<std::string>> groups;
    std::vector<std::string> units;
    for (const std::string& name : names) {
        const Signal* signal = result.signal(name);
        if (!signal) continue;
        const std::size_t at = std::size_t(std::find(units.begin(), units.end(), signal->unit) - units.begin());
        if (at == units.size()) {
            units.push_back(signal->unit);
            groups.emplace_back();
        }
        if (groups[at].size() < most_lines) groups[at].push_back(name);
    }
    return groups;
}

// The label of several signals of a kind: "velocity v", "force F"; of one: "v of load", short, because panels are low.
AxisLabel label_of(const Outcome& outcome, const std::vector<std::string>& names, const AxisLabel& of_first) {
    const Signal& first = *outcome.result.signal(names.front());
    AxisLabel label = of_first;
    label.name = first.title;
    const std::string ending = bristle::label_of(first.role).ending;
    const bool one_title = std::all_of(names.begin(), names.end(), [&](const std::string& name) {
        return outcome.result.signal(name)->title == first.title;
    });
    if (!one_title) label.name = first.unit == "N m" ? "torque" : "force";
    const bool letter = ending.size() == 1;
    if (names.size() == 1)
        label.name = (letter ? ending : first.title) + " of " + shortened(plain_text(first.part), 20);
    else if (letter)
        append_item(label.name, ending, " ");
    return label;
}

Panel panel_of_parts(const std::vector<Outcome>& outcomes, const std::vector<RunLine>& lines, Mark mark) {
    Panel panel = panel_of(outcomes, lines, mark, [](const Outcome&, const Signal& y) { return plain_text(y.part); });
    std::vector<std::string> x, y;
    for (const RunLine& line : lines) {
        x.push_back(line.x);
        y.push_back(line.y);
    }
    const Outcome& first = outcomes.front();
    if (x.front() != "t") panel.x_label = label_of(first, x, panel.x_label);
    panel.y_label = label_of(first, y, panel.y_label);
    return panel;
}

struct Shown {
    std::vector<std::string> positions, velocities, forces, slips;
};
Shown shown_of(const Machine& m, bool several_runs) {
    Shown shown;
    const auto bodies = [&](const auto& parts) {
        for (const auto& part : parts) {
            shown.positions.push_back(signal_name(part.name, SignalRole::position));
            shown.velocities.push_back(signal_name(part.name, SignalRole::velocity));
        }
    };
    bodies(m.bodies);
    bodies(m.motions);
    for (const ContactPart& contact : m.contacts) {
        shown.forces.push_back(signal_name(contact.name, SignalRole::friction));
        shown.slips.push_back(contact.name);
    }
    for (const Force& force : m.forces) shown.forces.push_back(signal_name(force.name, SignalRole::applied_force));
    for (const Spring& spring : m.springs) shown.forces.push_back(signal_name(spring.name, SignalRole::spring_force));
    if (!several_runs) return shown;
    // one signal of each kind, of the body at the first contact
    std::string body = m.bodies.empty() ? "" : m.bodies.front().name;
    if (!m.contacts.empty())
        for (const Body& one : m.bodies)
            if (one.name == m.contacts.front().first || one.name == m.contacts.front().second) body = one.name;
    if (!body.empty()) {
        shown.positions = {signal_name(body, SignalRole::position)};
        shown.velocities = {signal_name(body, SignalRole::velocity)};
    }
    for (auto* names : {&shown.positions, &shown.velocities, &shown.forces, &shown.slips})
        if (!names->empty()) names->resize(1);
    return shown;
}

}  // namespace

Figure machine_figure(const std::vector<Outcome>& outcomes) {
    const Outcome& first = outcomes.front();
    const Shown shown = shown_of(*first.experiment.machine, outcomes.size() > 1);
    Figure figure{figure_title(first.experiment, first.varied), {}};
    for (const auto& names : {shown.positions, shown.velocities, shown.forces})
        for (const auto& group : by_unit(first.result, names)) {
            std::vector<RunLine> lines;
            for (const std::string& name : group) lines.push_back({"t", name});
            figure.panels.push_back(panel_of_parts(outcomes, lines, Mark::line));
        }
    std::vector<std::string> forces;
    for (const std::string& contact : shown.slips) forces.push_back(signal_name(contact, SignalRole::friction));
    const auto groups = by_unit(first.result, forces);
    if (groups.empty()) return figure;
    std::vector<RunLine> lines;
    for (const std::string& force : groups.front())
        lines.push_back({signal_name(first.result.signal(force)->part, SignalRole::slip), force});
    add_beside(figure, panel_of_parts(outcomes, lines, Mark::path));
    return figure;
}

}  // namespace bristle::report
