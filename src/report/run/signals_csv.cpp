// Signals as a table of comma-separated values.
#include "report/run/quantity.hpp"
#include "report/figure/table.hpp"
#include "base/text.hpp"
#include <algorithm>

namespace bristle::report {

namespace {

// The signals of all runs by name: an override can change the law and with it the signals.
std::vector<Named> columns_of(const std::vector<Outcome>& outcomes) {
    std::vector<Named> columns;
    for (const Outcome& outcome : outcomes)
        for (const Signal& signal : outcome.result.signals)
            if (std::none_of(columns.begin(), columns.end(), [&](const auto& c) { return c.name == signal.name; }))
                columns.push_back({signal.name, unit_of(outcome.experiment, signal.unit)});
    return columns;
}

}  // namespace

std::string signals_csv(const std::vector<Outcome>& outcomes) {
    const bool several = outcomes.size() > 1;
    const auto columns = columns_of(outcomes);
    std::string out = several ? "run" : "";
    if (several)
        for (const experiment::Override& one : outcomes.front().varied) out.append(",").append(cell(one.key));
    for (const Named& c : columns) append_item(out, cell(c.name + " [" + c.unit + ']'), ",");
    out += '\n';
    for (std::size_t run = 0; run < outcomes.size(); ++run) {
        const Outcome& outcome = outcomes[run];
        std::string lead = several ? std::to_string(run + 1) : "";
        if (several)
            for (const experiment::Override& one : outcome.varied) lead.append(",").append(cell(one.text));
        std::vector<const Signal*> signals;
        std::size_t rows = 0;
        for (const auto& column : columns) {
            signals.push_back(outcome.result.signal(column.name));
            if (signals.back()) rows = std::max(rows, signals.back()->values.size());
        }
        for (std::size_t row = 0; row < rows; ++row) {
            out += lead;
            for (std::size_t i = 0; i < signals.size(); ++i) {
                if (several || i > 0) out += ',';
                if (signals[i] && row < signals[i]->values.size()) out += exact(signals[i]->values[row]);
            }
            out += '\n';
        }
    }
    return out;
}

}  // namespace bristle::report
