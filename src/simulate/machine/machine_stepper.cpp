// Rodas5P for machines.
#include "simulate/machine/machine_stepper.hpp"

#include <algorithm>

#include "numerics/linear.hpp"
#include "simulate/machine/machine_system.hpp"
#include "simulate/rodas.hpp"

namespace bristle::inline simulation {

namespace {

// sum += factor x
void add(double factor, const double* x, std::vector<double>& sum) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += factor * x[i];
}

template <std::size_t N>
bool passes_routh(double bound, const SquareMatrix& J) {
    double a[N][N];
    std::copy(J.a.begin(), J.a.end(), &a[0][0]);
    return grows_slower_than(bound, a);
}

}  // namespace

bool grows_slower_than(double bound, const SquareMatrix& J) {
    // the largest row sum bounds every eigenvalue
    double largest = 0;
    for (std::size_t i = 0; i < J.n; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < J.n; ++j) sum += std::abs(J.a[i * J.n + j]);
        largest = std::max(largest, sum);
    }
    if (largest < bound) return true;
    if (J.n == 3 && passes_routh<3>(bound, J)) return true;
    if (J.n == 4 && passes_routh<4>(bound, J)) return true;
    return !(numerics::largest_real_part(J.a, J.n) >= bound);
}

bool MachineStepper::step(const MachineSystem& system, const Linearisation& at, double t, const State& y0, double h) {
    using R = Rodas5P;
    n_ = system.size();
    ++serial_;
    const std::size_t quadratures = y0.size() - n_;
    const double diagonal = 1 / (R::gamma * h), per_h = 1 / h;
    matrix_ = at.J.a;
    for (double& x : matrix_) x = -x;
    for (std::size_t i = 0; i < n_; ++i) matrix_[i * n_ + i] += diagonal;
    if (!lu_.factor(matrix_, n_)) return false;
    k_.resize(R::stages * n_);
    y0_ = y0;
    u_.assign(y0.begin(), y0.begin() + long(n_));
    y1_.assign(y0.size(), 0);
    error_.assign(y0.size(), 0);
    double* const quadrature = y1_.data() + n_;
    double* const its_error = error_.data() + n_;
    for (std::size_t s = 0; s < R::stages; ++s) {
        double* const k = &k_[s * n_];
        if (s > 0 && s < 6) {
            std::copy_n(y0.begin(), n_, u_.begin());
            for (std::size_t j = 0; j < s; ++j) add(R::a[s][j], &k_[j * n_], u_);
        } else if (s > 0) {
            add(1, k - n_, u_);
        }
        if (s > 0) system.rates(t + R::c[s] * h, u_, f_, w_);
        const std::vector<double>&f = s > 0 ? f_ : at.f, &w = s > 0 ? w_ : at.w;
        for (std::size_t i = 0; i < n_; ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < s; ++j) sum += R::C[s][j] * k_[j * n_ + i];
            k[i] = f[i] + sum * per_h + R::d[s] * h * at.ft[i];
        }
        lu_.solve(k);
        for (std::size_t i = 0; i < quadratures; ++i) {
            const double rate = w[i] + R::d[s] * h * at.wt[i];
            quadrature[i] += rodas_b[s] * rate;
            its_error[i] += rodas_e[s] * rate;
        }
    }
    add(1, &k_[7 * n_], u_);
    std::copy(u_.begin(), u_.end(), y1_.begin());
    std::copy_n(&k_[7 * n_], n_, error_.begin());
    weighted_k_.assign(n_, 0);
    error_weighted_.assign(n_, 0);
    for (std::size_t s = 0; s < R::stages; ++s) {
        add(rodas_b[s], &k_[s * n_], weighted_k_);
        add(rodas_e[s], &k_[s * n_], error_weighted_);
    }
    for (std::size_t i = 0; i < quadratures; ++i) {
        double driven = 0, driven_error = 0;
        for (std::size_t j = 0; j < n_; ++j) {
            driven += at.W[i * n_ + j] * weighted_k_[j];
            driven_error += at.W[i * n_ + j] * error_weighted_[j];
        }
        quadrature[i] = y0[n_ + i] + h * (quadrature[i] + driven);
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
