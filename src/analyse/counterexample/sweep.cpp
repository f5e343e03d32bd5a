// Sweeps, cheapest passages and contrasts of one-state laws.
#include "base/work_budget.hpp"
#include "analyse/scales.hpp"
#include "analyse/counterexample/sweep.hpp"
#include <bristle/search.hpp>
#include "numerics/interval.hpp"
#include "simulate/friction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace bristle::inline analysis::counterexample {

namespace {

using numerics::infinity;

struct Speeds {
    double low, high;  // m/s
};
// From 1e-4 of the lowest speed scale of the law to a multiple of its highest, within vmax.
Speeds speeds_of(const AnyLaw& law, std::span<const double> loads, double vmax, double times) {
    Speeds speeds{infinity, 0};
    for (const double load : loads) {
        const Scales scales = scales_of(law, load);
        speeds.low = std::min(speeds.low, 1e-4 * scales.slowest);
        speeds.high = std::max(speeds.high, times * scales.fastest);
    }
    speeds.high = std::min(speeds.high, vmax);
    speeds.low = std::min(speeds.low, 1e-3 * speeds.high);
    return speeds;
}

// ---- adaptive Simpson over z -----------------------------------------------------------------------------------------------

Sweep operator+(Sweep a, Sweep b) { return {a.time + b.time, a.energy + b.energy}; }
Sweep operator*(double factor, Sweep a) { return {factor * a.time, factor * a.energy}; }

// The integrands at z: 1/(dz/dt) and the quotient.
Sweep integrand(const AnyLaw& law, Held held, double z, double direction) {
    const auto [rate, force] = at(law, z, held);
    if (!(rate * direction > 0)) return {infinity, infinity};
    return {1 / rate, force * held.v / rate};
}

struct Panel {
    double a, b;            // m
    Sweep fa, fm, fb, sum;  // at both ends and the middle; Simpson's rule
};
Panel panel(double a, double b, Sweep fa, Sweep fm, Sweep fb) {
    return {a, b, fa, fm, fb, ((b - a) / 6) * (fa + 4 * fm + fb)};
}
template <class F>
Sweep refined(const F& f, const Panel& p, int depth, long& panels) {
    const double m = 0.5 * (p.a + p.b);
    const Panel left = panel(p.a, m, p.fa, f(0.5 * (p.a + m)), p.fm),
                right = panel(m, p.b, p.fm, f(0.5 * (m + p.b)), p.fb);
    const Sweep sum = left.sum + right.sum, change = sum + -1.0 * p.sum;
    constexpr double tolerance = 1e-10;
    const bool done =
        std::abs(change.time) <= 15 * tolerance * std::abs(sum.time) &&
        std::abs(change.energy) <= 15 * tolerance * (std::abs(sum.energy) + 1e-3 * std::abs(p.sum.energy));
    if (done || depth == 0 || !std::isfinite(sum.time) || --panels < 0) return sum + (1. / 15) * change;
    return refined(f, left, depth - 1, panels) + refined(f, right, depth - 1, panels);
}

}  // namespace

bool has_one_state(const AnyLaw& law) {
    return std::visit([]<class Law>(const Law&) { return OneBristle<Law>; }, law);
}
bool sticks_at_rest(const AnyLaw& law) {
    return std::visit([](const auto& l) { return std::remove_cvref_t<decltype(bristle::detail::curve_of(l))>::sticks; },
                      law);
}

Instant at(const AnyLaw& law, double z, Held held) {
    return std::visit(
        [&]<class Law>(const Law& l) -> Instant {
            if constexpr (OneBristle<Law>)
                return {rate(l, z, held.v, held.load), force(l, z, held.v, held.load)};
            else
                return {unset<double>(), unset<double>()};
        },
        law);
}

double quotient(const AnyLaw& law, double z, Held held) {
    const auto [rate, force] = at(law, z, held);
    return force * held.v / rate;
}

Sweep sweep(const AnyLaw& law, Held held, double from, double to) {
    const double direction = to < from ? -1 : 1;
    const auto f = [&](double z) { return integrand(law, held, z, direction); };
    constexpr int parts = 2;
    constexpr long max_panels = 20000, panels_per_unit = 4;
    long panels = max_panels;
    Sweep sum;
    for (int i = 0; i < parts; ++i) {
        const double a = from + (to - from) * i / parts, b = from + (to - from) * (i + 1) / parts;
        const Panel whole = panel(a, b, f(a), f(0.5 * (a + b)), f(b));
        if (!std::isfinite(whole.sum.time)) return {infinity, infinity};
        sum = sum + refined(f, whole, 24, panels);
    }
    if (!spend(1 + (max_panels - panels) / panels_per_unit)) return {infinity, infinity};
    return sum;
}

std::optional<Passage> cheapest(const AnyLaw& law, double from, double to, double load, double vmax, double slack) {
    const auto [low, high] = speeds_of(law, std::span(&load, 1), vmax, 10);
    std::vector<Passage> all;
    const double ratio = std::pow(10, 1. / 6);
    for (double v = high; v > std::max(1e-5 * low, 1e-300) && spend(); v /= ratio)
        for (const double signed_v : {v, -v}) {
            const Passage one{{signed_v, load}, sweep(law, {signed_v, load}, from, to)};
            if (std::isfinite(one.sweep.time) && std::isfinite(one.sweep.energy)) all.push_back(one);
        }
    if (all.empty()) return {};
    double least = infinity;
    for (const Passage& one : all) least = std::min(least, one.sweep.energy);
    const Passage* best = nullptr;
    for (const Passage& one : all)
        if (one.sweep.energy <= least + slack * std::abs(least) && (!best || one.sweep.time < best->sweep.time))
            best = &one;
    return *best;
}

namespace {

// At z, over those speeds and the given loads.
Contrast contrast(const AnyLaw& law, double z, std::span<const double> loads, Speeds speeds) {
    // a law at an instant takes some 30 ns
    const double decades = std::log10(speeds.high / speeds.low);
    if (!(decades < 700) || !spend(long(4 * double(loads.size()) * (24 * decades + 120) / 30)))
        return {z, -infinity, {}, {}};
    // the best speed for a direction of z: the largest quotient while z decreases, the smallest while it increases
    const auto best = [&](double direction) {
        std::pair<double, Held> found{-infinity, {0, 0}};
        for (const double load : loads)
            for (const double sign : {1.0, -1.0}) {
                const auto value = [&](double speed) {
                    const Held held{sign * speed, load};
                    const auto [rate, force] = at(law, z, held);
                    return rate * direction > 0 ? -direction * force * held.v / rate : -infinity;
                };
                const auto peak = bristle::detail::maximum(value, speeds.low, speeds.high);
                if (peak.value > found.first) found = {peak.value, {sign * peak.at, load}};
            }
        return found;
    };
    const auto [falling, minus] = best(-1);
    const auto [rising, plus] = best(1);
    return {z, falling + rising, minus, plus};
}

// Sum of the magnitudes of the two quotients of a contrast [N].
double size(const AnyLaw& law, const Contrast& c) {
    return std::abs(quotient(law, c.z, c.minus)) + std::abs(quotient(law, c.z, c.plus));
}

class ContrastSearch {
  public:
    ContrastSearch(const AnyLaw& law, std::span<const double> loads, Speeds speeds)
        : law_(law), loads_(loads), speeds_(speeds) {
        for (const double load : loads) bound_ = std::max(bound_, scales_of(law, load).deflection);
    }

    std::optional<Contrast> largest() {
        // equally spaced, and closer and closer to the bound
        std::vector<double> fractions;
        for (int i = 1; i < 32; ++i) fractions.push_back(i / 32.);
        for (int i = 6; i < 24; ++i) fractions.push_back(1 - std::pow(2, -i));
        for (const double side : {1.0, -1.0}) {
            std::vector<double> gains;
            for (const double fraction : fractions) gains.push_back(at_fraction(side * fraction).gain);
            // around every peak: near the limit of passivity it may be positive between two points only
            for (std::size_t i = 0; i < fractions.size(); ++i) {
                const double before = i > 0 ? gains[i - 1] : -infinity,
                             after = i + 1 < fractions.size() ? gains[i + 1] : -infinity;
                if (std::isfinite(gains[i]) && gains[i] >= before && gains[i] >= after)
                    refine(side, i > 0 ? fractions[i - 1] : 0.5 * fractions[0],
                           i + 1 < fractions.size() ? fractions[i + 1] : 1);
            }
        }
        return best_;
    }

  private:
    Contrast at_fraction(double fraction) const { return contrast(law_, fraction * bound_, loads_, speeds_); }
    // Keeps a contrast that is the largest so far, beyond rounding.
    void consider(const Contrast& c) {
        if (c.gain > 1e-9 * size(law_, c) && !(best_ && c.gain <= best_->gain)) best_ = c;
    }
    void refine(double side, double a, double b) {
        bristle::detail::golden_section(a, b, 23, [&](double fraction) {
            const Contrast found = at_fraction(side * fraction);
            consider(found);
            return found.gain;
        });
    }

    const AnyLaw& law_;
    std::span<const double> loads_;
    Speeds speeds_;
    double bound_ = 0;
    std::optional<Contrast> best_;
};

}  // namespace

std::optional<Contrast> largest_contrast(const AnyLaw& law, std::span<const double> loads, double vmax) {
    // near the limit of passivity only extreme speeds have a contrast: they are tried last, and only while the contrast is small
    std::optional<Contrast> best;
    double relative = 0;
    for (double times = 10; times < 1e9; times *= 10) {
        if (!spend()) break;
        const Speeds speeds = speeds_of(law, loads, vmax, times);
        if (const auto found = ContrastSearch(law, loads, speeds).largest();
            found && found->gain > relative * size(law, *found)) {
            best = found;
            relative = found->gain / size(law, *found);
        }
        if (speeds.high == vmax || relative > 0.3) break;
    }
    return best;
}

std::vector<Contrast> contrasts(const AnyLaw& law, std::span<const double> loads, double vmax, double direction,
                                int points) {
    double bound = 0;
    for (const double load : loads) bound = std::max(bound, scales_of(law, load).deflection);
    const Speeds speeds = speeds_of(law, loads, vmax, 1000);
    std::vector<Contrast> all;
    for (int i = 1; i <= points; ++i) all.push_back(contrast(law, direction * bound * i / (points + 1), loads, speeds));
    return all;
}

}  // namespace bristle::analysis::counterexample
