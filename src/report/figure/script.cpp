// The gnuplot script of a figure.
#include "report/figure/arrows.hpp"
#include "report/figure/script.hpp"
#include "base/text.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iomanip>
#include <limits>
#include <sstream>

namespace bristle::report {

namespace {

// In single quotes gnuplot interprets only the quote itself. A doubled quote works, but not at the start of a text.
// Therefore the quote becomes the typographic apostrophe.
// gnuplot writes a text into its SVG as CDATA, which ends at the first "]]>": a blank without width goes between.
std::string quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : plain_text(text)) {
        if (c == '>' && out.ends_with("]]")) out += "\u200b";
        out += c == '\'' ? "\u2019" : std::string(1, c);
    }
    return out += '\'';
}

// The style of every picture: thin dark frame, light grid, lines distinguished by lightness and dashes, paths by lightness and width, not by hue alone.
constexpr const char* style = R"(set border 3 linewidth 0.8 linecolor rgb '#333333'
set tics nomirror out scale 0.6
set grid linetype 1 linewidth 0.6 linecolor rgb '#dddddd'
set key at graph 0, graph 1.01 left bottom horizontal Left reverse samplen 2.5
set offsets graph 0.01, graph 0.02, graph 0.06, graph 0.06
set autoscale noextend
)";
struct Stroke {
    const char *color, *dash;
    int point;    // type
    double size;  // of the point
    double width = 1.6;
};
constexpr std::array<Stroke, 8> strokes{{{"#12355b", "solid", 7, 0.5},
                                         {"#d1495b", "(8, 4)", 6, 0.6},
                                         {"#b8730a", "(3, 2)", 9, 0.6},
                                         {"#3f7d5a", "(8, 3, 2, 3)", 4, 0.6},
                                         {"#000000", "solid", 5, 0.8},
                                         {"#7b2d8b", "solid", 13, 1.2},
                                         {"#000000", "solid", 9, 1.1},
                                         {"#a3bfa9", "solid", 7, 0.5, 4.5}}};
constexpr std::size_t by_place = 4;  // number of styles for series that set none
const Stroke& stroke_of(const Panel& panel, std::size_t i) {
    return strokes[panel.series[i].stroke.value_or(i % by_place) % strokes.size()];
}

// With many lines each is lighter than the one before, from dark blue through green to ochre, so that the order is visible in grey. The
// last has a contrast of 3 to white.
std::string shade(std::size_t i, std::size_t count) {
    constexpr std::array<std::array<double, 3>, 5> stops{
        {{0x1b, 0x1a, 0x4e}, {0x2a, 0x52, 0x8a}, {0x1f, 0x7a, 0x86}, {0x3f, 0x91, 0x50}, {0xc0, 0x8a, 0x00}}};
    const double at = double(i) / double(count - 1) * double(stops.size() - 1);
    const std::size_t k = std::min(std::size_t(at), stops.size() - 2);
    std::array<int, 3> rgb{};
    for (std::size_t c = 0; c < 3; ++c)
        rgb[c] = int(std::lround(stops[k][c] + (at - double(k)) * (stops[k + 1][c] - stops[k][c])));
    char text[8];
    std::snprintf(text, sizeof text, "#%02x%02x%02x", rgb[0] & 255, rgb[1] & 255, rgb[2] & 255);
    return text;
}
constexpr const char* start_mark = "pointtype 6 pointsize 1.3 linewidth 1.8";  // start of a path
std::string color(const Panel& panel, std::size_t i) {
    const std::size_t count = panel.series.size();
    return panel.series[i].stroke || count <= by_place ? stroke_of(panel, i).color : shade(i, count);
}

// With many lines the legend names some, evenly spaced.
bool listed(const Panel& panel, std::size_t i) {
    constexpr std::size_t most = 12;
    const std::size_t count = panel.series.size(), stride = 1 + (count - 1) / most;
    return panel.legend && !panel.series[i].name.empty() && (i % stride == 0 || i + 1 == count);
}

// True if the path shows its start: it does not begin with a gap.
bool has_start(const Series& series) {
    return series.mark == Mark::path && std::isfinite(series.x[0]) && std::isfinite(series.y[0]);
}

// The legend is above its panel, so that it covers no data.
constexpr double legend_row = 19.5, over_legend = 10;  // height of a row and free space above [px]
struct Legend {
    int columns, rows;
};
Legend legend_of(const Panel& panel, double width) {
    int names = 0;
    double longest = 0;
    const auto take = [&](const std::string& name) {
        ++names;
        longest = std::max(longest, double(letters(name)));
    };
    for (std::size_t i = 0; i < panel.series.size(); ++i)
        if (listed(panel, i)) take(panel.series[i].name);
    if (std::any_of(panel.series.begin(), panel.series.end(), has_start)) take("start");
    if (names == 0) return {1, 0};
    const int columns = std::clamp(int(width / (75 + 8.5 * longest)), 1, names);  // by the largest width of a name [px]
    return {columns, (names + columns - 1) / columns};
}

std::string in_brackets(const std::optional<Range>& range) {
    return range ? '[' + exact(range->low) + ':' + exact(range->high) + ']' : "[*:*]";
}

// Range of an axis of the panel.
Range range_of(const Panel& panel, const std::optional<Range>& given, const std::vector<double> Series::*values) {
    if (given) return *given;
    Range out{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (const Series& series : panel.series)
        for (const double value : series.*values)
            if (std::isfinite(value)) {
                out.low = std::min(out.low, value);
                out.high = std::max(out.high, value);
            }
    return out;
}
Range x_range(const Panel& panel) { return range_of(panel, panel.x_range, &Series::x); }
Range y_range(const Panel& panel) { return range_of(panel, panel.y_range, &Series::y); }

// gnuplot labels the powers of ten of a logarithmic axis. On a short axis 1, 2 and 5 times a power are labelled.
std::string tics_by_decades(const Range& range) {
    const double decades = std::log10(range.high / range.low);
    if (!(range.low > 0) || !(decades > 0) || decades > 2.2) return "autofreq";
    std::string out;
    for (int power = int(std::floor(std::log10(range.low))); power <= int(std::ceil(std::log10(range.high))); ++power)
        for (const double step : {1.0, 2.0, 5.0})
            if (const double at = step * std::pow(10, power); at >= range.low * 0.9999 && at <= range.high * 1.0001)
                out += (out.empty() ? "(" : ", ") + readable(at);
    return out.empty() ? "autofreq" : out + ")";
}

// Labels at y = 0, 1, 2 ...; autofreq if the axis has numbers.
std::string tics_by_names(const std::vector<std::string>& names) {
    std::string out;
    for (std::size_t i = 0; i < names.size(); ++i) append_item(out, quoted(names[i]) + ' ' + std::to_string(i));
    return out.empty() ? "autofreq" : '(' + out + ')';
}

// Title, labels, axes and legend of a panel; sharing: its x axis is labelled by the panel below.
void label(std::ostream& out, const Panel& panel, const Legend& legend, bool sharing) {
    out << "\nset title " << quoted(panel.title) << " offset 0," << legend.rows << "\nset key maxcols "
        << legend.columns << "\nset xlabel " << quoted(sharing ? "" : labelled(panel.x_label)) << "\nset format x "
        << (sharing ? "''" : "'%h'") << "\nset ylabel " << quoted(labelled(panel.y_label))
        << " offset 0.2,0\nset xrange " << in_brackets(panel.x_range) << "\nset yrange " << in_brackets(panel.y_range)
        << '\n'
        << (panel.x_log ? "set logscale x\n" : "unset logscale x\n") << "set xtics "
        << (panel.x_log ? tics_by_decades(x_range(panel)) : "autofreq") << "\nset ytics "
        << tics_by_names(panel.y_names)
        << '\n'
        // gnuplot's own format has no room for powers of ten in a terminal
        << (panel.y_log ? "set logscale y\nset format y '%h'\n" : "unset logscale y\nset format y '% h'\n");
}

// The lines of a panel; in_color: with line styles and start marks, which a picture of characters does not have.
void draw(std::ostream& out, const Panel& panel, const std::vector<Table::Place>& places, const std::string& data,
          bool in_color) {
    const std::size_t count = places.size();
    for (std::size_t i = 0; i < count; ++i) {
        const Series& series = panel.series[i];
        const std::string columns = std::to_string(places[i].x + 1) + ':' + std::to_string(places[i].y + 1);
        out << (i == 0 ? "plot " : ", \\\n     ") << quoted(data) << " using " << columns
            << (series.mark == Mark::points ? " with points" : " with lines");
        if (in_color) {
            const Stroke& stroke = stroke_of(panel, i);
            // repeated loops fill the gaps of dashes: paths differ by colour, and a path below others is wider
            const bool path = series.mark == Mark::path;
            out << " linewidth " << (path ? 1.4 + 0.75 * std::min(3.0, double(count - 1 - i)) : stroke.width)
                << " dashtype " << (path ? "solid" : stroke.dash) << " linecolor rgb '" << color(panel, i) << '\'';
            if (series.mark == Mark::points) out << " pointtype " << stroke.point << " pointsize " << stroke.size;
        }
        if (listed(panel, i))
            out << " title " << quoted(series.name);
        else
            out << " notitle";
    }
    if (in_color && std::any_of(panel.series.begin(), panel.series.end(), has_start))
        out << ", \\\n     keyentry with points " << start_mark << " linecolor rgb '" << color(panel, 0)
            << "' title 'start'";
    out << '\n';
}

// Start marks and arrows of the paths of a panel. They do not change the range of the axes.
void point_out(std::ostream& out, const Panel& panel, double figure_width) {
    const auto all = arrows(panel);
    out << "unset label\nunset arrow\n";
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Series& series = panel.series[i];
        if (has_start(series))
            out << "set label '' at " << exact(series.x[0]) << ',' << exact(series.y[0]) << " front point "
                << start_mark << " linecolor rgb '" << color(panel, i) << "'\n";
        for (const Arrow& arrow : all[i])
            out << "set arrow from " << exact(arrow.from_x) << ',' << exact(arrow.from_y) << " to " << exact(arrow.to_x)
                << ',' << exact(arrow.to_y) << " front filled size screen " << 11 / figure_width
                << ",18,60 fixed linewidth 1.2 linecolor rgb '" << color(panel, i) << "'\n";
    }
}

constexpr const char* reading = "set encoding utf8\nset datafile separator comma\nset datafile columnheaders\n";

// Panels in columns; the columns share the width of the picture.
struct Column {
    double share;
    std::vector<std::size_t> panels;
};
std::vector<Column> columns_of(const Figure& figure) {
    std::vector<std::size_t> all(figure.panels.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    std::vector<Column> columns;
    if (figure.layout == Layout::side_by_side)
        for (const std::size_t i : all) columns.push_back({1 / double(all.size()), {i}});
    else if (figure.layout == Layout::stacked || all.size() < 2)
        columns.push_back({1, all});
    else {
        columns.push_back({0.58, {all.begin(), all.end() - 1}});
        columns.push_back({0.42, {all.back()}});
    }
    return columns;
}

// Position of each panel without its labels, in pixels from the lower left corner.
struct Box {
    double left, right, bottom, top;
    Legend legend;
    bool sharing;  // its x axis is labelled by the panel below
};
struct Sheet {
    double width, height;
    std::vector<Box> boxes;
};
// Returns the smallest of 1, 2, 5, 10 times a power of ten that is >= x.
double rounded_up(double x) {
    const double power = std::pow(10, std::floor(std::log10(x)));
    for (const double round : {1.0, 2.0, 5.0})
        if (round * power >= x) return round * power;
    return 10 * power;
}
// Returns the number of characters of the longest number at the y axis. gnuplot omits a label that does not fit beside it.
int letters_of_numbers(const Panel& panel) {
    int longest = 0;
    for (const std::string& name : panel.y_names) longest = std::max(longest, int(letters(name)));
    if (longest > 0)
        return 1 + 3 * longest / 5;  // letters are narrower than the room for a digit, and there is no y label
    const auto [low, high] = y_range(panel);
    const double largest = std::max(std::abs(low), std::abs(high));
    if (!(high > low)) return 6;
    if (largest < 1e-3 || largest >= 1e5 || (panel.y_log && low < 1e-3)) return 8;  // like -1.5e-05
    const double apart = rounded_up((high - low) / 10);
    const int before = std::max(1, int(std::floor(std::log10(largest))) + 1);
    const int after = std::max(0, -int(std::floor(std::log10(apart * 1.0000001))));
    return before + (after > 0 ? after + 1 : 0) + (low < 0);
}
Sheet arranged(const Figure& figure) {
    constexpr double right = 20, below = 64, between = 14;
    Sheet sheet{double(figure.width), 0, std::vector<Box>(figure.panels.size())};
    const auto columns = columns_of(figure);
    // room above a panel for its legend and title; the first panels of all columns begin at the same height unless a legend
    // is very high
    std::vector<double> above(figure.panels.size());
    double highest = 0, x = 0;
    std::size_t tallest = 0;
    for (const Column& column : columns) {
        int letters = 0;
        for (const std::size_t i : column.panels) letters = std::max(letters, letters_of_numbers(figure.panels[i]));
        const double left = std::max(84.0, 48 + 8.5 * letters);
        for (const std::size_t i : column.panels) {
            const Panel& panel = figure.panels[i];
            Box& box = sheet.boxes[i];
            box.left = x + left;
            box.right = x + column.share * sheet.width - right;
            box.legend = legend_of(panel, box.right - box.left);
            box.sharing = i != column.panels.back() && panel.x_label == figure.panels[i + 1].x_label;
            above[i] = over_legend + legend_row * box.legend.rows + (panel.title.empty() ? 0 : 38);
        }
        x += column.share * sheet.width;
        highest = std::max(highest, above[column.panels.front()]);
        tallest = std::max(tallest, column.panels.size());
    }
    // a legend of more than two rows increases the height of the picture and keeps that of the panel
    constexpr double usual = 110, two_rows = over_legend + 2 * legend_row;
    sheet.height = figure.panel_height * double(tallest) + std::max(0.0, highest - two_rows);
    const double top = sheet.height - (figure.title.empty() ? 0 : 26);
    for (const Column& column : columns) {
        double& first = above[column.panels.front()];
        first = std::max(first, std::min(highest, usual));
        double text = 0;
        for (const std::size_t i : column.panels) text += above[i] + (sheet.boxes[i].sharing ? between : below);
        const double size = (top - text) / double(column.panels.size());
        double y = top;
        for (const std::size_t i : column.panels) {
            Box& box = sheet.boxes[i];
            box.top = y - above[i];
            box.bottom = box.top - size;
            y = box.bottom - (box.sharing ? between : below);
        }
    }
    return sheet;
}

}  // namespace

std::string picture_script(const Figure& figure, const Table& table, const std::string& name, const std::string& data) {
    const Sheet sheet = arranged(figure);
    std::ostringstream out;
    const auto terminal = [&](const char* kind, const char* driver, int scale, int font) {
        out << "if (picture eq '" << kind << "') set terminal " << driver << " noenhanced size " << scale * sheet.width
            << ',' << scale * sheet.height << " font 'sans-serif," << font << "' linewidth " << scale
            << " background rgb 'white'\n";
    };
    // the file is read once for each picture
    out << "# `gnuplot " << name << ".gp` in this folder draws " << name << ".svg"
        << (figure.png ? " and " + name + ".png" : "") << " again.\n"
        << "picture = exists('picture') ? 'png' : 'svg'\n";
    terminal("svg", "svg", 1, 13);
    if (figure.png) terminal("png", "pngcairo", 2, 20);
    out << "set output " << quoted(name + ".") << ".picture\n"
        << reading << style << std::setprecision(4) << "set multiplot title "
        << quoted(shortened(plain_text(figure.title), std::size_t(sheet.width / 9))) << '\n';
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        const Box& box = sheet.boxes[i];
        label(out, figure.panels[i], box.legend, box.sharing);
        out << "set lmargin at screen " << box.left / sheet.width << "\nset rmargin at screen "
            << box.right / sheet.width << "\nset bmargin at screen " << box.bottom / sheet.height
            << "\nset tmargin at screen " << box.top / sheet.height << '\n';
        point_out(out, figure.panels[i], sheet.width);
        draw(out, figure.panels[i], table.places[i], data, true);
    }
    out << "\nunset multiplot\nset output\n" << (figure.png ? "if (picture eq 'svg') reread\n" : "");
    return out.str();
}

namespace {

// Returns the distance of y tics for a picture of characters, which has room for about four; a factor on a logarithmic axis. 0: no
// distance fits.
double tics_for(const Panel& panel) {
    const auto [low, high] = y_range(panel);
    if (!(high > low) || (panel.y_log && !(low > 0))) return 0;
    if (panel.y_log) return std::pow(10, std::max(1.0, std::ceil(std::log10(high / low) / 4)));
    return rounded_up((high - low) / 4);
}

}  // namespace

std::string terminal_script(const Figure& figure, const Table& table, const std::string& data, const std::string& file,
                            int columns) {
    std::ostringstream out;
    out << "set terminal dumb noenhanced size " << columns << ",15\nset output " << quoted(file) << '\n'
        << reading << "set tics nomirror scale 0.5\nset key above left horizontal Left reverse\nset lmargin 9\n";
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        Panel panel = figure.panels[i];  // characters cannot be rotated: the y label is above the panel
        panel.title += (panel.title.empty() ? "" : ": ") + labelled(panel.y_label);
        panel.y_label = {};
        label(out, panel, {4, 1}, false);
        if (const double apart = tics_for(panel); apart > 0)
            out << "set ytics " << apart << '\n';
        else
            out << "set ytics autofreq\n";
        draw(out, panel, table.places[i], data, false);
    }
    return out.str();
}

}  // namespace bristle::report
