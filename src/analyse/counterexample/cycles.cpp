// Cycles that do not need a witness: Maxwell-slip, the hysteretic law, a varying load.
#include "analyse/counterexample/counterexample.hpp"
#include "base/work_budget.hpp"
#include "analyse/counterexample/replay.hpp"
#include "analyse/scales.hpp"
#include "analyse/counterexample/shuttle.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace bristle::inline analysis::counterexample {

namespace {

// ---- Maxwell-slip --------------------------------------------------------------------------------------------------------

// One cycle: elements slip at the low level for a short time, climb to the high one in slow motion, and push the contact back.
struct Climb {
    Held low{}, high{};          // velocities in one direction
    double s1 = 0, s2 = 0;       // their levels [N]
    double back = 0;             // path length of the motion back [m]
    double back_speed = 0;       // m/s, > 0
    double slow = 0, brief = 0;  // time at the high and at the low level [s]
    double gain = -infinite;     // expected energy of one cycle [J]
};

Climb climb(const AnyMaxwellSlip& law, Held low, Held high, double top_speed) {
    const auto level_at = [&](Held h) { return level(law.curve, h.v) * loads(law, h.load).on_curve; };
    Climb c{low, high, level_at(low), level_at(high), 0, top_speed, 0, 0, -infinite};
    if (!(c.s2 > c.s1)) return c;
    double stiffness = 0, back = infinite;
    for (int i = 0; i < law.count(); ++i) {
        stiffness += law.k[i];
        back = std::min(back, law.nu[i] * (c.s2 - c.s1) / law.k[i]);
    }
    c.back = 0.98 * back;  // every element is still beyond the low level then
    c.slow = 6 * c.s2 / law.C;
    // viscous friction limits the speed of the motion back and the time at the low level
    const double sigma2 = std::max(law.sigma2, law.sigma2_negative);
    if (sigma2 > 0) c.back_speed = std::min(top_speed, 1e-2 * c.s2 / sigma2);
    const double v1 = std::abs(low.v), v2 = std::abs(high.v);
    c.brief = 1e-3 * c.back / v1 * c.s2 / (c.s2 + sigma2 * v1);
    const double extracted = c.back * (c.s2 - 0.5 * stiffness * c.back),
                 spent = (c.s2 + sigma2 * v2) * v2 * c.slow + 2e-3 * c.s2 * c.back + sigma2 * c.back_speed * c.back;
    c.gain = loads(law, high.load).on_force * (extracted - spent);
    return c;
}

// Over both directions and all pairs of speeds up to vmax: of the cycles within 2 % of the largest gain, the slowest at the low level.
Climb best_climb(const AnyMaxwellSlip& law, double load_low, double load_high, double vmax) {
    const Scales scales = scales_of(law, load_high);
    const double top = std::min(vmax, 10 * scales.fastest), ratio = std::pow(10, 0.125);
    std::vector<double> speeds;
    for (double v = top; v > std::max(1e-7 * std::min(top, scales.slowest), 1e-300) && spend(); v /= ratio)
        speeds.push_back(v);
    std::vector<Climb> all;
    double most = 0;
    for (const double side : {1.0, -1.0})
        for (const double v1 : speeds) {
            if ((v1 < 0.1 * scales.slowest && v1 < top) || !spend(long(speeds.size()) / 8 + 1)) break;
            Climb best = climb(law, {side * v1, load_low}, {side * speeds.back(), load_high}, top);
            for (const double v2 : speeds)
                if (const Climb c = climb(law, {side * v1, load_low}, {side * v2, load_high}, top); c.gain > best.gain)
                    best = c;
            most = std::max(most, best.gain);
            all.push_back(best);
        }
    const auto slower = [](const Climb& a, const Climb& b) { return std::abs(a.low.v) < std::abs(b.low.v); };
    std::erase_if(all, [&](const Climb& c) { return !(c.gain > 0.98 * most); });
    return all.empty() ? Climb{} : *std::min_element(all.begin(), all.end(), slower);
}

std::optional<Counterexample> assembled(const AnyMaxwellSlip& law, const Climb& c, int cycles) {
    const double side = c.low.v < 0 ? -1 : 1;
    const double slip_level = level(law.curve, side * c.back_speed) * loads(law, c.low.load).on_curve;
    double path = 0;  // until every element slips [m]
    for (int i = 0; i < law.count(); ++i) path = std::max(path, 1.001 * law.nu[i] * slip_level / law.k[i]);
    SignalBuilder builder(c.low.load);
    builder.hold(side * c.back_speed, path / c.back_speed);
    std::size_t begins = 0, ends = 0;
    for (int i = 0; i < cycles; ++i) {
        begins = builder.legs();
        builder.hold(c.low.v, c.brief);
        // the load increases while the elements slip forward and decreases during the motion back, when none of them slips
        if (c.high.load != c.low.load) builder.change_load(c.high.load, 1e-3 * c.slow, c.high.v);
        builder.hold(c.high.v, c.slow);
        if (c.high.load != c.low.load)
            builder.change_load(c.low.load, c.back / c.back_speed, -side * c.back_speed);
        else
            builder.hold(-side * c.back_speed, c.back / c.back_speed);
        ends = builder.legs();
    }
    return finished(law, builder, begins, ends);
}

std::optional<Counterexample> climbing_cycle(const AnyMaxwellSlip& law, double load_low, double load_high,
                                             double vmax) {
    const Climb c = best_climb(law, load_low, load_high, vmax);
    if (!(c.gain > 0)) return {};
    constexpr int most = 2000;
    std::optional<Counterexample> out;
    for (int cycles = 3;; cycles = std::min(most, 2 * cycles)) {
        auto next = assembled(law, c, cycles);
        if (!next) return out;  // so many cycles cannot be computed: the signal with fewer
        if (!(next->energy_per_cycle < 0)) return {};
        const double first = next->energy - cycles * next->energy_per_cycle;
        const bool recovered = next->energy < -0.1 * std::max(first, 0.0);
        next->construction = Counterexample::Climb{c.low.v, c.s1, c.high.v, c.s2, c.back};
        out = std::move(next);
        if (recovered || cycles == most) return out;
    }
}

// ---- hysteretic ----------------------------------------------------------------------------------------------------------

struct Tooth {
    double bound;       // of z while v is just below zero [m]
    double depth;       // v rises from -depth to 0 [m/s]
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
    t.rise = 4 * t.bound / (a - 0.5 * t.depth);  // four time constants of z
    t.fall = std::min(t.rise / 4000, 1e-3 * t.bound / law.shift(t.bound));
    return t;
}

}  // namespace

std::optional<Counterexample> maxwell_slip_cycle(const AnyLaw& law, double load, double vmax) {
    const auto* maxwell = std::get_if<AnyMaxwellSlip>(&law);
    if (!maxwell) return {};
    return climbing_cycle(*maxwell, load, load, vmax);
}

std::optional<Counterexample> hysteretic_sawtooth(const AnyLaw& law, double load, double vmax) {
    const auto* hysteretic = std::get_if<AnyHysteretic>(&law);
    const auto tooth = hysteretic ? tooth_of(*hysteretic, load, vmax) : std::nullopt;
    if (!tooth) return {};
    const Scales scales = scales_of(law, load);
    const auto with_teeth = [&](int teeth) -> std::optional<Counterexample> {
        Counterexample out;
        out.ramps = true;
        if (load != 1) out.load = {{0, load}};
        double t = 0;
        if (tooth->deflects) {
            // increasing speed, over three times the bound
            const double top = std::min(vmax, std::max(scales.slowest, 4 * tooth->depth));
            out.velocity.emplace_back(0, 0);
            out.velocity.emplace_back(t = 6 * tooth->bound / top, top);
            t += 1e-3 * tooth->bound / (top + hysteretic->shift(tooth->bound));
        }
        const std::size_t first = out.velocity.size();
        for (int i = 0; i < teeth; ++i) {
            out.velocity.emplace_back(t, -tooth->depth);
            out.velocity.emplace_back(t + tooth->rise, 0);
            t += tooth->rise + tooth->fall;
        }
        out.velocity.emplace_back(t, -tooth->depth);
        out.duration = t;
        const Trace trace = integrate(law, out);
        out.energy = trace.energy;
        const std::size_t last = first + 2 * std::size_t(teeth);
        if (!std::isfinite(trace.energy) || last >= trace.corners.size()) return {};
        out.energy_per_cycle = trace.corners[last] - trace.corners[last - 2];
        return out;
    };
    for (int teeth = 5; teeth <= 5120; teeth *= 2) {
        auto out = with_teeth(teeth);
        if (!out || !(out->energy_per_cycle < 0)) return {};
        const double first = out->energy - teeth * out->energy_per_cycle;
        if (!(out->energy < -0.1 * std::max(first, 0.0))) continue;
        out->construction = Counterexample::Sawtooth{tooth->depth, tooth->rise, tooth->deflects};
        return out;
    }
    return {};
}

// ---- a load between two values -------------------------------------------------------------------------------------------

namespace {

// load_on = "all": deflect at the low load, raise it, release, lower it.
struct Lever {
    DeflectionPlan deflect, release;
    double z = 0, energy = 0;
};

std::optional<Counterexample> levered(const AnyLaw& law, double low, double high, double vmax) {
    const double excess = high / low - 1, slack = 0.05 * std::min(1.0, excess);
    const double bound = scales_of(law, low).deflection;
    Lever best;
    for (int i = 1; i <= 24; ++i) {
        Lever one{{}, {}, bound * std::pow(0.5, i), 0};
        one.deflect = cheapest_plan(law, 0, one.z, low, vmax, slack);
        one.release = cheapest_plan(law, one.z, 0, high, vmax, slack);
        one.energy = one.deflect.energy + one.release.energy;
        if (one.energy < best.energy) best = one;
    }
    if (!(best.energy < 0)) return {};
    const double rest = 1e-3 * std::min(1.0, excess) * std::min(best.deflect.time, best.release.time);
    SignalAssembler assembler(law, low);
    std::size_t begins = 0, ends = 0;
    for (int i = 0; i < 3; ++i) {
        begins = assembler.builder().legs();
        assembler.go(best.deflect);
        assembler.change_load(high, rest);
        assembler.go(best.release);
        assembler.change_load(low, rest);
        ends = assembler.builder().legs();
    }
    auto out = finished(law, assembler.builder(), begins, ends);
    if (!out || !(out->energy < 0)) return {};
    out->construction = Counterexample::Lever{best.z, low, high, false};
    return out;
}

// The same with the elements of Maxwell-slip, all of them sticking.
std::optional<Counterexample> levered(const AnyMaxwellSlip& law, double low, double high, double vmax) {
    const double excess = std::min(1.0, high / low - 1);
    double path = infinite, stiffness = 0;
    for (int i = 0; i < law.count(); ++i) {
        path = std::min(path, 0.5 * law.nu[i] * law.curve.floor() / law.k[i]);
        stiffness += law.k[i];
    }
    const double sigma2 = std::max(law.sigma2, law.sigma2_negative);
    double v = std::min(vmax, scales_of(law, low).fastest);
    if (sigma2 > 0) v = std::min(v, 0.01 * excess * stiffness * path / sigma2);
    SignalBuilder builder(low);
    std::size_t begins = 0, ends = 0;
    for (int i = 0; i < 3; ++i) {
        begins = builder.legs();
        builder.hold(v, path / v);
        builder.change_load(high, 0.1 * path / v);
        builder.hold(-v, path / v);
        builder.change_load(low, 0.1 * path / v);
        ends = builder.legs();
    }
    auto out = finished(law, builder, begins, ends);
    if (!out || !(out->energy < 0)) return {};
    out->construction = Counterexample::Lever{path, low, high, true};
    return out;
}

}  // namespace

std::optional<Counterexample> load_cycle(const AnyLaw& law, double load_min, double load_max, double vmax) {
    if (!(accepts_load(law, load_min) && load_max > load_min)) return {};
    if (std::holds_alternative<AnyHysteretic>(law)) return hysteretic_sawtooth(law, load_max, vmax);
    const bool on_all = std::visit([](const auto& l) { return l.load_on == LoadOn::all; }, law);
    if (const auto* maxwell = std::get_if<AnyMaxwellSlip>(&law))
        return on_all ? levered(*maxwell, load_min, load_max, vmax)
                      : climbing_cycle(*maxwell, load_min, load_max, vmax);
    if (!has_one_state(law)) return {};
    if (on_all) return levered(law, load_min, load_max, vmax);
    const std::array both{load_min, load_max};
    const auto found = largest_contrast(law, both, vmax);
    if (!found) return {};
    return shuttle_between(law, found->z, found->plus, found->minus,
                           std::max(std::abs(found->plus.v), std::abs(found->minus.v)));
}

}  // namespace bristle::analysis::counterexample
