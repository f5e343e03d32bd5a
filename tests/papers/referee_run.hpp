// One run of the referee at one tolerance: steps from corner to corner of the inputs, located events, and the measures of
// docs/experiments.md.
//
// The right-hand side has kinks: |v|, stick and slip of elements, the branch of dv/dt. A step across a kink is repeated
// with smaller and smaller size until it ends just behind the kink; the next one starts there. Events that are measures,
// such as |v| = stick_speed, are located in the same way.
#pragma once
#include <map>

#include "referee_signals.hpp"

namespace referee {

// Output that a run must provide besides its events.
struct Wanted {
    std::vector<std::string> extremes;  // signals whose largest and smallest values are needed
    std::vector<double> times;          // at which all signals are needed: just before the corner, if there is one
    bool series = false;                // period, amplitude
    bool breakaway = false;
};

struct Outcome {
    std::vector<double> stick_begin, stick_end, v_zero;
    std::optional<double> period, breakaway_force, drift, amplitude, loop_area, amplitude_decay;
    std::map<std::string, double> max, min, final;
    std::map<double, std::map<std::string, double>> at;
    long steps = 0, evaluations = 0, events = 0;
    double shortest = std::numeric_limits<double>::infinity(), longest = 0;  // step [s]
    std::string trouble;                                                     // reason if the run ended early
};

class Run {
  public:
    Run(const bristle::Setup& setup, const Wanted& wanted, double tolerance, long max_evaluations)
        : setup_(setup),
          wanted_(wanted),
          tolerance_(tolerance),
          most_(max_evaluations),
          duration_(setup.run.duration),
          input_(setup.input),
          load_(setup.load),
          rig_(setup),
          signals_(rig_, load_.changes(), wanted.extremes, wanted.breakaway),
          series_(duration_ / 100000) {
        const double vs = rig_.law.stribeck_speed();
        fast_ = 10 * (vs > 0 ? vs : setup.run.stick_speed);
        const bool load_works = load_.changes() && rig_.law.load_on_all;
        if (input_.period() <= duration_ && !load_works) loop_start_ = duration_ - input_.period();
        signals_.resolution = std::sqrt(tolerance);
    }

    Outcome operator()() {
        start();
        for (const double stop : stops()) {
            enter(stop);
            stretch(stop);
            if (!out_.trouble.empty()) break;
            leave();
        }
        finish();
        return out_;
    }

  private:
    // Discrete state; a step ends behind its first change.
    struct Watch {
        int side = 0,
            growth = 0;  // signs of the contact's velocity and of the growth of the position; 0: not yet known
        int branch = 0, w_side = 0;  // hysteretic
        bool stuck = false, fast = false;
        unsigned reached = 0;  // Maxwell-slip: elements at their limit that do not slip yet
    };

    static int sign_beyond(double x, double dead, int before) { return x > dead ? 1 : x < -dead ? -1 : before; }
    Watch observe(double t, const State& y) const {
        const Law& law = rig_.law;
        Watch now;
        const double c = rig_.slip(t, y);
        now.side = sign_beyond(c, dead_, watch_.side);
        now.growth = sign_beyond(rig_.growth(t, y), 0.1 * tolerance_ * smallest_[velocity], watch_.growth);
        now.stuck = std::abs(c) < setup_.run.stick_speed;
        now.fast = watch_.fast || std::abs(c) > fast_;
        if (law.kind == Law::hysteretic) {
            now.branch = rig_.prescribed() ? rig_.given_branch(t) : rig_.friction(t, y).branch;
            now.w_side = sign_beyond(c + now.branch * law.shift_at(y[bristle_states]), dead_, watch_.w_side);
        }
        if (law.kind == Law::maxwell && c != 0 && now.side == rig_.memory.side)
            for (int i = 0; i < law.states; ++i)
                if (!rig_.memory.slips[std::size_t(i)] && reaches(i, t, y, now.side)) now.reached |= 1u << i;
        return now;
    }
    bool reaches(int i, double t, const State& y, int side) const {
        return rig_.law.reaches(i, &y[bristle_states], rig_.slip(t, y), rig_.load(t), side);
    }
    bool changed(double t, const State& y) const {
        const Watch &a = watch_, b = observe(t, y);
        return (a.side != 0 && a.side != b.side) || (a.growth != 0 && a.growth != b.growth) || a.stuck != b.stuck ||
               a.fast != b.fast || a.branch != b.branch || (a.w_side != 0 && a.w_side != b.w_side) || b.reached != 0;
    }
    // Shortens the step until it ends just behind the first change. Returns false if there is none.
    bool locate() {
        double none = 0, some = step_.h;
        const auto take = [&](double h) {
            step_.take(rig_, h);
            return changed(t_ + h, step_.y1);
        };
        if (!changed(t_ + some, step_.y1)) {
            State middle{};
            step_.at(0.5, middle);
            if (!changed(t_ + 0.5 * some, middle)) return false;
            if (!take(0.5 * some)) {
                step_.take(rig_, some);
                return false;
            }
            some *= 0.5;
        }
        const double fine = std::max(4e-16 * t_, 1e-13 * some);
        while (some - none > fine) {
            const double h = 0.5 * (none + some);
            (take(h) ? some : none) = h;
        }
        step_.take(rig_, some);
        return true;
    }
    void happen() {
        const Watch before = watch_;
        watch_ = observe(t_, y_);
        ++out_.events;
        if (before.side != 0 && watch_.side != before.side) out_.v_zero.push_back(t_);
        tell_stick_and_turn(before);
        remember();
    }
    void tell_stick_and_turn(const Watch& before) {
        if (watch_.stuck != before.stuck) (watch_.stuck ? out_.stick_begin : out_.stick_end).push_back(t_);
        if (before.stuck && !watch_.stuck) (rig_.slip(t_, y_) > 0 ? forward_ends_ : backward_ends_).push_back(t_);
        if (before.growth > 0 && watch_.growth < 0) maxima_.push_back(rig_.at_position(t_, y_));
        signals_.broken = watch_.fast;
    }
    // Sets the discrete state of the law at the start of a step.
    void remember() {
        Memory& memory = rig_.memory;
        const double c = rig_.slip(t_, y_);
        const int side = watch_.side != 0 ? watch_.side : (c > 0) - (c < 0);
        if (watch_.branch != 0 || rig_.prescribed()) memory.branch = watch_.branch;
        if (side != memory.side || c == 0) memory.slips.fill(false);  // sticks after a reversal or a stop
        memory.side = side;
        for (int i = 0; rig_.law.kind == Law::maxwell && c != 0 && i < rig_.law.states; ++i)
            if (reaches(i, t_, y_, side)) memory.slips[std::size_t(i)] = true;
        watch_.reached = 0;
    }

    void start() {
        rig_.input = input_.at(0);
        rig_.load = load_.at(0);
        const auto given = [&](const std::string& name) {
            const auto found = setup_.start.find(name);
            return found == setup_.start.end() ? 0.0 : found->second;
        };
        y_[position] = given(signals_.names[1]);
        y_[velocity] = given(signals_.names[2]);
        y_[integral] = given("integral");
        for (int i = 0; i < rig_.law.states; ++i)
            y_[std::size_t(bristle_states + i)] =
                given(rig_.law.kind == Law::maxwell ? "F" + std::to_string(i + 1) : "z");
        for (std::size_t i = 0; i < rig_.states; ++i) smallest_[i] = rig_.typical(i, duration_);
        dead_ = 0.1 * tolerance_ * rig_.law.typical_speed();
        longest_ =
            std::min({duration_ / 40, input_.shortest_period(duration_) / 16, load_.shortest_period(duration_) / 16});
        h_ = 1e-5 * longest_;
    }
    std::vector<double> stops() const {
        std::vector<double> all = wanted_.times;
        input_.corners(all);
        load_.corners(all);
        all.push_back(duration_ / 2);
        if (loop_start_ >= 0) all.push_back(loop_start_);
        std::erase_if(all, [&](double t) { return !(t > 0 && t < duration_ * (1 - 1e-9)); });
        all.push_back(duration_);
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        return all;
    }
    // Restart: the input may have a corner here, a prescribed velocity a jump.
    void enter(double end) {
        rig_.input = input_.at(t_);
        rig_.load = load_.at(t_);
        if (t_ == 0 || rig_.slip(t_, y_) * watch_.side < 0) watch_.side = 0;  // a jump is not a zero of v
        watch_.w_side = 0;
        Watch before = watch_;
        watch_ = observe(t_, y_);
        // a prescribed velocity may begin at an extreme: the branch is that of a slightly later time
        if (rig_.law.kind == Law::hysteretic && rig_.prescribed())
            watch_.branch = rig_.given_branch(t_ + 1e-7 * (end - t_));
        if (t_ == 0) before = watch_;  // there is no event at t = 0
        tell_stick_and_turn(before);
        remember();
        watch_.w_side = 0;
        signals_.record(t_, y_);
        note(true);
        if (t_ == loop_start_) work_before_ = y_[work];
        if (t_ == duration_ / 2) middle_ = rig_.at_mass(t_, y_);
        if (t_ == 0) ask();
    }
    // The end of an interval, before the corner that may be here.
    void leave() {
        note(true);
        ask();
    }
    void ask() {
        for (const double t : wanted_.times)
            if (std::abs(t - t_) <= 1e-9 * duration_ && !out_.at.contains(t)) out_.at[t] = named();
    }
    std::map<std::string, double> named() {
        std::map<std::string, double> out;
        const auto values = signals_(t_, y_);
        for (std::size_t i = 0; i < signals_.names.size(); ++i) out[signals_.names[i]] = values[i];
        return out;
    }
    void stretch(double end) {
        step_.begin(rig_, t_, y_);
        double error_before = 1e-4;
        while (t_ < end) {
            h_ = std::min(h_, longest_);
            const bool last = t_ + 1.0001 * h_ >= end;
            const double over = last ? end - t_ : h_;
            step_.take(rig_, over);
            const double error = step_.error(smallest_, tolerance_);
            if (step_.evaluations + signals_.evaluations > most_) {
                out_.trouble = "the work has passed its limit at t = " + std::to_string(t_) + " s";
                return;
            }
            if (!(error <= 1)) {
                h_ = over * (error < 1e10 ? std::max(0.2, 0.9 * std::pow(error, -0.2)) : 0.1);
                if (t_ + h_ > t_) continue;
                out_.trouble = "no step is small enough at t = " + std::to_string(t_) + " s";
                return;
            }
            const bool event = locate();
            signals_.record(step_);
            y_ = step_.y1;
            t_ = last && !event ? end : std::min(end, t_ + step_.h);
            ++out_.steps;
            if (!last && !event) {
                out_.shortest = std::min(out_.shortest, step_.h);
                out_.longest = std::max(out_.longest, step_.h);
            }
            const double e = std::max(error, 1e-4);
            const double factor = std::clamp(0.9 * std::pow(e, -0.17) * std::pow(error_before, 0.04), 0.2, 5.0);
            if (!last) h_ = over * factor;
            error_before = e;
            if (event) {
                happen();
                step_.begin(rig_, t_, y_);
            } else {
                watch_ = observe(t_, y_);
                step_.follow(t_);
                if (watch_.side != rig_.memory.side) remember();  // first motion
            }
            note(event);
        }
    }
    void note(bool always) {
        if (wanted_.series) series_.note(t_, rig_.at_position(t_, y_), rig_.growth(t_, y_), always);
    }

    void finish() {
        out_.evaluations = step_.evaluations + signals_.evaluations;
        if (!out_.trouble.empty()) return;
        if (wanted_.series) {
            // between two slips in the same direction, the last of all slips among them
            const bool last_is_forward =
                !forward_ends_.empty() && (backward_ends_.empty() || forward_ends_.back() > backward_ends_.back());
            const auto& ends = last_is_forward ? forward_ends_ : backward_ends_;
            out_.period = ends.size() > 1 ? std::optional(ends.back() - ends[ends.size() - 2]) : series_.period();
            if (out_.period) out_.amplitude = series_.half_peak_to_peak(duration_ - *out_.period);
        }
        if (wanted_.breakaway && watch_.fast && signals_.breakaway > 0) out_.breakaway_force = signals_.breakaway;
        out_.drift = rig_.at_mass(t_, y_) - middle_;
        if (loop_start_ >= 0) out_.loop_area = y_[work] - work_before_;
        if (maxima_.size() > 1) out_.amplitude_decay = (maxima_.front() - maxima_.back()) / double(maxima_.size() - 1);
        out_.final = named();
        for (const std::size_t i : signals_.watched()) {
            out_.max[signals_.names[i]] = signals_.high(i);
            out_.min[signals_.names[i]] = signals_.low(i);
        }
    }

    const bristle::Setup& setup_;
    const Wanted& wanted_;
    const double tolerance_;
    const long most_;
    const double duration_;
    const Drive input_, load_;
    Rig rig_;
    Signals signals_;
    Series series_;
    Step step_;
    Watch watch_;
    Outcome out_;
    State y_{}, smallest_{};
    double t_ = 0, h_ = 0, longest_ = 0;
    double fast_ = 0, loop_start_ = -1, dead_ = 0;  // speed of breakaway [m/s], start of the last period [s]
    double work_before_ = 0, middle_ = 0;
    std::vector<double> maxima_, forward_ends_,
        backward_ends_;  // ends: of stick, by the direction of the slip that follows
};

}  // namespace referee
