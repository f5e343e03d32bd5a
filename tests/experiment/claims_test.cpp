// Claims: read with their rules, and judged by measured values; shipped experiments.
#include "reading.hpp"

#include <limits>

namespace {

using namespace reading;

const std::string head = R"([law]
kind = "lugre"
sigma0 = 100
Fc = 1
Fs = 1.5
vs = 0.1
[rig]
kind = "pulled_spring"
mass = 1
stiffness = 2
velocity = 0.1
[run]
duration = 2
[[claim]]
)";
constexpr int first = 14;  // the line of [[claim]]

void expect_claim_fault(const std::string& keys, int line, const std::string& key, const std::string& rule) {
    const auto found = diagnostics_of(head + keys);
    ASSERT_EQ(found.size(), 1u) << keys << sentences(found);
    EXPECT_EQ(found[0].line, first + line) << sentences(found);
    EXPECT_EQ(found[0].key, key);
    EXPECT_NE(broken_rule(found[0]).find(rule), std::string::npos) << broken_rule(found[0]);
}

TEST(Claims, AreReadInOrder) {
    const auto e = experiment_of(head + R"(measure = "stick_begin"
at = 2
between = [4.6, 4.85]
source = "A08 p.107"
text = "the mass sticks"
[[claim]]
measure = "max"
signal = "F"
between = [1, 2]
)");
    ASSERT_EQ(e.claims.size(), 2u);
    EXPECT_EQ(e.claims[0].measure, "stick_begin");
    EXPECT_EQ(e.claims[0].at, 2);
    EXPECT_EQ(e.claims[0].low, 4.6);
    EXPECT_EQ(e.claims[0].high, 4.85);
    EXPECT_EQ(e.claims[0].source, "A08 p.107");
    EXPECT_EQ(e.claims[0].text, "the mass sticks");
    EXPECT_EQ(e.claims[1].signal, "F");
    EXPECT_EQ(e.claims[1].at, 0);
}

TEST(Claims, OneFaultGivesOneDiagnosticAtItsLine) {
    const std::string period = "measure = \"period\"\n", between = "between = [1, 2]\n";
    expect_claim_fault(between, 0, "claim[1].measure", "is missing: one of stick_begin");
    expect_claim_fault("measure = \"perod\"\n" + between, 1, "claim[1].measure", "did you mean period?");
    expect_claim_fault(period, 0, "claim[1].between", "is missing");
    expect_claim_fault(period + "between = [2, 1]\n", 2, "claim[1].between", "must be <= the second");
    expect_claim_fault(period + "between = [1]\n", 2, "claim[1].between", "two finite numbers");
    expect_claim_fault(period + "between = [1, nan]\n", 2, "claim[1].between", "two finite numbers");
    expect_claim_fault(period + "between = 1\n", 2, "claim[1].between", "must be a list");
    expect_claim_fault(period + between + "at = 1\n", 3, "claim[1].at", "is not a key here");
    expect_claim_fault(period + between + "signal = \"F\"\n", 3, "claim[1].signal", "is not a key here");
    expect_claim_fault("measure = \"max\"\n" + between, 0, "claim[1].signal", "is missing");
    expect_claim_fault("measure = \"max\"\nsignal = \"F2\"\n" + between, 2, "claim[1].signal", "did you mean F?");
    expect_claim_fault("measure = \"stick_end\"\nat = 0\n" + between, 2, "claim[1].at", "whole number >= 1");
    expect_claim_fault("measure = \"stick_end\"\nat = 1.5\n" + between, 2, "claim[1].at", "whole number >= 1");
    expect_claim_fault(period + between + "[[claim]]\n" + period, 3, "claim[2].between", "is missing");
    const auto found = diagnostics_of("claim = [1]\n" + with(head, "[[claim]]\n", ""));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].key, "claim[1]");
}

TEST(Claims, StickMeasuresNeedAStickSpeed) {
    const std::string dahl = "[law]\nkind = \"dahl\"\nsigma0 = 100\nFc = 1\n";
    const std::string text = dahl + head.substr(head.find("[rig]")) + "measure = \"stick_begin\"\nbetween = [1, 2]\n";
    const auto found = diagnostics_of(text);
    ASSERT_EQ(found.size(), 1u) << sentences(found);
    EXPECT_EQ(found[0].key, "claim[1].measure");
    EXPECT_NE(found[0].rule.find(
                  "needs run.stick_speed [m/s], because dahl has no Stribeck velocity; add stick_speed to [run]"),
              std::string::npos);
    EXPECT_TRUE(diagnostics_of(with(text, "duration = 2", "duration = 2\nstick_speed = 0.1")).empty());
}

// ---- verdicts ------------------------------------------------------------------------------------------------------

Verdict judged(const Claim& claim, const Measures& measures) {
    Experiment e;
    e.claims = {claim};
    Result result;
    result.measures = measures;
    for (const double t : measures.stick_begin) result.events.push_back({t, Event::Kind::stick_begin});
    for (const double t : measures.stick_end) result.events.push_back({t, Event::Kind::stick_end});
    return judge(e, result).at(0);
}
Claim claim_of(const std::string& measure, double low, double high, int at = 1, const std::string& signal = "") {
    return {measure, signal, at, {}, low, high, "", ""};
}

TEST(Claims, EveryMeasureReturnsItsValue) {
    Measures m;
    m.stick_begin = {1, 2};
    m.stick_end = {3, 4};
    m.period = 5;
    m.breakaway_force = 6;
    m.drift = 7;
    m.amplitude = 8;
    m.loop_area = 9;
    m.amplitude_decay = 10;
    m.max["F"] = 11;
    m.min["F"] = 12;
    m.final["F"] = 13;
    const std::vector<std::pair<Claim, double>> cases = {
        {claim_of("stick_begin", 0, 1), 1},    {claim_of("stick_begin", 0, 1, 2), 2},
        {claim_of("stick_end", 0, 1), 3},      {claim_of("stick_end", 0, 1, 2), 4},
        {claim_of("period", 0, 1), 5},         {claim_of("breakaway_force", 0, 1), 6},
        {claim_of("drift", 0, 1), 7},          {claim_of("amplitude", 0, 1), 8},
        {claim_of("loop_area", 0, 1), 9},      {claim_of("amplitude_decay", 0, 1), 10},
        {claim_of("max", 0, 1, 1, "F"), 11},   {claim_of("min", 0, 1, 1, "F"), 12},
        {claim_of("final", 0, 1, 1, "F"), 13},
    };
    for (const auto& [claim, value] : cases) EXPECT_EQ(judged(claim, m).measured, value) << claim.measure;
    EXPECT_EQ(judged(claim_of("stick_end", 0, 9, 3), m).measured, std::nullopt);
    EXPECT_FALSE(judged(claim_of("stick_end", 0, 9, 3), m).holds);
    EXPECT_EQ(judged(claim_of("max", 0, 9, 1, "v"), m).measured, std::nullopt);
}

TEST(Claims, HoldBetweenTheirBoundsBothIncluded) {
    Measures m;
    m.period = 2;
    EXPECT_TRUE(judged(claim_of("period", 1, 3), m).holds);
    EXPECT_TRUE(judged(claim_of("period", 2, 3), m).holds);
    EXPECT_TRUE(judged(claim_of("period", 1, 2), m).holds);
    EXPECT_FALSE(judged(claim_of("period", 2.1, 3), m).holds);
    EXPECT_FALSE(judged(claim_of("period", 1, 1.9), m).holds);
    EXPECT_FALSE(judged(claim_of("drift", -1e300, 1e300), m).holds);
    m.period = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(judged(claim_of("period", -1e300, 1e300), m).holds);
}

TEST(Shipped, IdsAreSortedAndTheFilesAreReadable) {
    const auto all = shipped();
    EXPECT_TRUE(std::is_sorted(all.begin(), all.end(), [](auto& a, auto& b) { return a.id < b.id; }));
    for (const Shipped& one : all) {
        EXPECT_EQ(find_shipped(one.id), &one);
        EXPECT_NO_THROW(read(std::string(one.text), std::string(one.id))) << one.id;
    }
    EXPECT_EQ(find_shipped("no/such"), nullptr);
}

TEST(Verdicts, ResidualOfARunWithoutMotionIsZero) {
    Experiment e;
    e.claims = {claim_of("residual", -1e-6, 1e-6, 0)};
    Result rest;
    EXPECT_FALSE(judge(e, rest)[0].measured);  // nothing was run
    rest.signals = {{"t", "s", "time", {0, 1}}};
    EXPECT_EQ(judge(e, rest)[0].measured, 0);
    rest.energy.supplied = rest.energy.scale = 1;
    EXPECT_EQ(judge(e, rest)[0].measured, 1);
}

}  // namespace
