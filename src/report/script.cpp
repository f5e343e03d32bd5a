#include <report/script.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <iomanip>
#include <sstream>

namespace bristle::report {

namespace {

// One line of plain text: control characters would end a line of the script or of the table.
std::string line_of(std::string text) {
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    return text;
}

// In single quotes gnuplot reads everything as it stands but the quote itself (doubled it works, though not at the start
// of a text), which therefore becomes the typographic apostrophe.
std::string quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : line_of(text)) out += c == '\'' ? "\u2019" : std::string(1, c);
    return out += '\'';
}

// A cell of a table: in double quotes where it has to be.
std::string cell(const std::string& text) {
    if (text.find_first_of(",\"") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) out.append(c == '"' ? 2 : 1, c);
    return out += '"';
}

// "mass" on the axis "position x [m]" -> "mass [m]"
std::string with_unit(const std::string& name, const std::string& label) {
    const auto bracket = label.rfind('[');
    return bracket == std::string::npos ? name : name + ' ' + label.substr(bracket);
}

// The shortest text that reads back as the same number.
void append(std::string& out, double x) {
    std::array<char, 32> digits;
    out.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), x).ptr);
}

// The style of every picture: thin dark frame, light grid, lines told apart by lightness and dashes, not by hue alone.
constexpr const char* style = R"(set border 3 linewidth 0.8 linecolor rgb '#333333'
set tics nomirror out scale 0.6
set grid linetype 1 linewidth 0.6 linecolor rgb '#dddddd'
set key at graph 0, graph 1.01 left bottom horizontal Left reverse samplen 2.5
set offsets graph 0.01, graph 0.02, graph 0.06, graph 0.06
set autoscale noextend
set linetype 1 linewidth 1.6 dashtype solid   linecolor rgb '#12355b' pointtype 7 pointsize 0.5
set linetype 2 linewidth 1.6 dashtype (8, 4)  linecolor rgb '#d1495b' pointtype 6 pointsize 0.6
set linetype 3 linewidth 1.6 dashtype (2, 2)  linecolor rgb '#b8730a' pointtype 9 pointsize 0.6
set linetype 4 linewidth 1.6 dashtype (8, 3, 2, 3) linecolor rgb '#3f7d5a' pointtype 4 pointsize 0.6
)";

// The legend stands above its panel, so that it covers no data.
struct Legend {
    int columns, rows;
};
Legend legend_of(const Panel& panel, double width) {
    int names = 0;
    double widest = 0;  // a little more than the text will take [px]
    for (const Series& series : panel.series) {
        names += series.name.empty() ? 0 : 1;
        // UTF-8: bytes that begin a character
        const auto letters =
            std::count_if(series.name.begin(), series.name.end(), [](char c) { return (c & 0xc0) != 0x80; });
        widest = std::max(widest, 75 + 8.5 * double(letters));
    }
    const int columns = std::clamp(int(width / widest), 1, std::max(names, 1));
    return {columns, (names + columns - 1) / columns};
}

// How one panel is drawn; sharing: its x axis is labelled by the panel below.
void draw(std::ostream& out, const Panel& panel, const std::vector<Table::Place>& places, const std::string& data,
          const Legend& legend, bool sharing) {
    out << "\nset title " << quoted(panel.title) << " offset 0," << legend.rows << "\nset key maxcols "
        << legend.columns << "\nset xlabel " << quoted(sharing ? "" : panel.x_label) << "\nset format x "
        << (sharing ? "''" : "'%h'") << "\nset ylabel " << quoted(panel.y_label) << " offset 1,0\nplot ";
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Series& series = panel.series[i];
        out << (i == 0 ? "" : ", \\\n     ") << quoted(data) << " using " << places[i].x + 1 << ':' << places[i].y + 1
            << (series.mark == Mark::points ? " with points" : " with lines") << " linetype " << i + 1
            << (series.name.empty() ? " notitle" : " title ") << (series.name.empty() ? "" : quoted(series.name));
    }
    out << '\n';
}

constexpr const char* reading = "set encoding utf8\nset datafile separator comma\nset datafile columnheaders\n";

}  // namespace

Table tabulate(const Figure& figure) {
    Table table;
    const auto place = [&](std::string header, const std::vector<double>& values) {
        header = line_of(header);
        const auto taken = [&](const std::string& text) {
            return std::any_of(table.columns.begin(), table.columns.end(),
                               [&](const auto& column) { return column.header == text; });
        };
        std::string unique = header;
        for (int i = 2; taken(unique); ++i) unique = header + " (" + std::to_string(i) + ")";
        table.columns.push_back({unique, &values});
        return table.columns.size() - 1;
    };
    std::vector<std::pair<std::string, std::size_t>> axes;  // label and column of each x so far
    for (const Panel& panel : figure.panels) {
        auto& places = table.places.emplace_back();
        for (const Series& series : panel.series) {
            const auto shared = std::find_if(axes.begin(), axes.end(), [&](const auto& axis) {
                return axis.first == panel.x_label && *table.columns[axis.second].values == series.x;
            });
            std::size_t x = 0;
            if (shared != axes.end())
                x = shared->second;
            else
                axes.emplace_back(panel.x_label, x = place(panel.x_label, series.x));
            places.push_back(
                {x, place(series.name.empty() ? panel.y_label : with_unit(series.name, panel.y_label), series.y)});
        }
    }
    return table;
}

std::string csv(const Table& table) {
    std::string out;
    std::size_t rows = 0;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (i) out += ',';
        out += cell(table.columns[i].header);
        rows = std::max(rows, table.columns[i].values->size());
    }
    out += '\n';
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            if (i) out += ',';
            if (const auto& values = *table.columns[i].values; row < values.size()) append(out, values[row]);
        }
        out += '\n';
    }
    return out;
}

std::string picture_script(const Figure& figure, const Table& table, const std::string& name, const std::string& data) {
    const bool stacked = figure.layout == Layout::stacked;
    const std::size_t count = figure.panels.size();
    const auto sharing = [&](std::size_t i) {
        return stacked && i + 1 < count && figure.panels[i].x_label == figure.panels[i + 1].x_label;
    };

    // room for text, in pixels: above a panel its legend and title, below it the x axis
    const double left = 84, right = 20, below = 64, columns = stacked ? 1 : double(count);
    const double width = figure.width, height = figure.panel_height * (stacked ? double(count) : 1);
    std::vector<Legend> legends;
    int rows = 0;
    bool title = false, axis = false;
    for (std::size_t i = 0; i < count; ++i) {
        legends.push_back(legend_of(figure.panels[i], width / columns - left - right));
        rows = std::max(rows, legends[i].rows);
        title = title || !figure.panels[i].title.empty();
        axis = axis || (i + 1 < count && !sharing(i));
    }
    const double above = 10 + 20 * rows + (title ? 38 : 0), top = above + (figure.title.empty() ? 0 : 26);
    const double gap = above + (axis ? below : 14);

    std::ostringstream out;
    const auto terminal = [&](const char* kind, const char* driver, int scale, int font) {
        out << "if (picture eq '" << kind << "') set terminal " << driver << " noenhanced size " << scale * width << ','
            << scale * height << " font 'sans-serif," << font << "' linewidth " << scale << " background rgb 'white'\n";
    };
    // the file is read twice, once for each picture
    out << "# `gnuplot " << name << ".gp` in this folder draws " << name << ".svg and " << name << ".png again.\n"
        << "picture = exists('picture') ? 'png' : 'svg'\n";
    terminal("svg", "svg", 1, 13);
    terminal("png", "pngcairo", 2, 20);
    out << "set output " << quoted(name + ".") << ".picture\n" << reading << style << std::setprecision(3);
    out << "set multiplot layout " << (stacked ? count : 1) << ',' << (stacked ? 1 : count) << " title "
        << quoted(figure.title) << " margins " << left / width << ", " << 1 - right / width << ", " << below / height
        << ", " << 1 - top / height << " spacing " << (left + 14) / width << ", " << gap / height << '\n';
    for (std::size_t i = 0; i < count; ++i) draw(out, figure.panels[i], table.places[i], data, legends[i], sharing(i));
    out << "\nunset multiplot\nset output\nif (picture eq 'svg') reread\n";
    return out.str();
}

std::string terminal_script(const Figure& figure, const Table& table, const std::string& data) {
    std::ostringstream out;
    out << "set terminal dumb noenhanced size 79,15\n"
        << reading << "set tics nomirror scale 0.5\nset key above left horizontal Left reverse\nset lmargin 9\n";
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        Panel panel = figure.panels[i];  // characters do not turn by 90 degrees: the y label goes on top
        panel.title = panel.title.empty() ? panel.y_label : panel.title + ": " + panel.y_label;
        panel.y_label.clear();
        draw(out, panel, table.places[i], data, {4, 1}, false);
    }
    return out.str();
}

}  // namespace bristle::report
