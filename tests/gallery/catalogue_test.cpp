// The description of the gallery: the shipped one is complete and fits the experiments; faults are reported.
#include "gallery/catalogue.hpp"
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace bristle::gallery {
namespace {

const Catalogue& shipped() {
    static const Catalogue catalogue = read(files());
    return catalogue;
}
experiment::Experiment experiment_of(const std::string& id) {
    return experiment::read(std::string(experiment::find_shipped(id)->text), id);
}

TEST(Catalogue, HasThePapersAndThenTheMachines) {
    std::vector<std::string> keys;
    for (const Paper& paper : shipped().papers) keys.push_back(paper.key);
    EXPECT_EQ(keys, (std::vector<std::string>{"A08", "B05", "C95", "K08", "M05", "N13", "machines"}));
}

TEST(Catalogue, ShowsEveryExperimentUnderItsPaper) {
    std::set<std::string> shown;
    for (const Paper& paper : shipped().papers)
        for (const Figure& figure : paper.figures)
            for (const std::string& id : figure.runs)
                if (id.starts_with(paper.folder + "/")) shown.insert(id);
    for (const experiment::Shipped& one : experiment::shipped())
        EXPECT_TRUE(shown.contains(std::string(one.id))) << one.id;
}

TEST(Catalogue, DrawsOnlySignalsThatTheRunsHave) {
    for (const Paper& paper : shipped().papers)
        for (const Figure& figure : paper.figures)
            for (const std::string& id : figure.runs) {
                std::set<std::string> names;
                for (const auto& signal : signal_names(experiment_of(id))) names.insert(signal.name);
                for (const report::PanelView& panel : figure.panels)
                    EXPECT_TRUE(names.contains(panel.x) && names.contains(panel.y))
                        << paper.key << ' ' << figure.name << ": " << id << " has no " << panel.x << " or " << panel.y;
            }
}

// Whether a text has a word, not as a part of another: "fig 1" is not in "fig 11".
bool names(const std::string& text, const std::string& word) {
    const auto letter = [&](std::size_t i) {
        return i < text.size() && std::isalnum(static_cast<unsigned char>(text[i]));
    };
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1))
        if (!(at > 0 && letter(at - 1)) && !letter(at + word.size())) return true;
    return false;
}
bool claims_something(const Figure& figure) {
    return std::any_of(figure.runs.begin(), figure.runs.end(),
                       [](const std::string& id) { return !experiment_of(id).claims.empty(); });
}

// The experiments of the papers that the gallery must contain: each is in the source of a figure with claims.
TEST(Catalogue, HasTheListedFiguresOfEachPaper) {
    const std::pair<const char*, std::vector<const char*>> plan[] = {
        {"A08",
         {"fig 1", "S1-S4", "fig 2", "after 13", "eq 13", "S5-S8", "fig 4", "fig 5", "fig 6", "fig 7", "fig 8", "18-22",
          "23-27", "fig 9, 10", "fig 11"}},
        {"K08", {"V", "VI", "1-6"}},
        {"M05", {"fig 1", "fig 2", "fig 3", "fig 5", "figs 6-9", "figs 10-13", "figs 14-17", "figs 18-21"}},
        {"N13", {"fig 1", "fig 2", "fig 3", "fig 4"}},
        {"B05",
         {"fig 1", "fig 2", "fig 3", "fig 4", "fig 5", "6-8, fig 6-10", "sec 4: lag", "sec 4: breakaway",
          "sec 4: stick-slip", "sec 4: hunting"}}};
    for (const auto& [key, rows] : plan) {
        const auto paper = std::find_if(shipped().papers.begin(), shipped().papers.end(),
                                        [&, k = key](const Paper& p) { return p.key == k; });
        for (const char* row : rows)
            EXPECT_TRUE(std::any_of(paper->figures.begin(), paper->figures.end(),
                                    [&](const Figure& f) { return names(f.source, row) && claims_something(f); }))
                << key << ' ' << row;
    }
}

TEST(Catalogue, HasEveryErratumAsAPairOrAFormula) {
    std::set<std::string> found;
    for (const Paper& paper : shipped().papers)
        for (const Figure& figure : paper.figures)
            if (!figure.erratum.empty()) {
                found.insert(figure.erratum);
                EXPECT_GE(figure.runs.size(), 2u) << figure.name;
            }
    for (const Formula& formula : shipped().formulas) found.insert(formula.id);
    EXPECT_EQ(found, (std::set<std::string>{"E1", "E2", "E3", "E4", "E5", "E6", "E7", "E8", "E9"}));
}

// --- faults
// ---------------------------------------------------------------------------------------------------------------

constexpr const char* sound = R"(key = "X1"
folder = "x"
citation = "X"
text = "About it."
[[figure]]
name = "one"
source = "X1 fig 1"
title = "One"
text = "Seen."
runs = ["astrom2008/fig4"]
panels = [["t", "v"], {x = "t", y = "v", from = 1, to = 2.5}]
)";
std::string problems_of(std::string text, const std::string& from, const std::string& to) {
    if (!from.empty()) text.replace(text.find(from), from.size(), to);
    const experiment::Shipped file{"x", text};
    try {
        read({&file, 1});
    } catch (const experiment::Unreadable& problem) {
        return problem.what();
    }
    return "";
}

TEST(Catalogue, AValidFileIsRead) { EXPECT_EQ(problems_of(sound, "", ""), ""); }

TEST(Catalogue, FaultsAreReported) {
    const std::tuple<const char*, const char*, const char*> faults[] = {
        {"astrom2008/fig4", "astrom2008/fig44", "is not the id of a shipped experiment"},
        {"title = \"One\"", "", "title"},
        {"text = \"About it.\"", "text = 3", "text"},
        {"runs = [\"astrom2008/fig4\"]", "runs = []", "runs"},
        {"runs = [\"astrom2008/fig4\"]", "runs = [\"astrom2008/fig4\", \"astrom2008/fig2\"]", "labels"},
        {"[\"t\", \"v\"]", "[\"t\"]", "panels"},
        {"to = 2.5", "to = 0.5", "panels"},
        {"to = 2.5", "during = [0, 1]", "panels"},
        {"to = 2.5", "to = 2.5, until = 3", "panels"},
        {"source =", "sauce =", "sauce"},
    };
    for (const auto& [from, to, word] : faults)
        EXPECT_NE(problems_of(sound, from, to).find(word), std::string::npos)
            << to << ": " << problems_of(sound, from, to);
    const std::string twice = std::string(sound) + std::string(sound).substr(std::string(sound).find("[[figure]]"));
    EXPECT_NE(problems_of(twice, "", "").find("another figure"), std::string::npos);
}

}  // namespace
}  // namespace bristle::gallery
