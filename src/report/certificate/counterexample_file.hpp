// A counterexample as an experiment file that replays it, with its law written from its own parameter table.
#pragma once
#include <bristle/analyse/certificate.hpp>

namespace bristle::report {

// TOML. Its claim is on the signal "work": the energy supplied to the contact since the start.
std::string experiment_text(const AnyLaw& law, const Counterexample& counterexample);

}  // namespace bristle::report
