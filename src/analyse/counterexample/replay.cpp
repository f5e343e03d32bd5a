// Integrator for the energy of a signal, its samples for figures, and the comparison with simulate().
#include "base/work_budget.hpp"
#include "analyse/counterexample/legs.hpp"
#include "analyse/counterexample/replay.hpp"
#include "analyse/scales.hpp"
#include "numerics/bisect.hpp"
#include "simulate/friction.hpp"
#include "simulate/simulate_law.hpp"
#include <bristle/simulate/result.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace bristle::inline analysis::counterexample {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::vector<Point> points_of(const std::vector<std::pair<double, double>>& pairs) {
    std::vector<Point> points;
    for (const auto& [t, value] : pairs) points.push_back({t, value});
    return points;
}
Input velocity_of(const Counterexample& signal) {
    return {signal.ramps ? Input::Kind::ramps : Input::Kind::steps, {}, points_of(signal.velocity)};
}
Input load_of(const Counterexample& signal) {
    if (signal.load.size() > 1) return Input::ramps(points_of(signal.load));
    return Input::constant(signal.load.empty() ? 1 : signal.load.front().second);
}

// ---- stretches: velocity and load are linear in time, v and w keep their signs ------------------------------------------

struct Stretch {
    double span;    // s
    double v0, v1;  // velocity at both ends [m/s]
    double N0, N1;  // load at both ends [N]

    double direction() const { return sign0(v0 + v1); }  // of the motion; 0 at rest
    double branch() const { return sign0(v1 - v0); }     // sign of dv/dt
    // A zero at an end has the sign of the stretch.
    double velocity(double time) const {
        const double v = v0 + (v1 - v0) * (time / span), side = direction();
        return v * side > 0 || side == 0 ? v : side * std::numeric_limits<double>::min();
    }
    double load(double time) const { return N0 + (N1 - N0) * (time / span); }
};

// The shift of the hysteretic law if it is constant, otherwise 0: w = v + b a, B05 (8), has a kink at w = 0.
double constant_shift(const AnyLaw& law) {
    const auto* hysteretic = std::get_if<AnyHysteretic>(&law);
    return hysteretic && hysteretic->a_rule == ShiftRule::constant ? hysteretic->a : 0;
}

std::vector<Stretch> divided(double span, double v0, double v1, double N0, double N1, double shift) {
    std::vector<double> cuts{0, 1};  // fractions of the span
    for (const double kink : {0.0, -sign0(v1 - v0) * shift})
        if (const double cut = (kink - v0) / (v1 - v0); cut > 0 && cut < 1) cuts.push_back(cut);
    std::sort(cuts.begin(), cuts.end());
    std::vector<Stretch> out;
    for (std::size_t i = 1; i < cuts.size(); ++i) {
        const double a = cuts[i - 1], b = cuts[i];
        if (b > a)
            out.push_back(
                {span * (b - a), v0 + (v1 - v0) * a, v0 + (v1 - v0) * b, N0 + (N1 - N0) * a, N0 + (N1 - N0) * b});
    }
    return out;
}

// ---- the law at an instant -----------------------------------------------------------------------------------------------

// The contact's states, then the energy supplied and the gross energy.
using State = std::array<double, max_elements + 2>;

class Equations {
  public:
    Equations(const AnyLaw& law, double load) : law_(law), scales_(scales_of(law, load)) {
        std::visit(
            [&]<class Law>(const Law& l) {
                if constexpr (HasElements<Law>)
                    count_ = std::size_t(l.count());
                else
                    count_ = StaticLaw<Law> ? 0 : 1;
                in_newtons_ = HasElements<Law>;
            },
            law);
    }
    std::size_t count() const { return count_; }
    double size() const { return in_newtons_ ? scales_.force : scales_.deflection; }  // of the states
    double energy() const { return scales_.energy(); }

    // Begins a stretch: slipping elements keep slipping unless the motion reverses or stops.
    void enter(const Stretch& stretch, const State& y) {
        if (const double now = stretch.direction(); now != direction_) {
            slips_.fill(false);
            direction_ = now;
        }
        begin_to_slip(stretch, 0, y);
    }
    // Elements at their limit begin to slip.
    void begin_to_slip(const Stretch& stretch, double time, const State& y) {
        for (std::size_t i = 0; i < count_; ++i)
            if (!slips_[i] && excess(i, stretch, time, y) >= 0) slips_[i] = true;
    }
    // Whether a sticking element is beyond its limit.
    bool overdue(const Stretch& stretch, double time, const State& y) const {
        for (std::size_t i = 0; i < count_; ++i)
            if (!slips_[i] && excess(i, stretch, time, y) > 0) return true;
        return false;
    }

    // Sets the rates of the states and of the energies; returns the force [N].
    double rates(const Stretch& stretch, double time, const State& y, State& dy) const {
        const double v = stretch.velocity(time), load = stretch.load(time);
        const double F = std::visit(
            [&]<class Law>(const Law& law) -> double {
                if constexpr (StaticLaw<Law>) {
                    return v == 0 ? 0 : force(law, v, load);  // no work at rest
                } else if constexpr (RemembersVelocity<Law>) {
                    dy[0] = rate(law, y[0], v, load, stretch.branch());
                    return force(law, y[0], v, load, stretch.branch());
                } else if constexpr (HasElements<Law>) {
                    return elements(law, v, load, y, dy);
                } else if constexpr (OneBristle<Law>) {
                    dy[0] = rate(law, y[0], v, load);
                    return force(law, y[0], v, load);
                } else {
                    return nan;
                }
            },
            law_);
        dy[count_] = F * v;
        dy[count_ + 1] = std::abs(F * v);
        return F;
    }

  private:
    double elements(const AnyMaxwellSlip& law, double v, double load, const State& y, State& dy) const {
        const auto n = loads(law, load);
        const double s = level(law.curve, v) * n.on_curve;
        double sum = law.viscous(v);
        for (std::size_t i = 0; i < count_; ++i) {
            dy[i] = slips_[i] ? law.C * (law.nu[i] * direction_ - y[i] / s) : law.k[i] * v;
            sum += y[i];
        }
        return n.on_force * sum;
    }
    // Force of an element beyond its limit, in the direction of the motion [N]; < 0: below the limit.
    double excess(std::size_t i, const Stretch& stretch, double time, const State& y) const {
        const auto* law = std::get_if<AnyMaxwellSlip>(&law_);
        if (!law || direction_ == 0) return -1;
        const double s = level(law->curve, stretch.velocity(time)) * loads(*law, stretch.load(time)).on_curve;
        return direction_ * y[i] - law->nu[i] * s;
    }

    const AnyLaw& law_;
    Scales scales_;
    std::size_t count_ = 0;
    bool in_newtons_ = false;
    double direction_ = 0;
    std::array<bool, max_elements> slips_{};
};

// ---- Dormand and Prince 5(4) -----------------------------------------------------------------------------------------------

constexpr double nodes[7] = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
constexpr double weights[7][6] = {{},
                                  {1. / 5},
                                  {3. / 40, 9. / 40},
                                  {44. / 45, -56. / 15, 32. / 9},
                                  {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
                                  {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
                                  {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}};
constexpr double errors[7] = {71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40};

class Integrator {
  public:
    Integrator(const AnyLaw& law, double load, double tolerance) : equations_(law, load), tolerance_(tolerance) {}

    State y{};
    double energy() const { return y[equations_.count()]; }
    double gross() const { return y[equations_.count() + 1]; }

    // |F v| at a time of a stretch [W]
    double power(const Stretch& stretch, double time) const {
        State rates;
        equations_.rates(stretch, time, y, rates);
        return rates[equations_.count() + 1];
    }
    // F [N]
    double force(const Stretch& stretch, double time) {
        equations_.enter(stretch, y);
        State rates;
        return equations_.rates(stretch, time, y, rates);
    }
    // Returns false if the integration fails.
    bool run(const Stretch& stretch) {
        equations_.enter(stretch, y);
        double time = 0, h = 0.25 * stretch.span;
        State next;
        for (long tries = 0; time < stretch.span; ++tries) {
            if (tries > max_tries || !spend()) return false;
            const bool last = time + 1.0001 * h >= stretch.span;
            if (last) h = stretch.span - time;
            const double error = step(stretch, time, h, next);
            const double factor = std::clamp(0.9 * std::pow(std::max(error, 1e-10), -0.2), 0.1, 5.0);
            if (!(error <= 1)) {
                h *= std::isfinite(error) ? factor : 0.1;
                continue;
            }
            if (equations_.overdue(stretch, time + h, next)) {
                // an element begins to slip within the step: locate that time by bisection
                const auto slips = [&](double after) {
                    step(stretch, time, after, next);
                    return equations_.overdue(stretch, time + after, next);
                };
                const double begin = numerics::bisect(h, 0, 60, slips).holds;
                step(stretch, time, begin, next);
                y = next;
                time += begin;
                equations_.begin_to_slip(stretch, time, y);
                continue;
            }
            y = next;
            time = last ? stretch.span : time + h;
            h *= factor;
        }
        return true;
    }

  private:
    static constexpr long max_tries = 2'000'000;

    // Returns the error divided by the tolerance.
    double step(const Stretch& stretch, double time, double h, State& next) const {
        const std::size_t n = equations_.count() + 2;
        State k[7];
        for (std::size_t stage = 0; stage < 7; ++stage) {
            next = y;
            for (std::size_t i = 0; i < n; ++i) {
                double sum = 0;
                for (std::size_t j = 0; j < stage; ++j) sum += weights[stage][j] * k[j][i];
                next[i] += h * sum;
            }
            equations_.rates(stretch, time + nodes[stage] * h, next, k[stage]);
        }
        double worst = 0;
        // not the gross energy: it has a kink at every sign change of the power
        for (std::size_t i = 0; i + 1 < n; ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < 7; ++j) sum += errors[j] * k[j][i];
            const bool is_energy = i == equations_.count();
            const double scale = is_energy ? equations_.energy() + gross() : equations_.size();
            const double error = std::abs(h * sum) / (tolerance_ * scale);
            if (!(error <= worst)) worst = error;
        }
        return worst;
    }

    Equations equations_;
    double tolerance_;
};

// ---- simulate() --------------------------------------------------------------------------------------------------------------

double simulated_energy(const AnyLaw& law, const Counterexample& signal) {
    Setup setup = setup_of(law, signal);
    setup.run.samples = 2;
    const auto result = simulate_unchecked(setup);
    return result.status == Status::done ? result.measures.final.at("work") : nan;
}

}  // namespace

Setup setup_of(const AnyLaw& law, const Counterexample& signal) {
    Setup setup;
    setup.law = law;
    setup.rig = Prescribed{};
    setup.input = velocity_of(signal);
    setup.load = load_of(signal);
    setup.run = {.duration = signal.duration, .rtol = 1e-9, .atol = 1e-9};
    return setup;
}

Trace integrate(const AnyLaw& law, const Counterexample& signal, double tolerance) {
    const Input velocity = velocity_of(signal), load = load_of(signal);
    const double shift = constant_shift(law);
    Trace trace;
    Integrator integrator(law, load.piece(0).value(0.0), tolerance);
    const auto note_corners = [&](double t) {
        while (trace.corners.size() < signal.velocity.size() && signal.velocity[trace.corners.size()].first <= t)
            trace.corners.push_back(integrator.energy());
    };
    for (double t = 0; t < signal.duration;) {
        note_corners(t);
        const double end = std::min({signal.duration, velocity.next_corner(t), load.next_corner(t)});
        const auto v = velocity.piece(t), N = load.piece(t);
        for (const Stretch& stretch : divided(end - t, v.value(t), v.value(end), N.value(t), N.value(end), shift)) {
            const double start = integrator.power(stretch, 0);
            if (!integrator.run(stretch)) {
                trace.energy = nan;
                return trace;
            }
            trace.clock += epsilon<double> * end * std::max(start, integrator.power(stretch, stretch.span));
        }
        t = end;
    }
    note_corners(signal.duration);
    trace.energy = integrator.energy();
    trace.gross = integrator.gross();
    return trace;
}

std::vector<LegSample> replay_legs(const AnyLaw& law, const Counterexample& signal, std::size_t max_legs, int steps) {
    const WorkBudget budget(1'000'000);
    const Input velocity = velocity_of(signal), load = load_of(signal);
    Integrator integrator(law, load.piece(0).value(0.0), 1e-9);
    std::vector<LegSample> out;
    double t = 0, x = 0;
    for (std::size_t leg = 0; leg < max_legs && t < signal.duration; ++leg) {
        const double end = std::min({signal.duration, velocity.next_corner(t), load.next_corner(t)});
        const auto v = velocity.piece(t), N = load.piece(t);
        for (const Stretch& stretch :
             divided(end - t, v.value(t), v.value(end), N.value(t), N.value(end), constant_shift(law))) {
            const auto part = [&](int i) {
                const double a = double(i) / steps, b = double(i + 1) / steps;
                const auto at = [](double from, double to, double fraction) { return from + (to - from) * fraction; };
                return Stretch{stretch.span / steps, at(stretch.v0, stretch.v1, a), at(stretch.v0, stretch.v1, b),
                               at(stretch.N0, stretch.N1, a), at(stretch.N0, stretch.N1, b)};
            };
            const double before = out.empty() ? 0 : out.back().leg, width = stretch.span / (end - t);
            const double begin = std::max(before, double(leg));
            const auto note = [&](const Stretch& at, double time, double fraction) {
                out.push_back({begin + width * fraction, time > 0 ? at.v1 : at.v0, x, integrator.force(at, time),
                               integrator.energy()});
            };
            note(part(0), 0, 0);
            for (int i = 0; i < steps; ++i) {
                const Stretch small = part(i);
                if (!integrator.run(small)) return out;
                x += 0.5 * (small.v0 + small.v1) * small.span;
                note(small, small.span, double(i + 1) / steps);
            }
        }
        t = end;
    }
    return out;
}

bool Replay::extracts() const { return integrated < -tolerance && simulated < -tolerance; }

Replay replay(const AnyLaw& law, const Counterexample& signal) {
    const Trace trace = integrate(law, signal);
    return {trace.energy, simulated_energy(law, signal), trace.gross, trace.tolerance()};
}

}  // namespace bristle::analysis::counterexample
