// Branches of equilibria along one parameter, with their critical points.
#include <bristle/analyse/equilibrium.hpp>
#include <bristle/base/error.hpp>

#include <algorithm>
#include <cmath>

#include "analyse/equilibrium/branch_end.hpp"
#include "analyse/equilibrium/equilibrium_system.hpp"
#include "analyse/equilibrium/parameter_axis.hpp"
#include "numerics/arclength.hpp"

namespace bristle::inline analysis::equilibrium {

namespace {

// Contact velocity with the belt at its final speed [m/s].
template <class States>
double contact_velocity(const Setup& setup, const States& y) {
    const RigEquations rig = setup.rig.equations();
    return rig.ratio * y[1] + rig.belt_speed;
}

using Eigenvalues = std::vector<std::complex<double>>;

// Equilibria of a family as a curve: the unknowns are the active states and the parameter as a fraction of its window.
// A stuck equilibrium has no active states; its curve has the parameter only.
class EquilibriumCurve {
  public:
    EquilibriumCurve(const Family& family, ParameterAxis axis, const Equilibrium& start, double at)
        : family_(family), axis_(axis), start_(start) {
        const Setup setup = family(at);
        const EquilibriumSystem eq(setup);
        for (const StateValue& s : start.states) full_.push_back(s.value);
        names_ = state_names(setup.law, setup.rig);
        sided_ = eq.sticks();
        side_ = start.velocity < 0 ? -1 : 1;
        if (start.kind != EquilibriumKind::stuck) active_ = eq.active();
        scale_sizes();
    }

    numerics::CurveProblem problem() const {
        numerics::CurveProblem p;
        const std::size_t n = active_.size();
        p.unknowns = n + 1;
        p.scale = sizes_;
        p.scale.push_back(1);
        p.low.assign(n + 1, -HUGE_VAL);
        p.high.assign(n + 1, HUGE_VAL);
        p.low[n] = 0;
        p.high[n] = 1;
        p.watched = eigenvalue_count() + 1;
        p.equations = [this](auto x, auto G, auto J) { return equations(x, G, J); };
        p.watch = [this](auto x, auto values) {
            const Eigenvalues all = eigenvalues_at(x);
            double size = 1e-300;
            for (const auto& s : all) size = std::max(size, std::abs(s));
            for (std::size_t i = 0; i < values.size(); ++i) values[i] = i < all.size() ? all[i].real() : -size;
            values.back() = size;
        };
        return p;
    }
    std::vector<double> first(double at) const {
        std::vector<double> x;
        for (const std::size_t i : active_) x.push_back(full_[i]);
        x.push_back(axis_.fraction(at));
        return x;
    }
    const std::vector<Named>& names() const { return names_; }
    double parameter(std::span<const double> x) const { return axis_.value(x.back()); }

    std::vector<double> states(std::span<const double> x) const {
        if (stuck()) return held_states(*held(x));
        std::vector<double> y = full_;
        for (std::size_t k = 0; k < active_.size(); ++k) y[active_[k]] = x[k];
        return y;
    }
    double velocity(std::span<const double> x) const {
        const Setup setup = family_(parameter(x));
        return contact_velocity(setup, states(x));
    }
    Eigenvalues eigenvalues_at(std::span<const double> x) const {
        if (stuck()) {
            const auto e = held(x);
            Eigenvalues all = e->eigenvalues;
            all.insert(all.end(), e->eigenvalues_negative.begin(), e->eigenvalues_negative.end());
            return all;
        }
        const Setup setup = family_(parameter(x));
        const auto y = states(x);
        const auto J = EquilibriumSystem(setup).jacobian(y, contact_velocity(setup, y), side_of(setup, y));
        return numerics::eigenvalues(active_part(J, y.size(), active_), active_.size());
    }

  private:
    bool stuck() const { return active_.empty(); }
    std::size_t eigenvalue_count() const {
        return stuck() ? start_.eigenvalues.size() + start_.eigenvalues_negative.size() : active_.size();
    }
    // Returns the stuck equilibrium at a parameter nearest to the start; std::nullopt if there is none.
    std::optional<Equilibrium> held(std::span<const double> x) const {
        std::optional<Equilibrium> best;
        for (Equilibrium& e : equilibria(family_(parameter(x)))) {
            const auto distance = [&](const Equilibrium& a) { return std::abs(a.states[0].value - full_[0]); };
            if (e.kind == EquilibriumKind::stuck && (!best || distance(e) < distance(*best))) best = std::move(e);
        }
        return best;
    }
    static std::vector<double> held_states(const Equilibrium& e) {
        std::vector<double> out;
        for (const StateValue& s : e.states) out.push_back(s.value);
        return out;
    }
    double side_of(const Setup& setup, const std::vector<double>& y) const {
        return sided_ ? side_ : contact_velocity(setup, y) < 0 ? -1 : 1;
    }
    bool rates_at(double fraction, const std::vector<double>& y, std::vector<double>& f, std::vector<double>& J) const {
        const Setup setup = family_(axis_.value(fraction));
        // Near rest a bristle has stuck equilibria, which are not part of a sliding branch.
        if (sided_ && !(side_ * (contact_velocity(setup, y)) > least_speed_)) return false;
        EquilibriumSystem(setup).rates(y, side_of(setup, y), f, J);
        return true;
    }
    bool equations(std::span<const double> x, std::span<double> G, std::span<double> J) const try {
        if (stuck()) return held(x).has_value();
        const std::size_t n = active_.size();
        const auto y = states(x);
        std::vector<double> f(y.size()), up(y.size()), down(y.size()), A(y.size() * y.size()), unused(A.size());
        if (!rates_at(x[n], y, f, A)) return false;
        // The derivative of a family is a difference, inside the window. G itself is exact.
        const double high = std::min(x[n] + 1e-6, 1.0), low = std::max(x[n] - 1e-6, 0.0);
        const bool beyond = x[n] < 0 || x[n] > 1;
        if (!beyond && (!rates_at(high, y, up, unused) || !rates_at(low, y, down, unused))) return false;
        for (std::size_t i = 0; i < n; ++i) {
            G[i] = f[active_[i]];
            for (std::size_t j = 0; j < n; ++j) J[i * (n + 1) + j] = A[active_[i] * y.size() + active_[j]];
            J[i * (n + 1) + n] = beyond ? 0 : (up[active_[i]] - down[active_[i]]) / (high - low);
        }
        return true;
    } catch (const Error&) {
        return false;  // the set-up breaks a rule
    }
    // Empty if the set-up breaks a rule.
    std::vector<Equilibrium> all_at(double fraction) const try {
        return equilibria(family_(axis_.value(fraction)));
    } catch (const Error&) {
        return {};
    }
    // Sets the scale of each state: its largest magnitude at three values of the window, for equilibria of this kind.
    void scale_sizes() {
        double fastest = std::abs(start_.velocity);
        for (const std::size_t i : active_) sizes_.push_back(std::abs(full_[i]));
        for (const double fraction : {0.0, 0.5, 1.0})
            for (const Equilibrium& e : all_at(fraction)) {
                if (e.kind != start_.kind) continue;
                fastest = std::max(fastest, std::abs(e.velocity));
                for (std::size_t k = 0; k < active_.size(); ++k)
                    sizes_[k] = std::max(sizes_[k], std::abs(e.states[active_[k]].value));
            }
        for (double& s : sizes_)
            if (!(s > 0)) s = 1;
        least_speed_ = 1e-12 * fastest;
    }

    const Family& family_;
    ParameterAxis axis_;
    const Equilibrium& start_;
    std::vector<Named> names_;
    std::vector<double> full_;  // all states at the start
    std::vector<std::size_t> active_;
    std::vector<double> sizes_;
    bool sided_;
    double side_;
    double least_speed_;  // of the contact, while it slides
};

// Returns true if a real part changes its sign at a zero by more than rounding, compared at the nearest points before and
// after it where it exceeds rounding. A pair of zeros inside one step has the same sign on both sides.
bool crosses(const numerics::ContinuationCurve& curve, const numerics::SpecialPoint& s) {
    const auto exceeds_rounding = [&](std::size_t i) {
        const auto& w = curve.points[i].watched;
        return std::abs(w[s.of]) > 1e-12 * w.back();
    };
    std::size_t before = s.after, after = s.after + 1;
    const auto zeros =
        std::count_if(curve.specials.begin(), curve.specials.end(),
                      [&](const numerics::SpecialPoint& o) { return o.of == s.of && o.after == s.after; });
    if (zeros > 1) return exceeds_rounding(before) && exceeds_rounding(after);
    while (before > 0 && !exceeds_rounding(before)) --before;
    while (after + 1 < curve.points.size() && !exceeds_rounding(after)) ++after;
    return exceeds_rounding(before) && exceeds_rounding(after) &&
           curve.points[before].watched[s.of] * curve.points[after].watched[s.of] < 0;
}

// Classifies folds and zeros of real parts. A complex pair is reported once; a fold is not reported again as a real
// eigenvalue.
std::vector<CriticalPoint> critical_points(const EquilibriumCurve& along, const numerics::ContinuationCurve& curve) {
    std::vector<CriticalPoint> out;
    std::vector<double> fractions;  // of the window, of each critical point
    for (const numerics::SpecialPoint& s : curve.specials) {
        using Kind = CriticalPoint::Kind;
        CriticalPoint c{Kind::fold, along.parameter(s.point.x), 0, along.states(s.point.x), along.velocity(s.point.x)};
        if (s.of != numerics::SpecialPoint::fold) {
            if (!crosses(curve, s)) continue;
            const Eigenvalues all = along.eigenvalues_at(s.point.x);
            const auto damping = [](const std::complex<double>& e) {
                return std::abs(e.real()) / (1e-300 + std::abs(e));
            };
            const auto nearest = *std::min_element(
                all.begin(), all.end(), [&](const auto& a, const auto& b) { return damping(a) < damping(b); });
            c.frequency = std::abs(nearest.imag());
            c.kind = c.frequency > 0 ? Kind::hopf : Kind::real;
        }
        const double fraction = s.point.x.back();
        bool known = false;
        for (std::size_t i = 0; i < out.size(); ++i) {
            if (std::abs(fractions[i] - fraction) > 1e-8 || (out[i].kind == Kind::hopf) != (c.kind == Kind::hopf))
                continue;
            known = true;
            if (c.kind == Kind::fold) out[i] = c;
        }
        if (known) continue;
        out.push_back(std::move(c));
        fractions.push_back(fraction);
    }
    return out;
}

}  // namespace

}  // namespace bristle::analysis::equilibrium

namespace bristle::inline analysis {

using namespace equilibrium;

const char* name_of(CriticalPoint::Kind kind) {
    switch (kind) {
        case CriticalPoint::Kind::hopf:
            return "hopf";
        case CriticalPoint::Kind::fold:
            return "fold";
        default:
            return "real";
    }
}

namespace {

numerics::ContinuationCurve walk_branch(const numerics::CurveProblem& problem, const std::vector<double>& start) {
    numerics::ContinuationOptions options;
    options.first = 2e-3;
    options.largest = 1e-2;
    options.tolerance = 1e-13;
    try {
        return numerics::walk_curve(problem, start, options);
    } catch (const numerics::NoCurve& none) {
        throw EquilibriumError(none.reason == numerics::NoCurve::Reason::no_solution ? NoEquilibrium::no_convergence
                                                                                     : NoEquilibrium::branches_meet,
                               none.what());
    }
}

}  // namespace

Branch follow_equilibrium(const Family& family, double from, double to, double start, int which) {
    const ParameterAxis axis{std::min(from, to), std::max(from, to)};
    if (!(axis.from < axis.to)) throw Error("a branch needs a window FROM:TO with two different ends");
    if (!axis.contains(start))
        throw Error("a branch needs the start value inside its window; widen FROM:TO around the present value");
    const Setup setup = family(start);
    const std::vector<Equilibrium> all =
        which < 0 ? std::vector<Equilibrium>{main_equilibrium(setup)} : equilibria(setup);
    if (which >= int(all.size()))
        throw Error("the start has " + std::to_string(all.size()) + " equilibria; choose which < " +
                    std::to_string(all.size()));
    const Equilibrium& at = all[std::size_t(std::max(which, 0))];

    const EquilibriumCurve along(family, axis, at, start);
    const numerics::CurveProblem problem = along.problem();
    const numerics::ContinuationCurve curve = walk_branch(problem, along.first(start));

    Branch out;
    out.kind = at.kind;
    out.states = along.names();
    for (const numerics::CurvePoint& p : curve.points) {
        const Eigenvalues all_here = along.eigenvalues_at(p.x);
        const numerics::Growth grows = numerics::growth(all_here);
        out.points.push_back(
            {along.parameter(p.x), along.states(p.x), along.velocity(p.x), grows.growing,
             all_here.empty() ? at.stability : stability_of(grows)});  // empty: a contact that holds exactly
    }
    out.critical = critical_points(along, curve);
    out.first = branch_end(curve.backward);
    out.last = branch_end(curve.forward);
    return out;
}

Branch follow_equilibrium(const Setup& setup, std::string_view parameter, double from, double to, int which) {
    return follow_equilibrium(family_of(setup, parameter), from, to, present_value(setup, parameter), which);
}

}  // namespace bristle::analysis
