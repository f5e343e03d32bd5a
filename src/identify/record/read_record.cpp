// Files to one record: each file is opened, its columns are planned and read, its runs are checked. One text is in memory at a time.
#include "base/text.hpp"
#include "identify/record/checks.hpp"
#include "identify/record/file_columns.hpp"
#include "identify/record/signals.hpp"
#include "identify/record/text_input.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

namespace bristle::inline identification {

namespace {

using namespace record_detail;

constexpr std::size_t problems_per_file = 8, problems_in_all = 24;

// Collects the problems of all files.
class Problems {
  public:
    void add(const std::string& place, std::vector<RecordProblem> problems) {
        const std::size_t count = problems.size();
        for (std::size_t i = 0; i < std::min(count, problems_per_file); ++i) add(std::move(problems[i]));
        if (count > problems_per_file) add(not_listed(place, count - problems_per_file));
    }
    void add(RecordProblem problem) {
        if (++count_ <= problems_in_all) problems_.push_back(std::move(problem));
    }
    void throw_if_any() const {
        if (count_ == 0) return;
        std::vector<RecordProblem> all = problems_;
        if (count_ > problems_in_all) all.push_back(not_listed("", count_ - problems_in_all));
        throw RecordError(std::move(all));
    }

  private:
    static RecordProblem not_listed(const std::string& place, std::size_t count) {
        return {.file = place,
                .rule = std::to_string(count) + " more problems",
                .kind = RecordProblemKind::not_listed,
                .count = count};
    }

    std::vector<RecordProblem> problems_;
    std::size_t count_ = 0;
};

class Reader {
  public:
    explicit Reader(const RecordMap& map) : map_(map), columns_(map) {}

    void add(const std::string& place, std::string_view raw, const Ticker& ticker) {
        std::string buffer;
        std::vector<RecordProblem> problems;
        try {
            read_table(place, usable_text(raw, place, buffer), ticker, problems);
        } catch (const RecordError& error) {
            problems.insert(problems.end(), error.problems.begin(), error.problems.end());
        }
        problems_.add(place, std::move(problems));
    }
    void add_problem(RecordProblem problem) { problems_.add(std::move(problem)); }

    Record finish() {
        problems_.throw_if_any();
        drop_partial_channels();
        problems_.throw_if_any();
        record_.columns = columns_.uses();
        std::vector<FitFinding> findings = columns_.findings();
        record_.findings.insert(record_.findings.begin(), findings.begin(), findings.end());
        for (std::size_t i = 0; i < record_.runs.size(); ++i)
            check_run(record_.runs[i], rejected_[table_of_run_[i]], record_.findings);
        return std::move(record_);
    }

  private:
    void read_table(const std::string& place, std::string_view text, const Ticker& ticker,
                    std::vector<RecordProblem>& problems) {
        const auto table =
            looks_like_json(text) ? open_json_table(text, place, map_.table) : open_text_table(text, place);
        const TableHead& head = table->head();
        const TablePlan plan = plan_columns(head, map_, problems);
        if (!problems.empty()) return;
        check_against_first_file(place, plan, problems);
        columns_.check_units(head, plan, problems);
        if (!problems.empty()) return;
        TableCells cells = table->read(plan.wanted(), ticker);
        check_rows(head, cells, problems);
        if (!problems.empty()) return;
        columns_.add(head, plan);
        report_rejected(head, plan, cells);
        auto [runs, rejected] = runs_of(std::move(cells), plan, map_, head, record_.findings);
        std::size_t rows = 0;
        for (const MeasuredRun& run : runs) rows += run.size();
        if (rows < 2) {
            problems.push_back({place, 0, "fewer than two usable rows remain" + reasons_of_losses(place),
                                RecordProblemKind::too_few_rows});
            return;
        }
        check_time_unit(head, plan, runs, problems);
        table_of_run_.resize(table_of_run_.size() + runs.size(), rejected_.size());
        rejected_.push_back(std::move(rejected));
        for (MeasuredRun& run : runs) record_.runs.push_back(std::move(run));
    }

    // A time without a unit that would be hours long in seconds is a count of ms or less.
    static void check_time_unit(const TableHead& head, const TablePlan& plan, const std::vector<MeasuredRun>& runs,
                                std::vector<RecordProblem>& problems) {
        const ColumnPlan* time = plan.find(Measurand::time);
        if (!time || !time->guessed_unit || runs.front().size() < 2) return;
        const std::vector<double>& t = runs.front().time;
        const double period = (t.back() - t.front()) / double(t.size() - 1);
        const bool whole = std::all_of(t.begin(), t.end(), [](double x) { return x == std::floor(x); });
        if (period > 100 || (period >= 1 && whole && t.size() >= 500))
            problems.push_back({head.place, head.line,
                                described(head, time->column) + ": names no unit, and rows are " + readable(period, 4) +
                                    " apart; give --time.unit s, ms, us or ns",
                                RecordProblemKind::unit, Measurand::time, time->column + 1});
    }

    void check_against_first_file(const std::string& place, const TablePlan& plan,
                                  std::vector<RecordProblem>& problems) {
        if (first_place_.empty()) {
            first_place_ = place;
            record_.rotary = plan.rotary;
            is_curve_ = !plan.find(Measurand::time);
            return;
        }
        if (plan.rotary != record_.rotary && plan.axis_known)
            problems.push_back({place, 0,
                                std::string("is ") + (plan.rotary ? "rotary" : "linear") + ", but " + first_place_ +
                                    " is " + (record_.rotary ? "rotary" : "linear") +
                                    "; files of one record belong to one axis",
                                RecordProblemKind::different_axes});
        if (is_curve_ == bool(plan.find(Measurand::time)))
            problems.push_back({place, 0,
                                (is_curve_ ? "has a time, but " : "has no time, but ") + first_place_ +
                                    (is_curve_ ? " has none" : " has one") + "; give --time COLUMN",
                                RecordProblemKind::different_axes, Measurand::time});
    }

    static void check_rows(const TableHead& head, const TableCells& cells, std::vector<RecordProblem>& problems) {
        const std::size_t good = cells.line.size();
        if (good >= 2 && cells.bad_count() <= good) return;
        for (const BadCell& bad : cells.bad)
            problems.push_back({head.place,
                                bad.line,
                                described(head, bad.column) + ": " +
                                    (bad.missing ? "the cell is missing or no number (is the file cut off?)"
                                                 : "'" + bad.text + "' is not a number"),
                                RecordProblemKind::cell,
                                {},
                                bad.column + 1});
        const std::string rule = good < 2 ? "a record needs at least two rows of numbers; has " + std::to_string(good)
                                          : std::to_string(cells.bad_count()) + " of " +
                                                std::to_string(good + cells.bad_count()) +
                                                " rows have cells that are not numbers; at most half may";
        problems.push_back({head.place, 0, rule, RecordProblemKind::too_few_rows});
    }

    void report_rejected(const TableHead& head, const TablePlan& plan, const TableCells& cells) {
        RowFindings rows(FindingKind::row_rejected, head.place, record_.findings);
        for (const BadCell& bad : cells.bad) {
            std::optional<Measurand> quantity;
            for (const ColumnPlan& channel : plan.channels)
                if (channel.column == bad.column || channel.times == bad.column) quantity = channel.quantity;
            rows.add(bad.line, quantity);
        }
        rows.add_others(cells.other_bad_count());
        rows.close();
    }

    std::string reasons_of_losses(const std::string& place) const {
        std::string text;
        for (const FitFinding& finding : record_.findings)
            if (finding.place == place && finding.line > 0 && finding.count > 0)
                append_item(text, std::string(name_of(finding.kind)) + " in line " + std::to_string(finding.line));
        return text.empty() ? "" : ": " + text;
    }

    // Channels that some files do not have are dropped if the rest is still a record.
    void drop_partial_channels() {
        const auto& partial = columns_.find_partial();
        for (const FileColumns::Partial& channel : partial)
            for (MeasuredRun& run : record_.runs) run.channel(channel.quantity).clear();
        const MeasuredRun& run = record_.runs.front();
        const bool force = !run.force.empty() || !run.current.empty() || !run.voltage.empty();
        if (force && (!run.position.empty() || !run.velocity.empty())) return;
        for (const FileColumns::Partial& channel : partial) {
            const std::string name = name_of(channel.quantity);
            problems_.add({channel.place, 0,
                           "has no column for " + name + ", which other files have; give --" + name + " COLUMN",
                           RecordProblemKind::no_column, channel.quantity});
        }
    }

    const RecordMap& map_;
    Record record_;
    std::vector<std::vector<std::uint32_t>> rejected_;  // of each table
    std::vector<std::size_t> table_of_run_;
    Problems problems_;
    std::string first_place_;
    bool is_curve_ = false;
    FileColumns columns_;
};

void check_map(const RecordMap& map) {
    Problems problems;
    for (const std::string& sentence : map_problems(map)) problems.add({"", 0, sentence, RecordProblemKind::map});
    problems.throw_if_any();
}

// The content of a file. Throws RecordError with the reason.
std::string content_of(const std::filesystem::path& path) {
    const auto refuse = [&](const std::string& rule, RecordProblemKind kind = RecordProblemKind::unreadable) {
        throw RecordError({{plain_text(path.string()), 0, plain_text(rule), kind}});
    };
    std::error_code problem;
    const auto status = std::filesystem::status(path, problem);
    if (!std::filesystem::exists(status)) refuse("there is no such file", RecordProblemKind::no_file);
    if (std::filesystem::is_directory(status))
        refuse("is a folder; name its files, as in '" + (path / "*.csv").string() + "'");
    std::ifstream file(path, std::ios::binary);
    if (!file) refuse("cannot be opened");
    std::string text;
    const auto size = std::filesystem::file_size(path, problem);
    if (!problem && std::filesystem::is_regular_file(status)) {
        text.resize(std::size_t(size));
        file.read(text.data(), std::streamsize(size));
        text.resize(std::size_t(std::max<std::streamsize>(file.gcount(), 0)));
    } else {  // a pipe
        text.assign(std::istreambuf_iterator<char>(file), {});
    }
    if (file.bad()) refuse("cannot be read");
    return text;
}

std::string joined_sentences(const std::vector<RecordProblem>& problems) {
    std::string out;
    for (const RecordProblem& one : problems) append_item(out, one.sentence(), "\n");
    return out;
}

}  // namespace

std::string RecordProblem::sentence() const {
    std::string out = file;
    if (line > 0) out.append(":").append(std::to_string(line));
    return out.empty() ? rule : out.append(": ").append(rule);
}

RecordError::RecordError(std::vector<RecordProblem> all) : Error(joined_sentences(all)), problems(std::move(all)) {}

Record read_record(const std::vector<RecordText>& texts, const RecordMap& map, const Progress& progress) {
    check_map(map);
    if (texts.empty()) throw RecordError({{"", 0, "a record needs at least one file", RecordProblemKind::map}});
    Reader reader(map);
    double total = 0, done = 0;
    for (const RecordText& text : texts) total += double(text.text.size()) + 1;
    for (const RecordText& text : texts) {
        const Ticker ticker(progress, done / total, (done + double(text.text.size()) + 1) / total);
        ticker.at(0);
        reader.add(shortened(plain_text(text.name), 120), text.text, ticker);
        done += double(text.text.size()) + 1;
    }
    Record record = reader.finish();
    Ticker(progress).at(1);
    return record;
}

Record read_record(const std::vector<std::filesystem::path>& files, const RecordMap& map, const Progress& progress) {
    check_map(map);
    if (files.empty()) throw RecordError({{"", 0, "a record needs at least one file", RecordProblemKind::map}});
    Reader reader(map);
    for (std::size_t i = 0; i < files.size(); ++i) {
        const Ticker ticker(progress, double(i) / double(files.size()), double(i + 1) / double(files.size()));
        ticker.at(0);
        try {
            const std::string text = content_of(files[i]);
            reader.add(plain_text(files[i].string()), text, ticker);
        } catch (const RecordError& error) {
            reader.add_problem(error.problems.front());
        }
    }
    Record record = reader.finish();
    Ticker(progress).at(1);
    return record;
}

}  // namespace bristle::identification
