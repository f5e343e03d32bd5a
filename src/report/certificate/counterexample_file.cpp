// A counterexample as an experiment file.
#include "report/certificate/counterexample_file.hpp"

#include <bristle/simulate/check.hpp>
#include "analyse/counterexample/replay.hpp"
#include "base/text.hpp"
#include "experiment/write_law.hpp"
#include "report/certificate/sentences.hpp"
#include "report/run/quantity.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::report {

namespace {

std::string points_text(const Input& input) {
    std::vector<std::pair<double, double>> pairs;
    for (const Point& point : input.points) pairs.emplace_back(point.t, point.value);
    return experiment::points_text(pairs);
}

}  // namespace

experiment::Experiment experiment_of(const AnyLaw& law, const Counterexample& c) {
    experiment::Experiment out;
    out.name = "counterexample.toml";
    out.title = "Energy from friction: " + std::string(kind_of(law));
    out.source = "a counterexample to passivity";
    out.setup = counterexample::setup_of(law, c);
    out.setup.run.stick_speed = stribeck_velocity(law);
    // the error of the solver is proportional to the gross energy
    const double margin = 1e-4 * std::abs(c.energy) + 1e-6 * c.gross + c.tolerance;
    experiment::Claim claim{};
    claim.measure = "final";
    claim.signal = "work";
    claim.low = c.energy - margin;
    claim.high = c.energy + margin;
    claim.source = "Runge-Kutta: " + readable(c.energy, 6) + " J";
    claim.text =
        std::string("energy supplied to the contact") + (c.energy < 0 ? ", which began relaxed: it is negative" : "");
    out.claims = {claim};
    return out;
}

std::optional<std::string> problem_of(const experiment::Experiment& replay) {
    std::string out;
    for (const std::string& problem : problems(replay.setup)) append_item(out, problem, "; ");
    for (const experiment::Claim& claim : replay.claims)
        if (!std::isfinite(claim.low) || !std::isfinite(claim.high))
            append_item(out, "claim.between: the energy is not finite", "; ");
    if (out.empty()) return {};
    return out;
}

std::string experiment_text(const experiment::Experiment& replay, const Counterexample& c) {
    const Setup& setup = replay.setup;
    const bool varies = setup.load.kind != Input::Kind::constant;
    const double load = setup.load.piece(0).value(0.0);
    const bool on_all = std::visit([](const auto& l) { return l.load_on == LoadOn::all; }, setup.law);
    const std::string held = !varies && (load != neutral_load_of(setup.law) || on_all)
                                 ? "load = " + exact(load) + "  # " + unit_of(replay, "N") + "\n"
                                 : "";
    std::string out = "title = \"" + replay.title + "\"\nsource = \"" + replay.source + "\"\n";
    if (replay.rotary) out += "units = \"rotary\"\n";
    append_wrapped(out, in_words_of_axis(replay, sentence_of(c, Units{&replay})), 112, "# ", "# ");
    out += "\n" + experiment::law_section(setup.law, held, replay.rotary);
    if (varies) out += "\n[load]\nkind = \"ramps\"\n" + points_text(setup.load);
    out += "\n[rig]\nkind = \"prescribed\"\n";
    out += "\n[input]  # velocity in " + unit_of(replay, "m/s") + "\nkind = \"" +
           (setup.input.kind == Input::Kind::ramps ? "ramps" : "steps") + "\"\n" + points_text(setup.input);
    out += "\n[run]\nduration = " + exact(setup.run.duration) + "\nrtol = " + exact(setup.run.rtol) + "\n";
    for (const experiment::Claim& claim : replay.claims)
        out += "\n[[claim]]\nmeasure = \"" + claim.measure + "\"\nsignal = \"" + claim.signal + "\"\nbetween = [" +
               exact(claim.low) + ", " + exact(claim.high) + "]  # J\nsource = \"" + claim.source + "\"\ntext = \"" +
               claim.text + "\"\n";
    return out;
}

}  // namespace bristle::report
