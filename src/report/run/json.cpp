// Runs as JSON: experiment, signals, events, measures, energy, claims. Signals are written as text at once, not as a tree of values,
// because they can have a million samples.
#include "report/run/json.hpp"
#include "experiment/keys.hpp"
#include "report/run/machine_parts.hpp"
#include "report/run/quantity.hpp"
#include "base/text.hpp"
#include <algorithm>
#include <cmath>

namespace bristle::report {

namespace {

// A value of --set by its kind; lists, dates and numbers that JSON does not have as they were typed.
Json value_of(const experiment::Override& one) {
    using Kind = experiment::Node::Kind;
    if (one.value.is_number() && std::isfinite(one.value.number)) return one.value.number;
    if (one.value.kind == Kind::boolean) return one.value.number != 0;
    return one.value.kind == Kind::string ? one.value.text : one.text;
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
    take("t");
    for (const Named& state : states_of(outcome.experiment)) take(state.name);
    return last;
}

Json events_of(const Outcome& outcome) {
    Json all = Json::array();
    for (const Event& event : outcome.result.events) {
        all.push_back({{"t", event.t}, {"kind", name_of(event.kind)}});
        if (!event.part.empty()) all.back()["part"] = event.part;
    }
    return all;
}

Json measures_of(const Outcome& outcome) {
    const Measures& m = outcome.result.measures;
    Json all = Json::object();
    if (!outcome.experiment.machine && outcome.experiment.setup.run.stick_speed > 0) {
        all["stick_begin"] = m.stick_begin;
        all["stick_end"] = m.stick_end;
    }
    for (const auto& [kind, x] : run_measures(outcome.result)) all[kind->name] = x;
    for (const ServoMeasures& servo : outcome.result.servos) {
        Json& one = all["controllers"][servo.name] = Json::object();
        for (const auto& [kind, x] : servo_measures(outcome.result, servo.name)) one[kind->name] = x;
    }
    all["max"] = m.max;
    all["min"] = m.min;
    all["final"] = m.final;
    return all;
}

Json energy_of(const Outcome& outcome) {
    const Energy& e = outcome.result.energy;
    Json stores = Json::object();
    for (const auto& store : e.stores) stores[store.name] = {{"start", store.start}, {"end", store.end}};
    Json out{{"supplied", e.supplied},   {"stored", e.stored()},     {"dissipated", e.dissipated},
             {"residual", e.residual()}, {"numerical", e.numerical}, {"scale", e.scale},
             {"stores", stores}};
    for (const Energy::Part& part : e.parts) {
        Json& one = out["parts"][part.name] = {{"start", part.start},           {"end", part.end},
                                               {"received", part.received},     {"supplied", part.supplied},
                                               {"dissipated", part.dissipated}, {"residual", part.residual()}};
        if (part.numerical != 0) one["numerical"] = part.numerical;
    }
    return out;
}

Json statistics_of(const Outcome& outcome) {
    const Statistics& s = outcome.result.statistics;
    return {{"steps", s.steps},
            {"rejected", s.rejected},
            {"evaluations", s.evaluations},
            {"reversals", s.reversals},
            {"method", method_of(outcome.experiment.run())}};
}

}  // namespace

Json number_or_null(std::optional<double> x) { return x && std::isfinite(*x) ? Json(*x) : Json(); }

Json json_of(const std::vector<experiment::Override>& overrides) {
    Json out = Json::object();
    for (const experiment::Override& one : overrides) out[one.key] = value_of(one);
    return out;
}

Json claims_of(const Outcome& outcome) {
    Json all = Json::array();
    for (const auto& [claim, measured, holds] : outcome.verdicts) {
        Json one = {{"text", claim.text}, {"source", claim.source}, {"measure", claim.measure}};
        if (!claim.signal.empty()) one["signal"] = claim.signal;
        if (!claim.part.empty()) one["part"] = claim.part;
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

std::string lines_of(const Json& json, std::initializer_list<std::string_view> spread) {
    const bool list = json.is_array();
    std::string out = list ? "[" : "{";
    const char* between = "\n";
    for (const auto& [key, value] : json.items()) {
        const bool lines = std::find(spread.begin(), spread.end(), key) != spread.end();
        out += between + (list ? "" : text_of(key) + ": ") + (lines ? lines_of(value) : text_of(value));
        between = ",\n";
    }
    return out + (list ? "\n]" : "\n}");
}

namespace {

// As the JSON library writes a number; null if it is not finite.
void append(std::string& out, double x) {
    char digits[64];
    if (std::isfinite(x))
        out.append(digits, nlohmann::detail::to_chars(digits, digits + sizeof digits, x));
    else
        out += "null";
}

// A million samples are 20 MB of text: written value by value, without a JSON object.
void append_signals(std::string& out, const Outcome& outcome) {
    out += '{';
    const char* between = "\n";
    for (const Signal& signal : outcome.result.signals) {
        out += between + text_of(signal.name) + ": {\"unit\":" + text_of(unit_of(outcome.experiment, signal.unit)) +
               ",\"values\":[";
        for (std::size_t i = 0; i < signal.values.size(); ++i) {
            if (i > 0) out += ',';
            append(out, signal.values[i]);
        }
        out += "]}";
        between = ",\n";
    }
    out += "\n}";
}

void append_run(std::string& out, const Outcome& outcome) {
    const auto member = [&](const char* name, const Json& value) {
        out.append(",\n\"").append(name).append("\": ").append(text_of(value));
    };
    out += "{\n\"experiment\": " + text_of(experiment_of(outcome));
    member("final", final_of(outcome));
    out += ",\n\"signals\": ";
    append_signals(out, outcome);
    member("events", events_of(outcome));
    member("measures", measures_of(outcome));
    member("energy", energy_of(outcome));
    member("statistics", statistics_of(outcome));
    member("claims", claims_of(outcome));
    member("claims_skipped", outcome.experiment.changes.empty() ? 0 : outcome.experiment.claims.size());
    out += "\n}";
}

}  // namespace

std::string run_text(const std::vector<Outcome>& outcomes) {
    std::string out;
    if (outcomes.size() == 1) {
        append_run(out, outcomes.front());
        out += '\n';
        return out;
    }
    out = "{\"runs\": [";
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        out += i == 0 ? "\n" : ",\n";
        append_run(out, outcomes[i]);
    }
    out += "\n]}\n";
    return out;
}

}  // namespace bristle::report
