#include <bristle/simulate/rig.hpp>

namespace bristle::simulate {

namespace {

using bound::nonnegative, bound::positive;
constexpr Bound any{-bound::infinite, bound::infinite, false, "must be a finite number"};

constexpr Parameter mass{"mass", "kg", "mass that moves", positive};
constexpr Parameter stiffness{"stiffness", "N/m", "stiffness of the spring", positive};
constexpr Parameter velocity{"velocity", "m/s", "speed of the spring's far end", any};
constexpr Parameter gravity{"gravity", "m/s^2", "acceleration of gravity", positive};

constexpr Parameter of_forced_mass[] = {mass};
constexpr Parameter of_pulled_spring[] = {mass, stiffness, velocity};
constexpr Parameter of_pid_servo[] = {mass,
                                      {"Kv", "N s/m", "gain on the velocity", nonnegative},
                                      {"Kp", "N/m", "gain on the error", nonnegative},
                                      {"Ki", "N/(m s)", "gain on the integral of the error", nonnegative},
                                      {"target", "m", "position to reach", any}};
constexpr Parameter of_conveyor[] = {mass,
                                     stiffness,
                                     gravity,
                                     {"belt_speed", "m/s", "final speed of the belt", any},
                                     {"belt_time", "s", "time constant of its start", positive}};
constexpr Parameter of_pendulum[] = {mass,
                                     {"length", "m", "from the joint to the mass", positive},
                                     gravity,
                                     {"radius", "m", "of the joint, where the friction acts", positive}};

using Values = std::span<const double>;
constexpr RigKind kinds[] = {
    {RigType::prescribed,
     "prescribed",
     "a contact whose motion is given",
     {},
     [](Values) { return Rig{}; },
     "x",
     "v",
     "m",
     "m/s",
     true},
    {RigType::forced_mass, "forced_mass", "a mass pushed by a force", of_forced_mass,
     [](Values p) { return Rig::forced_mass(p[0]); }, "x", "v", "m", "m/s", true},
    {RigType::pulled_spring, "pulled_spring", "a mass pulled through a spring at constant speed", of_pulled_spring,
     [](Values p) { return Rig::pulled_spring(p[0], p[1], p[2]); }, "elongation", "v", "m", "m/s", false},
    {RigType::pid_servo, "pid_servo", "a mass held at a target by a PID controller", of_pid_servo,
     [](Values p) { return Rig::pid_servo(p[0], p[1], p[2], p[3], p[4]); }, "x", "v", "m", "m/s", false},
    {RigType::conveyor, "conveyor", "a block on a belt, held by a spring", of_conveyor,
     [](Values p) { return Rig::conveyor(p[0], p[1], p[3], p[4]); }, "x", "v", "m", "m/s", false},
    {RigType::pendulum, "pendulum", "a pendulum with friction in its joint", of_pendulum,
     [](Values p) { return Rig::pendulum(p[0], p[1], p[2], p[3]); }, "theta", "omega", "rad", "rad/s", false},
    {RigType::hybrid, "hybrid", "pulled_spring with Coulomb friction, in closed form", of_pulled_spring,
     [](Values p) { return Rig::pulled_spring(p[0], p[1], p[2]); }, "elongation", "v", "m", "m/s", false},
};

}  // namespace

std::span<const RigKind> rig_kinds() { return kinds; }

const RigKind* rig_of_kind(std::string_view name) {
    for (const RigKind& kind : kinds)
        if (name == kind.name) return &kind;
    return nullptr;
}
const RigKind& rig_of(RigType type) { return kinds[static_cast<std::size_t>(type)]; }

}  // namespace bristle::simulate
