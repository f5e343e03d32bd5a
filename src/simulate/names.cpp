// Tables of state names, signals and methods.
#include "simulate/names.hpp"

namespace bristle::inline simulation {

namespace {

template <class Law>
std::vector<Named> contact_states(const Law& law) {
    std::vector<Named> out;
    if constexpr (HasElements<Law>)
        for (int i = 1; i <= law.count(); ++i) out.push_back({std::string("F").append(std::to_string(i)), "N"});
    else if constexpr (!StaticLaw<Law>)
        out.push_back({"z", "m"});
    return out;
}

}  // namespace

std::vector<Named> state_names(const AnyLaw& law, const Rig& rig) {
    const RigInfo& info = rig.info();
    std::vector<Named> out;
    if (!rig.is_prescribed())
        out = {{info.position.name, info.position.unit}, {info.velocity.name, info.velocity.unit}};
    for (Named& state : std::visit([](const auto& l) { return contact_states(l); }, law))
        out.push_back(std::move(state));
    if (rig.equations().has_integral) out.push_back({"integral", "m s"});
    return out;
}

SignalList signals_of(const AnyLaw& law, const Rig& rig, const Input& load) {
    const RigInfo& info = rig.info();
    const RigEquations equations = rig.equations();
    SignalList out;
    const auto add = [&](bool there, std::string name, bool name_is_symbol, const char* unit, const char* title,
                         auto value, std::size_t element = 0) {
        if (!there) return;
        out.signals.push_back({std::move(name), unit, title, {}, name_is_symbol});
        out.readers.push_back({value, element});
    };
    using S = const Snapshot&;
    using E = std::size_t;
    constexpr bool symbol = true, word = false;
    const auto& [q, q_unit, q_title, q_symbol] = info.position;
    const auto& [v, v_unit, v_title, v_symbol] = info.velocity;
    const auto states = std::visit([](const auto& l) { return contact_states(l); }, law);
    const bool one_bristle = states.size() == 1 && states[0].name == "z";
    add(true, "t", symbol, "s", "time", [](S p, E) { return p.t; });
    add(true, q, q_symbol, q_unit, q_title, [](S p, E) { return p.position; });
    add(true, v, v_symbol, v_unit, v_title, [](S p, E) { return p.velocity; });
    add(equations.sense < 0, "x", symbol, "m", "position", [](S p, E) { return p.x; });
    for (E i = 0; i < states.size(); ++i)
        add(
            true, states[i].name, symbol, states[i].unit.c_str(),
            one_bristle ? "bristle deflection" : "force of an element", [](S p, E element) { return p.z[element]; }, i);
    add(equations.has_integral, "integral", word, "m s", "integral of the error", [](S p, E) { return p.integral; });
    add(true, "F", symbol, "N", "friction force", [](S p, E) { return p.F; });
    add(one_bristle, "dz", symbol, "m/s", "bristle rate", [](S p, E) { return p.dz; });
    add(info.force_title, "u", symbol, "N", info.force_title, [](S p, E) { return p.u; });
    add(info.has_belt, "slip", word, "m/s", "slip velocity", [](S p, E) { return p.slip; });
    add(info.has_belt, "belt", word, "m/s", "belt speed", [](S p, E) { return p.belt; });
    add(!load.is_constant(), "load", word, "N", neutral_load_of(law) == 0 ? "transmitted load" : "normal load",
        [](S p, E) { return p.load; });
    add(true, "heat", word, "J", "energy turned into heat", [](S p, E) { return p.heat; });
    add(true, "work", word, "J", "work done on the contact", [](S p, E) { return p.work; });
    return out;
}

std::vector<Named> signal_names(const AnyLaw& law, const Rig& rig, const Input& load) {
    std::vector<Named> out;
    for (Signal& s : signals_of(law, rig, load).signals) out.push_back({s.name, s.unit});
    return out;
}

double stribeck_velocity(const AnyLaw& law) {
    double found = 0;
    std::visit(
        [&](const auto& l) {
            std::remove_cvref_t<decltype(l)>::parameters(l, [&](const Parameter& p, const double& value) {
                if (std::string_view(p.name) == "vs" && value > found) found = value;
            });
        },
        law);
    return found;
}

double stick_speed(const Setup& setup) {
    return setup.run.stick_speed > 0 ? setup.run.stick_speed : stribeck_velocity(setup.law);
}

namespace {

constexpr MethodInfo all_methods[] = {
    {Method::adaptive, "adaptive", "Rodas5P, order 5, variable step; locates reversals and stops", false},
    {Method::coupled, "coupled", "fixed step; mass and contact solved together, energy balance exact", true},
    {Method::explicit_, "explicit", "fixed step; the force is taken from the start of the step", true},
    {Method::cvode, "cvode", "CVODE (SUNDIALS), as a referee; laws that do not switch", false},
    {Method::hybrid, "hybrid", "closed form of stick and slip; pulled_spring with the law coulomb", false}};

}  // namespace

std::span<const MethodInfo> methods() { return all_methods; }
const MethodInfo& info_of(Method method) { return all_methods[std::size_t(method)]; }

const char* name_of(Event::Kind kind) {
    return kind == Event::Kind::v_zero ? "v_zero" : kind == Event::Kind::stick_begin ? "stick_begin" : "stick_end";
}

}  // namespace bristle::simulation
