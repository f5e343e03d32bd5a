// The adaptive solver: Rodas5P with step-size control and located changes of mode; samples from the dense output. The
// loop does not allocate; accepted steps and reversals go to an observer.
//
// Within a step the mode is frozen, so that the right-hand side is smooth. If a guard is negative at the middle or the
// end of a step, its zero is located on the dense output, the step is repeated up to it, and the mode is changed there.
// Without this the method loses its order at every reversal of the contact velocity.
#pragma once
#include <bristle/simulate/result.hpp>

#include <algorithm>

#include "numerics/regula_falsi.hpp"
#include "simulate/simulate_law.hpp"
#include "simulate/stepper.hpp"

namespace bristle::inline simulation {

// N = any_size: the number of states is known at run time.
template <std::size_t N>
struct Tolerance {
    double rtol = 1e-6;
    std::conditional_t<N == any_size, std::vector<double>, Vector<N>> atol{};  // per state, in its own unit
    // Infinity: atol holds as it is. Otherwise the tolerance of a state is this times its largest value so far, but at most atol. Of a rig.
    double of_motion = std::numeric_limits<double>::infinity();
    // > 0: the error of a step of length h is at most h per_time of the tolerance, so that errors that do not decay add up to a bound [1/s].
    double per_time = 0, least_share = 1;  // but not less than least_share of the tolerance
    double energy = 0;                     // energy that the ledger need not resolve [J]
    // Largest |z| that the law permits [m]: a step to a larger one has passed over a breakaway. Of a rig.
    double deflection = std::numeric_limits<double>::infinity();
    double still = 0;        // contact velocities below it count as zero [m/s]
    double force = 0;        // forces below it count as zero [N]
    double longest = 1e300;  // longest step [s]
    double until = 0;        // end of the whole run [s]: the permitted residual of the ledger is spread over it
    long max_steps = max_run_steps;
    bool locate = true;  // false: change the mode at the end of the step in which a guard failed (for comparison)
};

// Observer that ignores everything; states the interface.
struct NullObserver {
    template <class Stepper>
    bool step(const Stepper&, double, double) {  // an accepted step from t to end, interpolated; false cancels
        return true;
    }
    void reversal(double) {}  // a located zero of the contact velocity
};

// System: a rig (system.hpp), or a machine (machine/machine_system.hpp), whose size is known at run time and which has several
// contacts (System::several). A machine counts the guards of all its parts and changes their modes together.
template <class System, class Step = Stepper<System>>
class Solver {
  public:
    static constexpr bool several = requires { System::several; };
    using State = typename Step::State;

    Solver(System& system, const Tolerance<System::states>& tolerance, Statistics& statistics)
        : system_(system), tolerance_(tolerance), statistics_(statistics) {}

    double t = 0;
    State y{};
    double h = 0;  // the next step [s]; 0: choose one

    // Integrates from t to t_end. Input and load must be single pieces on this interval.
    template <class Observer>
    Status run(double t_end, Observer& observer) {
        if (!begin(t_end)) return Status::done;
        bool fresh = true, after_rejection = false;
        double last_h = 0, last_error = 1;
        int at_once = 0;  // consecutive changes of mode without a step between them
        const auto reject = [&](double shorter) {
            ++statistics_.rejected;
            after_rejection = true;
            h = shorter;
        };
        while (t < t_end) {
            if (statistics_.steps + statistics_.rejected > tolerance_.max_steps) return Status::too_many_steps;
            if (!(t + 0.1 * h > t)) return Status::step_too_small;
            if (fresh) {
                system_.linearise(t, states(y), linear_);
                ++statistics_.evaluations;
                fresh = false;
            }
            h = std::min(h, tolerance_.longest);
            while (!resolves_growth(h, linear_) && t + 0.1 * h > t) h *= 0.5;
            const bool last = t + 1.0001 * h >= t_end;
            if (last) h = t_end - t;
            double error = attempt(h);
            if (!(error <= 1)) {
                reject(h * shrink(error));
                if (!(h > 1e-300)) return Status::not_finite;
                continue;
            }
            double factor = growth(error, last_error, last_h > 0 ? h / last_h : 0, after_rejection ? 1.0 : 6.0);
            after_rejection = false;

            stepper_.interpolate();
            double taken = h;
            const Failed failed = first_failed(h);
            if (failed.guard >= 0 && failed.fraction <= 0) {  // the mode is not valid from here on
                if (++at_once > 60) return Status::step_too_small;
                if (at_once > at_one_instant()) h *= 0.25;  // both modes are invalid at this step size
                reconsider(failed.guard, observer, at_once > 1);
                fresh = true;
                last_h = 0;
                continue;
            }
            if (failed.guard >= 0 && failed.fraction < 1) {
                taken = failed.fraction * h;
                // a long step may have missed details near the zero: the shorter one must pass the error test
                error = attempt(taken);
                if (!(error <= 1)) {
                    reject(taken * shrink(error));
                    continue;
                }
                stepper_.interpolate();
            }
            if (failed.guard < 0) {
                system_.linearise(t + h, states(stepper_.y1()), ahead_);
                ++statistics_.evaluations;
                if (!resolves_growth(h, ahead_)) {
                    reject(0.5 * h);
                    continue;
                }
            }
            const double end = last && taken == h ? t_end : t + taken;
            if (!observer.step(stepper_, t, end)) return Status::cancelled;
            accept(end);
            at_once = 0;
            last_error = std::max(error, 1e-2);
            last_h = h;
            if (failed.guard < 0) {
                std::swap(linear_, ahead_);
            } else {
                fresh = true;
                change_mode(failed.guard, observer);
                last_h = 0;
                factor = std::min(factor, 1.0);
                h = std::max(taken, 0.1 * h);  // the shortened step gives no step size for the new mode
            }
            h *= factor;
        }
        return Status::done;
    }

    // Chooses the first step to t_end. Returns false if that is closer than rounding: there is nothing to integrate.
    bool begin(double t_end) {
        const double span = t_end - t;
        if (!(span > 4e-15 * std::abs(t_end))) {  // two corners of the input
            t = t_end;
            return false;
        }
        if (!(h > 0) || h > span) h = std::min(span, 1e-6 * span + 1e-9);
        return true;
    }
    // Factor from a step to the next by Gustafsson's controller, from the error of this step and of the last one. ratio: of their
    // lengths; 0: there is no last one.
    static double growth(double error, double last_error, double ratio, double largest) {
        double factor = 0.9 * std::pow(std::max(error, 1e-4), -0.2);
        if (ratio > 0) factor = std::min(factor, 0.9 * ratio * std::pow(last_error / (error * error + 1e-300), 0.2));
        return std::min(largest, std::max(0.2, factor));
    }
    // Takes over the end of the last attempt.
    void accept(double end) {
        ++statistics_.steps;
        if constexpr (!several)
            for (std::size_t i = 0; i < System::states; ++i)
                reached_[i] = std::max({reached_[i], std::abs(y[i]), std::abs(stepper_.y1()[i])});
        y = stepper_.y1();
        t = end;
        residual_ += step_residual_;
        heat_ += step_heat_;
    }

    // Sets the mode that is valid at the start. Of a rig; a machine has functions of its own for both.
    void settle() { system_.friction.settle(contact_states(y), system_.moment(t, y)); }
    // Sets the mode after a corner of the input.
    void renew() {
        if (System::dry && system_.friction.held()) system_.stop(t, y);
        const Moment at = system_.moment(t, y);
        if constexpr (requires { system_.friction.slips; }) {  // slipping elements slip on unless v reverses
            if (at.c * system_.friction.side > 0) return;
        }
        system_.friction.settle(contact_states(y), at);
    }

  private:
    using Linearisation = typename Step::Linearisation;
    struct Failed {
        int guard = -1;
        double fraction = 2;  // of the step, at which the guard fails; 0: from the start
    };

    template <class From>
    static decltype(auto) states(const From& from) {
        if constexpr (several)
            return (from);
        else
            return parts::part<System::states, double>(from, 0);
    }
    template <class From>
    static auto contact_states(const From& from) {
        return parts::part<System::n, double>(from, System::contact);
    }
    static double shrink(double error) { return error < 1e10 ? std::max(0.2, 0.9 * std::pow(error, -0.2)) : 0.1; }

    // A growing motion must be resolved at both ends of a step: a long step of an L-stable method would damp it, follow an
    // unstable creep, and pass every error test.
    static bool resolves_growth(double step, const Linearisation& at) { return grows_slower_than(0.5 / step, at.J); }

    // Takes the step and returns its error in units of the tolerance; infinity if the step is not valid. The ledger is
    // subject to the tolerance too: its sums, and the residual of the step, relative to all energy so far. Steps chosen
    // for the motion alone would be too long for the ledger, mainly at small deflections.
    double attempt(double over) {
        const std::size_t N = count_of_states();
        [[maybe_unused]] const std::size_t M = N + count_of_quadratures();
        const double count = double(std::max<std::size_t>(N, 1));  // a machine can have no states
        const bool usable = stepper_.step(system_, linear_, t, y, over);
        statistics_.evaluations += 7;
        [[maybe_unused]] const bool follows_motion = std::isfinite(tolerance_.of_motion);
        double sum = 0, size = 0;  // size: of the motion so far, as a fraction of its nominal size
        const double strict =
            tolerance_.per_time > 0 ? std::clamp(over * tolerance_.per_time, tolerance_.least_share, 1.0) : 1.0;
        for (std::size_t i = 0; i < N; ++i) {
            const double here = std::max(std::abs(y[i]), std::abs(stepper_.y1()[i]));
            double part = 1;
            if constexpr (!several)
                if (follows_motion)
                    part = std::min(1.0, tolerance_.of_motion * std::max(reached_[i], here) / tolerance_.atol[i]);
            const double scale =
                strict * (tolerance_.atol[i] * std::max(part, smallest_part()) + tolerance_.rtol * here);
            sum += stepper_.error(i) * stepper_.error(i) / (scale * scale);
            size = std::max(size, part);
        }
        if constexpr (System::quadratures > 0) {
            const State& end = stepper_.y1();
            const double before = system_.stored(t, y), after = system_.stored(t + over, end);
            max_stored_ = std::max(max_stored_, before);
            const double rtol = std::max(tolerance_.rtol, 1e-13),
                         energy = std::max(max_stored_, after) + std::abs(end[N]) + tolerance_.energy * size * size;
            const double scale = rtol * (energy + std::abs(end[N + 1]));
            const double residual = (end[N] - y[N]) - (end[N + 1] - y[N + 1]) - (after - before);
            // Once half of 8 rtol is spent by residuals of one sign, a step is limited to its fraction of the rest. The
            // reference is all heat so far, each step counted positive (a law that is not passive can return heat).
            step_heat_ = std::abs(end[N + 1] - y[N + 1]);
            const double passed = rtol * (energy + heat_ + step_heat_);
            const double spent = residual_ * (residual < 0 ? -1 : 1),
                         fraction = over / std::max(over, tolerance_.until - t);
            const double rounding = 1e-15 * (before + after + std::abs(end[N]) + std::abs(end[N + 1]));
            const double allowed =
                std::max(rounding, spent < 4 * passed ? 0.1 * scale : fraction * std::max(passed, 8 * passed - spent));
            sum = std::max(sum, count * residual * residual / (allowed * allowed));
            for (std::size_t i = N; i < M; ++i)
                sum = std::max(sum, count * stepper_.error(i) * stepper_.error(i) / (scale * scale));
            step_residual_ = residual;
        }
        if constexpr (!several) {
            if constexpr (System::n == 1) {
                const double z = std::abs(stepper_.y1()[System::contact]);
                if (z > tolerance_.deflection && z > std::abs(y[System::contact]))
                    return std::numeric_limits<double>::infinity();
            }
        }
        const double error = std::sqrt(sum / count);
        return usable && std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
    }

    // A motion of a billionth of its nominal size is resolved, unless that is below the rounding of the forces.
    double smallest_part() const { return std::max(1e-9, 1e-15 / tolerance_.of_motion); }

    double guard(int i, double fraction, double over) const {
        if constexpr (several) {
            return system_.guard(i, t, y, stepper_, fraction, over);
        } else {
            constexpr std::size_t M = System::states + System::quadratures;
            if (fraction <= 0) return system_.friction.guard(i, contact_states(y), system_.moment(t, y));
            State at;
            for (std::size_t j = 0; j < M; ++j) at[j] = fraction >= 1 ? stepper_.y1()[j] : stepper_.at(j, fraction);
            return system_.friction.guard(i, contact_states(at), system_.moment(t + fraction * over, at));
        }
    }
    int guards() const {
        if constexpr (several)
            return system_.guards();
        else
            return system_.friction.guards();
    }
    // True if guard i belongs to a contact that is held.
    bool held(int i) const {
        if constexpr (several)
            return system_.held(i);
        else
            return system_.friction.held();
    }
    // Returns the tolerance of a guard: it has failed if it is below -slack.
    double slack(int i) const {
        if constexpr (several)
            return system_.slack(i);
        else
            return slack_of(i);
    }
    double slack_of(int i) const {
        const Watch what = system_.friction.watches(i);
        return what == Watch::velocity ? tolerance_.still : what == Watch::force ? tolerance_.force : 0;
    }

    Failed first_failed(double over) const {
        Failed first;
        for (int i = 0; i < guards(); ++i) {
            const double failed = held(i) ? failed_while_held(i, over) : failed_at_middle_or_end(i, over);
            if (failed > 1) continue;
            const double fraction = tolerance_.locate ? locate(i, failed, over) : 1.0;
            if (fraction < first.fraction) first = {i, fraction};
        }
        // another guard may have failed before the first one, between the points tested above
        if (first.guard < 0 || !tolerance_.locate || !(first.fraction > 0)) return first;
        for (int i = 0; i < guards(); ++i)
            if (i != first.guard && guard(i, first.fraction, over) < -slack(i))
                if (const double fraction = locate(i, first.fraction, over); fraction < first.fraction)
                    first = {i, fraction};
        return first;
    }
    // Returns a fraction of the step at which guard i has failed; 2 if it has not failed.
    double failed_at_middle_or_end(int i, double over) const {
        return guard(i, 0.5, over) < -slack(i) ? 0.5 : guard(i, 1, over) < -slack(i) ? 1.0 : 2.0;
    }
    // While c is held, other errors do not limit the steps. A short excess of the holding force is therefore searched at
    // the minimum of the guard.
    double failed_while_held(int i, double over) const {
        constexpr int parts = 8;
        double two_before = guard(i, 0, over), before = two_before;
        for (int k = 1; k <= parts; ++k) {
            const double fraction = double(k) / parts, now = guard(i, fraction, over);
            if (now < -slack(i)) return fraction;
            const double bend = two_before - 2 * before + now;
            if (k > 1 && before <= two_before && before <= now && bend > 0) {
                const double lowest = fraction + (0.5 * (two_before - now) / bend - 1) / parts;
                if (guard(i, lowest, over) < -slack(i)) return lowest;
            }
            two_before = before;
            before = now;
        }
        return 2;
    }
    // Returns the fraction of the step at which guard i passes through zero before `to` (regula falsi).
    double locate(int i, double to, double over) const {
        double low = 0, at_low = guard(i, 0, over);
        for (const double probe : {1e-3, 0.1, 0.5})
            if (!(at_low > 0) && probe < to) at_low = guard(i, low = probe, over);
        if (!(at_low > 0)) return 0;
        numerics::RegulaFalsi zero{low, to, at_low, guard(i, to, over)};
        double fraction = to;
        for (int k = 0; k < 100 && zero.high - zero.low > 1e-15; ++k) {
            fraction = zero.next();
            const double now = guard(i, fraction, over);
            if (now == 0) break;
            zero.take(fraction, now);
        }
        return fraction;
    }

    // True if guard i is the side of c: guard 0 unless c is held.
    bool reverses(int i) const { return i == 0 && !system_.friction.held(); }
    template <class Observer>
    void change_mode(int i, Observer& observer) {
        if constexpr (several) {
            statistics_.reversals += system_.change_mode(i, t, y, observer, true);
        } else {
            change_mode_of_contact(i, observer);
        }
    }
    template <class Observer>
    void change_mode_of_contact(int i, Observer& observer) {
        const bool reversing = reverses(i);
        if (reversing) {
            ++statistics_.reversals;
            observer.reversal(t);
        }
        if ((reversing && tolerance_.locate) || (System::dry && system_.friction.held())) system_.stop(t, y);
        Moment at = system_.moment(t, y);
        if (reversing && tolerance_.locate) at.c = 0;  // also for prescribed motion, where c differs from 0 by rounding
        system_.friction.cross(i, contact_states(y), at);
    }
    // Changes a mode that is not valid from the start of the step: c = 0 and changes in the other direction, or c has
    // passed through zero so slowly that rounding hid it.
    template <class Observer>
    void reconsider(int i, Observer& observer, bool again) {
        if constexpr (several) {
            statistics_.reversals += system_.change_mode(i, t, y, observer, false);
        } else {
            reconsider_contact(i, observer, again);
        }
    }
    template <class Observer>
    void reconsider_contact(int i, Observer& observer, bool again) {
        const Moment at = system_.moment(t, y);
        if (reverses(i) && at.c != 0) {
            ++statistics_.reversals;
            observer.reversal(t);
        }
        if (reverses(i) && (again || at.c != 0 || !System::dry))
            system_.friction.flip();
        else
            system_.friction.cross(i, contact_states(y), at);
    }

    constexpr std::size_t count_of_states() const {
        if constexpr (several)
            return system_.size();
        else
            return System::states;
    }
    constexpr std::size_t count_of_quadratures() const {
        if constexpr (several)
            return system_.quadrature_count();
        else
            return System::quadratures;
    }
    // Returns the number of modes that can change at one instant.
    int at_one_instant() const {
        if constexpr (several)
            return 2 + guards();
        else
            return 2;
    }

    System& system_;
    const Tolerance<System::states>& tolerance_;
    Statistics& statistics_;
    Step stepper_;
    std::array<double, several ? 0 : System::states> reached_{};  // largest value of each state so far
    double max_stored_ = 0;                                       // largest stored energy so far [J]
    double heat_ = 0, step_heat_ = 0;          // sum of |heat| of the steps so far, and of the last attempt [J]
    double residual_ = 0, step_residual_ = 0;  // of the ledger: so far, and of the last attempt [J]
    Linearisation linear_, ahead_;
};

}  // namespace bristle::simulation
