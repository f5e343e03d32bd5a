// Incomplete gamma function: a series below a + 1, a continued fraction above (Abramowitz and Stegun 6.5.29 and 6.5.31).
#include "numerics/chi_square.hpp"

#include <cmath>
#include <limits>

namespace bristle::numerics {

namespace {

constexpr int max_terms = 10000;
constexpr double accuracy = 1e-16;

// P(a, x) = x^a e^-x/Gamma(a + 1) (1 + x/(a + 1) + x^2/((a + 1)(a + 2)) + ...)
double lower_series(double a, double x, double factor) {
    double term = 1 / a, sum = term;
    for (int n = 1; n < max_terms && term > accuracy * sum; ++n) {
        term *= x / (a + n);
        sum += term;
    }
    return factor * sum;
}

// Q(a, x) = x^a e^-x/Gamma(a) 1/(x + 1 - a - 1 (1 - a)/(x + 3 - a - 2 (2 - a)/(x + 5 - a - ...))), by the method of Lentz.
double upper_fraction(double a, double x, double factor) {
    constexpr double tiny = 1e-300;
    double b = x + 1 - a, c = 1 / tiny, d = 1 / b, fraction = d;
    for (int n = 1; n < max_terms; ++n) {
        const double numerator = -n * (n - a);
        b += 2;
        d = numerator * d + b;
        if (std::abs(d) < tiny) d = tiny;
        c = b + numerator / c;
        if (std::abs(c) < tiny) c = tiny;
        d = 1 / d;
        fraction *= d * c;
        if (std::abs(d * c - 1) < accuracy) break;
    }
    return factor * fraction;
}

}  // namespace

double upper_gamma(double a, double x) {
    if (!(a > 0) || !(x >= 0)) return std::numeric_limits<double>::quiet_NaN();
    if (x == 0) return 1;
    if (std::isinf(x)) return 0;
    const double factor = std::exp(a * std::log(x) - x - std::lgamma(a));
    return x < a + 1 ? 1 - lower_series(a, x, factor) : upper_fraction(a, x, factor);
}

double chi_square_tail(double x, double degrees) { return upper_gamma(0.5 * degrees, 0.5 * x); }

}  // namespace bristle::numerics
