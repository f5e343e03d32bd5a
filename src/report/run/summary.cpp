// A run in a few lines for people.
#include "report/run/machine_parts.hpp"
#include "report/run/quantity.hpp"
#include "base/text.hpp"
#include "simulate/names.hpp"
#include <bristle/describe.hpp>
#include <algorithm>

namespace bristle::report {

namespace {

std::string with_unit(double x, const std::string& unit) { return quantity(x, unit.c_str(), 6); }

void line(std::string& out, const char* head, const std::string& text) {
    if (text.empty()) return;
    out.append("  ").append(head);
    out.append(11 - std::string_view(head).size(), ' ').append(text) += '\n';
}

std::string setup_of(const experiment::Experiment& experiment) {
    const Run& run = experiment.run();
    const Setup& setup = experiment.setup;
    std::string text = experiment.machine ? parts_in_words(*experiment.machine)
                                          : std::string(kind_of(setup.law)) + " friction, " +
                                                in_words_of_axis(experiment, setup.rig.info().title);
    text += ", " + readable(run.duration) + " s, " + method_of(run);
    if (run.method == Method::hybrid) return text;
    return text + (info_of(run.method).fixed_step ? " with step " + readable(run.step) + " s"
                                                  : " with rtol " + readable(run.rtol));
}

std::string final_of(const Outcome& outcome) {
    std::string text;
    for (const Named& state : states_of(outcome.experiment))
        if (const Signal* signal = outcome.result.signal(state.name); signal && !signal->values.empty())
            append_item(text, plain_text(state.name) + " = " +
                                  with_unit(signal->values.back(), unit_of(outcome.experiment, signal->unit)));
    return text;
}

// The first intervals of stick; the last ends with the run if the contact still sticks.
std::string sticks_of(const Measures& measures, double duration) {
    constexpr std::size_t shown = 4;
    std::vector<std::pair<double, std::optional<double>>> all;
    std::size_t next = 0;
    for (const double begin : measures.stick_begin) {
        while (next < measures.stick_end.size() && measures.stick_end[next] <= begin) ++next;
        all.emplace_back(begin,
                         next < measures.stick_end.size() ? std::optional(measures.stick_end[next]) : std::nullopt);
    }
    std::string text;
    // a run that begins in stick has no event for that
    const bool from_start =
        !measures.stick_end.empty() && (all.empty() || measures.stick_end.front() < all.front().first);
    if (from_start) append_item(text, "until " + readable(measures.stick_end.front()) + " s");
    for (std::size_t i = 0; i < std::min(all.size(), shown); ++i)
        append_item(text, readable(all[i].first) + " to " + readable(all[i].second.value_or(duration)) + " s");
    if (all.size() > shown) append_item(text, "... (" + std::to_string(all.size() + from_start) + " in all)");
    return text;
}

std::string measures_of(const Outcome& outcome) {
    std::string text;
    for (const auto& [kind, x] : run_measures(outcome.result))
        append_item(text,
                    std::string(kind->name) + " = " + with_unit(x, unit_of_measure(outcome.experiment, kind->name)));
    return text;
}

// "servo: hunting_period = 0.38777 s, hunting_amplitude = 0.026217 rad"
std::string servo_in_words(const Outcome& outcome, const std::string& controller) {
    std::string text;
    for (const auto& [kind, x] : servo_measures(outcome.result, controller))
        append_item(text,
                    std::string(kind->name) + " = " +
                        with_unit(x, unit_of_measure(outcome.experiment, kind->name,
                                                     kind->unit ? "" : signal_name(controller, SignalRole::error))));
    return text.empty() ? "" : plain_text(controller) + ": " + text;
}

std::string energy_of(const Energy& e) {
    std::string text = "supplied " + readable(e.supplied) + " J = stored " + readable(e.stored()) + " + dissipated " +
                       readable(e.dissipated);
    if (e.numerical != 0) text += " + numerical " + readable(e.numerical);
    return text + ", residual " + readable(e.residual(), 2) + " J";
}

std::string statistics_of(const Statistics& s) {
    return std::to_string(s.steps) + " steps, " + std::to_string(s.rejected) + " rejected, " +
           std::to_string(s.evaluations) + " evaluations, " + std::to_string(s.reversals) + " reversals";
}

}  // namespace

ClaimParts parts_of(double low, double high, const std::optional<double>& measured) {
    const double x = measured.value_or(low);
    const int digits = distinguishing_digits({low, high, x}, 6);
    return {"", measured ? readable(x, digits) : "did not occur", readable(low, digits), readable(high, digits),
            measured.has_value()};
}

ClaimParts parts_of(const experiment::Verdict& verdict) {
    const experiment::Claim& claim = verdict.claim;
    std::string what = plain_text(claim.measure);
    if (!claim.signal.empty()) what.append(" ").append(plain_text(claim.signal));
    if (!claim.part.empty()) what.append(" ").append(plain_text(claim.part));
    if (claim.at > 0) what.append(" ").append(std::to_string(claim.at));
    if (claim.time) what.append(" at ").append(readable(*claim.time)).append(" s");
    ClaimParts out = parts_of(claim.low, claim.high, verdict.measured);
    out.measure = what;
    return out;
}

std::string unchecked_claims(const Outcome& outcome) {
    const std::size_t claims = outcome.experiment.claims.size();
    if (outcome.experiment.changes.empty() || claims == 0) return "";
    return claims == 1 ? "1 claim is not checked: it is for the file's own values, which --set changes"
                       : std::to_string(claims) +
                             " claims are not checked: they are for the file's own values, which --set changes";
}

std::string claim_in_words(const experiment::Experiment& experiment, const experiment::Verdict& verdict) {
    const experiment::Claim& claim = verdict.claim;
    const ClaimParts parts = parts_of(verdict);
    std::string unit = unit_of_measure(experiment, claim.measure, claim.signal);
    if (!unit.empty()) unit = " " + unit;
    std::string text = plain_text(claim.text);
    text.append(text.empty() ? "" : ": ").append(parts.measure).append(verdict.measured ? " = " : " ");
    text.append(parts.measured).append(parts.found ? unit : "").append(verdict.holds ? ", in [" : ", not in [");
    text.append(parts.low).append(", ").append(parts.high).append("]").append(unit);
    return claim.source.empty() ? text : text + " (" + plain_text(claim.source) + ')';
}

std::string figure_title(const experiment::Experiment& experiment, const std::vector<experiment::Override>& labelled) {
    const auto is_in_label = [&](const experiment::Override& one) {
        return std::any_of(labelled.begin(), labelled.end(), [&](const auto& l) { return l.key == one.key; });
    };
    std::string out = plain_text(experiment.title);
    for (const experiment::Override& one : experiment.changes) {
        if (is_in_label(one)) continue;
        const std::string unit = one.value.is_number() ? unit_of_key(experiment, one.key) : "";
        append_item(out, plain_text(one.key) + " = " + shortened(plain_text(one.text), 40));
        if (!unit.empty()) out.append(" ").append(unit);
    }
    return out;
}

std::string titled(const experiment::Experiment& experiment) {
    const std::string name = plain_text(experiment.name), title = figure_title(experiment);
    return title.empty() ? name : name + ": " + title;
}

std::string summary(const Outcome& outcome) {
    const experiment::Experiment& e = outcome.experiment;
    std::string out = titled(e);
    if (!e.source.empty()) out += " (" + plain_text(e.source) + ')';
    out += '\n';
    line(out, "run", setup_of(e));
    line(out, "end", final_of(outcome));
    line(out, "stick", sticks_of(outcome.result.measures, e.run().duration));
    if (e.machine)
        for (const ContactPart& contact : e.machine->contacts) {
            const std::string sticks = sticks_of(measures_of_contact(outcome.result, contact.name), e.run().duration);
            line(out, "stick", sticks.empty() ? "" : plain_text(contact.name) + ": " + sticks);
        }
    line(out, "measures", measures_of(outcome));
    for (const ServoMeasures& servo : outcome.result.servos) line(out, "measures", servo_in_words(outcome, servo.name));
    line(out, "energy", energy_of(outcome.result.energy));
    if (e.machine)
        for (const auto& [head, text] : energy_by_part(outcome.result.energy)) line(out, head, plain_text(text));
    line(out, "solver", e.run().method == Method::hybrid ? "" : statistics_of(outcome.result.statistics));
    for (const experiment::Verdict& verdict : outcome.verdicts)
        line(out, verdict.holds ? "holds" : "FAILS", claim_in_words(e, verdict));
    line(out, "skipped", unchecked_claims(outcome));
    return out;
}

}  // namespace bristle::report
