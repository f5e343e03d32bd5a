// The fitted law as an experiment file: errors as comments, [law], and an example of a run.
#include "report/fit/fit_report.hpp"

#include "base/text.hpp"
#include "experiment/write_law.hpp"

#include <cmath>
#include <numbers>

namespace bristle::report {

namespace {

std::string toml_string(const std::string& text) {
    std::string out = "\"";
    for (const char c : plain_text(text)) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + '"';
}

std::string comment(const std::string& text) {
    std::string lines, out;
    append_wrapped(lines, plain_text(text), 108, 0);
    for (std::size_t from = 0; from < lines.size();) {
        const std::size_t to = lines.find('\n', from);
        out += "# " + lines.substr(from, to - from) + "\n";
        from = to + 1;
    }
    return out;
}

std::string file_names(const FitReport& report) {
    std::string out;
    constexpr std::size_t max_files = 10;
    for (std::size_t i = 0; i < std::min(max_files, report.record.files.size()); ++i)
        append_item(out, plain_text(std::filesystem::path(report.record.files[i]).filename().string()));
    if (report.record.files.size() > max_files) out += " ...";
    return out;
}

// Values with their 95 % intervals, of the law or of the axis.
std::string parameter_comments(const FitReport& report, bool of_law) {
    std::string out;
    for (const FittedParameter& p : report.result.best().parameters) {
        if (p.of_law() != of_law) continue;
        const std::string note = note_of(p);
        out += "#   " + padded(plain_text(p.name), 10) +
               value_in_words(p, report.units(), report.result.best().parameters) +
               (note.empty() ? "" : "  (" + note + ")") + "\n";
    }
    return out;
}

// What the levels of the law are, if the record has a column for the normal load.
std::string load_comment(const FitReport& report) {
    if (!report.constant_load())
        return comment(
            "The fit used the normal load of the record: levels are coefficients of it. Give load [N] in [law], or "
            "[load].");
    const ColumnUse* unused = report.unused_load();
    if (!unused || report.options.model.load.kind == Setting::Kind::given) return "";
    return comment(
        "Levels are in " + report.units().name("N") + ". The column \"" + unused->column +
        "\" may be a normal load, but was not used, because only its name says so; fit with --load to use it.");
}

struct TypicalMotion {
    double fastest = 0;    // m/s
    double frequency = 0;  // Hz: half the reversals over the time
};
TypicalMotion motion_of(const FitReport& report) {
    TypicalMotion out;
    for (const FitTrace& trace : report.result.traces)
        for (const double v : trace.velocity)
            if (std::isfinite(v)) out.fastest = std::max(out.fastest, std::abs(v));
    double time = 0, reversals = 0;
    for (const FitTrace& trace : report.result.traces) {
        if (trace.time.size() < 2) continue;
        time += trace.time.back() - trace.time.front();
        double side = 0;
        for (const double v : trace.velocity) {
            if (std::abs(v) < 0.05 * out.fastest) continue;
            if (side * v < 0) ++reversals;
            side = v;
        }
    }
    if (!(out.fastest > 0)) out.fastest = 0.1;
    out.frequency = time > 0 && reversals > 1 ? reversals / (2 * time) : 1;
    return out;
}

// A run of the law: a mass under a force if the inertia is known, else a given velocity.
std::string example_run(const FitReport& report) {
    const TypicalMotion motion = motion_of(report);
    const LawFit& best = report.result.best();
    const FittedParameter* inertia = best.parameter(FittedQuantity::inertia);
    double mass = inertia ? inertia->value : 0;
    if (report.options.model.inertia.kind == Setting::Kind::given) mass = report.options.model.inertia.value;
    std::string rig = "kind = \"prescribed\"\n",
                input = "kind = \"sine\"\nquantity = \"velocity\"\namplitude = " + rounded(motion.fastest, 3) + "\n",
                note = "An example, to edit: the contact moved with the speed and frequency of the record.";
    if (mass > 0 && std::isfinite(mass)) {
        const double friction = std::abs(steady_force(best.law, motion.fastest, report.constant_load().value_or(1)));
        const double force =
            (std::isfinite(friction) ? friction : 1) + mass * motion.fastest * 2 * std::numbers::pi * motion.frequency;
        rig = "kind = \"forced_mass\"\nmass = " + exact(mass) + "\n";
        input = "kind = \"sine\"\namplitude = " + rounded(1.2 * force, 3) + "\n";
        note = std::string("An example, to edit: the fitted inertia under a sine ") + report.units().force() + ".";
    }
    return "\n" + comment(note) + "[rig]\n" + rig + "\n[input]\n" + input +
           "frequency = " + rounded(motion.frequency, 3) + "\n\n[run]\nduration = " + rounded(3 / motion.frequency, 3) +
           "\n";
}

}  // namespace

std::string fit_law_file(const FitReport& report) {
    if (!report.has_usable_law()) return "";
    const LawFit& best = report.result.best();
    const FitModel& model = report.options.model;
    const std::string names = file_names(report);
    std::string out = comment("Law fitted to " + (names.empty() ? "a record" : names) + " by bristle fit.");
    if (!report.result.has_recommendation) out += comment("It is not recommended: " + verdict_in_words(best) + ".");
    for (const std::string& sentence : error_sentences(report)) out += comment(sentence);
    out += comment("Values and half widths of their 95 % intervals:") + parameter_comments(report, true);
    if (const std::string axis = parameter_comments(report, false); !axis.empty())
        out += comment("Of the axis, not part of the law:") + axis;
    out += load_comment(report);
    if (report.result.rotary)
        out += comment("The axis is rotary: torques in N m, angles in rad; rig.mass is the inertia in kg m^2.");
    out += "\ntitle = " + toml_string("Fit of " + best.kind + " to " + (names.empty() ? "a record" : names)) + "\n";
    if (report.result.rotary) out += "units = \"rotary\"\n";
    const bool loaded = model.load.kind == Setting::Kind::given;
    out +=
        "\n" + experiment::law_section(
                   best.law,
                   loaded ? "load = " + exact(model.load.value) + (report.result.rotary ? "  # N m\n" : "  # N\n") : "",
                   report.result.rotary);
    return out + example_run(report);
}

}  // namespace bristle::report
