// Tables of state names, signals and methods.
#include "simulate/names.hpp"

namespace bristle::inline simulation {

std::vector<Named> contact_states(const AnyLaw& law) {
    std::vector<Named> out;
    std::visit(
        [&]<class Law>(const Law& l) {
            if constexpr (HasElements<Law>)
                for (int i = 1; i <= l.count(); ++i)
                    out.push_back({std::string("F").append(std::to_string(i)), "N", {}, SignalRole::state});
            else if constexpr (!StaticLaw<Law>)
                out.push_back({"z", "m", {}, SignalRole::state});
        },
        law);
    return out;
}

const char* title_of(const Named& state) { return state.name == "z" ? "bristle deflection" : "force of an element"; }

std::vector<Named> state_names(const AnyLaw& law, const Rig& rig) {
    const RigInfo& info = rig.info();
    std::vector<Named> out;
    if (!rig.is_prescribed())
        out = {{info.position.name, info.position.unit, {}, SignalRole::position},
               {info.velocity.name, info.velocity.unit, {}, SignalRole::velocity}};
    for (Named& state : contact_states(law)) out.push_back(std::move(state));
    if (rig.equations().has_integral) out.push_back({"integral", "m s", {}, SignalRole::integral});
    return out;
}

SignalList signals_of(const AnyLaw& law, const Rig& rig, const Input& load) {
    const RigInfo& info = rig.info();
    const RigEquations equations = rig.equations();
    SignalList out;
    const auto add = [&](bool there, SignalRole role, std::string name, bool name_is_symbol, const char* unit,
                         const char* title, auto value, std::size_t element = 0) {
        if (!there) return;
        out.signals.push_back({std::move(name), unit, title, {}, name_is_symbol, {}, role});
        out.readers.push_back({value, element});
    };
    using S = const Snapshot&;
    using E = std::size_t;
    using Role = SignalRole;
    constexpr bool symbol = true, word = false;
    const auto& [q, q_unit, q_title, q_symbol] = info.position;
    const auto& [v, v_unit, v_title, v_symbol] = info.velocity;
    const std::vector<Named> states = contact_states(law);
    const bool one_bristle = states.size() == 1 && states[0].name == "z";
    const char* load_title = neutral_load_of(law) == 0 ? "transmitted load" : "normal load";
    add(true, Role::time, "t", symbol, "s", "time", [](S p, E) { return p.t; });
    add(true, Role::position, q, q_symbol, q_unit, q_title, [](S p, E) { return p.position; });
    add(true, Role::velocity, v, v_symbol, v_unit, v_title, [](S p, E) { return p.velocity; });
    add(equations.sense < 0, Role::other, "x", symbol, "m", "position", [](S p, E) { return p.x; });
    for (E i = 0; i < states.size(); ++i)
        add(
            true, Role::state, states[i].name, symbol, states[i].unit.c_str(), title_of(states[i]),
            [](S p, E element) { return p.z[element]; }, i);
    add(equations.has_integral, Role::integral, "integral", word, "m s", "integral of the error",
        [](S p, E) { return p.integral; });
    add(true, Role::friction, "F", symbol, "N", "friction force", [](S p, E) { return p.F; });
    add(one_bristle, Role::other, "dz", symbol, "m/s", "bristle rate", [](S p, E) { return p.dz; });
    add(info.force_title, Role::applied_force, "u", symbol, "N", info.force_title, [](S p, E) { return p.u; });
    add(info.has_belt, Role::slip, "slip", word, "m/s", "slip velocity", [](S p, E) { return p.slip; });
    add(info.has_belt, Role::other, "belt", word, "m/s", "belt speed", [](S p, E) { return p.belt; });
    add(!load.is_constant(), Role::load, "load", word, "N", load_title, [](S p, E) { return p.load; });
    add(true, Role::other, "heat", word, "J", "energy turned into heat", [](S p, E) { return p.heat; });
    add(true, Role::other, "work", word, "J", "work done on the contact", [](S p, E) { return p.work; });
    return out;
}

std::vector<Named> signal_names(const AnyLaw& law, const Rig& rig, const Input& load) {
    std::vector<Named> out;
    for (Signal& s : signals_of(law, rig, load).signals) out.push_back({s.name, s.unit, {}, s.role});
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

constexpr RoleLabel role_labels[] = {
    {"", "", "", "", ""},
    {"", "s", "time", "s", "time"},
    {"x", "m", "position", "rad", "angle"},
    {"v", "m/s", "velocity", "rad/s", "angular velocity"},
    {"s", "m", "elongation of the spring", "rad", "elongation of the spring"},
    {"F", "N", "force of the spring", "N m", "torque of the spring"},
    {"slip", "m/s", "slip velocity", "rad/s", "slip velocity"},
    {"F", "N", "friction force", "N m", "friction torque"},
    {"", "", "", "", ""},  // a state: contact_states
    {"load", "N", "load", "N m", "load"},
    {"F", "N", "applied force", "N m", "applied torque"},
    {"F", "N", "motor force", "N m", "motor torque"},
    {"r", "m", "reference", "rad", "reference"},
    {"e", "m", "tracking error", "rad", "tracking error"},
    {"u", "N", "command without its limits", "N m", "command without its limits"},
    {"I", "N", "integral part of the command", "N m", "integral part of the command"},
    {"D", "N", "derivative part of the command", "N m", "derivative part of the command"}};
static_assert(std::size(role_labels) == std::size_t(SignalRole::derivative) + 1);

}  // namespace

const RoleLabel& label_of(SignalRole role) { return role_labels[std::size_t(role)]; }
std::string signal_name(const std::string& part, const std::string& ending) { return part + "." + ending; }
std::string signal_name(const std::string& part, SignalRole role) { return signal_name(part, label_of(role).ending); }

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
