// Events and measures of a run.
#include "simulate/recorder.hpp"

#include "numerics/bisect.hpp"
#include "simulate/ledger.hpp"
#include "simulate/period.hpp"
#include "simulate/simulate_law.hpp"

namespace bristle::inline simulation {
namespace {

// Returns the time between a and b from which on the condition holds.
template <class At, class Condition>
double first_time(double a, double b, const At& at, const Condition& condition) {
    return numerics::bisect(b, a, 60, [&](double t) { return condition(at(t)); }).holds;
}

}  // namespace

Recorder::Recorder(const Setup& setup, const Progress& progress)
    : setup_(setup),
      rig_(setup.rig.equations()),
      duration_(setup.run.duration),
      stick_speed_(stick_speed(setup)),
      rows_(setup.run, progress) {
    auto [signals, readers] = signals_of(setup.law, setup.rig, setup.load);
    force_ = std::size_t(
        std::find_if(signals.begin(), signals.end(), [](auto& s) { return s.role == SignalRole::friction; }) -
        signals.begin());
    rows_.set_signals(std::move(signals));
    readers_ = std::move(readers);
    now_.resize(readers_.size());
    const double vs = stribeck_velocity(setup.law);
    breakaway_speed_ = 10 * (vs > 0 ? vs : stick_speed_);
    middle_ = 0.5 * duration_;
    const double period = setup.input.wave.bend == 0 ? setup.input.period(duration_) : duration_ * 2;
    loop_start_ = period <= duration_ ? duration_ - period : -1;
}

Recorder::~Recorder() = default;  // defined here, so that it is not compiled in every law's solver

void Recorder::fill(const Snapshot& p, Row& row) const {
    for (std::size_t i = 0; i < readers_.size(); ++i) row[i] = readers_[i](p);
}

void Recorder::start(const Snapshot& at) {
    first_ = before_ = at;
    update_stored(at);
    if (speed(at) > breakaway_speed_) broken_away_ = -1;  // it slides from the start: no breakaway
    update_largest_force(at.t, at.F);
    fill(at, now_);
    rows_.start(now_);
    if (loop_start_ == 0) work_at_loop_start_ = at.work;
}

void Recorder::update_stored(const Snapshot& point) {
    const double in_rig = setup_.rig.is_prescribed() ? 0 : rig_.stored(point.position, point.velocity);
    max_stored_ = std::max(max_stored_, in_rig + point.stored);
}

bool Recorder::record(double t0, double t1, const At& at) {
    rows_.place_points(t0, t1);
    for (int k = 0; k < RowRecorder::points; ++k) {
        const Snapshot now = at(rows_.time(k));
        fill(now, rows_.row(k));
        rows_.include(rows_.row(k));
        update_stored(now);
        if (rows_.time(k) > before_.t) detect_events(before_.t, now, at);
    }
    const auto row_at = [&](double t) -> const Row& {
        fill(at(t), now_);
        return now_;
    };
    // a peak of the force can also be the breakaway force
    rows_.refine_peaks(
        row_at, [&](std::size_t i, double t) { return i == force_ && t < broken_away_; },
        [&](std::size_t i, double t, double value) {
            if (i == force_) update_largest_force(t, value);
        });
    rows_.record_samples(t0, t1, row_at);
    if (middle_ > t0 && middle_ <= t1) x_middle_ = at(middle_).x;
    if (loop_start_ >= t0 && loop_start_ <= t1) work_at_loop_start_ = at(loop_start_).work;
    return rows_.should_continue(t1);
}

// Detects stick, position reversals and breakaway between the last point and now.
void Recorder::detect_events(double from, const Snapshot& now, const At& at) {
    if (stick_speed_ > 0 && (speed(before_) < stick_speed_) != (speed(now) < stick_speed_)) {
        const bool begins = speed(now) < stick_speed_;
        const double t =
            first_time(from, now.t, at, [&](const Snapshot& p) { return (speed(p) < stick_speed_) == begins; });
        events_.push_back({t, begins ? Event::Kind::stick_begin : Event::Kind::stick_end});
        if (!begins) slips_.push_back({t, now.slip > 0});
    }
    // a stop without reversal does not count, so a rate of zero (to rounding) changes nothing
    const double rate = rise(now);
    fastest_ = std::max(fastest_, std::abs(rate));
    if (std::abs(rate) > 1e-12 * fastest_) {
        if (rising_ * rate < 0) {
            const double t = first_time(from, now.t, at, [&](const Snapshot& p) { return !(rising_ * rise(p) >= 0); });
            position_reversals_.push_back({t, at(t).position, rising_ > 0});
        }
        rising_ = rate > 0 ? 1 : -1;
    }
    if (now.t < broken_away_ && speed(now) > breakaway_speed_) {
        const bool jumped = speed(at(from)) > breakaway_speed_;  // possible for a prescribed velocity
        broken_away_ =
            jumped ? from : first_time(from, now.t, at, [&](const Snapshot& p) { return speed(p) > breakaway_speed_; });
        if (!jumped) update_largest_force(broken_away_, at(broken_away_).F);
    }
    update_largest_force(now.t, now.F);
    before_ = now;
}

// Returns the position between samples i - 1 and i.
Cubic Recorder::position_before(std::size_t i) const {
    const auto &t = rows_.signals()[0].values, &y = rows_.signals()[1].values, &v = rows_.signals()[2].values;
    const double drift = rig_.drift, sense = rig_.sense;
    return {t[i - 1], t[i], y[i - 1], y[i], drift + sense * v[i - 1], drift + sense * v[i]};
}

// Returns the time from the last end of stick back to the one before it whose slip has the same direction [s]: a servo that hunts slips
// once in each direction per period. std::nullopt if there is none.
std::optional<double> Recorder::stick_period() const {
    for (std::size_t i = slips_.size(); i > 1; --i)
        if (slips_[i - 2].is_forward == slips_.back().is_forward)
            return period_between(slips_[i - 2].t, slips_.back().t, duration_);
    return {};
}

// Returns the time between the last two upward crossings of the mean position [s]; std::nullopt if there are fewer.
std::optional<double> Recorder::crossing_period() const {
    const auto &t = rows_.signals()[0].values, &y = rows_.signals()[1].values;
    double mean = 0, change = 0;
    for (double value : y) mean += value / double(y.size());
    for (double value : y) change = std::max(change, std::abs(value - mean));
    std::vector<double> crossings;
    for (std::size_t i = y.size() - 1; i > 0 && crossings.size() < 2; --i) {
        if (!(y[i - 1] < mean && y[i] >= mean) || change < 1e-12 * std::abs(mean)) continue;
        const Cubic cubic = position_before(i);
        crossings.push_back(numerics::bisect(t[i - 1], t[i], 60, [&](double at) { return cubic(at) < mean; }).fails);
    }
    if (crossings.size() < 2) return {};
    return period_between(crossings[1], crossings[0], duration_);
}

// Returns half of peak to peak over the last period, from located reversals and samples.
double Recorder::amplitude(double period) const {
    Extreme extreme;
    const auto &t = rows_.signals()[0].values, &y = rows_.signals()[1].values;
    const double begin = std::max(0.0, duration_ - period);
    for (std::size_t i = 0; i < t.size(); ++i) {
        if (t[i] >= begin) extreme.include(y[i]);
        if (i > 0 && t[i - 1] < begin && t[i] > begin) extreme.include(position_before(i)(begin));
    }
    for (const PositionReversal& reversal : position_reversals_)
        if (reversal.t >= begin) extreme.include(reversal.position);
    return 0.5 * (extreme.high - extreme.low);
}

Measures Recorder::measures() {
    Measures m;
    for (const Event& event : events_) {
        if (event.kind == Event::Kind::stick_begin) m.stick_begin.push_back(event.t);
        if (event.kind == Event::Kind::stick_end) m.stick_end.push_back(event.t);
    }
    m.period = stick_period();
    if (!m.period) m.period = crossing_period();
    if (m.period) m.amplitude = amplitude(*m.period);
    if (breakaway_speed_ > 0 && broken_away_ > 0 && std::isfinite(broken_away_)) m.breakaway_force = largest_force_;
    m.drift = before_.x - x_middle_;
    if (loop_start_ >= 0) m.loop_area = before_.work - work_at_loop_start_;
    std::vector<double> maxima;
    for (const PositionReversal& reversal : position_reversals_)
        if (reversal.maximum) maxima.push_back(reversal.position);
    if (maxima.size() >= 2) m.amplitude_decay = (maxima.front() - maxima.back()) / double(maxima.size() - 1);
    fill(before_, now_);
    rows_.put_measures(m, now_);
    return m;
}

void Recorder::close(Result& result, const Snapshot& last) {
    std::stable_sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) { return a.t < b.t; });
    if (result.status == Status::done) {
        fill(last, now_);
        rows_.complete(now_);
        result.measures = measures();
    }
    if (result.status != Status::done) result.message = failure(result.status, last.t);
    result.signals = rows_.take_signals();
    result.events = std::move(events_);
    close_ledger(result.energy, setup_, first_, last, max_stored_);
}

}  // namespace bristle::simulation
