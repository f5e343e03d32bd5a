// Integrator of the referee: one step of the explicit Runge-Kutta pair 5(4) of Dormand and Prince (1980), with the
// interpolation of order 4 of Hairer, Norsett and Wanner (Solving Ordinary Differential Equations I, II.6).
#pragma once
#include "referee_rig.hpp"

namespace referee {

class Step {
  public:
    State y0{}, y1{};
    double t0 = 0, h = 0;
    long evaluations = 0;

    void begin(const Rig& rig, double t, const State& y) {
        t0 = t;
        y0 = y;
        rig.rates(t, y, k_[0]);
        ++evaluations;
    }
    // Continues from the end of the last step, inside a smooth interval.
    void follow(double t) {
        t0 = t;
        y0 = y1;
        k_[0] = k_[6];
    }
    // Steps from y0 over h; y1 and the slopes are those of the last call.
    void take(const Rig& rig, double over) {
        h = over;
        n_ = rig.states;
        stage(rig, 1, 1. / 5, {1. / 5});
        stage(rig, 2, 3. / 10, {3. / 40, 9. / 40});
        stage(rig, 3, 4. / 5, {44. / 45, -56. / 15, 32. / 9});
        stage(rig, 4, 8. / 9, {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729});
        stage(rig, 5, 1, {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656});
        stage(rig, 6, 1, {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84});
        evaluations += 6;
    }
    // Returns the largest error over the states, in units of the scale.
    double error(const State& smallest, double tolerance) const {
        constexpr double e[] = {71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40};
        double worst = 0;
        for (std::size_t i = 0; i < n_; ++i) {
            double sum = 0;
            for (std::size_t s = 0; s < 7; ++s) sum += e[s] * k_[s][i];
            const double scale = tolerance * (smallest[i] + std::max(std::abs(y0[i]), std::abs(y1[i])));
            const double fraction = std::abs(h * sum) / scale;
            if (!(fraction <= worst)) worst = fraction;  // takes a NaN too
        }
        return worst;
    }
    // Returns the states at a fraction of the step.
    void at(double fraction, State& y) const {
        constexpr double d[] = {-12715105075. / 11282082432,  0,
                                87487479700. / 32700410799,   -10690763975. / 1880347072,
                                701980252875. / 199316789632, -1453857185. / 822651844,
                                69997945. / 29380423};
        const double rest = 1 - fraction;
        for (std::size_t i = 0; i < n_; ++i) {
            const double rise = y1[i] - y0[i], bend = h * k_[0][i] - rise;
            double last = 0;
            for (std::size_t s = 0; s < 7; ++s) last += d[s] * k_[s][i];
            y[i] =
                y0[i] + fraction * (rise + rest * (bend + fraction * (rise - h * k_[6][i] - bend + rest * h * last)));
        }
    }

  private:
    void stage(const Rig& rig, std::size_t s, double fraction, std::initializer_list<double> weights) {
        y1 = y0;
        for (std::size_t i = 0; i < n_; ++i) {
            double sum = 0;
            std::size_t j = 0;
            for (const double w : weights) sum += w * k_[j++][i];
            y1[i] = y0[i] + h * sum;
        }
        rig.rates(t0 + fraction * h, y1, k_[s]);
    }
    std::size_t n_ = 0;
    std::array<State, 7> k_{};
};

}  // namespace referee
