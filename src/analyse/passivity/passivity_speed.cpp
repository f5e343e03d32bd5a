#include "passivity_speed.hpp"

namespace bristle::analyse {

Joint decide_all(const std::vector<Side>& sides, double vmax, long budget) {
    Joint all;
    for (const Side& side : sides) {
        const Decision one = decide(side, vmax, budget);
        all.boxes += one.boxes;
        if (one.verdict == Verdict::proved) continue;
        if (all.verdict == Verdict::proved || one.verdict == Verdict::refuted) {
            all.verdict = one.verdict;
            all.side = &side;
            all.where = one.where;
        }
        if (one.verdict == Verdict::refuted) break;
    }
    return all;
}

namespace {

// Between a low value at which something holds and a high one at which it does not, in equal ratios.
template <class Holds>
double last_that_holds(double low, double high, double ratio, const Holds& holds) {
    while (high > ratio * low) {
        const double middle = std::sqrt(low) * std::sqrt(high);
        (holds(middle) ? low : high) = middle;
    }
    return low;
}

double plain_speed(const Side& side) {
    const PlainDecision all = decide_plain(side, infinity);
    if (all.verdict == Verdict::proved) return infinity;
    const auto works = [&](double v) { return decide_plain(side, v).verdict == Verdict::proved; };
    double high = std::min(all.speed, 1e9), low = high / 2;
    for (; !works(low); high = low, low /= 16)
        if (low < 1e-15) return 0;
    return last_that_holds(low, high, 1 + 1e-5, works);
}

}  // namespace

double plain_speed(const std::vector<Side>& sides) {
    double least = infinity;
    for (const Side& side : sides) least = std::min(least, plain_speed(side));
    return least;
}

ExactSpeed exact_speed(const std::vector<Side>& sides, double plain) {
    if (plain == infinity) return {infinity, infinity};
    const auto fastest = [](const WrongOrder& where) { return std::max(std::abs(where.v_minus), where.v_plus); };
    const Joint all = decide_all(sides, infinity, search_boxes);
    if (all.verdict == Verdict::proved) return {infinity, infinity};
    ExactSpeed found{plain, all.where ? fastest(*all.where) : infinity};
    const auto holds = [&](double v) {
        const Joint joint = decide_all(sides, v, search_boxes);
        if (joint.where) found.refuted = std::min(found.refuted, std::max(fastest(*joint.where), found.proved));
        return joint.verdict == Verdict::proved;
    };
    double high = std::min(found.refuted, 1e9), low = plain;
    if (!(low > 0))
        for (low = high / 2; !holds(low); high = low, low /= 16)
            if (low < 1e-15) return {0, found.refuted};
    found.proved = last_that_holds(low, high, 1 + 1e-4, holds);
    return found;
}

std::optional<double> viscous_needed(std::vector<Side> sides, double vmax) {
    const auto misses = [&](double sigma2) {
        for (Side& side : sides) side.sigma2 = side.sigma2_back = sigma2;
        return decide_all(sides, vmax, search_boxes).verdict != Verdict::proved;
    };
    if (!misses(0)) return 0;
    double low = 1e-6 * sides.front().sigma1, high = low;
    for (int i = 0; misses(high); ++i, high *= 4)
        if (i == 30) return {};
    if (high == low) return low;
    low = last_that_holds(high / 4, high, 1 + 1e-4, misses);
    return low * (1 + 1e-4);
}

}  // namespace bristle::analyse
