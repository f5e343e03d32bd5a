// Least squares by the method of Levenberg and Marquardt, with bounds inside each iteration.
//
// An evaluation gives residuals r and derivatives together and is folded to its triangular factor: A = p + 1 rows of derivatives with
// respect to the numbers q of the search, b = p + 1 rows of residuals, with the sums of squares and products of the whole table.
// The step s of an iteration minimises
//   |b - A s|^2 + mu |D s|^2     with  low <= q + s <= high
// D: largest lengths of the columns of A so far (Moré 1978, doi:10.1007/BFb0067700). The bounds are met by an active set in each
// iteration (BoundedStep). The gain ratio of the step, decrease of the cost/decrease of |b - A s|^2, decides whether q + s is accepted and
// how mu changes (Nielsen 1999, Damping parameter in Marquardt's method, IMM-REP-1999-05).
// The search ends if a step or its prediction changes the cost by too little, or if the step is too small (SolveOptions::tolerance).
// A robust loss rho(r^2) enters as row weights sqrt(rho'); the cost is the sum of rho.
//
// Own code and not a library such as Ceres: the folded problem has p + 1 rows, so a step takes microseconds; bounds are part of each step,
// where Ceres projects steps and stops beside the minimum; an accepted step costs one evaluation; no BLAS, which starts threads.
#include "identify/fit/solve.hpp"

#include <bristle/base/error.hpp>

#include "identify/fit/least_squares.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::inline identification {

namespace {

constexpr double first_damping = 0.01;
constexpr double least_gain = 1e-3;  // gain ratio of an accepted step
// Largest change of a logarithm in one step. Starts can be far off: of 91 starts of LuGre up to a factor of 10 off, 89 reach the minimum with
// 0.5 and 82 with 2.5.
constexpr double max_log_step = 0.5;
constexpr double step_tolerance = 1e-10;  // relative change of q

// Values of the parameters <-> numbers of the search.
double to_search(const FreeParameter& p, double value) { return p.log ? std::log(value) : value / p.scale; }
double from_search(const FreeParameter& p, double q) {
    return std::clamp(p.log ? std::exp(q) : q * p.scale, p.low, p.high);
}

// Triangular factor at a point of the search, in numbers of the search.
struct Point {
    std::vector<double> q, values;
    std::vector<double> A, b;  // p + 1 rows
    double cost = std::numeric_limits<double>::infinity();
};

class Evaluator {
  public:
    Evaluator(const FitProblem& problem, const SolveOptions& options) : problem_(problem), options_(options) {}
    int evaluations = 0;

    // The cost is infinite if a residual or a derivative is not finite.
    Point at(std::vector<double> q) {
        if (options_.should_continue && !options_.should_continue()) throw Cancelled();
        const auto& free = problem_.parameters();
        const std::size_t p = free.size();
        Point out;
        out.q = std::move(q);
        for (std::size_t k = 0; k < p; ++k) out.values.push_back(from_search(free[k], out.q[k]));
        problem_.evaluate(out.values, rows_);
        ++evaluations;
        if (!rows_.finite) return out;
        const double beyond_weights = set_weights();
        const std::vector<std::uint8_t>& use = options_.use.empty() ? problem_.record().compared : options_.use;
        const Folded folded = fold(rows_.J.data(), p, rows_.residual.data(), rows_.residual.size(), p, use, weight_);
        out.A.resize((p + 1) * p);
        out.b.resize(p + 1);
        for (std::size_t i = 0; i <= p; ++i) {
            for (std::size_t k = 0; k < p; ++k)
                out.A[i * p + k] = folded.R[i * (p + 1) + k] * (free[k].log ? out.values[k] : free[k].scale);
            out.b[i] = folded.R[i * (p + 1) + p];
        }
        const double cost = folded.squares() + beyond_weights;
        const auto finite = [](double x) { return std::isfinite(x); };
        if (std::isfinite(cost) && std::all_of(out.A.begin(), out.A.end(), finite)) out.cost = cost;
        return out;
    }

  private:
    // Weights sqrt(rho') of the rows. Returns the sum of rho - rho' r^2.
    double set_weights() {
        const double s = options_.loss_scale;
        if (options_.loss != Loss::huber || !(s > 0)) return 0;
        const std::vector<std::uint8_t>& use = options_.use.empty() ? problem_.record().compared : options_.use;
        weight_.assign(rows_.residual.size(), 1.0);
        double sum = 0;
        for (std::size_t i = 0; i < weight_.size(); ++i) {
            const double r = std::abs(rows_.residual[i]);
            if (!(r > s)) continue;
            weight_[i] = std::sqrt(s / r);
            if (use[i]) sum += s * r - s * s;  // rho = 2 s r - s^2, rho' r^2 = s r
        }
        return sum;
    }

    const FitProblem& problem_;
    const SolveOptions& options_;
    FitProblem::Rows rows_;
    std::vector<double> weight_;
};

struct Box {
    std::vector<double> low, high;  // of the step; low <= 0 <= high
};

// Step within a box, by an active set as in bounded-variable least squares (Stark and Parker 1995, Computational Statistics 10).
class BoundedStep {
  public:
    BoundedStep(const Point& point, std::span<const double> D, double mu, const Box& box)
        : point_(point), D_(D), mu_(mu), box_(box), p_(D.size()), step_(p_, 0.0), held_(p_, false) {
        const std::vector<double> w = descent();
        for (std::size_t k = 0; k < p_; ++k) held_[k] = drives_out(k, w[k]);
        settle();
        for (std::size_t round = 0; round < 3 * p_ && release(); ++round) settle();
    }
    const std::vector<double>& step() const { return step_; }

  private:
    // Half the negative gradient of the damped cost.
    std::vector<double> descent() const {
        std::vector<double> w(p_, 0.0);
        for (std::size_t i = 0; i <= p_; ++i) {
            double rest = point_.b[i];
            for (std::size_t k = 0; k < p_; ++k) rest -= point_.A[i * p_ + k] * step_[k];
            for (std::size_t k = 0; k < p_; ++k) w[k] += point_.A[i * p_ + k] * rest;
        }
        for (std::size_t k = 0; k < p_; ++k) w[k] -= mu_ * D_[k] * D_[k] * step_[k];
        return w;
    }
    bool drives_out(std::size_t k, double w) const {
        return (step_[k] <= box_.low[k] && w <= 0) || (step_[k] >= box_.high[k] && w >= 0);
    }

    // Frees the held number with the largest descent into the box. False if there is none.
    bool release() {
        const std::vector<double> w = descent();
        double size = 0;
        for (const double b : point_.b) size += b * b;
        double largest = 1e-14 * std::sqrt(size);  // rounding
        std::size_t best = p_;
        for (std::size_t k = 0; k < p_; ++k)
            if (held_[k] && !drives_out(k, w[k]) && std::abs(w[k]) / D_[k] > largest) {
                largest = std::abs(w[k]) / D_[k];
                best = k;
            }
        if (best < p_) held_[best] = false;
        return best < p_;
    }

    // Moves to the minimum over the numbers that are not held. One that reaches its bound on the way is held there.
    void settle() {
        for (std::size_t round = 0; round <= p_; ++round) {
            std::vector<double> next = minimum();
            double part = 1;
            std::size_t first = p_;
            for (std::size_t k = 0; k < p_; ++k) {
                const double bound = next[k] < box_.low[k]    ? box_.low[k]
                                     : next[k] > box_.high[k] ? box_.high[k]
                                                              : next[k];
                if (held_[k] || bound == next[k]) continue;
                const double reached = (bound - step_[k]) / (next[k] - step_[k]);
                if (first == p_ || reached < part) {
                    part = reached;
                    first = k;
                }
            }
            if (first == p_) {
                step_ = std::move(next);
                return;
            }
            for (std::size_t k = 0; k < p_; ++k)
                step_[k] = std::clamp(step_[k] + part * (next[k] - step_[k]), box_.low[k], box_.high[k]);
            held_[first] = true;
            step_[first] = next[first] < box_.low[first] ? box_.low[first] : box_.high[first];
        }
    }

    // Minimum over the numbers that are not held, by the triangular factor of the rows A and sqrt(mu) D.
    std::vector<double> minimum() const {
        std::vector<std::size_t> free;
        for (std::size_t k = 0; k < p_; ++k)
            if (!held_[k]) free.push_back(k);
        std::vector<double> out = step_;
        const std::size_t m = free.size(), n = p_ + 1 + m;
        if (m == 0) return out;
        std::vector<double> J(n * m, 0.0), r(n, 0.0);
        for (std::size_t i = 0; i <= p_; ++i) {
            r[i] = point_.b[i];
            for (std::size_t k = 0; k < p_; ++k)
                if (held_[k]) r[i] -= point_.A[i * p_ + k] * step_[k];
            for (std::size_t c = 0; c < m; ++c) J[i * m + c] = point_.A[i * p_ + free[c]];
        }
        for (std::size_t c = 0; c < m; ++c) J[(p_ + 1 + c) * m + c] = std::sqrt(mu_) * D_[free[c]];
        const Folded triangle = fold(J.data(), m, r.data(), n, m, {});
        for (std::size_t i = m; i-- > 0;) {
            double rest = triangle.R[i * (m + 1) + m];
            for (std::size_t c = i + 1; c < m; ++c) rest -= triangle.R[i * (m + 1) + c] * out[free[c]];
            out[free[i]] = rest / triangle.R[i * (m + 1) + i];
        }
        return out;
    }

    const Point& point_;
    std::span<const double> D_;
    double mu_;
    const Box& box_;
    std::size_t p_;
    std::vector<double> step_;
    std::vector<bool> held_;
};

// |b|^2 - |b - A s|^2.
double predicted_decrease(const Point& point, const std::vector<double>& step) {
    const std::size_t p = step.size();
    double sum = 0;
    for (std::size_t i = 0; i <= p; ++i) {
        double change = 0;
        for (std::size_t k = 0; k < p; ++k) change += point.A[i * p + k] * step[k];
        sum += change * (2 * point.b[i] - change);
    }
    return sum;
}

double norm(const std::vector<double>& x) {
    double sum = 0;
    for (const double c : x) sum += c * c;
    return std::sqrt(sum);
}

}  // namespace

double cost_of(std::span<const double> residual, std::span<const std::uint8_t> use, const SolveOptions& options) {
    double sum = 0;
    const double s = options.loss == Loss::huber && options.loss_scale > 0 ? options.loss_scale
                                                                           : std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < residual.size(); ++i)
        if (const double r = std::abs(residual[i]); use[i]) sum += r <= s ? r * r : 2 * s * r - s * s;
    return sum;
}

Solved solve(const FitProblem& problem, std::span<const double> start, const SolveOptions& options) {
    const auto& free = problem.parameters();
    const std::size_t p = free.size();
    std::vector<double> q(p), low(p), high(p), D(p, 0.0);
    for (std::size_t k = 0; k < p; ++k) {
        const double infinity = std::numeric_limits<double>::infinity();
        low[k] = free[k].low > -1e299 ? to_search(free[k], free[k].low) : -infinity;
        high[k] = free[k].high < 1e299 ? to_search(free[k], free[k].high) : infinity;
        q[k] = std::clamp(to_search(free[k], std::clamp(start[k], free[k].low, free[k].high)), low[k], high[k]);
    }
    Evaluator evaluator(problem, options);
    Point point = evaluator.at(std::move(q));
    bool converged = false;
    double mu = first_damping, growth = 2;
    for (int i = 0; i < options.max_iterations && std::isfinite(point.cost) && !converged; ++i) {
        Box box{low, high};
        for (std::size_t k = 0; k < p; ++k) {
            double square = 0;
            for (std::size_t row = 0; row <= p; ++row) square += point.A[row * p + k] * point.A[row * p + k];
            D[k] = std::max(D[k], std::sqrt(square));
            const double max_step = free[k].log ? max_log_step : std::numeric_limits<double>::infinity();
            box.low[k] = std::max(low[k] - point.q[k], -max_step);
            box.high[k] = std::min(high[k] - point.q[k], max_step);
        }
        std::vector<double> scale = D;
        for (double& d : scale) d = d > 0 ? d : 1;  // a number without effect does not move
        const std::vector<double> step = BoundedStep(point, scale, mu, box).step();
        const double predicted = predicted_decrease(point, step), least = options.tolerance * point.cost;
        converged = predicted <= 0.01 * least || norm(step) <= step_tolerance * (norm(point.q) + step_tolerance);
        if (converged) break;
        std::vector<double> next = point.q;
        for (std::size_t k = 0; k < p; ++k) next[k] = std::clamp(next[k] + step[k], low[k], high[k]);
        Point trial = evaluator.at(std::move(next));
        const double change = point.cost - trial.cost, gain = change / predicted;
        converged = std::abs(change) <= least && predicted <= 4 * least;
        if (gain >= least_gain) {
            point = std::move(trial);
            mu *= std::max(1.0 / 3, 1 - std::pow(2 * gain - 1, 3));
            growth = 2;
        } else {
            mu *= growth;
            growth *= 2;
        }
    }
    Solved out;
    out.values = std::move(point.values);
    out.cost = point.cost;
    out.converged = converged;
    out.evaluations = evaluator.evaluations;
    return out;
}

}  // namespace bristle::identification
