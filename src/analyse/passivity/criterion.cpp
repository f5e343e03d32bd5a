// Exact one-state criterion: best-first subdivision of boxes of force and speed.
#include "analyse/passivity/criterion.hpp"

#include "base/work_budget.hpp"

#include <array>
#include <deque>
#include <queue>
#include <utility>
#include <vector>

namespace bristle::inline analysis::passivity {
namespace {

// Speeds above this one [m/s] and boxes narrower than this fraction are not subdivided.
constexpr double max_divided_speed = 1e30, narrowest = 1e-9;
constexpr long box_units = 8;  // work: two bounds, and three samples of two functions each

bool narrow(Interval x) {
    if (x.hi == infinity) return x.lo > max_divided_speed;
    return x.hi - x.lo <= narrowest * x.hi || x.hi < 1e-300;
}
std::pair<Interval, Interval> halves(Interval x) {
    const double middle = x.middle();
    return {{x.lo, middle}, {middle, x.hi}};
}

// Sample points of a box: extremes often lie at its ends.
std::array<double, 3> samples(Interval v) { return {v.middle(), v.lo, v.hi < infinity ? v.hi : v.middle()}; }

// Boxes of speed, the one with the largest bound on top.
struct Bounded {
    double bound;
    Interval v;
    bool back;  // motion against the direction of the side
    friend bool operator<(const Bounded& a, const Bounded& b) { return a.bound < b.bound; }
};
using Boxes = std::priority_queue<Bounded>;

// Upper bound of the largest value of f over a range, tight to 1e-9; f(box) is an upper bound over the box.
template <class F>
double highest(const F& f, Interval range) {
    Boxes boxes;
    boxes.push({f(range), range, false});
    double reached = -infinity;
    for (int i = 0; i < 20000 && spend(); ++i) {
        const Bounded top = boxes.top();
        reached = std::max(reached, f(Interval(top.v.middle())));
        if (top.bound == infinity && top.v.lo == 0 && top.v.hi < 1e-290) break;  // no bound as v -> 0
        if (!(top.bound - reached > 1e-9 * std::abs(reached)) || narrow(top.v)) break;
        boxes.pop();
        const auto [a, b] = halves(top.v);
        boxes.push({f(a), a, false});
        boxes.push({f(b), b, false});
    }
    return boxes.top().bound;
}

// A box of s, with the speeds of the two extremes in the box that it is part of.
struct Task {
    Interval s;
    std::optional<double> v_minus, v_plus;
};

struct Search {
    const Side& side;
    double vmax;
    long budget;
    long boxes = 0;

    // One box of s: accuracy required of the bounds, and extremes found so far.
    struct BoxState {
        Interval s;
        double middle;
        Tilt tilt;
        double accuracy, relative;  // of bounds: absolute [N] and relative
        // extremes of A at the middle, and their speeds
        double lowest = infinity, highest = -infinity;
        std::optional<double> v_minus{}, v_plus{};
    };
    BoxState start(const Task& task) const {
        BoxState box{task.s, task.s.middle(), {}, 0.05 * task.s.hi, 0.05};
        if (!task.v_minus || !task.v_plus) return box;
        const bool back = *task.v_minus < 0;
        const double v_minus = std::abs(*task.v_minus);
        note_rising(box, *task.v_plus);
        note_falling(box, v_minus, back);
        // bounds need not be finer than a fraction of the distance between the extremes
        if (box.highest > -infinity && box.lowest < infinity) {
            box.accuracy = std::max(1e-10 * task.s.hi, 0.2 * std::abs(box.lowest - box.highest));
            box.relative = 1e-12;
            const double slope =
                side.slope_of_rising(box.middle, *task.v_plus) +
                (back ? side.slope_of_back(box.middle, v_minus) : side.slope_of_falling(box.middle, v_minus));
            if (!side.plastic && slope > 0 && slope < 1e12) box.tilt = {0.5 * slope, box.middle};
        }
        return box;
    }
    void note_rising(BoxState& box, double v) const {
        const auto A = side.rising_at(box.middle, v);
        if (!A || !(A->hi < box.lowest)) return;
        box.lowest = A->hi;
        box.v_plus = v;
    }
    void note_falling(BoxState& box, double v, bool back) const {
        const auto A = back ? side.back_at(box.middle, v) : side.falling_at(box.middle, v);
        if (!A || !(A->lo > box.highest)) return;
        box.highest = A->lo;
        box.v_minus = back ? -v : v;
    }
    // Whether a value and a bound of it are as near as required.
    static bool close(const BoxState& box, double reached, double bound) {
        return std::abs(reached) < infinity &&
               std::abs(bound - reached) <= box.accuracy + box.relative * std::abs(reached);
    }

    // Lower bound of A with r > 0.
    double rising_bound(BoxState& box) {
        Boxes heap;
        const auto add = [&](Interval v) {
            ++boxes;
            const double bound = side.lowest_rising(box.s, v, box.tilt);
            if (bound < infinity) heap.push({-bound, v, false});
        };
        add({0, vmax});
        while (!heap.empty() && boxes < budget && spend(box_units)) {
            const Bounded top = heap.top();
            double there = infinity;
            for (const double v : samples(top.v)) {
                there = std::min(there, side.lowest_rising(box.s, v, box.tilt));
                note_rising(box, v);
            }
            if (narrow(top.v) || close(box, there, -top.bound)) break;
            heap.pop();
            const auto [a, b] = halves(top.v);
            add(a);
            add(b);
        }
        return heap.empty() ? infinity : -heap.top().bound;
    }

    // Returns true if A with r < 0 is nowhere above the ceiling. Stops at a point that refutes.
    bool falling_below(BoxState& box, double ceiling) {
        Boxes heap;
        const auto bound_over = [&](Interval v, bool back) {
            return back ? side.highest_back(box.s, v, box.tilt) : side.highest_falling(box.s, v, box.tilt);
        };
        const auto add = [&](Interval v, bool back) {
            ++boxes;
            if (const double bound = bound_over(v, back); bound > ceiling) heap.push({bound, v, back});
        };
        add({0, vmax}, false);
        if (side.gain > 1) add({0, vmax}, true);
        while (!heap.empty() && boxes < budget && spend(box_units)) {
            const Bounded top = heap.top();
            double there = -infinity;
            for (const double v : samples(top.v)) {
                there = std::max(there, bound_over(v, top.back));
                note_falling(box, v, top.back);
            }
            if (box.highest > box.lowest || narrow(top.v) || close(box, there, top.bound)) return false;
            heap.pop();
            const auto [a, b] = halves(top.v);
            add(a, top.back);
            add(b, top.back);
        }
        return heap.empty();
    }

    // The point that refutes, with v_plus > 0: the limit v -> 0 is replaced by a speed at which the order is still wrong.
    std::optional<WrongOrder> refutation(const BoxState& box) const {
        if (!(box.highest > box.lowest)) return {};
        double v = std::min(std::abs(*box.v_minus), vmax);
        for (int i = 0; i < 100; ++i, v *= 0.25) {
            const double tried = i == 0 && *box.v_plus > 0 ? *box.v_plus : v;
            if (const auto A = side.rising_at(box.middle, tried); A && A->hi < box.highest)
                return WrongOrder{box.middle, *box.v_minus, tried, box.highest - A->hi};
        }
        return {};
    }
};

// Levels that vanish with the speed: returns an s below which the criterion holds, 0 if none is found. For speeds up to v1 with
// v/g = G, a = sigma1 G, b = sigma2 G and e = v/s - G:
//   (s + A)/s = (a + b) e/G + (1 + b) G/e + 1 + a + 2 b
// so r > 0 (e > 0) gives at least (sqrt(1 + b) + sqrt(a + b))^2 and r < 0, forward or back, at most (sqrt(1 + b) - sqrt(a + b))^2. The first
// rises with G; the root of the second, (1 - a)/(sqrt(1 + b) + sqrt(a + b)), falls. Faster than v1: r > 0 and A > sigma1 v1.
double safe_below(const Side& side, double vmax) {
    if (side.vc < infinity || !(side.sigma1 > 0)) return 0;
    const auto sum = [&](Interval a, Interval b) { return sqrt(Interval(1) + b) + sqrt(a + b); };
    const Interval sigma1(side.sigma1), least(std::min(side.sigma2, side.sigma2_back));
    double v1 = std::min(vmax, 1e6);
    for (int i = 0; i < 120; ++i, v1 *= 0.5) {
        const Interval k = chord_range(side.curve, {0, v1});
        if (!(k.lo > 0 && k.hi < infinity)) continue;
        const Interval low = Interval(1) / (Interval(side.load_max) * Interval(k.hi)),
                       high = Interval(1) / (Interval(side.load_min) * Interval(k.lo));
        double most = 0;
        for (const Interval G : {low, high}) {
            const Interval root = (Interval(1) - sigma1 * G) / sum(sigma1 * G, least * G);
            most = std::max({most, root.hi, -root.lo});
        }
        const double roof = sum(sigma1 * low, Interval(side.sigma2) * low).lo;
        if (!((sqrt(Interval(side.gain)) * Interval(most)).hi <= roof)) continue;
        const Interval push = sigma1 * Interval(v1), quotient = Interval(side.gain) * square(Interval(most));
        return std::min({lowest_level(side, v1, vmax), (push / quotient).lo, push.lo});
    }
    return 0;
}

}  // namespace

double highest_level(const Side& side, double vmax) {
    return highest([&](Interval v) { return side.high_level(v).hi; }, {0, vmax});
}
double lowest_level(const Side& side, double from, double to) {
    return -highest([&](Interval v) { return -side.low_level(v).lo; }, {from, to});
}

PlainDecision decide_plain(const Side& side, double vmax, long budget) {
    if (side.gain > 1) return {};
    const double s_max = highest_level(side, vmax);
    std::vector<Interval> boxes{{0, vmax}};
    for (long i = 0; i < budget && !boxes.empty() && spend(2); ++i) {
        const Interval v = boxes.back();
        boxes.pop_back();
        if (side.plain_storage_works(v, s_max)) continue;
        // the s with the largest A at the middle speed
        const double speed = v.middle(), g = side.low_level(speed).hi;
        const double s = std::min(s_max * (1 - 1e-9), g + std::sqrt(g * g + side.sigma2 * speed * g));
        if (const auto A = side.falling_at(s, speed); A && A->lo > 0) return {Verdict::refuted, speed};
        if (narrow(v)) return {};
        const auto [a, b] = halves(v);
        boxes.push_back(b);
        boxes.push_back(a);  // low speeds first
    }
    return {boxes.empty() ? Verdict::proved : Verdict::undecided, infinity};
}

Decision decide(const Side& side, double vmax, long budget) {
    if (decide_plain(side, vmax, budget).verdict == Verdict::proved) return {Verdict::proved, {}, 0};
    double s_max = highest_level(side, vmax);
    if (side.gain == 1) s_max = std::min(s_max, side.push({0, vmax}).hi);
    const double s_min = side.leaks() ? safe_below(side, vmax) : lowest_level(side, 0, vmax);
    Search search{side, vmax, budget};
    std::deque<Task> tasks;
    if (s_min < s_max) tasks.push_back({{s_min, s_max}, {}, {}});
    while (!tasks.empty()) {
        const Task task = tasks.front();
        tasks.pop_front();
        auto box = search.start(task);
        const bool proved = search.falling_below(box, search.rising_bound(box));
        if (const auto where = search.refutation(box)) return {Verdict::refuted, where, search.boxes};
        if (proved) continue;
        if (narrow(task.s) || search.boxes >= budget || !spend()) return {Verdict::undecided, {}, search.boxes};
        const auto [a, b] = halves(task.s);
        tasks.push_back({b, box.v_minus, box.v_plus});
        tasks.push_back({a, box.v_minus, box.v_plus});
    }
    return {Verdict::proved, {}, search.boxes};
}

}  // namespace bristle::analysis::passivity
