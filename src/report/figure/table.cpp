// The points of a figure as CSV.
#include "report/figure/table.hpp"
#include "base/text.hpp"
#include <algorithm>

namespace bristle::report {

namespace {

// One line of plain text as a cell.
std::string quoted_cell(const std::string& line) {
    if (line.find_first_of(",\"") == std::string::npos) return line;
    std::string out = "\"";
    for (const char c : line) out.append(c == '"' ? 2 : 1, c);
    return out += '"';
}

}  // namespace

std::string labelled(const AxisLabel& label) {
    std::string out = label.name;
    if (!label.unit.empty()) out.append(" [").append(label.unit).append("]");
    return label.note.empty() ? out : out.append(", ").append(label.note);
}

std::string cell(const std::string& text) { return quoted_cell(plain_text(text)); }

Table tabulate(const Figure& figure) {
    Table table;
    const auto place = [&](std::string header, const std::vector<double>& values) {
        header = plain_text(header);
        const auto taken = [&](const std::string& text) {
            return std::any_of(table.columns.begin(), table.columns.end(),
                               [&](const auto& column) { return column.header == text; });
        };
        std::string unique = header;
        for (int i = 2; taken(unique); ++i) unique = header + " (" + std::to_string(i) + ")";
        table.columns.push_back({unique, &values});
        return table.columns.size() - 1;
    };
    std::vector<std::pair<AxisLabel, std::size_t>> axes;  // label and column of each x so far
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
                axes.emplace_back(panel.x_label, x = place(labelled(panel.x_label), series.x));
            const AxisLabel y = series.name.empty() ? panel.y_label : AxisLabel{series.name, panel.y_label.unit};
            places.push_back({x, place(labelled(y), series.y)});
        }
    }
    return table;
}

std::string csv(const Table& table) {
    std::string out;
    std::size_t rows = 0;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (i) out += ',';
        out += quoted_cell(table.columns[i].header);
        rows = std::max(rows, table.columns[i].values->size());
    }
    out += '\n';
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            if (i) out += ',';
            if (const auto& values = *table.columns[i].values; row < values.size()) out += exact(values[row]);
        }
        out += '\n';
    }
    return out;
}

}  // namespace bristle::report
