// Rodas5P for machines.
#include "simulate/machine/machine_stepper.hpp"

#include <algorithm>

#include "numerics/linear.hpp"
#include "simulate/machine/machine_system.hpp"
#include "simulate/rodas.hpp"

namespace bristle::inline simulation {

bool grows_slower_than(double bound, const SquareMatrix& J) {
    // the largest row sum bounds every eigenvalue
    double largest = 0;
    for (std::size_t i = 0; i < J.n; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < J.n; ++j) sum += std::abs(J.a[i * J.n + j]);
        largest = std::max(largest, sum);
    }
    if (largest < bound) return true;
    return !(numerics::largest_real_part(J.a, J.n) >= bound);
}

bool MachineStepper::step(const MachineSystem& system, const Linearisation& at, double t, const State& y0, double h) {
    using R = Rodas5P;
    n_ = system.size();
    m_ = y0.size();
    ++serial_;
    const std::size_t quadratures = m_ - n_;
    const double diagonal = 1 / (R::gamma * h), per_h = 1 / h;
    matrix_ = at.J.a;
    for (double& x : matrix_) x = -x;
    for (std::size_t i = 0; i < n_; ++i) matrix_[i * n_ + i] += diagonal;
    if (!lu_.factor(matrix_, n_)) return false;
    k_.resize(8 * m_);
    y0_ = y0;
    y1_.resize(m_);
    u_.assign(y0.begin(), y0.begin() + long(n_));
    f_ = at.f;
    w_ = at.w;
    for (std::size_t s = 0; s < R::stages; ++s) {
        if (s > 0) {
            for (std::size_t i = 0; i < n_; ++i) {
                if (s < 6) {
                    double sum = y0[i];
                    for (std::size_t j = 0; j < s && j < 5; ++j) sum += R::a[s][j] * k_[j * m_ + i];
                    u_[i] = sum;
                } else {
                    u_[i] += k_[(s - 1) * m_ + i];
                }
            }
            system.rates(t + R::c[s] * h, u_, f_, w_);
        }
        double* k = &k_[s * m_];
        for (std::size_t i = 0; i < n_; ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < s; ++j) sum += R::C[s][j] * k_[j * m_ + i];
            k[i] = f_[i] + sum * per_h + R::d[s] * h * at.ft[i];
        }
        lu_.solve(k);
        for (std::size_t i = 0; i < quadratures; ++i) {
            double sum = 0, driven = 0;
            for (std::size_t j = 0; j < s; ++j) sum += R::C[s][j] * k_[j * m_ + n_ + i];
            for (std::size_t j = 0; j < n_; ++j) driven += at.W[i * n_ + j] * k[j];
            k[n_ + i] = R::gamma * h * (w_[i] + sum * per_h + R::d[s] * h * at.wt[i] + driven);
        }
    }
    double finite = 0;
    for (std::size_t i = 0; i < m_; ++i) {
        double sum = y0[i] + k_[5 * m_ + i] + k_[6 * m_ + i];
        for (std::size_t j = 0; j < 5; ++j) sum += R::a[5][j] * k_[j * m_ + i];
        y1_[i] = sum + k_[7 * m_ + i];
        finite += y1_[i];
    }
    return std::isfinite(finite);
}

void MachineStepper::interpolate() {
    dense_.resize(3 * m_);
    for (std::size_t d = 0; d < 3; ++d)
        for (std::size_t i = 0; i < m_; ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < std::size_t(Rodas5P::stages); ++j) sum += Rodas5P::h[d][j] * k_[j * m_ + i];
            dense_[d * m_ + i] = sum;
        }
}

}  // namespace bristle::simulation
