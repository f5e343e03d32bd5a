// Hybrid stick/slip model: a mass pulled through a spring over Coulomb friction, solved in closed form.
//
//   stick   v = 0,  l' = vp                 while -Fs- <= k l <= Fs+                        A08 (S5)
//   slip    l' = vp - v                                                                     A08 (S6)
//           m v' = k l - F,  F = Fc sgn v + sigma2 v                                        A08 (S7), where sigma2 = 0
// with l the elongation of the spring, vp the speed of its far end, and Fc, Fs, sigma2 of the side of v (Fs- is Fs of the
// negative side). A slip that reaches v = 0 sticks if the spring force can be held; otherwise v reverses.
// A slip is a damped oscillation about l = (Fc sgn v + sigma2 vp)/k, v = vp. In the plane of l and v sqrt(m/k):
//   sigma2 = 0                      arcs of circles,  m (v - vp)^2 + k (l - lc)^2 = const   A08 (S8), lc = Fc/k
//   0 < sigma2 < 2 sqrt(k m)        logarithmic spirals
//   sigma2 >= 2 sqrt(k m)           no oscillation: at most one extremum of v
// sigma2 = 0, vp > 0: the circle through (lc, 0) separates the motions. Those inside it are periodic without stick. All
// others stick, and from the end of their first stick phase they are on the limit cycle: stick from l = 2 lc - ls to
// ls = Fs/k, then slip. The circle itself touches v = 0 and sticks; rounding decides.
//
// Sign: F has the sign of v in sliding and is subtracted; in stick it is the holding force k l. (The text before A08 (S7)
// writes F = -Fc sgn v, for the force on the mass.)
// Energy: supplied = change of (m v^2 + k l^2)/2 + heat.
//
// Limits: mass, stiffness > 0; Fc, sigma2 >= 0; all finite, and so are their squares and ratios. Fs < Fc is replaced by
// Fs = Fc: at rest with Fs < k l < Fc no sliding motion exists. NaN in, NaN out.
// Accuracy: rounding. The time of a stop is accurate to rounding of v, hence to its square root if v touches 0.
// Not modelled: presliding, Stribeck velocity, memory.
#pragma once
#include <bristle/simulate/setup.hpp>

#include <optional>
#include <vector>

namespace bristle::inline simulation {

struct Hybrid {
    double mass;       // m   [kg]
    double stiffness;  // k   [N/m]
    double velocity;   // vp  [m/s]: any sign, or 0
    struct Side {
        double Fc;          // sliding   [N]
        double Fs;          // at rest   [N]
        double sigma2 = 0;  // viscous   [N s/m]
    };
    Side positive;             // for v > 0
    Side negative = positive;  // for v < 0
};

// One part of a motion between two changes of mode.
struct HybridPhase {
    enum class Mode { stick, slip_positive, slip_negative };
    Mode mode;
    double t0, t1;                     // from, to [s]
    double length;                     // t1 - t0, without the cancellation of two large times [s]
    double l0, v0;                     // at t0 [m], [m/s]
    double l1, v1;                     // at t1
    double drive;                      // (k l0 - Fc sgn v)/m: v' just after t0, without the viscous part [m/s^2]
    double mass, stiffness, velocity;  // of the rig
    double Fc, sigma2;                 // of the side; 0 in stick

    struct State {
        double l, v;      // m, m/s; v has the sign of the mode, or is 0
        double force;     // friction [N]
        double heat;      // dissipated since t0 [J]
        double supplied;  // work of the puller since t0: k vp times the integral of l [J]
    };
    // Returns the exact state at t [s] in [t0, t1]; for other t the state at the nearer end.
    State at(double t) const;

    double l(double t) const { return at(t).l; }
    double v(double t) const { return at(t).v; }
    double force(double t) const { return at(t).force; }
    double heat(double t) const { return at(t).heat; }
    double supplied(double t) const { return at(t).supplied; }
};

// Whether the model describes this part of a set-up: the rig PulledSpring, the law Coulomb, a constant load.
bool has_closed_form(const Rig& rig);
bool has_closed_form(const AnyLaw& law);
bool has_closed_form(const Input& load);
// Returns the model of a set-up with the method hybrid. Throws Error unless all three have the closed form.
Hybrid hybrid_of(const Setup& setup);

// Returns the motion from (l0, v0) at t = 0 as consecutive phases up to duration >= 0 [s]. Ends earlier if more than
// max_phases are needed: then the last t1 < duration.
std::vector<HybridPhase> hybrid_motion(const Hybrid& rig, double l0, double v0, double duration, long max_phases);

// Limit cycle without viscous friction. For vp < 0 it is that of the negative side, mirrored.
struct HybridCycle {
    double stick;           // 2 (Fs - Fc)/(k |vp|)                                            [s]
    double slip;            // sqrt(m/k) (pi + 2 atan(|vp| sqrt(k m)/(Fs - Fc)))               [s]
    double period;          // their sum                                                       [s]
    double l_begin, l_end;  // of stick: 2 lc - ls, ls                                         [m]
    double v_peak;          // vp + sqrt(vp^2 + (Fs - Fc)^2/(k m))                             [m/s]
    double energy;          // supplied and dissipated per period: Fc |vp| period              [J]
};
// Returns std::nullopt if there is no such cycle: vp = 0, sigma2 > 0 on the side of vp, or a slip so long that the other
// side cannot hold its end (2 Fc - Fs < -Fs of the other side). For Fs = Fc it is the circle that touches v = 0.
std::optional<HybridCycle> hybrid_cycle(const Hybrid& rig);

}  // namespace bristle::simulation
