// Reasons of the verdicts in a certificate: one struct for each, with its numbers in SI units.
//
//   if (const auto* need = finding.reason<reason::ViscousNeeded>()) use(need->needed);
// For a rotary axis read N as N m and m as rad. A program that prints a certificate has one sentence for each struct.
#pragma once
#include <limits>
#include <optional>
#include <string>
#include <variant>

namespace bristle::inline analysis {

// Largest V for which a property holds for |v| <= V [m/s], as far as it is known. Between the two speeds nothing is known.
struct SpeedLimit {
    double proved = 0;  // the property holds up to here; 0: at no speed; infinity: at all
    double refuted =
        std::numeric_limits<double>::infinity();  // it fails for a V not above this; infinity: no failure found
    bool everywhere() const { return proved == std::numeric_limits<double>::infinity(); }
    bool sharp() const { return refuted <= 1.01 * proved; }
};

namespace reason {

// ---- any property -----------------------------------------------------------------------------------------------------

struct NoState {};      // a static law has no internal state
struct UnknownForm {};  // no theorem covers the equations of this law

// ---- bounded ----------------------------------------------------------------------------------------------------------

// K08 (44) as printed (erratum E1): the steady-state level g(v)/tanh(c v) has no bound as v -> 0.
struct LevelUnbounded {
    double v;  // the level is 100 times g here [m/s]
};
struct DeflectionBounded {
    double z;  // largest |z| of a contact that starts within it [m]
};
struct ElementsBounded {
    double level;  // largest level; each Maxwell-slip element carries at most its fraction of it [N]
};

// ---- dissipative --------------------------------------------------------------------------------------------------------

struct RelaxationDissipates {};   // z dz/dt <= z v, A08 (5)
struct ShiftDrivesDeflection {};  // B05 (8): while v rises through 0, z grows although z v = 0
struct ElementsDissipate {};      // constant level: F_i dF_i/dt <= k_i F_i v for each Maxwell-slip element
struct ElementClimbs {};          // a slipping element climbs to a higher level at v = 0+
struct ElementClimbUndecided {};  // the level is lowest at rest

// ---- passive: static laws -----------------------------------------------------------------------------------------------

struct ForceOpposesMotion {};  // the force never has the sign opposite to v
struct PowerNonnegative {};    // F v >= 0 at every speed although g2 < g3, by interval arithmetic
struct ForceDrivesMotion {
    double v;  // F v < 0 here, because g2 < g3 [m/s]
};
struct PowerUndecided {
    long intervals;  // of speed, which did not decide the sign of F v
};

// ---- passive: laws with one state -----------------------------------------------------------------------------------------

struct Undamped {};      // no bristle damping: F v = d/dt (sigma0 z^2/2) + terms >= 0
struct PlainStorage {};  // storage function sigma0 z^2/2
struct SteeperStorage {
    SpeedLimit plain;  // up to here sigma0 z^2/2 is a storage function
};
struct LevelNeverFalls {
    std::string key;  // viscous friction, which may have any value: "sigma2"
};
struct ViscousSufficient {  // P3
    std::string key;        // "sigma2", "negative.sigma2", "g6"
    double value, needed;   // N s/m
    bool load_varies;
};
struct FadesSufficiently {  // P4
    double vc_bound;        // vc is below this speed [m/s]
};
struct LeakageDissipates {
};  // load on the force varies, but a bristle that relaxes at rest is deflected only at a loss
struct ViscousNeeded {
    std::string key;
    double needed, value;        // N s/m
    double direction;            // 1: for v > 0, -1: for v < 0, 0: for both
    std::optional<double> vmax;  // for |v| <= vmax [m/s]; std::nullopt: for all speeds
};
struct PassiveSpeeds {
    SpeedLimit plain;  // with the storage function sigma0 z^2/2
    SpeedLimit any;    // with any storage function
    bool exhausted;    // the search for a higher speed reached its work budget
};
struct BoxesUndecided {
    long boxes;   // of force and speed
    bool beyond;  // the law is passive up to a speed; the boxes lie beyond it
};
struct LoadOnForce {};  // deflect the bristles at the low load, raise it at rest, release them
struct FadingRemedy {
    double vc;  // LuGre whose bristle damping fades with a smaller vc is passive (P4) [m/s]
};

// ---- passive: Maxwell-slip and hysteretic laws -------------------------------------------------------------------------------

struct ConstantLevel {};        // sticking elements store, slipping ones dissipate
struct LevelHigherAtRest {};    // slipping elements climb to the level at rest without motion, and push back
struct ElementsClimbFaster {};  // slipping elements climb faster than the motion deflects them
struct LoadOnSprings {};  // load on the force: deflect the springs at the low load, raise it at rest, release them
struct LoadOnLevel {};    // load on the level: slipping elements climb when it rises, without motion
struct LevelLowestAtRest {
    bool exhausted;  // the search for a cycle that extracts energy reached its work budget; false: it found none
};
struct ShiftExtracts {};  // B05 (8): while v rises inside (-a, 0), v + a deflects z forward
struct NoSawtoothFound {
    bool exhausted;
};

// ---- passive: searches ----------------------------------------------------------------------------------------------------

struct SearchFound {
    long tried;  // inputs, one of which extracts energy
};
struct SearchFoundNone {
    long tried;
};
// Why a refutation has no counterexample.
struct NoCounterexample {
    enum class Why {
        not_constructed,
        work_budget,   // the search reached its work budget
        near_limit,    // no short input extracts energy so close to the limit of passivity
        unequal_legs,  // the durations of its legs would differ too much
    } why;
};
struct NoNearestChange {
    bool exhausted;  // the search reached its work budget; false: no single parameter makes the law passive
};

}  // namespace reason

using Reason = std::variant<
    reason::NoState, reason::UnknownForm, reason::LevelUnbounded, reason::DeflectionBounded, reason::ElementsBounded,
    reason::RelaxationDissipates, reason::ShiftDrivesDeflection, reason::ElementsDissipate, reason::ElementClimbs,
    reason::ElementClimbUndecided, reason::ForceOpposesMotion, reason::PowerNonnegative, reason::ForceDrivesMotion,
    reason::PowerUndecided, reason::Undamped, reason::PlainStorage, reason::SteeperStorage, reason::LevelNeverFalls,
    reason::ViscousSufficient, reason::FadesSufficiently, reason::LeakageDissipates, reason::ViscousNeeded,
    reason::PassiveSpeeds, reason::BoxesUndecided, reason::LoadOnForce, reason::FadingRemedy, reason::ConstantLevel,
    reason::LevelHigherAtRest, reason::ElementsClimbFaster, reason::LoadOnSprings, reason::LoadOnLevel,
    reason::LevelLowestAtRest, reason::ShiftExtracts, reason::NoSawtoothFound, reason::SearchFound,
    reason::SearchFoundNone, reason::NoCounterexample, reason::NoNearestChange>;

}  // namespace bristle::analysis
