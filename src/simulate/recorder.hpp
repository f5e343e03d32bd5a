// Recorder of a run: events and the data for the measures; samples and extremes by RowRecorder. Its memory grows with the events, not with
// the steps.
//
// A method calls step(t0, t1, at) for every accepted step, where at(t) returns the Snapshot at any time in between. The
// recorder evaluates seven points of each step and locates peaks and events between them.
#pragma once
#include <cmath>
#include <functional>

#include "simulate/names.hpp"
#include "simulate/row_recorder.hpp"

namespace bristle::inline simulation {

// Cubic through two samples of a position and its velocity.
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

    // Records the state at t = 0.
    void start(const Snapshot& at);
    // Records one accepted step. Returns false if the run was cancelled. Compiled once, not once per law and method.
    template <class F>
    bool step(double t0, double t1, const F& at) {
        return record(t0, t1, std::cref(at));
    }
    void reversal(double t) { events_.push_back({t, Event::Kind::v_zero}); }

    // Moves signals and events to the result and closes the energy ledger. Adds the measures, or the message if the run
    // ended early (status).
    void close(Result& result, const Snapshot& last);

  private:
    using Row = RowRecorder::Row;

    static double speed(const Snapshot& p) { return std::abs(p.slip); }
    // Returns the rate of the rig's position; that of an elongation is vp - v.
    double rise(const Snapshot& p) const { return rig_.drift + rig_.sense * p.velocity; }

    void fill(const Snapshot& point, Row& row) const;
    void update_stored(const Snapshot& point);
    void update_largest_force(double t, double force) {
        if (t <= broken_away_) largest_force_ = std::max(largest_force_, std::abs(force));
    }

    using At = std::function<Snapshot(double t)>;
    bool record(double t0, double t1, const At& at);
    void detect_events(double from, const Snapshot& now, const At& at);

    Measures measures();
    std::optional<double> stick_period() const;
    std::optional<double> crossing_period() const;
    Cubic position_before(std::size_t i) const;
    double amplitude(double period) const;

    const Setup& setup_;
    RigEquations rig_;
    std::vector<SignalReader> readers_;
    double duration_, stick_speed_, breakaway_speed_;
    double middle_, loop_start_;
    RowRecorder rows_;
    Snapshot first_, before_;
    Row now_;
    std::size_t force_;                                             // index of the signal F
    double broken_away_ = std::numeric_limits<double>::infinity();  // when |v| exceeded the breakaway speed [s]
    double largest_force_ = -std::numeric_limits<double>::infinity();
    struct PositionReversal {
        double t, position;
        bool maximum;
    };
    std::vector<PositionReversal> position_reversals_;
    double rising_ = 0;   // last non-zero sign of the rate of the position
    double fastest_ = 0;  // largest rate of the position so far
    double x_middle_ = 0, work_at_loop_start_ = 0;
    std::vector<Event> events_;
    struct SlipBegin {  // end of a stick phase
        double t;
        bool is_forward;
    };
    std::vector<SlipBegin> slips_;
    double max_stored_ = 0;  // largest stored energy so far [J]
};

}  // namespace bristle::simulation
