// Response of every law of the catalogue along a motion: force and derivatives.
#include "identify/response/response.hpp"

#include "../synthetic.hpp"
#include "identify/fit/problem.hpp"
#include "identify/fit/start.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace bristle::inline identification {
namespace {

// Force of each sample, and the derivatives of one pass, sample by sample.
struct Response {
    std::vector<double> force, J;
    std::size_t width;
    std::vector<double> column(std::size_t c) const {
        std::vector<double> out;
        for (std::size_t i = 0; i < force.size(); ++i) out.push_back(J[i * width + c]);
        return out;
    }
};
Response respond(const AnyLaw& law, const PassColumns& columns, double gap, const ContactMotion& motion) {
    const Pass pass = pass_of(law);
    const std::size_t n = motion.x.size();
    Response out{std::vector<double>(n), std::vector<double>(n * pass.width), pass.width};
    std::vector<std::size_t> places(pass.width);
    std::iota(places.begin(), places.end(), std::size_t(0));
    pass.respond(law, columns, gap, motion, {out.force.data(), out.J.data(), pass.width, places});
    return out;
}

struct Motion {
    std::vector<double> dt, x, v, load;
    ContactMotion view() const { return {dt, x, v, load}; }
};
double time_of(std::size_t i) { return 1e-3 * double(i) + 0.2e-3; }
double position(double t) { return 4e-3 * std::sin(17 * t) + 2e-4 * std::sin(71 * t + 1) + 2e-5 * std::sin(203 * t); }
double velocity(double t) {
    return 4e-3 * 17 * std::cos(17 * t) + 2e-4 * 71 * std::cos(71 * t + 1) + 2e-5 * 203 * std::cos(203 * t);
}
// 400 samples at 1 kHz with reversals: amplitudes of 4 mm (sliding), 0.2 mm and 20 um (presliding); no sample has v = 0.
Motion motion(bool with_load) {
    Motion out;
    for (std::size_t i = 0; i < 400; ++i) {
        const double t = time_of(i);
        out.dt.push_back(1e-3);
        out.x.push_back(position(t));
        out.v.push_back(velocity(t));
        if (with_load) out.load.push_back(0.9 + 0.3 * std::sin(11 * t));
    }
    return out;
}

// A law of each kind with numbers of a linear axis, in which every parameter changes the force along the motion.
AnyLaw law_of(std::string_view kind, bool own_directions) {
    StaticStage stage;
    stage.positive = {.Fc = 20, .Fs = 30, .vs = 8e-3, .sigma2 = 60};
    stage.negative = own_directions ? StaticCurve{.Fc = 24, .Fs = 29, .vs = 1.1e-2, .sigma2 = 90} : stage.positive;
    AnyLaw law = start_law(kind, stage, 2e5, own_directions, 1);
    if (kind == "maxwell_slip")
        std::visit(
            [&]<class Law>(Law& l) {
                if constexpr (requires { l.nu; }) {
                    l.size = 3;
                    for (int i = 0; i < 3; ++i) {
                        l.k[i] = 2e5 / (1 + 3 * i);
                        l.nu[i] = (3 + i) / 12.0;
                    }
                    l.C = 2e4;
                }
            },
            law);
    return law;
}
std::vector<double> values_of(const AnyLaw& law) {
    std::vector<double> out;
    for (const LawNumber& number : numbers_of_law(law)) out.push_back(number.value);
    return out;
}
bool can_have_directions(std::string_view kind) {
    return numbers_of_law(law_of(kind, true)).size() > numbers_of_law(law_of(kind, false)).size();
}
bool takes_load(std::string_view kind) { return neutral_load_of(law_of_kind(kind).value()) == 0; }

std::vector<double> force_of(const AnyLaw& law, double gap, const Motion& motion) {
    PassColumns none;
    none.of_parameter.assign(values_of(law).size(), -1);
    return respond(law, none, gap, motion.view()).force;
}

// Compares one column of derivatives with difference quotients of `at(x)` (forces of all samples).
// Rule: a sample is left out if the two quotients, with step h and h/2, differ by more than 1e-8 of the largest one: a kink (an element
// begins to slip, the contact leaves the gap) lies within the step. At most 2 % of the samples may be left out.
// Tolerance: 1e-7 of the largest derivative of the column, as the issue asks.
template <class At>
void expect_column(const std::vector<double>& found, const At& at, double x, double h, const std::string& what) {
    const auto quotient = [&](double step) {
        const auto up = at(x + step), down = at(x - step);
        std::vector<double> out(up.size());
        for (std::size_t i = 0; i < up.size(); ++i) out[i] = (up[i] - down[i]) / (2 * step);
        return out;
    };
    const auto wide = quotient(h), narrow = quotient(h / 2);
    double largest = 0;
    for (const double d : narrow) largest = std::max(largest, std::fabs(d));
    // without effect along this motion: stiction while sliding, the scale of a smooth branch that is not chosen
    if ((what.starts_with("coulomb") && what.find(": Fs") != std::string::npos) || what.ends_with("a_scale")) {
        for (const double d : found) ASSERT_EQ(d, 0) << what;
        return;
    }
    ASSERT_GT(largest, 0) << what << " changes nothing";
    std::size_t left_out = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (std::fabs(wide[i] - narrow[i]) > 1e-8 * largest) {
            ++left_out;
            continue;
        }
        ASSERT_NEAR(found[i], (4 * narrow[i] - wide[i]) / 3, 1e-7 * largest) << what << ", sample " << i;
    }
    EXPECT_LE(left_out, found.size() / 50) << what;
}

void expect_derivatives(const std::string& kind, bool own_directions, double gap) {
    const AnyLaw law = law_of(kind, own_directions);
    const Motion along = motion(takes_load(kind));
    const auto numbers = numbers_of_law(law);
    const std::vector<double> values = values_of(law);
    const std::string name = kind + (own_directions ? ", own directions" : "") + (gap > 0 ? ", gap" : "");
    const std::size_t width = pass_of(law).width;
    for (std::size_t first = 0; first < values.size(); first += width) {
        PassColumns columns;
        columns.of_parameter.assign(values.size(), -1);
        const std::size_t count = std::min(width, values.size() - first);
        for (std::size_t c = 0; c < count; ++c) columns.of_parameter[first + c] = int(c);
        const Response found = respond(law, columns, gap, along.view());
        for (std::size_t c = 0; c < count; ++c) {
            const std::size_t k = first + c;
            const auto at = [&](double x) {
                std::vector<double> other = values;
                other[k] = x;
                return force_of(with_numbers(law, other), gap, along);
            };
            // kc and ks change the force by 0.1 N of 30 N: a wider step keeps rounding small
            const bool weak = std::string_view(numbers[k].parameter.name).starts_with('k') && takes_load(kind);
            expect_column(found.column(c), at, values[k], (weak ? 1e-3 : 1e-5) * std::fabs(values[k]),
                          name + ": " + numbers[k].parameter.name + numbers[k].parameter.group);
            if (testing::Test::HasFatalFailure()) return;
        }
    }
}

// Oracle: central differences of the force, extrapolated to order 4, for every number of every law.
TEST(Response, DerivativesOfEveryLawEqualDifferences) {
    for_each_law([](const auto& entry) { expect_derivatives(entry.kind, false, 0); });
}
TEST(Response, DerivativesOfEveryLawWithOwnDirectionsEqualDifferences) {
    int laws = 0;
    for_each_law([&](const auto& entry) {
        if (!can_have_directions(entry.kind)) return;
        expect_derivatives(entry.kind, true, 0);
        ++laws;
    });
    EXPECT_GE(laws, 8);  // all but those over smooth curves, which have one curve for both directions
}
TEST(Response, DerivativesOfEveryLawBehindAGapEqualDifferences) {
    for_each_law([](const auto& entry) { expect_derivatives(entry.kind, false, 3e-5); });
}

// Oracle: central differences with respect to the width of the gap. The contact moves with x -+ gap/2 after each reversal.
TEST(Response, DerivativeByTheGapEqualsDifferences) {
    for (const char* kind : {"dahl", "lugre", "elastoplastic", "lugre_makkar"}) {
        const AnyLaw law = law_of(kind, false);
        const Motion along = motion(false);
        constexpr double gap = 3e-5;
        PassColumns columns;
        columns.of_parameter.assign(values_of(law).size(), -1);
        columns.of_gap = 0;
        expect_column(
            respond(law, columns, gap, along.view()).column(0), [&](double x) { return force_of(law, x, along); }, gap,
            1e-4 * gap, std::string(kind) + ": gap");
    }
}

// Force of the law at a sample, from the state of a contact. rise: change of the velocity around the sample (hysteretic law).
template <class Law>
double force_at(const Contact<Law>& contact, double v, double rise, double load) {
    const Law& law = contact.law();
    if constexpr (StaticLaw<Law>)
        return force(law, v, load);
    else if constexpr (requires { contact.state().v; })
        return force(law, contact.state().z, v, load, sign0(rise));
    else if constexpr (requires { contact.state().z; })
        return force(law, contact.state().z, v, load);
    else
        return force(law, contact.state(), v, load);
}

void expect_contact_force(const std::string& kind, bool own_directions, bool with_load) {
    const AnyLaw any = law_of(kind, own_directions);
    const Motion along = motion(with_load);
    const auto found = force_of(any, 0, along);
    std::visit(
        [&]<class Law>(const Law& law) {
            Contact<Law> contact(law);
            const double held_load = with_load ? 0.003 : 0;
            const double tolerance = (kind == "maxwell_slip"    ? 0.2
                                      : kind == "elastoplastic" ? 0.05
                                                                : 0.005) +
                                     held_load;
            for (std::size_t i = 0; i < found.size(); ++i) {
                const double load = with_load ? along.load[i] : neutral_load<Law>;
                constexpr int parts = 200;
                const double h = along.dt[i] / parts;
                for (int part = 0; part < parts && i > 0; ++part) {
                    const double t = time_of(i - 1) + part * h;
                    const double before = with_load ? along.load[i - 1] : load, u = (part + 0.5) / parts;
                    contact.step((position(t + h) - position(t)) / h, h, before + u * (load - before));
                }
                const double rise = along.v[std::min(i + 1, found.size() - 1)] - along.v[i > 0 ? i - 1 : 0];
                const double expected = force_at(contact, along.v[i], rise, load);
                ASSERT_NEAR(found[i], expected, tolerance) << kind << ", sample " << i;
            }
        },
        any);
}

// Oracle: Contact of the core with 200 steps per sample along the true motion, its load linear between samples. Tolerance: 0.005 N of 30 N, for the cubic between samples
// and its few parts; one mean velocity per sample is off by 0.06 N. Elasto-plastic: 0.05 N (1.5 N without parts of its own), because its
// step is of second order. Maxwell-slip: 0.2 N, because a slipping element has the level of the mean velocity of a part. With a load 0.003 N
// more: it changes by up to 2 % within a sample, and each part has the load of its middle.
TEST(Response, ForceOfEveryLawEqualsThatOfASteppedContact) {
    for_each_law([](const auto& entry) {
        for (const bool own : {false, true})
            if (!own || can_have_directions(entry.kind))
                for (const bool with_load : {false, true}) expect_contact_force(entry.kind, own, with_load);
    });
}

// Oracle: a dry static law has every force up to breakaway at v = 0; the documentation of the response sets it to 0.
TEST(Response, OfADryStaticLawAtRestIsZero) {
    const Motion rest{{1e-3, 1e-3}, {0, 0}, {0, 0}, {}};
    EXPECT_EQ(force_of(law_of("coulomb", false), 0, rest), (std::vector<double>{0, 0}));
    EXPECT_EQ(force_of(law_of("stribeck", false), 0, rest), (std::vector<double>{0, 0}));
}

// Oracle: backlash written out: the contact follows at half of the gap once the motion has crossed that, and is left behind where its
// force becomes 0. Dahl's bristle is a spring of 2e5 N/m for small deflections. Tolerance: 8 % of the largest force, for the relaxation of
// the bristle over 6 um of Fc/sigma0 = 100 um; exactly 0 before the first contact, and 1e-3 of the largest force after it, because the
// instant of release is interpolated between two samples.
TEST(Response, BehindAGapFollowsTheMotionBeyondHalfOfItsWidthWhileItCarriesAForce) {
    const AnyLaw law = Dahl{.sigma0 = 2e5, .Fc = 20};
    Motion along;
    for (int i = 0; i <= 20; ++i) {
        along.dt.push_back(1e-3);
        along.x.push_back(i <= 10 ? 1e-6 * i : 1e-6 * (20 - i));
        along.v.push_back(i <= 10 ? 1e-3 : -1e-3);
    }
    constexpr double gap = 8e-6;
    const auto F = force_of(law, gap, along);
    for (std::size_t i = 0; i <= 20; ++i) {
        const double p = std::max(0.0, along.x[i] - gap / 2);
        EXPECT_NEAR(F[i], 2e5 * p, 0.08 * 2e5 * 6e-6) << i;
        if (i <= 4 || i >= 17) {
            EXPECT_NEAR(F[i], 0, i <= 4 ? 1e-12 : 1.2e-3) << i;
        }
    }
}

// Oracle: the response of one pass for each parameter alone. Maxwell-slip with 3 elements and own directions has more parameters
// than one pass. Tolerance: exact up to rounding of the filter (none here).
TEST(FitProblemRows, OfMoreParametersThanOnePassHoldsEqualThoseOfSinglePasses) {
    Record record;
    const Motion along = motion(false);
    MeasuredRun run;
    run.name = {"run"};
    for (std::size_t i = 0; i < along.x.size(); ++i) {
        run.time.push_back(1e-3 * double(i));
        run.position.push_back(along.x[i]);
        run.force.push_back(0);
        run.used.push_back(1);
        run.line.push_back(std::uint32_t(i + 2));
    }
    record.runs.push_back(run);
    FitOptions options;
    options.model.delay = Setting::given(0);
    const Prepared rows = prepare(record, options, 0.0);
    Axis axis = axis_of(rows, options.model);
    axis.own_directions = true;
    const FitProblem problem(rows, axis, law_of("maxwell_slip", true));
    const AnyLaw law = problem.law_at(problem.start());
    const std::size_t p = problem.parameters().size();
    std::size_t of_law = 0;
    FitProblem::Rows all;
    problem.evaluate(problem.start(), all);
    ASSERT_TRUE(all.finite);
    for (std::size_t k = 0; k < p; ++k) {
        const FreeParameter& free = problem.parameters()[k];
        if (!free.of_law()) continue;
        ++of_law;
        PassColumns columns;
        columns.of_parameter.assign(values_of(law).size(), -1);
        for (const std::size_t i : free.numbers) columns.of_parameter[i] = 0;
        const std::vector<double> column = respond(law, columns, 0, {rows.dt, rows.x, rows.v, {}, 0}).column(0);
        for (std::size_t i = 0; i < rows.rows(); ++i)
            ASSERT_DOUBLE_EQ(all.J[i * p + k], column[i]) << free.name << ", sample " << i;
    }
    EXPECT_GT(of_law, pass_of(law).width);
}

// Oracle: the pass of the baseline. Tolerance: 1e-12 of the largest force or derivative; FMA rounds once where the baseline rounds twice.
TEST(Response, WithAvx2EqualsThatOfTheBaselineToRounding) {
    int compared = 0, wide_laws = 0;
    for_each_law([&](const auto& entry) {
        const AnyLaw law = law_of(entry.kind, can_have_directions(entry.kind));
        wide_laws += std::visit([]<class Law>(const Law&) { return has_wide_pass<Law>; }, law);
        const Motion along = motion(takes_load(entry.kind));
        for (const double gap : {0.0, 3e-5}) {
            PassColumns columns;
            const std::size_t numbers = values_of(law).size(), shared = std::min(pass_of(law).width, numbers);
            for (std::size_t k = 0; k < numbers; ++k) columns.of_parameter.push_back(k < shared ? int(k) : -1);
            const Response wide = respond(law, columns, gap, along.view());
            const BaselineOnly baseline_only;
            const Response baseline = respond(law, columns, gap, along.view());
            compared += wide.width != baseline.width;
            const auto expect_equal = [&](const std::vector<double>& a, const std::vector<double>& b) {
                double largest = 0;
                for (const double x : b) largest = std::max(largest, std::fabs(x));
                for (std::size_t i = 0; i < a.size(); ++i)
                    ASSERT_NEAR(a[i], b[i], 1e-12 * largest) << entry.kind << ", sample " << i;
            };
            expect_equal(wide.force, baseline.force);
            for (std::size_t c = 0; c < shared; ++c) expect_equal(wide.column(c), baseline.column(c));
        }
    });
    EXPECT_EQ(compared, uses_avx2() ? 2 * wide_laws : 0);
}

// Oracle: the mean of F(v + e) over normal e, by the trapezoidal rule on 4001 points within 8 standard deviations s. Tolerance: the rule of
// three points neglects s^4/24 times the fourth derivative, at most 4.1 c^4 of the level for tanh(c v): 1.7e-5 of the level at c s = 0.1.
// The plain force differs by s^2/2 times the second derivative: 3.8e-3 of the level at c v = 0.66. A dry law has no such mean: rows in
// which its direction is not sure are left out of the fit.
TEST(VelocityError, OfASmoothStaticLawGivesTheMeanForceOverIt) {
    constexpr double c = 6000, error = 0.1 / c, level = 20;
    const AnyLaw smooth = SmoothFriction{.curve = {.Fc = level, .Fs = level, .vs = 5e-3, .c = c}, .sigma2 = 60};
    const AnyLaw dry = Coulomb{.curve = {.Fc = level}, .sigma2 = 60};
    const std::vector<double> v{-2 / c, -0.66 / c, 0.1 / c, 0.66 / c, 1 / c, 5 / c}, unused(v.size(), 1e-3);
    const auto force_with = [&](const AnyLaw& law, double of_velocity) {
        PassColumns none;
        none.of_parameter.assign(values_of(law).size(), -1);
        return respond(law, none, 0, {unused, unused, v, {}, 0, of_velocity}).force;
    };
    const auto found = force_with(smooth, error), plain = force_with(smooth, 0);
    double largest = 0;
    for (std::size_t i = 0; i < v.size(); ++i) {
        double sum = 0, weights = 0;
        for (int k = -2000; k <= 2000; ++k) {
            const double u = 8.0 * k / 2000, weight = std::exp(-0.5 * u * u), at = v[i] + error * u;
            sum += weight * (level * std::tanh(c * at) + 60 * at);
            weights += weight;
        }
        EXPECT_NEAR(found[i], sum / weights, 2e-5 * level) << i;
        largest = std::max(largest, std::fabs(plain[i] - sum / weights));
    }
    EXPECT_GT(largest, 3e-3 * level);
    EXPECT_EQ(force_with(dry, error), force_with(dry, 0));
}

}  // namespace
}  // namespace bristle::identification
