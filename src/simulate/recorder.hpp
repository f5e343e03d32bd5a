// Collects a run while it happens: samples, events and what the measures need, in memory that grows with the events, not with
// the steps.
//
// A method calls step(t0, t1, at) for every step it has accepted, where at(t) gives the Snapshot at any time in between. The recorder
// looks at seven points of each step (two close to its ends tell the slopes there) and locates peaks and events between them on at.
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "simulate/names.hpp"

namespace bristle::inline simulation {

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
    ~Recorder();

    // The state at t = 0.
    void start(const Snapshot& at);
    // False where the person at the keyboard wants to stop. What looks at a step is compiled once, not once per law, rig and method.
    template <class F>
    bool step(double t0, double t1, const F& at) {
        return look(t0, t1, std::cref(at));
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
    double rise(const Snapshot& p) const { return rig_.drift + rig_.sense * p.velocity; }

    void values(const Snapshot& point, std::vector<double>& out) const;
    void sample(const Snapshot& point);
    void note(double time, const Snapshot& point);
    void see(const Snapshot& point);
    void see_force(double t, double force) {
        if (t <= broken_away_) largest_force_ = std::max(largest_force_, std::abs(force));
    }
    bool should_continue(double t);

    using At = std::function<Snapshot(double t)>;
    bool look(double t0, double t1, const At& at);
    void sharpen(std::size_t i, int k, const At& at);
    void watch(double from, const Snapshot& now, const At& at);

    Measures measures();
    std::optional<double> crossing_period() const;
    Cubic position_before(std::size_t i) const;
    double amplitude(double period) const;

    const Setup& setup_;
    const Progress& progress_;
    RigEquations rig_;
    std::vector<Signal> signals_;
    std::vector<SignalReader> readers_;
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
    double max_stored_ = 0;  // in all stores together [J]
    int told_ = 0;           // steps since progress was told
};

}  // namespace bristle::inline simulation
