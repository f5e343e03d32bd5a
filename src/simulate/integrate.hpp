// The adaptive solver: Rodas5P with step-size control and located changes of mode, and samples from the dense output. The
// loop allocates nothing; what it finds goes to an observer.
//
// Within a step the mode is frozen, so that the right-hand side stays smooth. Where a guard has become negative at the middle or
// the end of a step, its zero is located on the dense output, the step is taken again up to it, the mode is changed there, and
// the solver goes on. Without that the order of the method is lost at every reversal of |v|.
#pragma once
#include <bristle/simulate/result.hpp>

#include <algorithm>

#include "simulate/stepper.hpp"

namespace bristle::inline simulation {

template <std::size_t N>
struct Tolerance {
    double rtol = 1e-6;
    Vector<N> atol{};        // per state, in its own unit
    double energy = 0;       // an energy that the ledger need not resolve [J]
    double still = 0;        // contact velocities below it are not told from zero [m/s]
    double force = 0;        // nor forces [N]
    double longest = 1e300;  // step [s]
    double until = 0;        // the end of the whole run [s]: what the ledger may leave open is spread over it
    long max_steps = 20'000'000;
    bool locate =
        true;  // false: change the mode at the end of the step in which a guard failed (to show what that costs)
};

// What a solver tells while it runs.
struct NullObserver {
    template <class Stepper>
    bool step(const Stepper&, double, double) {  // accepted, from t to the end, interpolated; false stops
        return true;
    }
    void reversal(double) {}  // a located zero of the contact's velocity
};

template <class System>
class Solver {
  public:
    static constexpr std::size_t N = System::states, M = N + System::quadratures;
    using State = typename Stepper<System>::State;

    Solver(System& system, const Tolerance<N>& tolerance, Statistics& statistics)
        : system_(system), tolerance_(tolerance), statistics_(statistics) {}

    double t = 0;
    State y{};
    double h = 0;  // the next step; 0: choose one

    // From where it stands to t_end; the input and the load are single pieces meanwhile.
    template <class Observer>
    Status run(double t_end, Observer& observer) {
        const double span = t_end - t;
        if (!(span > 4e-15 * std::abs(t_end))) {  // corners nearer than rounding allows a step
            t = t_end;
            return Status::done;
        }
        if (!(h > 0) || h > span) h = std::min(span, 1e-6 * span + 1e-9);
        bool fresh = true, after_rejection = false;
        double last_h = 0, last_error = 1;
        int at_once = 0;  // changes of mode without a step between them
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
                ++statistics_.rejected;
                after_rejection = true;
                h *= shrink(error);
                if (!(h > 1e-300)) return Status::not_finite;
                continue;
            }
            // Gustafsson's controller: the new step from this error and the one before
            double factor = 0.9 * std::pow(std::max(error, 1e-4), -0.2);
            if (last_h > 0)
                factor = std::min(factor, 0.9 * (h / last_h) * std::pow(last_error / (error * error + 1e-300), 0.2));
            factor = std::min(after_rejection ? 1.0 : 6.0, std::max(0.2, factor));
            after_rejection = false;

            stepper_.interpolate();
            double taken = h;
            const Failed failed = first_failed(h);
            if (failed.guard >= 0 && failed.share <= 0) {  // the mode does not fit from here on
                if (++at_once > 60) return Status::step_too_small;
                if (at_once > 2) h *= 0.25;  // either side is wrong at this size of step
                reconsider(failed.guard, observer, at_once > 1);
                fresh = true;
                last_h = 0;
                continue;
            }
            if (failed.guard >= 0 && failed.share < 1) {
                taken = failed.share * h;
                // a long step may have passed over all that happens near the zero: the shorter one has to stand the test
                error = attempt(taken);
                if (!(error <= 1)) {
                    ++statistics_.rejected;
                    after_rejection = true;
                    h = taken * shrink(error);
                    continue;
                }
                stepper_.interpolate();
            }
            if (failed.guard < 0) {
                system_.linearise(t + h, states(stepper_.y1()), ahead_);
                ++statistics_.evaluations;
                if (!resolves_growth(h, ahead_)) {
                    ++statistics_.rejected;
                    after_rejection = true;
                    h *= 0.5;
                    continue;
                }
            }
            const double end = last && taken == h ? t_end : t + taken;
            if (!observer.step(stepper_, t, end)) return Status::cancelled;
            ++statistics_.steps;
            at_once = 0;
            y = stepper_.y1();
            t = end;
            open_ += left_open_;
            heat_ += heat_of_step_;
            last_error = std::max(error, 1e-2);
            last_h = h;
            if (failed.guard < 0) {
                linear_ = ahead_;
            } else {
                fresh = true;
                change_mode(failed.guard, observer);
                last_h = 0;
                factor = std::min(factor, 1.0);
                h = std::max(taken, 0.1 * h);  // the way to the change says nothing about what comes after it
            }
            h *= factor;
        }
        return Status::done;
    }

    // Takes the mode that fits the start.
    void settle() { system_.friction.settle(contact_states(y), system_.moment(t, y)); }
    // The input has a corner: the mode may not fit any more.
    void renew() {
        if (System::dry && system_.friction.held()) system_.stop(t, y);
        const Moment at = system_.moment(t, y);
        if constexpr (requires { system_.friction.slips; }) {  // elements that slip go on unless the motion turns
            if (at.c * system_.friction.side > 0) return;
        }
        system_.friction.settle(contact_states(y), at);
    }

  private:
    struct Failed {
        int guard = -1;
        double share = 2;  // of the step, where it fails; 0: from the start
    };

    template <class From>
    static Vector<N> states(const From& from) {
        return parts::part<N, double>(from, 0);
    }
    template <class From>
    static auto contact_states(const From& from) {
        return parts::part<System::n, double>(from, System::contact);
    }
    static double shrink(double error) { return error < 1e10 ? std::max(0.2, 0.9 * std::pow(error, -0.2)) : 0.1; }

    // A motion that grows has to be followed, at both ends of a step: a long step of an L-stable method would damp it, stay on
    // a creep that has become unstable, and pass every test.
    static bool resolves_growth(double step, const Linear<N, System::quadratures>& at) {
        return grows_slower_than(0.5 / step, at.J);
    }

    // Takes the step and returns its error in units of the tolerance, infinite where it is not usable. The ledger is held to
    // the tolerance too: its sums, and what the step leaves open between them and the stores, on the scale of all energy that
    // has been in play so far. Steps that suit the motion would be too long for that, above all where the bristles bend little.
    double attempt(double over) {
        const bool usable = stepper_.step(system_, linear_, t, y, over);
        statistics_.evaluations += 7;
        double sum = 0;
        for (std::size_t i = 0; i < N; ++i) {
            const double scale =
                tolerance_.atol[i] + tolerance_.rtol * std::max(std::abs(y[i]), std::abs(stepper_.y1()[i]));
            sum += stepper_.error(i) * stepper_.error(i) / (scale * scale);
        }
        if constexpr (System::quadratures > 0) {
            const State& end = stepper_.y1();
            const double before = system_.stored(t, y), after = system_.stored(t + over, end);
            max_stored_ = std::max(max_stored_, before);
            const double rtol = std::max(tolerance_.rtol, 1e-13),
                         energy = std::max(max_stored_, after) + std::abs(end[N]) + tolerance_.energy;
            const double scale = rtol * (energy + std::abs(end[N + 1]));
            const double open = (end[N] - y[N]) - (end[N + 1] - y[N + 1]) - (after - before);
            // Steps that all err the same way are held to their share of what is left of 8 rtol once half of that is spent: of all
            // heat that has passed, also where a law that is not passive gives it back.
            heat_of_step_ = std::abs(end[N + 1] - y[N + 1]);
            const double passed = rtol * (energy + heat_ + heat_of_step_);
            const double spent = open_ * (open < 0 ? -1 : 1), share = over / std::max(over, tolerance_.until - t);
            const double rounding = 1e-15 * (before + after + std::abs(end[N]) + std::abs(end[N + 1]));
            const double allowed =
                std::max(rounding, spent < 4 * passed ? 0.1 * scale : share * std::max(passed, 8 * passed - spent));
            sum = std::max(sum, N * open * open / (allowed * allowed));
            for (std::size_t i = N; i < M; ++i)
                sum = std::max(sum, N * stepper_.error(i) * stepper_.error(i) / (scale * scale));
            left_open_ = open;
        }
        const double error = std::sqrt(sum / N);
        return usable && std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
    }

    double guard(int i, double share, double over) const {
        if (share <= 0) return system_.friction.guard(i, contact_states(y), system_.moment(t, y));
        State at;
        for (std::size_t j = 0; j < M; ++j) at[j] = share >= 1 ? stepper_.y1()[j] : stepper_.at(j, share);
        return system_.friction.guard(i, contact_states(at), system_.moment(t + share * over, at));
    }
    // How far a guard may fail before it counts.
    double slack(int i) const {
        const Watch what = system_.friction.watches(i);
        return what == Watch::velocity ? tolerance_.still : what == Watch::force ? tolerance_.force : 0;
    }

    Failed first_failed(double over) const {
        Failed first;
        for (int i = 0; i < system_.friction.guards(); ++i) {
            const double seen = system_.friction.held() ? seen_while_held(i, over) : seen_at_middle_or_end(i, over);
            if (seen > 1) continue;
            const double share = tolerance_.locate ? locate(i, seen, over) : 1.0;
            if (share < first.share) first = {i, share};
        }
        // where one fails, another may have failed already, for a moment too short to be seen otherwise
        if (first.guard < 0 || !tolerance_.locate || !(first.share > 0)) return first;
        for (int i = 0; i < system_.friction.guards(); ++i)
            if (i != first.guard && guard(i, first.share, over) < -slack(i))
                if (const double share = locate(i, first.share, over); share < first.share) first = {i, share};
        return first;
    }
    // A share of the step at which guard i has failed; 2 if none was found.
    double seen_at_middle_or_end(int i, double over) const {
        return guard(i, 0.5, over) < -slack(i) ? 0.5 : guard(i, 1, over) < -slack(i) ? 1.0 : 2.0;
    }
    // While c is held nothing else limits the steps: a force that exceeds what can be held for a moment only is looked for
    // at the lowest point of the guard.
    double seen_while_held(int i, double over) const {
        constexpr int parts = 8;
        double two_before = guard(i, 0, over), before = two_before;
        for (int k = 1; k <= parts; ++k) {
            const double share = double(k) / parts, now = guard(i, share, over);
            if (now < -slack(i)) return share;
            const double bend = two_before - 2 * before + now;
            if (k > 1 && before <= two_before && before <= now && bend > 0) {
                const double lowest = share + (0.5 * (two_before - now) / bend - 1) / parts;
                if (guard(i, lowest, over) < -slack(i)) return lowest;
            }
            two_before = before;
            before = now;
        }
        return 2;
    }
    // Where guard i passes through zero before `to`, by regula falsi with halving (Illinois).
    double locate(int i, double to, double over) const {
        double low = 0, at_low = guard(i, 0, over);
        for (const double probe : {1e-3, 0.1, 0.5})
            if (!(at_low > 0) && probe < to) at_low = guard(i, low = probe, over);
        if (!(at_low > 0)) return 0;
        double high = to, at_high = guard(i, to, over), share = to;
        int last_side = 0;
        for (int k = 0; k < 100 && high - low > 1e-15; ++k) {
            share = (low * at_high - high * at_low) / (at_high - at_low);
            if (!(share > low && share < high)) share = 0.5 * (low + high);
            const double now = guard(i, share, over);
            if (now == 0) break;
            if (now > 0) {
                low = share;
                at_low = now;
                if (last_side > 0) at_high *= 0.5;
                last_side = 1;
            } else {
                high = share;
                at_high = now;
                if (last_side < 0) at_low *= 0.5;
                last_side = -1;
            }
        }
        return share;
    }

    // Guard 0 is the side of c unless c is held.
    bool turns(int i) const { return i == 0 && !system_.friction.held(); }
    template <class Observer>
    void change_mode(int i, Observer& observer) {
        const bool turning = turns(i);
        if (turning) {
            ++statistics_.reversals;
            observer.reversal(t);
        }
        if ((turning && tolerance_.locate) || (System::dry && system_.friction.held())) system_.stop(t, y);
        Moment at = system_.moment(t, y);
        if (turning && tolerance_.locate)
            at.c = 0;  // also where the motion is prescribed and passes a rounding beside it
        system_.friction.cross(i, contact_states(y), at);
    }
    // The mode did not fit from the start of the step: c = 0 and it goes the other way than thought, or it has passed through
    // zero so slowly that rounding hid it.
    template <class Observer>
    void reconsider(int i, Observer& observer, bool again) {
        const Moment at = system_.moment(t, y);
        if (turns(i) && at.c != 0) {
            ++statistics_.reversals;
            observer.reversal(t);
        }
        if (turns(i) && (again || at.c != 0 || !System::dry))
            system_.friction.flip();
        else
            system_.friction.cross(i, contact_states(y), at);
    }

    System& system_;
    const Tolerance<N>& tolerance_;
    Statistics& statistics_;
    Stepper<System> stepper_;
    double max_stored_ = 0;  // in all stores together, so far [J]
    double heat_ = 0,
           heat_of_step_ = 0;  // each step's counted as positive: so far, and of the step that was tried last [J]
    double open_ = 0, left_open_ = 0;  // what the ledger leaves open: so far, and by the step that was tried last [J]
    Linear<N, System::quadratures> linear_, ahead_;
};

}  // namespace bristle::inline simulation
