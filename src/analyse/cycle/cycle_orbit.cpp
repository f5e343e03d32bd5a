// Recording of one period of a motion.
#include "analyse/cycle/cycle_orbit.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/bisect.hpp"

namespace bristle::inline analysis::cycle {

namespace {

constexpr int parts_per_step = 4;  // sub-intervals of a step in which extremes are searched

// Returns a sign change of f between a and b, by bisection.
template <class F>
double change(double a, double b, const F& f) {
    const bool sign = f(a) > 0;
    return numerics::bisect(a, b, 48, [&](double at) { return (f(at) > 0) == sign; }).middle();
}

}  // namespace

void OrbitRecorder::take(const std::vector<double>& y) {
    for (std::size_t i = 0; i < y.size(); ++i) {
        low[i] = std::min(low[i], y[i]);
        high[i] = std::max(high[i], y[i]);
    }
    fastest = std::max(fastest, std::abs(flow_.slip(y)));
}

bool OrbitRecorder::operator()(const FlowStep& step) {
    const std::size_t n = flow_.size();
    std::vector<double> y(n), f(n), before(n);
    const double length = step.to - step.from;
    const auto rate = [&](std::size_t i) {
        return [&, i](double fraction) {
            step.rates(fraction, f.data());
            return f[i];
        };
    };
    const auto above = [&](double fraction) { return std::abs(step.slip(fraction)) - stick_speed_; };
    if (!started_) {
        started_ = true;
        begin = step.from;
        step.state(0, y.data());
        take(y);
        t.push_back(0);
        points.push_back(y);
    }
    step.rates(0, before.data());
    for (int k = 1; k <= parts_per_step; ++k) {
        const double a = double(k - 1) / parts_per_step, b = double(k) / parts_per_step;
        step.state(b, y.data());
        take(y);
        t.push_back(step.from + b * length - begin);
        points.push_back(y);
        step.rates(b, f.data());
        const std::vector<double> now = f;
        for (std::size_t i = 0; i < 2; ++i)
            if (before[i] * now[i] < 0) {
                step.state(change(a, b, rate(i)), y.data());
                take(y);
            }
        before = now;
        const bool slow_before = above(a) < 0, slow = above(b) < 0;
        if (step.held || (slow_before && slow))
            stuck += length / parts_per_step;
        else if (slow_before != slow) {
            const double at = change(a, b, above);
            stuck += length * (slow ? b - at : at - a);
        }
    }
    end = step.to;
    return true;
}

}  // namespace bristle::analysis::cycle
