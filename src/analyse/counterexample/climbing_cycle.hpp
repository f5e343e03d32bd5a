// Cycle of maxwell_slip_cycle (counterexample.hpp) with the low level at load_low [N] and the high level at load_high [N].
#pragma once
#include <bristle/analyse/certificate.hpp>

namespace bristle::inline analysis::counterexample {

std::optional<Counterexample> climbing_cycle(const AnyMaxwellSlip& law, double load_low, double load_high, double vmax);

}  // namespace bristle::analysis::counterexample
