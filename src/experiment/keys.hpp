// The tables of an experiment file that no law and no rig brings along: inputs, run and measures. The reader, units in reports
// and docs/experiments.md use these tables.
#pragma once
#include "experiment/section.hpp"

#include <bristle/simulate/check.hpp>

namespace bristle::experiment {

namespace keys {

inline constexpr Bound any{-bound::infinite, bound::infinite, false, "must be a finite number"};

inline constexpr Key value{{"value", "", "the constant", any}};
inline constexpr Key offset{{"offset", "", "mean of the wave", any}, 0.0};
inline constexpr Key amplitude{{"amplitude", "", "half of peak to peak", any}};
inline constexpr Key phase{{"phase", "rad", "phase at t = 0", any}, 0.0};
inline constexpr Key frequency{{"frequency", "Hz", "periods per second", bound::positive}, {}, "this or `omega`"};
inline constexpr Key omega{{"omega", "rad/s", "2 pi times the frequency", bound::positive}, {}, "this or `frequency`"};
inline constexpr Key f0{{"f0", "Hz", "frequency at t = 0", bound::nonnegative}};
inline constexpr Key f1{{"f1", "Hz", "frequency at the end of the run", bound::nonnegative}};

// Moves. Speed, acceleration and jerk: of the signal, per s, s^2 and s^3.
inline constexpr Key from{{"from", "", "value before the first move", any}, 0.0};
inline constexpr Key speed{{"speed", "", "largest speed of moves, per s", bound::positive}, {}, nullptr, 1};
inline constexpr Key acceleration{
    {"acceleration", "", "largest acceleration of moves, per s^2", bound::positive}, {}, nullptr, 2};
inline constexpr Key jerk{
    {"jerk", "", "largest jerk of moves, per s^3", bound::positive}, {}, "no limit: the speed is a trapezoid", 3};

// Run: rows of run_table with their defaults. A default that is not a number is given in words; the reader applies it.
inline constexpr Key duration{run_table::duration};
inline constexpr Key rtol{run_table::rtol, 1e-6};
inline constexpr Key atol{run_table::atol, {}, "as `rtol`"};
inline constexpr Key step{run_table::step, {}, "required by `coupled` and `explicit`"};
inline constexpr Key samples{run_table::samples, 1001.0};
inline constexpr Key stick_speed{run_table::stick_speed, {}, "`vs` of the law"};

}  // namespace keys

// Numbers of an input. Unit "": that of the signal.
inline constexpr Key input_keys[] = {keys::value,     keys::offset, keys::amplitude,    keys::phase,
                                     keys::frequency, keys::omega,  keys::f0,           keys::f1,
                                     keys::from,      keys::speed,  keys::acceleration, keys::jerk};
// Numbers of a run.
inline constexpr Key run_keys[] = {keys::duration, keys::rtol,    keys::atol,
                                   keys::step,     keys::samples, keys::stick_speed};

// The unit of a number of a table; std::nullopt if the table has no such key.
inline std::optional<std::string_view> unit_in(std::span<const Key> table, std::string_view name) {
    for (const Key& key : table)
        if (name == key.parameter.name) return key.parameter.unit;
    return {};
}

// The unit of a number of an input whose signal has the unit `own`, "rad/s^2" for its acceleration in rad; std::nullopt if inputs have
// no such number.
std::optional<std::string> unit_in_input(std::string_view name, std::string own);

enum class InputType { constant, steps, ramps, moves, sine, chirp, csv };
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
    {InputType::moves, "moves",
     "from rest to rest to the points = [[t, target], ...], each beginning at its time, with the shortest time that "
     "speed, acceleration and "
     "jerk permit"},
    {InputType::sine, "sine", "offset + amplitude sin(2 pi frequency t + phase)"},
    {InputType::chirp, "chirp", "offset + amplitude sin(2 pi (f0 t + (f1 - f0) t^2/(2 duration)))"},
    {InputType::csv, "csv", "straight between the rows of a file with two columns, time and value"}};

// A measure that a claim may be about.
struct MeasureKind {
    enum class Of { run, energy, occurrence, stick, servo, signal, instant };
    const char* name;
    Of of;
    const char*
        unit;  // null: that of the rig's position (run), of the controller's error (servo), or that of the signal (signal, instant)
    std::optional<double> (*value)(const Result& result, const Claim& claim);
    const char* doc;
    bool needs_stick_speed = false;
};
std::span<const MeasureKind> measure_kinds();
// Null if there is no such measure.
const MeasureKind* find_measure(std::string_view name);

// The names of the rows of a table.
template <class Kinds>
Words names_of(const Kinds& kinds) {
    Words names;
    for (const auto& kind : kinds) names.emplace_back(kind.name);
    return names;
}

}  // namespace bristle::experiment
