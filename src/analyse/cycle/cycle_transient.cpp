// Motions followed from a start until they settle.
#include "analyse/cycle/cycle_transient.hpp"

#include <bristle/analyse/equilibrium.hpp>
#include <bristle/base/error.hpp>

#include <algorithm>
#include <cmath>
#include <deque>
#include <numbers>
#include <utility>

#include "numerics/bisect.hpp"

namespace bristle::inline analysis::cycle {

std::optional<Peak> PeakDetector::detect(const FlowStep& step) {
    const double d = flow_.direction();
    const auto rising = [&](double fraction) { return d * step.slip_rate(fraction) > 0; };
    const bool rises = rising(0), rises_on = rising(1);
    // If the mode changes at the peak, a step ends there, before or after the peak by rounding.
    const bool at_start = std::exchange(was_rising_, rises_on) && !rises;
    if (!(at_start || (rises && !rises_on)) || !(d * step.slip(0) > 0 || d * step.slip(1) > 0)) return {};
    const double top = at_start ? 0 : numerics::bisect(0, 1, 40, rising).fails;
    Peak peak{step.from + top * (step.to - step.from), std::vector<double>(flow_.size()), d * step.slip(top)};
    step.state(top, peak.y.data());
    return peak;
}

namespace {

// Smallest and largest value of each state over a part of a motion.
struct Extremes {
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
    void join(const Extremes& other) {
        if (other.low.empty()) return;
        take(other.low);
        take(other.high);
    }
};

constexpr std::size_t max_lag = 6;  // largest number of peaks in one period

// Typical speed of the mass [m/s]: pull velocity plus that of a free oscillation with the breakaway force in the spring,
// or with the distance of a servo to its target.
double usual_speed(const Setup& setup) {
    const RigEquations rig = setup.rig.equations();
    const double force = break_force(setup), k = std::abs(rig.kq) > 0 ? std::abs(rig.kq) : 1;
    const double pulled = pull_velocity(rig);
    if (rig.has_integral)
        return std::abs(pulled) + std::max(std::abs(rig.target), force / k) * std::sqrt(k / rig.inertia);
    return std::abs(pulled) + force / std::sqrt(k * rig.inertia);
}

class MotionFollower {
  public:
    MotionFollower(const Setup& setup, const Flow& flow, double horizon, const CycleOptions& options,
                   const std::function<bool()>& should_continue)
        : flow_(flow),
          options_(options),
          should_continue_(should_continue),
          detector_(flow),
          rig_(setup.rig.equations()),
          breaks_(break_force(setup)),
          jumps_at_peak_(jumps_at_peak(setup.law)),
          horizon_(horizon),
          usual_(usual_speed(setup)) {}

    bool operator()(const FlowStep& step) {
        if (result.steps == 0) begin_ = waiting_since_ = step.from;
        std::vector<double> y(flow_.size());
        for (const double fraction : {0.5, 1.0}) {
            step.state(fraction, y.data());
            loop_.take(y);
            all_.take(y);
            if (step.to - begin_ > 0.75 * horizon_) late_.take(y);
        }
        if (late_begin_.y.empty() && !late_.low.empty()) late_begin_ = {step.to, y, 0};
        now_ = {step.to, y, 0};
        ++result.steps;
        if (const auto peak = detector_.detect(step)) {
            if (is_slip(*peak)) return at_peak(*peak);
            rejected_slip_ = std::max(rejected_slip_, peak->slip);
        }
        if (step.to - waiting_since_ > horizon_ / 6) restart();
        if (result.steps > options_.max_steps) return end_at_limit();
        return result.steps % 64 != 0 || !should_continue_ || should_continue_() || stop(Settled::To::cancelled);
    }
    // Returns the result after the end of the motion.
    Settled finish() {
        result.end = now_.y;
        if (finished_) return std::move(result);
        if (reached_limit_ || late_.low.empty()) {
            Extremes joined = loop_;
            for (const Extremes& loop : loops_) joined.join(loop);
            result.swing = joined.low.empty() ? 0 : size_of(joined, 1);
            return std::move(result);
        }
        result.swing = size_of(late_, 1);
        // rounding also has peaks: rest is decided by the peak-to-peak velocity
        const bool quiet = last_peak_ - begin_ < 0.5 * horizon_ ||
                           result.swing < 1e-4 * std::max(size_of(all_, 1), 1e-2 * flow_.nominal()[1]);
        if (quiet && !is_loading(late_begin_, now_, horizon_)) stop(Settled::To::equilibrium);
        return std::move(result);
    }
    Settled result;

  private:
    // An unstable cycle that was found before is kept, unless the motion ends in a stable one.
    bool stop(Settled::To to) {
        finished_ = to != Settled::To::unsettled;
        result.ends = to;
        if (result.to != Settled::To::cycle || to == Settled::To::cancelled) result.to = to;
        return false;
    }
    bool end_at_limit() {
        reached_limit_ = true;
        return stop(Settled::To::unsettled);
    }
    double size_of(const Extremes& loop, std::size_t i) const { return loop.high[i] - loop.low[i]; }

    // Rejects the peaks of a contact that oscillates or creeps in stick, which are far slower than those of slip.
    bool is_slip(const Peak& peak) const {
        double fastest = 0;
        for (const Peak& before : peaks_) fastest = std::max(fastest, before.slip);
        return peak.slip > 0.05 * fastest;
    }
    // Restarts the detection if no peak was as fast as the earlier ones for long: those came from a distant start.
    void restart() {
        waiting_since_ = now_.t;
        if (rejected_slip_ > 1e-6 * flow_.nominal()[1] * std::abs(rig_.ratio)) {
            peaks_.clear();
            loops_.clear();
            widest_ = 0;
            all_ = {};
            all_.take(now_.y);
        }
        rejected_slip_ = 0;
    }
    // Returns true if the pull on a mass in stick grows so fast that breakaway follows within `time` [s]: the motion has
    // not settled.
    bool is_loading(const Peak& from, const Peak& to, double time) const {
        const double grown = pull(to.y) - pull(from.y);
        return std::abs(grown) * time > 0.5 * breaks_ * (to.t - from.t);
    }
    double pull(const std::vector<double>& y) const {
        return rig_.pull(y[0], y[1], rig_.has_integral ? y.back() : 0.0);
    }
    bool at_peak(const Peak& peak) {
        peaks_.push_back(peak);
        loops_.push_back(loop_);
        loop_ = {};
        loop_.take(peak.y);
        if (peaks_.size() > max_lag + 2) {
            peaks_.pop_front();
            loops_.pop_front();
        }
        if (result.to != Settled::To::cycle) result.to = Settled::To::unsettled;
        last_peak_ = waiting_since_ = peak.t;
        rejected_slip_ = 0;
        if (++count_ > 4 * options_.max_periods) return end_at_limit();  // a period can have several peaks
        result.grows = peak.slip > 1e3 * usual_;
        if (result.grows) return end_at_limit();
        const std::size_t last = peaks_.size() - 1;
        Extremes joined;
        for (std::size_t lag = 1; lag <= max_lag && lag < last; ++lag) {
            joined.join(loops_[last - lag + 1]);
            joined.take(peaks_[last - lag].y);
            widest_ = std::max(widest_, size_of(joined, 1));
            const double repeats =
                std::max(distance(last, last - lag, joined), distance(last - 1, last - 1 - lag, joined));
            if (lag == max_lag && size_of(joined, 1) < 1e-4 * widest_ &&
                !is_loading(peaks_[last - lag], peaks_[last], begin_ + horizon_ - peak.t))
                return stop(Settled::To::equilibrium);
            if (repeats < near_ && size_of(joined, 1) > 1e-3 * widest_) {
                if (try_newton(last, lag, joined)) return false;
                near_ *= 0.2;
            }
        }
        return true;
    }
    double distance(std::size_t a, std::size_t b, const Extremes& loop) const {
        double most = 0;
        for (std::size_t i = 0; i < flow_.size(); ++i)
            if (const double size = size_of(loop, i); size > 0)
                most = std::max(most, std::abs(peaks_[a].y[i] - peaks_[b].y[i]) / size);
        return most;
    }
    bool try_newton(std::size_t last, std::size_t lag, const Extremes& loop) {
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
        if (jumps_at_peak_) {
            u = after(peaks_[fastest]);
            scale.position = u[0];
        }
        u.push_back(scale.time);
        ClosedOrbit orbit = close_orbit(flow_, scale, u, 0.3);
        if (!orbit.found) return false;
        shorten(orbit, scale, lag);
        const auto all = multipliers(scale, orbit.shot);
        const bool stable = all.empty() || std::abs(all.front()) < 1;
        finished_ = stable;
        if (stable || result.to != Settled::To::cycle) {
            result.to = Settled::To::cycle;
            result.stable = stable;
            result.orbit = std::move(orbit);
            result.scale = scale;
        }
        return stable;
    }
    // Returns the state after a peak at which the slip has fallen by a fifth.
    std::vector<double> after(const Peak& peak) const {
        FlowResult end;
        flow_.run(peak.y, horizon_, false, end,
                  [&](const FlowStep& step) { return flow_.direction() * step.slip(1) > 0.8 * peak.slip; });
        return end.y;
    }
    // Replaces the orbit by a closed part of it. A motion that approaches the cycle from alternate sides (multiplier < 0)
    // repeats better after two periods than after one.
    void shorten(ClosedOrbit& orbit, CycleScale& scale, std::size_t lag) const {
        for (std::size_t parts = lag; parts > 1; --parts) {
            if (lag % parts != 0) continue;
            std::vector<double> u = orbit.u;
            u.back() /= double(parts);
            CycleScale part = scale;
            part.time /= double(parts);
            part.rate *= double(parts);
            ClosedOrbit shorter = close_orbit(flow_, part, u, 1e-4);
            if (!shorter.found) continue;
            orbit = std::move(shorter);
            scale = part;
            return;
        }
    }

    const Flow& flow_;
    const CycleOptions& options_;
    const std::function<bool()>& should_continue_;
    PeakDetector detector_;
    std::deque<Peak> peaks_;
    std::deque<Extremes> loops_;  // loops_[i] ends at peak i
    Extremes loop_;
    RigEquations rig_;
    double breaks_;              // breakaway force [N]
    bool jumps_at_peak_;         // see jumps_at_peak()
    double horizon_;             // s
    double usual_;               // typical speed [m/s]
    double begin_ = 0;           // start of the motion [s]
    double last_peak_ = 0;       // time of the last peak of slip [s]
    double waiting_since_ = 0;   // time of the last peak or restart [s]
    double rejected_slip_ = 0;   // largest rejected peak since then [m/s]
    Peak now_{}, late_begin_{};  // slip is not used
    Extremes late_, all_;        // of the last quarter of the horizon, of the motion since the last restart
    double widest_ = 0;          // largest peak-to-peak of the velocity in a loop [m/s]
    double near_ = 0.02;         // Newton's method is tried if peaks repeat within this fraction of the loop
    int count_ = 0;              // of peaks
    bool reached_limit_ = false, finished_ = false;
};

// Time in which puller or belt load the spring to the breakaway force [s]; 0 without either.
double loading_time(const Setup& setup) {
    const RigEquations rig = setup.rig.equations();
    const double speed = steady_slip(rig), k = std::abs(rig.kq);
    return speed > 0 && k > 0 ? break_force(setup) / (k * speed) : 0;
}

}  // namespace

double break_force(const Setup& setup) {
    const double load = setup.load.piece(0).value(0.0);
    return std::visit(
        [&](const auto& law) {
            return curve_under(law, load).peak() * loads(law, load).on_curve * loads(law, load).on_force;
        },
        setup.law);
}

bool jumps_at_peak(const AnyLaw& law) {
    return std::visit([]<class Law>(const Law&) { return RemembersVelocity<Law>; }, law);
}

double steady_slip(const RigEquations& rig) { return std::abs(rig.ratio * pull_velocity(rig) + rig.belt_speed); }

Settled settle_from(const Setup& setup, const Flow& flow, const std::vector<double>& y, double horizon,
                    const CycleOptions& options, const std::function<bool()>& should_continue) {
    MotionFollower follower(setup, flow, horizon, options, should_continue);
    FlowResult end;
    flow.run(y, horizon, false, end, std::ref(follower));
    return follower.finish();
}

Settled settle_anywhere(const Setup& setup, const Flow& flow, const CycleOptions& options, const Progress& progress,
                        std::size_t* from) {
    const auto starts = spread_starts(setup, flow);
    const double horizon = horizon_of(setup);
    Settled fallback;
    fallback.to = Settled::To::equilibrium;
    // bounds the work if a contact oscillates undamped in stick
    long left = 3 * options.max_steps;
    bool grows = false;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const auto should_continue = [&] { return !progress || progress(0.1 * double(i) / double(starts.size())); };
        CycleOptions bounded = options;
        bounded.max_steps = std::min(left, options.max_steps);
        Settled settled = settle_from(setup, flow, starts[i], horizon, bounded, should_continue);
        left -= settled.steps;
        // ended by the common limit: the peak-to-peak velocity at the end is not known
        if (settled.steps > bounded.max_steps && left < 0) settled.swing = 0;
        if (settled.to == Settled::To::cancelled) return settled;
        grows = grows || settled.grows;
        if (settled.to == Settled::To::unsettled && fallback.to != Settled::To::cycle &&
            !(fallback.to == Settled::To::unsettled && fallback.swing >= settled.swing))
            fallback = settled;
        if (settled.to != Settled::To::cycle) continue;
        if (!settled.stable && fallback.to == Settled::To::cycle) continue;
        if (from) *from = i;
        if (settled.stable) return settled;
        fallback = std::move(settled);
    }
    fallback.grows = grows;
    return fallback;
}

bool steady_state_is_unstable(const Setup& setup) {
    try {
        return main_equilibrium(setup).stability == Stability::unstable;
    } catch (const Error&) {
        return false;  // there is no steady state
    }
}

double horizon_of(const Setup& setup) {
    const RigEquations rig = setup.rig.equations();
    const double k = std::abs(rig.kq);
    const double natural = k > 0 ? 2 * std::numbers::pi * std::sqrt(rig.inertia / k) : 1;
    // a servo hunts with a period of about 20 kq/kI
    const double integral = rig.kI != 0 ? std::abs(rig.kq / rig.kI) : 0;
    return std::max({10 * setup.run.duration, 200 * natural, 20 * loading_time(setup), 1000 * integral});
}

std::vector<std::vector<double>> spread_starts(const Setup& setup, const Flow& flow) {
    std::vector<std::vector<double>> out{flow.start()};
    const RigEquations rig = setup.rig.equations();
    const double force = break_force(setup);
    const double k = std::abs(rig.kq) > 0 ? std::abs(rig.kq) : 1;
    const bool servo = rig.has_integral;
    // centre: half the elongation at breakaway and the pull velocity; the target of a servo
    const double pulled = pull_velocity(rig);
    const double centre = servo ? rig.target : 0.5 * force / k * flow.direction();
    const double radius = servo ? std::max(std::abs(rig.target), force / k) : force / k;
    const double speed = usual_speed(setup);
    for (int j = 0; j < starts_of_a_search - 1; ++j) {
        const double angle = 0.25 * std::numbers::pi * j, r = j % 2 == 0 ? 0.5 : 1.5;
        std::vector<double> y(flow.size());
        y[0] = centre + r * radius * std::cos(angle);
        y[1] = pulled + r * speed * std::sin(angle);
        if (servo && rig.kI != 0 && j % 2 == 1) {
            // at rest beside the target, the controller pushes to it with 0.9 of the force at breakaway: before a slip of hunting
            const double side = std::cos(angle) > 0 ? 1 : -1, distance = j < 4 ? 1.5 * radius : 0.5 * force / k;
            y[0] = centre + side * distance;
            y[1] = 0;
            y.back() = (-side * 0.9 * force - rig.k0 - rig.kq * y[0]) / rig.kI;
        }
        out.push_back(y);
    }
    return out;
}

}  // namespace bristle::analysis::cycle
