// Equilibria of a rig with friction, and whether they are stable: where an axis can slide steadily or stay at rest, how it rings there,
// and at which speed, stiffness or damping that changes.
//
// Sliding at the contact's velocity c:  z = sgn(c) g(c)/sigma0,  F = F_ss(c) = sgn(c) g(c) + f(c)                     A08 (23)-(26)
//   pulled_spring  v = vp,  k l = F_ss(vp)               conveyor  v = 0, c = final belt speed,  k x = F_ss(c)
//   forced_mass    constant force: F_ss(v) = u; several speeds where F_ss falls and rises again
// At rest (c = 0): a law that sticks holds any force up to Fs, so equilibria come in sets; the one given has the relaxed contact (F = 0)
//   or, on forced_mass, the force to hold. A curve that is smooth at c = 0 holds nothing and has one.
//   pid_servo      x = target; with Ki > 0 the integral balances the friction, which leaves I and z open along a line
//   pendulum       hanging and upright
//   hybrid         as pulled_spring with Coulomb friction (its closed form).         prescribed has none: its motion is given.
//
// Linearised: dy/dt = A y, A from the law's own text by dual numbers. Sliding on a spring K with one bristle
//   s^3 + a1 s^2 + a2 s + a3,   a1 = h + (sigma1 c g'/g + f')/m,   a2 = (K + h F_ss')/m,   a3 = K h/m                A08 (27)
// with h = sigma0 |c|/g(c) (Maxwell-slip: h = C/g and sigma1 = 0); stable iff a1, a2, a3 > 0 and a1 a2 > a3. A08 prints a2 without
// 1/m on its first term, and the approximation h^2 F_ss'/m of a1 a2 - a3 without its 1/m (erratum E4; m = 1 hides both).
// At rest a bristle is a spring and a damper that differ for the two directions of motion if it carries load             A08 (13)
//   m z'' + ((1 - s r) sigma1 + sigma2) z' + (1 - s r) sigma0 z = 0,   s = sgn v,  r = F/Fs          (with sigma2; A08 has 0)
// so each direction has its eigenvalues, and motions along a set of equilibria (which are no motions) are left out.
//
// Limits: load and force constant. The hysteretic law is taken on the branch dv/dt = 0 while sliding (w = v): its other branches have
// h = sigma0 |v +- a|/g; at rest it holds as a dry law does. The curve's steady force is scanned with 48 points a decade for the speeds
// of forced_mass, and a branch is followed down to 1e-7 of its largest speed. Stable means: small disturbances die out; how small is
// what limit cycles tell.
#pragma once
#include <bristle/analyse/family.hpp>

#include <complex>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bristle::inline analysis {

// The coefficients of (27) and what they say; all four conditions have to be > 0.
struct RouthHurwitz {
    double a1, a2, a3;     // 1/s, 1/s^2, 1/s^3
    double product;        // a1 a2 - a3                                     [1/s^3]
    double approximation;  // h^2 F_ss'/m, which A08 takes for it            [1/s^3]
    bool stable() const { return a1 > 0 && a2 > 0 && a3 > 0 && product > 0; }
};

// neutral: the linear motion neither grows nor dies. undecided: held by dry friction, which linear motion does not see.
enum class Stability { stable, unstable, neutral, undecided };
const char* name_of(Stability stability);  // "stable" ...

struct StateValue {
    std::string name, unit;
    double value;
};

struct Equilibrium {
    // Of the position, or of the integral that balances the friction; infinite where friction holds everywhere.
    struct Range {
        std::string of, unit;
        double low, high;
    };
    std::string kind;                  // "sliding", "stuck" (held by friction: one of a set), "rest" (nothing to hold)
    std::vector<StateValue> states;    // as state_names has them; a position that does not matter is 0
    double velocity = 0;               // of the contact [m/s]
    double force = 0;                  // friction [N]
    double set_low = 0, set_high = 0;  // stuck: the friction forces of the set [N]
    std::optional<Range> range;        // stuck: how far the set reaches; nothing where any position is as good
    // By falling real part [1/s]. Stuck: those of motion with c > 0, and those of motion with c < 0.
    std::vector<std::complex<double>> eigenvalues, eigenvalues_negative;
    Stability stability = Stability::undecided;
    bool stable() const { return stability == Stability::stable; }
    double frequency = 0;                        // of the least damped oscillation |Im| [rad/s]; 0: there is none
    double damping = 0;                          // its damping ratio -Re/|eigenvalue|
    std::optional<RouthHurwitz> routh_hurwitz;   // sliding on a spring, one bristle or Maxwell-slip
    double value(std::string_view state) const;  // by name; NaN if there is no such state
};

// What a unit is called, given its name in a linear rig; empty: just so.
using UnitName = std::function<std::string(const std::string&)>;
// A sentence: what it is, and how far the set reaches.
std::string text_of(const Equilibrium& equilibrium, const UnitName& unit = {});

// All equilibria, stuck ones first, then by rising speed. Empty where a constant force pushes the mass ever faster. Throws Error for a
// prescribed motion, and where force or load change with time.
std::vector<Equilibrium> equilibria(const Setup& setup);
// The one that matters most: stuck if the contact holds, else the first stable one, else the first. Throws Error where there is none.
Equilibrium main_equilibrium(const Setup& setup);

// ---- stick and slip as oscillators -------------------------------------------------------------------------------------

// m x'' + damping x' + stiffness x = 0
struct Oscillation {
    double stiffness;  // N/m
    double damping;    // N s/m
    double omega;      // sqrt(stiffness/m): undamped      [rad/s]
    double ratio;      // damping/(2 sqrt(stiffness m))    [1]
    double ringing;    // omega sqrt(1 - ratio^2); 0 from ratio 1 on  [rad/s]
};

struct LinearModes {
    double speed;  // of the contact, for slip [m/s]
    // The bristle at its steady state: stiffness K of the spring, damping F_ss'(speed)                               A08 (18)-(20)
    Oscillation slip;
    // The bristle as a spring beside the other: stiffness sigma0 + K, damping sigma1 + f'(0)                         A08 (21)-(22)
    std::optional<Oscillation> stick;
    // omega of stick over omega of slip: how stiff the equations are. Infinite without a spring, 0 without a stick mode.
    double frequency_ratio;
    double stiffness_ratio;  // its square
};
// On pulled_spring, conveyor, hybrid and forced_mass (K = 0); throws Error elsewhere. A static law has no stick mode.
LinearModes linear_modes(const Setup& setup);

// The ringing of a stuck mass under a constant force F = share Fs: half waves of two frequencies, A08 (13), without the rig's spring.
struct HalfWaves {
    double share;                    // r = F/Fs of the positive side, -1 < r < 1
    Oscillation positive, negative;  // while c > 0, while c < 0
    // How far the mass has moved on after one ring that begins at rest with the bristle at z0 - 1: each half wave moves the mass by its
    // change of z over (1 -+ r), which do not cancel. Undamped: 4 r/(1 - r^2). NaN where a half wave does not ring.  [m/m]
    double shift;
};
// Throws Error where the contact does not hold the force, and for a law that does not ring at rest (static, smooth, hysteretic).
HalfWaves half_waves(const Setup& setup, double share);

// ---- along a parameter -------------------------------------------------------------------------------------------------

struct BranchPoint {
    double parameter;
    std::vector<double> states;  // as Branch::states names them
    double velocity;             // of the contact [m/s]
    int growing;                 // eigenvalues with positive real part
    Stability stability;
};
struct CriticalPoint {
    // "hopf": a pair crosses the imaginary axis; "fold": the branch turns; "real": one eigenvalue passes 0
    std::string kind;
    double value;                // of the parameter
    double frequency;            // hopf: rad/s; else 0
    std::vector<double> states;  // as Branch::states names them
    double velocity;             // of the contact [m/s]
};
struct Branch {
    std::string kind;  // of its equilibria: "sliding", "stuck", "rest"
    std::vector<Named> states;
    std::vector<BranchPoint> points;  // along the curve, through the start
    std::vector<CriticalPoint> critical;
    std::string begins, ends;  // why at its first and its last point: "left the window", "nothing beyond" ...
};
// The equilibria from `from` to `to`, through the one at `start`, which is main_equilibrium or the which-th of equilibria; by
// pseudo-arclength, round folds. Critical values to 1e-9 relative, or to 1e-13 of the window. The parameter is walked in its logarithm
// where the window is positive and spans more than a decade. Throws Error where there is no equilibrium at the start.
Branch follow_equilibrium(const Family& family, double from, double to, double start, int which = -1);

// ---- in the plane of two parameters ------------------------------------------------------------------------------------

struct HopfPoint {
    double first, second;  // the parameters
    double frequency;      // rad/s
};
struct HopfCurve {
    std::vector<HopfPoint> points;  // along the curve
    std::string begins, ends;       // "left the window", "closed", "nothing beyond" ...
};
// Where steady sliding (or rest) gains and loses its stability: all curves that cross the lines first = start.first or second =
// start.second inside the window, about `points` points across it. Empty where none does. Throws Error where the start has no equilibrium.
std::vector<HopfCurve> hopf_curves(const Family2& family, Window first, Window second, std::pair<double, double> start,
                                   int points = 40);

}  // namespace bristle::inline analysis
