// --set key=value: replaces or adds a value, is checked like the file, and is reported with the place "--set".
#include "reading.hpp"

namespace {

using namespace reading;

const std::string text = R"([law]
kind = "lugre"
sigma0 = 100
sigma1 = 3
Fc = 1
Fs = 1.5
vs = 0.1
load = 2
)" + driven_mass;
const AnyLuGre& lugre(const Experiment& e) { return std::get<AnyLuGre>(e.setup.law); }

void expect_fault(const Override& set, const std::string& key, const std::string& rule) {
    SCOPED_TRACE(set.key + "=" + set.text);
    const auto found = diagnostics_of(text, {set});
    ASSERT_EQ(found.size(), 1u) << sentences(found);
    EXPECT_EQ(found[0].place, "--set");
    EXPECT_EQ(found[0].line, 0);
    EXPECT_EQ(found[0].key, key);
    EXPECT_NE(broken_rule(found[0]).find(rule), std::string::npos) << broken_rule(found[0]);
}

TEST(Overrides, KeepTheParsedValueBesideTheText) {
    for (const char* number : {"+0.5", "0.5", ".5", "5e-1"})
        EXPECT_EQ(Override("law.sigma2", number).value.number, 0.5);
    for (const char* number : {"1_6", "0x10", "16", "16."}) EXPECT_EQ(Override("law.sigma2", number).value.number, 16);
    EXPECT_EQ(Override("input.file", "a1.csv").value.kind, Node::Kind::string);
    EXPECT_EQ(Override("law.kind", "\"lugre\"").value.text, "lugre");
    EXPECT_EQ(Override("input.points", "[[0, 1]]").value.kind, Node::Kind::list);
    EXPECT_EQ(Override("law.allow_rising", "true").value.kind, Node::Kind::boolean);
}

TEST(Overrides, ReplaceOrAddAKey) {
    EXPECT_EQ(lugre(experiment_of(text, {{"law.sigma1", "7.5"}})).sigma1, 7.5);
    EXPECT_EQ(lugre(experiment_of(text, {{"law.sigma2", "0.3"}})).sigma2, 0.3);
    EXPECT_EQ(experiment_of(text, {{"title", "a plain title"}}).title, "a plain title");
    EXPECT_EQ(experiment_of(text, {{"title", "\"quoted\""}}).title, "quoted");
    EXPECT_EQ(experiment_of(text, {{"start.z", "1e-3"}}).setup.start.at("z"), 1e-3);
    EXPECT_EQ(lugre(experiment_of(text, {{"law.negative.Fc", "0.5"}})).curve.stribeck.negative.Fc, 0.5);
    // the last one counts
    EXPECT_EQ(lugre(experiment_of(text, {{"law.sigma1", "7"}, {"law.sigma1", "8"}})).sigma1, 8);
}

TEST(Overrides, AreChangesIfTheFileHasAnotherValue) {
    const auto changes = [&](const std::vector<Override>& overrides) {
        return experiment_of(text, overrides).changes.size();
    };
    EXPECT_EQ(changes({}), 0u);
    EXPECT_EQ(changes({{"law.sigma1", "7.5"}, {"law.Fc", "1.0"}}), 1u);
    EXPECT_EQ(changes({{"law.sigma0", "1e2"}, {"law.kind", "lugre"}, {"law.load", "2"}}), 0u);
    EXPECT_EQ(changes({{"law.sigma2", "0.3"}}), 1u);  // a value that the file does not have
    EXPECT_EQ(changes({{"law.zeta", "1"}}), 1u);      // replaces sigma1
    EXPECT_EQ(changes({{"title", "another"}, {"source", "x"}, {"units", "rotary"}}), 0u);
}

TEST(Overrides, AcceptNumbersThatTomlDoesNot) {
    for (const char* half : {"0.5", ".5", "5e-1", "+0.5"})
        EXPECT_EQ(lugre(experiment_of(text, {{"law.sigma2", half}})).sigma2, 0.5) << half;
    EXPECT_EQ(lugre(experiment_of(text, {{"law.sigma2", "5."}})).sigma2, 5);
}

TEST(Overrides, AcceptWordsAndLists) {
    const auto coupled = experiment_of(text, {{"run.method", "coupled"}, {"run.step", "1e-3"}});
    EXPECT_EQ(coupled.setup.run.method, Method::coupled);
    std::string ramps = with(with(text, "amplitude = 1\n", ""), "frequency = 2\n", "");
    const auto e = experiment_of(ramps, {{"input.kind", "ramps"}, {"input.points", "[[0,0],[1,2]]"}});
    EXPECT_EQ(e.setup.input.points.at(1).value, 2);
}

TEST(Overrides, AnAlternativeKeyReplacesTheOther) {
    // 2 zeta sqrt(sigma0 m) = 40
    EXPECT_DOUBLE_EQ(lugre(experiment_of(text, {{"law.zeta", "1"}})).sigma1, 40);
    EXPECT_EQ(lugre(experiment_of(with(text, "sigma1 = 3", "zeta = 1"), {{"law.sigma1", "5"}})).sigma1, 5);
    EXPECT_EQ(experiment_of(text, {{"input.omega", "3"}}).setup.input.wave.omega, 3);
    const auto load = experiment_of(text, {{"load.kind", "constant"}, {"load.value", "6"}});
    EXPECT_EQ(load.setup.load.piece(0).value(0.0), 6);
    const auto number =
        experiment_of(with(text, "load = 2\n", "") + "[load]\nkind = \"constant\"\nvalue = 6\n", {{"law.load", "5"}});
    EXPECT_EQ(number.setup.load.piece(0).value(0.0), 5);
    // both from the command line: neither is removed
    EXPECT_EQ(diagnostics_of(text, {{"law.zeta", "1"}, {"law.sigma1", "2"}}).size(), 1u);
}

TEST(Overrides, AreCheckedLikeTheFile) {
    expect_fault({"law.sigma0", "-1"}, "law.sigma0", "must be a finite number > 0");
    expect_fault({"law.sigma0", "soft"}, "law.sigma0", "must be a number, is a string");
    expect_fault({"law.sigma0", "nan"}, "law.sigma0", "must be a finite number");
    expect_fault({"law.sigma0", "1\nFc = 3"}, "law.sigma0", "must be a number, is a string");
    expect_fault({"law.sigma3", "1"}, "law.sigma3", "did you mean sigma");
    expect_fault({"rig.mass", "0"}, "rig.mass", "> 0");
    expect_fault({"runn.rtol", "1"}, "runn", "did you mean run?");
    expect_fault({"input.omega", "-3"}, "input.omega", "> 0");
    expect_fault({"rig", "3"}, "rig", "must be a section: [rig], is a whole number");
}

TEST(Overrides, KeysThatCannotBeSetAreReported) {
    expect_fault({"claim.measure", "max"}, "claim.measure", "claims belong to the file");
    expect_fault({"", "1"}, "", "is not a key");
    expect_fault({"law..Fc", "1"}, "law..Fc", "is not a key");
    expect_fault({"law.Fc.x", "1"}, "law.Fc.x", "not a section");
    std::string deep = "a";
    for (int i = 0; i < 100000; ++i) deep += ".a";
    EXPECT_EQ(diagnostics_of(text, {{deep, "1"}}).size(), 1u);
}

TEST(Overrides, ANewKindKeepsTheOtherKeysWhichAreReported) {
    const auto found = diagnostics_of(text, {{"law.kind", "dahl"}});
    std::vector<std::string> keys;
    for (const auto& diagnostic : found) keys.push_back(diagnostic.key);
    EXPECT_EQ(keys, (std::vector<std::string>{"law.sigma1", "law.Fs", "law.vs"})) << sentences(found);
}

}  // namespace
