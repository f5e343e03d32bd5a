// Complex numbers, labels and headings of analysis reports.
#include "report/analysis/parts.hpp"
#include "report/run/quantity.hpp"
#include "base/text.hpp"
#include "experiment/path.hpp"

#include <cmath>

namespace bristle::report {

namespace {

// The eigenvalues near zero in a panel of their own, if others are far larger.
Panel slow_ones(const Panel& all) {
    const auto size = [](const Series& s, std::size_t i) { return std::hypot(s.x[i], s.y[i]); };
    double largest = 0, reach = 0;
    for (const Series& s : all.series)
        for (std::size_t i = 0; i < s.x.size(); ++i) largest = std::max(largest, size(s, i));
    Panel out{all.x_label, all.y_label, {}, "near zero", false};
    for (const Series& s : all.series) {
        Series near{s.name, {}, {}, s.mark, s.stroke};
        for (std::size_t i = 0; i < s.x.size(); ++i) {
            if (!(size(s, i) < 0.02 * largest)) continue;
            near.x.push_back(s.x[i]);
            near.y.push_back(s.y[i]);
            reach = std::max(reach, std::abs(s.x[i]));
        }
        if (!near.x.empty()) out.series.push_back(near);
    }
    if (reach > 0) out.x_range = {-1.5 * reach, 1.5 * reach};
    return out;
}

}  // namespace

Figure eigenvalue_figure(const std::string& title, const std::vector<EigenvalueSet>& sets) {
    Panel panel{{"real part", "1/s"}, {"imaginary part", "1/s"}, {}};
    for (std::size_t i = 0; i < sets.size(); ++i) {
        Series points{sets[i].name, {}, {}, Mark::points, 4 + (i + 1) % 3};
        for (const auto& x : sets[i].values) {
            points.x.push_back(x.real());
            points.y.push_back(x.imag());
        }
        if (!points.x.empty()) panel.series.push_back(points);
    }
    Figure out;
    if (!panel.series.empty()) out = {title + ": eigenvalues", {panel}};
    if (const Panel slow = slow_ones(panel); !slow.series.empty()) {
        out.panels.push_back(slow);
        out.layout = Layout::side_by_side;
    }
    return out;
}

Json json_of(const std::vector<std::complex<double>>& numbers) {
    Json out = Json::array();
    for (const auto& x : numbers) out.push_back({x.real(), x.imag()});
    return out;
}

std::string in_words(const std::vector<std::complex<double>>& numbers, std::size_t most) {
    std::string out;
    for (std::size_t i = 0; i < std::min(most, numbers.size()); ++i) {
        const auto& x = numbers[i];
        const bool pair = x.imag() != 0 && i + 1 < numbers.size() && numbers[i + 1] == std::conj(x);
        out += (i > 0 ? ", " : "") + readable(x.real(), 4);
        if (x.imag() != 0) out += (pair ? " ± " : x.imag() < 0 ? " - " : " + ") + readable(std::abs(x.imag()), 4) + "i";
        if (pair) ++i;
    }
    return numbers.size() > most ? out + " ..." : out;
}

bool by_decades(double from, double to) { return from > 0 && to > 30 * from; }

AxisLabel axis_of_key(const experiment::Experiment& experiment, const std::string& key) {
    return {symbol(std::string(experiment::Path(key).last())), unit_of_key(experiment, key)};
}

std::string key_in_words(const experiment::Experiment& experiment, const std::string& key, double value) {
    const std::string unit = unit_of_key(experiment, key);
    return symbol(std::string(experiment::Path(key).last())) + " = " + readable(value, 7) +
           (unit.empty() ? "" : " " + unit);
}

Analysis report_on(const experiment::Experiment& experiment, const std::string& first_line) {
    Analysis out;
    out.heading = titled(experiment) + "\n";
    out.text = first_line + "\n";
    return out;
}

std::string unit_of_state(const experiment::Experiment& experiment, const std::string& state) {
    return unit_of_key(experiment, "start." + state);
}

}  // namespace bristle::report
