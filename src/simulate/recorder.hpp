// Collects a run while it happens: samples, events and what the measures need, in memory that grows with the events, not with
// the steps.
//
// A method calls step(t0, t1, at) for every step it has accepted, where at(t) gives the Snapshot at any time in between. The recorder
// looks at seven points of each step (two close to its ends tell the slopes there) and locates peaks and events between them on at.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "names.hpp"

namespace bristle::simulate {

// A cubic through two samples of a position and its velocity.
struct Cubic {
    double t0, t1, y0, y1, v0, v1;
    double operator()(double t) const {
        const double w = t1 - t0, s = (t - t0) / w, u = 1 - s;
        return y0 * u * u * (1 + 2 * s) + y1 * s * s * (1 + 2 * u) + w * s * u * (v0 * u - v1 * s);
    }
};

class Recorder {
  public:
    Recorder(const Setup& setup, const Progress& progress);

    // The state at t = 0.
    void start(const Snapshot& at);
    // False where the person at the keyboard wants to stop.
    template <class At>
    bool step(double t0, double t1, const At& at) {
        constexpr double near = 1e-3, shares[points] = {0, near, 0.25, 0.5, 0.75, 1 - near, 1};
        for (int k = 0; k < points; ++k) {
            const double t = k == points - 1 ? t1 : t0 + (t1 - t0) * shares[k];
            const Snapshot now = at(t);
            times_[k] = t;
            values(now, rows_[k]);
            see(now);
            if (t > before_.t) watch(before_.t, now, at);
        }
        for (std::size_t i = 0; i < signals_.size(); ++i)
            for (int k = 1; k + 1 < points; ++k) sharpen(i, k, at);
        while (next_sample_ < samples_ && sample_time(next_sample_) <= t1) sample(at(sample_time(next_sample_)));
        for (const double t : setup_.run.looks)
            if (t > t0 && t <= t1) note(t, at(t));
        if (middle_ > t0 && middle_ <= t1) x_middle_ = at(middle_).x;
        if (loop_start_ >= t0 && loop_start_ <= t1) work_at_loop_start_ = at(loop_start_).work;
        return go_on(t1);
    }
    void reversal(double t) { events_.push_back({t, Event::Kind::v_zero}); }

    // Hands over signals and events, closes the energy ledger, and adds the measures or, where the run broke off (status), the
    // message that says so.
    void close(Result& result, const Snapshot& last);

  private:
    struct Extreme {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        void take(double value) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    };

    double sample_time(long i) const {
        return i == samples_ - 1 ? duration_ : duration_ * double(i) / double(samples_ - 1);
    }
    static double speed(const Snapshot& p) { return std::abs(p.slip); }
    // How fast the rig's position grows: an elongation does while the far end is faster than the mass.
    double rise(const Snapshot& p) const { return setup_.rig.drift + setup_.rig.sense * p.velocity; }

    void values(const Snapshot& point, std::vector<double>& out) const;
    void sample(const Snapshot& point);
    void note(double time, const Snapshot& point);
    void see(const Snapshot& point);
    void see_force(double t, double force) {
        if (t <= broken_away_) largest_force_ = std::max(largest_force_, std::abs(force));
    }
    bool go_on(double t);

    // Where signal i has a peak about point k of the step that would change what is known: its height, by golden section.
    template <class At>
    void sharpen(std::size_t i, int k, const At& at) {
        const double left = rows_[k][i] - rows_[k - 1][i], right = rows_[k][i] - rows_[k + 1][i];
        if (!(left * right > 0)) return;
        // no higher than where the chord on either side leads
        const double before = times_[k] - times_[k - 1], after = times_[k + 1] - times_[k];
        const double sign = left > 0 ? 1 : -1,
                     most = std::max(sign * left * after / before, sign * right * before / after);
        const double known = sign > 0 ? extremes_[i].high : -extremes_[i].low;
        const bool matters = sign * rows_[k][i] + most > known || (i == force_ && times_[k] < broken_away_);
        if (!matters) return;
        const auto height = [&](double t) {
            values(at(t), now_);
            return sign * now_[i];
        };
        constexpr double golden = 0.6180339887498949;
        double a = times_[k - 1], b = times_[k + 1], p = b - golden * (b - a), q = a + golden * (b - a);
        double at_p = height(p), at_q = height(q);
        for (int step = 0; step < 40 && p < q; ++step) {
            if (at_p > at_q) {
                b = q;
                q = p;
                at_q = at_p;
                at_p = height(p = b - golden * (b - a));
            } else {
                a = p;
                p = q;
                at_p = at_q;
                at_q = height(q = a + golden * (b - a));
            }
        }
        const double top = sign * std::max(at_p, at_q);
        extremes_[i].take(top);
        if (i == force_) see_force(p, top);
    }

    // What happened between the point before and now.
    template <class At>
    void watch(double from, const Snapshot& now, const At& at) {
        if (stick_speed_ > 0 && (speed(before_) < stick_speed_) != (speed(now) < stick_speed_)) {
            const bool begins = speed(now) < stick_speed_;
            const double t = zero(from, now.t, at,
                                  [&](const Snapshot& p) { return (speed(p) < stick_speed_) == begins ? 1.0 : -1.0; });
            events_.push_back({t, begins ? Event::Kind::stick_begin : Event::Kind::stick_end});
        }
        // a stop on the way is no turn, so a rate of zero (to rounding) changes nothing
        const double rate = rise(now);
        fastest_ = std::max(fastest_, std::abs(rate));
        if (std::abs(rate) > 1e-12 * fastest_) {
            if (rising_ * rate < 0) {
                const double t =
                    zero(from, now.t, at, [&](const Snapshot& p) { return rising_ * rise(p) >= 0 ? -1.0 : 1.0; });
                turns_.push_back({t, at(t).position, rising_ > 0});
            }
            rising_ = rate > 0 ? 1 : -1;
        }
        if (now.t < broken_away_ && speed(now) > breakaway_speed_) {
            const bool jumped = speed(at(from)) > breakaway_speed_;  // a given velocity may
            broken_away_ =
                jumped ? from : zero(from, now.t, at, [&](const Snapshot& p) { return speed(p) - breakaway_speed_; });
            if (!jumped) see_force(broken_away_, at(broken_away_).F);
        }
        see_force(now.t, now.F);
        before_ = now;
    }
    // The time between a and b where f changes from negative to positive, by halving.
    template <class At, class F>
    static double zero(double a, double b, const At& at, const F& f) {
        for (int i = 0; i < 60; ++i) {
            const double middle = 0.5 * (a + b);
            if (!(middle > a && middle < b)) break;
            (f(at(middle)) > 0 ? b : a) = middle;
        }
        return b;
    }

    Measures measures();
    std::optional<double> crossing_period() const;
    Cubic position_before(std::size_t i) const;
    double amplitude(double period) const;

    const Setup& setup_;
    const Progress& progress_;
    std::vector<Signal> signals_;
    double duration_, stick_speed_, breakaway_speed_;
    double middle_, loop_start_;
    long samples_, next_sample_ = 0;
    Snapshot first_, before_;
    std::vector<double> now_;
    static constexpr int points = 7;
    double times_[points]{};            // of the step that is looked at,
    std::vector<double> rows_[points];  // and the signals then
    std::vector<Extreme> extremes_;
    std::map<double, std::map<std::string, double>> notes_;
    std::size_t force_;                                             // which signal is F
    double broken_away_ = std::numeric_limits<double>::infinity();  // when |v| passed the breakaway speed [s]
    double largest_force_ = -std::numeric_limits<double>::infinity();
    struct Turn {
        double t, position;
        bool maximum;
    };
    std::vector<Turn> turns_;  // of the position
    double rising_ = 0;        // the sign of its rate when it last had one
    double fastest_ = 0;       // its largest rate so far
    double x_middle_ = 0, work_at_loop_start_ = 0;
    std::vector<Event> events_;
    double most_stored_ = 0;  // in all stores together [J]
    int told_ = 0;            // steps since progress was told
};

}  // namespace bristle::simulate
