// Numbers of a set-up by key. Keys are those of experiment files; elements of a list have an index from 0 (messages about files count
// from 1).
//
//   law.sigma0, law.negative.Fc, law.k[0]   the law's parameter table
//   rig.mass, rig.velocity ...              the rig's parameter table
//   load                                    a constant load [N]; also law.load
//   input.value, input.offset, input.amplitude, input.frequency, input.omega, input.phase   a constant or a sine
//   start.x, start.z ...                    initial states
// A parameter that takes over another one when it is not given (negative.sigma2 that of sigma2) follows it while both are equal.
#pragma once
#include <bristle/simulate/setup.hpp>

#include <string_view>
#include <vector>

namespace bristle::inline simulation {

struct KeyedNumber {
    std::string key;   // "rig.velocity"
    double value;      // in unit
    std::string unit;  // SI; "1" for a number without unit
};
// All numbers that the set-up has.
std::vector<KeyedNumber> numbers_of(const Setup& setup);

// The number at a key; std::nullopt if the set-up has none there.
std::optional<double> number_at(const Setup& setup, std::string_view key);

// A copy with another number at a key. Throws Error if the set-up has no such number; the message names keys close to it.
Setup with_number(const Setup& setup, std::string_view key, double value);

}  // namespace bristle::simulation
