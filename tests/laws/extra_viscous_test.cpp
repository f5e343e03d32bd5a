// The viscous term f(v): linear by default, any callable beside it, in every law that has one.
#include <bristle/bristle.hpp>
#include <gtest/gtest.h>

#include "../support/sets.hpp"

namespace bristle {
namespace {

// Extra term 300 v |v| [N].
struct Churning {
    template <class S>
    S operator()(const S& v) const {
        return S(300.0) * v * abs(v);
    }
};

template <class Law>
void reaches_its_steady_force(Law law) {
    law.sigma2 = law.sigma2_negative = 0.4;
    const double g = 1 + 0.5 * std::exp(-25.0);  // C95 at 5 vs
    for (const double v : {5e-3, -5e-3}) {
        Contact contact{law};
        Step<double> step{};
        for (int i = 0; i < 100; ++i) step = contact.step(v, 1.0);
        const double s = v < 0 ? -1 : 1;
        EXPECT_NEAR(step.force, s * (g + 0.4 * 5e-3 + 300 * 25e-6), 1e-12);
        // the solvers use its slope too
        const auto at = contact.respond(v, 1e-3);
        const double d = 1e-7,
                     slope = (contact.respond(v + d, 1e-3).force - contact.respond(v - d, 1e-3).force) / (2 * d);
        EXPECT_NEAR(at.slope, slope, 1e-5 * std::abs(slope) + 1e-6);
    }
}

TEST(ExtraViscous, ActsInEveryLaw) {
    const Stribeck s = test::c95_curve;
    reaches_its_steady_force(basic_static<double, Stribeck, Churning>{.curve = s});
    reaches_its_steady_force(basic_lugre<double, Stribeck, NoFade, Churning>{.sigma0 = 1e5, .sigma1 = 300, .curve = s});
    reaches_its_steady_force(
        basic_elastoplastic<double, Stribeck, Churning>{.sigma0 = 1e5, .sigma1 = 300, .curve = s, .kappa = 0.5});
    reaches_its_steady_force(
        basic_hysteretic<double, Stribeck, Churning>{.sigma0 = 1e5, .sigma1 = 300, .curve = s, .a = 2e-6});
    reaches_its_steady_force(basic_maxwell_slip<double, Stribeck, Churning>{
        .size = 2, .k = {5e4, 5e4}, .nu = {0.4, 0.6}, .C = 50, .curve = s});
}

TEST(ExtraViscous, WithoutExtraTermTheLawHasTheSameSize) {
    struct Plain {
        double sigma0, sigma1, sigma2;
        Stribeck curve;
        double sigma2_negative;
        LoadOn load_on;
    };
    EXPECT_LE(sizeof(LuGre), sizeof(Plain));
}

}  // namespace
}  // namespace bristle
