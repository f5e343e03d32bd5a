// [[claim]]: the measures, the intervals in which they must lie, and whether they do.
#include "experiment/keys.hpp"
#include "experiment/parts.hpp"
#include "simulate/names.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::experiment {

namespace {

using Of = MeasureKind::Of;

std::optional<double> occurrence(const Result& result, Event::Kind kind, const Claim& claim) {
    int at = claim.at;
    for (const Event& event : result.events)
        if (event.kind == kind && event.part == claim.part && --at == 0) return event.t;
    return {};
}
std::optional<double> of_signal(const std::map<std::string, double>& values, const std::string& signal) {
    const auto found = values.find(signal);
    if (found == values.end()) return {};
    return found->second;
}
std::optional<double> at_time(const Result& result, const Claim& claim) {
    const auto found = result.measures.at.find(claim.time.value_or(-1));
    if (found == result.measures.at.end()) return {};
    return of_signal(found->second, claim.signal);
}

// A measure of the controller that the claim names.
template <std::optional<double> ServoMeasures::*measure>
std::optional<double> of_servo(const Result& result, const Claim& claim) {
    for (const ServoMeasures& servo : result.servos)
        if (servo.name == claim.part) return servo.*measure;
    return {};
}

std::optional<double> relative_residual(const Result& result, const Claim&) {
    if (result.signals.empty()) return {};
    const Energy& energy = result.energy;
    return energy.scale == 0 ? 0 : energy.residual() / energy.scale;  // scale 0: nothing moved
}

using R = const Result&;
using C = const Claim&;
constexpr MeasureKind all_measures[] = {
    {"stick_begin", Of::stick, "s", [](R r, C c) { return occurrence(r, Event::Kind::stick_begin, c); },
     "time at which the contact begins to stick [s]", true},
    {"stick_end", Of::stick, "s", [](R r, C c) { return occurrence(r, Event::Kind::stick_end, c); },
     "time at which it stops sticking [s]", true},
    {"v_zero", Of::occurrence, "s", [](R r, C c) { return occurrence(r, Event::Kind::v_zero, c); },
     "time at which the contact's velocity passes through zero [s]"},
    {"period", Of::run, "s", [](R r, C) { return r.measures.period; },
     "between the last two stick_end with slip in the same direction, else the last two upward crossings of the "
     "position's mean [s]"},
    {"breakaway_force", Of::run, "N", [](R r, C) { return r.measures.breakaway_force; },
     "largest |F| before |v| first exceeds 10 vs (10 stick_speed without vs) [N]", true},
    {"drift", Of::run, nullptr, [](R r, C) { return r.measures.drift; },
     "position of the mass at the end minus that at half time [m]"},
    {"amplitude", Of::run, nullptr, [](R r, C) { return r.measures.amplitude; },
     "half peak to peak of the position over the last period [m]"},
    {"loop_area", Of::run, "J", [](R r, C) { return r.measures.loop_area; },
     "closed integral of F dx over the last input period [J]"},
    {"amplitude_decay", Of::run, nullptr, [](R r, C) { return r.measures.amplitude_decay; },
     "mean difference of successive maxima of the position [m]"},
    {"hunting_period", Of::servo, "s", of_servo<&ServoMeasures::period>,
     "of a controlled axis of a machine that hunts about a reference at rest: the whole cycle [s]"},
    {"hunting_amplitude", Of::servo, nullptr, of_servo<&ServoMeasures::amplitude>,
     "half peak to peak of the position over that cycle [m]"},
    {"tracking_error", Of::servo, nullptr, of_servo<&ServoMeasures::tracking_error>,
     "largest |e| while the reference moves [m]"},
    {"quadrant_glitch", Of::servo, nullptr, of_servo<&ServoMeasures::quadrant_glitch>,
     "largest |e| from a reversal of the reference until it moves at half its largest speed [m]"},
    {"settling_time", Of::servo, "s", of_servo<&ServoMeasures::settling_time>,
     "from the end of the last move until |e| stays below 2 % of the range of the reference [s]"},
    {"stuck_error", Of::servo, nullptr, of_servo<&ServoMeasures::stuck_error>, "e at the end, at rest [m]"},
    {"residual", Of::energy, "", relative_residual,
     "residual of the energy balance, as a fraction of the sum of its terms"},
    {"max", Of::signal, nullptr, [](R r, C c) { return of_signal(r.measures.max, c.signal); },
     "largest value of a signal"},
    {"min", Of::signal, nullptr, [](R r, C c) { return of_signal(r.measures.min, c.signal); },
     "smallest value of a signal"},
    {"final", Of::signal, nullptr, [](R r, C c) { return of_signal(r.measures.final, c.signal); },
     "value of a signal at the end"},
    {"value", Of::instant, nullptr, at_time, "value of a signal at a time"},
};

void read_signal(Section& section, Claim& claim, const ClaimContext& context) {
    if (!context.signals)
        claim.signal = section.text("signal").value_or("");
    else if (const auto index = section.choice("signal", names_of(*context.signals)))
        claim.signal = (*context.signals)[*index].name;
}

// The part of a machine that is meant, one of a kind. May be left out if there is only one.
void read_part(Section& section, Claim& claim, Words names, const std::string& kind) {
    std::erase(names, "");  // reported where the name is missing
    if (names.size() == 1 && !section.has("part")) claim.part = names.front();
    if (names.empty())
        section.diagnose("measure", "needs a " + kind + "; this machine has none");
    else if (const auto index = claim.part.empty() ? section.choice("part", names) : std::nullopt)
        claim.part = names[*index];
}

void read_between(Section& section, Claim& claim) {
    const bool there = section.has("between");
    const Node* list = section.list("between");
    if (!there) return section.missing("between", "[low, high]");
    if (!list) return;
    const auto number = [&](std::size_t i) {
        return list->items[i].is_number() && std::isfinite(list->items[i].number);
    };
    if (list->items.size() != 2 || !number(0) || !number(1))
        return section.diagnose("between", "must be two finite numbers: [low, high]");
    claim.low = list->items[0].number;
    claim.high = list->items[1].number;
    if (claim.low > claim.high) section.diagnose("between", "the first number must be <= the second");
}

void read_time(Section& section, Claim& claim, double duration) {
    constexpr Key time{{"time", "s", "from the start of the run", {0, 1e300, true, "must be a finite number >= 0"}},
                       {}};
    claim.time = section.number(time);
    if (claim.time && duration > 0 && *claim.time > duration)
        section.diagnose("time", "must be <= run.duration, the end of the run");
}

Claim read_claim(Section section, const ClaimContext& context) {
    Claim claim{};
    claim.source = section.text("source").value_or("");
    claim.text = section.text("text").value_or("");
    read_between(section, claim);
    const auto index = section.choice("measure", names_of(all_measures));
    if (!index) return claim;
    const MeasureKind& kind = all_measures[*index];
    claim.measure = kind.name;
    if (kind.of == Of::signal || kind.of == Of::instant) read_signal(section, claim, context);
    if (kind.of == Of::instant) read_time(section, claim, context.duration);
    if (kind.of == Of::run && context.machine)
        section.diagnose("measure",
                         "is a measure of a rig with one contact; for machines use events, residual, or signals");
    if (kind.of == Of::servo) {
        if (context.machine)
            read_part(section, claim, names_of(context.machine->controllers), "controller");
        else
            section.diagnose("measure", "is a measure of a controller; only a machine with [[controller]] has it");
        if (!kind.unit) claim.signal = signal_name(claim.part, SignalRole::error);
    }
    if (kind.of == Of::occurrence || kind.of == Of::stick) {
        constexpr Key at{{"at", "1", "which occurrence, from 1", {1, 1e9, true, "must be a whole number >= 1"}}, 1.0};
        const double n = section.number(at).value_or(1);
        if (n != std::floor(n)) section.diagnose("at", at.parameter.bound.rule);
        claim.at = static_cast<int>(n);
        if (context.machine) read_part(section, claim, names_of(context.machine->contacts), "contact");
    }
    const auto law = context.without_stick_speed.find(claim.part);
    if (kind.needs_stick_speed && law != context.without_stick_speed.end())
        section.diagnose("measure", "needs run.stick_speed [m/s], because " + law->second +
                                        " has no Stribeck velocity; add stick_speed to [run]");
    section.close();
    return claim;
}

}  // namespace

std::span<const MeasureKind> measure_kinds() { return all_measures; }
const MeasureKind* find_measure(std::string_view name) {
    const auto found =
        std::find_if(std::begin(all_measures), std::end(all_measures), [&](const auto& k) { return name == k.name; });
    return found == std::end(all_measures) ? nullptr : found;
}

std::vector<Claim> read_claims(Section& file, const ClaimContext& context) {
    std::vector<Claim> claims;
    const Node* list = file.list("claim");
    for (std::size_t i = 0; list && i < list->items.size(); ++i) {
        if (list->items[i].kind != Node::Kind::table)
            file.diagnose_item("claim", i, "must be a section: [[claim]]");
        else
            claims.push_back(
                read_claim({&list->items[i], "claim[" + std::to_string(i + 1) + "]", file.diagnostics()}, context));
    }
    return claims;
}

std::vector<Verdict> judge(const Experiment& experiment, const Result& result) {
    std::vector<Verdict> verdicts;
    for (const Claim& claim : experiment.claims) {
        Verdict verdict{claim, {}, false};
        if (const MeasureKind* kind = find_measure(claim.measure)) verdict.measured = kind->value(result, claim);
        // NaN does not hold
        verdict.holds = verdict.measured && *verdict.measured >= claim.low && *verdict.measured <= claim.high;
        verdicts.push_back(verdict);
    }
    return verdicts;
}

}  // namespace bristle::experiment
