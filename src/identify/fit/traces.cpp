// Rows of a fitted law, for pictures and tables.
#include "identify/fit/traces.hpp"

namespace bristle::inline identification {

std::vector<FitTrace> traces_of(const FitContext& context, const FittedLaw& law) {
    std::vector<FitTrace> out;
    const Prepared& record = context.record;
    // the motion that the model of a row belongs to
    std::vector<double> x = record.x, v = record.v;
    if (const double delay = law.value(FittedQuantity::delay, context.axis.delay.value); delay != 0 && !x.empty()) {
        move_by(record, delay, x, 1);
        move_by(record, delay, v, 1);
    }
    for (const PreparedRun& run : runs_or_files(record)) {
        FitTrace trace;
        trace.run = run.name.text();
        const auto part = [&](const std::vector<double>& all) {
            if (all.empty()) return std::vector<double>{};
            const auto first = all.begin() + std::ptrdiff_t(run.begin);
            return std::vector<double>(first, first + std::ptrdiff_t(run.size));
        };
        trace.time = part(record.t);
        trace.position = part(x);
        trace.velocity = part(v);
        trace.measured = part(law.y);
        trace.model = trace.measured;
        trace.friction_model = part(law.rows.friction);
        trace.friction = trace.friction_model;
        const double gain = law.value(FittedQuantity::gain, context.axis.gain.value);
        for (std::size_t i = 0; i < run.size; ++i) {
            trace.model[i] -= law.rows.residual[run.begin + i];
            trace.friction[i] += gain * law.rows.residual[run.begin + i];
            trace.compared.push_back(record.compared[run.begin + i]);
            trace.held_out.push_back(record.held_out[run.begin + i]);
        }
        out.push_back(std::move(trace));
    }
    return out;
}

}  // namespace bristle::identification
