// Collects a run while it happens: samples, events and what the measures need, in memory that grows with the events, not with
// the steps.
//
// A method calls step(t0, t1, at) for every step it has accepted, where at(t) gives the Snapshot at any time in between. The recorder
// looks at four points of each step, so that peaks between samples are seen (and sharpened by a parabola), and locates what
// happens between two of them on at.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "names.hpp"

namespace bristle::simulate {

class Recorder {
  public:
    Recorder(const Setup& setup, const Progress& progress);

    // The state at t = 0.
    void start(const Snapshot& at);
    // False where the person at the keyboard wants to stop.
    template <class At>
    bool step(double t0, double t1, const At& at) {
        constexpr int parts = 4;
        double from = t0;
        for (int i = 1; i <= parts; ++i) {
            const double to = i == parts ? t1 : t0 + (t1 - t0) * i / parts;
            if (!(to > from)) continue;
            const Snapshot now = at(to);
            watch(from, now, at);
            from = to;
        }
        while (next_sample_ < samples_ && sample_time(next_sample_) <= t1) sample(at(sample_time(next_sample_)));
        if (middle_ > t0 && middle_ <= t1) x_middle_ = at(middle_).x;
        if (loop_start_ >= t0 && loop_start_ <= t1) work_at_loop_start_ = work(at(loop_start_));
        return go_on(t1);
    }
    void reversal(double t) { events_.push_back({t, Event::Kind::v_zero}); }

    // The most that all stores together held at any time [J].
    double most_stored() const { return most_stored_; }
    // Hands over signals, events and measures. The run has reached its end.
    void finish(Result& result);
    // Hands over what there is of a run that broke off.
    void give_up(Result& result);

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
    static double work(const Snapshot& p) { return p.heat + p.stored; }
    static double speed(const Snapshot& p) { return std::abs(p.slip); }
    // How fast the rig's position grows: an elongation does while the far end is faster than the mass.
    double rise(const Snapshot& p) const { return setup_.rig.drift + setup_.rig.sense * p.velocity; }

    void values(const Snapshot& point, std::vector<double>& out) const;
    void sample(const Snapshot& point);
    void look(const Snapshot& point);
    bool go_on(double t);

    // What happened between the point before and now.
    template <class At>
    void watch(double from, const Snapshot& now, const At& at) {
        if (stick_speed_ > 0 && (speed(before_) < stick_speed_) != (speed(now) < stick_speed_)) {
            const bool begins = speed(now) < stick_speed_;
            const double t = zero(from, now.t, at,
                                  [&](const Snapshot& p) { return (speed(p) < stick_speed_) == begins ? 1.0 : -1.0; });
            events_.push_back({t, begins ? Event::Kind::stick_begin : Event::Kind::stick_end});
        }
        if (rise(before_) > 0 && rise(now) <= 0)
            maxima_.push_back(
                at(zero(from, now.t, at, [this](const Snapshot& p) { return rise(p) > 0 ? -1.0 : 1.0; })).position);
        look(now);
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

    std::optional<double> crossing_period(const std::vector<Signal>& signals) const;

    const Setup& setup_;
    const Progress& progress_;
    std::vector<Signal> signals_;
    double duration_, stick_speed_, breakaway_speed_;
    double middle_, loop_start_;
    long samples_, next_sample_ = 0;
    Snapshot before_;
    std::vector<double> now_;
    struct Four {
        double values[4]{};
    };
    std::vector<Four> seen_;  // the last four values of each signal,
    double times_[4]{};       // when,
    long points_ = 0;         // and of how many
    std::vector<Extreme> extremes_;
    std::size_t force_;  // which signal is F
    bool broken_away_ = false;
    double largest_force_ = -std::numeric_limits<double>::infinity();
    std::vector<double> maxima_;
    double x_middle_ = 0, work_at_loop_start_ = 0;
    std::vector<Event> events_;
    double most_stored_ = 0;
    int told_ = 0;  // steps since progress was told
};

}  // namespace bristle::simulate
