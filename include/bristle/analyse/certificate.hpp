// A certificate: what is proved, refuted or left open about a law, in a form that people and programs can read.
//
//   bounded      |z| stays within its bound (A08 property 1)
//   dissipative  v -> z is dissipative with storage z^2/2 (A08 5)
//   passive      v -> F is passive: a storage H(z) >= 0 exists with dH/dt <= F v; equivalently no input that starts from a relaxed
//                contact (z = 0) can ever draw more energy out of it than was put in
// A proof names its theorem, its margin and the nearest change of a parameter that would break it. A refutation comes with an
// input that draws energy; replaying it shows the amount. Where no input of reasonable length shows it, or finding one costs too much,
// the refutation stands alone, and the text says why.
//
// What a proof assumes: the law as an equation over real numbers, with exactly these parameters (not its rounded evaluation, nor a
// time step); round to nearest; exp, pow, sin and tanh of the C library as exact as its manual states. Speeds may jump; a load
// that varies does so in any way between its two values, and its own work is not counted.
#pragma once
#include <bristle/simulate/law.hpp>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bristle::inline analysis {

enum class Verdict { proved, refuted, undecided };
const char* name_of(Verdict verdict);  // "proved", "refuted", "undecided"

// A velocity (and load) over time, from z = 0, under which the contact gives out energy. Where too many cycles would be needed to pay for
// the first bending, it has only a few of them: then energy > 0, energy_per_cycle < 0 all the same, and the text says so.
struct Counterexample {
    std::vector<std::pair<double, double>> velocity;  // [t, v]: held at v from t on, or, if ramps, straight between
    bool ramps = false;
    std::vector<std::pair<double, double>> load;  // [t, N], ramps; empty: constant
    double duration = 0;                          // s
    double energy = 0;                            // supplied to the contact over the run [J]; negative: drawn from it
    double energy_per_cycle = 0;                  // once the cycle repeats itself [J]
    std::string text;                             // one sentence: what it does and why it works
};

// A parameter and the value at which the verdict would change.
struct Change {
    std::string key;  // "sigma2"
    double from, to;  // in the parameter's unit
};

struct Finding {
    Verdict verdict = Verdict::undecided;
    std::string theorem;  // "P3 (A08 6-7, K08 21)", "exact one-state criterion, interval arithmetic" ...
    std::string text;     // a few plain sentences
    // How far the law is inside (> 0) or outside (< 0) the condition: sigma2 beyond what is needed [N s/m], or vc below its
    // bound (P4) [m/s]. Nothing where no sigma2 is needed.
    std::optional<double> margin;
    std::string margin_unit;
    std::string margin_key;  // the parameter that the margin is about: "sigma2", "negative.sigma2", "g6", "vc"
    // The smallest relative change of one parameter that turns the verdict, as far as a search finds it.
    std::optional<Change> nearest;
    // Up to which |v| it holds [m/s]; infinity where for all, 0 where for none. Passive: with the storage sigma0 z^2/2; the text has
    // the larger speed that other storages reach, and speed is that one where sigma0 z^2/2 does not do.
    std::optional<double> speed;
    std::optional<Counterexample> counterexample;
};

struct Certificate {
    Finding bounded, dissipative, passive;
};

struct CertifyOptions {
    std::optional<double> vmax;         // |v| <= vmax [m/s]; nothing: all speeds
    double load_min = 1, load_max = 1;  // N; equal: constant load. 0 < load_min <= load_max <= 1e12 load_min
    std::function<bool()> should_continue =
        {};  // asked every few milliseconds; false stops: certify throws Error("stopped")
};

// Throws Error for a law or options that break a rule (Makkar's static law with g2 < g3 is judged all the same). Milliseconds where a
// formula decides, some tenths of a second where intervals do, about two seconds at most: then searches are ended, and the text says so.
Certificate certify(const AnyLaw& law, const CertifyOptions& options = {});

}  // namespace bristle::inline analysis
