// Samples, extremes and values at Run::sample_times, from rows of signals. The recorders of rigs and of machines use it.
//
// A recorder fills row(k) at time(k) for the seven points of each accepted step (two of them close to its ends, for the
// slopes there) and includes each row in the extremes. at(t) returns the row at any time in the step.
#pragma once
#include <bristle/search.hpp>
#include <bristle/simulate/result.hpp>

#include <algorithm>
#include <limits>

namespace bristle::inline simulation {

struct Extreme {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    void include(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
};

class RowRecorder {
  public:
    using Row = std::vector<double>;  // values of all signals at a time
    static constexpr int points = 7;

    RowRecorder(const Run& run, const Progress& progress) : run_(run), progress_(progress) {}
    // Sets names and units of the signals; no values yet.
    void set_signals(std::vector<Signal> signals);
    const std::vector<Signal>& signals() const { return signals_; }

    // Records the row at t = 0.
    void start(const Row& row);

    // Sets the times of the points of a step.
    void place_points(double t0, double t1) {
        constexpr double near = 1e-3, fractions[points] = {0, near, 0.25, 0.5, 0.75, 1 - near, 1};
        for (int k = 0; k < points; ++k) times_[k] = k == points - 1 ? t1 : t0 + (t1 - t0) * fractions[k];
    }
    double time(int k) const { return times_[k]; }
    Row& row(int k) { return rows_[k]; }
    // Makes the last row of the step before the first one of this step.
    void continue_row() { std::swap(rows_[0], rows_[points - 1]); }
    void include(const Row& row) {
        for (std::size_t i = 0; i < extremes_.size(); ++i) extremes_[i].include(row[i]);
    }

    // Locates peaks between the points of the step (golden section) if they can change an extreme, or if watched(i, t) for signal i near t.
    // Calls peak(i, t, value) for each.
    template <class At, class Watched, class Peak>
    void refine_peaks(const At& at, const Watched& watched, const Peak& peak);
    template <class At>
    void refine_peaks(const At& at) {
        refine_peaks(
            at, [](std::size_t, double) { return false; }, [](std::size_t, double, double) {});
    }
    // Records the samples and the sample_times of a step.
    template <class At>
    void record_samples(double t0, double t1, const At& at) {
        while (next_sample_ < run_.samples && sample_time(next_sample_) <= t1) sample(at(sample_time(next_sample_)));
        for (const double t : run_.sample_times)
            if (t > t0 && t <= t1) record_at(t, at(t));
    }
    // Calls progress every 256 steps. Returns false if the run was cancelled.
    bool should_continue(double t) {
        if (!progress_ || ++steps_since_progress_ < 256) return true;
        steps_since_progress_ = 0;
        return progress_(t / run_.duration);
    }

    // Records what the last step left: corners closer than rounding may leave samples.
    void complete(const Row& last);
    // Moves extremes, final values and values at sample_times to the measures.
    void put_measures(Measures& measures, const Row& last);
    std::vector<Signal> take_signals() { return std::move(signals_); }

  private:
    double sample_time(long i) const {
        return i == run_.samples - 1 ? run_.duration : run_.duration * double(i) / double(run_.samples - 1);
    }
    void sample(const Row& row);
    void record_at(double time, const Row& row);

    const Run& run_;
    const Progress& progress_;
    std::vector<Signal> signals_;
    std::vector<Extreme> extremes_;
    double times_[points]{};  // of the points of the present step [s]
    Row rows_[points];        // signals at these times
    std::map<double, std::map<std::string, double>> at_times_;
    long next_sample_ = 0;
    int steps_since_progress_ = 0;
};

template <class At, class Watched, class Peak>
void RowRecorder::refine_peaks(const At& at, const Watched& watched, const Peak& peak) {
    for (int k = 1; k + 1 < points; ++k) {
        const Row &last = rows_[k - 1], &now = rows_[k], &next = rows_[k + 1];
        const double before = times_[k] - times_[k - 1], after = times_[k + 1] - times_[k];
        for (std::size_t i = 0; i < now.size(); ++i) {
            const double left = now[i] - last[i], right = now[i] - next[i];
            if (!(left * right > 0)) continue;
            // bound on the height of the peak: the chords on both sides, extended
            const double sign = left > 0 ? 1 : -1,
                         max_rise = std::max(sign * left * after / before, sign * right * before / after);
            const double known = sign > 0 ? extremes_[i].high : -extremes_[i].low;
            if (!(sign * now[i] + max_rise > known || watched(i, times_[k]))) continue;
            const auto height = [&](double t) { return sign * at(t)[i]; };
            const auto top = bristle::detail::golden_section(times_[k - 1], times_[k + 1], 40, height);
            extremes_[i].include(sign * top.value);
            peak(i, top.at, sign * top.value);
        }
    }
}

}  // namespace bristle::simulation
