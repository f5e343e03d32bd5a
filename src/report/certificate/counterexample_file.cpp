// A counterexample as an experiment file.
#include "report/certificate/counterexample_file.hpp"

#include "analyse/counterexample/replay.hpp"
#include "base/text.hpp"
#include "experiment/write_law.hpp"
#include "report/certificate/sentences.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::report {

namespace {

// A sentence as comment lines.
std::string comment(const std::string& text) {
    constexpr std::size_t width = 110;
    std::string out;
    for (std::size_t from = 0; from < text.size();) {
        std::size_t to = text.size();
        if (to - from > width) to = std::min(text.rfind(' ', from + width), to);
        if (to <= from) to = text.size();
        out += "# " + text.substr(from, to - from) + "\n";
        from = to + 1;
    }
    return out;
}

}  // namespace

std::string experiment_text(const AnyLaw& law, const Counterexample& c) {
    const auto kind = kind_of(law);
    const bool varies = c.load.size() > 1;
    const double load = c.load.empty() ? 1 : c.load.front().second;
    const bool on_all = std::visit([](const auto& l) { return l.load_on == LoadOn::all; }, law);
    const std::string held = !varies && (load != 1 || on_all) ? "load = " + exact(load) + "  # N\n" : "";
    std::string out = "title = \"Energy from friction: " + std::string(kind) + "\"\n";
    out += "source = \"a counterexample to passivity\"\n" + comment(sentence_of(c, Units{})) + "\n";
    out += experiment::law_section(law, held);
    if (varies) out += "\n[load]\nkind = \"ramps\"\n" + experiment::points_text(c.load);
    out += "\n[rig]\nkind = \"prescribed\"\n";
    out += std::string("\n[input]  # velocity in m/s\nkind = \"") + (c.ramps ? "ramps" : "steps") + "\"\n" +
           experiment::points_text(c.velocity);
    out += "\n[run]\nduration = " + exact(c.duration) + "\nrtol = 1e-9\n";
    // the error of the solver is proportional to the gross energy
    const counterexample::Trace trace = counterexample::integrate(law, c);
    const double margin = 1e-4 * std::abs(c.energy) + 1e-6 * trace.gross + trace.tolerance();
    out += "\n[[claim]]\nmeasure = \"final\"\nsignal = \"work\"\nbetween = [" + exact(c.energy - margin) + ", " +
           exact(c.energy + margin) + "]  # J\nsource = \"Runge-Kutta: " + readable(c.energy, 6) +
           " J\"\ntext = \"energy supplied to the contact" +
           (c.energy < 0 ? ", which began relaxed: it is negative" : "") + "\"\n";
    return out;
}

}  // namespace bristle::report
