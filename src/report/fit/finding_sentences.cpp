// Sentences for findings: what was found, what it means, what to do.
#include "report/fit/finding_sentences.hpp"

#include "base/text.hpp"
#include "report/run/quantity.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace bristle::report {

namespace {

using Kind = FindingKind;

std::string quoted(const std::string& text) { return "\"" + plain_text(text) + "\""; }

std::string subject_or(const FitFinding& f, const char* otherwise) {
    return f.subject.empty() ? otherwise : plain_text(f.subject);
}

// " in line 12 of axis.csv"; empty if no place is known.
std::string at_line(const FitFinding& f) {
    std::string out;
    if (f.line > 0) out += " in line " + std::to_string(f.line);
    if (!f.place.empty()) out += (f.line > 0 ? " of " : " in ") + plain_text(f.place_text());
    return out;
}

// " in 3 rows, the first in line 12 of axis.csv"
std::string in_rows(const FitFinding& f) {
    if (f.count <= 1) return at_line(f);
    const std::string place = at_line(f);
    return " in " + std::to_string(f.count) + " rows" + (place.empty() ? "" : ", the first" + place);
}

// " (12 mm)"; empty if the number is not finite.
std::string in_brackets(const AxisUnits& units, double x, const std::string& unit) {
    return std::isfinite(x) ? " (" + units(x, unit) + ")" : "";
}

std::string unit_or(const FitFinding& f, const char* otherwise) { return f.unit.empty() ? otherwise : f.unit; }

// Findings of the reader about columns and rows.
std::string of_table(const FitFinding& f) {
    switch (f.kind) {
        case Kind::column_guessed:
            return "The " + subject_or(f, "quantity") + " is read from the column " + quoted(f.place) +
                   ", because of its name. Give the column in the map if this is wrong.";
        case Kind::unit_guessed:
            return "The " + subject_or(f, "quantity") + (f.place.empty() ? "" : " in the column " + quoted(f.place)) +
                   " has no unit; it is read" + (f.unit.empty() ? " in SI units" : " as " + plain_text(f.unit)) +
                   ". Give the unit in the map if this is wrong.";
        case Kind::row_rejected:
            return (f.count > 1 ? std::to_string(f.count) + " rows are not used" : "A row is not used") +
                   (f.count > 1 && !at_line(f).empty() ? ", the first" : "") + at_line(f) + ": a cell" +
                   (f.subject.empty() ? "" : " of " + quoted(f.subject)) + " is not a number. Check the file there.";
        case Kind::not_a_number:
            return "The " + subject_or(f, "record") + " is NaN or infinite" + in_rows(f) +
                   "; these rows are not compared. Check the sensor there.";
        case Kind::time_backward:
            return "Time decreases from one row to the next" + in_rows(f) +
                   ". Check the clock of the logger, or give each run as a file of its own.";
        case Kind::time_repeated:
            return "Time does not change from one row to the next" + in_rows(f) +
                   ". Check whether rows were logged twice, or log time with more digits.";
        case Kind::channel_dropped:
            return "The " + subject_or(f, "channel") + " is not used in any file: " +
                   (f.count > 1
                        ? std::to_string(f.count) + " files have no column for it" +
                              (f.place.empty() ? "" : ", the first is " + plain_text(f.place_text()))
                        : (f.place.empty() ? "one file" : plain_text(f.place_text())) + " has no column for it") +
                   ". Name the column in the map, or leave such files out.";
        default:
            return "";
    }
}

// Findings of the reader about signals.
std::string of_signals(const FitFinding& f, const AxisUnits& units) {
    switch (f.kind) {
        case Kind::time_gap:
            return "There is no row" + (std::isfinite(f.value) ? " for " + units(f.value, "s") : std::string()) +
                   (f.line > 0 ? " before line " + std::to_string(f.line) : std::string()) +
                   (f.place.empty() ? "" : " of " + plain_text(f.place_text())) +
                   ": the record is cut there into two runs. Check the logger for lost rows.";
        case Kind::rows_lost:
            return (f.count > 1 ? std::to_string(f.count) + " rows are missing, the first" : "A row is missing") +
                   (f.line > 0 ? " before line " + std::to_string(f.line) : std::string()) +
                   (f.place.empty() ? "" : " of " + plain_text(f.place_text())) +
                   (std::isfinite(f.value) ? "; the longest interval is " + units(f.value, "s") : std::string()) +
                   ". The record is resampled, and rows interpolated there are not compared. Check the logger.";
        case Kind::jitter:
            return "The sample period varies" +
                   (std::isfinite(f.value) ? ", with a standard deviation of " + units(f.value, "s") : std::string()) +
                   ". If this is large the record is resampled; log with a fixed period for the smallest errors.";
        case Kind::saturated:
            return "The " + subject_or(f, "signal") + " stays at its largest or smallest value" + in_rows(f) +
                   ". Rows of a force at its limit are not compared. Reduce the amplitude, or increase the range of "
                   "the "
                   "sensor.";
        case Kind::outlier:
            return "The " + subject_or(f, "signal") + " is far from its neighbours" + in_rows(f) +
                   (std::isfinite(f.value) && std::isfinite(f.other)
                        ? ": " + units(f.value, unit_or(f, "N")) + " between values of " +
                              units(f.other, unit_or(f, "N"))
                        : std::string()) +
                   ". Remove such rows, or use loss = \"huber\", which limits their weight.";
        case Kind::coarse_position:
            return std::string("The ") + units.position() + " has " +
                   (std::isfinite(f.value) ? "a resolution of " + units(f.value, unit_or(f, "m"))
                                           : "a low resolution") +
                   (std::isfinite(f.other) ? ", which is a velocity step of " + units(f.other, "m/s") : std::string()) +
                   " from row to row. Use a finer encoder to measure presliding and slow motion.";
        case Kind::sign_suspect:
            return std::string("The ") + units.force() +
                   " mostly drives the motion instead of opposing it. If its sign is wrong, give --force.sign -1 (in "
                   "the map sign = -1).";
        case Kind::unit_suspect:
            return "The velocity and the derivative of the " + std::string(units.position()) + " differ" +
                   (std::isfinite(f.value) ? " by the factor " + rounded(f.value, 4) : std::string()) +
                   ". Check the units of both columns.";
        case Kind::velocity_lags:
            return "The velocity column lags the " + std::string(units.position()) +
                   (std::isfinite(f.value) ? " by " + units(f.value, "s") : std::string()) +
                   ": it is filtered. Leave it out, so that the velocity is computed from the " + units.position() +
                   ".";
        default:
            return "";
    }
}

// Findings about the axis and its sensors.
std::string of_axis(const FitFinding& f, const AxisUnits& units) {
    switch (f.kind) {
        case Kind::delay:
            return std::string("The ") + units.force() + (f.value < 0 ? " leads the motion" : " lags the motion") +
                   (std::isfinite(f.value) ? " by " + units(std::abs(f.value), "s") : std::string()) +
                   (std::isfinite(f.other) ? " (" + rounded(std::abs(f.other), 3) + " samples)" : std::string()) + "." +
                   (f.other < 0 && f.other > -1.2 ? std::string(" A drive that holds each commanded ") + units.force() +
                                                        " for one sample makes it lead by half a sample."
                                                  : std::string()) +
                   " The fit compensates for this; give delay = 0 to fit without it.";
        case Kind::sensor_filter: {
            const bool known = std::isfinite(f.value) && f.value > 0;
            return std::string("The ") + units.force() + " passes a low-pass filter" +
                   (known ? " with the time constant " + units(f.value, "s") + " (" +
                                units(1 / (2 * std::numbers::pi * f.value), "Hz") + ")"
                          : std::string()) +
                   ". Faster effects such as bristle damping are attenuated; switch the filter off to measure them.";
        }
        case Kind::ripple:
            return "Friction varies periodically with the " + std::string(units.position()) +
                   (std::isfinite(f.value) ? ", with a period of " + units(f.value, unit_or(f, "m")) : std::string()) +
                   (std::isfinite(f.other) ? " and an amplitude of " + units(f.other, "N") : std::string()) +
                   ". Compare the period with the lead of the screw, the teeth of the gear and the poles of the motor.";
        case Kind::backlash:
            return "There is backlash in series with the contact" +
                   (std::isfinite(f.value) ? ": a gap of " + units(f.value, unit_or(f, "m")) : std::string()) +
                   (f.is_in_model ? ". The fit includes it."
                                  : ". Fit its width with gap = \"find\", or measure on the other side of the gap.");
        case Kind::drift:
            return "Friction changes" + (std::isfinite(f.value) ? " by " + percent(f.value) : std::string()) +
                   " over the record. Warm up the axis before the measurement, or fit parts of the record.";
        case Kind::gain_scales:
            return "The " + subject_or(f, "gain") + " only scales all " + units.force() +
                   "s: this record cannot check its value" +
                   (std::isfinite(f.value) ? ", " + rounded(f.value, 6) : std::string()) +
                   ". An error of it is an error of every " + units.force() + ".";
        case Kind::inertia_missing:
            return "The measured " + std::string(units.force()) + " contains the force of a moving inertia" +
                   (std::isfinite(f.value) ? " of about " + units(f.value, unit_or(f, "kg"), 2) : std::string()) +
                   ", which the model lacks. Give --measured actuator --inertia find (in the map measured = "
                   "\"actuator\", "
                   "inertia = \"find\").";
        case Kind::negative_inertia:
            return "The fitted inertia is negative" + in_brackets(units, f.value, unit_or(f, "kg")) + ": " +
                   units.force() + " and motion do not belong together. Check the sign of the " + units.force() +
                   " and the delay between the columns.";
        default:
            return "";
    }
}

// Findings about the curve and the fit of a law.
std::string of_law(const FitFinding& f, const AxisUnits& units) {
    switch (f.kind) {
        case Kind::fs_below_fc: {
            const bool known = std::isfinite(f.value) && std::isfinite(f.other);
            return "The curve rises from rest: " +
                   with_direction(
                       known ? "Fs = " + units(f.value, "N", 4) + " is smaller than Fc = " + units(f.other, "N", 4)
                             : std::string("Fs is smaller than Fc"),
                       f.direction) +
                   ". It is reported as measured; slower motion would show whether friction rises again at rest.";
        }
        case Kind::asymmetry: {
            const bool known = std::isfinite(f.value) && std::isfinite(f.other);
            return "Friction differs between the directions" +
                   (known ? ": " + units(f.value, "N", 4) + " for v > 0 and " + units(f.other, "N", 4) + " for v < 0"
                          : std::string()) +
                   (known ? ", at the largest speed" : "") +
                   ". The law has a curve for each direction. Check the zero of the " + units.force() + " sensor.";
        }
        case Kind::shared_level:
            return "Fc is one number for both directions, because a difference of two acts like a constant force: the "
                   "offset" +
                   in_brackets(units, f.value, unit_or(f, "N")) +
                   " carries it. The parameters with + and - carry the other differences between the directions. Give "
                   "offset = \"none\" to fit an Fc for each direction instead.";
        case Kind::concave_viscous:
            return "Friction grows less than linearly with speed. The viscous coefficient is a mean over the measured "
                   "speeds; do not use it beyond them.";
        case Kind::at_bound:
            return subject_or(f, "A parameter") + " ended at a bound of its range" +
                   in_brackets(units, f.value, f.unit) +
                   ": its interval is not reliable. Give it a value, or choose a law without it.";
        case Kind::not_identifiable:
            return subject_or(f, "A parameter") +
                   " cannot be determined from this record. Do not use its value; \"What " +
                   "to measure next\" names the missing motion.";
        case Kind::weak:
            return subject_or(f, "A parameter") + " is poorly determined" +
                   (std::isfinite(f.value) ? ": its relative standard error is " + percent(f.value, 2)
                                           : std::string()) +
                   ". Use its interval, not its value alone.";
        case Kind::inseparable:
            return subject_or(f, "A parameter") + " and " + (f.place.empty() ? "another one" : plain_text(f.place)) +
                   " can only be determined together: this motion does not separate them. Vary the motion, or give "
                   "one of them a value.";
        case Kind::correlated_residuals:
            return "The residuals are correlated" +
                   (std::isfinite(f.value) ? " over " + units(f.value, "s") : std::string()) +
                   ". The errors account for this" +
                   (std::isfinite(f.other) ? "; classic ones would be " + rounded(f.other, 2) + " times too small."
                                           : std::string("."));
        case Kind::held_out_worse: {
            const bool known = std::isfinite(f.value) && std::isfinite(f.other);
            return "The error on held-out rows is much larger than on fitted rows" +
                   (known ? ": " + percent(f.value) + " on held-out rows and " + percent(f.other) + " on fitted ones"
                          : std::string()) +
                   ". The law does not describe the whole record; look for drift or a different motion there.";
        }
        case Kind::no_law_fits:
            return "No law deserves a recommendation; the comparison gives the reason for each law. Check signs, units "
                   "and delays, then measure more kinds of motion.";
        default:
            return "";
    }
}

}  // namespace

std::string AxisUnits::name(const std::string& unit) const { return unit_if_any(axis_, unit); }

bool AxisUnits::takes_prefix(const std::string& unit) {
    constexpr std::string_view without[] = {"", "1", "1/s", "kg"};
    return std::find(std::begin(without), std::end(without), unit) == std::end(without);
}

std::string AxisUnits::operator()(double x, const std::string& unit, int digits) const {
    const std::string text = name(unit);
    if (!takes_prefix(unit)) return rounded(x, digits) + (text.empty() ? "" : " " + text);
    const Prefix prefix = prefix_for(std::abs(x) * (1 + 1e-9), 0.1);  // 999.9999 nm is 1 µm
    return rounded(x * prefix.factor, digits) + " " + prefix.letter + text;
}

std::string rounded(double x, int digits) {
    if (!std::isfinite(x) || x == 0) return readable(x, digits);
    const double unit = std::pow(10, std::floor(std::log10(std::abs(x))) + 1 - digits);
    return readable(std::round(x / unit) * unit, 8);
}

std::string percent(double fraction, int digits) {
    return std::isfinite(fraction) ? rounded(100 * fraction, digits) + " %" : "unknown";
}

std::string percent(const FitError& error) { return error.rows > 0 ? percent(error.relative) : no_value; }

std::string meaning_of(const FittedParameter& p) {
    std::string out = p.quantity == FittedQuantity::vs
                          ? "speed at which the level has changed by 63 % of the way from Fs to Fc"
                          : p.doc;
    if (p.direction != 0 && !p.doc_has_direction) append_item(out, direction_in_words(p.direction));
    if (!p.of_law()) append_item(out, "of the axis");
    return out;
}

std::string direction_in_words(int direction) { return direction > 0 ? "for v > 0" : direction < 0 ? "for v < 0" : ""; }

std::string with_direction(const std::string& text, int direction) {
    return direction == 0 ? text : text + " " + direction_in_words(direction);
}

bool states_place(FindingKind kind) {
    return kind == Kind::row_rejected || kind == Kind::not_a_number || kind == Kind::time_backward ||
           kind == Kind::time_repeated || kind == Kind::time_gap || kind == Kind::saturated || kind == Kind::outlier ||
           kind == Kind::rows_lost || kind == Kind::channel_dropped;
}

std::string sentence_of(const FitFinding& finding, const AxisUnits& units) {
    for (const std::string& text :
         {of_table(finding), of_signals(finding, units), of_axis(finding, units), of_law(finding, units)})
        if (!text.empty()) return units.words(text);
    return std::string(name_of(finding.kind)) + ".";
}

}  // namespace bristle::report
