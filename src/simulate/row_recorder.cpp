// Samples, extremes and values at Run::sample_times of a run.
#include "simulate/row_recorder.hpp"

namespace bristle::inline simulation {

void RowRecorder::set_signals(std::vector<Signal> signals) {
    signals_ = std::move(signals);
    extremes_.resize(signals_.size());
    for (Row& row : rows_) row.resize(signals_.size());
    for (Signal& signal : signals_) signal.values.reserve(std::size_t(run_.samples));
}

void RowRecorder::start(const Row& row) {
    include(row);
    sample(row);
    for (const double t : run_.sample_times)
        if (t <= 0) record_at(t, row);
}

void RowRecorder::sample(const Row& row) {
    ++next_sample_;
    include(row);
    for (std::size_t i = 0; i < signals_.size(); ++i) signals_[i].values.push_back(row[i]);
}

void RowRecorder::record_at(double time, const Row& row) {
    for (std::size_t i = 0; i < signals_.size(); ++i) at_times_[time][signals_[i].name] = row[i];
}

void RowRecorder::complete(const Row& last) {
    while (next_sample_ < run_.samples) sample(last);
    for (const double t : run_.sample_times)
        if (!at_times_.contains(t)) record_at(t, last);
}

void RowRecorder::put_measures(Measures& measures, const Row& last) {
    measures.at = std::move(at_times_);
    for (std::size_t i = 0; i < signals_.size(); ++i) {
        const std::string& name = signals_[i].name;
        measures.max[name] = extremes_[i].high;
        measures.min[name] = extremes_[i].low;
        measures.final[name] = last[i];
    }
}

}  // namespace bristle::simulation
