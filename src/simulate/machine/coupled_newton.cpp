// Newton's method for the equations of a coupled step, and what is tried where it ends without a root.
#include <algorithm>
#include <cmath>

#include "simulate/machine/coupled_equations.hpp"

namespace bristle::inline simulation {

void CoupledEquations::guess() {
    const std::size_t K = gain_.size();
    x_.resize(K + drive_gain_.size());
    for (std::size_t k = 0; k < K; ++k) x_[k] = from_.v[k] + (end_held[k] ? dt_ : 0.5 * dt_) * from_.a[k];
    std::copy(from_.drives.begin(), from_.drives.end(), x_.begin() + long(K));
    out_.forces = from_.force;
}

// The last solution, with half of w in coordinates that hold their end velocity now.
void CoupledEquations::guess_ends() {
    for (std::size_t k = 0; k < gain_.size(); ++k)
        if (end_held[k]) x_[k] = 0.5 * out_.of_coordinates[k];
}

// True if every residual is within a factor of its rounding, or of the largest one in the norm of the kinetic energy: what is nearly
// at rest is not solved relative to itself.
bool CoupledEquations::converged(double factor) const {
    const std::size_t K = gain_.size(), D = drive_gain_.size();
    double largest = 0, lightest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < K; ++k) {
        largest = std::max(largest, std::sqrt(assembly_.mass[k]) * noise_[k]);
        lightest = std::min(lightest, assembly_.mass[k]);
    }
    for (std::size_t k = 0; k < K; ++k)
        if (!(std::sqrt(assembly_.mass[k]) * std::abs(r_[k]) <= factor * largest)) return false;
    for (std::size_t j = 0; j < D; ++j) {
        const double noise = rounding * drive_noise_[j] + largest * std::sqrt(lightest) / dt_;
        if (!(std::abs(r_[K + j]) <= factor * noise)) return false;
    }
    for (std::size_t h = 0; h < inside_.size(); ++h) {
        const std::size_t i = inside_[h];
        const double noise = rounding * std::abs(base_[i]) + largest / std::sqrt(assembly_.contact_mass(i));
        if (!(std::abs(r_[K + D + h]) <= factor * noise)) return false;
    }
    return true;
}

CoupledEquations::Outcome CoupledEquations::solve() {
    const std::size_t base = gain_.size() + drive_gain_.size();
    inside_.clear();
    for (std::size_t i = 0; i < roles.size(); ++i)
        if (roles[i].inside) inside_.push_back(i);
    x_.resize(base);
    for (const std::size_t i : inside_) x_.push_back(out_.forces[i]);
    const std::vector<double> start = x_;
    const Outcome found = newton();
    if (found != Outcome::failed) return found;
    x_ = start;
    const Outcome followed = newton_continued();
    return followed == Outcome::failed ? newton_over_fold() : followed;
}

// Leaves a minimum of the residual that is no root: steps without the falling slopes of the contacts go on in the direction in which
// the motion accelerates, until the level falls no more.
CoupledEquations::Outcome CoupledEquations::newton_over_fold() {
    for (int i = 0; i < 60 && std::isfinite(merit_); ++i) {
        without_falling_ = true;
        evaluate(x_);
        without_falling_ = false;
        if (converged(4) || !lu_.factor(A_, x_.size())) break;
        std::vector<double> step = r_;
        lu_.solve(step.data());
        for (std::size_t j = 0; j < x_.size(); ++j) x_[j] -= step[j];
        if (i % 6 != 5) continue;
        const std::vector<double> there = x_;
        const Outcome found = newton();
        if (found != Outcome::failed) return found;
        x_ = there;
    }
    return newton();
}

// Follows the solution from infinite masses, where w = v, to the given ones. Finds a root where Newton's method does not, because the
// level falls faster than the inertia rises.
CoupledEquations::Outcome CoupledEquations::newton_continued() {
    std::copy(from_.v.begin(), from_.v.end(), x_.begin());
    const std::vector<double> gain = gain_;
    Outcome found = Outcome::failed;
    for (double scale = 1.0 / 1024; scale <= 1; scale *= 2) {
        for (std::size_t k = 0; k < gain.size(); ++k) gain_[k] = scale * gain[k];
        const std::vector<double> before = x_;
        found = newton();
        if (found == Outcome::failed) x_ = before;
    }
    return found;
}

CoupledEquations::Outcome CoupledEquations::newton() {
    evaluate(x_);
    std::vector<double> step, next(x_.size());
    for (int i = 0; i < 60; ++i) {
        if (converged(0.25)) break;
        const int max_halvings =
            converged(4) ? 1 : 30;  // at rounding one more step is tried, because its errors would add up
        if (!std::isfinite(merit_) || !lu_.factor(A_, x_.size())) return Outcome::failed;
        step = r_;
        lu_.solve(step.data());
        const double before = merit_;
        double fraction = 1;
        bool reduced = false;
        for (int halvings = 0; halvings < max_halvings && !reduced; ++halvings) {
            for (std::size_t j = 0; j < next.size(); ++j) next[j] = x_[j] - fraction * step[j];
            evaluate(next);
            reduced = merit_ < (1 - 1e-4 * fraction) * before;
            if (!reduced) fraction *= 0.5;
        }
        if (!reduced) {
            evaluate(x_);
            copy_solution(x_);
            if (converged(1e4)) return Outcome::solved;
            return constraint_merit_ > 0.5 * merit_ ? Outcome::contradictory : Outcome::failed;
        }
        x_.swap(next);
    }
    copy_solution(x_);
    return converged(1e4) ? Outcome::solved : Outcome::failed;
}

void CoupledEquations::copy_solution(const std::vector<double>& x) {
    const auto K = long(gain_.size()), D = long(drive_gain_.size());
    out_.of_coordinates.assign(x.begin(), x.begin() + K);
    out_.of_drives.assign(x.begin() + K, x.begin() + K + D);
    out_.total = f_;
}

}  // namespace bristle::simulation
