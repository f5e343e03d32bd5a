// Counterexample of the hysteretic law by construction: a sawtooth of v below 0. Formula and return rules: counterexample.hpp.
// The energies are integrated along the signal (replay.hpp).
#include "analyse/counterexample/counterexample.hpp"
#include "analyse/counterexample/repeated_cycle.hpp"
#include "analyse/counterexample/shuttle.hpp"
#include "analyse/scales.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::inline analysis::counterexample {

namespace {

// One tooth: v rises slowly from -depth to 0 and falls back fast.
struct Tooth {
    double bound;       // of z while v is just below zero [m]
    double depth;       // m/s
    double rise, fall;  // s
    bool deflects;      // z must be deflected forward first: at z = 0 there is no shift
};

// B05 (8): the shift a drives z forward while v is inside (-a, 0).
std::optional<Tooth> tooth_of(const AnyHysteretic& law, double load, double vmax) {
    const double g = law.curve.static_level(-1) * loads(law, load).on_curve;
    Tooth t{g / law.sigma0, 0, 0, 0, law.shift(0.0) == 0};
    const double a = law.shift(t.deflects ? 0.5 * t.bound : 0.0);
    if (!(a > 0)) return {};
    t.depth = std::min(0.5 * a, vmax);
    if (law.sigma2_negative > 0) t.depth = std::min(t.depth, 0.5 * g / law.sigma2_negative);
    t.rise = 4 * t.bound / (a - 0.5 * t.depth);                             // four time constants of z
    t.fall = std::min(t.rise / 4000, 1e-3 * t.bound / law.shift(t.bound));  // z changes by < 0.1 % of its bound
    return t;
}

std::optional<Counterexample> sawtooth_signal(const AnyHysteretic& law, const Tooth& tooth, double load, double vmax,
                                              int teeth) {
    Counterexample out;
    out.ramps = true;
    if (load != 1) out.load = {{0, load}};
    double t = 0;
    if (tooth.deflects) {
        // increasing speed, over three times the bound
        const double top = std::min(vmax, std::max(scales_of(law, load).slowest, 4 * tooth.depth));
        out.velocity.emplace_back(0, 0);
        out.velocity.emplace_back(t = 6 * tooth.bound / top, top);
        t += 1e-3 * tooth.bound / (top + law.shift(tooth.bound));
    }
    for (int i = 0; i < teeth; ++i) {
        out.velocity.emplace_back(t, -tooth.depth);
        out.velocity.emplace_back(t + tooth.rise, 0);
        t += tooth.rise + tooth.fall;
    }
    out.velocity.emplace_back(t, -tooth.depth);
    out.duration = t;
    const std::size_t last = out.velocity.size() - 1;
    return finished(law, std::move(out), last - 2, last);
}

}  // namespace

std::optional<Counterexample> hysteretic_sawtooth(const AnyLaw& law, double load, double vmax) {
    const auto* hysteretic = std::get_if<AnyHysteretic>(&law);
    const auto tooth = hysteretic ? tooth_of(*hysteretic, load, vmax) : std::nullopt;
    if (!tooth) return {};
    RepeatedCycle found = repeat_until_recovered(
        5, 5120, [&](int teeth) { return sawtooth_signal(*hysteretic, *tooth, load, vmax, teeth); });
    if (!found.recovered) return {};
    found.input->construction = Counterexample::Sawtooth{tooth->depth, tooth->rise, tooth->deflects};
    return std::move(found.input);
}

}  // namespace bristle::analysis::counterexample
