// A figure is data: panels with labelled axes and named series. It is written as
//   NAME.csv   every point, with units in the header
//   NAME.gp    a gnuplot script to restyle and draw again; it reads NAME.csv, or NAME.points.csv where lines were thinned
//              or NAME.csv is an attachment
//   NAME.svg   NAME.png   drawn by gnuplot
// and can be printed in the terminal. All pictures of the project have the one style that is set in script.cpp.
//
// Text is shown as it is given, without markup or escapes; line breaks become blanks, control characters are left out and '
// becomes ’. Without gnuplot there are no pictures, and that is not an error. Each file appears complete or not at all.
#pragma once
#include <bristle/base/error.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace bristle::report {

// A path is a line with a direction: a ring where it starts, and arrow heads along it.
enum class Mark { line, points, path };

struct Series {
    std::string name;          // in the legend and the table; empty: not listed
    std::vector<double> x, y;  // same length; NaN breaks a line
    Mark mark = Mark::line;
    // Which of the strokes of script.cpp it has wherever it is drawn: 0 solid, 1 to 3 dashed, 4 to 6 for marks; otherwise it goes by its place.
    std::optional<std::size_t> stroke = {};
};

struct Range {
    double low, high;
};

struct Panel {
    std::string x_label, y_label;  // with the unit in brackets: "velocity v [m/s]"
    std::vector<Series> series;
    std::string title = "";
    bool legend = true;                 // false where another panel explains the lines
    std::optional<Range> x_range = {};  // of the axis; without it what the series take
    std::optional<Range> y_range = {};
    bool x_log = false, y_log = false;  // by powers of ten: all values and ends of a range > 0
};

// beside: all panels stacked but the last, which stands beside them in full height.
enum class Layout { stacked, side_by_side, beside };

struct Figure {
    std::string title;
    std::vector<Panel> panels;
    Layout layout = Layout::stacked;
    int width = 800, panel_height = 240;  // of the SVG [px]; the PNG has twice as many
    std::size_t max_points = 4001;        // of a line in the pictures; the CSV keeps all
    bool png = true;                      // beside the SVG
};

struct Written {
    std::vector<std::filesystem::path> files;
    std::string note;  // one sentence where pictures could not be made, otherwise empty
};

// gnuplot is there but failed. The files that need no gnuplot are written.
struct Undrawn : Error {
    using Error::Error;
};

// A signal ended gnuplot: nothing was written.
struct Interrupted : Error {
    using Error::Error;
};

// What is written together with a figure: NAME and the ending.
struct Attachment {
    std::string ending, text;
};

// Writes the figure into the folder, which is made if it is not there. Throws Error (one sentence) if that is impossible.
Written write(const Figure& figure, const std::filesystem::path& folder, const std::string& name,
              const std::vector<Attachment>& attachments = {});

// Throws the Error that write would throw for this folder: tries it, and takes it back.
void check_folder(const std::filesystem::path& folder);

// The figure drawn with characters, that many columns wide. Nothing if there is no gnuplot.
std::optional<std::string> drawn(const Figure& figure, int columns);

// The series with at most about that many points, if it has more. First what lies on a straight line between others goes (to a quarter
// of a pixel, of a long path to one); if that is not enough, of each bin both ends, the extremes of x and y and a gap stay, so that no peak is lost.
Series thinned(const Series& series, std::size_t max_points);

}  // namespace bristle::report
