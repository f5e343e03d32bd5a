// Machine: bodies on a line or about an axis, prescribed motions, springs, gears, forces, motors with controllers, and contacts with a
// law each.
//
//   Machine axis{
//       .bodies = {{.name = "motor", .mass = 1e-3, .rotary = true}, {.name = "load", .mass = 5e-3, .rotary = true}},
//       .springs = {{.name = "shaft", .first = "motor", .second = "load", .stiffness = 40}},
//       .contacts = {{.name = "bearing", .first = "load", .law = LuGre{...}}},
//       .forces = {{.name = "torque", .body = "motor", .value = Input::sine(0, 1, 6, 0)}},
//       .run = {.duration = 2}};
//   Result run = simulate(axis);
//   run.signal("load.v")->values;      // rad/s
//   run.energy.parts;                  // energy ledger of each part [J]
//
// Equations, K08 (28)-(34): the parts are connected so that no power is lost between them.
//   body      m dv/dt = force + sum of the forces of the other parts
//   spring    s = x_first - x_second - rest length; F = stiffness s + damping ds/dt while |s| >= gap/2, with s reduced by gap/2;
//             F = 0 while |s| < gap/2. F is subtracted at first and added at second
//   gear      v_driver = ratio v_driven. One coordinate for both bodies, so the constraint does not drift
//   contact   c = v_first - v_second, F from the law at c; F is subtracted at first and added at second
//   motion    velocity or position given
//   motor     force on a body, from a command or a controller (Motor, Controller)
// Units: N, m, kg; rotary parts N m, rad, kg m^2. A spring or a contact has two rotary or two linear ends; a gear may join a rotary and a
// linear body, as a rack does.
// Numbers of parts with units, ranges and meaning: simulate/machine_parameters.hpp.
// Sign: F of a contact has the sign of c; F > 0 of a spring pulls first and second together.
// Dry static laws at rest are held by constraint forces. If several held contacts carry one force (a body on two dry guides),
// the split is not determined by statics; it changes least from the last one: the sum of dF^2/m_c is smallest, m_c being the mass that the
// contact alone would move.
// Limits: at most 16 bodies and 16 contacts. Positions enter through springs only. The damping of a spring with a gap acts outside
// the gap only, so its force can pull just before the gap opens. Impacts are elastic contacts, not impulses.
#pragma once
#include <bristle/simulate/result.hpp>

#include <limits>
#include <string>
#include <variant>
#include <vector>

namespace bristle::inline simulation {

inline constexpr std::size_t max_bodies = 16, max_contacts = 16;
// Name of the part that does not move.
inline constexpr const char* ground = "ground";

struct Body {
    std::string name = {};
    double mass = unset<double>();  // mass [kg] or inertia [kg m^2], > 0
    double force = 0;               // constant force, as its weight [N]; its work is supplied energy
    double x = 0, v = 0;            // start [m], [m/s]
    bool rotary = false;            // units rad, N m, kg m^2
};

// A part whose motion is given: belt, puller, shaker.
struct PrescribedMotion {
    std::string name = {};
    Input value = Input::constant(0);        // velocity [m/s] or position [m]
    Quantity quantity = Quantity::velocity;  // meaning of value
    double x = 0;                            // start [m], if the velocity is given
    bool rotary = false;
};

// Spring and damper between two of bodies, motions and ground.
struct Spring {
    std::string name = {}, first = {}, second = ground;
    double stiffness = unset<double>();  // N/m, >= 0
    double damping = 0;                  // N s/m, >= 0
    double gap = 0;                      // width of the dead band [m], >= 0
    double rest = 0;                     // x_first - x_second without force, in the middle of the gap [m]
};

// Two bodies with v_driver = ratio v_driven. The driven body starts with v_driver/ratio.
struct Gear {
    std::string name = {}, driver = {}, driven = {};
    double ratio = unset<double>();  // not 0; negative: opposite directions; rad/m or m/rad between the kinds
};

// Friction between two of bodies, motions and ground.
struct ContactPart {
    std::string name = {}, first = {}, second = ground;
    AnyLaw law = {};
    // Normal load [N]: load, plus the magnitude of the force in a spring if one is named. Default: the neutral load of the law,
    // and 0 with a spring.
    std::optional<Input> load = {};
    std::string load_spring = {};
    std::vector<double> start = {};  // states of the law at t = 0: z [m], or forces of the elements [N]; 0 if not given
};

struct Force {
    std::string name = {}, body = {};
    Input value = Input::constant(0);  // N
};

// PID controller, with e = r - x and the velocity error de/dt = r' - v:
//   u = Kp e + I + D + feedforward,   dI/dt = Ki e,   filter dD/dt = Kd de/dt - D
// A step of the reference gives no impulse: r' is zero on both sides of it.
struct Pid {
    double Kp = unset<double>();  // N/m, >= 0
    double Ki = 0;                // N/(m s), >= 0
    double Kd = 0;                // N s/m, >= 0
    double filter = 0;            // time constant of D [s]; 0: none
};

// Cascade of a position loop and a velocity loop:
//   w = r' + Kx e within +-speed_limit,   u = Kv (w - v) + I + feedforward,   dI/dt = Ki (w - v)
struct Cascade {
    double Kx = unset<double>();                                   // 1/s, >= 0
    double Kv = unset<double>();                                   // N s/m, >= 0
    double Ki = 0;                                                 // N/m, >= 0
    double speed_limit = std::numeric_limits<double>::infinity();  // m/s, > 0
};

// Controller: from the position and velocity of a body to the command of a motor.
//   feedforward = inertia r'' + viscous r'
//   anti-windup: dI/dt is reduced by (u - limited u)/tracking while a limit acts
// Units: those of a motor with gain 1, whose command is a force [N]. Continuous.
struct Controller {
    std::string name = {}, motor = {};
    std::string sensor = {};  // body that is measured; default: the body of the motor
    std::variant<Pid, Cascade> law = Pid{};
    Input reference = Input::constant(0);                    // r, in the unit of the body that is measured [m]
    double inertia = 0, viscous = 0;                         // feedforward [kg], [N s/m]
    double limit = std::numeric_limits<double>::infinity();  // of |u| [N], > 0
    // Time constant of the anti-windup [s]. Default: Kp/Ki, Kv/Ki of a cascade; infinity: none.
    double tracking = unset<double>();
    double start = 0, start_D = 0;  // I, and D with a filter, at t = 0 [N]
};

// Motor: lag dF/dt = gain u - F, |gain u| <= limit. The force acts between the body and the ground.
struct Motor {
    std::string name = {}, body = {};
    double gain = 1;                                         // N per unit of the command, not 0
    double limit = std::numeric_limits<double>::infinity();  // N, > 0
    double lag = 0;                                          // s, >= 0
    Input command = Input::constant(0);                      // u, if no controller gives it
    double start = 0;                                        // force at t = 0 with a lag [N]
};

struct Machine {
    std::vector<Body> bodies = {};
    std::vector<PrescribedMotion> motions = {};
    std::vector<Spring> springs = {};
    std::vector<Gear> gears = {};
    std::vector<ContactPart> contacts = {};
    std::vector<Force> forces = {};
    std::vector<Motor> motors = {};
    std::vector<Controller> controllers = {};
    Run run = {};  // method: adaptive or coupled
};

// Members of Machine; none: the machine as a whole.
enum class MachineMember { none, bodies, motions, springs, gears, contacts, forces, motors, controllers, run };

// A rule that a machine breaks, with its place.
struct MachineProblem {
    MachineMember list = MachineMember::none;  // that has the part
    std::size_t index = 0;                     // of the part in its list
    std::string part = {};                     // its name; "run", "machine"
    std::string key = {};                      // member of the part: mass, law, value ...; empty: the part as a whole
    std::string item = {};   // number of a law or input: Fc, amplitude, points[2]; empty: the member as a whole
    std::string value = {};  // with unit; empty if there is none
    std::string rule = {};   // the rule and what to do
};
std::vector<MachineProblem> broken_rules(const Machine& machine);
std::string sentence(const MachineProblem& problem);  // "axis.mass = -1 kg: must be a finite number > 0"

// Every broken rule as a sentence with the name of the part; empty: the machine can be simulated.
std::vector<std::string> problems(const Machine& machine);

// Returns names and units of the signals that simulate() records. Throws Error with all problems(machine).
std::vector<Named> signal_names(const Machine& machine);

// The machine with the state at the end of its run as its start, and inputs that go on from there. The run must be done. Throws Error
// for a move that has not ended.
Machine continued(const Machine& machine, const Result& run);

// Simulates a machine. Throws Error with all problems(machine).
// Signals: t; <body>.x .v; <motion>.x .v; <spring>.s .F; <contact>.slip .F, .z or .F1 .F2 ..., .load if it is not constant;
// <force>.F; <motor>.F; <controller>.r .e .u (before the limits), .I with an integral, .D with a
// filter. Measures: max, min, final, at. Events name their contact (Event::part). Energy::parts is the ledger of each part.
Result simulate(const Machine& machine, const Progress& progress = {});

}  // namespace bristle::simulation
