// Conversion of columns to quantities, and the rules of time.
#include "identify/record/signals.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::inline identification::record_detail {

namespace {

constexpr double gap_periods = 20;   // without a row: the run is cut
constexpr std::size_t restart = 20;  // rows that rise again after a fall of time: a second recording in the same file

// Removes rows whose flag is 0, in place.
template <class T>
void keep_rows(std::vector<T>& values, const std::vector<char>& keep) {
    if (values.empty()) return;
    std::size_t n = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (keep[i]) values[n++] = values[i];
    values.resize(n);
}
// rejected: lines of the removed rows are appended.
void keep_rows(MeasuredRun& run, const std::vector<char>& keep, std::vector<std::uint32_t>& rejected) {
    if (std::find(keep.begin(), keep.end(), 0) == keep.end()) return;
    for (std::size_t i = 0; i < keep.size(); ++i)
        if (!keep[i]) rejected.push_back(run.line[i]);
    for (const MeasurandInfo& info : measurand_table()) keep_rows(run.channel(info.quantity), keep);
    keep_rows(run.used, keep);
    keep_rows(run.line, keep);
}

void unwrap(std::vector<double>& x, double period) {
    double offset = 0;
    double last = x.empty() ? 0 : x.front();
    for (double& value : x) {
        const double step = value - last;
        last = value;
        if (std::isfinite(step)) offset -= period * std::round(step / period);
        value += offset;
    }
}

class Converter {
  public:
    Converter(TableCells& cells, const TablePlan& plan, const RecordMap& map) : cells_(cells), plan_(plan), map_(map) {
        const auto wanted = plan.wanted();
        for (std::size_t i = 0; i < wanted.size(); ++i) index_.emplace_back(wanted[i], i);
    }

    MeasuredRun run() {
        MeasuredRun run;
        for (const ColumnPlan& channel : plan_.channels) run.channel(channel.quantity) = converted(channel);
        run.used.assign(cells_.line.size(), 1);
        if (plan_.where) {
            const auto& where = cells_.columns[slot(*plan_.where)];
            for (std::size_t i = 0; i < where.size(); ++i) run.used[i] = where[i] != 0 && !std::isnan(where[i]);
        }
        run.line = std::move(cells_.line);
        return run;
    }

  private:
    std::size_t slot(std::size_t column) const {
        for (const auto& [c, i] : index_)
            if (c == column) return i;
        return 0;
    }
    bool used_once(std::size_t column) const {
        std::size_t uses = plan_.where == column;
        for (const ColumnPlan& p : plan_.channels)
            uses += std::size_t(p.column == column) + std::size_t(p.times == column);
        return uses == 1;
    }

    std::vector<double> converted(const ColumnPlan& plan) {
        const Channel& channel = map_[plan.quantity];
        auto& column = cells_.columns[slot(plan.column)];
        std::vector<double> x = used_once(plan.column) ? std::move(column) : column;
        if (plan.stamps) return x;
        if (channel.bits > 0) {
            const double half = std::ldexp(1.0, channel.bits - 1);
            for (double& value : x)
                if (value >= half) value -= 2 * half;
        }
        if (plan.times) {
            const auto& factor = cells_.columns[slot(*plan.times)];
            for (std::size_t i = 0; i < x.size(); ++i) x[i] *= factor[i];
        }
        const bool motion = plan.quantity == Measurand::position || plan.quantity == Measurand::velocity ||
                            plan.quantity == Measurand::acceleration;
        const double gear = motion ? 1 / channel.gear : plan.quantity == Measurand::force ? channel.gear : 1;
        // in this order: a gain of 1 must leave the numbers of the file as they are
        const double scale = channel.gain * plan.factor * channel.sign * gear;
        if (scale != 1)
            for (double& value : x) value *= scale;
        if (channel.wrap > 0) unwrap(x, std::abs(channel.wrap * plan.factor * gear));
        return x;
    }

    TableCells& cells_;
    const TablePlan& plan_;
    const RecordMap& map_;
    std::vector<std::pair<std::size_t, std::size_t>> index_;  // column, position among the wanted
};

void drop_not_finite(MeasuredRun& run, const TablePlan& plan, const std::string& place,
                     std::vector<FitFinding>& findings, std::vector<std::uint32_t>& rejected) {
    RowFindings report(FindingKind::not_a_number, place, findings);
    std::vector<char> keep(run.size(), 1);
    for (const ColumnPlan& channel : plan.channels) {
        const auto& x = run.channel(channel.quantity);
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (std::isfinite(x[i]) || !keep[i]) continue;
            keep[i] = 0;
            report.add(run.line[i], channel.quantity);
        }
    }
    keep_rows(run, keep, rejected);
    report.close();
}

// True if time falls at row i, then rises for `restart` rows and stays below `last`.
bool restarts(const std::vector<double>& t, std::size_t i, double last) {
    if (i + restart >= t.size()) return false;
    for (std::size_t k = i + 1; k <= i + restart; ++k)
        if (!(t[k] > t[k - 1])) return false;
    return t[i + restart] <= last;
}

// Leaves out rows whose time does not rise. Returns the rows (of the result) at which a second recording begins.
std::vector<std::size_t> order_time(MeasuredRun& run, const std::string& place, std::vector<FitFinding>& findings,
                                    std::vector<std::uint32_t>& rejected) {
    RowFindings backward(FindingKind::time_backward, place, findings);
    std::vector<FitFinding> later;  // so that findings of one kind stay together
    RowFindings repeated(FindingKind::time_repeated, place, later);
    const std::vector<double>& t = run.time;
    std::vector<char> keep(run.size(), 1);
    std::vector<std::size_t> cuts;
    std::size_t kept = 0;
    double last = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < t.size(); ++i) {
        if (t[i] > last) {
            last = t[i];
            ++kept;
        } else if (t[i] < last && restarts(t, i, last)) {
            backward.add(run.line[i], Measurand::time, t[i] - last, "s");
            cuts.push_back(kept++);
            last = t[i];
        } else {
            keep[i] = 0;
            if (t[i] == last)
                repeated.add(run.line[i], Measurand::time, t[i], "s");
            else
                backward.add(run.line[i], Measurand::time, t[i] - last, "s");
        }
    }
    keep_rows(run, keep, rejected);
    backward.close();
    repeated.close();
    findings.insert(findings.end(), later.begin(), later.end());
    return cuts;
}

MeasuredRun part_of(const MeasuredRun& run, std::size_t begin, std::size_t end) {
    MeasuredRun part;
    const auto copy = [&](const auto& from, auto& to) {
        if (!from.empty()) to.assign(from.begin() + std::ptrdiff_t(begin), from.begin() + std::ptrdiff_t(end));
    };
    for (const MeasurandInfo& info : measurand_table()) copy(run.channel(info.quantity), part.channel(info.quantity));
    copy(run.used, part.used);
    copy(run.line, part.line);
    return part;
}

// Cuts where a second recording begins and at gaps.
std::vector<MeasuredRun> cut(MeasuredRun run, std::vector<std::size_t> cuts, const std::string& place,
                             std::vector<FitFinding>& findings) {
    const double limit = gap_periods * median_period(run.time);
    RowFindings gaps(FindingKind::time_gap, place, findings);
    std::vector<std::size_t> all = std::move(cuts);
    for (std::size_t i = 1; i < run.size(); ++i)
        if (run.time[i] - run.time[i - 1] > limit) {
            gaps.add(run.line[i], Measurand::time, run.time[i] - run.time[i - 1], "s");
            all.push_back(i);
        }
    gaps.close();
    std::vector<MeasuredRun> runs;
    if (all.empty()) {
        run.name = {place};
        runs.push_back(std::move(run));
        return runs;
    }
    std::sort(all.begin(), all.end());
    all.push_back(run.size());
    std::size_t begin = 0;
    int number = 0;
    for (const std::size_t end : all) {
        ++number;
        if (end - begin >= 2) {  // a single row has no motion
            runs.push_back(part_of(run, begin, end));
            runs.back().name = {place, number};
        }
        begin = end;
    }
    return runs;
}

}  // namespace

double median_period(const std::vector<double>& t) {
    std::vector<double> periods;
    periods.reserve(t.size());
    for (std::size_t i = 1; i < t.size(); ++i)
        if (t[i] > t[i - 1]) periods.push_back(t[i] - t[i - 1]);
    if (periods.empty()) return 0;
    const auto middle = periods.begin() + std::ptrdiff_t(periods.size() / 2);
    std::nth_element(periods.begin(), middle, periods.end());
    return *middle;
}

void RowFindings::add(long line, std::optional<Measurand> channel, double value, const char* unit) {
    if (++count_ > listed) {
        ++others_;
        return;
    }
    FitFinding finding{.kind = kind_};
    if (channel) finding.set_channel(*channel);
    finding.place = place_;
    finding.line = line;
    finding.count = 1;
    finding.value = value;
    finding.unit = unit;
    findings_.push_back(std::move(finding));
}

void RowFindings::close() {
    if (others_ == 0) return;
    FitFinding finding{.kind = kind_};
    finding.place = place_;
    finding.count = long(others_);
    findings_.push_back(std::move(finding));
}

TableRuns runs_of(TableCells cells, const TablePlan& plan, const RecordMap& map, const TableHead& head,
                  std::vector<FitFinding>& findings) {
    TableRuns out{{}, std::move(cells.rejected)};
    MeasuredRun run = Converter(cells, plan, map).run();
    drop_not_finite(run, plan, head.place, findings, out.rejected);
    if (!plan.find(Measurand::time)) {
        run.name = {head.place};
        out.runs.push_back(std::move(run));
        return out;
    }
    const auto cuts = order_time(run, head.place, findings, out.rejected);
    std::sort(out.rejected.begin(), out.rejected.end());
    for (std::size_t i = 0; i < run.size(); ++i)
        if ((map.from && run.time[i] < *map.from) || (map.to && run.time[i] > *map.to)) run.used[i] = 0;
    out.runs = cut(std::move(run), cuts, head.place, findings);
    return out;
}

}  // namespace bristle::identification::record_detail
