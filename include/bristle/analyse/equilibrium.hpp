// Equilibria of a rig with friction and their stability, stick and slip as oscillators, and the values of one or two
// parameters at which stability changes.
//
// Steady sliding at the contact velocity c:
//   F = F_ss(c) = sgn(c) g(c) + f(c)                                                                  A08 (26)
//   z = sgn(c) g(c)/sigma0                                                                            A08 (25)
//   pulled_spring  v = vp                                                                             A08 (24)
//                  k l = F_ss(vp)                                                                     A08 (23)
//   conveyor       v = 0, c = final belt speed, k x = F_ss(c)
//   forced_mass    constant force: F_ss(v) = u; several solutions if F_ss falls and rises again
// At rest (c = 0): a law that sticks holds any force up to Fs, so equilibria form a set. The reported one has the relaxed
// contact (F = 0) or, if the position is free, the force to hold. A curve that is smooth at c = 0 holds no force and has
// one equilibrium.
//   pid_servo      x = target; with Ki > 0 the integral balances the friction: I and z are free along a line
//   pendulum       hanging and upright
// Method::hybrid has the equilibrium of pulled_spring. A prescribed motion has none.
//
// Linearised: dy/dt = A y, with A from the equations of the law by dual numbers. Sliding on a spring K with one bristle:
//   s^3 + a1 s^2 + a2 s + a3,   a1 = h + (sigma1 c g'/g + f')/m,   a2 = (K + h F_ss')/m,   a3 = K h/m     A08 (27)
// with h = sigma0 |c|/g(c) (Maxwell-slip: h = C/g and sigma1 = 0). Stable if and only if a1, a2, a3 > 0 and a1 a2 > a3.
// A08 prints a2 without 1/m on its first term, and the approximation h^2 F_ss'/m of a1 a2 - a3 without its 1/m (erratum
// E4; both are correct for m = 1).
// At rest a bristle that carries the force F is a spring and a damper that differ for the two directions of motion:
//   m z'' + ((1 - s r) sigma1 + sigma2) z' + (1 - s r) sigma0 z = 0,   s = sgn v,  r = F/Fs               A08 (13)
// (A08 has sigma2 = 0). Each direction has its eigenvalues. The zero eigenvalue along a set of equilibria is left out.
//
// Limits:
//   - load and force are constant
//   - a law with velocity memory (hysteretic) is linearised on its branch dv/dt = 0 while sliding; its other branches
//     have h = sigma0 |v +- a|/g; at rest it holds exactly, as a dry law does
//   - with a free position the steady force is scanned with 48 points per decade of speed
//   - a branch is followed down to 1e-7 of its largest speed
//   - stable means locally stable; limit_cycle and basin give the effect of large disturbances
#pragma once
#include <bristle/analyse/family.hpp>
#include <bristle/base/error.hpp>

#include <complex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bristle::inline analysis {

// Coefficients of A08 (27) and the Routh-Hurwitz conditions.
struct RouthHurwitz {
    double a1, a2, a3;     // 1/s, 1/s^2, 1/s^3
    double product;        // a1 a2 - a3                             [1/s^3]
    double approximation;  // h^2 F_ss'/m, which A08 uses for it     [1/s^3]
    bool stable() const { return a1 > 0 && a2 > 0 && a3 > 0 && product > 0; }
};

// neutral: linear motion neither grows nor decays. undecided: held exactly by dry friction with an integral that acts;
// linear motion does not decide.
enum class Stability { stable, unstable, neutral, undecided };
const char* name_of(Stability stability);  // "stable" ...

enum class EquilibriumKind {
    sliding,  // steady, c != 0
    stuck,    // held by friction: one of a set
    rest      // c = 0 where friction holds no force
};
const char* name_of(EquilibriumKind kind);  // "sliding" ...

struct StateValue {
    std::string name, unit;
    double value;
};

struct Equilibrium {
    // Extent of a set of equilibria; infinite if friction holds everywhere.
    struct Range {
        std::size_t state;  // index into states: the position (0), or the integral that balances the friction
        double low, high;   // in the unit of that state
    };
    EquilibriumKind kind = EquilibriumKind::rest;
    std::vector<StateValue> states;    // in the order of state_names; a free position is 0
    double velocity = 0;               // of the contact [m/s]
    double force = 0;                  // friction [N]
    double set_low = 0, set_high = 0;  // stuck: the friction forces of the set [N]
    std::optional<Range> range;        // stuck: the extent of the set; std::nullopt if the position is free
    // By falling real part [1/s]. Stuck: those of motion with c > 0, and those of motion with c < 0.
    std::vector<std::complex<double>> eigenvalues, eigenvalues_negative;
    Stability stability = Stability::undecided;
    bool stable() const { return stability == Stability::stable; }
    double frequency = 0;                        // |Im| of the least damped oscillation [rad/s]; 0: none
    double damping = 0;                          // its damping ratio -Re/|eigenvalue| [1]
    std::optional<RouthHurwitz> routh_hurwitz;   // sliding on a spring, one bristle or Maxwell-slip
    double value(std::string_view state) const;  // by name; NaN if there is no such state
};

// Why there is no equilibrium, or no branch of equilibria.
enum class NoEquilibrium {
    prescribed_motion,
    varying_input,           // Setup::input changes with time; machine: an input varies without end
    varying_load,            // likewise of the load
    force_exceeds_friction,  // a constant force accelerates the mass without bound
    no_convergence,          // Newton's method loses the equilibrium: branch, at the start value; machine
    branches_meet,           // branch: several branches meet at the start value
    separating_motions,      // machine: springs connect motions of different velocities
    several_free_velocities  // machine: no rest, and the search for sliding takes one free velocity only
};
const char* name_of(NoEquilibrium reason);  // "prescribed_motion" ...

struct EquilibriumError : Error {
    EquilibriumError(NoEquilibrium why, const std::string& sentence) : Error(sentence), reason(why) {}
    NoEquilibrium reason;
};

// Returns all equilibria, stuck ones first, then by rising speed. Empty if a constant force accelerates the mass without
// bound. Throws EquilibriumError for a prescribed motion, and if force or load change with time.
std::vector<Equilibrium> equilibria(const Setup& setup);
// Returns the stuck equilibrium if the contact holds, else the first stable one, else the first. Throws EquilibriumError
// if there is none.
Equilibrium main_equilibrium(const Setup& setup);

// ---- stick and slip as oscillators -------------------------------------------------------------------------------------

// m x'' + damping x' + stiffness x = 0
struct Oscillation {
    double stiffness;     // N/m
    double damping;       // N s/m
    double omega;         // undamped: sqrt(stiffness/m)                        [rad/s]
    double ratio;         // damping/(2 sqrt(stiffness m))                      [1]
    double damped_omega;  // omega sqrt(1 - ratio^2); 0 if |ratio| >= 1         [rad/s]
};

struct LinearModes {
    double speed;  // of the contact, for slip [m/s]
    // The bristle in its steady state: stiffness K of the spring, damping F_ss'(speed), the linearisation A08 (20) of
    // A08 (18), A08 (19).
    Oscillation slip;
    // The bristle as a spring parallel to the rig's: stiffness sigma0 + K, damping sigma1 + f'(0), the oscillator in
    // A08 (22), which is A08 (21) at v = 0.
    std::optional<Oscillation> stick;
    double frequency_ratio;  // omega of stick over omega of slip; infinite without a spring, 0 without a stick mode [1]
    double stiffness_ratio;  // its square [1]
};
// Returns the modes of a mass that can slide: on a spring, or free (K = 0). stick is std::nullopt for a law that holds
// exactly. Throws Error for a rig with an integral or a pendulum's gravity.
LinearModes linear_modes(const Setup& setup);

// Oscillation of a stuck mass under a constant force F = fraction Fs, without the rig's spring: half waves of two
// frequencies, A08 (13) with both signs of v.
struct HalfWaves {
    double fraction;                 // r = F/Fs of the positive side, -1 < r < 1
    Oscillation positive, negative;  // while c > 0, while c < 0
    // Displacement of the mass after one positive and one negative half wave, per initial deflection z0 - z of the bristle
    // at rest. A half wave moves the mass by its change of z over (1 -+ r), which do not cancel. Undamped: 4 r/(1 - r^2).
    // NaN if a half wave does not oscillate. [m/m]
    double shift;
};
// Throws Error if the contact does not hold the force, and for a law that does not oscillate at rest (static, smooth,
// hysteretic).
HalfWaves half_waves(const Setup& setup, double fraction);

// ---- along a parameter -------------------------------------------------------------------------------------------------

struct BranchPoint {
    double parameter;
    std::vector<double> states;  // in the order of Branch::states
    double velocity;             // of the contact [m/s]
    int growing;                 // number of eigenvalues with positive real part
    Stability stability;
};
struct CriticalPoint {
    enum class Kind {
        hopf,  // an eigenvalue pair crosses the imaginary axis
        fold,  // the parameter reverses along the branch
        real   // one real eigenvalue passes 0
    } kind = Kind::fold;
    double value = 0;            // of the parameter
    double frequency = 0;        // hopf [rad/s]; else 0
    std::vector<double> states;  // in the order of Branch::states
    double velocity = 0;         // of the contact [m/s]
};
const char* name_of(CriticalPoint::Kind kind);  // "hopf" ...

struct Branch {
    EquilibriumKind kind = EquilibriumKind::rest;  // of all its equilibria
    std::vector<Named> states;
    std::vector<BranchPoint> points;  // along the curve, through the start
    std::vector<CriticalPoint> critical;
    BranchEnd first = BranchEnd::window, last = BranchEnd::window;  // at points.front() and points.back()
};
// Returns the branch of equilibria from `from` to `to` through the one at `start`: main_equilibrium, or the which-th of
// equilibria (from 0) if which >= 0. By pseudo-arclength, through folds. Accuracy of critical values: 1e-9 relative, or
// 1e-13 of the window. The parameter is scaled by its logarithm if the window is positive and spans more than a decade.
// Throws EquilibriumError if there is no equilibrium or no branch at the start, Error if the start is not in the window.
Branch follow_equilibrium(const Family& family, double from, double to, double start, int which = -1);
// The same in a number of the set-up, from its present value: follow_equilibrium(setup, "rig.velocity", 0.1, 5).
Branch follow_equilibrium(const Setup& setup, std::string_view parameter, double from, double to, int which = -1);

// ---- in the plane of two parameters ------------------------------------------------------------------------------------

struct HopfPoint {
    double first, second;  // the parameters
    double frequency;      // rad/s
};
struct HopfCurve {
    std::vector<HopfPoint> points;                                  // along the curve
    BranchEnd first = BranchEnd::window, last = BranchEnd::window;  // at points.front() and points.back()
};
// Returns the curves on which steady sliding or rest changes its stability: those that cross the line first =
// start.first or second = start.second inside the window, with about `points` points across it. Throws
// EquilibriumError if there is no equilibrium at the start.
std::vector<HopfCurve> hopf_curves(const Family2& family, Window first, Window second, std::pair<double, double> start,
                                   int points = 40);

}  // namespace bristle::analysis
