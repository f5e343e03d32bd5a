// A figure is data: panels with labelled axes and named series. It is written as
//   NAME.csv   every point, with units in the header
//   NAME.gp    a gnuplot script to restyle and draw again; it reads NAME.csv, or NAME.points.csv where lines were thinned
//   NAME.svg   NAME.png   drawn by gnuplot
// and can be printed in the terminal. All pictures of the project have the one style that is set in script.cpp.
//
// Text is shown as it is given, without markup or escapes; line breaks become blanks and ' becomes ’. Without gnuplot
// there are no pictures, and that is not an error. Each file appears complete or not at all.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace bristle::report {

enum class Mark { line, points };

struct Series {
    std::string name;          // in the legend; empty: not listed
    std::vector<double> x, y;  // same length; NaN breaks a line
    Mark mark = Mark::line;
};

struct Panel {
    std::string x_label, y_label;  // with the unit in brackets: "velocity v [m/s]"
    std::vector<Series> series;
    std::string title = "";
};

enum class Layout { stacked, side_by_side };

struct Figure {
    std::string title;
    std::vector<Panel> panels;
    Layout layout = Layout::stacked;
    int width = 800, panel_height = 240;  // of the SVG [px]; the PNG has twice as many
    std::size_t most_points = 4000;       // of a line in the pictures; the CSV keeps all
};

struct Written {
    std::vector<std::filesystem::path> files;
    std::string note;  // one sentence where pictures could not be made, otherwise empty
};

// Writes the figure into the folder, which is made if it is not there. Throws Error (one sentence) if that is impossible.
Written write(const Figure& figure, const std::filesystem::path& folder, const std::string& name);

// Draws the figure on standard output, with characters. False if there is no gnuplot.
bool print(const Figure& figure);

// The series with at most about that many points. Of each bin it keeps both ends, the extremes of x and y and a gap, so
// that no peak is lost.
Series thinned(const Series& series, std::size_t most_points);

}  // namespace bristle::report
