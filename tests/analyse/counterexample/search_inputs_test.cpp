// Search for inputs that extract energy: found for laws that are not passive, none for laws that are passive by a theorem.
#include "base/work_budget.hpp"
#include "analyse/counterexample/search_inputs.hpp"

#include <gtest/gtest.h>

#include "../laws.hpp"
#include "counterexample_support.hpp"

namespace bristle::inline analysis {
namespace {

using namespace counterexample;

void expect_found(const AnyLaw& law, const SearchOptions& options = {}) {
    SCOPED_TRACE(kind_of(law));
    const Searched found = search_inputs(law, options);
    ASSERT_TRUE(found.extracts) << found.score;
    const Replay r = replay(law, found.best);
    expect_agreement(r);
    EXPECT_LT(r.tolerance, 1e-3 * r.gross);
    EXPECT_TRUE(r.extracts()) << r.integrated << " and " << r.simulated << " of " << r.gross << " J";
}

TEST(SearchInputs, ExtractsEnergyFromLawsThatAreNotPassive) {
    AnyLuGre lugre = test::any(test::c95);
    expect_found(lugre);
    test::set_viscous(lugre, 0.9 * limit_of(lugre));
    expect_found(lugre);
    auto fading = test::microdamped_c95();
    fading.fade.vc = 1.1 * 0.0894;
    expect_found(fading);
    expect_found(test::smooth_c95());
    expect_found(test::makkar_lugre());
    expect_found(test::elastoplastic_c95());
    for (const ShiftRule rule : {ShiftRule::constant, ShiftRule::min, ShiftRule::max}) {
        auto saw = test::hysteretic_c95();
        saw.a_rule = rule;
        expect_found(saw);
    }
    auto maxwell = test::maxwell_c95();
    maxwell.size = 1;
    maxwell.nu[0] = 1;
    expect_found(maxwell);
}

TEST(SearchInputs, ExtractsNoEnergyFromPassiveLaws) {
    AnyLuGre lugre = test::any(test::c95);
    auto fading = test::microdamped_c95();
    fading.fade.vc = 0.97 * 0.0894;
    auto flat = test::maxwell_c95();
    flat.curve.stribeck.positive.Fs = flat.curve.stribeck.positive.Fc;
    const Dahl dahl{.sigma0 = 1e5, .Fc = 1};
    AnyStribeck dry;
    dry.curve.stribeck.positive = test::c95_curve;
    test::set_viscous(dry, 0.1);
    for (unsigned long seed = 1; seed <= 3; ++seed) {
        for (const double margin : {1.0, 1.02, 2.0}) {
            test::set_viscous(lugre, margin * limit_of(lugre));
            EXPECT_FALSE(search_inputs(lugre, {.seed = seed}).extracts) << margin;
        }
        for (const AnyLaw& law : {AnyLaw(fading), AnyLaw(flat), AnyLaw(dahl), AnyLaw(dry)})
            EXPECT_FALSE(search_inputs(law, {.seed = seed}).extracts) << kind_of(law);
    }
}

TEST(SearchInputs, ExtractsEnergyByChangingTheLoad) {
    AnyLuGre law = test::any(test::c95);
    const double limit = law.sigma1 * (2 * 1.5 / 1.0 - 1);  // N_max = 2 N_min
    test::set_viscous(law, 0.8 * limit);
    EXPECT_FALSE(search_inputs(law).extracts);  // passive under either load
    expect_found(law, {.load_min = 1, .load_max = 2});
    test::set_viscous(law, 1.02 * limit);
    EXPECT_FALSE(search_inputs(law, {.load_min = 1, .load_max = 2}).extracts);
    law.load_on = LoadOn::all;
    EXPECT_FALSE(search_inputs(law).extracts);
    expect_found(law, {.load_min = 1, .load_max = 2});
}

TEST(SearchInputs, StaysWithinTheSpeedLimit) {
    AnyLuGre law = test::any(test::c95);
    const Searched found = search_inputs(law, {.vmax = 0.05});
    EXPECT_TRUE(found.extracts);
    for (const auto& [t, v] : found.best.velocity) EXPECT_LE(std::abs(v), 0.05 * (1 + 1e-12));
    // a sine with a bias too: the only shape that adds two speeds. This limit leaves three decades of speed
    int sines = 0;
    for (unsigned long seed = 1; seed <= 100; ++seed) {
        const Searched few = search_inputs(law, {.budget = 6, .seed = seed, .vmax = 1e-10});
        for (const auto& [t, v] : few.best.velocity) EXPECT_LE(std::abs(v), 1e-10 * (1 + 1e-12)) << seed;
        sines += few.best.ramps && few.best.velocity.size() > 32;
    }
    EXPECT_GT(sines, 0);
    // up to v = Fs^2/(sigma1 (Fs - Fc) - sigma2 Fc) = 14.3 mm/s C95 is passive with the storage function sigma0 z^2/2
    EXPECT_FALSE(search_inputs(law, {.vmax = 0.0143}).extracts);
}

// Parameters so extreme that no input has a score. With the work budget of a certificate: without one the integrator tries each input two
// million times.
TEST(SearchInputs, EndsIfNoInputHasAScore) {
    const WorkBudget budget(1'000'000);
    auto smooth = test::smooth_c95();
    smooth.curve.c = 1e-300;
    EXPECT_FALSE(search_inputs(smooth, {.budget = 100}).extracts);
    auto shifted = test::hysteretic_c95();
    shifted.a = 1e-300;
    EXPECT_LT(search_inputs(shifted, {.budget = 100}).tried, 200);
    AnyLuGre narrow = test::any(test::c95);
    narrow.curve.stribeck.positive.vs = 1e-300;
    EXPECT_LT(search_inputs(narrow, {.budget = 100}).tried, 200);
}

TEST(SearchInputs, SameSeedGivesTheSameResult) {
    const AnyLaw law = test::any(test::c95);
    const Searched a = search_inputs(law, {.budget = 2000, .seed = 7}),
                   b = search_inputs(law, {.budget = 2000, .seed = 7}),
                   c = search_inputs(law, {.budget = 2000, .seed = 8});
    EXPECT_EQ(a.best.velocity, b.best.velocity);
    EXPECT_EQ(a.best.energy, b.best.energy);
    EXPECT_NE(a.best.energy, c.best.energy);
    EXPECT_GE(a.tried, 2000);
    EXPECT_LT(a.tried, 2000 + 100);
}

TEST(SearchInputs, NoLawThatSatisfiesP3IsRefuted) {
    test::Random random(3);
    const long sets = test::draws(1000);
    double closest = 1;
    for (long i = 0; i < sets; ++i) {
        // from the limit itself to ten times beyond
        const AnyLuGre law = test::random_lugre(random, 1 + (i % 4 ? random.log_uniform(1e-4, 9) : 0));
        const Searched found = search_inputs(law, {.budget = 1500, .seed = static_cast<unsigned long>(i)});
        ASSERT_FALSE(found.extracts) << "set " << i << ": " << found.best.energy << " J, score " << found.score;
        closest = std::min(closest, found.score);
    }
    std::printf("%ld sets, lowest score %.3g\n", sets, closest);
}

}  // namespace
}  // namespace bristle::analysis
