// Certificate of a law: verdicts on three properties, with theorem, reasons, margin and counterexample as data.
//
//   bounded      |z| stays within its bound                                            P1: A08 property 1
//   dissipative  v -> z has the storage function z^2/2: int z v dt >= change of z^2/2   P2: A08 (5)
//   passive      v -> F has a storage function H(z) >= 0 with dH/dt <= F v. Equivalent: no input that starts from a relaxed
//                contact (z = 0) extracts more energy than was put in.
//                P3: LuGre, iff sigma2 >= sigma1 (Fs - Fc)/Fc                           A08 (6), A08 (7), K08 (21)
//                P4: damping sigma1(v), if |v| sigma1(v) < 4 g(v)                       A08 property 4
// A proof has its theorem, its margin and the nearest change of a parameter that breaks it. A refutation of passivity has an
// input that extracts energy, or the reason why none is given.
//
// Assumptions of a proof:
//   - the law as an equation over real numbers with exactly these parameters; not its rounded evaluation, not a time step
//   - rounding to nearest; exp, pow, sin and tanh of the C library as exact as its manual states
//   - velocities may jump; a varying load takes any course between its two values, and its own work is not counted
#pragma once
#include <bristle/analyse/reason.hpp>
#include <bristle/simulate/law.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace bristle::inline analysis {

enum class Verdict { proved, refuted, undecided };
const char* name_of(Verdict verdict);  // "proved", "refuted", "undecided"

// Theorem or method behind a verdict.
enum class Theorem {
    none,                 // no theorem applies
    no_state,             // the law is static
    P1,                   // z is bounded
    erratum_E1,           // the conductance as printed has no bounded level
    P2,                   // v -> z is dissipative
    shifted_state,        // z is driven by v + a
    element_storage,      // storage function F_i^2/(2 k_i) of each Maxwell-slip element
    power,                // F v >= 0
    power_intervals,      // F v >= 0, by interval arithmetic
    quadratic_storage,    // storage function sigma0 z^2/2
    P3,                   // enough viscous friction
    P4,                   // bristle damping that fades fast enough
    rising_level,         // exact one-state criterion for a level that never falls
    one_state_criterion,  // exact one-state criterion, by interval arithmetic
    load_cycle,           // deflect at one load, release at another
    sum_storage,          // storage function sum of F_i^2/(2 k_i)
    climbing_cycle,       // Maxwell-slip: slip at a low level, climb to a higher one, push back
    sawtooth,             // v inside (-a, 0), rising slowly and falling fast
    input_search,         // search over periodic inputs
};
struct TheoremInfo {
    std::string_view name;       // "P3"
    std::string_view reference;  // "A08 (6), A08 (7), K08 (21)"; empty: none
};
TheoremInfo info_of(Theorem theorem);

// Velocity (and load) over time, from z = 0, for which the contact supplies energy. If too many cycles would be needed to recover
// the energy of the first deflection, the input has only a few of them: energy > 0, but energy_per_cycle < 0.
struct Counterexample {
    // How the input was constructed. Energies [J], velocities [m/s], loads and levels [N], deflections [m], times [s].
    struct Constant {  // one velocity at which a static law drives the motion
        double v, force;
    };
    struct Shuttle {  // z is deflected, moves between low and high several times, and is released
        double low, high;
        double v_up, load_up, v_down, load_down;
        int cycles;
        double deflection_energy;  // of the first deflection, less the energy that the release returns
        double cycles_needed;      // to recover it
        bool load_varies() const { return load_up != load_down; }
    };
    struct Lever {  // deflect at the low load, raise it at rest, release
        double deflection, load_low, load_high;
        bool springs;  // of Maxwell-slip elements
    };
    struct Climb {  // Maxwell-slip elements climb from one level to another and push the contact back
        double v_low, level_low, v_high, level_high;
        double back;  // path length [m]
    };
    struct Sawtooth {   // v rises from -depth to 0, and falls back
        double depth;   // m/s
        double rise;    // s
        bool deflects;  // z is deflected forward first
    };
    struct Search {  // found by a search over periodic inputs
        int legs, cycles;
    };
    using Construction = std::variant<Constant, Shuttle, Lever, Climb, Sawtooth, Search>;

    std::vector<std::pair<double, double>>
        velocity;  // [t, v]: v is held from t on; if ramps: linear between the points
    bool ramps = false;
    std::vector<std::pair<double, double>> load;  // [t, N], linear between the points; empty: constant 1
    double duration = 0;                          // s
    double energy = 0;                            // supplied to the contact over the run [J]; < 0: extracted from it
    double gross = 0;                             // integral of |F v| dt over the run [J]
    double tolerance = 0;                         // numerical error of energy, at most [J]
    double energy_per_cycle = 0;                  // of a cycle that repeats itself [J]
    Construction construction;
};

// A parameter and the value at which the verdict changes.
struct Change {
    std::string key;  // "sigma2"
    double from, to;  // in the unit of the parameter
};

struct Finding {
    Verdict verdict = Verdict::undecided;
    Theorem theorem = Theorem::none;
    std::vector<Reason> reasons;  // in the order in which they are reported
    // Distance to the condition, > 0: it is met. sigma2 minus the required sigma2 [N s/m], or the bound of vc minus vc (P4) [m/s].
    // std::nullopt if no sigma2 is needed or the limit is not known.
    std::optional<double> margin;
    std::string margin_unit;
    std::string margin_key;  // parameter of the margin: "sigma2", "negative.sigma2", "g6", "vc"
    // The smallest relative change of one parameter that changes the verdict, as far as a search finds it.
    std::optional<Change> nearest;
    // Largest proved |v| [m/s]; infinity: all, 0: none. Passive: with the storage function sigma0 z^2/2; with any other if that gives
    // 0, or if passivity is proved up to a larger vmax.
    std::optional<double> speed;
    std::optional<Counterexample> counterexample;

    // Returns the reason of this type, nullptr if there is none.
    template <class R>
    const R* reason() const {
        for (const Reason& one : reasons)
            if (const auto* found = std::get_if<R>(&one)) return found;
        return nullptr;
    }
};

struct Certificate {
    Finding bounded, dissipative, passive;
};

struct CertifyOptions {
    std::optional<double> vmax;  // |v| <= vmax [m/s]; std::nullopt: all speeds
    // N; equal: constant load. 0 < load_min <= load_max <= 1e12 load_min; gear laws: 0 <= load_min <= load_max, 0 without load.
    double load_min = 1, load_max = 1;
    // Called every few milliseconds; if it returns false, certify throws Cancelled.
    std::function<bool()> should_continue = {};
};

// Returns the certificate of a law. Throws Error for a law or options that break a rule; the static law of Makkar with g2 < g3 is
// accepted, because the certificate decides whether it is passive.
// Cost: milliseconds if a formula decides, tenths of a second by interval arithmetic, at most about two seconds: then searches
// reach their work budget, which the reasons state.
Certificate certify(const AnyLaw& law, const CertifyOptions& options = {});

}  // namespace bristle::analysis
