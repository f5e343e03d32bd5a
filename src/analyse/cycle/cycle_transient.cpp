#include "cycle_transient.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numbers>

namespace bristle::analyse {

std::optional<Peak> PeakWatch::look(const FlowStep& step) const {
    const double d = flow_.direction();
    const auto rising = [&](double share) { return d * step.slip_rate(share) > 0; };
    if (!rising(0) || rising(1) || !(d * step.slip(0) > 0 || d * step.slip(1) > 0)) return {};
    double a = 0, b = 1;
    for (int i = 0; i < 40; ++i) (rising(0.5 * (a + b)) ? a : b) = 0.5 * (a + b);
    Peak peak{step.from + b * (step.to - step.from), std::vector<double>(flow_.size()), d * step.slip(b)};
    step.state(b, peak.y.data());
    return peak;
}

namespace {

// The extremes of every state and of slip since the last peaks, loop by loop.
struct Loop {
    std::vector<double> low, high;
    void take(const std::vector<double>& y) {
        if (low.empty()) {
            low = high = y;
            return;
        }
        for (std::size_t i = 0; i < y.size(); ++i) {
            low[i] = std::min(low[i], y[i]);
            high[i] = std::max(high[i], y[i]);
        }
    }
    void join(const Loop& other) {
        if (other.low.empty()) return;
        take(other.low);
        take(other.high);
    }
};

constexpr std::size_t most_lag = 6;  // peaks in one period

class Follower {
  public:
    Follower(const Flow& flow, const CycleOptions& options, const std::function<bool()>& go_on)
        : flow_(flow), options_(options), go_on_(go_on), watch_(flow) {}

    bool operator()(const FlowStep& step) {
        std::vector<double> y(flow_.size());
        for (const double share : {0.5, 1.0}) {
            step.state(share, y.data());
            loop_.take(y);
        }
        if (const auto peak = watch_.look(step); peak && counts(*peak)) return at_peak(*peak);
        if (++steps_ > options_.most_steps) return give_up();
        return steps_ % 64 != 0 || !go_on_ || go_on_() || stop(Settled::To::stopped);
    }
    Settled result;
    double last_peak = 0;  // when [s]
    bool gave_up = false;

  private:
    // An unstable cycle that was met on the way stands, unless the motion ends in a stable one.
    bool stop(Settled::To to) {
        if (result.to != Settled::To::cycle || to == Settled::To::stopped) result.to = to;
        return false;
    }
    bool give_up() {
        gave_up = true;
        return stop(Settled::To::open);
    }
    double size_of(const Loop& loop, std::size_t i) const { return loop.high[i] - loop.low[i]; }

    // A contact that rings or creeps in stick has fastest moments too, far slower than those of slip.
    bool counts(const Peak& peak) const {
        double fastest = 0;
        for (const Peak& before : peaks_) fastest = std::max(fastest, before.slip);
        return peak.slip > 0.05 * fastest;
    }
    bool at_peak(const Peak& peak) {
        peaks_.push_back(peak);
        loops_.push_back(loop_);
        loop_ = {};
        loop_.take(peak.y);
        if (peaks_.size() > most_lag + 2) {
            peaks_.pop_front();
            loops_.pop_front();
        }
        if (result.to != Settled::To::cycle) result.to = Settled::To::open;
        last_peak = peak.t;
        if (++count_ > 4 * options_.most_periods) return give_up();  // a few of them make a period
        const std::size_t last = peaks_.size() - 1;
        Loop joined;
        for (std::size_t lag = 1; lag <= most_lag && lag < last; ++lag) {
            joined.join(loops_[last - lag + 1]);
            joined.take(peaks_[last - lag].y);
            widest_ = std::max(widest_, size_of(joined, 1));
            const double repeats =
                std::max(distance(last, last - lag, joined), distance(last - 1, last - 1 - lag, joined));
            if (lag == most_lag && size_of(joined, 1) < 1e-4 * widest_) return stop(Settled::To::equilibrium);
            if (repeats < near_ && size_of(joined, 1) > 1e-3 * widest_) {
                if (try_newton(last, lag, joined)) return false;
                near_ *= 0.2;
            }
        }
        return true;
    }
    double distance(std::size_t a, std::size_t b, const Loop& loop) const {
        double most = 0;
        for (std::size_t i = 0; i < flow_.size(); ++i)
            if (const double size = size_of(loop, i); size > 0)
                most = std::max(most, std::abs(peaks_[a].y[i] - peaks_[b].y[i]) / size);
        return most;
    }
    bool try_newton(std::size_t last, std::size_t lag, const Loop& loop) {
        CycleScale scale;
        scale.time = peaks_[last].t - peaks_[last - lag].t;
        for (std::size_t i = 0; i < flow_.size(); ++i)
            scale.state.push_back(std::max(size_of(loop, i), 1e-6 * flow_.nominal()[i]));
        scale.speed = scale.state[1];
        scale.rate = scale.speed / scale.time * 2 * std::numbers::pi;
        std::size_t fastest = last;
        for (std::size_t i = last - lag + 1; i < last; ++i)
            if (peaks_[i].slip > peaks_[fastest].slip) fastest = i;
        std::vector<double> u = peaks_[fastest].y;
        u.push_back(scale.time);
        Closed orbit = close_orbit(flow_, scale, u, 0.3);
        if (!orbit.found) return false;
        const auto all = multipliers(scale, orbit.shot);
        const bool stable = all.empty() || std::abs(all.front()) < 1;
        if (stable || result.to != Settled::To::cycle) result = {Settled::To::cycle, stable, std::move(orbit), scale};
        return stable;
    }

    const Flow& flow_;
    const CycleOptions& options_;
    const std::function<bool()>& go_on_;
    PeakWatch watch_;
    std::deque<Peak> peaks_;
    std::deque<Loop> loops_;  // loops_[i] ends at peak i
    Loop loop_;
    double widest_ = 0;   // swing of the velocity in any loop so far
    double near_ = 0.02;  // repeats within this share of the loop: worth a try
    int count_ = 0;
    long steps_ = 0;
};

}  // namespace

Settled settle_from(const Flow& flow, const std::vector<double>& y, double horizon, const CycleOptions& options,
                    const std::function<bool()>& go_on) {
    Follower follower(flow, options, go_on);
    Travel end;
    flow.run(y, horizon, false, end, std::ref(follower));
    // what has come to the horizon without a fastest moment for long rests
    if (follower.result.to == Settled::To::open && follower.last_peak < 0.5 * horizon && !follower.gave_up)
        follower.result.to = Settled::To::equilibrium;
    return follower.result;
}

Settled settle_anywhere(const simulate::Setup& setup, const Flow& flow, const CycleOptions& options,
                        const Progress& progress, std::size_t* from) {
    const auto starts = spread_starts(setup, flow);
    const double horizon = horizon_of(setup);
    Settled fallback;
    fallback.to = Settled::To::equilibrium;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const auto go_on = [&] { return !progress || progress(0.1 * double(i) / double(starts.size())); };
        Settled settled = settle_from(flow, starts[i], horizon, options, go_on);
        if (settled.to == Settled::To::stopped) return settled;
        if (settled.to == Settled::To::open && fallback.to != Settled::To::cycle) fallback.to = Settled::To::open;
        if (settled.to != Settled::To::cycle) continue;
        if (!settled.stable && fallback.to == Settled::To::cycle) continue;
        if (from) *from = i;
        if (settled.stable) return settled;
        fallback = std::move(settled);
    }
    return fallback;
}

double horizon_of(const simulate::Setup& setup) {
    const double k = std::abs(setup.rig.kq);
    const double natural = k > 0 ? 2 * std::numbers::pi * std::sqrt(setup.rig.inertia / k) : 1;
    return 10 * std::max(setup.run.duration, 20 * natural);
}

std::vector<std::vector<double>> spread_starts(const simulate::Setup& setup, const Flow& flow) {
    std::vector<std::vector<double>> out{flow.start()};
    const simulate::Rig& rig = setup.rig;
    const double load = setup.load.piece(0).value(0.0);
    const double force = std::visit(
        [&](const auto& law) {
            return bristle::detail::curve_of(law).peak() * loads(law, load).on_curve * loads(law, load).on_force;
        },
        setup.law);
    const double k = std::abs(rig.kq) > 0 ? std::abs(rig.kq) : 1;
    const bool servo = setup.type == simulate::RigType::pid_servo;
    // half the elongation that breaks the contact loose, at the puller's speed; the belt leaves the block at rest
    const double pulled = rig.sense < 0 ? rig.drift : 0;
    const double centre = servo ? rig.target : 0.5 * force / k * flow.direction();
    const double way = servo ? std::max(std::abs(rig.target), force / k) : force / k;
    const double speed =
        std::abs(pulled) + (servo ? way * std::sqrt(k / rig.inertia) : force / std::sqrt(k * rig.inertia));
    for (int j = 0; j < 8; ++j) {
        const double angle = 0.25 * std::numbers::pi * j, r = j % 2 == 0 ? 0.5 : 1.5;
        std::vector<double> y(flow.size());
        y[0] = centre + r * way * std::cos(angle);
        y[1] = pulled + r * speed * std::sin(angle);
        out.push_back(y);
    }
    return out;
}

}  // namespace bristle::analyse
