// Derivatives, filtering and hold-out of a record.
#include "identify/signals/prepare.hpp"

#include "identify/signals/derivatives.hpp"
#include "identify/signals/encoder.hpp"
#include "identify/signals/stretches.hpp"

#include "identify/record/pattern.hpp"
#include "identify/signals/grid.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace bristle::inline identification {

namespace {

// Marks rows at the limits of the measured force that the checks of the record have found. A voltage at its limit is what the motor gets.
std::vector<std::uint8_t> clipped_rows(const Record& record, const MeasuredRun& run, Measurand measured) {
    const std::vector<double>& y = run.channel(measured);
    std::vector<std::uint8_t> out(y.size(), 0);
    if (measured == Measurand::voltage) return out;
    std::size_t count = 0;
    for (const FitFinding& f : record.findings)
        if (f.kind == FindingKind::saturated && f.channel == measured)
            for (std::size_t i = 0; i < y.size(); ++i)
                if (!out[i] && (y[i] == f.value || y[i] == f.other)) {
                    out[i] = 1;
                    ++count;
                }
    // most rows at a limit: the force was switched between its limits, not cut off by them
    if (2 * count > y.size()) std::fill(out.begin(), out.end(), std::uint8_t(0));
    return out;
}

void append(std::vector<double>& to, const std::vector<double>& from) { to.insert(to.end(), from.begin(), from.end()); }

// Rows of the last run that are marked, and those that a filter of that reach carries them to, are not compared.
void leave_out(Prepared& out, const std::vector<std::uint8_t>& marked, std::size_t reach) {
    const std::size_t first = out.runs.back().begin, n = out.runs.back().size;
    for_each_stretch(
        marked.size(), [&](std::size_t i) { return marked[i] != 0; },
        [&](std::size_t begin, std::size_t end) {
            const std::size_t from = begin - std::min(begin, reach), to = std::min(n, end + reach);
            std::fill(out.compared.begin() + std::ptrdiff_t(first + from),
                      out.compared.begin() + std::ptrdiff_t(first + to), std::uint8_t(0));
        });
}

// Measured rows of the last run beside missing ones, as far as a filter of that reach brings interpolated rows, are not compared. They are
// kept if less than half of the rows would be left: of a record that loses every tenth row nothing else would remain.
void leave_out_beside_holes(Prepared& out, const std::vector<std::uint8_t>& missing, std::size_t reach) {
    const auto first = out.compared.begin() + std::ptrdiff_t(out.runs.back().begin);
    const std::vector<std::uint8_t> before(first, out.compared.end());
    leave_out(out, missing, reach);
    const auto all = std::count(before.begin(), before.end(), std::uint8_t(1));
    const auto left = std::count(first, out.compared.end(), std::uint8_t(1));
    if (2 * left < all)
        std::copy(before.begin(), before.end(), first);
    else
        out.rows_beside_holes += std::size_t(all - left);
}

void add_run(Prepared& out, GridRun&& grid, const MeasuredRun& run, bool with_acceleration, double min_speed) {
    const std::size_t n = grid.y.size();
    const bool filtered = out.bandwidth > 0 && out.bandwidth < 0.45 / grid.dt;
    const auto smooth = [&](std::vector<double>& signal, double bandwidth) {
        if (filtered && !signal.empty()) ZeroPhaseFilter(bandwidth, 1 / grid.dt).apply(signal);
    };
    smooth(grid.x, out.motion_bandwidth);
    smooth(grid.y, out.bandwidth);
    smooth(grid.v, out.bandwidth);
    smooth(grid.a, out.bandwidth);
    if (!grid.x.empty()) {
        grid.v = differentiated(grid.x, grid.dt);
        if (with_acceleration && grid.a.empty()) grid.a = differentiated_twice(grid.x, grid.dt);
    } else {
        grid.x.assign(n, 0.0);
        for (std::size_t i = 1; i < n; ++i) grid.x[i] = grid.x[i - 1] + 0.5 * grid.dt * (grid.v[i] + grid.v[i - 1]);
        if (with_acceleration && grid.a.empty()) grid.a = differentiated(grid.v, grid.dt);
    }
    const auto reach = filtered ? std::size_t(std::ceil(1 / (out.motion_bandwidth * grid.dt))) : std::size_t(2);
    const std::size_t edge = std::min(n / 10, reach);
    out.runs.push_back({run.name, out.rows(), n, grid.dt});
    for (std::size_t i = 0; i < n; ++i) {
        out.t.push_back(grid.t0 + double(i) * grid.dt);
        out.dt.push_back(grid.dt);
        const bool inside = i >= edge && i + edge < n;
        out.compared.push_back(inside && grid.used[i] && std::abs(grid.v[i]) >= min_speed);
    }
    leave_out(out, grid.clipped, filtered ? edge : 0);
    leave_out_beside_holes(out, grid.missing, reach);
    append(out.x, grid.x);
    append(out.v, grid.v);
    if (with_acceleration) append(out.a, grid.a);
    append(out.y, grid.y);
    if (!grid.load.empty()) append(out.load, grid.load);
}

// Marks rows of stretches in which the voltage is exactly 0: the drive is off. Raw samples, before any filter.
std::vector<std::uint8_t> off_stretches(const std::vector<double>& y) {
    constexpr std::size_t least = 20;
    std::vector<std::uint8_t> out(y.size(), 0);
    for (std::size_t i = 0; i < y.size();) {
        std::size_t end = i;
        while (end < y.size() && y[end] == 0) ++end;
        if (end - i >= least)
            std::fill(out.begin() + std::ptrdiff_t(i), out.begin() + std::ptrdiff_t(end), std::uint8_t(1));
        i = end + 1;
    }
    return out;
}

double mean_of(const std::vector<double>& x) { return std::accumulate(x.begin(), x.end(), 0.0) / double(x.size()); }

// A load column that was only guessed by its name is not used: the parameters of the law would silently be coefficients.
bool uses_load(const Record& record) {
    for (const ColumnUse& use : record.columns)
        if (use.quantity == Measurand::load && use.guessed_column) return false;
    return true;
}

Prepared prepare_points(const Record& record, const FitOptions& options) {
    Prepared out;
    const bool with_load = uses_load(record);
    out.points = true;
    out.rotary = record.rotary;
    const Measurand measured = measured_channel(options.model);
    const auto add = [&](const RunName& name, double v, double y, double load, bool has_load, bool used) {
        out.point_names.push_back(name);
        out.v.push_back(v);
        out.y.push_back(y);
        if (has_load) out.load.push_back(load);
        out.compared.push_back(used && std::abs(v) >= options.min_speed && v != 0);
    };
    for (const MeasuredRun& run : record.runs) {
        const std::vector<double>& y = run.channel(measured);
        const bool has_load = with_load && !run.load.empty();
        if (record.is_curve())
            for (std::size_t i = 0; i < run.size(); ++i)
                add(run.name, run.velocity[i], y[i], has_load ? run.load[i] : 0, has_load, run.used[i]);
        else if (run.size() > 0)
            add(run.name, mean_of(run.velocity), mean_of(y), has_load ? mean_of(run.load) : 0, has_load, true);
    }
    out.runs.push_back({record.runs.front().name, 0, out.rows(), 0});
    return out;
}

void measure_range(Prepared& out) {
    double low = 0, high = 0;
    bool first = true;
    for (std::size_t i = 0; i < out.rows(); ++i) {
        if (out.compared[i]) out.max_speed = std::max(out.max_speed, std::abs(out.v[i]));
        if (out.points) continue;
        low = first ? out.x[i] : std::min(low, out.x[i]);
        high = first ? out.x[i] : std::max(high, out.x[i]);
        first = false;
    }
    out.travel = high - low;
    out.held_out.assign(out.rows(), 0);
}

}  // namespace

Measurand measured_channel(const FitModel& model) {
    return model.measured == Measured::voltage ? Measurand::voltage : Measurand::force;
}

void Prepared::filter(std::span<const Lane> lanes) const {
    if (points || bandwidth <= 0) return;
    std::vector<Lane> part(lanes.begin(), lanes.end());
    for (const PreparedRun& run : runs) {
        if (bandwidth >= 0.45 / run.dt) continue;
        for (std::size_t l = 0; l < part.size(); ++l) part[l].first = lanes[l].first + run.begin * lanes[l].stride;
        ZeroPhaseFilter(bandwidth, 1 / run.dt).apply(part, run.size);
    }
}
void Prepared::filter(double* rows, std::size_t lanes) const {
    std::vector<Lane> all;
    for (std::size_t l = 0; l < lanes; ++l) all.push_back({rows + l, lanes});
    filter(all);
}

bool is_steady(const Record& record) {
    if (record.is_curve() || record.runs.size() < 6) return false;
    std::size_t steady = 0;
    for (const MeasuredRun& run : record.runs) {
        if (run.velocity.size() < 20) continue;
        const auto middle = run.velocity.begin() + std::ptrdiff_t(run.velocity.size() / 2);
        const std::vector<double> first(run.velocity.begin(), middle), second(middle, run.velocity.end());
        const double a = mean_of(first), b = mean_of(second), mean = 0.5 * (a + b);
        double square = 0;
        for (const double v : run.velocity) square += (v - mean) * (v - mean);
        const double error = std::sqrt(square) / double(run.velocity.size());  // of the mean
        steady += mean != 0 && std::abs(a - b) <= 0.1 * std::abs(mean) + 4 * error && error < 0.2 * std::abs(mean);
    }
    return double(steady) >= 0.8 * double(record.runs.size());
}

Prepared prepare(const Record& record, const FitOptions& options, std::optional<double> bandwidth,
                 double motion_factor) {
    Prepared out;
    if (record.is_curve() || is_steady(record)) {
        out = prepare_points(record, options);
    } else {
        out.rotary = record.rotary;
        const FitModel& model = options.model;
        const bool inertia =
            model.inertia.kind != Setting::Kind::absent || model.armature.kind != Setting::Kind::absent;
        const Measurand measured = measured_channel(model);
        for (const MeasuredRun& run : record.runs) {
            if (run.size() < 8) continue;
            GridRun grid = on_grid(run, measured, clipped_rows(record, run, measured));
            if (!uses_load(record)) grid.load.clear();
            if (out.runs.empty()) {
                out.sample_rate = 1 / grid.dt;
                out.bandwidth = out.motion_bandwidth = bandwidth.value_or(0.1 / grid.dt);
                if (!grid.x.empty()) out.resolution = resolution_of(grid.even ? run.position : grid.x);
                if (out.resolution > 0 && out.bandwidth > 0 && out.bandwidth < 0.45 / grid.dt)
                    out.motion_bandwidth =
                        std::min(out.bandwidth,
                                 motion_factor * motion_bandwidth(grid.x, grid.dt, out.resolution, out.bandwidth));
            }
            const bool open_circuit =
                model.measured == Measured::voltage && model.back_emf.kind != Setting::Kind::absent;
            const std::vector<std::uint8_t> off = open_circuit ? off_stretches(grid.y) : std::vector<std::uint8_t>{};
            add_run(out, std::move(grid), run, inertia, options.min_speed);
            out.drive_off.insert(out.drive_off.end(), off.begin(), off.end());
            if (model.output == Output::force)  // the filter spreads the step of the drive over some rows
                leave_out(out, off,
                          out.bandwidth > 0 ? std::size_t(std::ceil(out.sample_rate / out.bandwidth)) : std::size_t(1));
        }
    }
    if (out.load.empty() && options.model.load.kind == Setting::Kind::given)
        out.load.assign(out.rows(), options.model.load.value);
    measure_range(out);
    mark_directions(out);
    return out;
}

std::vector<std::uint8_t> rows_of_static_laws(const Prepared& record, const std::vector<std::uint8_t>& use, bool dry) {
    if (record.direction.empty()) return use;
    const Direction least = dry ? Direction::sure : Direction::unsure;
    std::vector<std::uint8_t> out = use;
    std::size_t all = 0, left = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
        all += use[i];
        out[i] = use[i] && record.direction[i] >= least;
        left += out[i];
    }
    return 2 * left < all ? use : out;
}

bool mark_held_out(Prepared& record, const HoldOut& hold_out) {
    std::fill(record.held_out.begin(), record.held_out.end(), std::uint8_t(0));
    if (!hold_out.runs.empty()) {
        const auto is_named = [&](const RunName& name) {
            return std::any_of(hold_out.runs.begin(), hold_out.runs.end(),
                               [&](const std::string& pattern) { return record_detail::names_run(pattern, name); });
        };
        for (std::size_t i = 0; i < record.point_names.size(); ++i)  // a file has many rows of a curve
            record.held_out[i] = i > 0 && record.point_names[i] == record.point_names[i - 1]
                                     ? record.held_out[i - 1]
                                     : is_named(record.point_names[i]);
        for (const PreparedRun& run : record.runs)
            if (!record.points && is_named(run.name))
                std::fill_n(record.held_out.begin() + std::ptrdiff_t(run.begin), run.size, std::uint8_t(1));
    } else if (record.points) {
        const auto every = std::size_t(std::max(2.0, std::round(1 / std::max(hold_out.fraction, 1e-3))));
        std::vector<std::size_t> order(record.rows());
        std::iota(order.begin(), order.end(), std::size_t(0));
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return record.v[a] < record.v[b]; });
        for (std::size_t i = every / 2; i < order.size() && hold_out.fraction > 0; i += every)
            record.held_out[order[i]] = 1;
    } else {
        for (const PreparedRun& run : record.runs) {
            const auto kept = std::size_t(double(run.size) * (1 - hold_out.fraction));
            std::fill_n(record.held_out.begin() + std::ptrdiff_t(run.begin + kept), run.size - kept, std::uint8_t(1));
        }
    }
    std::size_t fitted = 0, tested = 0;
    for (std::size_t i = 0; i < record.rows(); ++i)
        if (record.compared[i]) ++(record.held_out[i] ? tested : fitted);
    return tested >= 5 && fitted >= 10;
}

std::vector<PreparedRun> runs_or_files(const Prepared& record) {
    if (!record.points) return record.runs;
    std::vector<PreparedRun> out;
    for (std::size_t i = 0; i < record.point_names.size(); ++i) {
        if (out.empty() || out.back().name != record.point_names[i]) out.push_back({record.point_names[i], i, 0, 0});
        ++out.back().size;
    }
    return out;
}

std::vector<double> move_by(const Prepared& record, double delay, std::vector<double>& rows, std::size_t lanes) {
    std::vector<double> slope(record.rows(), 0.0), old;  // old: rows that are overwritten and still needed, in a ring
    for (const PreparedRun& run : record.runs) {
        if (run.dt <= 0) continue;
        const double size = double(run.size), shift = std::clamp(-delay / run.dt, -size, size);
        if (!std::isfinite(shift)) {  // NaN
            std::fill_n(rows.begin() + std::ptrdiff_t(run.begin * lanes), run.size * lanes, shift);
            continue;
        }
        const auto whole = std::ptrdiff_t(std::floor(shift));
        const double u = shift - double(whole);
        // Lagrange weights on -1, 0, 1, 2, and their derivatives
        const double w[4] = {-u * (u - 1) * (u - 2) / 6, (u + 1) * (u - 1) * (u - 2) / 2, -(u + 1) * u * (u - 2) / 2,
                             (u + 1) * u * (u - 1) / 6};
        const double d[4] = {-(3 * u * u - 6 * u + 2) / 6, (3 * u * u - 4 * u - 1) / 2, -(3 * u * u - 2 * u - 2) / 2,
                             (3 * u * u - 1) / 6};
        double* begin = rows.data() + run.begin * lanes;
        const auto last = std::ptrdiff_t(run.size) - 1, kept = std::max(std::ptrdiff_t(1), 2 - whole);
        old.resize(std::size_t(kept) * lanes);
        for (std::ptrdiff_t i = 0; i <= last; ++i) {
            double* to = begin + std::size_t(i) * lanes;
            std::copy_n(to, lanes, old.data() + std::size_t(i % kept) * lanes);
            const double* at[4];
            for (std::ptrdiff_t k = 0; k < 4; ++k) {
                const std::ptrdiff_t j = std::clamp(i + whole + k - 1, std::ptrdiff_t(0), last);
                at[k] = j > i ? begin + std::size_t(j) * lanes : old.data() + std::size_t(j % kept) * lanes;
            }
            for (std::size_t c = 0; c < lanes; ++c)
                to[c] = w[0] * at[0][c] + w[1] * at[1][c] + w[2] * at[2][c] + w[3] * at[3][c];
            slope[run.begin + std::size_t(i)] =
                (d[0] * *at[0] + d[1] * *at[1] + d[2] * *at[2] + d[3] * *at[3]) / run.dt;
        }
    }
    return slope;
}

double longest_delay(const Prepared& record) {
    double duration = 0;
    for (const PreparedRun& run : record.runs) duration = std::max(duration, double(run.size) * run.dt);
    return 0.05 * duration;
}

void exclude_moved_rows(Prepared& record, double delay) {
    for (const PreparedRun& run : record.runs) {
        if (run.dt <= 0) continue;
        const double edge = record.motion_bandwidth > 0 ? 1 / (record.motion_bandwidth * run.dt) : 2;
        const auto moved =
            delay == 0 ? std::size_t(0) : std::min(run.size, std::size_t(std::ceil(std::abs(delay) / run.dt + edge)));
        const auto first = record.compared.begin() + std::ptrdiff_t(run.begin + (delay > 0 ? 0 : run.size - moved));
        std::fill(first, first + std::ptrdiff_t(moved), std::uint8_t(0));
    }
}

std::vector<double> measured_ahead(const Prepared& record, double delay) {
    std::vector<double> out = record.y;
    if (delay != 0) move_by(record, -delay, out, 1);
    return out;
}

}  // namespace bristle::identification
