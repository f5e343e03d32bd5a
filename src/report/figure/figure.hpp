// Figure as data: panels with labelled axes and named series. Its files:
//   NAME.csv   every point, with units in the header
//   NAME.gp    a gnuplot script to restyle and draw again; it reads NAME.csv, or NAME.points.csv if lines were thinned
//              or NAME.csv is an attachment
//   NAME.svg   NAME.png   drawn by gnuplot
// It can also be printed in the terminal. All pictures have the style of script.cpp.
//
// Text is shown without interpretation of markup or escapes; line breaks become blanks, control characters are removed, '
// becomes ’, and "]]>" has a blank without width before its ">". Without gnuplot there are no pictures; this is not an error. Each file is written completely or not at all.
#pragma once
#include <bristle/base/error.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bristle::report {

// A path is a line with a direction: a circle at its start, and arrow heads along it.
enum class Mark { line, points, path };

struct Series {
    std::string name;          // in the legend and the table; empty: not listed
    std::vector<double> x, y;  // same length; NaN breaks a line
    Mark mark = Mark::line;
    // Line style of script.cpp: 0 solid, 1 to 3 dashed, 4 to 6 for marks, 7 wide and pale (a line below others); std::nullopt: by its
    // position in the panel.
    std::optional<std::size_t> stroke = {};
};

struct Range {
    double low, high;
};

// Name and unit of an axis. Without default arguments, so that every axis states its unit or "".
struct AxisLabel {
    AxisLabel() = default;
    AxisLabel(std::string name_, std::string unit_) : name(std::move(name_)), unit(std::move(unit_)) {}
    std::string name, unit;
    std::string note = {};  // behind the unit: "excerpt"
    friend bool operator==(const AxisLabel&, const AxisLabel&) = default;
};
// "velocity v [m/s]"; the name alone if there is no unit.
std::string labelled(const AxisLabel& label);

struct Panel {
    AxisLabel x_label, y_label;
    std::vector<Series> series;
    std::string title = "";
    bool legend = true;                 // false if another panel has the legend
    std::optional<Range> x_range = {};  // of the axis; std::nullopt: the range of the series
    std::optional<Range> y_range = {};
    bool x_log = false, y_log = false;      // logarithmic: all values and ends of a range are > 0
    std::vector<std::string> y_names = {};  // labels at y = 0, 1, 2 ... instead of numbers
};

// beside: all panels stacked except the last, which is beside them in full height.
enum class Layout { stacked, side_by_side, beside };

struct Figure {
    std::string title;
    std::vector<Panel> panels;
    Layout layout = Layout::stacked;
    int width = 800, panel_height = 240;  // of the SVG [px]; the PNG has twice as many
    std::size_t max_points = 4001;        // of a line in the pictures; the CSV keeps all
    bool png = true;                      // beside the SVG
    // Lines over the same x keep the same points in the pictures, so that their differences are those of the data.
    bool common_points = false;
};
// A figure of the size that fits two to a row of a page, without PNG.
inline Figure small_figure(std::vector<Panel> panels = {}) {
    return {
        .title = "", .panels = std::move(panels), .width = 460, .panel_height = 310, .max_points = 1500, .png = false};
}

// A figure of a page: name of its files, caption in HTML or text.
struct NamedFigure {
    std::string name, caption;
    Figure figure;
};

struct Written {
    std::vector<std::filesystem::path> files;
    std::string note;  // one sentence if pictures could not be drawn, otherwise empty
};

// gnuplot is installed but failed. The files that need no gnuplot are written.
struct Undrawn : Error {
    Undrawn(const std::string& what, Written files) : Error(what), written(std::move(files)) {}
    Written written;
};

// A signal ended gnuplot: nothing was written.
struct Interrupted : Error {
    using Error::Error;
};

// A file written together with a figure: NAME and this ending. The text is not copied.
struct Attachment {
    std::string ending;
    std::string_view text;
};

// Writes the figure into the folder, which is created if necessary. Throws Error (one sentence) if that is impossible.
Written write(const Figure& figure, const std::filesystem::path& folder, const std::string& name,
              const std::vector<Attachment>& attachments = {});

// The same without a figure: the attachments alone.
Written write(const std::filesystem::path& folder, const std::string& name, const std::vector<Attachment>& attachments);

// Moves the files of figures that `write` wrote below `from` to the same place below `to`, as bristle::publish. Removes from `to` the
// files `old`, and the files of the same figures that were not written this time, such as the pictures of an earlier run.
void publish_figures(const std::filesystem::path& from, const std::filesystem::path& to,
                     std::vector<std::filesystem::path> old = {});
// All files that a figure can have.
std::vector<std::filesystem::path> files_of_figure(const std::filesystem::path& folder, const std::string& name);

// Throws the Error that write would throw for this folder: creates a file for the test and removes it.
void check_folder(const std::filesystem::path& folder);

// The figure drawn with characters, that many columns wide. std::nullopt if there is no gnuplot, or no folder for temporary files.
std::optional<std::string> drawn(const Figure& figure, int columns);

// Returns the series with at most about that many points. First removes points on a straight line between others (within a quarter
// of a pixel; long paths: one pixel). If more remain, keeps both ends, the extremes of x and y and a gap of each bin: no peak is lost.
Series thinned(const Series& series, std::size_t max_points);
// The same for series over one x: all keep the same points.
std::vector<Series> thinned(std::vector<Series> series, std::size_t max_points);
// The figure with at most about max_points of each series. A thinned figure stays as it is.
struct ThinnedFigure {
    Figure figure;
    bool removed;  // whether points were removed
};
ThinnedFigure thinned(Figure figure);

}  // namespace bristle::report
