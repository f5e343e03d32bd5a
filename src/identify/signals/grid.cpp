// Resampling of runs with jitter or missing rows.
#include "identify/signals/grid.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::inline identification {

namespace {

constexpr double missing_rows = 1.7;  // medians of the period, from which rows are missing
constexpr double jitter = 0.01;       // of the period, which is ignored

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// Cubic through the four samples around t on an uneven grid; linear at the ends.
double interpolated(const std::vector<double>& time, const std::vector<double>& y, std::size_t i, double t,
                    bool cubic) {
    const double u = (t - time[i]) / (time[i + 1] - time[i]);
    if (!cubic || i == 0 || i + 2 >= time.size()) return y[i] + u * (y[i + 1] - y[i]);
    double sum = 0;
    for (std::size_t j = i - 1; j <= i + 2; ++j) {
        double weight = 1;
        for (std::size_t k = i - 1; k <= i + 2; ++k)
            if (k != j) weight *= (t - time[k]) / (time[j] - time[k]);
        sum += weight * y[j];
    }
    return sum;
}

struct SamplePeriods {
    double median = 0, mean = 0;  // s; the mean without periods over missing rows
    bool even = false, complete = false;
};
SamplePeriods periods_of(const std::vector<double>& time) {
    SamplePeriods out;
    std::vector<double> periods(time.size() - 1);
    for (std::size_t i = 0; i + 1 < time.size(); ++i) periods[i] = time[i + 1] - time[i];
    out.median = median(periods);
    double square = 0, sum = 0;
    std::size_t count = 0;
    for (const double p : periods) {
        if (p > missing_rows * out.median) continue;
        square += (p - out.median) * (p - out.median);
        sum += p;
        ++count;
    }
    out.mean = sum / double(count);  // at least half of the periods do not exceed the median
    out.even = std::sqrt(square / double(count)) <= jitter * out.median;
    out.complete = count == periods.size();
    return out;
}

// A time of the grid [s] and the rows of the run that it lies between; both are the same if it is the time of a row.
struct GridPlace {
    double t;
    std::size_t before, after;
};
std::vector<GridPlace> places_on(const std::vector<double>& time, double dt, double tolerance) {
    const auto rows = std::size_t(std::floor((time.back() - time.front() + tolerance) / dt)) + 1;
    std::vector<GridPlace> out(rows);
    for (std::size_t i = 0, j = 0; i < rows; ++i) {
        const double t = time.front() + double(i) * dt;
        while (j + 2 < time.size() && time[j + 1] <= t) ++j;
        out[i] = {t, j, j + 1};
        if (std::abs(t - time[j]) <= tolerance)
            out[i].after = j;
        else if (std::abs(t - time[j + 1]) <= tolerance)
            out[i].before = j + 1;
    }
    return out;
}

}  // namespace

GridRun on_grid(const MeasuredRun& run, Measurand measured, std::vector<std::uint8_t>&& clipped) {
    GridRun out;
    const SamplePeriods periods = periods_of(run.time);
    out.even = periods.even;
    out.t0 = run.time.front();
    const std::vector<double>& y = run.channel(measured);
    if (periods.even && periods.complete) {
        out.dt = (run.time.back() - out.t0) / double(run.size() - 1);
        out.x = run.position;
        out.v = run.velocity;
        out.a = run.acceleration;
        out.y = y;
        out.load = run.load;
        out.used = run.used;
        out.clipped = std::move(clipped);
        return out;
    }
    out.dt = periods.even ? periods.mean : periods.median;
    const auto places = places_on(run.time, out.dt, periods.even ? jitter * out.dt : 0);
    const auto resample = [&](const std::vector<double>& from, std::vector<double>& to, bool cubic) {
        if (from.empty()) return;
        to.reserve(places.size());
        for (const GridPlace& p : places)
            to.push_back(p.before == p.after ? from[p.before] : interpolated(run.time, from, p.before, p.t, cubic));
    };
    resample(run.position, out.x, true);
    resample(run.velocity, out.v, true);
    resample(run.acceleration, out.a, false);
    resample(y, out.y, false);
    resample(run.load, out.load, false);
    for (const GridPlace& p : places) {
        const bool complete = run.time[p.after] - run.time[p.before] < missing_rows * out.dt;
        out.used.push_back(run.used[p.before] && run.used[p.after] && complete);
        out.clipped.push_back(clipped[p.before] || clipped[p.after]);
        out.missing.push_back(!complete);
    }
    return out;
}

}  // namespace bristle::identification
