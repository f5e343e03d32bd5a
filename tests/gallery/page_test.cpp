// The page and the JSON of an exhibition: every claim with its verdict, escaped text, no references outside the page.
#include "gallery/page.hpp"
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>

namespace bristle::gallery {
namespace {

const std::string hostile = R"(<script>alert('x')</script> & "quotes" `back`)";
const std::string svg = R"(<?xml version="1.0"?>
<svg width="10" height="10" viewBox="0 0 10 10">
<title>Gnuplot</title>
<desc>Produced by GNUPLOT</desc>
<defs><circle id='gpDot' r='1'/><path id='gpPt0' d='M0,0'/></defs>
<g id="gnuplot_plot_1" ><use xlink:href='#gpPt0' transform='scale(1)' color='#123456'/></g>
</svg>)";

struct Show {
    Catalogue catalogue;
    Exhibition exhibition;
    explicit Show(bool holds = true, const std::string& text = "it sticks") {
        catalogue.papers = {{"X1", "x", "A citation", "An introduction", {}, {}}};
        catalogue.papers[0].figures = {
            {"one", "X1 fig 1", "One " + text, "Seen", {"x/a", "x/b"}, {"first", "second"}, {{"t", "v"}}, "E2"},
            {"two", "X1 fig 2", "Two", "Seen", {"x/a"}, {}, {{"t", "v"}, {"t", "F"}}, ""}};
        catalogue.formulas = {{"E4", "f", "X1", "(3)", "a < b", "a > b", "why", "Errata.F"}};
        const experiment::Claim claim{"max", "v", 0, {}, 1, 2, "closed form", text};
        for (const char* id : {"x/a", "x/b"}) exhibition.outcomes[id].verdicts = {{claim, 1.5, true}};
        exhibition.outcomes["x/b"].verdicts.push_back({claim, holds ? 1.25 : 2.5, holds});
        for (const Figure& figure : catalogue.papers[0].figures) {
            Exhibit exhibit{&catalogue.papers[0], &figure, {}, std::vector(figure.panels.size(), svg)};
            for (const std::string& id : figure.runs) exhibit.outcomes.push_back(&exhibition.outcomes.at(id));
            exhibition.exhibits.push_back(exhibit);
        }
    }
    std::string html() const { return page(catalogue, exhibition); }
};
std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
    return found;
}

TEST(Page, ShowsEveryClaimOnTopAndBesideItsFigures) {
    const std::string html = Show().html();
    // three claims on top; three below figure one, one below figure two, which shows x/a again
    EXPECT_EQ(count(html, "✓ holds"), 3u + 3u + 1u);
    EXPECT_EQ(count(html, "✗"), 0u);
    EXPECT_NE(html.find("3 claims"), html.npos);
    for (const char* part :
         {"bristle run x/b <span class=\"whole\">--plot", "first: x/a", "A citation", "An introduction", "erratum E2",
          "a &lt; b", "Errata.F", "closed form", ">1</span> to <span class=\"whole\">2 m/s<", "1.5 m/s"})
        EXPECT_NE(html.find(part), html.npos) << part;
}

TEST(Page, AClaimThatFailsIsMarkedBad) {
    const Show wrong(false);
    EXPECT_EQ(wrong.exhibition.failed(), 1u);
    const std::string html = wrong.html();
    EXPECT_EQ(count(html, "<span class=\"bad\">✗ fails</span>"), 3u);  // first of all, among all, and below its figure
    EXPECT_EQ(count(html, "<span class=\"bad\">✗ 1 fails</span>"), 2u);  // of the paper and of all
    EXPECT_EQ(count(html, "all hold"), 0u);
    EXPECT_NE(json_text(json(wrong.catalogue, wrong.exhibition)).find("\"failed\": 1"), std::string::npos);
}

TEST(Page, ARunThatEndsEarlyCountsAsAFailure) {
    Show show;
    show.exhibition.outcomes["x/a"].failure = "no longer finite";
    EXPECT_EQ(show.exhibition.failed(), 1u);
    EXPECT_NE(show.html().find("the run failed: no longer finite"), std::string::npos);
}

// A closed form of about two phases in 4.8 s: 1e8 s have more than a million.
TEST(Exhibits, ARunThatEndsEarlyHasTheReasonOfItsResult) {
    Catalogue catalogue;
    catalogue.papers.resize(1);
    catalogue.papers[0].figures.resize(1);
    catalogue.papers[0].figures[0].runs = {"astrom2008/fig_s2"};
    const auto document = [](const std::string& id) {
        return experiment::Document(std::string(experiment::find_shipped(id)->text), id, {}, {{"run.duration", "1e8"}});
    };
    const Exhibition all = exhibit(catalogue, document, std::nullopt, [](std::size_t, std::size_t) { return true; });
    const report::Outcome& outcome = all.outcomes.at("astrom2008/fig_s2");
    EXPECT_EQ(outcome.result.status, Status::too_many_steps);
    EXPECT_EQ(outcome.failure, outcome.result.message);
    EXPECT_EQ(all.failed(), 1 + outcome.verdicts.size());  // no claim holds without measures
}

TEST(Page, NamesMissingPictures) {
    Show show;
    show.exhibition.exhibits[1].pictures[1].clear();
    show.exhibition.note = "gnuplot is not on PATH";
    const std::string html = show.html();
    EXPECT_NE(html.find("1 picture is missing: gnuplot is not on PATH"), html.npos);
    EXPECT_NE(html.find("Picture missing: F over t"), html.npos);
    EXPECT_NE(json_text(json(show.catalogue, show.exhibition)).find("\"missing_pictures\": [\"x-two-2\"]"),
              std::string::npos);
}

TEST(Page, TextIsEscaped) {
    const std::string html = Show(true, hostile).html();
    EXPECT_EQ(html.find("<script"), html.npos);
    EXPECT_NE(html.find("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;quotes&quot; `back`"), html.npos);
}

TEST(Page, RefersToNothingOutsideThePage) {
    const std::string html = Show().html();
    for (const char* part : {"src=", "http:", "https:", "@import", "url(", "<link", "Gnuplot"})
        EXPECT_EQ(html.find(part), html.npos) << part;
}

TEST(Page, IdsAreUniqueAndLinksHaveTargets) {
    const std::string html = Show().html();
    std::set<std::string> ids;
    const std::regex id(R"(\sid=['"]([^'"]+)['"])");
    for (std::sregex_iterator it(html.begin(), html.end(), id), end; it != end; ++it)
        EXPECT_TRUE(ids.insert((*it)[1]).second) << (*it)[1];
    EXPECT_TRUE(ids.contains("x-two-2-gpPt0"));
    const std::regex use(R"(href=['"]#([^'"]+)['"])");  // and every link has its target
    for (std::sregex_iterator it(html.begin(), html.end(), use), end; it != end; ++it)
        EXPECT_TRUE(ids.contains((*it)[1])) << (*it)[1];
    EXPECT_NE(html.find("color='#123456'"), html.npos);  // a colour is no name
}

TEST(Page, TagsAreClosed) {
    const std::string html = Show(false, hostile).html();
    std::vector<std::string> open;
    const std::regex tag(R"(<(/?)([a-zA-Z0-9]+)[^>]*?(/?)>)");
    for (std::sregex_iterator it(html.begin(), html.end(), tag), end; it != end; ++it) {
        const std::string name = (*it)[2];
        if (name == "meta" || name == "br" || name == "wbr" || (*it)[3] == "/") continue;
        if ((*it)[1] != "/") {
            open.push_back(name);
        } else {
            ASSERT_FALSE(open.empty());
            EXPECT_EQ(open.back(), name);
            open.pop_back();
        }
    }
    EXPECT_TRUE(open.empty());
}

}  // namespace
}  // namespace bristle::gallery
