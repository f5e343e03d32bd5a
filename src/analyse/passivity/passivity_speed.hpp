// Up to which speed a law is passive, and with how much viscous friction it would be at all speeds.
#pragma once
#include "passivity_criterion.hpp"

#include <vector>

namespace bristle::analyse {

// Proved for all directions, or refuted for one of them.
struct Joint {
    Verdict verdict = Verdict::proved;
    const Side* side = nullptr;  // where it is refuted or undecided
    std::optional<WrongOrder> where;
    long boxes = 0;
};
Joint decide_all(const std::vector<Side>& sides, double vmax, long budget = most_boxes);

// The largest V for which sigma0 z^2/2 is a storage for |v| <= V, to 1e-5 from below; infinity for all speeds.
double plain_speed(const std::vector<Side>& sides);

// The largest V for which any storage exists: proved for |v| <= proved, refuted for |v| <= refuted, 2e-4 apart where nothing
// stays undecided. Both infinity where the law is passive at all speeds.
struct ExactSpeed {
    double proved = 0, refuted = infinity;
};
ExactSpeed exact_speed(const std::vector<Side>& sides, double plain);

// The smallest sigma2 (the same in both directions) with which the law is passive up to vmax, to 1e-4 from above; nothing if none was found.
std::optional<double> viscous_needed(std::vector<Side> sides, double vmax);

}  // namespace bristle::analyse
