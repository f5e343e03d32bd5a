// Analyses of the gallery: judged by the numbers of their JSON, shown on the page, counted if they fail; every problem of a file
// is reported.
#include "gallery/page.hpp"
#include "gallery/studies.hpp"
#include <gtest/gtest.h>

namespace bristle::gallery {
namespace {

Study hybrid_cycle(double low, double high) {
    Study study;
    study.name = "cycle";
    study.title = "A cycle <b>";
    study.experiment = "astrom2008/fig_s2";
    study.request.asked = report::Asked::cycle;
    study.claims = {{"/period", low, high, "s", "closed form", "the period"},
                    {"/stable", 1, 1, "", "theory", "it is stable"},
                    {"/multipliers/0/0", -1e-9, 1e-9, "", "theory", "it forgets"}};
    return study;
}
StudyExhibit carried_out(const Paper& paper, const Study& study) {
    StudyExhibit out{&paper, &study};
    const auto document = [](const std::string& id) {
        return experiment::Document(std::string(experiment::find_shipped(id)->text), id);
    };
    carry_out(out, document, {});
    return out;
}
bool has(const std::string& text, const char* part) { return text.find(part) != text.npos; }

TEST(Studies, AreJudgedByNumbersOfTheirJson) {
    const Paper paper{"X1", "x", "A citation", "An introduction", {}, {}};
    const Study right = hybrid_cycle(4.7748, 4.7749), wrong = hybrid_cycle(5, 6);
    const StudyExhibit good = carried_out(paper, right), bad = carried_out(paper, wrong);
    ASSERT_EQ(good.verdicts.size(), 3u);
    for (const StudyVerdict& verdict : good.verdicts) EXPECT_TRUE(verdict.holds) << verdict.claim->text;
    EXPECT_FALSE(bad.verdicts[0].holds);
    EXPECT_TRUE(bad.verdicts[1].holds);
    Exhibition exhibition;
    exhibition.studies = {good, bad};
    EXPECT_EQ(exhibition.claims(), 6u);
    EXPECT_EQ(exhibition.failed(), 1u);
}

TEST(Studies, AClaimWithoutANumberAtItsPointerFails) {
    const Paper paper{"X1", "x", "A citation", "An introduction", {}, {}};
    Study study = hybrid_cycle(0, 10);
    study.claims = {{"/perod", 0, 10, "s", "", "a misspelt key"},
                    {"period", 0, 10, "s", "", "no pointer"},
                    {"/message", 0, 10, "s", "", "a text"}};
    for (const StudyVerdict& verdict : carried_out(paper, study).verdicts) {
        EXPECT_FALSE(verdict.measured) << verdict.claim->text;
        EXPECT_FALSE(verdict.holds) << verdict.claim->text;
    }
}

TEST(Studies, AnAnalysisThatDoesNotFitTheRigFails) {
    const Paper paper{"X1", "x", "A citation", "An introduction", {}, {}};
    Study study = hybrid_cycle(0, 10);
    study.experiment = "naser2013/fig1";  // its motion is given: there is no cycle
    const StudyExhibit exhibit = carried_out(paper, study);
    EXPECT_FALSE(exhibit.message.empty());
    Exhibition exhibition;
    exhibition.studies = {exhibit};
    EXPECT_EQ(exhibition.failed(), 1 + exhibit.verdicts.size());
}

TEST(Studies, AreOnThePageAndInTheJson) {
    Catalogue catalogue;
    catalogue.papers = {{"X1", "x", "A citation", "An introduction", {}, {hybrid_cycle(5, 6)}}};
    Exhibition exhibition;
    exhibition.studies = {carried_out(catalogue.papers[0], catalogue.papers[0].studies[0])};
    const std::string html = page(catalogue, exhibition), text = json_text(json(catalogue, exhibition));
    for (const char* part :
         {"bristle analyse astrom2008/fig_s2 <span class=\"whole\">--cycle</span>", "A cycle &lt;b&gt;", "✗ fails",
          "1 analysis", "id=\"x-cycle\"", "href=\"#x-cycle\"", "What fails", "6 s</span>"})
        EXPECT_TRUE(has(html, part)) << part;
    EXPECT_FALSE(has(html, "<b>"));
    EXPECT_TRUE(has(text, "\"failed\": 1"));
    EXPECT_TRUE(has(text, "bristle analyse astrom2008/fig_s2 --cycle"));
    EXPECT_TRUE(has(text, "\"unit\":\"s\""));
}

TEST(Studies, TheCommandRepeatsTheRequest) {
    Study study = hybrid_cycle(4, 5);
    Exhibition exhibition;
    EXPECT_EQ(command(exhibition, study), "bristle analyse astrom2008/fig_s2 --cycle");
    study.request = {.asked = report::Asked::basin, .starts = 100};
    EXPECT_EQ(command(exhibition, study), "bristle analyse astrom2008/fig_s2 --basin --starts 100");
    exhibition.replaced["astrom2008/fig_s2"] = "mine/astrom2008/fig_s2.toml";
    EXPECT_EQ(command(exhibition, study), "bristle analyse mine/astrom2008/fig_s2.toml --basin --starts 100");
}

TEST(Studies, AllProblemsOfAFileAreReported) {
    const std::string head = "key = \"X\"\nfolder = \"x\"\ncitation = \"c\"\ntext = \"t\"\n";
    const std::string study =
        "[[study]]\nname = \"a\"\nsource = \"s\"\ntitle = \"t\"\ntext = \"t\"\nexperiment = \"none/such\"\nanalyse = "
        "\"cycles\"\n"
        "starts = 1\n[[study.claim]]\npointer = \"/period\"\nbetween = [2, 1]\nsource = \"s\"\ntext = \"t\"\n";
    const std::string text = head + study +
                             "[[study]]\nname = \"a\"\nsource = \"s\"\ntitle = \"t\"\ntext = \"t\"\n"
                             "experiment = \"astrom2008/fig4\"\nanalyse = \"continue\"\n";
    const experiment::Shipped file{"x", text};
    try {
        read(std::span(&file, 1));
        FAIL() << "a wrong file was read";
    } catch (const experiment::Unreadable& problem) {
        const std::string all = problem.what();
        for (const char* part : {"is not the id of a shipped experiment", "cycle", "between", "window",
                                 "another figure or study", "starts", "unit", "study[2].claim"})
            EXPECT_TRUE(has(all, part)) << part << " in " << all;
    }
}

}  // namespace
}  // namespace bristle::gallery
