// Simulated position of an axis: derivatives against central differences, and the motion against an independent integrator.
#include <gtest/gtest.h>

#include "identify/response/axis_motion.hpp"

#include <array>
#include <cmath>
#include <numeric>

namespace bristle {
namespace {

AnyLaw law_with(const std::string& kind) {
    AnyLaw law = law_of_kind(kind).value();
    std::vector<double> numbers;
    for (const LawNumber& n : numbers_of_law(law)) {
        const std::string name = n.parameter.name;
        numbers.push_back(name == "Fc"       ? 0.03
                          : name == "Fs"     ? 0.04
                          : name == "vs"     ? 0.6
                          : name == "alpha"  ? 2
                          : name == "sigma0" ? 8
                          : name == "sigma1" ? 0.05
                          : name == "sigma2" ? 0.006
                          : name == "kc"     ? 0.1
                          : name == "ks"     ? 0.14
                                             : example_of(n.parameter, n.value));
    }
    return with_numbers(law, numbers);
}

// A pendulum that a voltage swings from one side to the other, with reversals and a part with the drive off.
class Pendulum {
  public:
    static constexpr std::size_t samples = 160;
    Pendulum() : u(samples), off(samples, 0), rows(samples * (1 + pass_width)) {
        for (std::size_t i = 0; i < samples; ++i)
            u[i] = 3 * std::sin(0.05 * double(i)) + 1.5 * std::sin(0.021 * double(i));
        std::fill(off.begin() + 120, off.end(), std::uint8_t(1));
    }
    // all: numbers of the law, then inertia, gravity, gravity_cos, offset, gain, back_emf, x0, v0
    const std::vector<double>& run(const AnyLaw& law, std::span<const double> all,
                                   const std::vector<std::size_t>& wanted, int substeps) {
        const std::size_t n = numbers_of_law(law).size();
        AxisColumns columns;
        columns.of_parameter.assign(n, -1);
        int* const of_axis[] = {&columns.inertia, &columns.gravity,  &columns.gravity_cos, &columns.offset,
                                &columns.gain,    &columns.back_emf, &columns.x0,          &columns.v0};
        for (std::size_t c = 0; c < wanted.size(); ++c)
            (wanted[c] < n ? columns.of_parameter[wanted[c]] : *of_axis[wanted[c] - n]) = int(c);
        const double* a = all.data() + n;
        const AxisNumbers axis{a[0], a[1], a[2], a[3], a[4], a[5]};
        const AxisSegment segment{5e-3, u, off, {}, a[6], a[7], 0.02, substeps};
        axis_function(law)(with_numbers(law, all.first(n)), axis, columns, segment, rows.data());
        return rows;
    }
    std::vector<double> u;
    std::vector<std::uint8_t> off;
    std::vector<double> rows;
};

std::vector<double> all_numbers(const AnyLaw& law) {
    std::vector<double> all;
    for (const LawNumber& n : numbers_of_law(law)) all.push_back(n.value);
    for (const double x : {0.0067, 0.48, 0.014, 0.003, 0.13, 0.36, 0.3, 0.8}) all.push_back(x);
    return all;
}

class DerivativesOfAnAxis : public testing::TestWithParam<const char*> {};

// Oracle: central differences of the same simulation with a step of 3e-6 of each number; they agree to the rounding of the
// difference, about 1e-16/3e-6, times the 480 sub-steps, and to the cube of the step.
TEST_P(DerivativesOfAnAxis, AgreeWithCentralDifferences) {
    const AnyLaw law = law_with(GetParam());
    const std::vector<double> all = all_numbers(law);
    Pendulum pendulum;
    for (std::size_t first = 0; first < all.size(); first += axis_pass_width) {
        std::vector<std::size_t> wanted(std::min(axis_pass_width, all.size() - first));
        std::iota(wanted.begin(), wanted.end(), first);
        const std::vector<double> exact = pendulum.run(law, all, wanted, 3);
        for (std::size_t c = 0; c < wanted.size(); ++c) {
            const double h = 3e-6 * std::abs(all[wanted[c]]);
            std::vector<double> up = all, down = all;
            up[wanted[c]] += h;
            down[wanted[c]] -= h;
            const std::vector<double> high = pendulum.run(law, up, {}, 3), low = pendulum.run(law, down, {}, 3);
            double largest = 0, error = 0;
            for (std::size_t i = 0; i < Pendulum::samples; ++i) {
                const double difference = (high[i * (1 + pass_width)] - low[i * (1 + pass_width)]) / (2 * h);
                largest = std::max(largest, std::abs(difference));
                error = std::max(error, std::abs(difference - exact[i * (1 + pass_width) + 1 + c]));
            }
            EXPECT_LE(error, 1e-6 * largest + 1e-9) << "number " << wanted[c] << " of " << GetParam();
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Laws, DerivativesOfAnAxis,
                         testing::Values("coulomb", "stribeck", "lugre", "gear", "lugre_gear"),
                         [](const auto& law) { return std::string(law.param); });

// Oracle: Runge-Kutta of order 4 with 20 000 steps per second on the equations of LuGre, written out here.
// Tolerance: 40 sub-steps per sample, second order; the load is taken at the start of a sub-step of 0.125 ms.
TEST(MotionOfAnAxis, WithLuGreGearFrictionFollowsTheDifferentialEquation) {
    const AnyLaw law = law_with("lugre_gear");
    const std::vector<double> all = all_numbers(law);
    Pendulum pendulum;
    const std::vector<double> rows = pendulum.run(law, all, {}, 40);
    const auto number = [&](const char* name) {
        for (const LawNumber& n : numbers_of_law(law))
            if (std::string_view(n.parameter.name) == name) return n.value;
        return 0.0;
    };
    const double* a = all.data() + numbers_of_law(law).size();
    using State = std::array<double, 3>;  // x, v, z
    const auto rate = [&](const State& s, double u, bool off) -> State {
        const auto [x, v, z] = s;
        const double motor = off ? 0 : a[4] * (u - a[5] * v), weight = a[1] * std::sin(x) + a[2] * std::cos(x);
        const double N = std::abs(motor + weight), e = std::exp(-std::pow(v / number("vs"), 2));
        const double level = (number("Fc") + number("kc") * N) * (1 - e) + (number("Fs") + number("ks") * N) * e;
        const double dz = v - number("sigma0") * std::abs(v) / level * z;
        const double F = number("sigma0") * z + number("sigma1") * dz + number("sigma2") * v;
        return {v, (motor - weight - a[3] - F) / a[0], dz};
    };
    State s{a[6], a[7], 0.02 / number("sigma0")};
    double error = 0;
    constexpr int steps = 100;
    for (std::size_t i = 0; i + 1 < Pendulum::samples; ++i) {
        const double h = 5e-3 / steps;
        for (int k = 0; k < steps; ++k) {
            const auto at = [&](double f) { return pendulum.u[i] + f * (pendulum.u[i + 1] - pendulum.u[i]); };
            const auto moved = [&](const State& d, double by) {
                return State{s[0] + by * d[0], s[1] + by * d[1], s[2] + by * d[2]};
            };
            const bool off = pendulum.off[i + 1];
            const State k1 = rate(s, at(double(k) / steps), off),
                        k2 = rate(moved(k1, h / 2), at((k + 0.5) / steps), off);
            const State k3 = rate(moved(k2, h / 2), at((k + 0.5) / steps), off),
                        k4 = rate(moved(k3, h), at((k + 1.0) / steps), off);
            for (std::size_t j = 0; j < 3; ++j) s[j] += h / 6 * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]);
        }
        error = std::max(error, std::abs(s[0] - rows[(i + 1) * (1 + pass_width)]));
    }
    EXPECT_LT(error, 1e-4);
}

TEST(MotionOfAnAxis, IsAvailableForLawsWithOneUnknownPerStep) {
    EXPECT_EQ(axis_function(law_of_kind("hysteretic").value()), nullptr);
    EXPECT_EQ(axis_function(law_of_kind("maxwell_slip").value()), nullptr);
    EXPECT_NE(axis_function(law_of_kind("elastoplastic").value()), nullptr);
}

}  // namespace
}  // namespace bristle
