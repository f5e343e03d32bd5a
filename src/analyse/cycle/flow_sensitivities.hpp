// The variational equation along a motion, integrated step by step with the solver. Equations: flow.hpp.
#pragma once
#include <optional>

#include "analyse/cycle/flow_mode.hpp"
#include "simulate/integrate.hpp"

namespace bristle::inline analysis::cycle {

// Radau IIA, three stages: order 5, L-stable; the last node is the end of the step.
struct Radau {
    static constexpr int stages = 3;
    static constexpr double root6 = 2.449489742783178098197284;
    static constexpr double c[3] = {(4 - root6) / 10, (4 + root6) / 10, 1};
    static constexpr double a[3][3] = {{(88 - 7 * root6) / 360, (296 - 169 * root6) / 1800, (-2 + 3 * root6) / 225},
                                       {(296 + 169 * root6) / 1800, (88 + 7 * root6) / 360, (-2 - 3 * root6) / 225},
                                       {(16 - root6) / 36, (16 + root6) / 36, 1.0 / 9}};
};

// Solves A X = B in place for `columns` right-hand sides, by elimination with row pivots. Returns false if A is singular.
// Ours and not Eigen: size fixed at compile time, no heap, called in every step of a motion.
template <std::size_t n, std::size_t wide>
bool eliminate(double (&A)[n][n], double (&B)[n][wide], std::size_t columns) {
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t p = k;
        for (std::size_t i = k + 1; i < n; ++i)
            if (std::abs(A[i][k]) > std::abs(A[p][k])) p = i;
        if (!(std::abs(A[p][k]) > 0)) return false;
        if (p != k) {
            std::swap(A[p], A[k]);
            std::swap(B[p], B[k]);
        }
        const double scale = 1 / A[k][k];
        for (std::size_t i = k + 1; i < n; ++i) {
            if (A[i][k] == 0) continue;
            const double f = A[i][k] * scale;
            for (std::size_t j = k + 1; j < n; ++j) A[i][j] -= f * A[k][j];
            for (std::size_t j = 0; j < columns; ++j) B[i][j] -= f * B[k][j];
        }
    }
    for (std::size_t k = n; k-- > 0;) {
        for (std::size_t j = 0; j < columns; ++j) {
            double sum = B[k][j];
            for (std::size_t i = k + 1; i < n; ++i) sum -= A[k][i] * B[i][j];
            B[k][j] = sum / A[k][k];
        }
    }
    return true;
}

template <class System>
class Sensitivities {
  public:
    static constexpr std::size_t N = System::N, max_parameters = 2, wide = N + max_parameters;
    using Vector = bristle::Vector<N>;

    // The system below and above a parameter value; width: difference of the parameter.
    struct Difference {
        System below, above;
        double width;
    };

    // nominal: sizes of the states, for differences of guards. At most max_parameters differences.
    Sensitivities(const System& system, std::vector<Difference> differences, const Vector& nominal)
        : system_(system), before_(system), differences_(std::move(differences)), nominal_(nominal) {
        for (std::size_t i = 0; i < N; ++i) S[i][i] = 1;
    }

    double S[N][wide]{};  // dy/dy0, then dy/dp, one column for each parameter
    double heat = 0;      // dissipated energy [J]

    template <class Stepper>
    bool step(const Stepper& stepper, double t, double h) {
        if constexpr (jumps<std::remove_cvref_t<decltype(system_.friction.law)>>) {
            Vector y;
            for (std::size_t i = 0; i < N; ++i) y[i] = stepper.at(i, 0);
            if (started_) saltate(t, y);
            started_ = true;
        }
        follow_mode();
        return collocate(stepper, t, h);
    }
    // Copies the present mode to the systems of the differences.
    void follow_mode() {
        for (Difference& d : differences_) {
            take_mode(d.below.friction, system_.friction);
            take_mode(d.above.friction, system_.friction);
        }
    }

    // (f(above) - f(below))/width for parameter k, in the present mode.
    void by_parameter(std::size_t k, double t, const Vector& y, Vector& out) const {
        Vector low, high;
        std::array<double, 0> none;
        differences_[k].below.rates(t, y, low, none);
        differences_[k].above.rates(t, y, high, none);
        for (std::size_t i = 0; i < N; ++i) out[i] = (high[i] - low[i]) / differences_[k].width;
    }

  private:
    std::size_t columns() const { return N + differences_.size(); }

    // K_i = J_i (S + h sum_j a_ij K_j) + f_p,i, then S + h sum_j a_3j K_j
    template <class Stepper>
    bool collocate(const Stepper& stepper, double t, double h) {
        constexpr int s = Radau::stages;
        double A[s * N][s * N], K[s * N][wide];
        for (int m = 0; m < s; ++m) {
            Vector y;
            for (std::size_t i = 0; i < N; ++i) y[i] = m == s - 1 ? stepper.y1()[i] : stepper.at(i, Radau::c[m]);
            const double at = t + Radau::c[m] * h;
            Linear<N, 0> linear;
            system_.linearise(at, y, linear);
            heat += h * Radau::a[2][m] * power(at, y);
            const std::size_t row = std::size_t(m) * N;
            for (std::size_t i = 0; i < N; ++i) {
                for (int n = 0; n < s; ++n)
                    for (std::size_t j = 0; j < N; ++j)
                        A[row + i][std::size_t(n) * N + j] =
                            (m == n && i == j ? 1 : 0) - h * Radau::a[m][n] * linear.J[i][j];
                for (std::size_t j = 0; j < columns(); ++j) {
                    double sum = 0;
                    for (std::size_t l = 0; l < N; ++l) sum += linear.J[i][l] * S[l][j];
                    K[row + i][j] = sum;
                }
            }
            for (std::size_t k = 0; k < differences_.size(); ++k) {
                Vector by;
                by_parameter(k, at, y, by);
                for (std::size_t i = 0; i < N; ++i) K[row + i][N + k] += by[i];
            }
        }
        if (!eliminate(A, K, columns())) return false;
        for (std::size_t i = 0; i < N; ++i)
            for (std::size_t j = 0; j < columns(); ++j)
                for (int m = 0; m < s; ++m) S[i][j] += h * Radau::a[2][m] * K[std::size_t(m) * N + i][j];
        return true;
    }

    // Dissipated power F c - dH/dt [W].
    double power(double t, const Vector& y) const {
        const Moment at = system_.moment(t, y);
        const auto z = parts::part<System::n, double>(y, System::contact);
        auto a = system_.friction.answer(z, at.c, at.load);
        if (system_.friction.held()) {
            a.force = at.hold;
            if constexpr (requires { system_.friction.held_rate(z, at.c, a.force, at.hold_rate, at.load); })
                a.rate = system_.friction.held_rate(z, at.c, a.force, at.hold_rate, at.load);
        }
        return a.force * at.c - system_.friction.stored_power(z, a.rate, at.load);
    }

    static double guard(const System& system, int i, double t, const Vector& y) {
        return system.friction.guard(i, parts::part<System::n, double>(y, System::contact), system.moment(t, y));
    }
    // Applies the jumps of S at y for all changes of mode since the previous step.
    void saltate(double t, const Vector& y) {
        for (int passed = passed_guard(before_.friction, system_.friction); passed >= 0;
             passed = passed_guard(before_.friction, system_.friction))
            jump_at(passed, t, y);
        take_mode(before_.friction, system_.friction);
    }
    void jump_at(int passed, double t, const Vector& y) {
        std::array<double, 0> none;
        Vector f_before, f_after, slope;
        double of_guard[wide]{};  // derivative of the guard by the start, then by each parameter
        before_.rates(t, y, f_before, none);
        for (std::size_t i = 0; i < N; ++i) {
            const double d = 1e-5 * nominal_[i];
            Vector low = y, high = y;
            low[i] -= d;
            high[i] += d;
            slope[i] = (guard(before_, passed, t, high) - guard(before_, passed, t, low)) / (high[i] - low[i]);
        }
        for (std::size_t k = 0; k < differences_.size(); ++k) of_guard[N + k] = by_guard(k, passed, t, y);
        pass_guard(before_.friction, passed, system_.friction);
        before_.rates(t, y, f_after, none);

        double along = 0, largest = 0;
        for (std::size_t i = 0; i < N; ++i) {
            along += slope[i] * f_before[i];
            largest = std::max(largest, std::abs(f_after[i] - f_before[i]));
            for (std::size_t j = 0; j < columns(); ++j) of_guard[j] += slope[i] * S[i][j];
        }
        if (!(largest > 0) || along == 0) return;
        for (std::size_t i = 0; i < N; ++i)
            for (std::size_t j = 0; j < columns(); ++j) S[i][j] += (f_after[i] - f_before[i]) * (of_guard[j] / along);
    }
    double by_guard(std::size_t k, int i, double t, const Vector& y) {
        Difference& d = differences_[k];
        take_mode(d.below.friction, before_.friction);
        take_mode(d.above.friction, before_.friction);
        return (guard(d.above, i, t, y) - guard(d.below, i, t, y)) / d.width;
    }

    const System& system_;
    System before_;  // in the mode of the previous step
    bool started_ = false;
    std::vector<Difference> differences_;
    Vector nominal_;
};

}  // namespace bristle::analysis::cycle
