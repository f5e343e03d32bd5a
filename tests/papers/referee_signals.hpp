// Signals of the referee: their values at an instant, their extremes, and the period of the position.
#pragma once
#include <optional>
#include <string>

#include "referee_step.hpp"

namespace referee {

// All signals of docs/experiments.md, and the extremes of those that are needed.
class Signals {
  public:
    static constexpr std::size_t most = max_states + 12;
    using Values = std::array<double, most>;
    std::vector<std::string> names;
    long evaluations = 0;
    double breakaway = 0;  // largest |F| so far, while the contact
    bool broken = false;   // has not broken away
    double resolution =
        0;  // largest deviation of a signal from a parabola, as a fraction of its range, without refinement

    Signals(const Rig& rig, bool load_changes, const std::vector<std::string>& watched, bool watch_breakaway)
        : rig_(rig), load_changes_(load_changes), watch_breakaway_(watch_breakaway) {
        using Type = Rig::Type;
        const Type type = rig.type;
        names = {"t",
                 rig.pulled()             ? "elongation"
                 : type == Type::pendulum ? "theta"
                                          : "x",
                 type == Type::pendulum ? "omega" : "v"};
        if (rig.pulled()) names.push_back("x");
        if (rig.law.kind == Law::maxwell)
            for (int i = 1; i <= rig.law.states; ++i) names.push_back("F" + std::to_string(i));
        else if (rig.law.states == 1)
            names.insert(names.end(), {"z", "dz"});
        names.insert(names.end(), {"F", "heat"});
        if (type == Type::pid_servo) names.push_back("integral");
        if (type == Type::pid_servo || type == Type::forced_mass) names.push_back("u");
        if (type == Type::conveyor) names.insert(names.end(), {"slip", "belt"});
        if (load_changes) names.push_back("load");
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (std::find(watched.begin(), watched.end(), names[i]) != watched.end()) watched_.push_back(i);
            if (names[i] == "F") force_ = i;
        }
        low_.fill(std::numeric_limits<double>::infinity());
        high_.fill(-std::numeric_limits<double>::infinity());
    }
    Values operator()(double t, const State& y) {
        using Type = Rig::Type;
        Values out{};
        std::size_t i = 0;
        const auto put = [&](double value) { out[i++] = value; };
        ++evaluations;
        const Friction f = rig_.friction(t, y);
        put(t);
        put(rig_.at_position(t, y));
        put(rig_.at_velocity(t, y));
        if (rig_.pulled()) put(rig_.at_mass(t, y));
        for (std::size_t k = 0; k < std::size_t(rig_.law.states); ++k) put(y[bristle_states + k]);
        if (rig_.law.kind != Law::maxwell && rig_.law.states == 1) put(f.dz[0]);
        put(f.F);
        put(y[heat]);
        if (rig_.type == Type::pid_servo) put(y[integral]);
        if (rig_.type == Type::pid_servo || rig_.type == Type::forced_mass) put(rig_.push(t, y));
        if (rig_.type == Type::conveyor) {
            put(rig_.slip(t, y));
            put(rig_.belt(t));
        }
        if (load_changes_) put(rig_.load(t));
        return out;
    }
    const std::vector<std::size_t>& watched() const { return watched_; }
    double high(std::size_t i) const { return high_[i]; }
    double low(std::size_t i) const { return low_[i]; }

    // Records the start, and the far side of a corner.
    void record(double t, const State& y) {
        if (!is_needed()) return;
        const Values now = (*this)(t, y);
        for_each_watched([&](std::size_t i) { take(i, now[i]); });
    }
    // Records a step, divided until every signal is nearly a parabola.
    void record(const Step& step) {
        if (!is_needed()) return;
        split(step, 0, 1, (*this)(step.t0, step.y0), at(step, 0.5), (*this)(step.t0 + step.h, step.y1), 0);
    }

  private:
    bool is_needed() const { return !watched_.empty() || (watch_breakaway_ && !broken); }
    template <class Do>
    void for_each_watched(const Do& act) {
        bool force = watch_breakaway_ && !broken;
        for (const std::size_t i : watched_) {
            act(i);
            force = force && i != force_;
        }
        if (force) act(force_);
    }
    Values at(const Step& step, double fraction) {
        State y{};
        step.at(fraction, y);
        return (*this)(step.t0 + fraction * step.h, y);
    }
    void take(std::size_t i, double value) {
        low_[i] = std::min(low_[i], value);
        high_[i] = std::max(high_[i], value);
        if (i == force_ && !broken) breakaway = std::max(breakaway, std::abs(value));
    }
    void split(const Step& step, double a, double b, const Values& at_a, const Values& at_m, const Values& at_b,
               int depth) {
        const double m = (a + b) / 2;
        const Values first = at(step, (a + m) / 2), second = at(step, (m + b) / 2);
        bool curved = false;
        for_each_watched([&](std::size_t i) {
            for (const double value : {at_a[i], first[i], at_m[i], second[i], at_b[i]}) take(i, value);
            const double miss = std::max(std::abs(first[i] - (3 * at_a[i] + 6 * at_m[i] - at_b[i]) / 8),
                                         std::abs(second[i] - (3 * at_b[i] + 6 * at_m[i] - at_a[i]) / 8));
            const double size = std::max(std::abs(low_[i]), std::abs(high_[i]));
            curved = curved || miss > resolution * (high_[i] - low_[i]) + 1e-12 * size;
        });
        if (curved && depth < 8) {
            split(step, a, m, at_a, first, at_m, depth + 1);
            split(step, m, b, at_m, second, at_b, depth + 1);
            return;
        }
        for_each_watched([&](std::size_t i) {
            for (const double sign : {1.0, -1.0})
                find_top(step, i, sign, a, b, {at_a[i], first[i], at_m[i], second[i], at_b[i]});
        });
    }
    // Searches a maximum if the parabola through the three highest of five points exceeds all earlier values.
    void find_top(const Step& step, std::size_t i, double sign, double from, double to, std::array<double, 5> points) {
        for (double& value : points) value *= sign;
        const auto best = std::size_t(std::max_element(points.begin(), points.end()) - points.begin());
        const std::size_t m = std::clamp<std::size_t>(best, 1, 3);
        const double a = points[m - 1], b = points[m], c = points[m + 1], bend = a - 2 * b + c,
                     quarter = (to - from) / 4;
        if (!(bend < 0)) return;
        const double top = b - (a - c) * (a - c) / (8 * bend), shift = double(m) + (a - c) / (2 * bend);
        const double record = sign > 0 ? high_[i] : -low_[i];
        if (!(shift > 0 && shift < 4 && top > record + 1e-14 * std::abs(record))) return;
        // golden section
        constexpr double golden = 0.6180339887498949;
        double p = from + quarter * std::max(0.0, shift - 1), s = from + quarter * std::min(4.0, shift + 1);
        const auto value = [&](double fraction) {
            const double found = at(step, fraction)[i];
            take(i, found);
            return sign * found;
        };
        double q = s - golden * (s - p), r = p + golden * (s - p), at_q = value(q), at_r = value(r);
        for (int k = 0; k < 30; ++k) {
            if (at_q > at_r) {
                s = r;
                r = q;
                at_r = at_q;
                at_q = value(q = s - golden * (s - p));
            } else {
                p = q;
                q = r;
                at_q = at_r;
                at_r = value(r = p + golden * (s - p));
            }
        }
    }

    const Rig& rig_;
    const bool load_changes_, watch_breakaway_;
    std::vector<std::size_t> watched_;
    std::size_t force_ = 0;
    Values low_{}, high_{};
};

// The position over time, for period and amplitude: points with slopes, cubics between them.
class Series {
  public:
    explicit Series(double finest) : finest_(finest) {}
    void note(double t, double q, double growth, bool always) {
        if (always || points_.empty() || t - points_.back().t > finest_) points_.push_back({t, q, growth});
    }
    // Returns the time between the last two upward crossings of the mean.
    std::optional<double> period() const {
        double sum = 0;
        for (std::size_t i = 1; i < points_.size(); ++i) {
            const Point &a = points_[i - 1], &b = points_[i];
            const double w = b.t - a.t;
            sum += w * (a.q + b.q) / 2 + w * w * (a.growth - b.growth) / 12;
        }
        const double mean = sum / (points_.back().t - points_.front().t);
        std::vector<double> found;
        for (std::size_t i = points_.size(); --i > 0 && found.size() < 2;) {
            const Point &a = points_[i - 1], &b = points_[i];
            if (!(a.q < mean && b.q >= mean)) continue;
            double low = a.t, high = b.t;
            for (int k = 0; k < 60; ++k) {
                const double t = (low + high) / 2;
                (between(a, b, t) < mean ? low : high) = t;
            }
            found.push_back(high);
        }
        if (found.size() < 2) return {};
        return found[0] - found[1];
    }
    // Reversals are among the points, because they are events.
    double half_peak_to_peak(double from) const {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        const auto see = [&](double q) {
            low = std::min(low, q);
            high = std::max(high, q);
        };
        for (std::size_t i = 0; i < points_.size(); ++i) {
            if (points_[i].t < from) continue;
            if (i > 0 && points_[i - 1].t < from) see(between(points_[i - 1], points_[i], from));
            see(points_[i].q);
        }
        return (high - low) / 2;
    }

  private:
    struct Point {
        double t, q, growth;
    };
    static double between(const Point& a, const Point& b, double t) {
        const double w = b.t - a.t, s = w > 0 ? (t - a.t) / w : 1, u = 1 - s;
        return a.q * u * u * (1 + 2 * s) + b.q * s * s * (1 + 2 * u) + w * s * u * (a.growth * u - b.growth * s);
    }
    double finest_;
    std::vector<Point> points_;
};

}  // namespace referee
