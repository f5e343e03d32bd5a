// The control loop of machines whose contacts slide fast, against the conditions of Routh and Hurwitz.
#include "machine_equilibrium_support.hpp"

namespace bristle::machine_equilibria {
namespace {

// Oracle: Routh-Hurwitz of the polynomial of degree 5 of Geared. Tolerance: 1e-9 of the gain.
TEST(MachineSlidingLoops, LoseTheirStabilityAtTheGainOfRouthAndHurwitz) {
    double stable = 1, unstable = 1e6;
    ASSERT_TRUE(Geared::routh_stable(Geared::coefficients(stable)));
    ASSERT_FALSE(Geared::routh_stable(Geared::coefficients(unstable)));
    for (int i = 0; i < 200; ++i) {
        const double middle = 0.5 * (stable + unstable);
        (Geared::routh_stable(Geared::coefficients(middle)) ? stable : unstable) = middle;
    }
    for (const double Ki : {40.0, 10 * stable}) {
        const auto loop = sliding_loop(Geared::machine(Ki));
        ASSERT_TRUE(loop);
        EXPECT_EQ(loop->stability, Ki < stable ? Stability::stable : Stability::unstable);
        ASSERT_EQ(loop->gains.size(), 1u);
        EXPECT_EQ(loop->gains[0].controller, "servo");
        EXPECT_NEAR(loop->gains[0].largest_Ki, stable, 1e-9 * stable);
        ASSERT_EQ(loop->eigenvalues.size(), 5u);
        const auto p = Geared::coefficients(Ki);
        for (const auto& s : loop->eigenvalues) {
            std::complex<double> sum = 0;
            double size = 0;
            for (std::size_t i = 0; i < p.size(); ++i) {
                sum = sum * s + p[i];
                size = size * std::abs(s) + std::abs(p[i]);
            }
            EXPECT_LE(std::abs(sum), 1e-12 * size) << s;
        }
    }
    Machine without = Geared::machine(0);
    EXPECT_FALSE(sliding_loop(without));
}

// Oracle: Routh-Hurwitz, Ki < (Kd + sigma2 N)(Kp + k)/m, with the load N = load + k |reference - rest| of the equilibrium.
TEST(MachineSlidingLoops, HaveTheLoadOfTheEquilibriumForBothSignsOfASpring) {
    for (const double load : {3.0, 1.0})
        for (const double rest : {-0.01, 0.01})
            for (const double reference : {0.0, 0.02}) {
                const auto loop = sliding_loop(pressed_servo(load, rest, reference));
                ASSERT_TRUE(loop);
                const double N = load + 200 * std::abs(reference - rest), stable = (5 + N) * 400;
                EXPECT_NEAR(loop->gains[0].largest_Ki, stable, 1e-9 * stable) << load << ' ' << rest;
            }
    // a reference without end has no equilibrium: the load is that of the start
    Machine machine = pressed_servo(1, -0.01, 0);
    machine.controllers[0].reference = Input::sine(0, 0.02, 5, 0);
    EXPECT_NEAR(sliding_loop(machine)->gains[0].largest_Ki, 3200, 1e-5);
    machine.springs[0].rest = 0.01;
    EXPECT_NEAR(sliding_loop(machine)->gains[0].largest_Ki, 3200, 1e-5);
}

}  // namespace
}  // namespace bristle::machine_equilibria
