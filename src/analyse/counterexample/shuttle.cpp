#include "analyse/counterexample/counterexample.hpp"
#include "base/work_budget.hpp"
#include "analyse/counterexample/replay.hpp"
#include "analyse/counterexample/shuttle.hpp"
#include "analyse/counterexample/signal_builder.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace bristle::inline analysis {

// ---- charging and letting go ---------------------------------------------------------------------------------------------

DeflectionPlan cheapest_way(const AnyLaw& law, double from, double to, double load, double vmax, double slack) {
    DeflectionPlan way;
    // on a smooth curve z leaks, and the best speed goes with z: halve z a few times
    const int parts = sticks_at_rest(law) ? 1 : 6;
    const double far = std::abs(to) > std::abs(from) ? to : from, near = far == to ? from : to;
    for (int i = 0; i < parts; ++i) {
        const auto stage = [&](int k) { return k == 0 ? near : near + (far - near) * std::pow(0.5, parts - k); };
        const bool outward = far == to;
        const double a = outward ? stage(i) : stage(parts - i), b = outward ? stage(i + 1) : stage(parts - i - 1);
        const auto leg = cheapest(law, a, b, load, vmax, slack);
        if (!leg) return {{}, infinite, infinite};
        way.legs.push_back({leg->held, b});
        way.energy += leg->sweep.energy;
        way.time += leg->sweep.time;
    }
    return way;
}

// ---- the signal ----------------------------------------------------------------------------------------------------------

void SignalAssembler::go(Held held, double target) {
    const double time = sweep(law_, held, z_, target).time, taken = builder_.hold(held.v, time);
    z_ = target + at(law_, target, held).rate * (taken - time);
}
void SignalAssembler::go(const DeflectionPlan& way) {
    for (const auto& [held, target] : way.legs) go(held, target);
}
void SignalAssembler::change_load(double load, double time) {
    const double taken = builder_.change_load(load, time);
    z_ += taken * at(law_, z_, {0, load}).rate;
}

std::optional<Counterexample> finished(const AnyLaw& law, SignalBuilder& builder, std::size_t begins,
                                       std::size_t ends) {
    Counterexample out = builder.take();
    const Trace trace = integrate(law, out);
    if (!std::isfinite(trace.energy) || begins >= trace.corners.size()) return {};
    out.energy = trace.energy;
    out.energy_per_cycle = (ends < trace.corners.size() ? trace.corners[ends] : trace.energy) - trace.corners[begins];
    return out;
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

    // What shuttling around z draws, beyond a least power. [J/m]
    double gain(double z, double least_power) const {
        const auto up = at(law_, z, plus_), down = at(law_, z, minus_);
        if (!(up.rate > 0 && down.rate < 0)) return -infinite;
        const double drawn = down.force * minus_.v / down.rate - up.force * plus_.v / up.rate;
        return drawn - least_power * (1 / up.rate - 1 / down.rate);
    }
    double power(double z) const {
        const double drawn = gain(z, 0), time = drawn - gain(z, 1);
        return drawn / time;
    }
    // The cycle over all of the band around z in which there is something to gain.
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
        for (int i = 0; i < 60; ++i) {
            const double middle = 0.5 * (inside + outside);
            (gain(middle, least_power) > 0 ? inside : outside) = middle;
        }
        return inside;
    }
    const AnyLaw& law_;
    Held plus_, minus_;
};

// Charging, cycles, letting go.
struct Plan {
    Cycle cycle;
    DeflectionPlan charge, release;
    double cycles;  // as many as pay for the charge, and a tenth of it
    double time() const { return charge.time + cycles * cycle.time + release.time; }
    // Times are sums: a leg that is too short beside the whole is lost in rounding.
    bool resolved() const { return cycle.shortest > 1e-12 * time(); }
};

// How a shuttle is put together; its legs cost 2 points of velocity a cycle, 4 where the load changes.
class Planner {
  public:
    Planner(const AnyLaw& law, double vmax, int max_legs) : law_(law), vmax_(vmax), max_legs_(max_legs) {}

    std::optional<Plan> plan(const Cycle& cycle) const {
        const bool forward = cycle.high > 0;
        const Held& charging = forward ? cycle.plus : cycle.minus;
        const double near = forward ? cycle.low : cycle.high;
        Plan out{cycle, cheapest_way(law_, 0, near, charging.load, vmax_), {}, 0};
        if (!std::isfinite(out.charge.energy)) return {};
        out.release = cheapest_way(law_, near, 0, charging.load, vmax_);
        if (!(out.release.energy < 0)) out.release = {};  // nothing to be had: stay
        out.cycles = std::max(1.0, std::ceil((1.1 * out.charge.energy + out.release.energy) / -cycle.energy));
        return out;
    }
    bool affordable(const Plan& plan) const {
        return (plan.cycle.plus.load == plan.cycle.minus.load ? 2 : 4) * plan.cycles <= max_legs_;
    }

    // The witness's own cycle, its slow leg as fast as it may be, its fast leg as slow as it must be.
    std::optional<Plan> best(double z, Held plus, Held minus) const {
        auto found = Bands(law_, plus, minus).around(z);
        if (!found) return {};
        Cycle cycle = *found;
        const double enough = 0.9 * cycle.energy, ratio = std::pow(10, 0.25);
        Held &charging = z > 0 ? plus : minus, &other = z > 0 ? minus : plus;
        while (std::abs(charging.v) * ratio <= vmax_) {
            charging.v *= ratio;
            const auto next = Bands(law_, plus, minus).around(z);
            if (!next || !(next->energy <= enough)) break;
            cycle = *next;
        }
        charging = z > 0 ? cycle.plus : cycle.minus;
        auto out = plan(cycle);
        while (out && !out->resolved() && spend()) {
            other.v /= 2;
            const auto next = Bands(law_, plus, minus).around(z);
            out = next ? plan(*next) : std::nullopt;
        }
        return out;
    }
    // The narrowest band around the same z that pays within max_legs.
    Plan max_power(const Plan& widest, double z) const {
        const Bands bands(law_, widest.cycle.plus, widest.cycle.minus);
        double low = 0, high = bands.power(z);
        Plan best = widest;
        for (int i = 0; i < 30; ++i) {
            const double middle = 0.5 * (low + high);
            const auto cycle = bands.around(z, middle);
            const auto next = cycle ? plan(*cycle) : std::nullopt;
            const bool good = next && affordable(*next) && next->resolved();
            if (good) best = *next;
            (good ? low : high) = middle;
        }
        return best;
    }

  private:
    const AnyLaw& law_;
    double vmax_;
    int max_legs_;
};

std::optional<Counterexample> written(const AnyLaw& law, const Plan& plan, int cycles) {
    const Cycle& c = plan.cycle;
    const bool forward = c.high > 0;
    const Held first = forward ? c.plus : c.minus, second = forward ? c.minus : c.plus;
    const double far = forward ? c.high : c.low, near = forward ? c.low : c.high, rest = 1e-3 * c.shortest;
    const bool loads = first.load != second.load;
    SignalAssembler walk(law, first.load);
    walk.go(plan.charge);
    std::size_t begins = 0, ends = 0;  // of the last cycle
    for (int i = 0; i < cycles; ++i) {
        begins = walk.builder().legs();
        walk.go(first, far);
        if (loads) walk.change_load(second.load, rest);
        walk.go(second, near);
        if (loads) walk.change_load(first.load, rest);
        ends = walk.builder().legs();
    }
    walk.go(plan.release);
    return finished(law, walk.builder(), begins, ends);
}

std::string speed(double v) { return in_units(v, "m/s", 3); }
std::string deflection(double z) { return in_units(z, "m", 5); }
std::string energy(double joule) { return in_units(joule, "J", 3); }
std::string leg(Held held, bool loads) {
    return speed(held.v) + (loads ? " under " + readable(held.load, 4) + " N" : "");
}

std::string told(const Plan& plan, const Counterexample& signal, int cycles, bool pays) {
    const Cycle& c = plan.cycle;
    const bool loads = c.plus.load != c.minus.load;
    std::string text = "From z = 0 charge z to " + deflection(c.high > 0 ? c.low : c.high) + ", then go " +
                       std::to_string(cycles) + (cycles == 1 ? " time" : " times") + " to and fro between " +
                       deflection(c.low) + " and " + deflection(c.high) + ", up at " + leg(c.plus, loads) +
                       " and down at " + leg(c.minus, loads) + ": each cycle gives " + energy(-signal.energy_per_cycle);
    if (pays) return text + ", and in the end " + energy(-signal.energy) + " more have come out than went in.";
    return text + "; the charge costs " + energy(plan.charge.energy + plan.release.energy) + " net, so that about " +
           readable(plan.cycles, 3) + " cycles pay for it.";
}

}  // namespace

std::optional<Counterexample> shuttle_between(const AnyLaw& law, double z, Held plus, Held minus, double vmax,
                                              const ShuttleOptions& options) {
    const Planner planner(law, vmax, options.max_legs);
    auto plan = planner.best(z, plus, minus);
    // legs too short for a signal in time: slower ones, around another z
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
    if (options.aim == Aim::power && planner.affordable(*plan)) plan = planner.max_power(*plan, z);
    const int cycles = planner.affordable(*plan) ? int(plan->cycles) : 10;
    auto out = written(law, *plan, cycles);
    if (!out || !(out->energy_per_cycle < 0)) return {};
    out->text = told(*plan, *out, cycles, out->energy < 0);
    return out;
}

std::optional<Counterexample> shuttle(const AnyLaw& law, const Witness& w, const ShuttleOptions& options) {
    if (!has_one_state(law)) return {};
    return shuttle_between(law, w.z, {w.v_plus, w.load}, {w.v_minus, w.load},
                           std::max(std::abs(w.v_plus), std::abs(w.v_minus)), options);
}

std::optional<Witness> scan_for_witness(const AnyLaw& law, double load, double vmax) {
    if (!has_one_state(law)) return {};
    const auto found = largest_contrast(law, std::span(&load, 1), vmax);
    if (!found) return {};
    return Witness{found->z, found->minus.v, found->plus.v, load};
}

}  // namespace bristle::inline analysis
