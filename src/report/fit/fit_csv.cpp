// Rows of a fit as a table: motion, measured and model force, residual.
#include "report/fit/fit_report.hpp"

#include "base/text.hpp"
#include "report/figure/table.hpp"

#include <cmath>

namespace bristle::report {

namespace {

constexpr std::size_t max_rows = 1000000;

void append_number(std::string& out, const std::vector<double>& values, std::size_t i) {
    out += ',';
    if (i < values.size() && std::isfinite(values[i])) out += exact(values[i]);
}

}  // namespace

std::string fit_csv(const FitReport& report) {
    const AxisUnits units = report.units();
    const std::string unit = " [" + units.name(report.signal_unit()) + "]";
    std::string out = "run,t [s],x [" + units.name("m") + "],v [" + units.name("m/s") + "],measured" + unit + ",model" +
                      unit + ",residual" + unit + ",compared,held_out\n";
    std::size_t rows = 0;
    for (const FitTrace& trace : report.result.traces) rows += trace.measured.size();
    const std::size_t stride = 1 + rows / max_rows;
    for (const FitTrace& trace : report.result.traces) {
        const std::string run = cell(plain_text(trace.run));
        for (std::size_t i = 0; i < trace.measured.size(); i += stride) {
            out += run;
            for (const auto* values : {&trace.time, &trace.position, &trace.velocity, &trace.measured, &trace.model})
                append_number(out, *values, i);
            out += ',';
            if (i < trace.model.size() && std::isfinite(trace.measured[i] - trace.model[i]))
                out += exact(trace.measured[i] - trace.model[i]);
            out += i < trace.compared.size() && trace.compared[i] == 0 ? ",0" : ",1";
            out += i < trace.held_out.size() && trace.held_out[i] != 0 ? ",1\n" : ",0\n";
        }
    }
    return out;
}

}  // namespace bristle::report
