// The keys of an experiment file that no law and no rig brings along: inputs and run. Reading and docs/experiments.md follow
// these tables.
#pragma once
#include "experiment/section.hpp"

namespace bristle::experiment {

namespace keys {

inline constexpr Bound any{-bound::infinite, bound::infinite, false, "must be a finite number"};

inline constexpr Key value{{"value", "", "the constant", any}};
inline constexpr Key offset{{"offset", "", "mean of the wave", any}, 0.0};
inline constexpr Key amplitude{{"amplitude", "", "half of peak to peak", any}};
inline constexpr Key phase{{"phase", "rad", "phase at t = 0", any}, 0.0};
inline constexpr Key frequency{{"frequency", "Hz", "periods per second", bound::positive}};
inline constexpr Key omega{{"omega", "rad/s", "2 pi times the frequency", bound::positive}};
inline constexpr Key f0{{"f0", "Hz", "frequency at t = 0", bound::nonnegative}};
inline constexpr Key f1{{"f1", "Hz", "frequency at the end of the run", bound::nonnegative}};

// What a run takes. Where the default is not a number: none here, and the reader knows.
inline constexpr Key duration{
    {"duration", "s", "length of the run", {1e-12, 1e9, true, "must be >= 1e-12 s and < 1e9 s"}}};
inline constexpr Key rtol{{"rtol", "1", "relative tolerance", {1e-13, 1, true, "must be >= 1e-13 and < 1"}}, 1e-6};
inline constexpr Key atol{{"atol",
                           "1",
                           "absolute tolerance, as a factor on the nominal size of each state",
                           {1e-20, 1, true, "must be >= 1e-20 and < 1"}}};
inline constexpr Key step{{"step", "s", "fixed step of coupled and explicit", bound::positive}};
inline constexpr Key samples{{"samples",
                              "1",
                              "rows of the output, evenly spaced from 0 to duration",
                              {2, 1000001, true, "must be a whole number from 2 to 1000000"}},
                             1001.0};
inline constexpr Key stick_speed{
    {"stick_speed", "m/s", "speed below which the contact counts as stuck", bound::positive}};

}  // namespace keys

enum class InputType { constant, steps, ramps, sine, chirp, csv };
struct InputKind {
    InputType type;
    const char* name;
    const char* doc;
};
inline constexpr InputKind input_kinds[] = {
    {InputType::constant, "constant", "value"},
    {InputType::steps, "steps",
     "each value of points = [[t, value], ...] holds from its time on; zero before the first"},
    {InputType::ramps, "ramps",
     "straight between the points = [[t, value], ...], held before the first and after the last"},
    {InputType::sine, "sine", "offset + amplitude sin(2 pi frequency t + phase)"},
    {InputType::chirp, "chirp", "offset + amplitude sin(2 pi (f0 t + (f1 - f0) t^2/(2 duration)))"},
    {InputType::csv, "csv", "straight between the rows of a file with two columns, time and value"}};

// A measure that a claim may be about.
struct MeasureKind {
    enum class Of { run, occurrence, stick, signal, instant };
    const char* name;
    Of of;
    std::optional<double> (*value)(const Result& result, const Claim& claim);
    const char* doc;
};
std::span<const MeasureKind> measure_kinds();
// The keys that claims about it take.
inline const char* taken_by(MeasureKind::Of of) {
    using Of = MeasureKind::Of;
    return of == Of::occurrence || of == Of::stick ? "`at`"
           : of == Of::signal                      ? "`signal`"
           : of == Of::instant                     ? "`signal`, `time`"
                                                   : "";
}

template <class Kinds>
std::vector<std::string> names_of(const Kinds& kinds) {
    std::vector<std::string> names;
    for (const auto& kind : kinds) {
        if constexpr (requires { kind.name; })
            names.emplace_back(kind.name);
        else
            names.emplace_back(kind);
    }
    return names;
}

}  // namespace bristle::experiment
