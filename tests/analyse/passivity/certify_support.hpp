// Shared by the tests of certificates.
#pragma once
#include "analyse/counterexample/replay.hpp"
#include <bristle/analyse/certificate.hpp>

#include <gtest/gtest.h>

#include "../laws.hpp"

namespace bristle::test {

inline Finding passive(const AnyLaw& law, const CertifyOptions& options = {}) { return certify(law, options).passive; }
inline CertifyOptions loads(double low, double high) { return {.vmax = {}, .load_min = low, .load_max = high}; }
inline CertifyOptions up_to(double vmax) { return {.vmax = vmax}; }

// The counterexample extracts energy in two solvers, neither of which uses the step of the law.
inline void expect_extraction(const AnyLaw& law, const Finding& finding) {
    ASSERT_EQ(finding.verdict, Verdict::refuted);
    ASSERT_TRUE(finding.counterexample);
    EXPECT_LT(finding.counterexample->energy, 0);
    const counterexample::Replay replayed = counterexample::replay(law, *finding.counterexample);
    EXPECT_TRUE(replayed.extracts()) << replayed.integrated << " " << replayed.simulated;
    // a search integrates with a tolerance of 1e-10 for each step
    EXPECT_NEAR(finding.counterexample->gross, replayed.gross, 1e-8 * replayed.gross);
    EXPECT_GE(finding.counterexample->tolerance, (1 - 1e-8) * 1e-7 * replayed.gross);
}

}  // namespace bristle::test
