#include "recorder.hpp"

namespace bristle::simulate {

namespace {

// The height of the parabola through the last three of four points above the middle one of them, where that is an extreme and
// the curve is smooth: bent alike over the first three. 0 elsewhere, so that a jump or a corner is not taken for a peak.
double above_middle(const double (&t)[4], const double (&y)[4]) {
    const auto slope = [&](int i) { return (y[i + 1] - y[i]) / (t[i + 1] - t[i]); };
    const auto bend = [&](int i) { return (slope(i + 1) - slope(i)) / (t[i + 2] - t[i]); };
    if (!((y[2] - y[1]) * (y[2] - y[3]) > 0)) return 0;
    const double before = bend(0), now = bend(1);
    if (!(before * now > 0 && std::abs(before) < 3 * std::abs(now) && std::abs(now) < 3 * std::abs(before))) return 0;
    const double there = slope(1) + now * (t[2] - t[1]);  // the parabola's slope at the middle point
    return -there * there / (4 * now);
}

// A cubic through two samples of a position and its velocity.
struct Cubic {
    double t0, t1, y0, y1, v0, v1;
    double operator()(double t) const {
        const double w = t1 - t0, s = (t - t0) / w, u = 1 - s;
        return y0 * u * u * (1 + 2 * s) + y1 * s * s * (1 + 2 * u) + w * s * u * (v0 * u - v1 * s);
    }
};

}  // namespace

Recorder::Recorder(const Setup& setup, const Progress& progress)
    : setup_(setup),
      progress_(progress),
      signals_(signals_of(setup.law, setup.type, setup.load)),
      duration_(setup.run.duration),
      stick_speed_(setup.run.stick_speed),
      samples_(setup.run.samples),
      now_(signals_.size()),
      seen_(signals_.size()),
      extremes_(signals_.size()) {
    const double vs = stribeck_velocity(setup.law);
    breakaway_speed_ = 10 * (vs > 0 ? vs : stick_speed_);
    middle_ = 0.5 * duration_;
    const double period = setup.input.wave.bend == 0 ? setup.input.period(duration_) : duration_ * 2;
    loop_start_ = period <= duration_ ? duration_ - period : -1;
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
    if (setup_.type == RigType::forced_mass) put(p.u);
    if (setup_.type == RigType::conveyor) {
        put(p.slip);
        put(p.belt);
    }
    if (!setup_.load.is_constant()) put(p.load);
    put(p.heat);
}

void Recorder::start(const Snapshot& at) {
    before_ = at;
    look(at);
    while (next_sample_ < samples_ && sample_time(next_sample_) <= 0) sample(at);
    if (loop_start_ == 0) work_at_loop_start_ = work(at);
}

void Recorder::sample(const Snapshot& point) {
    ++next_sample_;
    values(point, now_);
    for (std::size_t i = 0; i < signals_.size(); ++i) {
        signals_[i].values.push_back(now_[i]);
        extremes_[i].take(now_[i]);
    }
}

void Recorder::look(const Snapshot& point) {
    const double in_rig = setup_.type == RigType::prescribed ? 0 : setup_.rig.stored(point.position, point.velocity);
    most_stored_ = std::max(most_stored_, in_rig + point.stored);
    values(point, now_);
    const auto push = [](double(&all)[4], double value) {
        std::copy(all + 1, all + 4, all);
        all[3] = value;
    };
    push(times_, point.t);
    ++points_;
    broken_away_ = broken_away_ || speed(point) > breakaway_speed_;
    for (std::size_t i = 0; i < now_.size(); ++i) {
        push(seen_[i].values, now_[i]);
        extremes_[i].take(now_[i]);
        const double top = points_ < 4 ? now_[i] : seen_[i].values[2] + above_middle(times_, seen_[i].values);
        extremes_[i].take(top);
        if (i == force_ && !broken_away_) largest_force_ = std::max({largest_force_, std::abs(now_[i]), std::abs(top)});
    }
    before_ = point;
}

bool Recorder::go_on(double t) {
    if (!progress_ || (++told_, told_ < 256)) return true;
    told_ = 0;
    return progress_(t / duration_);
}

// From the last two upward crossings of the position's mean.
std::optional<double> Recorder::crossing_period(const std::vector<Signal>& signals) const {
    const auto &t = signals[0].values, &y = signals[1].values, &v = signals[2].values;
    double mean = 0, change = 0;
    for (double value : y) mean += value / double(y.size());
    for (double value : y) change = std::max(change, std::abs(value - mean));
    std::vector<double> crossings;
    for (std::size_t i = y.size() - 1; i > 0 && crossings.size() < 2; --i) {
        if (!(y[i - 1] < mean && y[i] >= mean) || change < 1e-12 * std::abs(mean)) continue;
        const double slope = setup_.type == RigType::pulled_spring || setup_.type == RigType::hybrid ? -1 : 1;
        const double drift = slope < 0 ? setup_.rig.drift : 0;
        const Cubic cubic{t[i - 1], t[i], y[i - 1], y[i], drift + slope * v[i - 1], drift + slope * v[i]};
        double a = t[i - 1], b = t[i];
        for (int k = 0; k < 60; ++k) (cubic(0.5 * (a + b)) < mean ? a : b) = 0.5 * (a + b);
        crossings.push_back(b);
    }
    if (crossings.size() < 2) return {};
    return crossings[0] - crossings[1];
}

void Recorder::give_up(Result& result) {
    result.signals = std::move(signals_);
    std::stable_sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) { return a.t < b.t; });
    result.events = std::move(events_);
}

void Recorder::finish(Result& result) {
    Measures& m = result.measures;
    for (const Event& event : events_) {
        if (event.kind == Event::Kind::stick_begin) m.stick_begin.push_back(event.t);
        if (event.kind == Event::Kind::stick_end) m.stick_end.push_back(event.t);
    }
    const auto& ends = m.stick_end;
    m.period = ends.size() >= 2 ? std::optional(ends.back() - ends[ends.size() - 2]) : crossing_period(signals_);
    if (m.period) {
        Extreme extreme;
        const auto &t = signals_[0].values, &y = signals_[1].values;
        for (std::size_t i = 0; i < t.size(); ++i)
            if (t[i] >= duration_ - *m.period) extreme.take(y[i]);
        m.amplitude = 0.5 * (extreme.high - extreme.low);
    }
    if (broken_away_ && std::isfinite(largest_force_))
        m.breakaway_force = largest_force_;  // not if it moved from the start
    m.drift = before_.x - x_middle_;
    if (loop_start_ >= 0) m.loop_area = work(before_) - work_at_loop_start_;
    if (maxima_.size() >= 2) m.amplitude_decay = (maxima_.front() - maxima_.back()) / double(maxima_.size() - 1);
    values(before_, now_);
    for (std::size_t i = 0; i < signals_.size(); ++i) {
        m.max[signals_[i].name] = extremes_[i].high;
        m.min[signals_[i].name] = extremes_[i].low;
        m.final[signals_[i].name] = now_[i];
    }
    give_up(result);
}

}  // namespace bristle::simulate
