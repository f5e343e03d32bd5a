#include "recorder.hpp"

#include "ledger.hpp"
#include "simulate_law.hpp"

namespace bristle::simulate {

Recorder::Recorder(const Setup& setup, const Progress& progress)
    : setup_(setup),
      progress_(progress),
      signals_(signals_of(setup.law, setup.type, setup.load)),
      duration_(setup.run.duration),
      stick_speed_(setup.run.stick_speed),
      samples_(setup.run.samples),
      now_(signals_.size()),
      extremes_(signals_.size()) {
    const double vs = stribeck_velocity(setup.law);
    breakaway_speed_ = 10 * (vs > 0 ? vs : stick_speed_);
    middle_ = 0.5 * duration_;
    const double period = setup.input.wave.bend == 0 ? setup.input.period(duration_) : duration_ * 2;
    loop_start_ = period <= duration_ ? duration_ - period : -1;
    for (auto& row : rows_) row.resize(signals_.size());
    for (Signal& signal : signals_) signal.values.reserve(std::size_t(samples_));
    force_ = std::size_t(std::find_if(signals_.begin(), signals_.end(), [](auto& s) { return s.name == "F"; }) -
                         signals_.begin());
}

void Recorder::values(const Snapshot& p, std::vector<double>& out) const {
    std::size_t i = 0;
    const auto put = [&](double value) { out[i++] = value; };
    put(p.t);
    put(p.position);
    put(p.velocity);
    if (setup_.type == RigType::pulled_spring || setup_.type == RigType::hybrid) put(p.x);
    for (int k = 0; k < p.contact_states; ++k) put(p.z[std::size_t(k)]);
    if (setup_.type == RigType::pid_servo) put(p.integral);
    put(p.F);
    if (signals_[i].name == "dz") put(p.dz);
    if (setup_.type == RigType::forced_mass || setup_.type == RigType::pid_servo) put(p.u);
    if (setup_.type == RigType::conveyor) {
        put(p.slip);
        put(p.belt);
    }
    if (!setup_.load.is_constant()) put(p.load);
    put(p.heat);
    put(p.work);
}

void Recorder::start(const Snapshot& at) {
    first_ = before_ = at;
    see(at);
    if (speed(at) > breakaway_speed_) broken_away_ = -1;  // it moves from the start: there is nothing to break
    see_force(at.t, at.F);
    while (next_sample_ < samples_ && sample_time(next_sample_) <= 0) sample(at);
    if (loop_start_ == 0) work_at_loop_start_ = at.work;
    for (const double t : setup_.run.looks)
        if (t <= 0) note(t, at);
}

void Recorder::sample(const Snapshot& point) {
    ++next_sample_;
    values(point, now_);
    for (std::size_t i = 0; i < signals_.size(); ++i) {
        signals_[i].values.push_back(now_[i]);
        extremes_[i].take(now_[i]);
    }
}

void Recorder::note(double time, const Snapshot& point) {
    values(point, now_);
    for (std::size_t i = 0; i < signals_.size(); ++i) notes_[time][signals_[i].name] = now_[i];
}

void Recorder::see(const Snapshot& point) {
    const double in_rig = setup_.type == RigType::prescribed ? 0 : setup_.rig.stored(point.position, point.velocity);
    most_stored_ = std::max(most_stored_, in_rig + point.stored);
    values(point, now_);
    for (std::size_t i = 0; i < now_.size(); ++i) extremes_[i].take(now_[i]);
}

bool Recorder::go_on(double t) {
    if (!progress_ || (++told_, told_ < 256)) return true;
    told_ = 0;
    return progress_(t / duration_);
}

// The position between samples i - 1 and i.
Cubic Recorder::position_before(std::size_t i) const {
    const auto &t = signals_[0].values, &y = signals_[1].values, &v = signals_[2].values;
    const double drift = setup_.rig.drift, sense = setup_.rig.sense;
    return {t[i - 1], t[i], y[i - 1], y[i], drift + sense * v[i - 1], drift + sense * v[i]};
}

// From the last two upward crossings of the position's mean.
std::optional<double> Recorder::crossing_period() const {
    const auto &t = signals_[0].values, &y = signals_[1].values;
    double mean = 0, change = 0;
    for (double value : y) mean += value / double(y.size());
    for (double value : y) change = std::max(change, std::abs(value - mean));
    std::vector<double> crossings;
    for (std::size_t i = y.size() - 1; i > 0 && crossings.size() < 2; --i) {
        if (!(y[i - 1] < mean && y[i] >= mean) || change < 1e-12 * std::abs(mean)) continue;
        const Cubic cubic = position_before(i);
        double a = t[i - 1], b = t[i];
        for (int k = 0; k < 60; ++k) (cubic(0.5 * (a + b)) < mean ? a : b) = 0.5 * (a + b);
        crossings.push_back(b);
    }
    if (crossings.size() < 2) return {};
    return crossings[0] - crossings[1];
}

// Half of peak to peak over the last period: turning points, which were located, and samples.
double Recorder::amplitude(double period) const {
    Extreme extreme;
    const auto &t = signals_[0].values, &y = signals_[1].values;
    const double begin = std::max(0.0, duration_ - period);
    for (std::size_t i = 0; i < t.size(); ++i) {
        if (t[i] >= begin) extreme.take(y[i]);
        if (i > 0 && t[i - 1] < begin && t[i] > begin) extreme.take(position_before(i)(begin));
    }
    for (const Turn& turn : turns_)
        if (turn.t >= begin) extreme.take(turn.position);
    return 0.5 * (extreme.high - extreme.low);
}

Measures Recorder::measures() {
    Measures m;
    for (const Event& event : events_) {
        if (event.kind == Event::Kind::stick_begin) m.stick_begin.push_back(event.t);
        if (event.kind == Event::Kind::stick_end) m.stick_end.push_back(event.t);
    }
    const auto& ends = m.stick_end;
    m.period = ends.size() >= 2 ? std::optional(ends.back() - ends[ends.size() - 2]) : crossing_period();
    if (m.period) m.amplitude = amplitude(*m.period);
    if (breakaway_speed_ > 0 && broken_away_ > 0 && std::isfinite(broken_away_)) m.breakaway_force = largest_force_;
    m.drift = before_.x - x_middle_;
    if (loop_start_ >= 0) m.loop_area = before_.work - work_at_loop_start_;
    std::vector<double> maxima;
    for (const Turn& turn : turns_)
        if (turn.maximum) maxima.push_back(turn.position);
    if (maxima.size() >= 2) m.amplitude_decay = (maxima.front() - maxima.back()) / double(maxima.size() - 1);
    m.at = std::move(notes_);
    values(before_, now_);
    for (std::size_t i = 0; i < signals_.size(); ++i) {
        m.max[signals_[i].name] = extremes_[i].high;
        m.min[signals_[i].name] = extremes_[i].low;
        m.final[signals_[i].name] = now_[i];
    }
    return m;
}

void Recorder::close(Result& result, const Snapshot& last) {
    std::stable_sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) { return a.t < b.t; });
    if (result.status == Status::done) {
        // corners nearer than rounding allows a step may leave something over
        while (next_sample_ < samples_) sample(last);
        for (const double t : setup_.run.looks)
            if (!notes_.contains(t)) note(t, last);
        result.measures = measures();
    }
    if (result.status != Status::done) result.message = failure(result.status, last.t);
    result.signals = std::move(signals_);
    result.events = std::move(events_);
    close_books(result.energy, setup_, first_, last, most_stored_);
}

}  // namespace bristle::simulate
