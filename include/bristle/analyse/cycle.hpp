// Limit cycles of a rig with friction: stick-slip of a pulled spring or a block on a belt, hunting of a PID servo.
//
// A cycle is a closed motion, found by shooting (src/analyse/cycle/cycle_shoot.hpp): a point y on it and its period T with
//   phi_T(y) - y = 0,   and at y the slip is fastest
// by Newton's method with the exact sensitivities of the motion through all changes of mode.
// Its Floquet multipliers are the eigenvalues of the derivative of the return map to that section; the cycle is stable
// where all lie inside the unit circle. A cycle with stick forgets nearly everything: its multipliers are tiny (1e-15),
// or zero where a static law sticks. Compare them absolutely.
//
// Inputs are constant: a belt has its final speed, whatever belt_time says. The rig hybrid is solved in closed form.
// Limits: the hybrid cycle is the one with stick; the circles inside it (no viscous friction) are periodic too, but not
// isolated.
#pragma once
#include <bristle/analyse/family.hpp>
#include <bristle/simulate/result.hpp>

#include <complex>
#include <optional>
#include <string>
#include <vector>

namespace bristle::inline analysis {

// Called now and then with the share that is done, 0 to 1; false stops.

struct CycleOptions {
    double tolerance = 1e-10;  // of the motion, relative; and the factor on nominal sizes
    int max_periods = 300;     // a transient may take from each start,
    long max_steps = 200'000;  // and as many steps of the solver; all nine starts together three times as many
    int max_points = 2000;     // of the orbit, for drawing
};

struct Cycle {
    bool exists = false;
    std::string message;            // one sentence: from where it was found, or why there is none
    double period = 0;              // until everything repeats [s]: a servo that hunts jumps twice in it, to and fro
    double amplitude = 0;           // half the peak-to-peak of the rig's position (elongation, x)      [m]
    double velocity_amplitude = 0;  // half the peak-to-peak of the rig's velocity                      [m/s]
    double fastest = 0;             // the largest |velocity of the contact|                            [m/s]
    double stick_speed = 0;         // |velocity of the contact| below it counts as stick: run.stick_speed, or else vs
    double stick_fraction = 0;      // share of the period in stick; a static law also sticks where it holds
    double energy = 0;              // turned into heat in one period                                   [J]
    std::vector<std::complex<double>> multipliers;  // without the 1 of the motion itself; largest first
    bool stable = false;
    std::vector<double> state;  // on the section, in the order of state_names

    // For drawing: the orbit from the section on, closed; states[i] belongs to state i.
    std::vector<double> t;
    std::vector<std::vector<double>> states;
};

// From the set-up's own start, then from eight starts spread around steady sliding (or the target): the cycle that the
// motion ends in. An unstable one is given only where none of them ends in a stable one. A contact that rings undamped
// in stick (Maxwell-slip) takes so many steps that a motion may be given up before it settles; the message says so.
// So it does where none was found although the steady state is unstable.
// Throws Error for a rig without autonomous motion.
Cycle limit_cycle(const Setup& setup, const CycleOptions& options = {}, const Progress& progress = {});

// From a guess near a cycle, stable or not: a point where the slip is fastest, in the order of state_names, and the
// period [s].
Cycle cycle_near(const Setup& setup, const std::vector<double>& state, double period, const CycleOptions& options = {});

// ---- continuation --------------------------------------------------------------------------------------------------

// A cycle on a branch, in numbers.
struct CyclePoint {
    double parameter = 0;
    double period = 0;                // s
    double amplitude = 0;             // as in Cycle [m]
    double fastest = 0;               // as in Cycle [m/s]
    double stick_fraction = 0;        // as in Cycle
    std::complex<double> multiplier;  // the largest one
    bool stable = false;
    std::vector<double> state;  // at the fastest slip
};

// How a branch ends. With a stiff contact and a sharp curve (C95) the death of stick-slip is an explosion: within 1e-9
// of one value of the parameter the multipliers rise from 0 beyond all that can be resolved, so that no fold is seen.
struct CycleEnd {
    enum class Kind { window, equilibrium, explosion, lost, cancelled } kind = Kind::lost;
    double parameter = 0;  // equilibrium: where the amplitude vanishes (a Hopf point), extrapolated in its square
    std::string sentence;  // reads on after "the branch "
};

struct CycleBranch {
    bool exists = false;
    std::string message;             // where there is no cycle at the start
    std::vector<CyclePoint> points;  // along the branch, through its folds
    std::size_t start = 0;           // where the file's value is among them
    std::vector<CyclePoint> folds;   // where the parameter turns (a multiplier is 1), located
    std::vector<CyclePoint> flips;   // where a multiplier is -1: a cycle of twice the period branches off
    CycleEnd first, last;            // at points.front() and points.back()
};

// The cycle that limit_cycle gives at `start`, followed both ways in the parameter by pseudo-arclength, through folds
// (there a stable and an unstable cycle meet and die: the number an engineer wants), until it leaves the window
// [from, to] or meets the equilibrium. The family is called from several threads. Not for the hysteretic law (the
// message says why). Throws Error where the start is not inside the window.
CycleBranch follow(const Family& family, double start, double from, double to, const CycleOptions& options = {},
                   const Progress& progress = {});

// Where stick-slip dies, seen by following motions: the parameter between `start` and `toward` beyond which a motion
// that begins in its stick does not stay in stick-slip, nor one that is carried along while the parameter changes little by
// little (behind a flip that lives much longer: few starts lead there). Slower than a fold and blind to what dies there,
// but it passes flips and explosions. Half a per cent beyond it nothing was found to swing from nine other starts either. It is
// halved down to 1e-7, but a motion is watched for 100 jumps, and next to a fold the cycle that has just died holds it
// longer: there the value is up to about 1e-4 beyond the fold, and half a per cent where motions die slowly. Steps
// between start and toward are even in the logarithm where they are more than a decade apart. Nothing where there is no
// stable cycle at the start, where it lives all the way, where motions do not tell (beyond a death there must be a steady
// state that is not unstable), for the rig hybrid, and where progress stops it.
std::optional<double> cycle_extinction(const Family& family, double start, double toward,
                                       const CycleOptions& options = {}, const Progress& progress = {});

struct BoundaryPoint {
    enum class Kind {
        fold,
        flip,
        death
    } kind = Kind::fold;           // death: as cycle_extinction sees it, but from starts alone
    double first = 0, second = 0;  // the two parameters
    double period = 0;             // of the cycle there [s]; 0 for Kind::death
    double amplitude = 0;          // m; 0 for Kind::death
    std::vector<double> state;     // at its fastest slip; none for Kind::death
};
// Whether stick-slip was found at a place of the plane, from nine starts.
struct BoundaryLook {
    double first, second;
    bool lives;
};
struct CycleBoundary {
    bool exists = false;
    std::string message;  // why there is none, or how the curve ends
    std::vector<BoundaryPoint> points;
    std::vector<BoundaryLook> grid;  // a coarse grid: which side of the curve is which
};

// The boundary of stick-slip in a plane of two parameters: the fold (or flip) at which the stable cycle ends, found by
// continuation in the first parameter (or else the second) from the file's values, then followed both ways through the
// window. `points`: how many a curve straight across the window has at least. A flip may come shortly before the fold.
// Where the curve ends inside the window, in a cusp with another fold, and where none can be followed from the file's
// values, the boundary is seen by cycle_extinction, for values of the second parameter spread over the window; a coarse grid
// says where to look. Behind a flip both are given. Stopped by progress: what was found until then, and the message says
// so. The family is called from several threads; where it throws Error nothing is known. Throws Error for a window that
// does not run upwards or does not hold its start, and for the rig hybrid.
CycleBoundary cycle_boundary(const Family2& family, double first, double second, Window window_first,
                             Window window_second, int points = 40, const CycleOptions& options = {},
                             const Progress& progress = {});

}  // namespace bristle::inline analysis
