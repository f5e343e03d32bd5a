// A figure as files: CSV, gnuplot script, SVG and PNG; gnuplot is started without a shell.
#include "report/figure/figure.hpp"
#include "base/files.hpp"
#include "base/process.hpp"
#include "report/figure/script.hpp"
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>

namespace bristle::report {

namespace fs = std::filesystem;

namespace {

// Returns the last line of gnuplot's messages, which contains the error.
std::string last_line(std::string text) {
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text.substr(text.rfind('\n') + 1);
}

// gnuplot does not always detect a full disk: a picture is complete if its last bytes are present.
bool complete(const fs::path& picture) {
    const std::string text = load(picture), tail = text.substr(text.size() - std::min<std::size_t>(text.size(), 16));
    return tail.find(picture.extension() == ".svg" ? "</svg>" : "IEND") != std::string::npos;
}

// Series that keep the same points.
std::vector<std::vector<Series*>> groups_of(Figure& figure) {
    std::vector<std::vector<Series*>> groups;
    for (Panel& panel : figure.panels)
        for (Series& series : panel.series) {
            const auto same = std::find_if(groups.begin(), groups.end(), [&](const std::vector<Series*>& group) {
                return figure.common_points && group.front()->x == series.x;
            });
            if (same == groups.end())
                groups.push_back({&series});
            else
                same->push_back(&series);
        }
    return groups;
}

void check(const Figure& figure) {
    if (figure.panels.empty()) throw Error("a figure needs at least one panel");
    for (const Panel& panel : figure.panels) {
        if (panel.series.empty()) throw Error("a panel needs at least one series");
        for (const Series& series : panel.series)
            if (series.x.size() != series.y.size() || series.x.empty())
                throw Error("the series '" + series.name + "' needs as many x as y, and at least one");
    }
}

constexpr const char* endings[] = {".csv", ".points.csv", ".gp", ".svg", ".png"};

// Removes all other files of a folder: gnuplot's messages and incomplete pictures.
void keep_only(const std::vector<std::string>& names, const fs::path& folder) {
    std::vector<fs::path> others;
    std::error_code ignored;
    for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end; entry.increment(ignored))
        if (std::find(names.begin(), names.end(), entry->path().filename()) == names.end())
            others.push_back(entry->path());
    for (const fs::path& file : others) fs::remove(file, ignored);
}

// -d: without the user's start-up files, which could change every picture.
std::vector<std::string> gnuplot(const std::string& script) { return {"gnuplot", "-d", script}; }

}  // namespace

namespace {

// Series over one x. Their points are chosen together.
struct Lines {
    const std::vector<double>& x;
    std::vector<const std::vector<double>*> y;
};
using Rows = std::vector<std::size_t>;

double extent(const std::vector<double>& values) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const double x : values)
        if (std::isfinite(x)) low = std::min(low, x), high = std::max(high, x);
    return high > low ? high - low : 1.0;
}

// Returns the rows without those close to the chord between their neighbours in every series: not farther from it than the tolerance (a
// fraction of the range of x and of y), and not beyond its ends. Gaps are kept.
Rows straightened(const Lines& lines, double tolerance) {
    constexpr std::size_t longest = 64;  // points under a chord: time grows with their number
    const std::vector<double>& x = lines.x;
    const double width = extent(x);
    std::vector<double> heights;
    for (const auto* y : lines.y) heights.push_back(extent(*y));
    const auto is_straight = [&](const std::vector<double>& y, double height, std::size_t from, std::size_t to) {
        const double dx = (x[to] - x[from]) / width, dy = (y[to] - y[from]) / height;
        const double length = std::hypot(dx, dy);
        for (std::size_t k = from + 1; k < to; ++k) {
            const double px = (x[k] - x[from]) / width, py = (y[k] - y[from]) / height;
            const double along = length > 0 ? (px * dx + py * dy) / length : 0;
            const double beside = length > 0 ? (px * dy - py * dx) / length : std::hypot(px, py);
            // written so that NaN counts as not close to the chord
            if (!(std::abs(beside) <= tolerance && along >= -tolerance && along <= length + tolerance)) return false;
        }
        return std::isfinite(dx) && std::isfinite(dy);
    };
    const auto all_straight = [&](std::size_t from, std::size_t to) {
        for (std::size_t i = 0; i < lines.y.size(); ++i)
            if (!is_straight(*lines.y[i], heights[i], from, to)) return false;
        return true;
    };
    Rows out{0};
    for (std::size_t anchor = 0; anchor + 1 < x.size();) {
        std::size_t next = anchor + 1;
        while (next + 1 < x.size() && next + 1 - anchor <= longest && all_straight(anchor, next + 1)) ++next;
        out.push_back(anchor = next);
    }
    return out;
}

// Both ends, the extremes of x and of every y, and a gap of each bin.
Rows extremes(const Lines& lines, const Rows& rows, std::size_t bins) {
    std::vector<const std::vector<double>*> all{&lines.x};
    all.insert(all.end(), lines.y.begin(), lines.y.end());
    Rows out;
    auto first = rows.begin();
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const auto last = rows.begin() + std::ptrdiff_t(rows.size() * (bin + 1) / bins);
        Rows keep{*first, *(last - 1)};
        for (const auto* values : all) {
            const auto at = [values](std::size_t i) { return (*values)[i]; };
            const auto gap = std::find_if(first, last, [&](std::size_t i) { return std::isnan(at(i)); });
            if (gap != last) keep.push_back(*gap);
            // NaN is neither minimum nor maximum
            keep.push_back(*std::min_element(first, last, [&](std::size_t a, std::size_t b) {
                return !std::isnan(at(a)) && (std::isnan(at(b)) || at(a) < at(b));
            }));
            keep.push_back(*std::max_element(first, last, [&](std::size_t a, std::size_t b) {
                return !std::isnan(at(b)) && (std::isnan(at(a)) || at(a) < at(b));
            }));
        }
        std::sort(keep.begin(), keep.end());
        keep.erase(std::unique(keep.begin(), keep.end()), keep.end());
        out.insert(out.end(), keep.begin(), keep.end());
        first = last;
    }
    return out;
}

}  // namespace

std::vector<Series> thinned(std::vector<Series> series, std::size_t max_points) {
    if (series.empty() || series.front().x.size() <= max_points) return series;
    Lines lines{series.front().x, {}};
    bool path = false;
    for (const Series& one : series) {
        lines.y.push_back(&one.y);
        path = path || one.mark == Mark::path;
    }
    // for a path the shape matters, so points are removed with a larger tolerance before the division into bins
    Rows rows;
    for (const double tolerance : {5e-4, 1e-3, 2e-3}) {
        rows = straightened(lines, tolerance);
        if (rows.size() <= max_points || !path) break;
    }
    if (rows.size() > max_points) {
        const std::size_t kept = 4 + 3 * series.size();  // of a bin, at most
        rows = extremes(lines, rows, std::max<std::size_t>(1, max_points / kept));
    }
    const auto picked = [&](const std::vector<double>& values) {
        std::vector<double> out;
        for (const std::size_t i : rows) out.push_back(values[i]);
        return out;
    };
    const std::vector<double> x = picked(lines.x);
    for (Series& one : series) {
        one.y = picked(one.y);
        one.x = x;
    }
    return series;
}

ThinnedFigure thinned(Figure figure) {
    bool removed = false;
    for (const std::vector<Series*>& group : groups_of(figure)) {
        const std::size_t before = group.front()->x.size();
        std::vector<Series> thin;
        for (Series* series : group) thin.push_back(std::move(*series));
        thin = thinned(std::move(thin), figure.max_points);
        removed = removed || thin.front().x.size() < before;
        for (std::size_t i = 0; i < group.size(); ++i) *group[i] = std::move(thin[i]);
    }
    return {std::move(figure), removed};
}

Series thinned(const Series& series, std::size_t max_points) {
    return std::move(thinned(std::vector<Series>{series}, max_points).front());
}

void check_folder(const fs::path& folder) {
    const SignalsHeld held;
    const OutputFolder created(folder);
    const Scratch probe(folder);
}

Written write(const Figure& figure, const fs::path& folder, const std::string& name,
              const std::vector<Attachment>& attachments) {
    check(figure);
    const SignalsHeld held;
    const OutputFolder created(folder);
    const Scratch scratch(folder);
    std::vector<std::string> names;
    const auto put = [&](const std::string& ending, std::string_view text) {
        names.push_back(name + ending);
        save(scratch / names.back(), text);
    };
    for (const Attachment& attachment : attachments) put(attachment.ending, attachment.text);
    const bool own_table = std::find(names.begin(), names.end(), name + ".csv") == names.end();
    const auto [shown, removed] = thinned(figure);
    const Table points = tabulate(shown);
    const bool own_points = removed || !own_table;  // the pictures have a table of their own
    const std::string data = own_points ? ".points.csv" : ".csv";
    if (own_table) put(".csv", csv(tabulate(figure)));
    put(".gp", picture_script(shown, points, name, name + data));
    if (own_points) put(data, csv(points));

    Written written;
    std::string failure;
    if (const auto code = run(gnuplot(name + ".gp"), scratch.path(), held); !code) {
        written.note = "gnuplot is not on PATH, so there are no pictures; `gnuplot " + name + ".gp` draws them later";
    } else {
        std::vector<std::string> pictures{name + ".svg"};
        if (figure.png) pictures.push_back(name + ".png");
        for (const int signal : {SIGHUP, SIGINT, SIGTERM})
            if (*code == 128 + signal) throw Interrupted("gnuplot was stopped by a signal");
        if (*code != 0)
            failure = "gnuplot failed (exit code " + std::to_string(*code) + "): " + last_line(load(scratch / "log"));
        for (const std::string& picture : pictures)
            if (failure.empty() && !complete(scratch / picture))
                failure = "gnuplot could not finish " + picture + " (is the disk full?)";
        if (failure.empty()) names.insert(names.end(), pictures.begin(), pictures.end());
    }
    keep_only(names, scratch.path());
    publish_figures(scratch.path(), folder);
    for (const std::string& file : names) written.files.push_back(folder / file);
    if (!failure.empty()) throw Undrawn(failure, written);
    return written;
}

Written write(const fs::path& folder, const std::string& name, const std::vector<Attachment>& attachments) {
    const SignalsHeld held;
    const OutputFolder created(folder);
    const Scratch scratch(folder);
    Written written;
    for (const Attachment& attachment : attachments) {
        save(scratch / (name + attachment.ending), attachment.text);
        written.files.push_back(folder / (name + attachment.ending));
    }
    publish(scratch.path(), folder, files_of_figure(folder, name));
    return written;
}

std::vector<fs::path> files_of_figure(const fs::path& folder, const std::string& name) {
    std::vector<fs::path> out;
    for (const char* ending : endings) out.push_back(folder / (name + ending));
    return out;
}

void publish_figures(const fs::path& from, const fs::path& to, std::vector<fs::path> old) {
    std::error_code problem;
    for (fs::recursive_directory_iterator entry(from, problem), end; !problem && entry != end;
         entry.increment(problem)) {
        if (entry->path().extension() != ".gp") continue;
        const fs::path script = to / entry->path().lexically_relative(from);
        for (fs::path& file : files_of_figure(script.parent_path(), script.stem().string()))
            old.push_back(std::move(file));
    }
    publish(from, to, old);
}

std::optional<std::string> drawn(const Figure& figure, int columns) {
    check(figure);
    const SignalsHeld held;
    std::optional<Scratch> place;
    std::error_code problem;
    const fs::path temporary = fs::temp_directory_path(problem);
    if (problem) return std::nullopt;
    try {
        place.emplace(temporary);
    } catch (const Error&) {
        return std::nullopt;
    }
    const Scratch& scratch = *place;
    const Figure shown = thinned(figure).figure;
    const Table points = tabulate(shown);
    save(scratch / "points.csv", csv(points));
    save(scratch / "plot.gp", terminal_script(shown, points, "points.csv", "plot.txt", columns));
    if (!run(gnuplot("plot.gp"), scratch.path(), held)) return std::nullopt;
    // gnuplot begins each panel with a form feed, which clears some terminals, and pads every line with blanks
    std::istringstream lines(load(scratch / "plot.txt"));
    std::string text;
    for (std::string line; std::getline(lines, line);) {
        std::erase(line, '\f');
        text.append(line, 0, line.find_last_not_of(' ') + 1) += '\n';
    }
    return text;
}

}  // namespace bristle::report
