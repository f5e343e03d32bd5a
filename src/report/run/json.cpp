#include "report/run/json.hpp"
#include "report/run/quantity.hpp"
#include "base/text.hpp"
#include <charconv>
#include <cmath>

namespace bristle::report {

namespace {

// A value of --set: as a number where it is one.
Json value_of(const std::string& text) {
    double x = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), x);
    if (problem == std::errc{} && end == text.data() + text.size() && std::isfinite(x)) return x;
    return text;
}

Json experiment_of(const Outcome& outcome) {
    const experiment::Experiment& e = outcome.experiment;
    return {{"name", e.name}, {"title", e.title}, {"source", e.source}, {"set", json_of(outcome.overrides)}};
}

Json final_of(const Outcome& outcome) {
    Json last = Json::object();
    const auto take = [&](const std::string& name) {
        if (const Signal* signal = outcome.result.signal(name); signal && !signal->values.empty())
            last[name] = signal->values.back();
    };
    const Setup& setup = outcome.experiment.setup;
    take("t");
    for (const Named& state : state_names(setup.law, setup.rig)) take(state.name);
    return last;
}

Json signals_of(const Outcome& outcome) {
    Json all = Json::object();
    for (const Signal& signal : outcome.result.signals)
        all[signal.name] = {{"unit", unit_of(outcome.experiment, signal.unit)}, {"values", signal.values}};
    return all;
}

Json events_of(const Outcome& outcome) {
    Json all = Json::array();
    for (const Event& event : outcome.result.events) all.push_back({{"t", event.t}, {"kind", name_of(event.kind)}});
    return all;
}

Json measures_of(const Outcome& outcome) {
    const Measures& m = outcome.result.measures;
    Json all = Json::object();
    if (outcome.experiment.setup.run.stick_speed > 0) {
        all["stick_begin"] = m.stick_begin;
        all["stick_end"] = m.stick_end;
    }
    const auto put = [&](const char* name, const std::optional<double>& x) {
        if (x) all[name] = *x;
    };
    put("period", m.period);
    put("breakaway_force", m.breakaway_force);
    put("drift", m.drift);
    put("amplitude", m.amplitude);
    put("loop_area", m.loop_area);
    put("amplitude_decay", m.amplitude_decay);
    all["max"] = m.max;
    all["min"] = m.min;
    all["final"] = m.final;
    return all;
}

Json energy_of(const Outcome& outcome) {
    const Energy& e = outcome.result.energy;
    Json stores = Json::object();
    for (const auto& store : e.stores) stores[store.name] = {{"start", store.start}, {"end", store.end}};
    return {{"supplied", e.supplied},   {"stored", e.stored()},     {"dissipated", e.dissipated},
            {"residual", e.residual()}, {"numerical", e.numerical}, {"scale", e.scale},
            {"stores", stores}};
}

Json statistics_of(const Outcome& outcome) {
    const Statistics& s = outcome.result.statistics;
    return {{"steps", s.steps},
            {"rejected", s.rejected},
            {"evaluations", s.evaluations},
            {"reversals", s.reversals},
            {"method", method_of(outcome.experiment.setup)}};
}

}  // namespace

Json json_of(const std::vector<experiment::Override>& overrides) {
    Json out = Json::object();
    for (const auto& [key, value] : overrides) out[key] = value_of(value);
    return out;
}

Json claims_of(const Outcome& outcome) {
    Json all = Json::array();
    for (const auto& [claim, measured, holds] : outcome.verdicts) {
        Json one = {{"text", claim.text}, {"source", claim.source}, {"measure", claim.measure}};
        if (!claim.signal.empty()) one["signal"] = claim.signal;
        if (claim.at > 0) one["at"] = claim.at;
        if (claim.time) one["time"] = *claim.time;
        one["measured"] = measured ? Json(*measured) : Json(nullptr);
        one["expected"] = {claim.low, claim.high};
        one["unit"] = unit_of_measure(outcome.experiment, claim.measure, claim.signal);
        one["holds"] = holds;
        all.push_back(std::move(one));
    }
    return all;
}

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

namespace {

// One line for each member, and for each member of `signals`: short enough to look at, and a diff shows what changed.
std::string lines_of(const Json& object, bool top) {
    std::string out = "{";
    const char* between = "\n";
    for (const auto& [key, value] : object.items()) {
        out += between + text_of(key) + ": " + (top && key == "signals" ? lines_of(value, false) : text_of(value));
        between = ",\n";
    }
    return out + "\n}";
}

std::string object_of(const Outcome& outcome) {
    const Json object = {{"experiment", experiment_of(outcome)}, {"final", final_of(outcome)},
                         {"signals", signals_of(outcome)},       {"events", events_of(outcome)},
                         {"measures", measures_of(outcome)},     {"energy", energy_of(outcome)},
                         {"statistics", statistics_of(outcome)}, {"claims", claims_of(outcome)}};
    return lines_of(object, true);
}

}  // namespace

std::string json(const std::vector<Outcome>& outcomes) {
    if (outcomes.size() == 1) return object_of(outcomes.front()) + '\n';
    std::string out = "{\"runs\": [";
    for (std::size_t i = 0; i < outcomes.size(); ++i) out += (i == 0 ? "\n" : ",\n") + object_of(outcomes[i]);
    return out + "\n]}\n";
}

}  // namespace bristle::report
