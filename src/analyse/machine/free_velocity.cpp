// Scan of the free velocity of a machine.
#include "analyse/machine/free_velocity.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/bisect.hpp"

namespace bristle::inline analysis {

namespace {

// Velocities v = base + free u of a machine with one free velocity u.
class FreeVelocity {
  public:
    explicit FreeVelocity(SteadyMachine& machine) : machine_(machine), n_(machine.free().front()) {
        const auto c = machine.contact_velocities(machine.base());
        const auto always = machine.sides(machine.base());
        for (std::size_t i = 0; i < c.size(); ++i) {
            slope_.push_back(machine.slope(i, n_));
            side_.push_back(always[i]);
            if (slope_[i] != 0) rests_.push_back(-c[i] / slope_[i]);
        }
        offset_ = c;
        if (rests_.empty()) rests_.push_back(0);
        std::sort(rests_.begin(), rests_.end());
        std::vector<double> apart;
        for (const double u : rests_)
            if (apart.empty() || u - apart.back() > 1e-12 * (std::abs(u) + std::abs(apart.back()))) apart.push_back(u);
        rests_ = std::move(apart);
    }

    bool complete() const { return complete_; }
    std::vector<SteadyState> all() {
        std::vector<SteadyState> out;
        const auto add = [&](double u, const std::vector<int>& side) {
            SteadyState s = machine_.balance(velocities(u), side);
            complete_ = complete_ && s.converged;
            if (s.converged && s.balanced) out.push_back(std::move(s));
        };
        for (const double u : rests_) add(u, machine_.sides(velocities(u)));
        const double reach = reach_of_scan();
        for (std::size_t i = 0; i <= rests_.size(); ++i) {
            const double from = i > 0 ? rests_[i - 1] : rests_[0] - reach,
                         to = i < rests_.size() ? rests_[i] : rests_.back() + reach;
            for (const double u : roots(from, to, i > 0, i < rests_.size())) add(u, sides(0.5 * (from + to)));
        }
        return out;
    }

  private:
    std::vector<double> velocities(double u) const {
        std::vector<double> v = machine_.base();
        for (std::size_t k = 0; k < v.size(); ++k) v[k] += n_[k] * u;
        return v;
    }
    // Sides between two rests, of which `inside` is one point.
    std::vector<int> sides(double inside) const {
        std::vector<int> out = side_;
        for (std::size_t i = 0; i < out.size(); ++i)
            if (slope_[i] != 0) out[i] = offset_[i] + slope_[i] * inside < 0 ? -1 : 1;
        return out;
    }
    // Force along the free velocity that nothing balances [N].
    double excess(double u, double inside) {
        const SteadyState s = machine_.balance(velocities(u), sides(inside), false);
        if (!s.converged) complete_ = false;
        if (!s.converged) return std::nan("");
        noise_ = 1e-9 * s.force_size;
        return numerics::dot(n_, s.net);
    }
    // Distance beyond the outer rests within which all roots lie: there all forces are linear.
    double reach_of_scan() {
        double settled = 0;
        for (std::size_t i = 0; i < slope_.size(); ++i)
            if (slope_[i] != 0) settled = std::max(settled, 100 * machine_.settled_speed(i) / std::abs(slope_[i]));
        if (settled == 0) settled = 1;
        double reach = settled;
        for (const double sign : {-1.0, 1.0}) {
            const double edge = sign < 0 ? rests_.front() : rests_.back();
            const double near = sign * excess(edge + sign * settled, edge + sign * settled),
                         far = sign * excess(edge + sign * 2 * settled, edge + sign * settled);
            if (near > 0 && near > far) reach = std::max(reach, 2 * settled * (1 + near / (near - far)));
        }
        return reach;
    }
    // Zeros of the excess between two rests; to an open end distances grow from the other one.
    std::vector<double> roots(double from, double to, bool from_rest, bool to_rest) {
        const double inside = 0.5 * (from + to), factor = std::pow(10.0, 1.0 / 48);
        std::vector<double> at;
        const auto approach = [&](double rest, double length, double sign) {
            double low = 1e-15 * length;
            for (std::size_t i = 0; i < slope_.size(); ++i)
                if (const double falls = slope_[i] != 0 ? machine_.falling_speed(i) / std::abs(slope_[i]) : 0;
                    falls > 0)
                    low = std::min(low, 1e-9 * falls);
            low = std::max(low, 1e-14 * std::abs(rest));
            for (double d = low; d < length; d *= factor) at.push_back(rest + sign * d);
            at.push_back(rest + sign * length);
        };
        const double length = from_rest && to_rest ? 0.5 * (to - from) : to - from;
        if (from_rest) approach(from, length, 1);
        if (to_rest) approach(to, length, -1);
        std::sort(at.begin(), at.end());
        std::vector<double> out;
        double before = excess(at.front(), inside), last = at.front();
        if (std::abs(before) <= noise_) before = 0;
        for (std::size_t i = 1; i < at.size(); ++i) {
            const double now = excess(at[i], inside);
            if (std::abs(now) <= noise_) continue;
            if (std::isfinite(now * before) && now * before < 0)
                out.push_back(root_between(last, at[i], from_rest ? from : to, inside));
            last = at[i];
            before = now;
        }
        return out;
    }
    double root_between(double a, double b, double rest, double inside) {
        const bool below = excess(a, inside) < 0;
        int halvings = 0;
        numerics::narrow(
            a, b, [&] { return halvings++ < 120; }, [&](double u) { return (excess(u, inside) < 0) == below; },
            [&](double low, double high) {
                const double near = std::min(std::abs(low - rest), std::abs(high - rest)),
                             far = std::max(std::abs(low - rest), std::abs(high - rest));
                if (!(far > 4 * near && near > 0)) return 0.5 * (low + high);
                return rest + (low + high > 2 * rest ? 1 : -1) * std::sqrt(near * far);
            });
        return 0.5 * (a + b);
    }

    SteadyMachine& machine_;
    std::vector<double> n_, slope_, offset_, rests_;  // rests_: values of u at which a contact is at rest
    std::vector<int> side_;
    bool complete_ = true;
    double noise_ = 0;  // forces up to it do not show a change of sign [N]
};

}  // namespace

FoundVelocities balances_of_free_velocity(SteadyMachine& machine) {
    FreeVelocity velocity(machine);
    FoundVelocities out{velocity.all(), true};
    out.complete = velocity.complete();
    return out;
}

}  // namespace bristle::analysis
