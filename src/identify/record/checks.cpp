// Jitter, lost rows, saturation, outliers, resolution, sign, unit and lag.
#include "identify/record/checks.hpp"
#include "identify/record/signals.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::inline identification::record_detail {

namespace {

// Rows at an extreme value: how many, the longest sequence, and where a sequence of 5 begins first.
struct AtLimit {
    std::size_t rows = 0, longest = 0, first = 0;
};
AtLimit rows_at(const std::vector<double>& x, double limit) {
    AtLimit at;
    std::size_t sequence = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        sequence = x[i] == limit ? sequence + 1 : 0;
        at.rows += sequence > 0;
        if (sequence == 5 && at.longest < 5) at.first = i - 4;
        at.longest = std::max(at.longest, sequence);
    }
    return at;
}

constexpr std::size_t correlated_rows = 200000;  // enough to find a lag; more would only take longer

}  // namespace

std::optional<FitFinding> find_jitter(const std::vector<double>& time) {
    if (time.size() < 10) return {};
    const double median = median_period(time);
    const double n = double(time.size() - 1);
    const double mean = (time.back() - time.front()) / n;
    double sum = 0;
    for (std::size_t i = 1; i < time.size(); ++i) {
        const double d = time[i] - time[i - 1] - mean;
        sum += d * d;
    }
    const double deviation = std::sqrt(sum / n);
    if (!(median > 0) || !(deviation > 0.01 * median)) return {};
    FitFinding finding{.kind = FindingKind::jitter};
    finding.set_channel(Measurand::time);
    finding.value = deviation;
    finding.other = deviation / median;
    finding.unit = "s";
    return finding;
}

std::optional<FitFinding> find_lost_rows(const std::vector<double>& time, const std::vector<std::uint32_t>& line,
                                         std::span<const std::uint32_t> rejected) {
    if (time.size() < 10) return {};
    const double median = median_period(time);
    const auto rejected_before = [&](std::uint32_t row) {
        return std::lower_bound(rejected.begin(), rejected.end(), row) - rejected.begin();
    };
    std::optional<FitFinding> found;
    for (std::size_t i = 1; i < time.size(); ++i) {
        const double period = time[i] - time[i - 1];
        if (!(period > 1.7 * median)) continue;
        const long left_out = i < line.size() ? rejected_before(line[i]) - rejected_before(line[i - 1]) : 0;
        // of a file with several periods a run can have a shorter median than the file, at which gaps are cut
        const long missing = std::lround(std::min(period / median, 1e6)) - 1 - left_out;
        if (missing <= 0) continue;
        if (!found) {
            found = FitFinding{.kind = FindingKind::rows_lost};
            found->set_channel(Measurand::time);
            found->line = i < line.size() ? long(line[i]) : 0;
            found->value = period;
            found->unit = "s";
        }
        found->count += missing;
        found->value = std::max(found->value, period);
    }
    return found;
}

std::optional<FitFinding> find_saturation(const std::vector<double>& x, const std::vector<std::uint32_t>& line) {
    if (x.size() < 20) return {};
    const auto [low, high] = std::minmax_element(x.begin(), x.end());
    std::optional<FitFinding> found;
    for (const double limit : {*high, *low}) {
        if (limit == 0) continue;
        const AtLimit at = rows_at(x, limit);
        // a signal that has hardly another value is constant or switched, not saturated
        if (at.longest < 5 || 200 * at.rows < x.size() || 10 * at.rows > 9 * x.size()) continue;
        if (!found) found = FitFinding{.kind = FindingKind::saturated};
        if (found->count == 0) {
            found->value = limit;
            found->line = at.first < line.size() ? long(line[at.first]) : 0;
        } else {
            found->other = limit;
        }
        found->count += long(at.rows);
    }
    return found;
}

std::optional<FitFinding> find_outliers(const std::vector<double>& x, const std::vector<std::uint32_t>& line) {
    if (x.size() < 100) return {};
    std::vector<double> distance(x.size(), 0.0), size = x;
    const auto median_at = [&](std::size_t i) {
        double five[5];
        std::copy_n(x.begin() + std::ptrdiff_t(i) - 2, 5, five);
        std::nth_element(five, five + 2, five + 5);
        return five[2];
    };
    for (std::size_t i = 2; i + 2 < x.size(); ++i) distance[i] = std::abs(x[i] - median_at(i));
    const auto quantile = [](std::vector<double>& values, double fraction) {
        const auto at = values.begin() + std::ptrdiff_t(fraction * double(values.size() - 1));
        std::nth_element(values.begin(), at, values.end());
        return *at;
    };
    const double range = quantile(size, 0.999) - quantile(size, 0.001);
    std::vector<double> sorted = distance;
    const double limit = std::max(0.5 * range, 20 * quantile(sorted, 0.5));
    std::optional<FitFinding> found;
    for (std::size_t i = 2; i + 2 < x.size(); ++i) {
        if (!(distance[i] > limit) || !(limit > 0)) continue;
        if (!found) {
            found = FitFinding{.kind = FindingKind::outlier};
            found->value = x[i];
            found->other = median_at(i);
            found->line = i < line.size() ? long(line[i]) : 0;
        }
        ++found->count;
    }
    return found;
}

std::optional<FitFinding> find_resolution(const std::vector<double>& time, const std::vector<double>& position) {
    if (position.size() < 20) return {};
    double largest = 0;
    for (const double x : position) largest = std::max(largest, std::abs(x));
    const double rounding = 1e-12 * largest;
    double step = std::numeric_limits<double>::infinity();
    std::size_t moves = 0;
    for (std::size_t i = 1; i < position.size(); ++i) {
        const double d = std::abs(position[i] - position[i - 1]);
        if (d <= rounding) continue;
        ++moves;
        step = std::min(step, d);
    }
    if (moves < 10 || !(step > 100 * rounding)) return {};
    std::size_t multiples = 0, single = 0;
    for (std::size_t i = 1; i < position.size(); ++i) {
        const double d = std::abs(position[i] - position[i - 1]);
        if (d <= rounding) continue;
        const double k = d / step;
        // numbers at random would be within 0.05 of a whole number in one case of ten
        const bool multiple = std::abs(k - std::round(k)) < 0.05;
        multiples += multiple;
        single += k < 1.5;
    }
    if (10 * multiples <= 9 * moves) return {};
    // constant speed: every difference is "one step", which says nothing about the encoder, unless it also rests or varies
    if (single == moves && moves + 1 == position.size()) return {};
    const double period = median_period(time);
    FitFinding finding{.kind = FindingKind::coarse_position};
    finding.set_channel(Measurand::position);
    finding.value = step;
    finding.other = period > 0 ? step / period : std::numeric_limits<double>::quiet_NaN();
    return finding;
}

std::optional<FitFinding> find_wrong_sign(const std::vector<double>& steps, const std::vector<double>& force) {
    double work = 0, size = 0;
    const std::size_t n = std::min(steps.size(), force.size());
    for (std::size_t i = 0; i < n; ++i) {
        work += force[i] * steps[i];
        size += std::abs(force[i] * steps[i]);
    }
    if (n < 10 || !(work < -0.3 * size)) return {};
    FitFinding finding{.kind = FindingKind::sign_suspect};
    finding.value = work / size;
    finding.unit = "1";
    return finding;
}

std::optional<FitFinding> find_unit_mismatch(const std::vector<double>& time, const std::vector<double>& position,
                                             const std::vector<double>& velocity) {
    const std::size_t n = time.size();
    if (n < 40) return {};
    const std::size_t block = std::max<std::size_t>(5, n / 400);
    double xx = 0, xv = 0, vv = 0;
    for (std::size_t begin = 0; begin + block < n; begin += block) {
        double path = 0;  // integral of the velocity column
        for (std::size_t i = begin + 1; i <= begin + block; ++i)
            path += 0.5 * (velocity[i] + velocity[i - 1]) * (time[i] - time[i - 1]);
        const double way = position[begin + block] - position[begin];
        xx += way * way;
        xv += way * path;
        vv += path * path;
    }
    if (!(xx > 0) || !(vv > 0) || xv * xv < 0.9 * xx * vv) return {};  // they do not belong together at all
    const double factor = xv / xx;
    if (std::abs(factor - 1) <= 0.1) return {};
    FitFinding finding{.kind = FindingKind::unit_suspect};
    finding.set_channel(Measurand::velocity);
    finding.value = factor;
    finding.unit = "1";
    return finding;
}

std::optional<FitFinding> find_velocity_lag(const std::vector<double>& time, const std::vector<double>& position,
                                            const std::vector<double>& velocity) {
    const std::size_t n = std::min(time.size(), correlated_rows);
    constexpr long ahead = 5, behind = 50;
    if (n < 4 * std::size_t(ahead + behind)) return {};
    std::vector<double> slope(n, 0.0);  // central difference: no delay
    for (std::size_t i = 1; i + 1 < n; ++i)
        slope[i] = (position[i + 1] - position[i - 1]) / (time[i + 1] - time[i - 1]);
    const std::size_t begin = std::size_t(behind) + 1, end = n - std::size_t(ahead) - 1;
    // correlation of velocity[i] with slope[i - lag]
    const auto correlation = [&](long lag) {
        double sv = 0, ss = 0, svv = 0, sss = 0, svs = 0;
        for (std::size_t i = begin; i < end; ++i) {
            const double v = velocity[i], s = slope[std::size_t(long(i) - lag)];
            sv += v, ss += s, svv += v * v, sss += s * s, svs += v * s;
        }
        const double m = double(end - begin);
        const double a = svv - sv * sv / m, b = sss - ss * ss / m;
        return a > 0 && b > 0 ? (svs - sv * ss / m) / std::sqrt(a * b) : 0.0;
    };
    std::vector<double> c;
    for (long lag = -ahead; lag <= behind; ++lag) c.push_back(correlation(lag));
    const std::size_t best = std::size_t(std::max_element(c.begin(), c.end()) - c.begin());
    if (best == 0 || best + 1 == c.size() || !(c[best] > 0.5)) return {};
    const double curvature = c[best - 1] - 2 * c[best] + c[best + 1];
    const double shift = curvature < 0 ? 0.5 * (c[best - 1] - c[best + 1]) / curvature : 0;
    const double samples = double(long(best) - ahead) + shift;
    // without the lag the unexplained part must be larger by 5 %
    const double without = 1 - c[std::size_t(ahead)] * c[std::size_t(ahead)], with = 1 - c[best] * c[best];
    if (!(samples >= 0.95) || !(without > 1.05 * with)) return {};
    FitFinding finding{.kind = FindingKind::velocity_lags};
    finding.set_channel(Measurand::velocity);
    finding.value = samples * median_period(time);
    finding.other = samples;
    finding.unit = "s";
    return finding;
}

std::vector<double> displacement_steps(const MeasuredRun& run) {
    const std::size_t n = run.size();
    std::vector<double> steps(n, 0.0);
    if (run.time.empty()) return run.velocity;  // a curve: work per time instead
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t a = i == 0 ? 0 : i - 1, b = std::min(i + 1, n - 1);
        steps[i] = run.position.empty() ? run.velocity[i] * 0.5 * (run.time[b] - run.time[a])
                                        : 0.5 * (run.position[b] - run.position[a]);
    }
    return steps;
}

void check_run(const MeasuredRun& run, std::span<const std::uint32_t> rejected, std::vector<FitFinding>& findings) {
    const auto add = [&](std::optional<FitFinding> finding, std::optional<Measurand> channel = {},
                         const char* unit = "") {
        if (!finding) return;
        finding->place = run.name.file;
        finding->part = run.name.part;
        if (channel) finding->set_channel(*channel);
        if (*unit) finding->unit = unit;
        findings.push_back(std::move(*finding));
    };
    const bool timed = !run.time.empty();
    if (timed) add(find_jitter(run.time));
    if (timed) add(find_lost_rows(run.time, run.line, rejected));
    bool is_sign_checked = false;  // by the work of the first channel that there is
    for (const Measurand q : {Measurand::force, Measurand::current, Measurand::voltage}) {
        const auto& x = run.channel(q);
        if (x.empty()) continue;
        const MeasurandInfo& info = measurand_table()[std::size_t(q)];
        if (timed) add(find_saturation(x, run.line), q, info.linear_unit);
        if (timed) add(find_outliers(x, run.line), q, info.linear_unit);
        if (!is_sign_checked) add(find_wrong_sign(displacement_steps(run), x), q);
        is_sign_checked = true;
    }
    if (!timed || run.position.empty()) return;
    add(find_resolution(run.time, run.position), Measurand::position, "m");
    if (run.velocity.empty()) return;
    add(find_unit_mismatch(run.time, run.position, run.velocity));
    add(find_velocity_lag(run.time, run.position, run.velocity));
}

}  // namespace bristle::identification::record_detail
