// Rodas5P for machines.
#include "simulate/machine/machine_stepper.hpp"

#include <algorithm>

#include "numerics/linear.hpp"
#include "simulate/machine/machine_system.hpp"
#include "simulate/rodas.hpp"
#include "simulate/stepper.hpp"

namespace bristle::inline simulation {

namespace {

// sum += factor x
inline void add(std::size_t n, double factor, const double* __restrict x, double* __restrict sum) {
    for (std::size_t i = 0; i < n; ++i) sum[i] += factor * x[i];
}

template <std::size_t N>
bool passes_routh(double bound, const SquareMatrix& J) {
    double a[N][N];
    std::copy(J.a.begin(), J.a.end(), &a[0][0]);
    return grows_slower_than(bound, a);
}

}  // namespace

bool grows_slower_than(double bound, const SquareMatrix& J) {
    if (bound >= J.passed) return true;
    // the largest row sum bounds every eigenvalue
    double largest = 0;
    for (std::size_t i = 0; i < J.n; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < J.n; ++j) sum += std::abs(J.a[i * J.n + j]);
        largest = std::max(largest, sum);
    }
    const bool passes = largest < bound || (J.n == 3 && passes_routh<3>(bound, J)) ||
                        (J.n == 4 && passes_routh<4>(bound, J)) || !(numerics::largest_real_part(J.a, J.n) >= bound);
    if (passes) J.passed = bound;
    return passes;
}

bool MachineStepper::step(const MachineSystem& system, const Linearisation& at, double t, const State& y0, double h) {
    n_ = system.size();
    // The same text for the usual sizes of small machines: loops that the compiler unrolls.
    switch (n_) {
        case 2:
            return step_of<2>(system, at, t, y0, h);
        case 3:
            return step_of<3>(system, at, t, y0, h);
        case 4:
            return step_of<4>(system, at, t, y0, h);
        case 5:
            return step_of<5>(system, at, t, y0, h);
        case 6:
            return step_of<6>(system, at, t, y0, h);
        default:
            return step_of<0>(system, at, t, y0, h);
    }
}

// fixed: the number of states; 0: known at run time.
template <std::size_t fixed>
bool MachineStepper::step_of(const MachineSystem& system, const Linearisation& at, double t, const State& y0,
                             double h) {
    using R = Rodas5P;
    const std::size_t n = fixed > 0 ? fixed : n_, quadratures = y0.size() - n;
    ++serial_;
    if (y0_.size() != y0.size()) {
        for (auto* of_states : {&u_, &weighted_k_, &error_weighted_}) of_states->resize(n);
        for (auto* of_all : {&y0_, &y1_, &error_}) of_all->resize(y0.size());
        matrix_.resize(n * n);
        k_.resize(R::stages * n);
    }
    for (std::size_t i = 0; i < n * n; ++i) matrix_[i] = -at.J.a[i];
    for (std::size_t i = 0; i < n; ++i) matrix_[i * n + i] += 1 / (R::gamma * h);
    // Of a known size by the inverse: its products do not wait for each other.
    constexpr std::size_t N = fixed > 0 ? fixed : 1;
    double inverse[N][N], right[N];
    if constexpr (fixed > 0) {
        double matrix[N][N];
        std::copy(matrix_.begin(), matrix_.end(), &matrix[0][0]);
        if (!invert(matrix, inverse)) return false;
    } else if (!lu_.factor(matrix_, n)) {
        return false;
    }
    std::copy(y0.begin(), y0.end(), y0_.begin());
    std::copy_n(y0.begin(), n, u_.begin());
    for (std::vector<double>* sum : {&weighted_k_, &error_weighted_, &y1_, &error_})
        std::fill(sum->begin(), sum->end(), 0);
    double *const u = u_.data(), *const quadrature = y1_.data() + n, *const its_error = error_.data() + n;
    const double *f = at.f.data(), *w = at.w.data();
    for (std::size_t s = 0; s < R::stages; ++s) {
        double* const k = &k_[s * n];
        if (s > 0) {
            if (s < 6) {
                std::copy_n(y0.data(), n, u);
                for (std::size_t j = 0; j < s; ++j) add(n, R::a[s][j], &k_[j * n], u);
            } else {
                add(n, 1, k - n, u);
            }
            const auto& there = system.rates(t + R::c[s] * h, u_);
            f = there.f.data();
            w = there.w.data();
        }
        std::fill_n(k, n, 0);
        for (std::size_t j = 0; j < s; ++j) add(n, R::C[s][j], &k_[j * n], k);
        for (std::size_t i = 0; i < n; ++i) k[i] = f[i] + k[i] * (1 / h) + R::d[s] * h * at.ft[i];
        if constexpr (fixed > 0) {
            for (std::size_t i = 0; i < N; ++i) right[i] = k[i];
            for (std::size_t i = 0; i < N; ++i) {
                double sum = 0;
                for (std::size_t j = 0; j < N; ++j) sum += inverse[i][j] * right[j];
                k[i] = sum;
            }
        } else {
            lu_.solve(k);
        }
        add(n, rodas_b[s], k, weighted_k_.data());
        add(n, rodas_e[s], k, error_weighted_.data());
        for (std::size_t i = 0; i < quadratures; ++i) {
            const double rate = w[i] + R::d[s] * h * at.wt[i];
            quadrature[i] += rodas_b[s] * rate;
            its_error[i] += rodas_e[s] * rate;
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        error_[i] = k_[7 * n + i];
        y1_[i] = u[i] + error_[i];
    }
    for (std::size_t i = 0; i < quadratures; ++i) {
        double driven = 0, driven_error = 0;
        for (std::size_t j = 0; j < n; ++j) {
            driven += at.W[i * n + j] * weighted_k_[j];
            driven_error += at.W[i * n + j] * error_weighted_[j];
        }
        quadrature[i] = y0[n + i] + h * (quadrature[i] + driven);
        its_error[i] = h * (its_error[i] + driven_error);
    }
    double finite = 0;
    for (const double x : y1_) finite += x;
    return std::isfinite(finite);
}

void MachineStepper::interpolate() {
    dense_.resize(3 * n_);
    for (std::size_t d = 0; d < 3; ++d)
        for (std::size_t i = 0; i < n_; ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < std::size_t(Rodas5P::stages); ++j) sum += Rodas5P::h[d][j] * k_[j * n_ + i];
            dense_[d * n_ + i] = sum;
        }
}

}  // namespace bristle::simulation
