// Largest speed up to which one-state laws are passive, and the viscous friction they require.
#pragma once
#include "analyse/passivity/criterion.hpp"

#include <vector>

namespace bristle::inline analysis::passivity {

// Decision for all directions: proved in all, or refuted in one of them.
struct Joint {
    Verdict verdict = Verdict::proved;
    const Side* side = nullptr;  // the direction that is refuted or undecided
    std::optional<WrongOrder> where;
    long boxes = 0;
};
Joint decide_all(const std::vector<Side>& sides, double vmax, long budget = max_boxes);

// With the storage function sigma0 z^2/2, to 1e-5.
SpeedLimit plain_speed(const std::vector<Side>& sides);
// With any storage function. The two speeds differ by 2e-4 at most if nothing stays undecided and the work budget suffices.
// plain: a speed that is proved already, or 0 [m/s].
SpeedLimit exact_speed(const std::vector<Side>& sides, double plain);

// Returns the smallest sigma2 in the direction of the side with which it is passive up to vmax, to 1e-4 from above [N s/m]; 0 if none
// is needed, std::nullopt if the limit was not found. The search starts from the sigma2 of the side, so that a proved side never needs
// more than it has.
std::optional<double> viscous_needed(Side side, double vmax);

}  // namespace bristle::analysis::passivity
