// scalar.hpp: dual numbers against closed forms and central differences, the functions laws may use, quotients at zero.
#include "support/oracle.hpp"
#include <gtest/gtest.h>
#include <functional>
#include <string>
#include <vector>

namespace bristle::test {

using D = Dual<double, 2>;

// ---- derivatives ---------------------------------------------------------------------------------------------------

struct Function {
    std::string name;
    std::function<D(D)> dual;
    std::function<wide(wide)> plain, slope;  // by the standard library, and by hand
};

const std::vector<Function> functions{
    {"exp", [](D x) { return exp(x); }, [](wide x) { return std::exp(x); }, [](wide x) { return std::exp(x); }},
    {"log", [](D x) { return log(x); }, [](wide x) { return std::log(x); }, [](wide x) { return 1 / x; }},
    {"tanh", [](D x) { return tanh(x); }, [](wide x) { return std::tanh(x); },
     [](wide x) { return 1 / (std::cosh(x) * std::cosh(x)); }},
    {"sin", [](D x) { return sin(x); }, [](wide x) { return std::sin(x); }, [](wide x) { return std::cos(x); }},
    {"sqrt", [](D x) { return sqrt(x); }, [](wide x) { return std::sqrt(x); },
     [](wide x) { return 1 / (2 * std::sqrt(x)); }},
    {"pow(x, 0.5)", [](D x) { return pow(x, 0.5); }, [](wide x) { return std::sqrt(x); },
     [](wide x) { return 1 / (2 * std::sqrt(x)); }},
    {"pow(x, 1.7)", [](D x) { return pow(x, 1.7); }, [](wide x) { return std::pow(x, wide(1.7)); },
     [](wide x) { return wide(1.7) * std::pow(x, wide(1.7) - 1); }},
    {"pow(2, x)", [](D x) { return pow(D(2), x); }, [](wide x) { return std::exp2(x); },
     [](wide x) { return std::exp2(x) * std::log(wide(2)); }},
    {"pow(x, x)", [](D x) { return pow(x, x); }, [](wide x) { return std::pow(x, x); },
     [](wide x) { return std::pow(x, x) * (std::log(x) + 1); }},
    {"abs", [](D x) { return abs(x); }, [](wide x) { return std::fabs(x); }, [](wide x) { return sgn(x); }},
    {"-x", [](D x) { return -x; }, [](wide x) { return -x; }, [](wide) { return wide(-1); }},
    {"x + x^2", [](D x) { return x + x * x; }, [](wide x) { return x + x * x; }, [](wide x) { return 1 + 2 * x; }},
    {"x/(1 + x)", [](D x) { return x / (D(1) + x); }, [](wide x) { return x / (1 + x); },
     [](wide x) { return 1 / ((1 + x) * (1 + x)); }},
    {"3/x", [](D x) { return 3.0 / x; }, [](wide x) { return 3 / x; }, [](wide x) { return -3 / (x * x); }},
    {"x/3", [](D x) { return x / 3.0; }, [](wide x) { return x / 3; }, [](wide) { return wide(1) / 3; }},
    {"5 - x", [](D x) { return 5.0 - x; }, [](wide x) { return 5 - x; }, [](wide) { return wide(-1); }},
    {"x - 5", [](D x) { return x - 5.0; }, [](wide x) { return x - 5; }, [](wide) { return wide(1); }},
    {"2 x + 1", [](D x) { return 1.0 + 2.0 * x; }, [](wide x) { return 2 * x + 1; }, [](wide) { return wide(2); }},
    {"x *= x, += x, -= 1",
     [](D x) {
         D y = x;
         y *= x;
         y += x;
         y -= D(1);
         return y;
     },
     [](wide x) { return x * x + x - 1; }, [](wide x) { return 2 * x + 1; }},
};

// Tolerance: 8 units of rounding; a value and its slope take some operations, each accurate to one unit. The slopes of
// sin and tanh come from numbers near 1 and have an absolute error.
TEST(Dual, ValueAndSlopeOfEveryFunctionEqualLongDouble) {
    for (const auto& f : functions)
        for (const double at : {1e-9, 1e-3, 0.04, 0.3, 0.999, 1.7, 4.2, 20.0}) {
            const D y = f.dual(D::variable(at, 1));
            const wide scale = 1 + at;  // sums of both signs: relative to their terms
            EXPECT_NEAR(double(num(y) - f.plain(at)), 0,
                        8e-16 * double(std::fabs(f.plain(at)) + (f.name[0] == 'x' ? scale : 0)))
                << f.name << " at " << at;
            EXPECT_NEAR(double(y.d[1] - f.slope(at)), 0,
                        2e-15 * double(std::fabs(f.slope(at)) + (f.name == "sin" || f.name == "tanh" ? 1 : 0)))
                << f.name << " at " << at;
            EXPECT_EQ(y.d[0], 0) << f.name << ": the other direction is not affected";
        }
}

// Oracle: central differences in long double. Tolerance: 1e-10, the square of the cube root of its rounding.
TEST(Dual, SlopesAgreeWithCentralDifferences) {
    for (const auto& f : functions)
        for (const double at : {0.04, 0.3, 1.7, 4.2}) {
            const wide h = 1e-6L * at, difference = (f.plain(at + h) - f.plain(at - h)) / (2 * h);
            EXPECT_NEAR(f.dual(D::variable(at)).d[0], double(difference), 1e-9 * (1 + std::fabs(double(difference))))
                << f.name << " at " << at;
        }
}

// Oracle: partial derivatives by hand. Tolerance: rounding.
TEST(Dual, DifferentiatesTwoVariablesAtOnce) {
    const D x = D::variable(1.5, 0), y = D::variable(-0.7, 1), f = x * y + exp(x / y) - y / x;
    const double e = std::exp(1.5 / -0.7);
    EXPECT_NEAR(f.d[0], -0.7 + e / -0.7 + -0.7 / (1.5 * 1.5), 1e-15);
    EXPECT_NEAR(f.d[1], 1.5 - e * 1.5 / 0.49 - 1 / 1.5, 2e-15);
}

// Oracle: tanh'' = -2 t (1 - t^2) and (x^2.5)'' by hand.
TEST(Dual, NestedDualsGiveSecondDerivatives) {
    using DD = Dual<Dual<double, 1>, 1>;
    const double at = 0.3, t = std::tanh(at);
    DD x{Dual<double, 1>::variable(at)};
    x.d[0] = Dual<double, 1>(1);
    const DD y = tanh(x);
    EXPECT_DOUBLE_EQ(y.v.v, t);
    EXPECT_DOUBLE_EQ(y.v.d[0], 1 - t * t);
    EXPECT_DOUBLE_EQ(y.d[0].v, 1 - t * t);
    EXPECT_DOUBLE_EQ(y.d[0].d[0], -2 * t * (1 - t * t));
    const DD p = pow(x, Dual<double, 1>(2.5));
    EXPECT_NEAR(p.d[0].d[0], 2.5 * 1.5 * std::sqrt(at), 1e-15);
    EXPECT_EQ(value(p), std::pow(at, 2.5));
}

// d|x|/dx = +1 at 0, and pow is finite there for every exponent: a law evaluates 0^alpha in every start from rest.
TEST(Dual, SlopeAtKinksIsTheLimitFromAbove) {
    EXPECT_EQ(abs(D::variable(0.0)).d[0], 1);
    EXPECT_EQ(abs(D::variable(-0.0)).d[0], 1);
    for (const double alpha : {0.5, 0.75, 1.0, 1.5, 2.0}) {
        const D p = pow(D::variable(0.0), alpha), q = pow(D::variable(0.0), D::variable(alpha, 1));
        for (const D& y : {p, q}) {
            EXPECT_EQ(y.v, 0);
            EXPECT_TRUE(std::isfinite(y.d[0]) && std::isfinite(y.d[1]));
        }
    }
}

TEST(Dual, IsOrderedByItsValue) {
    const D a = D::variable(1.0), b = D(2.0);
    EXPECT_TRUE(a < b && b > a && a <= b && b >= a && a <= D(1.0) && a >= D(1.0) && a == D(1.0) && !(a == b));
    EXPECT_EQ(smaller(a, b).d[0], 1);
    EXPECT_EQ(larger(a, b).d[0], 0);
}

// ---- plain functions -----------------------------------------------------------------------------------------------

TEST(Scalar, AbsSignAndSideHandleZeroAndNan) {
    const double nan = std::nan("");
    EXPECT_EQ(bristle::abs(-2.0), 2);
    EXPECT_FALSE(std::signbit(bristle::abs(-0.0)));
    EXPECT_TRUE(std::isnan(bristle::abs(nan)));
    EXPECT_EQ(side(0.0), 1);
    EXPECT_EQ(side(-0.0), 1);
    EXPECT_EQ(side(-1e-300), -1);
    EXPECT_EQ(sign0(0.0), 0);
    EXPECT_EQ(sign0(-3.0), -1);
    EXPECT_EQ(sign0(3.0), 1);
    EXPECT_TRUE(bristle::isfinite(1e308) && !bristle::isfinite(nan) && !bristle::isfinite(-INFINITY));
    EXPECT_TRUE(isfinite(D(1.0)) && !isfinite(D(nan)));
    EXPECT_TRUE(std::isnan(unset<double>()) && std::isnan(value(unset<D>())));
}

TEST(Scalar, SelectComputesBothSidesAndChooseOne) {
    EXPECT_EQ(select(true, 1.0, 2.0), 1);
    EXPECT_EQ(select(false, 1.0, 2.0), 2);
    int calls = 0;
    const auto count = [&](double x) {
        ++calls;
        return x;
    };
    EXPECT_EQ(choose(
                  true, [&] { return count(1); }, [&] { return count(2); }),
              1);
    EXPECT_EQ(calls, 1);
}

static_assert(std::same_as<plain<Dual<Dual<float, 1>, 3>>, float>);
static_assert(std::same_as<decltype(exp(1.f)), float>);

// ---- quotients that are exact at zero ------------------------------------------------------------------------------

// tanh(y)/y and y/tanh(y) on both sides of the switch from series to quotient. Tolerance: 4 units of rounding, 1 at 0.
template <class T>
void expect_exact_quotients() {
    for (int i = -600; i <= 200; ++i) {
        const T y = T(std::pow(10.0, i / 100.0)), t = std::tanh(y);
        const wide exact = std::tanh(wide(y)) / wide(y);
        for (const T s : {T(1), T(-1)}) {
            ASSERT_LE(rounding<T>(tanhc(s * y, s * t), exact), 4) << y;
            ASSERT_LE(rounding<T>(y_over_tanh(s * y, s * t), 1 / exact), 4) << y;
        }
    }
    EXPECT_EQ(tanhc(T(0), T(0)), 1);
    EXPECT_EQ(y_over_tanh(T(0), T(0)), 1);
}
TEST(Quotients, EqualLongDoubleAsYTendsToZero) {
    expect_exact_quotients<double>();
    expect_exact_quotients<float>();
}

// Oracle: d(tanh y/y)/dy = (sech^2 y - tanh y/y)/y; near 0 the slope of the series, -2 y/3.
TEST(Quotients, SlopesEqualTheClosedForms) {
    for (const double y : {1e-8, 1e-3, 0.049, 0.051, 0.099, 0.101, 1.0, 3.0}) {
        const wide Y = y, t = std::tanh(Y), sech2 = 1 / (std::cosh(Y) * std::cosh(Y));
        const wide slope = y < 1e-2 ? -2 * Y / 3 + 8 * Y * Y * Y / 15 : (sech2 - t / Y) / Y;
        const D x = D::variable(y);
        EXPECT_NEAR(tanhc(x, tanh(x)).d[0], double(slope), 1e-13 * std::fabs(double(slope)) + 1e-15) << y;
        const wide inverse = -slope * (Y / t) * (Y / t);
        EXPECT_NEAR(y_over_tanh(x, tanh(x)).d[0], double(inverse), 1e-13 * std::fabs(double(inverse)) + 1e-15) << y;
    }
    EXPECT_EQ(tanhc(D::variable(0.0), D::variable(0.0)).d[0], 0);
}

}  // namespace bristle::test
