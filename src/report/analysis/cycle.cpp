// Report of a limit cycle: measures, multipliers, orbit.
#include "report/analysis/parts.hpp"
#include "report/run/quantity.hpp"
#include "base/text.hpp"

namespace bristle::report {

namespace {

std::string sentence(NoCycle reason) {
    switch (reason) {
        case NoCycle::all_settle:
            return "no limit cycle found: the motions from the start of the file and from eight others settle; one "
                   "that only other "
                   "starts reach may exist";
        case NoCycle::unstable_steady_state:
            return "no limit cycle found from nine starts, but the steady state is unstable: there can be one";
        case NoCycle::limit_reached:
            return "no limit cycle found: a motion from one of nine starts reached its limit of steps before it "
                   "settled";
        case NoCycle::grows:
            return "no limit cycle found: the speed grows without bound, so the loop is unstable while it slides";
        case NoCycle::slip_does_not_stop:
            return "no stick-slip cycle: the slip after the end of stick does not return to stick";
        case NoCycle::no_convergence:
            return "Newton's method found no closed motion near the guess";
        case NoCycle::no_edge:
            return "no unstable cycle found between the steady state and the stable cycle";
        case NoCycle::not_searched:
            break;
    }
    return "not searched";
}

std::string sentence(CycleSource source) {
    switch (source) {
        case CycleSource::own_start:
            return "found from the start of the file";
        case CycleSource::spread_start:
            return "found from another start than that of the file";
        case CycleSource::guess:
            return "found from a guess";
        case CycleSource::edge_tracking:
            return "found by edge tracking between the steady state and the stable cycle";
        case CycleSource::closed_form:
            break;
    }
    return "in closed form, from the end of stick";
}

std::string sentence(const Cycle& c) {
    if (!c.exists) return sentence(c.reason);
    if (c.motion == MotionEnd::steady_state)
        return sentence(c.source) + ", but unstable: the motion ends in the steady state";
    if (c.motion == MotionEnd::not_periodic)
        return sentence(c.source) + ", but unstable: the motion continues and does not repeat";
    return sentence(c.source);
}

Json json_of(const experiment::Experiment& experiment, const Cycle& c) {
    Json out{{"exists", c.exists}, {"message", sentence(c)}};
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
    std::string out = "  " + sentence(c) + "\n";
    if (!c.exists) return out;
    const std::string position = experiment.setup.rig.info().position.name;
    const std::string speed = unit_of(experiment, "m/s");
    out += "  period " + readable(c.period, 9) + " s, amplitude of " + position + " " +
           in_units(c.amplitude, unit_of_state(experiment, position), 7) + ", fastest slip " +
           in_units(c.fastest, speed, 5) + "\n";
    if (c.fastest > 0 && c.fastest <= c.stick_speed)  // the fraction in stick would be 1 although it moves
        out += "  always slower than the stick speed of " + in_units(c.stick_speed, speed, 3) + "; ";
    else
        out += "  sticks for " + readable(100 * c.stick_fraction, 3) + " % of the time" +
               (c.stick_speed > 0 ? " (slower than " + in_units(c.stick_speed, speed, 3) + ")" : "") + "; ";
    out += in_units(c.energy, "J") + " dissipated in each period\n";
    return out + "  " + (c.stable ? "stable" : "unstable") + "; Floquet multipliers " + in_words(c.multipliers) + "\n";
}

}  // namespace

Figure orbit_figure(const experiment::Experiment& experiment, const Cycle& c) {
    Figure figure{figure_title(experiment), {}};
    if (!c.exists || c.states.size() < 2) return figure;
    const RigInfo& rig = experiment.setup.rig.info();
    const AxisLabel position{rig.position.name, unit_of_state(experiment, rig.position.name)},
        velocity{rig.velocity.name, unit_of_state(experiment, rig.velocity.name)};
    figure.panels = {{{"time t", "s"}, position, {{"", c.t, c.states[0]}}},
                     {{"time t", "s"}, velocity, {{"", c.t, c.states[1]}}},
                     {position, velocity, {{"", c.states[0], c.states[1], Mark::path}}}};
    figure.layout = Layout::beside;
    figure.width = 1120;
    return figure;
}

Analysis cycle_report(const experiment::Experiment& experiment, const Progress& progress) {
    const Cycle cycle = limit_cycle(experiment.setup, {}, progress);
    Analysis out = report_on(experiment, "Limit cycle");
    out.text += in_sentences(experiment, cycle);
    out.json = json_of(experiment, cycle);
    out.figure = orbit_figure(experiment, cycle);
    return out;
}

}  // namespace bristle::report
