// Sections of a map, read into RecordMap and FitOptions.
#include "base/text.hpp"
#include "experiment/document.hpp"
#include "experiment/read_map.hpp"
#include "experiment/section.hpp"
#include "identify/record/units.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::experiment {

namespace {

// A column by its name or number; empty if there is none.
ColumnName column_in(Section& section, std::string_view key) {
    const Node* node = section.find(key);
    if (!node) return {};
    if (node->kind == Node::Kind::string) {
        const auto text = section.text(key);
        if (text && text->empty()) section.diagnose(key, "must name a column: its name, or its number from 1");
        return text.value_or("");
    }
    if (node->kind == Node::Kind::integer && node->number >= 1 && node->number <= 1e6)
        return ColumnName::numbered(static_cast<std::size_t>(node->number));
    section.diagnose(key, "must name a column: its name, or its number from 1");
    return {};
}

std::optional<double> bounded(Section& section, std::string_view key, double low, double high, const char* rule,
                              const char* unit = "") {
    const auto x = section.number(key);
    if (!x || (*x >= low && *x <= high)) return x;
    section.diagnose(key, rule, unit);
    return {};
}
std::optional<double> whole(Section& section, std::string_view key, double low, double high) {
    const auto x = section.number(key);
    if (!x || (*x >= low && *x <= high && *x == std::floor(*x))) return x;
    section.diagnose(key, "must be a whole number from " + std::to_string(static_cast<long>(low)) + " to " +
                              std::to_string(static_cast<long long>(high)));
    return {};
}

constexpr double no_limit = std::numeric_limits<double>::max();

// A number, "find" or "none". low: the smallest number allowed.
void read_setting(Section& section, std::string_view key, Setting& setting, double low, const char* unit) {
    const Node* node = section.find(key);
    if (!node) return;
    if (node->kind == Node::Kind::string && node->text == "find") {
        setting = Setting::find();
    } else if (node->kind == Node::Kind::string && node->text == "none") {
        setting = {};
    } else if (node->is_number()) {
        if (const auto x = bounded(section, key, low, no_limit, "must be >= 0", unit)) setting = Setting::given(*x);
    } else {
        section.diagnose(key, "must be a number, \"find\" or \"none\"");
    }
}

void read_unit(Section& section, Measurand quantity, Channel& channel) {
    const auto text = section.text("unit");
    if (!text) return;
    const auto* unit = record_detail::find_unit(*text);
    const std::string known = record_detail::known_units(quantity);
    if (!unit)
        return section.diagnose("unit",
                                "is not a known unit of " + std::string(name_of(quantity)) + "; known: " + known);
    using record_detail::Dimension;
    if (unit->dimension == Dimension::relative || unit->dimension == Dimension::count)
        return section.diagnose("unit", "has no size; give gain, and the unit of gain * column: " + known);
    if (!record_detail::fits(*unit, quantity))
        return section.diagnose("unit", "is no unit of " + std::string(name_of(quantity)) + "; known: " + known);
    channel.unit = *text;
}

void read_channel(Section section, Measurand quantity, Channel& channel) {
    channel.column = column_in(section, "column");
    read_unit(section, quantity, channel);
    if (const auto x = section.number("sign")) {
        if (*x == 1 || *x == -1)
            channel.sign = *x;
        else
            section.diagnose("sign", "must be 1 or -1");
    }
    const auto not_zero = [&](const char* key, double& value) {
        const auto x = section.number(key);
        if (x && *x == 0) section.diagnose(key, "must not be 0");
        if (x && *x != 0) value = *x;
    };
    not_zero("gain", channel.gain);
    not_zero("gear", channel.gear);
    channel.wrap = bounded(section, "wrap", 0, no_limit, "must be >= 0").value_or(0);
    if (channel.wrap > 0 && quantity != Measurand::position)
        section.diagnose("wrap", "only a position can wrap around");
    channel.bits = static_cast<int>(whole(section, "bits", 2, 53).value_or(0));
    channel.times = column_in(section, "times");
    const bool lags = quantity == Measurand::force || quantity == Measurand::current || quantity == Measurand::voltage;
    if (!lags && section.has("delay")) {
        section.find("delay");
        section.diagnose("delay", "only force, current and voltage can have a delay");
    } else {
        read_setting(section, "delay", channel.delay, -no_limit, "s");
    }
    section.close();
}

void read_record_section(Section section, FitMap& request) {
    for (const MeasurandInfo& info : measurand_table()) {
        Channel& channel = request.map[info.quantity];
        const Node* node = section.find(info.name);
        if (!node) continue;
        if (node->kind == Node::Kind::table)
            read_channel(section.below(info.name), info.quantity, channel);
        else
            channel.column = column_in(section, info.name);
        if (channel.delay.kind != Setting::Kind::absent) request.options.model.delay = channel.delay;
    }
    request.map.table = section.text("table").value_or("");
    section.close();
}

void read_model_section(Section section, FitModel& model) {
    model.measured = Measured(section.choice("measured", {"friction", "actuator", "voltage"}, 0).value_or(0));
    read_setting(section, "inertia", model.inertia, 0, "kg");
    read_setting(section, "armature", model.armature, 0, "kg");
    read_setting(section, "gravity", model.gravity, -no_limit, "N");
    read_setting(section, "gravity_cos", model.gravity_cos, -no_limit, "N");
    read_setting(section, "offset", model.offset, -no_limit, "N");
    read_setting(section, "gain", model.gain, -no_limit, "");
    read_setting(section, "back_emf", model.back_emf, -no_limit, "");
    read_setting(section, "gap", model.gap, 0, "m");
    read_setting(section, "delay", model.delay, -no_limit, "s");
    read_setting(section, "load", model.load, 0, "N");
    model.ripple = section.yes_or_no("ripple").value_or(model.ripple);
    model.directions = Directions(section.choice("directions", {"auto", "same", "own"}, 0).value_or(0));
    model.output = Output(section.choice("output", {"force", "position"}, 0).value_or(0));
    model.segment = bounded(section, "segment", 1e-9, no_limit, "must be > 0", "s").value_or(model.segment);
    section.close();
}

// 0.3, "second half", "none", "file*.csv" or ["file*.csv"]
void read_hold_out(Section& section, HoldOut& hold_out) {
    const Node* node = section.find("hold_out");
    if (!node) return;
    hold_out = {};
    if (node->is_number()) {
        hold_out.fraction = bounded(section, "hold_out", 0, 0.9, "must be from 0 to 0.9").value_or(0);
    } else if (node->kind == Node::Kind::string) {
        const auto text = section.text("hold_out");
        if (!text || *text == "none") return;
        if (*text == "second half")
            hold_out.fraction = 0.5;
        else if (text->find_first_of(".*?[") != text->npos)
            hold_out.runs = {*text};
        else
            section.diagnose(
                "hold_out", "must be a fraction, \"second half\", \"none\", or names of files such as [\"run3*.csv\"]");
    } else if (const Node* list = section.list("hold_out")) {
        for (std::size_t i = 0; i < list->items.size(); ++i) {
            const Node& item = list->items[i];
            if (item.kind == Node::Kind::string && !item.text.empty())
                hold_out.runs.push_back(item.text);
            else
                section.diagnose_item("hold_out", i, "must be the name of a file, as in \"run3*.csv\"");
        }
        if (list->items.empty()) section.diagnose("hold_out", "must name at least one file");
    }
}

void read_use_section(Section section, FitMap& request) {
    request.map.from = section.number("from");
    request.map.to = section.number("to");
    if (request.map.from && request.map.to && !(*request.map.from < *request.map.to))
        section.diagnose("to", "must be larger than use.from", "s");
    request.options.min_speed = bounded(section, "min_speed", 0, no_limit, "must be >= 0", "m/s").value_or(0);
    request.map.where = column_in(section, "where");
    read_hold_out(section, request.options.hold_out);
    section.close();
}

void read_laws(Section& section, std::vector<std::string>& laws) {
    const Node* node = section.find("law");
    if (!node) return;
    Words kinds;
    for_each_law([&](const auto& entry) { kinds.emplace_back(entry.kind); });
    const auto add = [&](const Node& item, auto diagnose) {
        if (item.kind == Node::Kind::string && item.text == "all") return;
        if (item.kind == Node::Kind::string && std::find(kinds.begin(), kinds.end(), item.text) != kinds.end())
            laws.push_back(item.text);
        else
            diagnose("must be all, " + listed(kinds) +
                     (item.kind == Node::Kind::string ? suggestion(item.text, kinds) : ""));
    };
    const bool has_all = node->kind == Node::Kind::list && node->items.size() > 1 &&
                         std::any_of(node->items.begin(), node->items.end(), [](const Node& item) {
                             return item.kind == Node::Kind::string && item.text == "all";
                         });
    if (has_all) section.diagnose("law", "all cannot be combined with other laws; give all alone, or the laws to fit");
    if (node->kind != Node::Kind::list)
        return add(*node, [&](std::string rule) { section.diagnose("law", std::move(rule)); });
    for (std::size_t i = 0; i < node->items.size(); ++i)
        add(node->items[i], [&](std::string rule) { section.diagnose_item("law", i, std::move(rule)); });
}

void read_fit_section(Section section, FitOptions& options) {
    read_laws(section, options.laws);
    options.bandwidth = bounded(section, "bandwidth", 0, no_limit, "must be >= 0", "Hz");
    options.starts = static_cast<int>(whole(section, "starts", 1, 1000).value_or(options.starts));
    options.errors = ErrorKind(section.choice("errors", {"correlated", "runs", "bootstrap"}, 0).value_or(0));
    options.resamples = static_cast<int>(whole(section, "resamples", 10, 1e6).value_or(options.resamples));
    options.seed = static_cast<std::uint64_t>(whole(section, "seed", 0, 9e15).value_or(1));
    options.loss = Loss(section.choice("loss", {"squares", "huber"}, 0).value_or(0));
    section.close();
}

// Applies one flag. A channel that is a plain column (position = "x", or --position x) becomes a section, so that other flags can add
// keys to it.
void apply_to_map(Document& document, const Override& one) {
    for (const MeasurandInfo& info : measurand_table()) {
        const std::string channel = std::string("record.") + info.name;
        if (one.key != channel && !one.key.starts_with(channel + ".")) continue;
        const Node* record = document.root().find("record");
        const Node* node = record ? record->find(info.name) : nullptr;
        if (node && (node->kind == Node::Kind::string || node->is_number())) {
            const Node column = *node;
            document.apply({Override(channel, "{}"), Override(channel + ".column", column.text, column)});
        }
        const bool is_column =
            one.key == channel ? one.value.kind != Node::Kind::table : one.key == channel + ".column";
        // a flag that looks like a number or a date is still a name
        const bool quoted = one.value.kind == Node::Kind::string;
        if (is_column)
            return document.apply(
                {Override(channel + ".column", one.text, text_node(quoted ? one.value.text : one.text))});
    }
    document.apply({one});
}

// Sets the place of each problem to the file or the flag.
void name_places(Diagnostics& diagnostics, const std::string& file) {
    for (Diagnostic& diagnostic : diagnostics) {
        if (diagnostic.place.empty()) diagnostic.place = file;
        if (diagnostic.place != place_of_overrides) continue;
        diagnostic.place = flag_of(diagnostic.key);
    }
    std::stable_sort(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& a, const Diagnostic& b) {
        return std::pair(a.line == 0, a.line) < std::pair(b.line == 0, b.line);
    });
}

}  // namespace

FitMap read_map(const std::string& text, const std::string& name, const std::vector<Override>& overrides) {
    Document document(text, name);
    for (const Override& one : overrides) apply_to_map(document, one);
    FitMap result;
    Diagnostics diagnostics = document.diagnostics();
    Section file(&document.root(), "", diagnostics);
    read_record_section(file.below("record"), result);
    read_model_section(file.below("model"), result.options.model);
    read_use_section(file.below("use"), result);
    read_fit_section(file.below("fit"), result.options);
    file.close();
    if (diagnostics.empty()) return result;
    name_places(diagnostics, document.name());
    throw Unreadable(diagnostics);
}

}  // namespace bristle::experiment
