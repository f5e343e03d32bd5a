// Shuttle of a one-state law: deflect z, move it between two values, release it.
#include "analyse/counterexample/counterexample.hpp"
#include "base/work_budget.hpp"
#include "analyse/counterexample/replay.hpp"
#include "analyse/counterexample/shuttle.hpp"
#include "analyse/counterexample/signal_builder.hpp"
#include "numerics/bisect.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace bristle::inline analysis::counterexample {

// ---- deflecting and releasing ----------------------------------------------------------------------------------------------

DeflectionPlan cheapest_plan(const AnyLaw& law, double from, double to, double load, double vmax, double slack) {
    DeflectionPlan plan;
    // on a smooth curve z relaxes at rest, and the best speed depends on z: halve z a few times
    const int parts = sticks_at_rest(law) ? 1 : 6;
    const double far = std::abs(to) > std::abs(from) ? to : from, near = far == to ? from : to;
    for (int i = 0; i < parts; ++i) {
        const auto stage = [&](int k) { return k == 0 ? near : near + (far - near) * std::pow(0.5, parts - k); };
        const bool outward = far == to;
        const double a = outward ? stage(i) : stage(parts - i), b = outward ? stage(i + 1) : stage(parts - i - 1);
        const auto leg = cheapest(law, a, b, load, vmax, slack);
        if (!leg) return {{}, infinite, infinite};
        plan.legs.push_back({leg->held, b});
        plan.energy += leg->sweep.energy;
        plan.time += leg->sweep.time;
    }
    return plan;
}

// ---- the signal ----------------------------------------------------------------------------------------------------------

void SignalAssembler::go(Held held, double target) {
    const double time = sweep(law_, held, z_, target).time, taken = builder_.hold(held.v, time);
    z_ = target + at(law_, target, held).rate * (taken - time);
}
void SignalAssembler::go(const DeflectionPlan& plan) {
    for (const auto& [held, target] : plan.legs) go(held, target);
}
void SignalAssembler::change_load(double load, double time) {
    const double taken = builder_.change_load(load, time);
    z_ += taken * at(law_, z_, {0, load}).rate;
}

std::optional<Counterexample> finished(const AnyLaw& law, Counterexample signal, std::size_t begins, std::size_t ends) {
    const Trace trace = integrate(law, signal);
    if (!std::isfinite(trace.energy) || begins >= trace.corners.size()) return {};
    trace.record_in(signal);
    signal.energy_per_cycle =
        (ends < trace.corners.size() ? trace.corners[ends] : trace.energy) - trace.corners[begins];
    return signal;
}

namespace {

// ---- the cycle -----------------------------------------------------------------------------------------------------------

struct Cycle {
    Held plus, minus;
    double low, high;     // the band [m]
    double energy, time;  // of one cycle [J], [s]; energy < 0
    double shortest;      // leg [s]
};

class Bands {
  public:
    Bands(const AnyLaw& law, Held plus, Held minus) : law_(law), plus_(plus), minus_(minus) {}

    // Energy that shuttling around z extracts, less a minimum power times the duration [J/m].
    double gain(double z, double least_power) const {
        const auto up = at(law_, z, plus_), down = at(law_, z, minus_);
        if (!(up.rate > 0 && down.rate < 0)) return -infinite;
        const double extracted = down.force * minus_.v / down.rate - up.force * plus_.v / up.rate;
        return extracted - least_power * (1 / up.rate - 1 / down.rate);
    }
    double power(double z) const {
        const double extracted = gain(z, 0), time = extracted - gain(z, 1);
        return extracted / time;
    }
    // The cycle over the whole band around z in which the gain is positive.
    std::optional<Cycle> around(double z, double least_power = 0) const {
        if (!(gain(z, least_power) > 0)) return {};
        const double low = edge(z, -1, least_power), high = edge(z, 1, least_power);
        const Sweep up = sweep(law_, plus_, low, high), down = sweep(law_, minus_, high, low);
        const Cycle cycle{
            plus_, minus_, low, high, up.energy + down.energy, up.time + down.time, std::min(up.time, down.time)};
        if (!(cycle.energy < 0) || !std::isfinite(cycle.time) || !(cycle.shortest > 0)) return {};
        return cycle;
    }

  private:
    double edge(double z, double direction, double least_power) const {
        double inside = z, stride = 1e-7 * std::abs(z), outside = z + direction * stride;
        for (int i = 0; i < 60 && gain(outside, least_power) > 0; ++i) {
            inside = outside;
            stride *= 2;
            outside = z + direction * stride;
        }
        return numerics::bisect(inside, outside, 60, [&](double at) { return gain(at, least_power) > 0; }).holds;
    }
    const AnyLaw& law_;
    Held plus_, minus_;
};

// Deflection, cycles, release.
struct Plan {
    Cycle cycle;
    DeflectionPlan deflect, release;
    double cycles;  // that recover 1.1 times the energy of the deflection
    double time() const { return deflect.time + cycles * cycle.time + release.time; }
    // Times are sums: a leg that is too short relative to the whole is lost in rounding.
    bool resolved() const { return cycle.shortest > 1e-12 * time(); }
};

// Plans a shuttle. A cycle takes 2 points of velocity, 4 if the load changes.
class Planner {
  public:
    Planner(const AnyLaw& law, double vmax, int max_legs) : law_(law), vmax_(vmax), max_legs_(max_legs) {}

    std::optional<Plan> plan(const Cycle& cycle) const {
        const bool forward = cycle.high > 0;
        const Held& outward = forward ? cycle.plus : cycle.minus;
        const double near = forward ? cycle.low : cycle.high;
        Plan out{cycle, cheapest_plan(law_, 0, near, outward.load, vmax_), {}, 0};
        if (!std::isfinite(out.deflect.energy)) return {};
        out.release = cheapest_plan(law_, near, 0, outward.load, vmax_);
        if (!(out.release.energy < 0)) out.release = {};  // a release that supplies no energy is left out
        out.cycles = std::max(1.0, std::ceil((1.1 * out.deflect.energy + out.release.energy) / -cycle.energy));
        return out;
    }
    bool fits(const Plan& plan) const {
        return (plan.cycle.plus.load == plan.cycle.minus.load ? 2 : 4) * plan.cycles <= max_legs_;
    }

    // The cycle of the witness, with its slow leg as fast and its fast leg as slow as the energy allows.
    std::optional<Plan> best(double z, Held plus, Held minus) const {
        auto found = Bands(law_, plus, minus).around(z);
        if (!found) return {};
        Cycle cycle = *found;
        const double enough = 0.9 * cycle.energy, ratio = std::pow(10, 0.25);
        Held &outward = z > 0 ? plus : minus, &other = z > 0 ? minus : plus;
        while (std::abs(outward.v) * ratio <= vmax_) {
            outward.v *= ratio;
            const auto next = Bands(law_, plus, minus).around(z);
            if (!next || !(next->energy <= enough)) break;
            cycle = *next;
        }
        outward = z > 0 ? cycle.plus : cycle.minus;
        auto out = plan(cycle);
        while (out && !out->resolved() && spend()) {
            other.v /= 2;
            const auto next = Bands(law_, plus, minus).around(z);
            out = next ? plan(*next) : std::nullopt;
        }
        return out;
    }
    // The narrowest band around the same z that recovers the energy of the deflection within max_legs.
    Plan max_power(const Plan& widest, double z) const {
        const Bands bands(law_, widest.cycle.plus, widest.cycle.minus);
        Plan best = widest;
        numerics::bisect(0, bands.power(z), 30, [&](double least_power) {
            const auto cycle = bands.around(z, least_power);
            const auto next = cycle ? plan(*cycle) : std::nullopt;
            const bool good = next && fits(*next) && next->resolved();
            if (good) best = *next;
            return good;
        });
        return best;
    }

  private:
    const AnyLaw& law_;
    double vmax_;
    int max_legs_;
};

std::optional<Counterexample> assembled(const AnyLaw& law, const Plan& plan, int cycles) {
    const Cycle& c = plan.cycle;
    const bool forward = c.high > 0;
    const Held first = forward ? c.plus : c.minus, second = forward ? c.minus : c.plus;
    const double far = forward ? c.high : c.low, near = forward ? c.low : c.high, rest = 1e-3 * c.shortest;
    const bool loads = first.load != second.load;
    SignalAssembler assembler(law, first.load);
    assembler.go(plan.deflect);
    std::size_t begins = 0, ends = 0;  // of the last cycle
    for (int i = 0; i < cycles; ++i) {
        begins = assembler.builder().legs();
        assembler.go(first, far);
        if (loads) assembler.change_load(second.load, rest);
        assembler.go(second, near);
        if (loads) assembler.change_load(first.load, rest);
        ends = assembler.builder().legs();
    }
    assembler.go(plan.release);
    return finished(law, assembler.builder().take(), begins, ends);
}

}  // namespace

std::optional<Counterexample> shuttle_between(const AnyLaw& law, double z, Held plus, Held minus, double vmax,
                                              const ShuttleOptions& options) {
    const Planner planner(law, vmax, options.max_legs);
    auto plan = planner.best(z, plus, minus);
    // legs too short for a signal in time: lower speeds, around another z
    const std::array loads{plus.load, minus.load};
    const std::span those(loads.data(), plus.load == minus.load ? 1 : 2);
    double slower = vmax;
    for (int i = 0; !plan && i < 40; ++i) {
        const auto other = largest_contrast(law, those, slower /= 3);
        if (!other) return {};
        z = other->z;
        plan = planner.best(z, other->plus, other->minus);
    }
    if (!plan) return {};
    if (options.band == ShuttleBand::max_power && planner.fits(*plan)) plan = planner.max_power(*plan, z);
    const int cycles = planner.fits(*plan) ? int(plan->cycles) : 10;
    auto out = assembled(law, *plan, cycles);
    if (!out || !(out->energy_per_cycle < 0)) return {};
    const Cycle& c = plan->cycle;
    out->construction =
        Counterexample::Shuttle{c.low,       c.high,       c.plus.v, c.plus.load,
                                c.minus.v,   c.minus.load, cycles,   plan->deflect.energy + plan->release.energy,
                                plan->cycles};
    return out;
}

std::optional<Counterexample> shuttle(const AnyLaw& law, const Witness& w, const ShuttleOptions& options) {
    if (!has_one_state(law)) return {};
    return shuttle_between(law, w.z, {w.v_plus, w.load}, {w.v_minus, w.load},
                           std::max(std::abs(w.v_plus), std::abs(w.v_minus)), options);
}

}  // namespace bristle::analysis::counterexample
