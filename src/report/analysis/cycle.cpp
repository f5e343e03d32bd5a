// A limit cycle: numbers, multipliers, and its orbit.
#include "report/analysis/parts.hpp"
#include "report/run/quantity.hpp"
#include "base/text.hpp"

namespace bristle::report {

namespace {

Json json_of(const experiment::Experiment& experiment, const Cycle& c) {
    Json out{{"exists", c.exists}, {"message", c.message}};
    if (!c.exists) {
        for (const char* key : {"period", "amplitude", "stick_fraction", "multipliers", "stable"}) out[key] = nullptr;
        return out;
    }
    Json states = Json::object();
    const auto names = state_names(experiment.setup.law, experiment.setup.rig);
    for (std::size_t i = 0; i < names.size() && i < c.state.size(); ++i) states[names[i].name] = c.state[i];
    out.update({{"period", c.period},
                {"amplitude", c.amplitude},
                {"velocity_amplitude", c.velocity_amplitude},
                {"fastest", c.fastest},
                {"stick_speed", c.stick_speed},
                {"stick_fraction", c.stick_fraction},
                {"energy", c.energy},
                {"multipliers", report::json_of(c.multipliers)},
                {"stable", c.stable},
                {"state", states}});
    return out;
}

std::string in_sentences(const experiment::Experiment& experiment, const Cycle& c) {
    std::string out = "  " + c.message + "\n";
    if (!c.exists) return out;
    const std::string position = experiment.setup.rig.info().position.name;
    const std::string speed = unit_of(experiment, "m/s");
    out += "  period " + readable(c.period, 9) + " s, amplitude of " + position + " " +
           in_units(c.amplitude, unit_of_state(experiment, position), 7) + ", fastest slip " +
           in_units(c.fastest, speed, 5) + "\n";
    if (c.fastest > 0 && c.fastest <= c.stick_speed)  // it moves all the time, so that the share would mislead
        out += "  never gets faster than the stick speed of " + in_units(c.stick_speed, speed, 3) + "; ";
    else
        out += "  sticks for " + readable(100 * c.stick_fraction, 3) + " % of the time" +
               (c.stick_speed > 0 ? " (slower than " + in_units(c.stick_speed, speed, 3) + ")" : "") + "; ";
    out += in_units(c.energy, "J") + " turned into heat in every period\n";
    return out + "  " + (c.stable ? "stable" : "unstable") + "; Floquet multipliers " + in_words(c.multipliers) + "\n";
}

}  // namespace

Figure orbit_figure(const experiment::Experiment& experiment, const Cycle& c) {
    Figure figure{plain_text(experiment.title), {}};
    if (!c.exists || c.states.size() < 2) return figure;
    const RigInfo& rig = experiment.setup.rig.info();
    const std::string position = labelled(rig.position.name, unit_of_state(experiment, rig.position.name)),
                      velocity = labelled(rig.velocity.name, unit_of_state(experiment, rig.velocity.name));
    figure.panels = {{"time t [s]", position, {{"", c.t, c.states[0]}}},
                     {"time t [s]", velocity, {{"", c.t, c.states[1]}}},
                     {position, velocity, {{"", c.states[0], c.states[1], Mark::path}}}};
    figure.layout = Layout::beside;
    figure.width = 1120;
    return figure;
}

Analysis cycle_report(const experiment::Experiment& experiment, const Progress& progress) {
    const Cycle cycle = limit_cycle(experiment.setup, {}, progress);
    Analysis out;
    out.text = heading(experiment, "Limit cycle") + in_sentences(experiment, cycle);
    out.json = json_of(experiment, cycle);
    out.figure = orbit_figure(experiment, cycle);
    return out;
}

}  // namespace bristle::report
