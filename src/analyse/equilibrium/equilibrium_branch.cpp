#include <bristle/analyse/equilibrium.hpp>
#include <bristle/base/error.hpp>

#include <algorithm>
#include <cmath>

#include "numerics/arclength.hpp"
#include "analyse/equilibrium/equilibrium_axis.hpp"
#include "analyse/equilibrium/equilibrium_system.hpp"

namespace bristle::inline analysis {

namespace {

// With the belt at its final speed [m/s].
template <class States>
double contact_velocity(const Setup& setup, const States& y) {
    const RigEquations rig = setup.rig.equations();
    return rig.ratio * y[1] + rig.belt_speed;
}

using Eigenvalues = std::vector<std::complex<double>>;

// What a family is near an equilibrium, in the unknowns of the walk: states over the parameter's share of the window.
class Along {
  public:
    Along(const Family& family, Axis axis, const Equilibrium& start, double at)
        : family_(family), axis_(axis), start_(start) {
        const Setup setup = family(at);
        const EquilibriumSystem eq(setup);
        for (const StateValue& s : start.states) full_.push_back(s.value);
        names_ = state_names(setup.law, setup.rig);
        sided_ = eq.sticks();
        side_ = start.velocity < 0 ? -1 : 1;
        if (start.kind != "stuck") active_ = eq.active();
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
        x.push_back(axis_.share(at));
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
    // The held equilibrium at a parameter: the one nearest to the start.
    std::optional<Equilibrium> held(std::span<const double> x) const {
        std::optional<Equilibrium> best;
        for (Equilibrium& e : equilibria(family_(parameter(x)))) {
            const auto far = [&](const Equilibrium& a) { return std::abs(a.states[0].value - full_[0]); };
            if (e.kind == "stuck" && (!best || far(e) < far(*best))) best = std::move(e);
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
    bool rates_at(double share, const std::vector<double>& y, std::vector<double>& f, std::vector<double>& J) const {
        const Setup setup = family_(axis_.value(share));
        // comes to rest, where a bristle has other equilibria that a step must not take for sliding
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
        // the set-up is the user's, so its derivative is a difference, inside the window; G itself stays exact
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
        return false;  // the parameter breaks a rule there
    }
    // None where the parameter breaks a rule.
    std::vector<Equilibrium> all_at(double share) const try {
        return equilibria(family_(axis_.value(share)));
    } catch (const Error&) {
        return {};
    }
    // The sizes the states have across the window, as far as there are equilibria of this kind.
    void scale_sizes() {
        double fastest = std::abs(start_.velocity);
        for (const std::size_t i : active_) sizes_.push_back(std::abs(full_[i]));
        for (const double share : {0.0, 0.5, 1.0})
            for (const Equilibrium& e : all_at(share)) {
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
    Axis axis_;
    const Equilibrium& start_;
    std::vector<Named> names_;
    std::vector<double> full_;  // all states at the start
    std::vector<std::size_t> active_;
    std::vector<double> sizes_;
    bool sided_;
    double side_;
    double least_speed_;  // of the contact, while it slides
};

// Whether a real part changes its side at a zero, and not only its rounding: before and after it, as far along as need be, it is more than
// that. A pair of zeros inside one step comes back to the same side at once.
bool crosses(const numerics::ContinuationCurve& walk, const numerics::SpecialPoint& s) {
    const auto plain = [&](std::size_t i) {
        const auto& w = walk.points[i].watched;
        return std::abs(w[s.of]) > 1e-12 * w.back();
    };
    std::size_t before = s.after, after = s.after + 1;
    const auto pair = std::count_if(walk.specials.begin(), walk.specials.end(), [&](const numerics::SpecialPoint& o) {
        return o.of == s.of && o.after == s.after;
    });
    if (pair > 1) return plain(before) && plain(after);
    while (before > 0 && !plain(before)) --before;
    while (after + 1 < walk.points.size() && !plain(after)) ++after;
    return plain(before) && plain(after) && walk.points[before].watched[s.of] * walk.points[after].watched[s.of] < 0;
}

// Zeros of real parts as what they are; a pair is told once, and a fold is not told again as a real eigenvalue.
std::vector<CriticalPoint> critical_points(const Along& along, const numerics::ContinuationCurve& walk) {
    std::vector<CriticalPoint> out;
    std::vector<double> shares;  // where each is, in the window
    for (const numerics::SpecialPoint& s : walk.specials) {
        CriticalPoint c{"fold", along.parameter(s.point.x), 0, along.states(s.point.x), along.velocity(s.point.x)};
        if (s.of != numerics::SpecialPoint::fold) {
            if (!crosses(walk, s)) continue;
            const Eigenvalues all = along.eigenvalues_at(s.point.x);
            const auto tilt = [](const std::complex<double>& e) { return std::abs(e.real()) / (1e-300 + std::abs(e)); };
            const auto nearest = *std::min_element(all.begin(), all.end(),
                                                   [&](const auto& a, const auto& b) { return tilt(a) < tilt(b); });
            c.frequency = std::abs(nearest.imag());
            c.kind = c.frequency > 0 ? "hopf" : "real";
        }
        const double share = s.point.x.back();
        bool told = false;
        for (std::size_t i = 0; i < out.size(); ++i) {
            if (std::abs(shares[i] - share) > 1e-8 || (out[i].kind == "hopf") != (c.kind == "hopf")) continue;
            told = true;
            if (c.kind == "fold") out[i] = c;
        }
        if (told) continue;
        out.push_back(std::move(c));
        shares.push_back(share);
    }
    return out;
}

}  // namespace

Branch follow_equilibrium(const Family& family, double from, double to, double start, int which) {
    const Axis axis{std::min(from, to), std::max(from, to)};
    if (!(axis.from < axis.to)) throw Error("a window needs two different ends: give FROM:TO");
    if (!axis.holds(start))
        throw Error("continuation starts outside its window: widen FROM:TO around the present value");
    const Setup setup = family(start);
    const std::vector<Equilibrium> all =
        which < 0 ? std::vector<Equilibrium>{main_equilibrium(setup)} : equilibria(setup);
    if (which >= int(all.size())) throw Error("there are not that many equilibria at the start: give a smaller number");
    const Equilibrium& at = all[std::size_t(std::max(which, 0))];

    const Along along(family, axis, at, start);
    numerics::ContinuationOptions options;
    options.first = 2e-3;
    options.largest = 1e-2;
    options.tolerance = 1e-13;
    const numerics::CurveProblem problem = along.problem();
    const numerics::ContinuationCurve walk = numerics::walk_curve(problem, along.first(start), options);

    Branch out;
    out.kind = at.kind;
    out.states = along.names();
    for (const numerics::CurvePoint& p : walk.points) {
        const Eigenvalues all_here = along.eigenvalues_at(p.x);
        const numerics::Growth grows = numerics::growth(all_here);
        out.points.push_back({along.parameter(p.x), along.states(p.x), along.velocity(p.x), grows.growing,
                              all_here.empty() ? at.stability : stability_of(grows)});  // empty: held exactly
    }
    out.critical = critical_points(along, walk);
    out.begins = name_of(walk.backward);
    out.ends = name_of(walk.forward);
    return out;
}

}  // namespace bristle::inline analysis
