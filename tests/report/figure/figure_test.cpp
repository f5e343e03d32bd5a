// Figures: hostile text stays text, nothing half-written stays, no peak is lost, numbers read back as the same bits.
#include <bristle/base/error.hpp>
#include "report/figure/figure.hpp"
#include "../../support/temporary_folder.hpp"
#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <sys/resource.h>
#include <gtest/gtest.h>

namespace {

namespace fs = std::filesystem;
using namespace bristle::report;

std::string text_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::vector<std::string> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

// PATH is put back after each test.
class FigureTest : public testing::Test {
  protected:
    void SetUp() override { path = std::getenv("PATH"); }
    void TearDown() override { setenv("PATH", path.c_str(), 1); }
    const bristle::test::TemporaryFolder temporary;
    const fs::path& folder = temporary.path();
    std::string path;
};

Figure small(const std::string& text) {
    const AxisLabel label{text, ""};
    return {text, {{label, label, {{text, {0, 1, 2}, {3, 1, 2}}, {"points", {0, 1, 2}, {1, 2, 3}, Mark::points}}}}};
}

const std::vector<std::string> all_files{"plot.csv", "plot.gp", "plot.png", "plot.svg"};

TEST_F(FigureTest, WritesTableScriptAndBothPictures) {
    const Written written = write(small("velocity v [m/s], σ₀ z"), folder / "new" / "deep", "plot");
    EXPECT_EQ(written.note, "");
    EXPECT_EQ(written.files.size(), 4u);
    EXPECT_EQ(names_in(folder / "new" / "deep"), all_files);
    EXPECT_NE(text_of(folder / "new" / "deep" / "plot.svg").find("velocity v [m/s], σ₀ z"), std::string::npos);
}

TEST(AxisLabels, HaveTheUnitInBrackets) {
    EXPECT_EQ(labelled({"velocity v", "m/s"}), "velocity v [m/s]");
    EXPECT_EQ(labelled({"leg", ""}), "leg");
    AxisLabel part{"time t", "s"};
    part.note = "excerpt";
    EXPECT_EQ(labelled(part), "time t [s], excerpt");
}

TEST_F(FigureTest, TheScriptDrawsTheSamePictureAgain) {
    write(small("again"), folder, "plot");
    const std::string svg = text_of(folder / "plot.svg");
    fs::remove(folder / "plot.svg");
    ASSERT_EQ(std::system(("cd '" + folder.string() + "' && gnuplot -d plot.gp").c_str()), 0);
    EXPECT_EQ(text_of(folder / "plot.svg"), svg);
}

// Text that gnuplot, a shell, HTML or a spreadsheet would interpret as a command.
TEST_F(FigureTest, TextWithCommandsIsDrawnAndNotExecuted) {
    const std::string trap = (folder / "trap").string();
    for (const std::string& text :
         {"'; system('touch " + trap + "'); '", "\"; system(\"touch " + trap + "\")", "`touch " + trap + "`",
          "$(touch " + trap + ")", "a\nsystem('touch " + trap + "')\n!touch " + trap,
          "'.system('touch " + trap + "').'", std::string("<script>alert(1)</script> & {/Symbol a}_x^2 @home %s \\"),
          std::string("a,b\"c\"\r\td"), std::string("} { [ ] ( ) # ; | ''' \\n \\")}) {
        SCOPED_TRACE(text);
        const Written written = write(small(text), folder, "plot");
        EXPECT_EQ(written.note, "");
        EXPECT_EQ(names_in(folder), all_files);  // no trap
        const std::string svg = text_of(folder / "plot.svg");
        EXPECT_EQ(svg.find("<script"), std::string::npos);
        EXPECT_TRUE(drawn(small(text), 79));
        EXPECT_FALSE(fs::exists(trap));
    }
}

TEST_F(FigureTest, WithoutGnuplotTheTableAndTheScriptAreWritten) {
    setenv("PATH", folder.c_str(), 1);
    const Written written = write(small("no gnuplot"), folder, "plot");
    EXPECT_EQ(names_in(folder), (std::vector<std::string>{"plot.csv", "plot.gp"}));
    EXPECT_NE(written.note.find("gnuplot is not on PATH"), std::string::npos);
    EXPECT_FALSE(drawn(small("no gnuplot"), 79));
}

TEST_F(FigureTest, AFolderThatCannotBeWrittenIsReportedInOneSentence) {
    std::ofstream(folder / "file") << "not a folder";
    for (const fs::path& bad : {folder / "file", folder / "file" / "below", fs::path("/proc/no")}) {
        try {
            write(small("x"), bad, "plot");
            ADD_FAILURE() << bad << " was written";
        } catch (const bristle::Error& error) {
            const std::string what = error.what();
            EXPECT_NE(what.find(bad.string()), std::string::npos) << what;
            EXPECT_EQ(what.find('\n'), std::string::npos) << what;
        }
    }
}

// A limit on the file size makes writing fail, as a full disk does.
TEST_F(FigureTest, NoFileRemainsIfTheDiskIsFull) {
    const auto before = std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{}, tight{};
    getrlimit(RLIMIT_FSIZE, &limit);
    tight = limit;
    for (const rlim_t bytes : {rlim_t(10), rlim_t(4000)}) {  // too small for the table; for the pictures
        tight.rlim_cur = bytes;
        setrlimit(RLIMIT_FSIZE, &tight);
        EXPECT_THROW(write(small("full"), folder, "plot"), bristle::Error);
        setrlimit(RLIMIT_FSIZE, &limit);
        for (const std::string& name : names_in(folder)) EXPECT_TRUE(name == "plot.csv" || name == "plot.gp") << name;
    }
    std::signal(SIGXFSZ, before);
}

// Ctrl-C during writing takes effect when the temporary files are removed.
TEST_F(FigureTest, SigintTakesEffectAfterTheFilesAreComplete) {
    static fs::path watched;
    static bool seen_clean;
    watched = folder;
    seen_clean = false;
    const auto before = std::signal(SIGINT, [](int) {
        seen_clean = names_in(watched) == all_files;  // safe here: it interrupts nothing but the unblocking
    });
    // a gnuplot that first interrupts us, then draws
    fs::create_directories(folder / "bin");
    std::ofstream(folder / "bin" / "gnuplot")
        << "#!/bin/sh\nkill -INT $PPID\nPATH='" + path + "' exec gnuplot \"$@\"\n";
    fs::permissions(folder / "bin" / "gnuplot", fs::perms::owner_all);
    watched = folder / "out";
    setenv("PATH", (folder / "bin:").string().append(path).c_str(), 1);
    write(small("interrupted"), watched, "plot");
    std::signal(SIGINT, before);
    EXPECT_TRUE(seen_clean);
}

TEST_F(FigureTest, TheTableReadsBackAsTheSameBits) {
    const std::vector<double> x{0, 0.1, 1e-300, -1.0 / 3, std::numeric_limits<double>::denorm_min()};
    const std::vector<double> y{1e308, -0.0, std::nan(""), 5e-324, 6.02214076e23}, shorter{1, 2};
    write({"", {{{"time t", "s"}, {"force F", "N"}, {{"a, \"b\"", x, y}, {"", shorter, shorter}}}}}, folder, "plot");
    std::ifstream file(folder / "plot.csv");
    std::string line;
    std::getline(file, line);
    EXPECT_EQ(line, "time t [s],\"a, \"\"b\"\" [N]\",time t [s] (2),force F [N]");
    for (std::size_t i = 0; i < x.size(); ++i) {
        std::getline(file, line);
        const char* at = line.c_str();
        char* end = nullptr;
        for (const double want : {x[i], y[i]}) {
            const double got = std::strtod(at, &end);
            EXPECT_TRUE(std::isnan(want) ? std::isnan(got) : (got == want && std::signbit(got) == std::signbit(want)))
                << line;
            at = end + 1;
        }
        EXPECT_EQ(std::string(at), i < 2 ? std::to_string(i + 1) + "," + std::to_string(i + 1) : ",");
    }
}

TEST_F(FigureTest, SeriesWithTheSameXShareItsColumn) {
    const std::vector<double> t{0, 1}, y{2, 3};
    write({"", {{{"t", "s"}, {"x", "m"}, {{"a", t, y}, {"b", t, y}}}, {{"t", "s"}, {"v", "m/s"}, {{"", t, y}}}}},
          folder, "plot");
    EXPECT_EQ(text_of(folder / "plot.csv"), "t [s],a [m],b [m],v [m/s]\n0,2,2,2\n1,3,3,3\n");
}

TEST_F(FigureTest, ThinningKeepsEveryExtremeAndBothEnds) {
    Series series;
    for (int i = 0; i < 100000; ++i) {
        series.x.push_back(i);
        series.y.push_back(std::sin(1e-3 * i));
    }
    series.y[31415] = 7;
    series.y[27182] = -7;
    series.y[50000] = std::nan("");
    const Series thin = thinned(series, 4000);
    EXPECT_LE(thin.x.size(), 4000u);
    EXPECT_EQ(thin.x.front(), 0);
    EXPECT_EQ(thin.x.back(), 99999);
    EXPECT_TRUE(std::is_sorted(thin.x.begin(), thin.x.end()));
    const auto shows = [&](double x, double y) {
        for (std::size_t i = 0; i < thin.x.size(); ++i)
            if (thin.x[i] == x && (thin.y[i] == y || (std::isnan(y) && std::isnan(thin.y[i])))) return true;
        return false;
    };
    EXPECT_TRUE(shows(31415, 7));
    EXPECT_TRUE(shows(27182, -7));
    EXPECT_TRUE(shows(50000, std::nan("")));
    EXPECT_EQ(thinned(thin, 4000).x, thin.x);  // short enough: left alone
}

// Lines that differ by a constant do so in the picture too: at common points, not at those that each line alone would keep.
TEST_F(FigureTest, LinesWithCommonPointsKeepTheirDifference) {
    Series a{"a", {}, {}}, b{"b", {}, {}};
    for (int i = 0; i < 20000; ++i) {
        const double y = std::sin(0.01 * i) + 0.1 * ((i * 7919) % 101);
        for (Series* one : {&a, &b}) one->x.push_back(i);
        a.y.push_back(y);
        b.y.push_back(i % 997 == 0 ? 50 : y + 1);  // peaks of one line
    }
    const auto thin = thinned(std::vector<Series>{a, b}, 2000);
    EXPECT_LE(thin[0].x.size(), 2000u);
    ASSERT_EQ(thin[0].x, thin[1].x);
    for (std::size_t i = 0; i < thin[0].x.size(); ++i)
        if (thin[1].y[i] != 50) {
            ASSERT_NEAR(thin[1].y[i] - thin[0].y[i], 1, 1e-12);
        }
    EXPECT_EQ(std::count(thin[1].y.begin(), thin[1].y.end(), 50), 21);
    Figure figure{"", {{{"i", "1"}, {"y", "1"}, {a, b}}}};
    write(figure, folder, "apart");
    figure.common_points = true;
    write(figure, folder, "common");
    const auto heading = [&](const char* name) {
        const std::string text = text_of(folder / name);
        return text.substr(0, text.find('\n'));
    };
    EXPECT_EQ(heading("common.points.csv"), "i [1],a [1],b [1]");  // one x for both
    EXPECT_NE(heading("apart.points.csv"), heading("common.points.csv"));
}

TEST_F(FigureTest, AxisHasTheNamesOfThePanel) {
    Panel panel{{"error", "%"}, {}, {{"lugre", {1}, {0}, Mark::points}, {"dahl", {2}, {1}, Mark::points}}};
    panel.y_names = {"lugre, 8", "dahl, 3"};
    write({"", {panel, {{"t", "s"}, {"x", "m"}, {{"", {0, 1}, {0, 1}}}}}}, folder, "plot");
    const std::string script = text_of(folder / "plot.gp");
    EXPECT_NE(script.find("set ytics ('lugre, 8' 0, 'dahl, 3' 1)"), std::string::npos) << script;
    EXPECT_NE(script.find("set ytics autofreq"), std::string::npos) << script;  // of the other panel
}

TEST_F(FigureTest, TheTableKeepsWhatThePictureThins) {
    Series series;
    for (int i = 0; i < 10000; ++i) {
        series.x.push_back(i);
        series.y.push_back(i % 7);
    }
    write({"", {{{"i", "1"}, {"y", "1"}, {series}}}}, folder, "plot");
    const std::string all = text_of(folder / "plot.csv"), points = text_of(folder / "plot.points.csv");
    EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 10001);
    EXPECT_LE(std::count(points.begin(), points.end(), '\n'), 4001);
}

TEST_F(FigureTest, OfFewPointsHasOneTable) {
    const Figure few{"", {{{"i", "1"}, {"y", "1"}, {{"", {0, 1, 2}, {0, 1, 2}}}}}};
    EXPECT_FALSE(thinned(few).removed);
    write(few, folder, "plot");
    EXPECT_FALSE(std::filesystem::exists(folder / "plot.points.csv"));
    // with an attachment of that name the points have a file of their own
    write(few, folder, "plot", {{".csv", "t\n"}});
    EXPECT_EQ(text_of(folder / "plot.csv"), "t\n");
    EXPECT_TRUE(std::filesystem::exists(folder / "plot.points.csv"));
}

TEST_F(FigureTest, ThinnedOnceStaysAsItIs) {
    Series zigzag{"", {}, {}};
    for (int i = 0; i < 10000; ++i) {
        zigzag.x.push_back(i);
        zigzag.y.push_back(i % 7);
    }
    const auto [once, removed] = thinned(Figure{"", {{{"i", "1"}, {"y", "1"}, {zigzag}}}});
    EXPECT_TRUE(removed);
    const auto [twice, more] = thinned(once);
    EXPECT_FALSE(more);
    EXPECT_EQ(twice.panels[0].series[0].x, once.panels[0].series[0].x);
}

// A path has a ring where it starts and heads along it; a line has neither.
TEST_F(FigureTest, OnlyAPathShowsItsStartAndDirection) {
    Figure figure{"", {{{"x", ""}, {"y", ""}, {{"", {0, 1, 2, 1, 0}, {0, 1, 0, -1, 0}}}}}};
    write(figure, folder, "line");
    figure.panels[0].series[0].mark = Mark::path;
    write(figure, folder, "path");
    for (const char* sign : {"'start'", "\nset arrow"}) {
        EXPECT_EQ(text_of(folder / "line.gp").find(sign), std::string::npos) << sign;
        EXPECT_NE(text_of(folder / "path.gp").find(sign), std::string::npos) << sign;
    }
}

TEST_F(FigureTest, EveryLayoutAndNumberOfLinesIsDrawn) {
    for (const Layout layout : {Layout::stacked, Layout::side_by_side, Layout::beside})
        for (const std::size_t lines : {1u, 5u, 64u}) {
            Panel panel{{"x", "m"}, {"y", "m"}, {}};
            for (std::size_t i = 0; i < lines; ++i)
                panel.series.push_back({"line " + std::to_string(i), {0, 1, 2}, {double(i), 0, 1}, Mark::path});
            for (const std::size_t panels : {1u, 2u, 4u}) {
                const Written written = write({"all", std::vector(panels, panel), layout}, folder, "plot");
                EXPECT_EQ(written.note, "");
                const std::string svg = text_of(folder / "plot.svg");
                EXPECT_NE(svg.find("line " + std::to_string(lines - 1)), std::string::npos);
            }
        }
}

// Axes have the scale and range of the panel, in the picture and in the terminal, with labels at powers of ten.
TEST_F(FigureTest, AxesHaveTheScaleAndRangeOfThePanel) {
    Panel panel{{"rate", "N/s"}, {"width", "N"}, {{"", {2, 20, 2000}, {3e-6, 2e-3, 5}}}};
    Panel plain = panel;
    panel.x_log = panel.y_log = true;
    panel.x_range = {1, 1e4};
    panel.y_range = {1e-7, 100};
    write({"", {panel, plain}}, folder, "plot");
    const std::string script = text_of(folder / "plot.gp"), second = script.substr(script.rfind("set title"));
    for (const char* wanted :
         {"\nset logscale x\n", "\nset logscale y\n", "\nset xrange [1:10000]\n", "\nset yrange [1e-07:100]\n"}) {
        EXPECT_NE(script.find(wanted), std::string::npos) << wanted << script;
        EXPECT_EQ(second.find(wanted), std::string::npos) << wanted;  // the panel below has its own axes
    }
    // a tick at every so many powers of ten, whose numbers stand as text in the SVG
    write({"", {panel}}, folder, "alone");
    const std::string svg = text_of(folder / "alone.svg");
    for (const char* number : {">1<", ">10<", ">100<", ">1000<", ">10000<", ">0.01<", ">0.0001<"})
        EXPECT_NE(svg.find(number), std::string::npos) << number;
    const auto text = drawn({"", {panel}}, 100);
    ASSERT_TRUE(text);
    for (const char* number : {" 10 ", " 100 ", " 1000 ", " 10000"})
        EXPECT_NE(text->find(number), std::string::npos) << *text;
    for (const char* number : {" 100 +", " 0.1 |", " 0.0001 |", " 1e-07 +"})
        EXPECT_NE(text->find(number), std::string::npos) << *text;
}

// A series has the line style that it sets in every picture, also if its points are thinned.
TEST_F(FigureTest, ASeriesHasTheLineStyleThatItSets) {
    std::vector<double> x;
    for (int i = 0; i < 900; ++i) x.push_back(i % 3);
    for (const std::size_t others : {0u, 1u, 6u}) {
        Panel panel{{"x", ""}, {"y", ""}, std::vector<Series>(others, Series{"other", {0, 1}, {0, 1}})};
        panel.series.push_back({"mine", x, x, Mark::line, 3});
        panel.series.push_back({"marks", {1}, {1}, Mark::points, 4});
        Figure figure{"", {panel}};
        figure.max_points = 100;
        write(figure, folder, "plot");
        std::istringstream script(text_of(folder / "plot.gp"));
        int seen = 0;
        for (std::string line; std::getline(script, line);) {
            if (line.find("title 'mine'") != line.npos && ++seen) {
                EXPECT_NE(line.find("dashtype (8, 3, 2, 3) linecolor rgb '#3f7d5a'"), line.npos) << line;
            }
            if (line.find("title 'marks'") != line.npos && ++seen) {
                EXPECT_NE(line.find("rgb '#000000' pointtype 5 "), line.npos) << line;
            }
        }
        EXPECT_EQ(seen, 2);
    }
}

TEST_F(FigureTest, AttachmentsAreWrittenWithTheFigureAndKeepTheirNames) {
    const Written written = write(small("x"), folder, "plot", {{".csv", "mine\n"}, {".json", "{}"}});
    EXPECT_EQ(text_of(folder / "plot.csv"), "mine\n");
    EXPECT_EQ(text_of(folder / "plot.json"), "{}");
    EXPECT_NE(text_of(folder / "plot.gp").find("plot.points.csv"), std::string::npos);
    EXPECT_EQ(written.files.size(), names_in(folder).size());
}

TEST_F(FigureTest, TerminalPlotFillsTheWidthWithoutFormFeeds) {
    for (const int columns : {59, 100, 159}) {
        const auto text = drawn(small("velocity v [m/s]"), columns);
        ASSERT_TRUE(text);
        EXPECT_EQ(text->find_first_of("\f\x1b"), std::string::npos);
        std::istringstream lines(*text);
        std::size_t widest = 0;
        for (std::string line; std::getline(lines, line);) widest = std::max(widest, line.size());
        EXPECT_LE(widest, std::size_t(columns));
        EXPECT_GT(widest, std::size_t(columns) - 12);
    }
}

TEST_F(FigureTest, CheckFolderDoesNotChangeTheFolder) {
    std::ofstream(folder / "file") << "not a folder";
    EXPECT_NO_THROW(check_folder(folder / "new" / "deep"));
    EXPECT_NO_THROW(check_folder(folder));
    EXPECT_THROW(check_folder(folder / "file"), bristle::Error);
    EXPECT_THROW(check_folder(folder / "file" / "below"), bristle::Error);
    EXPECT_EQ(names_in(folder), std::vector<std::string>{"file"});
}

TEST_F(FigureTest, AFailureOfGnuplotIsReportedAndTheTableKept) {
    fs::create_directories(folder / "bin");
    std::ofstream(folder / "bin" / "gnuplot") << "#!/bin/sh\necho first >&2\necho the reason >&2\nexit 3\n";
    fs::permissions(folder / "bin" / "gnuplot", fs::perms::owner_all);
    setenv("PATH", (folder / "bin:").string().append(path).c_str(), 1);
    try {
        write(small("x"), folder / "out", "plot");
        ADD_FAILURE() << "no diagnostic";
    } catch (const Undrawn& problem) {
        EXPECT_NE(std::string(problem.what()).find("the reason"), std::string::npos) << problem.what();
    }
    EXPECT_EQ(names_in(folder / "out"), (std::vector<std::string>{"plot.csv", "plot.gp"}));
}

TEST_F(FigureTest, PicturesOfAnEarlierRunAreRemovedIfGnuplotFailsOrIsMissing) {
    write(small("x"), folder / "out", "plot", {{".csv", "mine\n"}});
    std::ofstream(folder / "out" / "plot.txt") << "not of the figure";
    ASSERT_EQ(names_in(folder / "out").size(), 6u);
    fs::create_directories(folder / "empty");
    setenv("PATH", (folder / "empty").c_str(), 1);
    write(small("x"), folder / "out", "plot");
    EXPECT_EQ(names_in(folder / "out"), (std::vector<std::string>{"plot.csv", "plot.gp", "plot.txt"}));
    write(folder / "out", "plot", {{".json", "{}"}});
    EXPECT_EQ(names_in(folder / "out"), (std::vector<std::string>{"plot.json", "plot.txt"}));
}

TEST_F(FigureTest, NothingIsWrittenIfAFolderHasTheNameOfAFile) {
    fs::create_directories(folder / "plot.svg");
    EXPECT_THROW(write(small("x"), folder, "plot"), bristle::Error);
    EXPECT_EQ(names_in(folder), std::vector<std::string>{"plot.svg"});
}

TEST_F(FigureTest, AnEmptyFigureIsRejected) {
    EXPECT_THROW(write({"", {}}, folder, "plot"), bristle::Error);
    EXPECT_THROW(write({"", {{{"x", ""}, {"y", ""}, {}}}}, folder, "plot"), bristle::Error);
    EXPECT_THROW(write({"", {{{"x", ""}, {"y", ""}, {{"", {1, 2}, {1}}}}}}, folder, "plot"), bristle::Error);
    EXPECT_EQ(names_in(folder), std::vector<std::string>{});
}

}  // namespace
