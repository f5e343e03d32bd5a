// One step of Rodas5P on a fixed-size system, with its quadratures and its dense output. No heap.
#pragma once
#include <cmath>
#include <utility>

#include "simulate/rodas.hpp"
#include "simulate/system.hpp"

namespace bristle::inline simulation {

// Inverts a small matrix by Gauss-Jordan elimination with row pivots. Returns false if it is singular.
// Ours and not Eigen: size fixed at compile time, no heap, unrolled, called in every step.
template <std::size_t N>
bool invert(const double (&a)[N][N], double (&inverse)[N][N]) {
    double m[N][N];
    for (std::size_t i = 0; i < N; ++i)
        for (std::size_t j = 0; j < N; ++j) {
            m[i][j] = a[i][j];
            inverse[i][j] = i == j ? 1 : 0;
        }
    for (std::size_t k = 0; k < N; ++k) {
        std::size_t p = k;
        for (std::size_t i = k + 1; i < N; ++i)
            if (std::abs(m[i][k]) > std::abs(m[p][k])) p = i;
        if (!(std::abs(m[p][k]) > 0)) return false;
        for (std::size_t j = 0; j < N; ++j) {
            std::swap(m[k][j], m[p][j]);
            std::swap(inverse[k][j], inverse[p][j]);
        }
        const double scale = 1 / m[k][k];
        for (std::size_t j = 0; j < N; ++j) {
            m[k][j] *= scale;
            inverse[k][j] *= scale;
        }
        for (std::size_t i = 0; i < N; ++i) {
            const double f = i == k ? 0 : m[i][k];
            for (std::size_t j = 0; j < N; ++j) {
                m[i][j] -= f * m[k][j];
                inverse[i][j] -= f * inverse[k][j];
            }
        }
    }
    return true;
}
// Three states, the most frequent case: by cofactors.
inline bool invert(const double (&a)[3][3], double (&b)[3][3]) {
    b[0][0] = a[1][1] * a[2][2] - a[1][2] * a[2][1];
    b[0][1] = a[0][2] * a[2][1] - a[0][1] * a[2][2];
    b[0][2] = a[0][1] * a[1][2] - a[0][2] * a[1][1];
    b[1][0] = a[1][2] * a[2][0] - a[1][0] * a[2][2];
    b[1][1] = a[0][0] * a[2][2] - a[0][2] * a[2][0];
    b[1][2] = a[0][2] * a[1][0] - a[0][0] * a[1][2];
    b[2][0] = a[1][0] * a[2][1] - a[1][1] * a[2][0];
    b[2][1] = a[0][1] * a[2][0] - a[0][0] * a[2][1];
    b[2][2] = a[0][0] * a[1][1] - a[0][1] * a[1][0];
    const double determinant = a[0][0] * b[0][0] + a[0][1] * b[1][0] + a[0][2] * b[2][0], scale = 1 / determinant;
    for (auto& row : b)
        for (double& x : row) x *= scale;
    return std::abs(determinant) > 0;
}

// True if every eigenvalue of a small matrix has a real part below the bound: Routh's test of its characteristic
// polynomial (Faddeev and LeVerrier), shifted. Returns true without a test for N > 4 (Maxwell-slip).
template <std::size_t N>
bool grows_slower_than(double bound, const double (&J)[N][N]) {
    if constexpr (N > 4) {
        return true;
    } else {
        double A[N][N], P[N][N]{}, c[N + 1]{1};  // p(s) = s^N + c1 s^(N-1) + ...
        for (std::size_t i = 0; i < N; ++i)
            for (std::size_t j = 0; j < N; ++j) A[i][j] = J[i][j] - (i == j ? bound : 0);
        for (std::size_t k = 1; k <= N; ++k) {
            double next[N][N], trace = 0;
            for (std::size_t i = 0; i < N; ++i)
                for (std::size_t j = 0; j < N; ++j) {
                    next[i][j] = c[k - 1] * A[i][j];
                    for (std::size_t l = 0; l < N; ++l) next[i][j] += A[i][l] * P[l][j];
                }
            for (std::size_t i = 0; i < N; ++i) {
                trace += next[i][i];
                for (std::size_t j = 0; j < N; ++j) P[i][j] = next[i][j];
            }
            c[k] = -trace / double(k);
            if (!(c[k] > 0)) return false;
        }
        if constexpr (N == 4) return c[1] * c[2] * c[3] > c[3] * c[3] + c[1] * c[1] * c[4];
        return true;
    }
}

// Three states, the most frequent case: written out.
inline bool grows_slower_than(double bound, const double (&J)[3][3]) {
    const double a = bound - J[0][0], b = bound - J[1][1], c = bound - J[2][2];
    const double xy = J[0][1] * J[1][0], xz = J[0][2] * J[2][0], yz = J[1][2] * J[2][1];
    const double c1 = a + b + c, c2 = a * b + a * c + b * c - xy - xz - yz;
    const double c3 = a * (b * c - yz) - b * xz - c * xy - J[0][1] * J[1][2] * J[2][0] - J[0][2] * J[1][0] * J[2][1];
    return c1 > 0 && c2 > 0 && c3 > 0 && c1 * c2 > c3;
}

template <class System>
class Stepper {
  public:
    static constexpr std::size_t N = System::states, Q = System::quadratures, M = N + Q;
    using State = std::array<double, M>;  // states, then quadratures
    using Linearisation = Linear<N, Q>;

    // Steps from y0 at t over h, with the linearisation at (t, y0). The end is y1(), the error estimate error(). Returns
    // false if the matrix is singular or a number is not finite.
    bool step(const System& system, const Linear<N, Q>& at, double t, const State& y0, double h) {
        using R = Rodas5P;
        const double diagonal = 1 / (R::gamma * h), per_h = 1 / h;
        double W[N][N];
        for (std::size_t i = 0; i < N; ++i)
            for (std::size_t j = 0; j < N; ++j) W[i][j] = (i == j ? diagonal : 0) - at.J[i][j];
        if (!invert(W, inverse_)) return false;
        y0_ = y0;
        Vector<N> u, f;
        Vector<Q> w;
        for (std::size_t i = 0; i < N; ++i) u[i] = y0[i];
        f = at.f;
        w = at.w;
#pragma GCC unroll 8
        for (int s = 0; s < R::stages; ++s) {
            if (s > 0) {
                if (s < 6) {
                    for (std::size_t i = 0; i < N; ++i) {
                        double sum = y0[i];
                        for (int j = 0; j < s && j < 5; ++j) sum += R::a[s][j] * k_[j][i];
                        u[i] = sum;
                    }
                } else {
                    for (std::size_t i = 0; i < N; ++i) u[i] += k_[s - 1][i];
                }
                // inlined for every stage if that is fast; with a ledger it compiles slowly and is not faster
                if constexpr (Q == 0)
                    system.rates(t + R::c[s] * h, u, f, w);
                else
                    rates_apart(system, t + R::c[s] * h, u, f, w);
            }
            double b[N];
            for (std::size_t i = 0; i < N; ++i) {
                double sum = 0;
                for (int j = 0; j < s; ++j) sum += R::C[s][j] * k_[j][i];
                b[i] = f[i] + sum * per_h + R::d[s] * h * at.ft[i];
            }
            for (std::size_t i = 0; i < N; ++i) {
                double sum = 0;
                for (std::size_t j = 0; j < N; ++j) sum += inverse_[i][j] * b[j];
                k_[s][i] = sum;
            }
            for (std::size_t i = 0; i < Q; ++i) {
                double sum = 0, driven = 0;
                for (int j = 0; j < s; ++j) sum += R::C[s][j] * k_[j][N + i];
                for (std::size_t j = 0; j < N; ++j) driven += at.W[i][j] * k_[s][j];
                k_[s][N + i] = R::gamma * h * (w[i] + sum * per_h + R::d[s] * h * at.wt[i] + driven);
            }
        }
        double finite = 0;
        for (std::size_t i = 0; i < M; ++i) {
            double sum = y0[i] + k_[5][i] + k_[6][i];
            for (int j = 0; j < 5; ++j) sum += R::a[5][j] * k_[j][i];
            y1_[i] = sum + k_[7][i];
            finite += y1_[i];
        }
        return std::isfinite(finite);
    }
    const State& y1() const { return y1_; }
    double error(std::size_t i) const { return k_[7][i]; }

    // Prepares the dense output of the last step; then at(i, s) is component i at t + s h, 0 <= s <= 1.
    void interpolate() {
        for (int m = 0; m < 3; ++m)
            for (std::size_t i = 0; i < M; ++i) {
                double sum = 0;
                for (int j = 0; j < Rodas5P::stages; ++j) sum += Rodas5P::h[m][j] * k_[j][i];
                dense_[m][i] = sum;
            }
    }
    double at(std::size_t i, double s) const {
        return (1 - s) * y0_[i] + s * (y1_[i] + (1 - s) * (dense_[0][i] + s * (dense_[1][i] + s * dense_[2][i])));
    }

  private:
    [[gnu::noinline]] static void rates_apart(const System& system, double t, const Vector<N>& u, Vector<N>& f,
                                              Vector<Q>& w) {
        system.rates(t, u, f, w);
    }

    double inverse_[N][N];
    double k_[8][M];
    double dense_[3][M];
    State y0_{}, y1_{};
};

}  // namespace bristle::simulation
