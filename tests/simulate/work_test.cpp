// The signal work: integral of F c dt, with a load that is constant, varies on the curve, or varies on the whole force.
#include <gtest/gtest.h>

#include "cases.hpp"

namespace bristle::inline simulation {
namespace {

double last(const Result& result, const char* signal) { return result.signal(signal)->values.back(); }

// Oracle: k x^2/2 at unit load, for springs below their level.
TEST(Work, WorkOfALoadOnTheWholeForceIsNotIncluded) {
    bristle::Setup s;
    s.law = c95_law("maxwell_slip");
    auto& law = std::get<AnyMaxwellSlip>(s.law);
    law.load_on = LoadOn::all;
    law.sigma2 = law.sigma2_negative = 0;
    s.rig = Prescribed{Quantity::displacement};
    const double x = 2e-6, k = 4 * 2.5e4;
    s.input = Input::ramps({{0, 0}, {1, x}, {3, x}, {4, 0}});
    for (const bool jump : {false, true}) {
        s.load = jump ? Input::steps({{0, 1}, {2, 3}}) : Input::ramps({{1.5, 1}, {2.5, 3}});
        for (const Method method : {Method::adaptive, Method::coupled}) {
            s.run = {.duration = 4, .method = method, .rtol = 1e-10, .atol = 1e-10, .step = 1e-2};
            const Result r = simulate(s);
            EXPECT_NEAR(r.signal("work")->values[400], k * x * x / 2, 1e-9 * k * x * x);
            EXPECT_NEAR(last(r, "work"), (1 - 3) * k * x * x / 2, 1e-9 * k * x * x);
            EXPECT_NEAR(last(r, "heat"), 0, 1e-9 * k * x * x);
            EXPECT_NEAR(r.energy.supplied, 0, 1e-9 * k * x * x);  // the work of the load cancels that of the motion
        }
    }
}

// At constant load all work is stored or dissipated. The stored energy is computed here from the states.
TEST(Work, EqualsHeatPlusStoredEnergyAtConstantLoad) {
    for (const char* kind : {"lugre", "dahl", "elastoplastic", "hysteretic", "coulomb", "makkar"})
        for (auto& [name, setup] : rigs(c95_law(kind)))
            for (const Method method : {Method::adaptive, Method::coupled}) {
                const bristle::Setup s = with(setup, method, method == Method::adaptive ? 1e-9 : 1e-3);
                const Result r = simulate(s);
                ASSERT_EQ(r.status, Status::done);
                const Signal* z = r.signal("z");
                const double stored = z ? 0.5 * 1e5 * z->values.back() * z->values.back() : 0;
                const double scale = std::abs(last(r, "heat")) + stored + std::abs(r.energy.supplied);
                EXPECT_NEAR(last(r, "work"), last(r, "heat") + stored, 2e-8 * scale) << kind << ' ' << name;
            }
}

// Oracle: Coulomb friction on a prescribed motion does the work Fc times path length.
TEST(Work, OfCoulombFrictionEqualsForceTimesPathLength) {
    bristle::Setup s;
    s.law = c95_law("coulomb");
    s.rig = Prescribed{};
    s.input = Input::steps({{0, 0.1}, {1, -0.3}, {1.5, 0}});
    s.run = {.duration = 2, .rtol = 1e-10, .atol = 1e-10};
    const double viscous = 0.4 * (0.1 * 0.1 * 1 + 0.3 * 0.3 * 0.5);
    EXPECT_NEAR(last(simulate(s), "work"), 0.1 + 0.15 + viscous, 1e-12);
}

}  // namespace
}  // namespace bristle::simulation
