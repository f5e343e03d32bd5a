// Limit cycles of a rig with friction: stick-slip of a pulled spring or a block on a belt, hunting of a PID servo.
//
// A cycle is a closed motion. Shooting (src/analyse/cycle/cycle_shoot.hpp) solves for a point y and the period T
//   phi_T(y) - y = 0,   with maximum slip at y
// by Newton's method with the exact sensitivities of the motion through all changes of mode.
// The Floquet multipliers are the eigenvalues of the derivative of the return map to that section. A cycle is stable if
// all of them have a magnitude < 1. Stick contracts strongly: multipliers of a cycle with stick are about 1e-15, or
// exactly 0 if a static law sticks. Compare multipliers absolutely.
//
// Inputs are constant: a belt has its final speed, and belt_time has no effect. Method::hybrid is solved in closed form.
// Limits: the hybrid cycle is the one with stick. Without viscous friction the circles inside it are periodic too, but
// not isolated; they are not reported.
#pragma once
#include <bristle/analyse/family.hpp>
#include <bristle/simulate/result.hpp>

#include <complex>
#include <optional>
#include <string_view>
#include <vector>

namespace bristle::inline analysis {

struct CycleOptions {
    double tolerance = 1e-10;  // of the motion: relative, and the factor on nominal sizes
    int max_periods = 300;     // of a transient, for each start
    long max_steps = 200'000;  // of the solver, for each start; for all nine starts together three times as many
    int max_points = 2000;     // of the recorded orbit
};

// How a cycle was found.
enum class CycleSource {
    own_start,      // by the motion from the start of the set-up
    spread_start,   // by the motion from one of eight starts around steady sliding or the target
    guess,          // by Newton's method from the guess of cycle_near
    edge_tracking,  // between the steady state and the stable cycle (basin)
    closed_form     // Method::hybrid
};
const char* name_of(CycleSource source);  // "own_start" ...

// Why no cycle was found.
enum class NoCycle {
    not_searched,
    all_settle,             // the motions from all nine starts come to the steady state
    unstable_steady_state,  // none found, but the steady state is unstable: a cycle can exist
    limit_reached,          // a motion reached its limit of time, periods or steps before it settled
    grows,                  // the speed of a motion grows without bound: the loop is unstable while sliding
    slip_does_not_stop,     // Method::hybrid: the slip after the end of stick never returns to stick
    no_convergence,         // Newton's method found no closed motion near the guess
    no_edge                 // no unstable cycle between the steady state and the stable cycle
};
const char* name_of(NoCycle reason);  // "all_settle" ...

// Attractor of the motion that led to a cycle.
enum class MotionEnd {
    unknown,       // the cycle was not found by following a motion
    this_cycle,    // the cycle is stable
    steady_state,  // the motion leaves the unstable cycle and comes to the steady state
    not_periodic   // the motion leaves the unstable cycle and did not repeat within the limits
};
const char* name_of(MotionEnd end);  // "this_cycle" ...

struct Cycle {
    bool exists = false;
    NoCycle reason = NoCycle::not_searched;       // if it does not exist
    CycleSource source = CycleSource::own_start;  // if it exists
    MotionEnd motion = MotionEnd::unknown;        // if it exists
    double period = 0;              // until all states repeat [s]; a hunting servo slips once in each direction
    double amplitude = 0;           // half the peak-to-peak of the position (elongation, x)               [m]
    double velocity_amplitude = 0;  // half the peak-to-peak of the velocity                               [m/s]
    double fastest = 0;             // largest slip speed                                                  [m/s]
    double stick_speed = 0;         // slip speeds below it count as stick: stick_speed(setup)             [m/s]
    double stick_fraction = 0;      // of the period in stick; a static law also sticks while it is held   [1]
    double energy = 0;              // dissipated in one period                                            [J]
    std::vector<std::complex<double>> multipliers;  // by falling magnitude, without the 1 along the motion
    bool stable = false;
    std::vector<double> state;  // on the section, in the order of state_names

    // The orbit from the section on, closed: states[i] is the time series of state i at the times t [s].
    std::vector<double> t;
    std::vector<std::vector<double>> states;
};

// Returns the cycle that the motion ends in: from the start of the set-up, then from eight starts spread around steady
// sliding or the target. Returns an unstable cycle only if no start ends in a stable one.
// Limits: a contact that oscillates undamped in stick (Maxwell-slip) can reach max_steps before the motion settles
// (NoCycle::limit_reached). Throws Error for a rig without autonomous motion, and Cancelled.
Cycle limit_cycle(const Setup& setup, const CycleOptions& options = {}, const Progress& progress = {});

// Returns the cycle near a guess, stable or not. state: a point of maximum slip, in the order of state_names;
// period [s].
Cycle cycle_near(const Setup& setup, const std::vector<double>& state, double period, const CycleOptions& options = {});

// ---- continuation --------------------------------------------------------------------------------------------------

// One cycle of a branch. Quantities as in Cycle.
struct CyclePoint {
    double parameter = 0;
    double period = 0;                // s
    double amplitude = 0;             // m
    double fastest = 0;               // m/s
    double stick_fraction = 0;        // 1
    std::complex<double> multiplier;  // of largest magnitude
    bool stable = false;
    std::vector<double> state;  // at maximum slip
};

// End of a branch of cycles. For a stiff contact with a sharp curve (C95) stick-slip ends in a canard explosion: within
// 1e-9 of one parameter value the multipliers grow from 0 beyond what can be resolved, and no fold is detected.
struct CycleEnd {
    enum class Kind {
        window,       // on the edge of the window
        equilibrium,  // the amplitude goes to 0: a Hopf point
        explosion,    // the parameter stops changing while the multipliers grow: canard explosion
        lost,         // no further point was found
        max_points,   // limit on the number of points
        cancelled     // by progress
    } kind = Kind::lost;
    double parameter = 0;  // equilibrium: extrapolated to amplitude 0 in the square of the amplitude
};
const char* name_of(CycleEnd::Kind kind);  // "window" ...

// Why there is no branch.
enum class NoBranch {
    not_searched,
    jump_on_section,  // the right-hand side of the law jumps at maximum slip (hysteretic law)
    no_cycle,         // limit_cycle finds none, at the start value and at 17 values spread over the window
    no_convergence    // Newton's method loses the cycle at the start value
};
const char* name_of(NoBranch reason);  // "jump_on_section" ...

struct CycleBranch {
    bool exists = false;
    NoBranch reason = NoBranch::not_searched;  // if it does not exist
    std::vector<CyclePoint> points;            // along the branch, through its folds
    std::size_t start = 0;                     // index of the point at which the branch was begun
    std::vector<CyclePoint> folds;             // located: the parameter reverses, a multiplier is 1
    std::vector<CyclePoint> flips;             // located: a multiplier is -1, a cycle of twice the period branches off
    CycleEnd first, last;                      // at points.front() and points.back()
};

// Returns the branch of the cycle limit_cycle(family(start)), in both directions by pseudo-arclength, through folds,
// until it leaves the window [from, to] or reaches the equilibrium. At a fold a stable and an unstable cycle merge and
// disappear. Without a cycle at the start value the branch begins at the nearest of 17 values, spread over the window (by
// factors if that spans more than 30), that has a stable one: points[start].parameter.
// Throws Error if start is not in the window, and for Method::hybrid; Cancelled before the first point.
CycleBranch follow(const Family& family, double start, double from, double to, const CycleOptions& options = {},
                   const Progress& progress = {});
// The same in a number of the set-up, from its present value: follow(setup, "rig.velocity", 0.1, 5).
CycleBranch follow(const Setup& setup, std::string_view parameter, double from, double to,
                   const CycleOptions& options = {}, const Progress& progress = {});

enum class ExtinctionOutcome {
    not_searched,  // Method::hybrid
    found,
    no_cycle_at_start,  // no stable cycle at the start value
    persists,           // none: stick-slip at all values
    undecided           // motions do not decide: beyond an extinction the steady state must not be unstable
};
const char* name_of(ExtinctionOutcome outcome);  // "found" ...

struct CycleExtinction {
    ExtinctionOutcome outcome = ExtinctionOutcome::not_searched;
    std::optional<double> value = {};  // of the parameter, if found
};

// Returns the extinction: the parameter value between `start` and `toward` beyond which simulation finds no stick-slip.
// Stick-slip persists at a value if one of these motions ends in it:
//   - from the middle of the stick phase of the last cycle
//   - from the nine starts of limit_cycle (down to 0.5 % of the parameter)
//   - one motion continued while the parameter changes in small steps (a cycle behind a flip has a small basin)
// It passes flips and explosions, which follow does not, but is slower than a fold and does not identify the bifurcation.
// Accuracy: bisection to 1e-7 of the parameter. A motion is followed for 100 slips, and near a fold it stays longer than
// that where the cycle was: the value is up to 1e-4 beyond the fold, and 0.5 % if motions decay slowly.
// Steps are even in the logarithm if start and toward are more than a decade apart.
// Throws Cancelled.
CycleExtinction cycle_extinction(const Family& family, double start, double toward, const CycleOptions& options = {},
                                 const Progress& progress = {});

// ---- boundary in two parameters ------------------------------------------------------------------------------------

struct BoundaryPoint {
    enum class Kind {
        fold,
        flip,
        extinction  // as cycle_extinction, without continued motions
    } kind = Kind::fold;
    double first = 0, second = 0;  // the two parameters
    double period = 0;             // of the cycle there [s]; 0 for an extinction
    double amplitude = 0;          // m; 0 for an extinction
    std::vector<double> state;     // at maximum slip; empty for an extinction
};
const char* name_of(BoundaryPoint::Kind kind);  // "fold" ...

// Whether one of nine starts ends in a stable cycle.
struct BoundaryGridPoint {
    double first, second;
    bool has_cycle;
};

// How a boundary was found, or why there is none.
enum class BoundaryOutcome {
    not_searched,
    followed,          // as a curve of folds or flips
    by_simulation,     // as extinctions: no fold or flip can be followed from the start values
    cycle_everywhere,  // none: a cycle at every decided point of the grid
    cycle_nowhere,     // none: no cycle at any decided point of the grid
    not_located,       // none: the grid has both, but motions do not decide where stick-slip ends
    undecided,         // none: motions decide at no point of the grid
    cancelled          // by progress; points found before are kept
};
const char* name_of(BoundaryOutcome outcome);  // "followed" ...

struct CycleBoundary {
    bool exists = false;
    BoundaryOutcome outcome = BoundaryOutcome::not_searched;
    BranchEnd first = BranchEnd::window, last = BranchEnd::window;  // followed: the two ends of the curve
    std::vector<BoundaryPoint> points;
    std::vector<BoundaryGridPoint> grid;  // coarse, decided points only: on which side of the curve stick-slip exists
};

// Returns the boundary of stick-slip in a plane of two parameters: the fold or flip at which the stable cycle ends. It
// is located by continuation in the first parameter (or else the second) from the start values, then followed in both
// directions through the window. points: minimum number of points of a curve straight across the window.
// Extinctions replace or complete the curve, for values of the second parameter spread over the window:
//   - if no fold or flip can be followed from the start values
//   - beyond a cusp with another fold, where the curve ends inside the window
//   - behind a flip, which can come shortly before the fold
// A value at which the family throws Error is left out. Throws Error for a window with from >= to or without its start
// value, and for Method::hybrid.
CycleBoundary cycle_boundary(const Family2& family, double first, double second, Window window_first,
                             Window window_second, int points = 40, const CycleOptions& options = {},
                             const Progress& progress = {});

}  // namespace bristle::analysis
