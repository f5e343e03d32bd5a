// Reports of made-up results: panels and labels of each kind of rig, tables of runs with different signals, JSON of any text and
// number.
#include "report/run/json.hpp"
#include "report/run/quantity.hpp"
#include "report/run/result_figure.hpp"
#include "simulate/names.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <gtest/gtest.h>

namespace {

using namespace bristle;
using report::Outcome;

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();

Signal signal(const char* name, const char* unit, const char* title, std::vector<double> values) {
    return {name, unit, title, std::move(values)};
}

// Three samples of a law on a rig, with the signals that a run has.
Outcome outcome(const Rig& rig = PulledSpring{}, const char* law = "lugre") {
    Outcome out;
    out.experiment.name = "paper/figure";
    out.experiment.title = "A title";
    out.experiment.source = "A source";
    out.experiment.setup.law = *law_of_kind(law);
    out.experiment.setup.rig = rig;
    out.experiment.setup.run.duration = 2;
    const RigInfo& info = rig.info();
    out.result.signals = {
        signal("t", "s", "time", {0, 1, 2}), signal(info.position.name, info.position.unit, "position", {0, 1, 0.5}),
        signal(info.velocity.name, info.velocity.unit, "velocity", {0, 0.1, -0.2}),
        signal("z", "m", "bristle deflection", {0, 1e-5, 2e-5}), signal("F", "N", "friction force", {0, 1.0 / 3, 1})};
    const auto also = [&](Signal one) { out.result.signals.push_back(std::move(one)); };
    if (rig.equations().sense < 0) also(signal("x", "m", "position", {0, 3, 4}));
    if (std::holds_alternative<ForcedMass>(rig)) also(signal("u", "N", "applied force", {1, 1, 1}));
    if (info.has_belt) also(signal("belt", "m/s", "belt speed", {0, 1, 1}));
    return out;
}

// The written text, read again.
nlohmann::json read(const std::vector<Outcome>& outcomes) { return nlohmann::json::parse(report::run_text(outcomes)); }

// --- figures ------------------------------------------------------------------------------------------------------------

const report::Panel& last_panel(const report::Figure& figure) { return figure.panels.back(); }
bool has_path(const report::Panel& panel) { return panel.series.at(0).mark == report::Mark::path; }

TEST(ResultFigure, OscillatingRigsHaveAPhasePlane) {
    for (const Rig& rig : {Rig(PulledSpring{}), Rig(Pendulum{}), Rig(Conveyor{})}) {
        const report::Figure figure = report::figure_of({outcome(rig)});
        SCOPED_TRACE(rig.info().kind);
        ASSERT_EQ(figure.panels.size(), 4u);
        EXPECT_EQ(figure.layout, report::Layout::beside);
        EXPECT_TRUE(has_path(last_panel(figure)));
        const std::vector<double> x{0, 1, 0.5}, v{0, 0.1, -0.2};
        EXPECT_EQ(last_panel(figure).series[0].x, x);
        EXPECT_EQ(last_panel(figure).series[0].y, v);
        EXPECT_EQ(labelled(figure.panels[0].x_label), "time t [s]");
        EXPECT_EQ(labelled(figure.panels[2].y_label), "friction force F [N]");
    }
}

TEST(ResultFigure, AServoHasTimePlotsOnly) {
    const report::Figure figure = report::figure_of({outcome(PidServo{})});
    EXPECT_EQ(figure.panels.size(), 3u);
    EXPECT_EQ(figure.layout, report::Layout::stacked);
}

TEST(ResultFigure, AForcedMassHasItsForceDisplacementLoop) {
    const report::Figure figure = report::figure_of({outcome(ForcedMass{})});
    EXPECT_EQ(figure.layout, report::Layout::beside);
    EXPECT_TRUE(has_path(last_panel(figure)));
    EXPECT_EQ(labelled(last_panel(figure).x_label), "position x [m]");
    EXPECT_EQ(labelled(last_panel(figure).y_label), "friction force F [N]");
}

TEST(ResultFigure, APrescribedMotionHasTheForceOverItsInput) {
    Outcome moved = outcome(Prescribed{});
    const std::vector<double> F{0, 1.0 / 3, 1};
    for (const auto& [quantity, label] :
         {std::pair{Quantity::displacement, "position x [m]"}, std::pair{Quantity::velocity, "velocity v [m/s]"}}) {
        moved.experiment.setup.rig = Prescribed{quantity};
        const report::Figure figure = report::figure_of({moved});
        EXPECT_EQ(labelled(last_panel(figure).x_label), label);
        EXPECT_EQ(labelled(last_panel(figure).y_label), "friction force F [N]");
        EXPECT_EQ(last_panel(figure).series.at(0).y, F);
        EXPECT_TRUE(has_path(last_panel(figure)));
    }
}

TEST(ResultFigure, SeveralRunsAreOneLineEachWithOneLegend) {
    Outcome a = outcome(), b = outcome();
    a.varied = {{"law.sigma2", "0"}, {"rig.mass", "1"}};
    b.varied = {{"law.sigma2", "0.2"}, {"rig.mass", "2"}};
    const report::Figure figure = report::figure_of({a, b});
    EXPECT_TRUE(figure.panels[0].legend);
    for (const report::Panel& panel : figure.panels) {
        ASSERT_EQ(panel.series.size(), 2u);
        EXPECT_EQ(panel.series[1].name, "σ₂ = 0.2 N s/m, mass = 2 kg");
        EXPECT_EQ(&panel == &figure.panels[0], panel.legend);
    }
}

TEST(ResultFigure, ARunWithoutASignalIsLeftOutOfItsPanelAlone) {
    Outcome with = outcome(Prescribed{}), without = outcome(Prescribed{}, "coulomb");
    std::erase_if(without.result.signals, [](const auto& s) { return s.name == "z"; });
    for (const auto& runs : {std::vector{with, without}, std::vector{without, with}})
        for (const report::Panel& panel : report::figure_of(runs).panels) {
            ASSERT_FALSE(panel.series.empty());
            for (const report::Series& series : panel.series) EXPECT_EQ(series.x.size(), series.y.size());
        }
}

TEST(Quantity, OnlyNumbersHaveAUnitInALabel) {
    Outcome out = outcome(ForcedMass{});
    const auto label = [&](const char* key, const char* value) {
        out.varied = {{key, value}};
        return report::label_of(out);
    };
    EXPECT_EQ(label("input.file", "a1.csv"), "file = a1.csv");
    EXPECT_EQ(label("law.sigma2", "+0.5"), "σ₂ = +0.5 N s/m");
    EXPECT_EQ(label("input.amplitude", "2"), "amplitude = 2 N");
    EXPECT_EQ(label("input.omega", "2"), "ω = 2 rad/s");
    EXPECT_EQ(label("input.unknown", "2"), "unknown = 2");
    EXPECT_EQ(label("load.value", "2"), "value = 2 N");
    EXPECT_EQ(label("load.frequency", "2"), "frequency = 2 Hz");
}

TEST(Quantity, SmallNumbersGetAPrefixOnTheAxisAndRotaryRigsTheirUnits) {
    Outcome small = outcome(ForcedMass{});
    small.result.signals[1].values = {0, 3e-6, -5e-6};
    report::Figure figure = report::figure_of({small});
    EXPECT_EQ(labelled(figure.panels[0].y_label), "position x [µm]");
    EXPECT_DOUBLE_EQ(figure.panels[0].series[0].y[2], -5);
    Outcome rotary = outcome(ForcedMass{});
    rotary.experiment.rotary = true;
    figure = report::figure_of({rotary});
    EXPECT_EQ(labelled(figure.panels[0].y_label), "angle θ [rad]");
    EXPECT_EQ(labelled(figure.panels[1].y_label), "angular velocity ω [rad/s]");
    EXPECT_EQ(labelled(figure.panels[2].y_label), "friction torque F [N m]");
}

TEST(Quantity, ANameThatIsAWordOfTheTitleIsNotRepeatedOnTheAxis) {
    Outcome out = outcome();
    out.result.signals[1] = {"elongation", "m", "elongation of the spring", {0, 1, 0.5}, false};
    EXPECT_EQ(labelled(report::axis_of({out}, {"elongation"}).label), "elongation of the spring [m]");
    EXPECT_EQ(labelled(report::axis_of({out}, {"F"}).label), "friction force F [N]");
    for (const Rig& rig : {Rig(PulledSpring{}), Rig(PidServo{}), Rig(Conveyor{}), Rig(Pendulum{})})
        for (const Signal& one : signals_of(*law_of_kind("lugre"), rig, Input::constant(1)).signals)
            EXPECT_TRUE(one.name_is_symbol || one.title.find(one.name) != std::string::npos) << one.name;
}

TEST(Quantity, UnitsOfKeysComeFromTheTables) {
    experiment::Experiment e = outcome().experiment;
    EXPECT_EQ(report::unit_of_key(e, "law.sigma0"), "N/m");
    EXPECT_EQ(report::unit_of_key(e, "law.alpha"), "");
    EXPECT_EQ(report::unit_of_key(e, "rig.stiffness"), "N/m");
    EXPECT_EQ(report::unit_of_key(e, "run.duration"), "s");
    EXPECT_EQ(report::unit_of_key(e, "run.rtol"), "");
    EXPECT_EQ(report::unit_of_key(e, "input.omega"), "rad/s");
    EXPECT_EQ(report::unit_of_key(e, "input.amplitude"), "N");
    EXPECT_EQ(report::unit_of_key(e, "start.v"), "m/s");
    EXPECT_EQ(report::unit_of_key(e, "title"), "");
    e.rotary = true;
    EXPECT_EQ(report::unit_of_key(e, "law.sigma0"), "N m/rad");
    for (const auto& [linear, rotary] : std::map<std::string, std::string>{{"m/s^2", "rad/s²"},
                                                                           {"N s/m", "N m s/rad"},
                                                                           {"N/(m s)", "N m/(rad s)"},
                                                                           {"kg", "kg m²"},
                                                                           {"1/m", "1/rad"},
                                                                           {"N s^2/m^2", "N m s²/rad²"},
                                                                           {"", ""},
                                                                           {"J", "J"}})
        EXPECT_EQ(report::unit_of(e, linear), rotary);
}

// --- JSON -----------------------------------------------------------------------------------------------------------------

TEST(Json, NumbersReadBackAsTheSameDoublesAndNonFiniteOnesAreNull) {
    Outcome out = outcome();
    out.result.signals[4].values = {1.0 / 3, nan, -inf, 5e-324};
    out.result.measures.max["F"] = inf;
    out.result.energy.supplied = nan;
    const auto object = read({out});
    const auto& F = object["signals"]["F"]["values"];
    EXPECT_EQ(F[0].get<double>(), 1.0 / 3);
    EXPECT_EQ(F[3].get<double>(), 5e-324);
    EXPECT_TRUE(F[1].is_null() && F[2].is_null());
    EXPECT_TRUE(object["measures"]["max"]["F"].is_null());
    EXPECT_TRUE(object["energy"]["supplied"].is_null());
}

TEST(Json, AnyTextIsAllowed) {
    Outcome out = outcome();
    out.experiment.title = "\xff\xfe \"quoted\" \\ \n \x1b </script>";
    out.experiment.name = std::string("a\0b", 3);
    out.verdicts.push_back({{"max", "\x80", 1, {}, 0, 1, "\xc3", "\xed\xa0\x80"}, 0.5, true});
    const auto object = read({out});
    EXPECT_EQ(object["experiment"]["title"], "\uFFFD\uFFFD \"quoted\" \\ \n \x1b </script>");
    EXPECT_EQ(object["experiment"]["name"], std::string("a\0b", 3));
}

TEST(Json, MeasuresThatDoNotApplyAreAbsent) {
    Outcome out = outcome();
    auto measures = read({out})["measures"];
    for (const char* name : {"stick_begin", "stick_end", "period", "breakaway_force", "drift", "amplitude", "loop_area",
                             "amplitude_decay"})
        EXPECT_FALSE(measures.contains(name)) << name;
    out.experiment.setup.run.stick_speed = 0.1;  // then a run without stick has an empty list
    out.result.measures.loop_area = 3;
    measures = read({out})["measures"];
    EXPECT_EQ(measures["stick_begin"], nlohmann::json::array());
    EXPECT_EQ(measures["loop_area"], 3);
}

// Oracle: the numbers that the reader uses for the same text.
TEST(Json, SettingsHaveTheKindThatTheReaderUses) {
    Outcome out = outcome();
    out.overrides = {{"law.sigma2", "+0.5"},       {"law.sigma1", "1_0"},         {"law.sigma0", "0x10"},
                     {"law.allow_rising", "true"}, {"run.method", "\"coupled\""}, {"input.points", "[[0, 1]]"}};
    const auto set = read({out})["experiment"]["set"];
    EXPECT_EQ(set["law.sigma2"], 0.5);
    EXPECT_EQ(set["law.sigma1"], 10);
    EXPECT_EQ(set["law.sigma0"], 16);
    EXPECT_EQ(set["law.allow_rising"], true);
    EXPECT_EQ(set["run.method"], "coupled");
    EXPECT_EQ(set["input.points"], "[[0, 1]]");
}

TEST(Json, SettingsAreNumbersIfTheirTextIsOne) {
    Outcome out = outcome();
    out.overrides = {
        {"law.sigma2", "0.2"}, {"run.method", "coupled"}, {"input.points", "[[0, 1]]"}, {"rig.mass", "1e999"}};
    const auto set = read({out})["experiment"]["set"];
    EXPECT_EQ(set["law.sigma2"], 0.2);
    EXPECT_EQ(set["run.method"], "coupled");
    EXPECT_EQ(set["rig.mass"], "1e999");
    EXPECT_EQ(set.size(), 4u);
}

TEST(Json, StoredEnergyIsTheChangeOfAllStores) {
    Outcome out = outcome();
    out.result.energy = {.supplied = 10,
                         .dissipated = 6,
                         .numerical = 1,
                         .stores = {{"kinetic", 1, 3}, {"spring", 2, 2.5}},
                         .parts = {}};
    const auto energy = read({out})["energy"];
    EXPECT_EQ(energy["stored"], 2.5);
    EXPECT_EQ(energy["residual"], 0.5);
    EXPECT_EQ(energy["stores"]["kinetic"]["end"], 3);
}

TEST(Json, SeveralRunsAreAListOfTheSameObjects) {
    Outcome a = outcome(), b = outcome();
    b.experiment.title = "another";
    const auto runs = read({a, b});
    ASSERT_EQ(runs.size(), 1u);
    EXPECT_EQ(runs["runs"][0], read({a}));
    EXPECT_EQ(runs["runs"][1], read({b}));
}

// --- table ----------------------------------------------------------------------------------------------------------------

TEST(SignalsCsv, OneRunIsItsSignals) {
    EXPECT_EQ(report::signals_csv({outcome(PidServo{})}),
              "t [s],x [m],v [m/s],z [m],F [N]\n0,0,0,0,0\n1,1,0.1,1e-05,0.3333333333333333\n2,0.5,-0.2,2e-05,1\n");
}

TEST(SignalsCsv, RunsWithoutASignalHaveEmptyCells) {
    Outcome a = outcome(PidServo{}, "coulomb"), b = outcome(PidServo{});
    std::erase_if(a.result.signals, [](const auto& s) { return s.name == "z"; });
    for (auto* run : {&a, &b})
        for (auto& s : run->result.signals) s.values.resize(1);
    a.varied = {{"law.kind", "coulomb"}};
    b.varied = {{"law.kind", "\"lugre\""}};
    EXPECT_EQ(report::signals_csv({a, b}),
              "run,law.kind,t [s],x [m],v [m/s],F [N],z [m]\n"
              "1,coulomb,0,0,0,0,\n2,\"\"\"lugre\"\"\",0,0,0,0,0\n");
}

// --- summary --------------------------------------------------------------------------------------------------------------

TEST(Summary, ListsClaimsThatHoldAndClaimsThatFail) {
    Outcome out = outcome();
    out.verdicts = {{{"period", "", 0, {}, 1, 2, "p. 7", "it swings"}, 1.5, true},
                    {{"stick_end", "", 3, {}, 1, 2, "", "it lets go"}, std::nullopt, false},
                    {{"max", "F", 0, {}, 2, 3, "", ""}, 1.0, false}};
    const std::string text = report::summary(out);
    EXPECT_NE(text.find("holds"), text.npos);
    EXPECT_NE(text.find("it swings: period = 1.5 s, in [1, 2] s (p. 7)"), text.npos) << text;
    EXPECT_NE(text.find("it lets go: stick_end 3 did not occur, not in [1, 2] s"), text.npos) << text;
    EXPECT_NE(text.find("max F = 1 N, not in [2, 3] N"), text.npos) << text;
    EXPECT_FALSE(out.holds());
}

TEST(Summary, HasNoControlCharacters) {
    Outcome out = outcome();
    out.experiment.name = out.experiment.title = out.experiment.source = "\x1b[2J\x07\xff\n\u202e";
    out.varied = {{"title", "\x1b[31m"}};
    out.verdicts.push_back({{"\x1b", "\x1b", 1, {}, 0, 1, "\x1b", "a\nb\x1b"}, 0.5, true});
    for (const char c : report::summary(out)) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
    EXPECT_EQ(report::summary(out).find("\u202e"), std::string::npos);
}

}  // namespace
