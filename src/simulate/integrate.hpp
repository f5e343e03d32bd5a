// The adaptive solver: Rodas5P with step-size control, located reversals of the contact's velocity, and samples from the
// dense output. The loop allocates nothing; what it finds goes to an observer.
//
// The right-hand side has a kink where the contact's velocity c changes sign. Within a step the side is frozen, so that the
// right-hand side stays smooth; when a step ends on the other side, the zero of c is located on the dense output, the step
// is taken again up to it, the side is decided there, and the solver restarts.
#pragma once
#include <algorithm>

#include "stepper.hpp"

namespace bristle::simulate {

struct Statistics {
    long steps = 0, rejected = 0, evaluations = 0, reversals = 0;
};

struct Tolerance {
    double rtol = 1e-6;
    Vector<4> atol{};   // per state, in its own unit
    double energy = 0;  // smallest energy the ledger resolves to rtol [J]
    long most_steps = 20'000'000;
};

enum class Status { done, too_many_steps, step_too_small, not_finite };

// Integrates from (t, y) to t_end, where the input and the load are single pieces. h is the first step and holds the last
// afterwards; 0 chooses one. Calls observe(stepper, t, h) after every accepted step, interpolated, and
// reversal(t) at every located zero of the contact's velocity.
template <class System, class Observe, class Reversal>
Status integrate(System& system, double& t, typename Stepper<System>::State& y, double t_end, double& h,
                 const Tolerance& tolerance, Statistics& statistics, const Observe& observe, const Reversal& reversal) {
    constexpr std::size_t N = System::states;
    Stepper<System> stepper;
    Linear<N, System::quadratures> linear;
    Vector<N> x;
    const auto states = [&](const auto& from) {
        for (std::size_t i = 0; i < N; ++i) x[i] = from[i];
    };
    // The error estimate of the last step in units of the tolerance. The ledger is held to it too, or steps that suit the
    // motion would be too long for its powers.
    const auto norm = [&] {
        double sum = 0;
        for (std::size_t i = 0; i < N; ++i) {
            const double scale =
                tolerance.atol[i] + tolerance.rtol * std::max(std::abs(y[i]), std::abs(stepper.y1()[i]));
            sum += stepper.error(i) * stepper.error(i) / (scale * scale);
        }
        for (std::size_t i = N; i < Stepper<System>::M; ++i) {
            const double scale = tolerance.rtol * (tolerance.energy + std::abs(stepper.y1()[i])) + 1e-300;
            sum = std::max(sum, N * stepper.error(i) * stepper.error(i) / (scale * scale));
        }
        return std::sqrt(sum / N);
    };
    const auto shrink = [](double by) { return by < 1e10 ? std::max(0.2, 0.9 * std::pow(by, -0.2)) : 0.1; };
    const double span = t_end - t;
    if (!(h > 0) || h > span) h = std::min(span, 1e-6 * span + 1e-9);
    bool fresh = true, after_rejection = false;
    double last_h = 0, last_error = 1;
    while (t < t_end) {
        if (statistics.steps + statistics.rejected > tolerance.most_steps) return Status::too_many_steps;
        if (!(t + 0.1 * h > t)) return Status::step_too_small;
        if (fresh) {
            states(y);
            system.linearise(t, x, linear);
            ++statistics.evaluations;
            fresh = false;
        }
        const bool last = t + 1.0001 * h >= t_end;
        if (last) h = t_end - t;
        const bool usable = stepper.step(system, linear, t, y, h);
        statistics.evaluations += 7;
        double error = norm();
        if (!usable || !(error <= 1)) {
            ++statistics.rejected;
            after_rejection = true;
            h *= usable ? shrink(error) : 0.1;
            if (!(h > 1e-300)) return Status::not_finite;
            continue;
        }
        // Gustafsson's controller: the new step from this error and the one before
        double factor = 0.9 * std::pow(std::max(error, 1e-4), -0.2);
        if (last_h > 0)
            factor = std::min(factor, 0.9 * (h / last_h) * std::pow(last_error / (error * error + 1e-300), 0.2));
        factor = std::min(after_rejection ? 1.0 : 6.0, std::max(0.2, factor));
        after_rejection = false;

        double taken = h;
        bool turned = false;
        states(stepper.y1());
        if (system.side * system.contact_velocity(t + h, x) < 0) {
            // the zero of c on the dense output, by regula falsi with halving, then a step that ends there
            stepper.interpolate();
            double low = 0, high = 1, share = 0.5;
            const auto c = [&](double s) {
                Vector<N> here;
                for (std::size_t i = 0; i < N; ++i) here[i] = stepper.at(i, s);
                return system.side * system.contact_velocity(t + s * h, here);
            };
            double at_low = c(0), at_high = c(1);
            for (int i = 0; i < 60 && high - low > 1e-15; ++i) {
                share = at_low > 0 ? (low * at_high - high * at_low) / (at_high - at_low) : 0.5 * (low + high);
                if (!(share > low && share < high)) share = 0.5 * (low + high);
                const double now = c(share);
                if (now == 0) break;
                if (now > 0) {
                    if (low > 0) at_high *= 0.5;
                    low = share;
                    at_low = now;
                } else {
                    if (high < 1) at_low *= 0.5;
                    high = share;
                    at_high = now;
                }
            }
            taken = share * h;
            // a long step may have passed over all that happens near c = 0: the shorter one has to stand the test as well
            const bool fine = stepper.step(system, linear, t, y, taken);
            statistics.evaluations += 7;
            error = norm();
            if (!fine || !(error <= 1)) {
                ++statistics.rejected;
                after_rejection = true;
                h = taken * (fine ? shrink(error) : 0.1);
                continue;
            }
            turned = true;
        }
        stepper.interpolate();
        observe(stepper, t, taken);
        ++statistics.steps;
        y = stepper.y1();
        t = last && !turned ? t_end : t + taken;
        last_error = std::max(error, 1e-2);
        last_h = h;
        fresh = true;
        if (turned) {
            ++statistics.reversals;
            reversal(t);
            system.turn(t, y);
            last_h = 0;
            factor = std::min(factor, 1.0);
            h = taken;
        }
        h *= factor;
    }
    return Status::done;
}

}  // namespace bristle::simulate
