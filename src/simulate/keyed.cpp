// Numbers of a set-up by key: one visitor over law, rig, load, input and start serves reading, writing and listing.
#include <bristle/simulate/keyed.hpp>

#include <bristle/base/error.hpp>
#include <bristle/describe.hpp>

#include <algorithm>
#include <numbers>

#include "simulate/simulate_law.hpp"

namespace bristle::inline simulation {

namespace {

constexpr double turn = 2 * std::numbers::pi;

// Calls visit(section, name, unit, reference) for each number that is stored as it is written.
template <class AnySetup, class Visit>
void visit_stored(AnySetup& setup, Visit&& visit) {
    std::visit(
        [&](auto& law) {
            law.parameters(law, [&](const Parameter& p, auto& x) { visit("law.", full_name(p), p.unit, x); });
        },
        setup.law);
    setup.rig.parameters([&](const Parameter& p, auto& x) { visit("rig.", std::string(p.name), p.unit, x); });
    if (setup.load.kind == Input::Kind::constant) visit("", std::string("load"), "N", setup.load.wave.offset);
    const char* unit = setup.rig.input_unit();
    auto& wave = setup.input.wave;
    if (setup.input.kind == Input::Kind::constant && setup.rig.info().takes_input)
        visit("input.", std::string("value"), unit, wave.offset);
    if (setup.input.kind == Input::Kind::wave && wave.bend == 0) {
        visit("input.", std::string("offset"), unit, wave.offset);
        visit("input.", std::string("amplitude"), unit, wave.amplitude);
        visit("input.", std::string("omega"), "rad/s", wave.omega);
        visit("input.", std::string("phase"), "rad", wave.phase);
    }
}

// Other spellings of one number.
std::string canonical(std::string_view key) { return key == "law.load" ? "load" : std::string(key); }
bool is_frequency(std::string_view key) { return key == "input.frequency"; }

// Sets the number at a key and those that follow it; false if there is none.
bool set_stored(Setup& setup, const std::string& key, double value) {
    bool found = false;
    double before = 0;
    visit_stored(setup, [&](const char* section, const std::string& name, const char*, double& x) {
        if (section + name != key) return;
        before = x;
        x = value;
        found = true;
    });
    if (!found || !key.starts_with("law.")) return found;
    const std::string name = key.substr(4);
    std::visit(
        [&](auto& law) {
            law.parameters(law, [&](const Parameter& p, double& x) {
                if (p.fallback && name == p.fallback && x == before) x = value;
            });
        },
        setup.law);
    return true;
}

// "; it has rig.mass, rig.stiffness, rig.velocity": the keys of the same section, or all sections.
std::string known_keys(const Setup& setup, const std::string& key) {
    const std::string section = key.substr(0, key.find('.') + 1);
    const auto numbers = numbers_of(setup);
    const bool same = std::any_of(numbers.begin(), numbers.end(),
                                  [&](const KeyedNumber& n) { return !section.empty() && n.key.starts_with(section); });
    std::string list;
    for (const KeyedNumber& n : numbers)
        if (!same || n.key.starts_with(section)) list += (list.empty() ? "; it has " : ", ") + n.key;
    return list;
}

}  // namespace

std::vector<KeyedNumber> numbers_of(const Setup& setup) {
    std::vector<KeyedNumber> all;
    visit_stored(setup, [&](const char* section, const std::string& name, const char* unit, const double& x) {
        all.push_back({section + name, x, unit});
    });
    for (const Named& state : state_names(setup.law, setup.rig))
        all.push_back({"start." + state.name, start_of(setup, state.name), state.unit});
    return all;
}

std::optional<double> number_at(const Setup& setup, std::string_view key) {
    if (is_frequency(key)) {
        const auto omega = number_at(setup, "input.omega");
        return omega ? std::optional(*omega / turn) : std::nullopt;
    }
    const std::string wanted = canonical(key);
    for (const KeyedNumber& number : numbers_of(setup))
        if (number.key == wanted) return number.value;
    return std::nullopt;
}

Setup with_number(const Setup& setup, std::string_view key, double value) {
    Setup changed = setup;
    if (is_frequency(key)) return with_number(setup, "input.omega", turn * value);
    const std::string wanted = canonical(key);
    if (set_stored(changed, wanted, value)) return changed;
    for (const Named& state : state_names(setup.law, setup.rig))
        if (wanted == "start." + state.name) {
            changed.start[state.name] = value;
            return changed;
        }
    throw Error("the set-up has no number " + wanted + known_keys(setup, wanted));
}

}  // namespace bristle::simulation
