// What tests of certificates share.
#pragma once
#include "analyse/counterexample/replay.hpp"
#include <bristle/analyse/certificate.hpp>

#include <gtest/gtest.h>

#include "../laws.hpp"

namespace bristle::test {

inline Finding passive(const AnyLaw& law, const CertifyOptions& options = {}) { return certify(law, options).passive; }
inline CertifyOptions loads(double low, double high) { return {.vmax = {}, .load_min = low, .load_max = high}; }
inline CertifyOptions up_to(double vmax) { return {.vmax = vmax}; }
inline bool says(const std::string& text, const char* words) { return text.find(words) != text.npos; }

// Replayed by two solvers, neither of them the law's own step.
inline void expect_draws(const AnyLaw& law, const Finding& finding) {
    ASSERT_EQ(finding.verdict, Verdict::refuted) << finding.text;
    ASSERT_TRUE(finding.counterexample) << finding.text;
    EXPECT_LT(finding.counterexample->energy, 0);
    const Replay replayed = replay(law, *finding.counterexample);
    EXPECT_TRUE(replayed.draws()) << replayed.integrated << " " << replayed.simulated;
}

}  // namespace bristle::test
