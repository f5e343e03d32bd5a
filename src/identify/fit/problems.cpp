// Checks of record and options before a fit.
#include <bristle/base/error.hpp>
#include <bristle/identify/fit.hpp>

#include "base/text.hpp"
#include "identify/fit/context.hpp"
#include "identify/fit/maxwell.hpp"
#include "identify/fit/position.hpp"
#include "identify/fit/start.hpp"
#include "identify/record/pattern.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::inline identification {

namespace {

using Kind = Setting::Kind;

// The record lacks the channel that the model compares: the columns in use, and how one of them can take its place.
std::string missing_channel(const Record& record, Measurand missing) {
    const std::string name = name_of(missing), &file = record.runs.front().name.file;
    std::string columns, hint;
    for (const ColumnUse& use : record.columns) {
        const std::string column = plain_text(use.column);
        append_item(columns, std::string(name_of(use.quantity)) + " '" + column + "'");
        const bool is_current = use.quantity == Measurand::current, is_voltage = use.quantity == Measurand::voltage;
        if (missing != Measurand::force || (!is_current && !is_voltage)) continue;
        hint += "; the " + std::string(name_of(use.quantity)) + " can be used as the force: --force '" + column +
                "' --force.gain NUMBER --force.unit " + (record.rotary ? "'N m' (N m per " : "N (N per ") +
                (is_current ? "A" : "V") + ")";
        if (is_voltage) hint += ", or as it is: --measured voltage --gain NUMBER";
    }
    return (file.empty() ? "" : plain_text(file) + ": ") + "no column is known as " + name +
           (columns.empty() ? "" : "; columns in use: " + columns) + hint + "; give one: --" + name +
           " COLUMN (name or number)";
}

void check_channels(const Record& record, const FitModel& model, std::vector<std::string>& out) {
    const MeasuredRun& run = record.runs.front();
    const Measurand measured = measured_channel(model);
    if (run.channel(measured).empty()) out.push_back(missing_channel(record, measured));
    if (record.is_curve()) {
        if (run.velocity.empty())
            out.push_back(
                "a record without time is a measured curve and needs a velocity; name its column with --velocity");
        return;
    }
    if (run.position.empty() && run.velocity.empty())
        out.push_back("the record has neither position nor velocity; name a column with --position or --velocity");
}

void check_settings(const FitModel& model, const Record& record, std::vector<std::string>& out) {
    if (model.measured == Measured::friction &&
        (model.inertia.kind != Kind::absent || model.armature.kind != Kind::absent ||
         model.gravity.kind != Kind::absent || model.gravity_cos.kind != Kind::absent))
        out.push_back(
            "inertia, armature, gravity and gravity_cos need measured = \"actuator\" or \"voltage\": a friction "
            "force contains none of them");
    if (model.measured != Measured::voltage && (model.gain.kind != Kind::absent || model.back_emf.kind != Kind::absent))
        out.push_back(
            "gain and back_emf need measured = \"voltage\"; the gain of a column is --force.gain or "
            "--current.gain");
    if (model.measured == Measured::voltage && model.gain.kind == Kind::absent)
        out.push_back(
            "measured = \"voltage\" needs gain, the force per volt: give a number, or \"find\" with a known "
            "inertia "
            "or gravity");
    const bool anchored = model.inertia.kind == Kind::given || model.armature.kind == Kind::given ||
                          model.gravity.kind == Kind::given || model.gravity_cos.kind == Kind::given;
    if (model.measured == Measured::voltage && model.gain.kind == Kind::find && !anchored)
        out.push_back(
            "gain = \"find\" needs a known inertia or a known gravity: without one the gain only scales all "
            "forces");
    if (model.inertia.kind == Kind::find && model.armature.kind == Kind::find)
        out.push_back("inertia and armature act alike: give one of them as a number");
    if (record.is_curve() || is_steady(record)) {
        if (model.gap.kind != Kind::absent) out.push_back("gap needs a record with time and position");
        if (model.inertia.kind == Kind::find || model.armature.kind == Kind::find ||
            model.gravity.kind != Kind::absent || model.gravity_cos.kind != Kind::absent)
            out.push_back(
                "a measured curve or runs at one steady speed each show no inertia and no gravity; remove them");
    }
    if (model.load.kind == Kind::find) out.push_back("load must be a number, or a column of the record");
    if (!(std::abs(model.delay.value) <= 10)) out.push_back("delay must lie between -10 and 10 s");
    if (model.inertia.kind == Kind::given && !(model.inertia.value > 0)) out.push_back("inertia must be > 0");
    if (model.gain.kind == Kind::given && !(std::abs(model.gain.value) > 0)) out.push_back("gain must not be 0");
    if (model.gap.kind == Kind::given && !(model.gap.value >= 0)) out.push_back("gap must be >= 0");
}

void check_position_output(const Record& record, const FitOptions& options, std::vector<std::string>& out) {
    const FitModel& model = options.model;
    if (model.output != Output::position) return;
    if (model.measured == Measured::friction)
        out.push_back(
            "output = \"position\" needs measured = \"actuator\" or \"voltage\": the input of the simulated axis");
    if (model.inertia.kind == Kind::absent && model.armature.kind == Kind::absent)
        out.push_back("output = \"position\" needs an inertia; give a number or inertia = \"find\"");
    if (record.is_curve() || is_steady(record) || record.runs.front().position.empty())
        out.push_back("output = \"position\" needs a record with time, position and varying speed");
    if (options.loss != Loss::squares)
        out.push_back("output = \"position\" has no robust loss; use loss = \"squares\"");
    if (model.gap.kind != Kind::absent) out.push_back("output = \"position\" simulates no gap; remove gap");
    const std::vector<double>& time = record.runs.front().time;
    const double period = time.size() > 1 ? (time.back() - time.front()) / double(time.size() - 1) : 0;
    if (!(model.segment > 0 && model.segment >= 10 * period))
        out.push_back("segment must be > 0 s and span at least 10 samples");
    for (const std::string& kind : options.laws)
        if (law_of_kind(kind) && !has_position_output(kind))
            out.push_back(kind + " has no position output; use output = \"force\"");
}

// Static points show laws without memory whole, and no others.
void check_laws(const Record& record, const FitOptions& options, std::vector<std::string>& out) {
    std::string all, of_points;
    for_each_law([&](const auto& entry) {
        all += (all.empty() ? "" : ", ") + std::string(entry.kind);
        if (kind_is_static(entry.kind)) of_points += (of_points.empty() ? "" : ", ") + std::string(entry.kind);
    });
    const bool points = record.is_curve() || is_steady(record);
    bool fits = options.laws.empty() || !points;
    for (const std::string& kind : options.laws)
        if (!law_of_kind(kind)) {
            out.push_back("there is no law '" + kind + "'; the laws are " + all);
            fits = true;
        } else
            fits = fits || kind_is_static(kind);
    if (!fits) out.push_back("a measured curve or runs at one steady speed each show static laws only: " + of_points);
}

// Each pattern of files to hold out must match one.
void check_hold_out(const Record& record, const HoldOut& hold_out, std::vector<std::string>& out) {
    constexpr std::size_t listed = 8;
    for (const std::string& pattern : hold_out.runs) {
        const auto is_named = [&](const MeasuredRun& run) { return record_detail::names_run(pattern, run.name); };
        if (std::any_of(record.runs.begin(), record.runs.end(), is_named)) continue;
        std::vector<std::string> files;
        for (const MeasuredRun& run : record.runs)
            if (files.empty() || files.back() != run.name.file) files.push_back(run.name.file);
        std::string names;
        for (std::size_t i = 0; i < std::min(files.size(), listed); ++i) append_item(names, files[i]);
        if (files.size() > listed) names += " and " + std::to_string(files.size() - listed) + " more";
        out.push_back("hold_out = '" + shortened(plain_text(pattern), 60) +
                      "' matches no file of the record; the files are " + names);
    }
    if (!(hold_out.fraction >= 0 && hold_out.fraction < 0.95)) out.push_back("hold_out must be >= 0 and < 0.95");
}

}  // namespace

std::vector<std::string> problems(const Record& record, const FitOptions& options) {
    std::vector<std::string> out;
    if (record.runs.empty() || record.rows() == 0) return {"the record is empty"};
    check_channels(record, options.model, out);
    check_settings(options.model, record, out);
    check_position_output(record, options, out);
    check_laws(record, options, out);
    if (options.errors == ErrorKind::runs && record.runs.size() < 5)
        out.push_back("errors = \"runs\" needs at least 5 runs; this record has " + std::to_string(record.runs.size()));
    if (!(options.min_speed >= 0)) out.push_back("min_speed must be >= 0 m/s");
    check_hold_out(record, options.hold_out, out);
    if (options.bandwidth && !(*options.bandwidth >= 0))
        out.push_back("bandwidth must be >= 0 Hz; 0 turns the filter off");
    for (const std::string& kind : options.laws)
        if (needs_given_gain(kind, options.model) && options.model.output == Output::force)
            out.push_back(kind + " needs gain and back_emf as numbers; give them, or leave the law out");
    if (options.starts < 1) out.push_back("starts must be >= 1");
    if (!out.empty()) return out;
    const Prepared rows = prepare(record, options, options.bandwidth);
    if (!rows.points && rows.bandwidth > 0.45 * rows.sample_rate)
        return {"bandwidth must be at most 0.45 times the sample rate, " +
                std::to_string(int(0.45 * rows.sample_rate)) + " Hz; 0 turns the filter off"};
    double farthest = 0;
    for (const double x : rows.x) farthest = std::max(farthest, std::abs(x));
    std::size_t compared = 0;
    for (const std::uint8_t c : rows.compared) compared += c;
    if (compared < 8)
        out.push_back("only " + std::to_string(compared) +
                      " rows can be compared; at least 8 are needed (check from, to, where and min_speed)");
    else if (!(rows.max_speed > 0) || (!rows.points && rows.travel <= 1e-12 * farthest))
        out.push_back("nothing moves in this record");
    return out;
}

namespace {

std::string in_lines(const std::vector<std::string>& sentences) {
    std::string out;
    for (const std::string& one : sentences) append_item(out, one, "\n");
    return out;
}

}  // namespace

FitProblems::FitProblems(std::vector<std::string> all) : Error(in_lines(all)), sentences(std::move(all)) {}

void throw_problems(const Record& record, const FitOptions& options) {
    if (std::vector<std::string> all = problems(record, options); !all.empty()) throw FitProblems(std::move(all));
}

}  // namespace bristle::identification
