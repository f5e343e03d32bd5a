// [input] and [load]: signals of time.
#include "experiment/document.hpp"
#include "experiment/keys.hpp"
#include "experiment/parts.hpp"

#include <bristle/describe.hpp>
#include <bristle/simulate/check.hpp>

#include <algorithm>
#include <fstream>
#include <limits>
#include <numbers>

namespace bristle::experiment {

namespace {

constexpr std::string_view displacement_units[] = {"m", "rad"}, velocity_units[] = {"m/s", "rad/s"};
constexpr double max_periods = 1e7;             // in one run
constexpr std::uintmax_t max_bytes = 1u << 26;  // of a csv file

std::optional<Input> read_constant(Section& section) {
    const auto value = section.number(keys::value);
    if (!value) return {};
    return Input::constant(*value);
}

// Steps or ramps.
std::optional<Input> read_list(Section& section, Input::Kind kind, std::size_t least) {
    if (!section.find("points")) section.missing("points", "[[t in s, value], ...]");
    const auto pairs = section.pairs("points");
    if (!pairs) return {};
    const std::size_t before = section.diagnostics().size();
    Input input{kind, {}, {}};
    for (const auto& [t, value] : *pairs) input.points.push_back({t, value});
    if (input.points.size() < least)
        section.diagnose("points", least == 1 ? "must have at least one point" : "must have at least two points");
    for (std::size_t i = 0; i < input.points.size(); ++i)
        if (const char* rule = broken_rule(input, i)) section.diagnose_item("points", i, rule);
    if (section.diagnostics().size() > before) return {};
    return input;
}

std::optional<Input> read_moves(Section& section) {
    const auto from = section.number(keys::from), speed = section.number(keys::speed),
               acceleration = section.number(keys::acceleration);
    const double no_limit = std::numeric_limits<double>::infinity();
    const auto jerk = section.number(Key{keys::jerk.parameter, no_limit});
    if (!section.find("points")) section.missing("points", "[[t in s, target], ...]");
    const auto pairs = section.pairs("points");
    if (!from || !speed || !acceleration || !jerk || !pairs) return {};
    std::vector<Point> targets;
    for (const auto& [t, value] : *pairs) targets.push_back({t, value});
    Input input = Input::moves(*from, std::move(targets), {*speed, *acceleration, *jerk});
    const std::size_t before = section.diagnostics().size();
    if (input.points.empty()) section.diagnose("points", "must have at least one point");
    for (std::size_t i = 0; i < input.points.size(); ++i)
        if (const char* rule = broken_rule(input, i)) section.diagnose_item("points", i, rule);
    if (section.diagnostics().size() > before) return {};
    return input;
}

// Reports a frequency that makes more than max_periods in the run.
bool too_fast(Section& section, const char* key, double frequency, double duration) {
    if (!(frequency * duration > max_periods)) return false;
    section.diagnose(key, "makes " + quantity(frequency * duration, "") + " periods in the run; at most 1e7");
    return true;
}

std::optional<Input> read_sine(Section& section, double duration) {
    const auto offset = section.number(keys::offset), amplitude = section.number(keys::amplitude),
               phase = section.number(keys::phase);
    const char *frequency = keys::frequency.parameter.name, *omega = keys::omega.parameter.name;
    const bool in_hertz = section.has(frequency), in_radians = section.has(omega);
    section.find(frequency);
    section.find(omega);
    if (in_hertz == in_radians) {
        if (in_hertz)
            section.diagnose(omega, "is given beside frequency; give one of the two");
        else
            section.missing(frequency, "in Hz, or omega in rad/s");
        return {};
    }
    const auto rate = section.number(in_hertz ? keys::frequency : keys::omega);
    if (!offset || !amplitude || !phase || !rate) return {};
    constexpr double turn = 2 * std::numbers::pi;
    if (too_fast(section, in_hertz ? frequency : omega, in_hertz ? *rate : *rate / turn, duration)) return {};
    return Input::sine(*offset, *amplitude, in_hertz ? turn * *rate : *rate, *phase);
}

std::optional<Input> read_chirp(Section& section, double duration) {
    const auto offset = section.number(keys::offset), amplitude = section.number(keys::amplitude),
               f0 = section.number(keys::f0), f1 = section.number(keys::f1);
    if (!offset || !amplitude || !f0 || !f1) return {};
    if (too_fast(section, *f0 > *f1 ? "f0" : "f1", std::max(*f0, *f1), duration)) return {};
    return Input::chirp(*offset, *amplitude, *f0, *f1, duration);
}

std::optional<Input> read_csv(Section& section, const InputContext& context) {
    if (!section.has("file")) {
        section.find("file");
        section.missing("file", "the csv file, with its path from the folder of the experiment");
        return {};
    }
    const auto name = section.text("file");
    if (!name) return {};
    const auto path = context.folder / *name;
    const std::string key = path.string() + " [" + std::string(context.units.front()) + "]";
    if (const auto kept = context.csv_files ? context.csv_files->find(key) : nullptr) return Input::ramps(*kept);
    std::error_code error;  // the name can contain anything: a NUL or too many characters must not throw
    const bool regular = std::filesystem::is_regular_file(path, error);
    const auto size = regular ? std::filesystem::file_size(path, error) : 0;
    std::ifstream file;
    if (regular) file.open(path, std::ios::binary);
    if (!regular || !file) {
        section.diagnose("file", "is not a readable file; its path is relative to the folder of the experiment");
        return {};
    }
    if (size > max_bytes) {
        section.diagnose("file", "must not be larger than 64 MB");
        return {};
    }
    std::string text(static_cast<std::size_t>(size), '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    auto points = read_points(text, printable(*name), context.units, section.diagnostics());
    if (points.empty()) return {};
    if (context.csv_files) context.csv_files->keep(key, std::make_shared<const std::vector<Point>>(points));
    return Input::ramps(std::move(points));
}

}  // namespace

InputContext input_context(const Document& document, double duration) {
    return {.duration = duration > 0 ? duration : 1,
            .folder = document.folder(),
            .units = force_units,
            .csv_files = &document.csv_files()};
}

std::optional<Input> read_input(Section& section, const InputContext& context) {
    const auto kind = section.choice("kind", names_of(input_kinds));
    if (!kind) return {};
    std::optional<Input> input;
    switch (input_kinds[*kind].type) {
        case InputType::constant:
            input = read_constant(section);
            break;
        case InputType::steps:
            input = read_list(section, Input::Kind::steps, 1);
            break;
        case InputType::ramps:
            input = read_list(section, Input::Kind::ramps, 2);
            break;
        case InputType::moves:
            input = read_moves(section);
            break;
        case InputType::sine:
            input = read_sine(section, context.duration);
            break;
        case InputType::chirp:
            input = read_chirp(section, context.duration);
            break;
        case InputType::csv:
            input = read_csv(section, context);
            break;
    }
    return input;
}

std::optional<Input> read_motion(Section& section, InputContext context, Quantity& quantity) {
    quantity = Quantity(section.choice("quantity", {"velocity", "displacement"}, 0).value_or(0));
    context.units = quantity == Quantity::displacement ? std::span(displacement_units) : std::span(velocity_units);
    return read_input(section, context);
}

std::optional<std::string> unit_in_input(std::string_view name, std::string own) {
    const auto key = std::find_if(std::begin(input_keys), std::end(input_keys),
                                  [&](const Key& one) { return name == one.parameter.name; });
    if (key == std::end(input_keys)) return {};
    if (*key->parameter.unit) return key->parameter.unit;
    if (key->rate == 0) return own;
    int power = key->rate;
    if (own.ends_with("/s")) {
        own.resize(own.size() - 2);
        ++power;
    }
    return own + "/s" + (power > 1 ? "^" + std::to_string(power) : "");
}

}  // namespace bristle::experiment
