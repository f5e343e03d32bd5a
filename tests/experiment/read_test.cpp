// The experiment reader: every problem at once, each with its file, line, key and rule; defaults as the format says.
#include "reading.hpp"

namespace {

using namespace reading;

const std::string pulled = R"(title = "Stick-slip"
source = "A08 fig 4"
[law]
kind = "lugre"
sigma0 = 2940.0
Fc = 2.94
Fs = 5.88
vs = 0.01
[rig]
kind = "pulled_spring"
mass = 1.0
stiffness = 2.0
velocity = 0.1
[run]
duration = 20.0
)";
const std::string coulomb = R"([law]
kind = "coulomb"
Fc = 1
)";
const std::string run = "[run]\nduration = 1\n";
const std::string push = "[input]\nkind = \"constant\"\nvalue = 1\n";

TEST(Read, ReturnsTheValuesOfTheFile) {
    const Experiment e = experiment_of(pulled);
    EXPECT_EQ(e.name, "my.toml");
    EXPECT_EQ(e.title, "Stick-slip");
    EXPECT_EQ(e.source, "A08 fig 4");
    const auto& law = std::get<AnyLuGre>(e.setup.law);
    EXPECT_EQ(law.sigma0, 2940);
    EXPECT_EQ(law.curve.stribeck.positive.Fs, 5.88);
    ASSERT_TRUE(std::holds_alternative<PulledSpring>(e.setup.rig));
    const auto& rig = std::get<PulledSpring>(e.setup.rig);
    EXPECT_EQ(rig.mass, 1);
    EXPECT_EQ(rig.stiffness, 2);
    EXPECT_EQ(rig.velocity, 0.1);
    EXPECT_EQ(e.setup.run.duration, 20);
}

// The defaults are those of the tables in docs/experiments.md.
TEST(Read, MissingKeysGetTheDefaultsOfTheFormat) {
    const Experiment e = experiment_of(pulled);
    EXPECT_FALSE(e.rotary);
    const auto& law = std::get<AnyLuGre>(e.setup.law);
    EXPECT_EQ(law.sigma1, 0);
    EXPECT_EQ(law.sigma2, 0);
    EXPECT_EQ(law.curve.stribeck.positive.alpha, 2);
    EXPECT_EQ(law.load_on, LoadOn::curve);
    EXPECT_EQ(e.setup.load.piece(0).value(0.0), 1);
    EXPECT_EQ(e.setup.run.method, Method::adaptive);
    EXPECT_EQ(e.setup.run.rtol, 1e-6);
    EXPECT_EQ(e.setup.run.atol, 1e-6);
    EXPECT_EQ(e.setup.run.samples, 1001);
    EXPECT_EQ(e.setup.run.stick_speed, 0.01);  // vs
    EXPECT_TRUE(e.setup.start.empty());
    EXPECT_TRUE(e.claims.empty());
}

TEST(Read, AtolDefaultsToRtol) {
    EXPECT_EQ(experiment_of(pulled + "rtol = 1e-9\n").setup.run.atol, 1e-9);
    EXPECT_EQ(experiment_of(pulled + "rtol = 1e-9\natol = 1e-4\n").setup.run.atol, 1e-4);
}

TEST(Read, EveryKeyOfRunIsRead) {
    const auto set = experiment_of(pulled + "method = \"explicit\"\nstep = 1e-3\nsamples = 11\nstick_speed = 0.2\n");
    EXPECT_EQ(set.setup.run.method, Method::explicit_);
    EXPECT_EQ(set.setup.run.step, 1e-3);
    EXPECT_EQ(set.setup.run.samples, 11);
    EXPECT_EQ(set.setup.run.stick_speed, 0.2);
    EXPECT_TRUE(experiment_of("units = \"rotary\"\n" + pulled).rotary);
}

TEST(Read, OneFaultGivesOneDiagnosticAtItsLine) {
    const Fault faults[] = {
        {"title =", "titel =", 1, "titel", "did you mean title?"},
        {"\"Stick-slip\"", "7", 1, "title", "must be a string, is a whole number"},
        {"\"Stick-slip\"", "\"\\u001b[2J\"", 1, "title", "without control characters"},
        {"\"lugre\"", "\"lugr\"", 4, "law.kind", "did you mean lugre?"},
        {"\"lugre\"", "3.5", 4, "law.kind", "must be a string, is a number"},
        {"sigma0 = 2940.0", "sigma0 = -3", 5, "law.sigma0", "must be a finite number > 0"},
        {"sigma0 = 2940.0", "sigma0 = nan", 5, "law.sigma0", "must be a finite number"},
        {"sigma0 = 2940.0", "sigma0 = inf", 5, "law.sigma0", "must be a finite number"},
        {"sigma0 = 2940.0", "sigma0 = \"soft\"", 5, "law.sigma0", "must be a number, is a string"},
        {"sigma0 = 2940.0", "sigma0 = [1]", 5, "law.sigma0", "must be a number, is a list"},
        {"sigma0 = 2940.0", "sigma0 = 2024-01-01", 5, "law.sigma0", "must be a number, is a date"},
        {"sigma0 = 2940.0", "", 3, "law.sigma0", "is missing: bristle stiffness, in N/m"},
        {"Fs = 5.88", "Fs = 2", 7, "law.Fs", "must be >= Fc"},
        {"vs = 0.01", "vs = 0.01\nkappa = 1", 9, "law.kappa", "is not a key here"},
        {"\"pulled_spring\"", "\"pulled_sprung\"", 10, "rig.kind", "did you mean pulled_spring?"},
        {"mass = 1.0", "mass = -1.0", 11, "rig.mass", "must be a finite number > 0"},
        {"mass = 1.0", "", 9, "rig.mass", "is missing: mass that moves, in kg"},
        {"velocity = 0.1", "velocity = 0.1\nlength = 2", 14, "rig.length", "known: kind, mass, stiffness, velocity"},
        {"[run]", "[input]\nkind = \"constant\"\n[run]", 14, "input", "pulled_spring takes no input"},
        {"[run]", "[strat]\n[run]", 14, "strat", "did you mean start?"},
        {"[run]", "[start]\nx = 1\n[run]", 15, "start.x", "known: elongation, v, z"},
        {"[run]", "[start]\nz = \"a\"\n[run]", 15, "start.z", "must be a number"},
        {"duration = 20.0", "", 14, "run.duration", "is missing"},
        {"duration = 20.0", "duration = 0", 15, "run.duration", "must be >= 1e-12 s"},
        {"duration = 20.0", "duration = inf", 15, "run.duration", "must be a finite number"},
        {"duration = 20.0", "duration = 1e300", 15, "run.duration", "< 1e9 s"},
        {"duration = 20.0", "duration = 20\nrtol = 0", 16, "run.rtol", "must be >= 1e-13 and < 1"},
        {"duration = 20.0", "duration = 20\nrtol = 1e-14", 16, "run.rtol", "must be >= 1e-13 and < 1"},
        {"duration = 20.0", "duration = 20\nrtol = 1", 16, "run.rtol", "must be >= 1e-13 and < 1"},
        {"duration = 20.0", "duration = 20\natol = -1", 16, "run.atol", "must be >="},
        {"duration = 20.0", "duration = 20\nsamples = 1", 16, "run.samples", "whole number from 2 to 1000000"},
        {"duration = 20.0", "duration = 20\nsamples = 1000001", 16, "run.samples", "whole number from 2 to 1000000"},
        {"duration = 20.0", "duration = 20\nsamples = 10.5", 16, "run.samples", "whole number from 2 to 1000000"},
        {"duration = 20.0", "duration = 20\nmethod = \"coupled\"", 14, "run.step", "is missing"},
        {"duration = 20.0", "duration = 20\nmethod = \"rk4\"", 16, "run.method",
         "adaptive, coupled, explicit, cvode or hybrid"},
        {"duration = 20.0", "duration = 20\nstep = 0", 16, "run.step", "> 0"},
        {"duration = 20.0", "duration = 20\nstep = 21", 16, "run.step", "must be <= run.duration"},
        {"duration = 20.0", "duration = 20\nstep = 1e-9", 16, "run.step", "at most 1e9"},
        {"duration = 20.0", "duration = 20\nstick_speed = 0", 16, "run.stick_speed", "> 0"},
    };
    for (const Fault& fault : faults) expect_fault(pulled, fault);
}

TEST(Read, TextThatIsNotTomlIsReportedWithItsLine) {
    expect_fault(pulled, {"mass = 1.0", "mass = ", 11, "", "is not TOML"});
    expect_fault(pulled, {"mass = 1.0", "mass = 1\nmass = 2", 12, "", "is not TOML"});
    expect_fault(pulled, {"mass = 1.0", "m\u00b5 = 1", 11, "", "letters beyond ASCII need quotes"});
    expect_fault(pulled, {"[rig]", "[>rig]", 9, "", "is not TOML"});
    expect_fault(pulled, {"\"Stick-slip\"", "\"\xff\"", 1, "", "is not TOML"});
}

TEST(Read, LettersBeyondAsciiAreAllowedInTextAndComments) {
    const auto e = experiment_of("# \u03c3\n" + with(pulled, "Stick-slip", "\u03c3\u2080 = \u201cstiff\u201d"));
    EXPECT_EQ(e.title, "\u03c3\u2080 = \u201cstiff\u201d");
}

TEST(Read, TitlesKeepQuotesBackticksAndTags) {
    const std::string odd = R"(it's "`rm -rf`" <b>$HOME</b> %s)";
    EXPECT_EQ(experiment_of(with(pulled, "\"Stick-slip\"", "'''" + odd + "'''")).title, odd);
}

TEST(Read, TextAbove1MBOrNestedTooDeepIsRejected) {
    std::string key = "a";
    for (int i = 0; i < 100000; ++i) key += ".a";
    const auto deep = diagnostics_of(pulled + key + " = 1\n");
    ASSERT_EQ(deep.size(), 1u);
    EXPECT_EQ(deep[0].line, 16);
    const auto nested = diagnostics_of("x = " + std::string(100000, '['));
    ASSERT_EQ(nested.size(), 1u);
    EXPECT_EQ(nested[0].line, 1);
    const auto long_one = diagnostics_of(pulled + std::string(2000000, ' '));
    ASSERT_EQ(long_one.size(), 1u);
    EXPECT_NE(long_one[0].rule.find("1 MB"), std::string::npos);
}

TEST(Read, ReportsAllProblemsAtOnceInTheOrderOfTheFile) {
    std::string text = with(pulled, "title", "titel");
    text = with(text, "sigma0 = 2940.0", "sigma0 = -1");
    text = with(text, "vs = 0.01", "");
    text = with(text, "mass = 1.0", "mass = 0");
    text = with(text, "duration = 20.0", "samples = 0");
    const auto found = diagnostics_of(text + "[[claim]]\nmeasure = \"speed\"\nbetween = [2, 1]\n");
    std::vector<std::string> keys;
    for (const auto& diagnostic : found) keys.push_back(diagnostic.key);
    EXPECT_EQ(keys, (std::vector<std::string>{"titel", "law.vs", "law.sigma0", "rig.mass", "run.duration",
                                              "run.samples", "claim[1].measure", "claim[1].between"}))
        << sentences(found);
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end(), [](auto& a, auto& b) { return a.line < b.line; }));
}

// 80 000 unknown keys or bad points: a short list of diagnostics, without delay.
TEST(Read, AtMost21DiagnosticsForUnknownKeysAnd101InAll) {
    std::string keys = pulled, points = "[[0, 1]";
    for (int i = 0; i < 80000; ++i) keys += "k" + std::to_string(i) + "=1\n";
    for (int i = 0; i < 80000; ++i) points += ",[1]";
    EXPECT_LE(diagnostics_of(keys).size(), 21u);
    const auto found = diagnostics_of(coulomb + "[rig]\nkind = \"forced_mass\"\nmass = 1\n" + run +
                                      "[input]\nkind = \"ramps\"\npoints = " + points + "]\n");
    EXPECT_EQ(found.size(), 101u);
    EXPECT_EQ(found.back().rule, "and 79900 more problems");
}

TEST(Read, SentenceHasPlaceKeyValueUnitAndRule) {
    const auto found = diagnostics_of(with(pulled, "sigma0 = 2940.0", "sigma0 = -3"));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(sentence(found[0]), "my.toml:5: law.sigma0 = -3 N/m: must be a finite number > 0");
    EXPECT_STREQ(Unreadable(found).what(), sentence(found[0]).c_str());
}

TEST(Read, MissingSectionsAreReported) {
    const auto found = diagnostics_of("");
    std::vector<std::string> keys;
    for (const auto& diagnostic : found) {
        keys.push_back(diagnostic.key);
        EXPECT_EQ(diagnostic.place, "my.toml");
        EXPECT_EQ(diagnostic.line, 0);
    }
    std::sort(keys.begin(), keys.end());
    EXPECT_EQ(keys, (std::vector<std::string>{"law", "rig", "run"}));
    const auto no_input = diagnostics_of(coulomb + "[rig]\nkind = \"forced_mass\"\nmass = 1\n" + run);
    ASSERT_EQ(no_input.size(), 1u);
    EXPECT_EQ(no_input[0].key, "input");
    EXPECT_NE(no_input[0].rule.find("forced_mass needs a section [input]"), std::string::npos);
}

TEST(Read, AValueInPlaceOfASectionIsReportedOnce) {
    const auto found = diagnostics_of("rig = 3\n" + coulomb + run);
    ASSERT_EQ(found.size(), 1u) << sentences(found);
    EXPECT_EQ(found[0].key, "rig");
    EXPECT_EQ(found[0].line, 1);
}

// ---- rigs ----------------------------------------------------------------------------------------------------------

TEST(Read, EveryRigIsReadFromTheTable) {
    for_each_rig([&](const auto& rig) {
        SCOPED_TRACE(rig.info.kind);
        std::string text = coulomb + "[rig]\nkind = \"" + rig.info.kind + "\"\n";
        std::map<std::string, double> values;
        rig.parameters(rig, [&](const Parameter& p, double) {
            values[p.name] = 1.5 + double(values.size());
            text += std::string(p.name) + " = " + std::to_string(values[p.name]) + "\n";
        });
        const Experiment e = experiment_of(text + run + (rig.info.takes_input ? push : ""));
        EXPECT_STREQ(e.setup.rig.info().kind, rig.info.kind);
        e.setup.rig.parameters([&](const Parameter& p, double x) { EXPECT_EQ(x, values.at(p.name)) << p.name; });
    });
}

TEST(Read, TheKindHybridIsPulledSpringByTheMethodHybrid) {
    const std::string numbers = "mass = 1\nstiffness = 2\nvelocity = 0.1\n";
    const Experiment short_form = experiment_of(coulomb + "[rig]\nkind = \"hybrid\"\n" + numbers + run);
    const Experiment long_form =
        experiment_of(coulomb + "[rig]\nkind = \"pulled_spring\"\n" + numbers + run + "method = \"hybrid\"\n");
    for (const Experiment& e : {short_form, long_form}) {
        EXPECT_EQ(e.setup.run.method, Method::hybrid);
        EXPECT_EQ(std::get<PulledSpring>(e.setup.rig).stiffness, 2);
    }
}

TEST(Read, ProductsOfARigMustStayFinite) {
    const std::string rig = "[rig]\nkind = \"pendulum\"\nmass = 1\nlength = 1e200\ngravity = 9.81\nradius = 1\n";
    const auto found = diagnostics_of(coulomb + rig + run);
    ASSERT_EQ(found.size(), 1u) << sentences(found);
    EXPECT_EQ(found[0].key, "rig");
    EXPECT_EQ(found[0].line, 4);
    EXPECT_EQ(found[0].rule, "a product of these numbers is not finite; use values nearer to 1");
}

TEST(Read, StartHasTheStatesOfLawAndRig) {
    const auto e = experiment_of(pulled + "[start]\nelongation = 0.5\nz = -1e-3\n");
    EXPECT_EQ(e.setup.start, (std::map<std::string, double>{{"elongation", 0.5}, {"z", -1e-3}}));
    const std::string rig = "[rig]\nkind = \"pid_servo\"\nmass = 1\nKv = 6\nKp = 3\nKi = 4\ntarget = 1\n";
    EXPECT_EQ(experiment_of(coulomb + rig + run + "[start]\nintegral = 2\n").setup.start.at("integral"), 2);
    // a static law has no bristle
    const auto found = diagnostics_of(coulomb + rig + run + "[start]\nz = 2\n");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].key, "start.z");
}

TEST(Read, TheHybridRigAcceptsCoulombOnly) {
    const auto hybrid = with(pulled, "pulled_spring", "hybrid");
    const auto found = diagnostics_of(hybrid);
    ASSERT_EQ(found.size(), 1u) << sentences(found);
    EXPECT_EQ(found[0].key, "law.kind");
    EXPECT_EQ(found[0].line, 4);
    const std::string rig = "[rig]\nkind = \"hybrid\"\nmass = 1\nstiffness = 2\nvelocity = 0.1\n";
    EXPECT_TRUE(diagnostics_of(coulomb + "Fs = 2\nsigma2 = 0.1\n" + rig + run).empty());
    EXPECT_TRUE(diagnostics_of(coulomb + "[law.negative]\nFc = 2\n" + rig + run).empty());
    EXPECT_TRUE(diagnostics_of(coulomb + "load = 2\n" + rig + run).empty());
    const std::string load = "[load]\nkind = \"sine\"\noffset = 2\namplitude = 1\nomega = 1\n";
    EXPECT_EQ(diagnostics_of(coulomb + rig + run + load).at(0).key, "load");
    EXPECT_EQ(diagnostics_of(coulomb + rig + run + "method = \"coupled\"\nstep = 0.1\n").at(0).key, "run.method");
}

TEST(Read, AdaptiveIsRejectedForAHystereticLawWithoutMicrodamping) {
    const std::string law = "[law]\nkind = \"hysteretic\"\na = 1e-6\nsigma0 = 1e5\nFc = 1\nFs = 1.5\nvs = 0.1\n";
    const std::string rig = "[rig]\nkind = \"forced_mass\"\nmass = 1\n", given = "[rig]\nkind = \"prescribed\"\n";
    EXPECT_EQ(diagnostics_of(law + rig + push + run).at(0).key, "run.method");
    EXPECT_TRUE(diagnostics_of(law + "sigma1 = 1\n" + rig + push + run).empty());
    EXPECT_TRUE(diagnostics_of(law + given + push + run).empty());
    EXPECT_TRUE(diagnostics_of(law + rig + push + run + "method = \"coupled\"\nstep = 0.1\n").empty());
}

TEST(Read, CvodeIsRejectedForLawsThatSwitch) {
    const std::string cvode = "method = \"cvode\"\n";
    const std::string rig = "[rig]\nkind = \"forced_mass\"\nmass = 1\n";
    const std::string curve = "sigma0 = 1e5\nFc = 1\nFs = 1.5\nvs = 0.1\n";
    const std::string elements = "k = [1e4]\nnu = [1]\nC = 10\nFc = 1\nFs = 1.5\nvs = 0.1\n";
    const std::vector<std::pair<std::string, std::string>> laws = {
        {"coulomb", "Fc = 1\n"},
        {"stribeck", "Fc = 1\nFs = 2\nvs = 0.1\n"},
        {"hysteretic", "a = 1e-6\n" + curve},
        {"maxwell_slip", elements},
    };
    for (const auto& [kind, numbers] : laws) {
        const auto found = diagnostics_of("[law]\nkind = \"" + kind + "\"\n" + numbers + rig + push + run + cvode);
        const bool reported = std::any_of(found.begin(), found.end(), [](const Diagnostic& diagnostic) {
            return diagnostic.key == "run.method" && diagnostic.rule.find("switches") != std::string::npos;
        });
        EXPECT_TRUE(reported) << kind << "\n" << sentences(found);
    }
    // a law that does not switch is rejected only if CVODE is not built in
    EXPECT_EQ(diagnostics_of(pulled + cvode).empty(), has_cvode());
}

// --- a law alone ----------------------------------------------------------------------------------------------------------

constexpr const char* law_alone =
    "[law]\nkind = \"lugre\"\nsigma0 = 1e5\nsigma1 = 300\nFc = 1\nFs = 1.5\nvs = 1e-3\nload = 2\n";

TEST(ReadForLaw, AcceptsASectionLawAlone) {
    const Experiment e = read_for_law(law_alone, "law.toml");
    EXPECT_EQ(std::get<AnyLuGre>(e.setup.law).sigma1, 300);
    EXPECT_EQ(e.setup.load.piece(0).value(0.0), 2);
    EXPECT_THROW(read(law_alone, "law.toml"), Unreadable);  // as an experiment it lacks a rig and a run
}

TEST(ReadForLaw, ReportsFaultsAndReadsAWholeExperiment) {
    EXPECT_THROW(read_for_law(std::string(law_alone) + "sigmaO = 3\n", "law.toml"), Unreadable);
    EXPECT_THROW(read_for_law(std::string(law_alone) + "[rig]\nkind = \"forced_mass\"\n", "law.toml"), Unreadable);
    EXPECT_THROW(read_for_law("title = 3\n", "law.toml"), Unreadable);
    EXPECT_THROW(read_for_law(law_alone, "law.toml", {}, {{"law.Fs", "0.5"}}), Unreadable);
    const auto* fig4 = find_shipped("astrom2008/fig4");
    EXPECT_TRUE(std::holds_alternative<PulledSpring>(read_for_law(std::string(fig4->text), "fig4").setup.rig));
}

}  // namespace
