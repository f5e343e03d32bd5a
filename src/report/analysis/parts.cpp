// Complex numbers, labels and headings of analysis reports.
#include "report/analysis/parts.hpp"
#include "report/run/quantity.hpp"
#include "base/text.hpp"
#include "experiment/path.hpp"

namespace bristle::report {

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
