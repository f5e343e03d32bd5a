// analyse/viscous.hpp: viscous friction is found by the equations of a law, not by the name of a parameter.
#include "analyse/viscous.hpp"

#include "simulate/c95_law.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace bristle {
namespace {

// f(v) = d v for v > 0 and back v for v < 0; k has no part in it.
struct OwnNames {
    double d = 0, back = 3, k = 2;
    double viscous(double v) const { return v * (v < 0 ? back : d); }
};

TEST(Viscous, OfALawWithNamesOfItsOwnIsFoundInBothDirections) {
    OwnNames law;
    EXPECT_EQ(viscous_slope(law, 1), 0);
    EXPECT_EQ(viscous_slope(law, -1), 3);
    EXPECT_TRUE(is_viscous(law, law.d));  // also at the value 0
    EXPECT_TRUE(is_viscous(law, law.back));
    EXPECT_FALSE(is_viscous(law, law.k));
    EXPECT_EQ(law.d, 0);
    EXPECT_EQ(law.back, 3);
    EXPECT_EQ(law.k, 2);
}

// Oracle: F = ... + sigma2 v of A08 (2), + g6 v of M05 (2); the other numbers of the papers are those of bristle and level.
TEST(Viscous, OfTheLawsOfThePapersIsSigma2OrG6) {
    const std::set<std::string> viscous{"sigma2", "g6"},
        other{"sigma0", "sigma1", "Fc", "Fs", "vs", "alpha", "vc", "c", "g1",
              "g2",     "g3",     "g4", "g5", "a",  "kappa", "k",  "nu"};
    for_each_law([&](const auto& entry) {
        AnyLaw any = c95_law(entry.kind);
        std::visit(
            [&]<class Law>(Law& law) {
                Law::parameters(law, [&](const Parameter& p, double& x) {
                    if (viscous.contains(p.name) || other.contains(p.name)) {
                        EXPECT_EQ(is_viscous(law, x), viscous.contains(p.name)) << entry.kind << " " << p.name;
                    }
                });
            },
            any);
    });
}

}  // namespace
}  // namespace bristle
