// Improves a point that refutes the criterion, and turns it into a witness of the law.
#include "analyse/passivity/criterion.hpp"

#include "base/work_budget.hpp"

#include <vector>

namespace bristle::inline analysis::passivity {
namespace {

std::vector<double> grid(double from, double to, int steps) {
    std::vector<double> all;
    const double ratio = std::pow(to / from, 1.0 / steps);
    for (int i = 0; i < steps; ++i) all.push_back(from * std::pow(ratio, i));
    all.push_back(to);
    return all;
}

}  // namespace

WrongOrder strengthen(const Side& side, const WrongOrder& where, double vmax) {
    WrongOrder best = where;
    if (std::max(std::abs(where.v_minus), where.v_plus) > vmax) best.excess = 0;
    std::vector<double> speeds = grid(1e-9 * vmax, vmax, 144);
    for (const double v : {std::abs(where.v_minus), where.v_plus})
        if (v > 0 && v <= vmax) speeds.push_back(v);
    std::vector<double> forces = grid(where.s / 8, std::min(8 * where.s, highest_level(side, vmax)), 48);
    forces.push_back(where.s);
    for (const double s : forces) {
        if (!spend(2 * long(speeds.size()))) break;
        double lowest = infinity, highest = -infinity, v_minus = 0;
        for (const double v : speeds) {
            if (const auto A = side.rising_at(s, v)) lowest = std::min(lowest, A->hi);
            const auto consider = [&](const std::optional<Interval>& A, double velocity) {
                if (!A || !(A->lo > highest)) return;
                highest = A->lo;
                v_minus = velocity;
            };
            consider(side.falling_at(s, v), v);
            if (side.gain > 1) consider(side.back_at(s, v), -v);
        }
        const double excess = highest - lowest;
        if (!(lowest < infinity && excess > best.excess)) continue;
        best = {s, v_minus, 0, excess};
    }
    if (!(best.excess > 0)) return where;
    // the order stays wrong with three quarters of the excess
    const auto A = best.v_minus < 0 ? side.back_at(best.s, -best.v_minus) : side.falling_at(best.s, best.v_minus);
    if (!A) return where;
    const double allowed = A->lo - 0.75 * best.excess;
    for (const double v : speeds)
        if (const auto rising = side.rising_at(best.s, v); rising && rising->hi <= allowed)
            best.v_plus = std::max(best.v_plus, v);
    if (!(best.v_plus > 0)) return where;
    best.excess = A->lo - side.rising_at(best.s, best.v_plus)->hi;
    return best;
}

counterexample::Witness witness_of(const Side& side, const WrongOrder& where, double sigma0, double load) {
    const double z = where.s / sigma0;
    if (side.direction > 0) return {z, where.v_minus, where.v_plus, load};
    // for v < 0 all signs change: the velocity that deflects the bristle further has dz/dt < 0
    return {-z, -where.v_plus, -where.v_minus, load};
}

}  // namespace bristle::analysis::passivity
