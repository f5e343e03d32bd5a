// A machine with two stick-slipping contacts against CVODE (SUNDIALS) on equations written out here.
#include <bristle/simulate/machine.hpp>
#include <gtest/gtest.h>

#include <array>

#include "simulate/cvode_problem.hpp"

namespace bristle::inline simulation {
namespace {

// Two blocks on a belt, joined by a spring, the first one held by a spring to the ground: LuGre, A08 (1), (2), (4), and LuGre with the
// smooth curve K08 (43).
class TwoBlocksOnABelt {
  public:
    static constexpr double m1 = 1, m2 = 0.6, k1 = 20, k2 = 35, d2 = 0.1, belt = 0.15, sigma0 = 3000, sigma1 = 40,
                            sigma2 = 0.3, Fc = 1, Fs = 1.8, vs = 0.05, sharpness = 400, duration = 6;
    static Machine machine() {
        return {.bodies = {{.name = "first", .mass = m1}, {.name = "second", .mass = m2}},
                .motions = {{.name = "belt", .value = Input::constant(belt)}},
                .springs = {{.name = "anchor", .first = "first", .stiffness = k1},
                            {.name = "link", .first = "first", .second = "second", .stiffness = k2, .damping = d2}},
                .contacts = {{.name = "front",
                              .first = "first",
                              .second = "belt",
                              .law = LuGre{.sigma0 = sigma0,
                                           .sigma1 = sigma1,
                                           .sigma2 = sigma2,
                                           .curve = {.Fc = Fc, .Fs = Fs, .vs = vs}}},
                             {.name = "rear",
                              .first = "second",
                              .second = "belt",
                              .law = SmoothLuGre{.sigma0 = sigma0,
                                                 .sigma1 = sigma1,
                                                 .sigma2 = sigma2,
                                                 .curve = {.Fc = Fc, .Fs = Fs, .vs = vs, .c = sharpness}}}},
                .run = {.duration = duration, .rtol = 1e-10, .atol = 1e-10}};
    }
    // y = x1 v1 x2 v2 z1 z2
    static void rates(double, const double* y, double* f) {
        const double c1 = y[1] - belt, c2 = y[3] - belt;
        const double dz1 = c1 - sigma0 * std::abs(c1) / level(std::abs(c1)) * y[4];
        const double smooth = c2 * std::tanh(sharpness * c2);  // in place of |c|
        const double conductance = c2 == 0 ? 1 / (sharpness * Fs) : c2 / (level(smooth) * std::tanh(sharpness * c2));
        const double dz2 = c2 - sigma0 * conductance * y[5];
        const double link = k2 * (y[0] - y[2]) + d2 * (y[1] - y[3]);
        f[0] = y[1];
        f[1] = (-k1 * y[0] - link - (sigma0 * y[4] + sigma1 * dz1 + sigma2 * c1)) / m1;
        f[2] = y[3];
        f[3] = (link - (sigma0 * y[5] + sigma1 * dz2 + sigma2 * c2)) / m2;
        f[4] = dz1;
        f[5] = dz2;
    }

  private:
    static double level(double speed) { return Fc + (Fs - Fc) * std::exp(-(speed / vs) * (speed / vs)); }
};

void difference_jacobian(double t, const double* y, double* columns) {
    constexpr std::size_t n = 6;
    std::array<double, n> at{}, up{}, down{};
    std::copy(y, y + n, at.begin());
    for (std::size_t j = 0; j < n; ++j) {
        const double value = at[j], h = 1e-9 + 1e-7 * std::abs(value);
        at[j] = value + h;
        TwoBlocksOnABelt::rates(t, at.data(), up.data());
        at[j] = value - h;
        TwoBlocksOnABelt::rates(t, at.data(), down.data());
        at[j] = value;
        for (std::size_t i = 0; i < n; ++i) columns[j * n + i] = (up[i] - down[i]) / (2 * h);
    }
}

// Oracle: CVODE (BDF) at rtol 1e-11 on the equations above, which share no code with the machine. Tolerance: 1e-6 of the range.
TEST(MachineCvode, TwoStickSlippingContactsAgreeTo1em6) {
    if (!has_cvode()) GTEST_SKIP() << "this build has no CVODE (libsundials-dev)";
    const Result run = simulate(TwoBlocksOnABelt::machine());
    ASSERT_EQ(run.status, Status::done) << run.message;
    CvodeProblem problem{.y = std::vector<double>(6, 0),
                         .atol = {1e-12, 1e-12, 1e-12, 1e-12, 1e-15, 1e-15},
                         .rtol = 1e-11,
                         .longest = 0.05,
                         .rates = TwoBlocksOnABelt::rates,
                         .jacobian = difference_jacobian,
                         .contact_velocity = [](double, const double* y) { return y[1] - TwoBlocksOnABelt::belt; },
                         .step = [](double, double, const CvodeProblem::At&) { return true; },
                         .reversal = [](double) {}};
    Statistics statistics;
    ASSERT_EQ(run_cvode(problem, TwoBlocksOnABelt::duration, statistics), Status::done);
    const char* names[] = {"first.x", "first.v", "second.x", "second.v", "front.z", "rear.z"};
    for (std::size_t i = 0; i < 6; ++i) {
        const double range = run.measures.max.at(names[i]) - run.measures.min.at(names[i]);
        EXPECT_NEAR(run.measures.final.at(names[i]), problem.y[i], 1e-6 * range) << names[i];
    }
    int slips = 0;
    for (const Event& event : run.events) slips += event.kind == Event::Kind::stick_end;
    EXPECT_GE(slips, 4);  // both contacts stick and slip
}

}  // namespace
}  // namespace bristle::simulation
