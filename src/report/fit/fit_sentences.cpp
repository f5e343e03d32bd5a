// Sentences on the laws and parameters of a fit: verdicts, notes, next measurements, errors.
#include "base/text.hpp"
#include "report/fit/fit_report.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::report {

namespace {

using Motion = NextMeasurement::Motion;

std::string reason_in_words(const LawFit& law) {
    switch (law.reason) {
        case RefusalReason::none:
            return "";
        case RefusalReason::fails_held_out:
            return "fails on the held-out rows";
        case RefusalReason::no_better_than_simpler:
            return "no better than " + (law.than.empty() ? "a law" : plain_text(law.than)) +
                   ", which has fewer parameters";
        case RefusalReason::negative_inertia:
            return "needs a negative inertia";
        case RefusalReason::inertia_missing:
            return "the force contains an inertia that the model lacks";
        case RefusalReason::did_not_converge:
            return "the fit did not converge";
    }
    return "";
}

// "10 µm/s to 5 mm/s"; empty if no range is given.
std::string speeds(const NextMeasurement& next, const AxisUnits& units) {
    if (next.low > 0 && next.high > next.low) return units(next.low, "m/s", 2) + " to " + units(next.high, "m/s", 2);
    if (next.high > 0) return "up to " + units(next.high, "m/s", 2);
    return "";
}

// True for a parameter of the curve without viscous friction.
bool is_of_curve(const std::optional<FittedQuantity>& parameter) {
    return parameter && (is_level(*parameter) || *parameter == FittedQuantity::vs);
}

// The motion as an instruction, without its sample rate.
std::string motion_in_words(const NextMeasurement& next, const AxisUnits& units) {
    const std::string range = speeds(next, units), at = range.empty() ? "" : " at speeds of " + range;
    const std::string amplitude = next.amplitude > 0 ? units(next.amplitude, "m", 2) : "";
    switch (next.motion) {
        case Motion::slow_reversals:
            return "reverse slowly and often" + (range.empty() ? "" : ", with speeds of " + range) +
                   (amplitude.empty() ? "" : " and an amplitude of " + amplitude) +
                   ", so that stick and the rise of friction are visible";
        case Motion::presliding:
            return "oscillate within presliding" +
                   (amplitude.empty() ? std::string(", with an amplitude below the breakaway displacement")
                                      : ", with an amplitude of about " + amplitude) +
                   at;
        case Motion::constant_speeds:
            return "slide at constant speeds" + (range.empty() ? "" : " of " + range) +
                   ", at least eight of them, evenly spaced in the logarithm, in both directions";
        case Motion::step_from_rest:
            return "start from rest with steps of " + std::string(units.force()) + " below and above breakaway" + at;
    }
    return "";
}

}  // namespace

const FitFinding* first_cause(const FitResult& result) {
    if (!result.laws.empty() && result.has_recommendation) return nullptr;
    for (const FindingKind cause : {FindingKind::sign_suspect, FindingKind::inertia_missing})
        for (const FitFinding& f : result.findings)
            if (f.kind == cause) return &f;
    return nullptr;
}

std::string value_in_words(const FittedParameter& p, const AxisUnits& units, std::span<const FittedParameter> all) {
    const ValueText text = value_text(p, units, all);
    if (!text.value) return no_value;
    const std::string error = text.interval     ? " " + *text.interval
                              : text.half_width ? " ± " + *text.half_width
                                                : std::string();
    return *text.value + error + (text.unit.empty() ? "" : " " + text.unit);
}

std::string name_with_directions(const LawFit& law) {
    return plain_text(law.kind) + (law.own_directions ? " +/-" : "");
}

std::string verdict_in_words(const LawFit& law) {
    const std::string reason = reason_in_words(law);
    switch (law.verdict) {
        case LawVerdict::recommended:
            return "recommended";
        case LawVerdict::usable:
            return reason.empty() ? "usable" : "usable: " + reason;
        case LawVerdict::refused:
            return reason.empty() ? "refused" : "refused: " + reason;
    }
    return "";
}

std::string note_of(const FittedParameter& p) {
    std::string out;
    if (p.identifiable == Identifiable::no) out = "not determined";
    if (p.identifiable == Identifiable::weak) out = "weak";
    if (p.at_bound) append_item(out, "at bound");
    return out;
}

std::vector<std::string> outlook_sentences(const Outlook& outlook, const AxisUnits& units) {
    std::string yes, weak, no;
    for (const FittedParameter& p : outlook.parameters) {
        // the sentence on the single level names them
        if (!outlook.level.empty() && p.is_level()) continue;
        const Identifiable determined = p.determined();
        append_item(determined == Identifiable::yes    ? yes
                    : determined == Identifiable::weak ? weak
                                                       : no,
                    plain_text(p.name));
    }
    std::vector<std::string> out;
    constexpr double largest_error = 0.3;  // relative to the force
    if (outlook.fit.rows > 0 && outlook.fit.relative > largest_error)
        return {plain_text(outlook.kind) + " does not describe this record (error " + percent(outlook.fit) +
                "): its parameters mean little here, whatever their intervals are."};
    if (!yes.empty()) out.push_back("This record determines " + yes + " of " + plain_text(outlook.kind) + ".");
    std::string level;
    for (const FittedParameter& p : outlook.level)
        append_item(level, with_direction(value_in_words(p, units, outlook.level), p.direction));
    if (!level.empty())
        out.push_back(
            std::string(yes.empty() ? "This record" : "It") + " determines one level, Fs = Fc = " + level +
            ". It does not separate Fs from Fc: slide farther, and at speeds from far below to far above vs.");
    if (!weak.empty())
        out.push_back(std::string(yes.empty() && level.empty() ? "This record" : "It") +
                      " determines weakly (interval above half of the value, or at a bound): " + weak + ".");
    if (!no.empty())
        out.push_back(std::string(yes.empty() && weak.empty() && level.empty() ? "This record" : "It") +
                      " cannot determine: " + no + ".");
    for (const FitFinding& f : outlook.findings)
        if (outlook.level.empty() || !(is_of_curve(f.parameter) && is_of_curve(f.other_parameter)))
            out.push_back(plain_text(f.subject) + " and " + plain_text(f.place) +
                          " act alike in this motion: only a combination of both is determined.");
    return out;
}

std::vector<std::string> next_sentences(const FitResult& result, const AxisUnits& units) {
    if (const FitFinding* cause = first_cause(result))
        return {std::string("Nothing yet: fit this record with ") +
                (cause->kind == FindingKind::sign_suspect ? "--force.sign -1" : "--measured actuator --inertia find") +
                " first."};
    struct Step {
        std::string parameters, motion;
        double rate;
    };
    std::vector<Step> steps;
    for (const NextMeasurement& next : result.next) {
        const std::string motion = motion_in_words(next, units);
        const auto same = std::find_if(steps.begin(), steps.end(), [&](const Step& s) { return s.motion == motion; });
        if (same == steps.end()) {
            steps.push_back({plain_text(next.parameter), motion, next.sample_rate});
        } else {
            append_item(same->parameters, plain_text(next.parameter));
            same->rate = std::max(same->rate, next.sample_rate);
        }
    }
    std::vector<std::string> out;
    for (const Step& step : steps)
        out.push_back("To determine " + step.parameters + ": " + step.motion +
                      (step.rate > 0 ? "; sample at " + units(step.rate, "Hz", 2) + " or faster." : "."));
    if (!out.empty()) return out;
    const bool of_outlook = result.laws.empty();
    bool missing = of_outlook ? result.outlook.parameters.empty() : !result.has_recommendation;
    for (const FittedParameter& p : of_outlook ? result.outlook.parameters : result.best().parameters)
        missing = missing || p.identifiable != Identifiable::yes;
    if (missing) return {"No motion is known that would determine what is missing."};
    return {"This record determines every parameter of " +
            (of_outlook ? plain_text(result.outlook.kind) : std::string("the recommended law")) + "."};
}

std::string errors_in_words(const FitResult& result) {
    switch (result.method.errors) {
        case ErrorKind::correlated:
            return "Standard errors are robust to correlated residuals (Newey and West 1987).";
        case ErrorKind::runs:
            return "Standard errors are robust to residuals that are correlated within a run (clusters of runs).";
        case ErrorKind::bootstrap:
            return "Standard errors are computed by a wild block bootstrap: random signs of whole blocks of residuals.";
    }
    return "";
}

}  // namespace bristle::report
