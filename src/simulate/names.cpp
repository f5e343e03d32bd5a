#include "names.hpp"

namespace bristle::simulate {

namespace {

template <class Law>
std::vector<Named> contact_states(const Law& law) {
    std::vector<Named> out;
    if constexpr (requires { law.nu; })
        for (int i = 1; i <= law.count(); ++i) out.push_back({std::string("F").append(std::to_string(i)), "N"});
    else if constexpr (!StaticLaw<Law>)
        out.push_back({"z", "m"});
    return out;
}

}  // namespace

std::vector<Named> state_names(const AnyLaw& law, RigType type) {
    const RigKind& kind = rig_of(type);
    std::vector<Named> out;
    if (type != RigType::prescribed) out = {{kind.position, kind.position_unit}, {kind.velocity, kind.velocity_unit}};
    for (Named& state : std::visit([](const auto& l) { return contact_states(l); }, law))
        out.push_back(std::move(state));
    if (type == RigType::pid_servo) out.push_back({"integral", "m s"});
    return out;
}

std::vector<Signal> signals_of(const AnyLaw& law, RigType type, const Input& load) {
    const RigKind& kind = rig_of(type);
    const bool pulled = type == RigType::pulled_spring || type == RigType::hybrid;
    std::vector<Signal> out{
        {"t", "s", "time", {}},
        {kind.position,
         kind.position_unit,
         pulled                      ? "elongation of the spring"
         : type == RigType::pendulum ? "angle"
                                     : "position",
         {}},
        {kind.velocity, kind.velocity_unit, type == RigType::pendulum ? "angular velocity" : "velocity", {}}};
    if (pulled) out.push_back({"x", "m", "position", {}});
    const auto states = std::visit([](const auto& l) { return contact_states(l); }, law);
    for (const Named& state : states)
        out.push_back({state.name, state.unit, state.name == "z" ? "bristle deflection" : "force of an element", {}});
    if (type == RigType::pid_servo) out.push_back({"integral", "m s", "integral of the error", {}});
    out.push_back({"F", "N", "friction force", {}});
    if (states.size() == 1 && states[0].name == "z") out.push_back({"dz", "m/s", "bristle rate", {}});
    if (type == RigType::forced_mass) out.push_back({"u", "N", "applied force", {}});
    if (type == RigType::pid_servo) out.push_back({"u", "N", "controller's force", {}});
    if (type == RigType::conveyor) {
        out.push_back({"slip", "m/s", "slip velocity", {}});
        out.push_back({"belt", "m/s", "belt speed", {}});
    }
    if (!load.is_constant()) out.push_back({"load", "N", "normal load", {}});
    out.push_back({"heat", "J", "energy turned into heat", {}});
    out.push_back({"work", "J", "work done on the contact", {}});
    return out;
}

std::vector<Named> signal_names(const AnyLaw& law, RigType type, const Input& load) {
    std::vector<Named> out;
    for (Signal& s : signals_of(law, type, load)) out.push_back({s.name, s.unit});
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

const char* name_of(Event::Kind kind) {
    return kind == Event::Kind::v_zero ? "v_zero" : kind == Event::Kind::stick_begin ? "stick_begin" : "stick_end";
}

}  // namespace bristle::simulate
