// Up to which speed a law is passive, and with how much viscous friction it would be.
#pragma once
#include "analyse/passivity/passivity_criterion.hpp"

#include <vector>

namespace bristle::inline analysis {

// Proved for all directions, or refuted for one of them.
struct Joint {
    Verdict verdict = Verdict::proved;
    const Side* side = nullptr;  // where it is refuted or undecided
    std::optional<WrongOrder> where;
    long boxes = 0;
};
Joint decide_all(const std::vector<Side>& sides, double vmax, long budget = max_boxes);

// What is known of the largest V up to which something holds for |v| <= V: it does up to one speed (0: none was found; infinity: at all),
// and does not up to another (infinity: none was found). Between them nothing is known.
struct SpeedLimit {
    double proved = 0, refuted = infinity;
    bool everywhere() const { return proved == infinity; }
    bool sharp() const { return refuted <= 1.01 * proved; }
};

// With the storage sigma0 z^2/2, to 1e-5.
SpeedLimit plain_speed(const std::vector<Side>& sides);
// With any storage, 2e-4 apart where nothing stays undecided and the effort suffices. plain: a speed that is proved already, or 0.
SpeedLimit exact_speed(const std::vector<Side>& sides, double plain);

// The smallest sigma2 in the direction of the side with which it is passive up to vmax, to 1e-4 from above: 0 where none is needed. What
// the side has decides from where it is looked for, so that what is proved needs no more than it has. Nothing where the limit was not found.
std::optional<double> viscous_needed(Side side, double vmax);

}  // namespace bristle::inline analysis
