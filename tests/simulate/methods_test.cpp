// simulate(): the methods against each other and against known solutions, for every law on every rig.
#include <bristle/base/error.hpp>
#include <bristle/simulate/hybrid.hpp>
#include <gtest/gtest.h>
#include <algorithm>

#include "cases.hpp"
#include "simulate/simulate_law.hpp"

namespace bristle::inline simulation {
namespace {

const char* const switching[] = {"coulomb", "stribeck", "hysteretic", "maxwell_slip", "gear"};
// The other laws of the catalogue, except new ones that switch: cvode throws Error for these.
std::vector<const char*> continuous_kinds() {
    std::vector<const char*> out;
    for_each_law([&]<class Law>(const LawEntry<Law>& entry) {
        if constexpr (!SticksExactly<Law> && !RemembersVelocity<Law> && !requires { Law::capacity; })
            out.push_back(entry.kind);
    });
    return out;
}
const std::vector<const char*> continuous = continuous_kinds();
std::vector<std::string> all_kinds() {
    std::vector<std::string> out;
    for_each_law([&](const auto& entry) { out.push_back(entry.kind); });
    return out;
}

// Returns the largest difference of a signal over all samples, as a fraction of its range.
double difference(const Result& a, const Result& b, const char* name) {
    const auto &x = a.signal(name)->values, &y = b.signal(name)->values;
    EXPECT_EQ(x.size(), y.size());
    double worst = 0, low = INFINITY, high = -INFINITY;
    for (std::size_t i = 0; i < x.size(); ++i) {
        worst = std::max(worst, std::abs(x[i] - y[i]));
        low = std::min(low, y[i]);
        high = std::max(high, y[i]);
    }
    return worst / (high - low);
}
const char* position(const bristle::Setup& setup) { return setup.rig.info().position.name; }

class AgainstCvode : public testing::TestWithParam<const char*> {};
TEST_P(AgainstCvode, AdaptiveEqualsCvodeOnEveryRig) {
    if (test::sanitized) GTEST_SKIP() << "a test of accuracy";
    if (!has_cvode()) GTEST_SKIP() << "built without CVODE (libsundials-dev)";
    for (const auto& [name, setup] : rigs(c95_law(GetParam()))) {
        const Result ours = simulate(with(setup, Method::adaptive, 1e-9));
        const Result theirs = simulate(with(setup, Method::cvode, 1e-12));  // at 1e-10 it is the less accurate one
        ASSERT_EQ(ours.status, Status::done) << name << ours.message;
        ASSERT_EQ(theirs.status, Status::done) << name << theirs.message;
        for (const char* signal : {position(setup), setup.rig.info().velocity.name, "heat"})
            EXPECT_LE(difference(ours, theirs, signal), 1e-7) << name << ' ' << signal;
        // F is not a state: in the millisecond of a breakaway it multiplies the error of the velocity
        EXPECT_LE(difference(ours, theirs, "F"), 1e-6) << name;
    }
}
INSTANTIATE_TEST_SUITE_P(Continuous, AgainstCvode, testing::ValuesIn(continuous),
                         [](const auto& p) { return std::string(p.param); });

TEST(Cvode, ThrowsErrorForLawsThatSwitch) {
    for (const char* kind : switching)
        EXPECT_THROW(simulate(with(rigs(c95_law(kind))[0].setup, Method::cvode, 1e-6)), Error) << kind;
}

// The coupled method converges as the step tends to 0: its difference to the adaptive one must fall with the step.
bool name_is_dry(std::string_view kind) { return kind == "coulomb" || kind == "stribeck" || kind == "gear"; }
class AgainstCoupled : public testing::TestWithParam<const char*> {};
TEST_P(AgainstCoupled, CoupledConvergesToTheAdaptiveSolution) {
    auto cases = rigs(c95_law(GetParam()));
    cases.resize(std::clamp<std::size_t>(std::size_t(test::draws(8)), 2, cases.size()));  // sanitized builds: two
    for (const auto& [name, setup] : cases) {
        const Result ours = simulate(with(setup, Method::adaptive, 1e-9));
        ASSERT_EQ(ours.status, Status::done) << name << ours.message;
        std::vector<double> off;
        // a dry law that stops inside a step has an error of order 1 in the step, so that shorter steps are needed
        const bool dry = name_is_dry(GetParam());
        for (const double step : {4e-4, dry ? 4e-5 : 1e-4, dry ? 1.2e-5 : 2.5e-5}) {
            if (test::sanitized && step < 1e-4) break;  // sanitizers detect nothing new at shorter steps
            const Result coupled = simulate(with(setup, Method::coupled, step));
            ASSERT_EQ(coupled.status, Status::done) << name << coupled.message;
            off.push_back(
                difference(coupled, ours, std::holds_alternative<Prescribed>(setup.rig) ? "heat" : position(setup)));
        }
        if (test::sanitized) continue;
        EXPECT_LT(off[2], off[0] / 3 + 1e-7) << name;
        EXPECT_LT(off[2], 2e-5) << name;
    }
}
INSTANTIATE_TEST_SUITE_P(Switching, AgainstCoupled, testing::ValuesIn(switching),
                         [](const auto& p) { return std::string(p.param); });

// Oracle: the closed form of A08 (S5) to A08 (S8). F jumps at the events, so samples there may differ by up to 2 N.
TEST(Adaptive, CoulombEqualsTheClosedFormOfTheHybridModel) {
    AnyCoulomb law;
    law.curve.positive = {.Fc = 2.94, .Fs = 5.88};
    for (const double sigma2 : {0.0, 0.3}) {
        law.sigma2 = law.sigma2_negative = sigma2;
        bristle::Setup setup;
        setup.law = law;
        setup.rig = PulledSpring{1, 2, 2};
        setup.run = {.duration = 40, .rtol = 1e-10, .atol = 1e-10, .stick_speed = 0.1};
        bristle::Setup exact = setup;
        exact.run.method = Method::hybrid;
        const Result ours = simulate(setup), closed = simulate(exact);
        for (const char* signal : {"elongation", "v", "x", "F", "heat"})
            EXPECT_LE(difference(ours, closed, signal), signal[0] == 'F' ? 2.0 : 1e-8) << signal;
        ASSERT_EQ(ours.measures.stick_begin.size(), closed.measures.stick_begin.size());
        for (std::size_t i = 0; i < ours.measures.stick_begin.size(); ++i)
            EXPECT_NEAR(ours.measures.stick_begin[i], closed.measures.stick_begin[i], 1e-8);
        if (sigma2 == 0) {
            const auto cycle = hybrid_cycle({1, 2, 2, {2.94, 5.88, 0}, {2.94, 5.88, 0}});
            EXPECT_NEAR(*ours.measures.period, cycle->period, 1e-8);
            EXPECT_NEAR(*closed.measures.period, cycle->period, 1e-11);
        }
    }
}

// Oracle: Taylor series in quadruple precision, test::StickSlip. Tolerances follow from rtol = 1e-11.
TEST(Adaptive, C95StickSlipEqualsTheQuadruplePrecisionReference) {
    using test::StickSlip;
    bristle::Setup setup;
    setup.law = c95_law("lugre");
    setup.rig = PulledSpring{1, StickSlip::stiffness, StickSlip::speed};
    setup.run = {.duration = StickSlip::duration, .rtol = 1e-11, .atol = 1e-11};
    const auto last = simulate(setup).measures.final;
    EXPECT_NEAR(last.at("x"), StickSlip::x, 1e-9);
    EXPECT_NEAR(last.at("v"), StickSlip::v, 1e-12);
    EXPECT_NEAR(last.at("z"), StickSlip::z, 1e-13);
}

TEST(Coupled, C95StickSlipHasTheAccuracyOfTheCore) {
    using test::StickSlip;
    bristle::Setup setup;
    setup.law = c95_law("lugre");
    setup.rig = PulledSpring{1, StickSlip::stiffness, StickSlip::speed};
    setup.run = {.duration = StickSlip::duration, .method = Method::coupled, .step = 1e-3};
    EXPECT_NEAR(simulate(setup).measures.final.at("x"), StickSlip::x, 1e-6);
    setup.run.method = Method::explicit_;  // MuJoCo 3.14 implicitfast, run on the same rig: 1.7e-1
    EXPECT_NEAR(std::abs(simulate(setup).measures.final.at("x") - StickSlip::x), 0.17, 0.02);
}

class Ledger : public testing::TestWithParam<std::string> {};
TEST_P(Ledger, ClosesOnEveryRigByEveryMethod) {
    for (const auto& [name, setup] : rigs(c95_law(GetParam()))) {
        for (const double rtol : {1e-5, 1e-8}) {
            const Energy e = simulate(with(setup, Method::adaptive, rtol)).energy;
            EXPECT_LE(std::abs(e.residual()), 10 * rtol * e.scale) << name << rtol;
            EXPECT_GT(e.dissipated, 0) << name;
        }
        const Energy e = simulate(with(setup, Method::coupled, 1e-3)).energy;
        EXPECT_LE(std::abs(e.residual()), 1e-12 * e.scale) << name;
    }
}
// The energies are then far below Fs^2/sigma0, the energy of a bristle at breakaway.
TEST_P(Ledger, ClosesAtSmallDeflections) {
    if (test::sanitized) GTEST_SKIP() << "a test of accuracy";
    for (auto& [name, setup] : rigs(c95_law(GetParam()))) {
        if (std::holds_alternative<ForcedMass>(setup.rig)) setup.input = Input::sine(0, 0.012, 3, 0);
        if (std::holds_alternative<Prescribed>(setup.rig))
            setup.input = Input::sine(0, setup.rig.has_displacement_input() ? 1e-6 : 2e-5, 6, 0.3);
        if (std::holds_alternative<PidServo>(setup.rig)) setup.rig = PidServo{1, 6, 3, 4, 3e-3};
        if (std::holds_alternative<Pendulum>(setup.rig)) setup.start["theta"] = 1e-2;
        if (setup.rig.equations().spring > 0) setup.run.duration *= 0.01;
        for (const Method method : {Method::adaptive, Method::cvode})
            for (const double rtol : {1e-4, 1e-6, 1e-9}) {
                const bool serves = std::ranges::find(continuous, GetParam()) != std::end(continuous) && has_cvode();
                if (method == Method::cvode && !serves) continue;
                const Energy e = simulate(with(setup, method, rtol)).energy;
                EXPECT_LE(std::abs(e.residual()), 10 * rtol * e.scale) << name << ' ' << int(method) << ' ' << rtol;
            }
    }
}
// With little dissipation the errors of all steps have the same sign.
TEST(LongRuns, KeepTheLedgerClosed) {
    bristle::Setup s = coulomb(1e-4, 1e-4, Pendulum{1, 0.5, 9.81, 0.05});
    s.start["theta"] = 1;
    s.run.duration = test::sanitized ? 50 : 500;
    for (const double rtol : {1e-6, 1e-9}) {
        const Energy e = simulate(with(s, Method::adaptive, rtol)).energy;
        EXPECT_LE(std::abs(e.residual()), 10 * rtol * e.scale) << rtol;
    }
    s.law = Dahl{.sigma0 = 1e4, .Fc = 1};  // a mass in stick that oscillates without decay
    s.rig = ForcedMass{1};
    s.start.clear();
    s.input = Input::constant(0.01);
    s.run.duration = 40;
    for (const double rtol : {1e-4, 1e-6}) {
        const Energy e = simulate(with(s, Method::adaptive, rtol)).energy;
        EXPECT_LE(std::abs(e.residual()), 10 * rtol * e.scale) << rtol;
    }
}
INSTANTIATE_TEST_SUITE_P(Laws, Ledger, testing::ValuesIn(all_kinds()), [](const auto& p) { return p.param; });

TEST(Load, ChangingLoadDoesWorkOnDeflectedBristles) {
    for (const LoadOn on : {LoadOn::curve, LoadOn::all}) {
        bristle::Setup setup = rigs(c95_law("lugre"))[0].setup;
        std::get<AnyLuGre>(setup.law).load_on = on;
        setup.load = Input::sine(2, 1, 20, 0);
        for (const Method method : {Method::adaptive, Method::coupled}) {
            const Result r = simulate(with(setup, method, method == Method::adaptive ? 1e-8 : 1e-4));
            const double limit = method == Method::adaptive ? 1e-7 : 1e-12;
            EXPECT_LE(std::abs(r.energy.residual()), limit * r.energy.scale) << int(on) << int(method);
        }
        const Result fine = simulate(with(setup, Method::adaptive, 1e-9));
        EXPECT_LE(difference(simulate(with(setup, Method::coupled, 2e-5)), fine, "x"), 1e-5);
        if (has_cvode()) {
            EXPECT_LE(difference(simulate(with(setup, Method::cvode, 1e-10)), fine, "x"), 1e-7);
        }
    }
}

TEST(Adaptive, DirectionsAndTablesAreUsed) {
    bristle::Setup setup = rigs(c95_law("lugre"))[0].setup;
    auto& curve = std::get<AnyLuGre>(setup.law).curve;
    curve.stribeck.negative = {.Fc = 0.5, .Fs = 0.6, .vs = 2e-3, .alpha = 1};
    curve.stribeck.directional = true;
    const Result ours = simulate(with(setup, Method::adaptive, 1e-9));
    EXPECT_LE(difference(simulate(with(setup, Method::coupled, 2e-5)), ours, "x"), 1e-5);
    // a table of the same Stribeck curve gives the same motion, to the accuracy of 60 points
    bristle::Setup plain = rigs(c95_law("lugre"))[2].setup, tabulated = plain;
    auto& table = std::get<AnyLuGre>(tabulated.law).curve;
    table.tabulated = true;
    table.table.size = 60;
    for (int i = 0; i < 60; ++i) {
        table.table.v[i] = 5e-3 * i / 59;
        table.table.g[i] = level(test::c95_curve, table.table.v[i]);
    }
    EXPECT_LE(difference(simulate(with(tabulated, Method::adaptive, 1e-8)),
                         simulate(with(plain, Method::adaptive, 1e-8)), "elongation"),
              1e-3);
}

TEST(Adaptive, StopsIfProgressReturnsFalse) {
    int calls = 0;
    const Result r =
        simulate(with(rigs(c95_law("maxwell_slip"))[2].setup, Method::adaptive, 1e-8), [&](double fraction) {
            EXPECT_GE(fraction, 0);
            EXPECT_LE(fraction, 1);
            return ++calls < 3;
        });
    EXPECT_EQ(r.status, Status::cancelled);
    EXPECT_EQ(calls, 3);
    EXPECT_NE(r.message.find("cancelled at t ="), std::string::npos);
}

// The recorder calls progress every 256 steps: 16 phases of 16 steps.
TEST(HybridRun, StopsInThePhaseInWhichProgressReturnsFalse) {
    const bristle::Setup setup{.law = Coulomb{.curve = {.Fc = 2.94, .Fs = 5.88}},
                               .rig = PulledSpring{.mass = 1, .stiffness = 2, .velocity = 2},
                               .run = {.duration = 1000, .method = Method::hybrid}};
    double reached = 0;
    const Result r = simulate(setup, [&](double fraction) {
        reached = 1000 * fraction;
        return false;
    });
    EXPECT_EQ(r.status, Status::cancelled);
    EXPECT_EQ(r.message, failure(Status::cancelled, reached));
    EXPECT_LT(reached, 100);
    EXPECT_EQ(r.statistics.steps, 16);
    EXPECT_LT(std::abs(r.energy.residual()), 1e-12 * r.energy.scale);
}

TEST(Simulate, MessageOfTheStepLimitNamesTheLimit) {
    EXPECT_EQ(failure(Status::too_many_steps, 1),
              "step limit 5e+06 exceeded at t = 1 s: shorten run.duration or raise run.rtol");
}

}  // namespace
}  // namespace bristle::simulation
