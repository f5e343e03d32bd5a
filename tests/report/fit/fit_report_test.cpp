// Report of a fit: text, JSON, page, figures, table and law file, for a fit made by hand.
#include "sample_fit.hpp"

#include "base/text.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace bristle::report {
namespace {

bool says(const std::string& text, const std::string& words) { return text.find(words) != text.npos; }

// The text with single blanks, as a reader sees it without line breaks.
std::string joined(const std::string& text) {
    std::istringstream in(text);
    std::string out;
    for (std::string word; in >> word;) append_item(out, word, " ");
    return out;
}

nlohmann::json json_of(const FitReport& fit) { return nlohmann::json::parse(fit_json_text(fit)); }

}  // namespace

TEST(FitText, HasRecordParametersComparisonFindingsAndNextMeasurements) {
    const std::string text = fit_text(test::sample_fit()), words = joined(text);
    for (const char* part :
         {"axis.csv: 6000 rows in 1 run at 1000 Hz",
          "position from the column \"qm_m\" [m], column guessed by its name",
          "Recommended law: lugre (the LuGre bristle), with an error of 2.15 % on held-out rows", "sigma2 204 15 N s/m",
          "sigma0 2.00 0.39 MN/m", "not determined", "weak, at bound", "of the axis", "coulomb 6.6 % 4110",
          "refused: fails on the held-out rows", "no better than lugre, which has fewer parameters", "Findings",
          "What to measure next", "oscillate within presliding", "Passive: refuted", "Error on other.csv"})
        EXPECT_TRUE(says(words, part)) << part << "\n" << text;
    EXPECT_FALSE(says(text, "nan"));
}

TEST(FitText, NamesAUnitOnceIfTheHeaderShowsIt) {
    FitReport fit = test::sample_fit();
    fit.record.columns = {{Measurand::time, "t [s]", "s", true, false}, {Measurand::force, "F", "", false, true}};
    const auto lines = column_lines(fit);
    EXPECT_EQ(lines[0], "time from the column \"t [s]\", column guessed by its name");
    EXPECT_EQ(lines[1], "force from the column \"F\" without a unit, unit guessed");
}

TEST(FitText, HasNoLineWiderThanAsked) {
    for (const std::size_t width : {60u, 80u, 110u}) {
        std::istringstream in(fit_text(test::sample_fit(true), width));
        for (std::string line; std::getline(in, line);) {
            EXPECT_LE(letters(line), width) << line;
            EXPECT_TRUE(line.empty() || line.back() != ' ') << line;
        }
    }
}

TEST(FitJson, HasTheKeysOfTheSchema) {
    const auto json = json_of(test::sample_fit());
    EXPECT_EQ(json["law"]["kind"], "lugre");
    EXPECT_EQ(json["law"]["Fc"], 20.4);
    for (const char* key : {"value", "se", "low", "high", "unit", "identifiable", "at_bound"})
        EXPECT_TRUE(json["parameters"]["Fc"].contains(key)) << key;
    EXPECT_EQ(json["parameters"]["sigma1"]["identifiable"], "no");
    EXPECT_EQ(json["parameters"]["vs"]["identifiable"], "weak");
    EXPECT_EQ(json["parameters"]["vs"]["at_bound"], true);
    EXPECT_EQ(json["parameters"]["inertia"]["unit"], "kg");
    for (const char* errors : {"fit", "heldout"})
        for (const char* key : {"rmse", "nrmse", "r2", "mae"}) EXPECT_TRUE(json[errors][key].is_number()) << key;
    ASSERT_EQ(json["comparison"].size(), 3u);
    EXPECT_EQ(json["comparison"][2]["law"], "coulomb");
    EXPECT_EQ(json["comparison"][2]["heldout"], 0.07);
    EXPECT_EQ(json["comparison"][2]["verdict"], "refused");
    EXPECT_EQ(json["comparison"][2]["reason"], "fails_held_out");
    EXPECT_EQ(json["findings"].size(), test::every_finding().size());
    EXPECT_EQ(json["findings"][0]["kind"], "column_guessed");
    EXPECT_EQ(json["covariance"]["names"].size(), 8u);
    EXPECT_EQ(json["covariance"]["matrix"].size(), 8u);
    EXPECT_EQ(json["covariance"]["matrix"][0].size(), 8u);
    EXPECT_EQ(json["method"]["errors"], "correlated");
    EXPECT_EQ(json["method"]["bandwidth"], 100);
    EXPECT_EQ(json["method"]["delay"], 0.5e-3);
    EXPECT_EQ(json["method"]["starts"], 4);
    EXPECT_EQ(json["method"]["signal_unit"], "N");
    EXPECT_EQ(json["record"]["files"][0], "measured/axis.csv");
    EXPECT_EQ(json["record"]["rows"], 6000);
    EXPECT_EQ(json["passive"]["verdict"], "refuted");  // sigma2 < sigma1 (Fs - Fc)/Fc, A08 (7)
    EXPECT_EQ(json["next"]["motions"][0]["motion"], "presliding");
    EXPECT_EQ(json["prediction"][0]["file"], "other.csv");
    EXPECT_EQ(json["prediction"][0]["nrmse"], 0.03);
}

TEST(FitJson, HasNullForNaNAndInfinity) {
    FitReport fit = test::sample_fit();
    LawFit& best = fit.result.laws.front();
    best.parameters[0].se = test::missing;
    best.parameters[0].high = std::numeric_limits<double>::infinity();
    best.covariance[0] = test::missing;
    best.heldout.r2 = -std::numeric_limits<double>::infinity();
    const auto json = json_of(fit);
    EXPECT_TRUE(json["parameters"]["sigma0"]["se"].is_null());
    EXPECT_TRUE(json["parameters"]["sigma0"]["high"].is_null());
    EXPECT_TRUE(json["covariance"]["matrix"][0][0].is_null());
    EXPECT_TRUE(json["heldout"]["r2"].is_null());
    EXPECT_TRUE(json["comparison"][1]["bic"].is_null());
    const std::string text = fit_text(fit);
    EXPECT_FALSE(says(text, "nan") || says(text, "inf %")) << text;
}

TEST(FitReport, OfAFitWithoutRecommendationSaysSo) {
    FitReport fit = test::sample_fit();
    fit.result.has_recommendation = false;
    for (LawFit& law : fit.result.laws) {
        law.verdict = LawVerdict::refused;
        law.reason = RefusalReason::fails_held_out;
    }
    EXPECT_TRUE(says(recommendation(fit), "No law deserves a recommendation"));
    EXPECT_EQ(json_of(fit)["recommended"], false);
    EXPECT_TRUE(says(fit_law_file(fit), "# It is not recommended: refused: fails on the held-out rows."));
}

TEST(FitReport, OfAFitWithoutALawHasTextJsonAndPage) {
    FitReport fit;
    fit.stem = "empty";
    certify_fit(fit);
    EXPECT_TRUE(says(fit_text(fit), "No law could be fitted"));
    EXPECT_TRUE(json_of(fit)["law"].is_null());
    EXPECT_TRUE(says(fit_page(fit, fit_figures(fit), {}, fit_law_file(fit)), "No law could be fitted"));
    EXPECT_EQ(fit_law_file(fit), "");
}

TEST(FitReport, OfALawThatBreaksARuleHasNoLawFileAndNoCertificate) {
    FitReport fit = test::sample_fit();
    fit.certificate.reset();
    LuGre bad = test::sample_lugre;
    bad.sigma0 = -1;
    fit.result.laws.front().law = bad;
    certify_fit(fit);
    EXPECT_FALSE(fit.certificate);
    EXPECT_TRUE(says(passivity_sentence(fit), "sigma0"));
    EXPECT_EQ(fit_law_file(fit), "");
}

TEST(FitLawFile, IsReadBackAsTheSameLaw) {
    for (const bool rotary : {false, true}) {
        const std::string text = fit_law_file(test::sample_fit(rotary));
        EXPECT_TRUE(says(text, "axis.csv") && !says(text, "measured/")) << text;
        const auto law = experiment::read_for_law(text, "axis-law.toml");
        EXPECT_EQ(kind_of(law.setup.law), "lugre");
        EXPECT_EQ(std::get<AnyLuGre>(law.setup.law).sigma2, test::sample_lugre.sigma2);
        EXPECT_EQ(law.rotary, rotary);
        const auto run = experiment::read(text, "axis-law.toml");  // the example run
        EXPECT_EQ(std::get<ForcedMass>(run.setup.rig).mass, test::sample_mass);
    }
}

TEST(FitLawFile, WithoutInertiaMovesTheContactAsInTheRecord) {
    FitReport fit = test::sample_fit();
    fit.options.model.inertia = {};
    auto& parameters = fit.result.laws.front().parameters;
    parameters.erase(parameters.begin() + 6);
    const auto run = experiment::read(fit_law_file(fit), "axis-law.toml");
    EXPECT_TRUE(run.setup.rig.is_prescribed());
    EXPECT_NEAR(run.setup.input.wave.amplitude, 0.0628, 1e-4);  // 0.02 m at 0.5 Hz
    EXPECT_NEAR(run.setup.input.wave.omega, 3.14, 0.6);         // 5 reversals in 6 s: 0.42 Hz
}

TEST(FitText, AWrongSignComesFirstIfNoLawIsRecommended) {
    FitReport fit = test::sample_fit();
    fit.result.has_recommendation = false;
    fit.result.findings.push_back({.kind = FindingKind::inertia_missing});
    fit.result.findings.push_back({.kind = FindingKind::sign_suspect});
    EXPECT_TRUE(says(recommendation(fit), "No law deserves a recommendation. The force mostly drives the motion"));
    EXPECT_EQ(next_sentences(fit.result, fit.units()),
              std::vector<std::string>{"Nothing yet: fit this record with --force.sign -1 first."});
    EXPECT_EQ(determined_sentences(fit), std::vector<std::string>{"Not known: the force drives the motion."});
}

// File names come from anywhere: quotes and line breaks must not end a string or a comment of the law file.
TEST(FitLawFile, IsReadBackWithAnyFileName) {
    FitReport fit = test::sample_fit();
    fit.record.files = {"a \"b\\c\n[law]\nkind = 1.csv"};
    EXPECT_NO_THROW(experiment::read(fit_law_file(fit), "x.toml")) << fit_law_file(fit);
}

TEST(FitPage, EscapesAllTextOfTheRecord) {
    FitReport fit = test::sample_fit();
    const std::string evil = "<b>&\"x\"</b>";
    fit.record.files = {evil + ".csv"};
    fit.record.columns[0].column = evil;
    fit.result.findings.front().place = evil;
    fit.result.laws.front().parameters[0].name = evil;
    fit.result.laws.front().parameters[0].doc = evil;
    fit.predictions.front().file = evil;
    const std::string page = fit_page(fit, fit_figures(fit), {}, fit_law_file(fit));
    EXPECT_FALSE(says(page, "<b>"));
    EXPECT_TRUE(says(page, "&lt;b&gt;&amp;"));
    EXPECT_FALSE(says(page, "<script"));
}

TEST(FitPage, HasAllParts) {
    const std::string page = fit_page(test::sample_fit(), {}, {}, fit_law_file(test::sample_fit()));
    for (const char* part : {"<!DOCTYPE html>", "Recommended law: lugre", "Comparison of laws", "What to measure next",
                             "Certificate of the fitted law", "axis-fit.json", "axis-fit.csv",
                             "bristle certify axis-law.toml", "[law]", "Newey and West"})
        EXPECT_TRUE(says(page, part)) << part;
}

TEST(FitCsv, HasUnitsAndResiduals) {
    FitReport fit = test::sample_fit(true);
    fit.result.traces = {{.run = "a,b",
                          .time = {0, 0.5},
                          .position = {},
                          .velocity = {1, 2},
                          .measured = {3, 4},
                          .model = {1, test::missing},
                          .friction = {},
                          .friction_model = {},
                          .compared = {1, 0},
                          .held_out = {0, 1}}};
    EXPECT_EQ(fit_csv(fit),
              "run,t [s],x [rad],v [rad/s],measured [N m],model [N m],residual [N m],compared,held_out\n"
              "\"a,b\",0,,1,3,1,2,1,0\n\"a,b\",0.5,,2,4,,,0,1\n");
}

// A motor voltage is compared in V, a position in rad; neither is a force.
TEST(FitReport, NamesTheSignalThatIsCompared) {
    FitReport fit = test::sample_fit(true);
    EXPECT_TRUE(says(fit_text(fit), "of the rms torque, rms 0.5 N m"));
    fit.options.model.measured = Measured::voltage;
    EXPECT_TRUE(says(fit_text(fit), "of the rms voltage, rms 0.5 V"));
    EXPECT_TRUE(says(fit_csv(fit), "measured [V],model [V]"));
    fit.options.model.output = Output::position;
    EXPECT_TRUE(says(fit_text(fit), "of the rms angle, rms 0.5 rad"));
}

TEST(FitReport, OfARecordWithALoadDrawsNoCurveAndAsksForTheLoad) {
    FitReport fit = test::sample_fit();
    EXPECT_EQ(fit.constant_load(), 1);
    fit.record.columns.push_back({Measurand::load, "N", "N", false, false});
    EXPECT_FALSE(fit.constant_load());
    EXPECT_EQ(fit_figures(fit).front().figure.panels.front().series.size(), 1u);
    EXPECT_TRUE(says(fit_law_file(fit), "Give load [N]"));
    EXPECT_NO_THROW(experiment::read(fit_law_file(fit), "x.toml"));
}

// A load column that was only guessed by its name is not used by the fit: levels are forces.
TEST(FitReport, OfARecordWithAGuessedLoadSaysThatItIsNotUsed) {
    FitReport fit = test::sample_fit();
    fit.record.columns.push_back({Measurand::load, "Normal", "N", true, false});
    EXPECT_EQ(fit.constant_load(), 1);
    const std::string file = joined(fit_law_file(fit));
    EXPECT_TRUE(says(file, "Levels are in N.") && says(file, "\"Normal\" may be a normal load")) << file;
    EXPECT_FALSE(says(file, "coefficients")) << file;
    EXPECT_TRUE(says(joined(fit_text(fit)), "not used (give the column with --load to use it)"));
    EXPECT_GT(fit_figures(fit).front().figure.panels.front().series.size(), 1u);
}

TEST(FitReport, OfALawThatDidNotConvergeHasNoErrorsAndNoLawFile) {
    FitReport fit = test::sample_fit();
    fit.result.laws = {test::sample_law(), test::sample_coulomb()};
    fit.result.laws.back() = {.kind = "hysteretic",
                              .law = {},
                              .verdict = LawVerdict::refused,
                              .reason = RefusalReason::did_not_converge,
                              .parameters = {},
                              .fit = {},
                              .heldout = {},
                              .bic = std::numeric_limits<double>::infinity(),
                              .covariance_names = {},
                              .covariance = {},
                              .findings = {}};
    const auto with_other = json_of(fit);
    EXPECT_TRUE(with_other["comparison"][1]["heldout"].is_null() &&
                with_other["comparison"][1]["fit_relative"].is_null());
    EXPECT_TRUE(says(joined(fit_text(fit)), "hysteretic - - - refused: the fit did not converge"));
    fit.result.laws.erase(fit.result.laws.begin());
    fit.result.has_recommendation = false;
    fit.certificate.reset();
    certify_fit(fit);
    const auto json = json_of(fit);
    EXPECT_TRUE(json["law"].is_null() && json["fit"]["relative"].is_null() && json["heldout"]["nrmse"].is_null());
    EXPECT_EQ(json["fit"]["rows"], 0);
    const std::string text = joined(fit_text(fit));
    EXPECT_TRUE(says(text, "the fit of hysteretic") && says(text, "did not converge")) << text;
    EXPECT_FALSE(says(text, "0 %") || says(text, "(0 rows)") || says(text, "± 95 %")) << text;
    EXPECT_EQ(fit_law_file(fit), "");
    EXPECT_FALSE(fit.certificate);
}

TEST(FitReport, JoinsFindingsOfOneKindInSeveralFiles) {
    FitReport fit = test::sample_fit();
    fit.record.files = {"runs/r0.csv", "runs/r1.csv", "runs/r2.csv"};
    fit.result.findings.clear();
    for (const double x : {1e-4, 3e-4, 2e-4})
        fit.result.findings.push_back({.kind = FindingKind::jitter,
                                       .place = "runs/r" + std::to_string(fit.result.findings.size()) + ".csv",
                                       .value = x,
                                       .unit = "s"});
    for (const long line : {12, 15, 0})  // the last counts the other rows of the file
        fit.result.findings.push_back({.kind = FindingKind::row_rejected,
                                       .subject = line ? "force" : "",
                                       .place = "runs/r1.csv",
                                       .line = line,
                                       .count = line ? 1 : 7});
    fit.result.findings.push_back(
        {.kind = FindingKind::velocity_lags, .place = "runs/r2.csv", .value = 0.01, .part = 2});
    for (const char* name : {"vs", "Fs"}) fit.result.findings.push_back({.kind = FindingKind::weak, .subject = name});
    const auto sentences = finding_sentences(fit);
    ASSERT_EQ(sentences.size(), 5u);
    EXPECT_TRUE(says(sentences[0], "300 µs") &&
                says(sentences[0], "In 3 of 3 files, the first: r0.csv. The largest of 3 values is given."))
        << sentences[0];
    EXPECT_TRUE(says(sentences[1], "9 rows are not used, the first in line 12 of runs/r1.csv") &&
                says(sentences[1], "In 1 of 3 files."))
        << sentences[1];
    EXPECT_TRUE(says(sentences[2], "In 1 of 3 files: r2.csv part 2.")) << sentences[2];
    EXPECT_EQ(json_of(fit)["findings"].size(), fit.result.findings.size());
    EXPECT_EQ(json_of(fit)["findings"][6]["place"], "runs/r2.csv part 2");
    fit.record.files.resize(1);
    EXPECT_FALSE(says(finding_sentences(fit)[2], "files"));
}

TEST(FitReport, OfSteadySpeedsSaysThatAFileIsAPoint) {
    FitReport fit = test::sample_fit();
    EXPECT_FALSE(says(record_line(fit), "steady speed"));
    fit.result.static_points = true;
    EXPECT_TRUE(says(record_line(fit), "each file is one steady speed: its mean is one point of the curve"));
    EXPECT_EQ(json_of(fit)["record"]["static_points"], true);
    fit.record.runs = 2;  // one file was cut
    EXPECT_TRUE(says(record_line(fit), "each run is one steady speed"));
}

TEST(FitReport, NamesTheLawsThatWereNotFittedWithTheReason) {
    FitReport fit = test::sample_fit();
    fit.options.laws = {"lugre", "elastoplastic", "coulomb"};
    EXPECT_TRUE(unfitted_sentences(fit).empty());
    fit.options.laws = {"lugre", "gear", "dahl"};
    fit.options.model.measured = Measured::friction;
    ASSERT_EQ(unfitted_sentences(fit).size(), 1u);
    EXPECT_TRUE(says(unfitted_sentences(fit)[0], "need a load") && says(unfitted_sentences(fit)[0], ": gear."));
    fit.result.static_points = true;
    ASSERT_EQ(unfitted_sentences(fit).size(), 2u);
    EXPECT_TRUE(says(unfitted_sentences(fit)[1], "static laws only: dahl."));
    EXPECT_TRUE(says(joined(fit_text(fit)), "static laws only: dahl.") &&
                says(fit_page(fit, {}, {}, ""), "need a load"));
}

// Held-out errors: lugre 2.15 %, elastoplastic and coulomb as set here.
TEST(Recommendation, StatesWhatTheHeldOutErrorsShow) {
    FitReport fit = test::sample_fit();
    const auto& text = [&] { return recommendation(fit); };
    EXPECT_TRUE(says(text(), "Of the 3 laws that were fitted, it describes the held-out rows best.")) << text();
    EXPECT_TRUE(says(text(), "1 of its 6 parameters is not determined by this record.")) << text();
    fit.result.laws[1].heldout.relative = 0.0210;
    EXPECT_TRUE(says(text(), "none describes the held-out rows clearly better (by more than 10 %)")) << text();
    fit.result.laws[1].heldout.relative = 0.0150;
    EXPECT_TRUE(
        says(text(), "elastoplastic has a smaller error (1.5 % with 9 parameters, not 8), but is usable: no better"))
        << text();
    fit.result.laws[1].heldout.rows = 0;  // not known
    EXPECT_TRUE(says(text(), "describes the held-out rows best")) << text();
    for (FittedParameter& p : fit.result.laws[0].parameters) p.identifiable = Identifiable::yes;
    EXPECT_TRUE(says(text(), "This record determines each of its 6 parameters.")) << text();
    fit.result.method.hold_out_used = false;
    EXPECT_TRUE(says(text(), "it has the best information criterion (BIC); no rows")) << text();
    fit.result.laws[2].bic = fit.result.laws[0].bic - 1;
    EXPECT_TRUE(says(text(), "(BIC) of those not refused")) << text();
}

// Oracle: F = Fc + (Fs - Fc) exp(-(v/vs)^2) + sigma2 v in steady sliding. Tolerance: the bristle has relaxed to rounding.
TEST(SteadyForce, OfLuGreIsItsCurve) {
    const auto& [Fc, Fs, vs, alpha, allow_rising] = test::sample_lugre.curve;
    for (const double v : {1e-5, 1e-3, 2e-3, 0.05}) {
        const double expected = Fc + (Fs - Fc) * std::exp(-std::pow(v / vs, alpha)) + test::sample_lugre.sigma2 * v;
        EXPECT_NEAR(steady_force(test::sample_lugre, v), expected, 1e-9 * expected);
        EXPECT_NEAR(steady_force(test::sample_lugre, -v), -expected, 1e-9 * expected);
    }
    EXPECT_TRUE(std::isnan(steady_force(test::sample_lugre, 0)));
}

// Oracle: the elasto-plastic bristle slides on the curve of LuGre. Tolerance: 1 mN, far below a line width in
// the figure; its step is not exact.
TEST(SteadyForce, OfElastoPlasticIsTheCurveOfLuGre) {
    const AnyLaw law =
        ElastoPlastic{.sigma0 = 2e6, .sigma1 = 1200, .sigma2 = 203.5, .curve = test::sample_lugre.curve, .kappa = 0.5};
    for (const double v : {1e-5, 1e-3, 0.05, -0.05})
        EXPECT_NEAR(steady_force(law, v), steady_force(test::sample_lugre, v), 1e-3) << v;
}

TEST(SteadyForce, IsFiniteForEveryLawOfTheCatalogue) {
    for_each_law([](const auto& entry) {
        typename std::remove_cvref_t<decltype(entry)>::law law{};
        set_example(law);
        for (const double v : {-0.1, -1e-4, 1e-4, 0.1}) {
            const double force = steady_force(AnyLaw(law), v);
            EXPECT_TRUE(std::isfinite(force) && force * v > 0) << entry.kind << " at " << v << ": " << force;
        }
    });
}

// Oracle: far above vs the force is Fc + sigma2 v, so its variance is se(Fc)^2 + (v se(sigma2))^2 for independent errors.
TEST(SteadyForceError, PropagatesTheCovariance) {
    const LawFit fit = test::sample_law();
    const double v = 0.1, expected = std::hypot(0.015 * 20.4, v * 0.037 * 203.5);
    EXPECT_NEAR(steady_force_error(fit, v), expected, 1e-6 * expected);
    LawFit without = fit;
    without.covariance.clear();
    EXPECT_TRUE(std::isnan(steady_force_error(without, v)));
}

TEST(SteadyForceError, UsesTheParametersOfEachDirection) {
    LawFit fit;
    fit.law = AnyLaw(basic_static<double, Directional<Level>>{.curve = {{.Fc = 20}, {.Fc = 25}}, .sigma2 = 0});
    test::add_parameter(fit, "Fc+", "N", 20, 0.1);
    test::add_parameter(fit, "Fc-", "N", 25, 0.2);
    for (const std::size_t i : {0u, 1u}) {
        fit.parameters[i].table_name = "Fc";
        fit.parameters[i].direction = i == 0 ? 1 : -1;
    }
    test::set_covariance(fit);
    EXPECT_NEAR(steady_force_error(fit, 1), 2, 1e-6);
    EXPECT_NEAR(steady_force_error(fit, -1), 5, 1e-6);
}

}  // namespace bristle::report
