// Speed limits and required viscous friction, by bisection on the criterion.
#include "analyse/passivity/speed_limits.hpp"

#include "base/work_budget.hpp"
#include "numerics/bisect.hpp"

namespace bristle::inline analysis::passivity {

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

// Largest speed that is tried [m/s], and how many times it is divided by 16 to find a proved one.
constexpr double largest_speed = 1e30;
constexpr int max_divisions = 30;

double geometric_mean(double a, double b) { return std::sqrt(a) * std::sqrt(b); }

// Bisection of a limit in equal ratios; holds(v) may lower refuted.
template <class Holds>
void narrow_down(SpeedLimit& limit, double ratio, const Holds& holds) {
    double high = std::min(limit.refuted, largest_speed);
    if (limit.refuted == infinity && holds(high)) {
        limit.proved = high;
        return;
    }
    if (!(limit.proved > 0)) {
        double low = high / 2;
        for (int i = 0; !holds(low); ++i, high = low, low /= 16)
            if (i == max_divisions || !spend()) return;
        limit.proved = low;
    }
    numerics::narrow(
        limit.proved, high, [&] { return high > ratio * limit.proved && spend(); }, holds, geometric_mean);
}

SpeedLimit plain_speed(const Side& side) {
    const PlainDecision all = decide_plain(side, infinity);
    if (all.verdict == Verdict::proved) return {infinity, infinity};
    SpeedLimit limit{0, all.speed};
    narrow_down(limit, 1 + 1e-5, [&](double v) {
        const PlainDecision one = decide_plain(side, v, search_boxes);
        limit.refuted = std::min(limit.refuted, one.speed);
        return one.verdict == Verdict::proved;
    });
    return limit;
}

}  // namespace

SpeedLimit plain_speed(const std::vector<Side>& sides) {
    SpeedLimit least{infinity, infinity};
    for (const Side& side : sides) {
        const SpeedLimit one = plain_speed(side);
        least = {std::min(least.proved, one.proved), std::min(least.refuted, one.refuted)};
    }
    return least;
}

SpeedLimit exact_speed(const std::vector<Side>& sides, double plain) {
    if (plain == infinity) return {infinity, infinity};
    const auto fastest = [](const WrongOrder& where) { return std::max(std::abs(where.v_minus), where.v_plus); };
    const Joint all = decide_all(sides, infinity, search_boxes);
    if (all.verdict == Verdict::proved) return {infinity, infinity};
    SpeedLimit limit{plain, all.where ? fastest(*all.where) : infinity};
    narrow_down(limit, 1 + 1e-4, [&](double v) {
        const Joint joint = decide_all(sides, v, search_boxes);
        if (joint.where) limit.refuted = std::min(limit.refuted, std::max(fastest(*joint.where), limit.proved));
        return joint.verdict == Verdict::proved;
    });
    return limit;
}

std::optional<double> viscous_needed(Side side, double vmax) {
    const double own = side.sigma2;
    const auto verdict = [&](double sigma2) {
        side.sigma2 = sigma2;
        return decide(side, vmax, search_boxes).verdict;
    };
    if (verdict(0) == Verdict::proved) return 0;
    // more viscous friction keeps a proof: bisection between a refuted and a proved value
    double low = own, high = own > 0 ? own : 1e-6 * side.sigma1;
    const Verdict here = verdict(high);
    if (here == Verdict::undecided || !(high > 0)) return {};
    const double factor = here == Verdict::proved ? 0.25 : 4;
    double next = high;
    for (int i = 0; verdict(next *= factor) == here; ++i)
        if (i == 40 || !spend()) return {};
    low = std::min(next, next / factor);
    high = std::max(next, next / factor);
    if (verdict(low) != Verdict::refuted || verdict(high) != Verdict::proved) return {};
    const auto wide = [&] { return high > (1 + 1e-4) * low; };
    numerics::narrow(
        high, low, [&] { return wide() && spend(); }, [&](double sigma2) { return verdict(sigma2) == Verdict::proved; },
        geometric_mean);
    if (wide()) return {};
    return high;
}

}  // namespace bristle::analysis::passivity
