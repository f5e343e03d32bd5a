// The search for columns, and the rules that they must meet.
#include "identify/record/columns.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::inline identification::record_detail {

namespace {

constexpr std::size_t listed_columns = 12;

std::string flag(Measurand quantity, const char* key = "") {
    return std::string("--") + name_of(quantity) + (*key ? std::string(".") + key : "");
}

std::string list_of_columns(const TableHead& head, const std::vector<std::size_t>& columns) {
    std::string text;
    for (std::size_t i = 0; i < std::min(columns.size(), listed_columns); ++i) {
        const ColumnHead& column = head.columns[columns[i]];
        append_item(text, std::to_string(columns[i] + 1) + (column.name.empty() ? "" : " '" + column.name + "'"));
    }
    if (columns.size() > listed_columns) text += " and " + std::to_string(columns.size() - listed_columns) + " more";
    return text;
}

class Planner {
  public:
    Planner(const TableHead& head, const RecordMap& map, std::vector<RecordProblem>& problems)
        : head_(head), map_(map), problems_(problems), taken_(head.columns.size(), 0) {}

    TablePlan plan() {
        name_columns();
        if (broken_) return plan_;  // other columns are not guessed on top of a wrong map
        guess_columns();
        if (!broken_) require_quantities();
        if (broken_) return plan_;
        std::sort(plan_.channels.begin(), plan_.channels.end(),
                  [](const auto& a, const auto& b) { return a.quantity < b.quantity; });
        find_axis();
        for (ColumnPlan& channel : plan_.channels) choose_unit(channel);
        check_axis();
        return plan_;
    }

  private:
    void refuse(const std::string& rule, RecordProblemKind kind, std::optional<Measurand> quantity = {},
                std::size_t column = 0) {
        problems_.push_back({head_.place, head_.line, rule, kind, quantity, column});
        broken_ = true;
    }

    std::vector<std::size_t> numeric_columns() const {
        std::vector<std::size_t> columns;
        for (std::size_t i = 0; i < head_.columns.size(); ++i)
            if (head_.columns[i].numeric) columns.push_back(i);
        return columns;
    }

    // The column with a name or number; std::nullopt and a problem if there is not exactly one.
    std::optional<std::size_t> find(const ColumnName& column, const std::string& flag_text, RecordProblemKind kind,
                                    std::optional<Measurand> quantity = {}) {
        const auto refuse_absent = [&](const std::string& shown) -> std::optional<std::size_t> {
            refuse(flag_text + " '" + shown + "': there is no such column" +
                       (head_.note.empty() ? "" : " (" + head_.note + ")") +
                       "; columns: " + list_of_columns(head_, all_columns()),
                   kind, quantity);
            return {};
        };
        if (column.number > head_.columns.size()) return refuse_absent(std::to_string(column.number));
        if (column.number > 0) return column.number - 1;
        const std::string& wanted = column.name;
        std::vector<std::size_t> found;
        const auto search = [&](auto same) {
            for (std::size_t i = 0; i < head_.columns.size() && found.size() < 20; ++i)
                if (same(head_.columns[i])) found.push_back(i);
        };
        const std::string small = lower_case(wanted);
        search([&](const ColumnHead& c) { return c.name == wanted; });
        if (found.empty()) {
            const auto number = number_in(wanted);
            if (number && *number >= 1 && *number <= double(head_.columns.size()) && *number == std::floor(*number))
                return std::size_t(*number) - 1;
        }
        if (found.empty()) search([&](const ColumnHead& c) { return !c.bare.empty() && c.bare == wanted; });
        if (found.empty())
            search([&](const ColumnHead& c) {
                return !c.name.empty() && (lower_case(c.name) == small || lower_case(c.bare) == small);
            });
        if (found.size() == 1) return found.front();
        const std::string shown = shortened(plain_text(wanted), 60);
        if (found.empty()) return refuse_absent(shown);
        refuse(flag_text + " '" + shown + "': several columns have this name: " + list_of_columns(head_, found) +
                   "; give the number of the column",
               kind, quantity);
        return {};
    }
    std::vector<std::size_t> all_columns() const {
        std::vector<std::size_t> columns;
        for (std::size_t i = 0; i < head_.columns.size(); ++i)
            if (!head_.columns[i].name.empty() || head_.columns[i].numeric) columns.push_back(i);
        return columns;
    }

    void name_columns() {
        for (const MeasurandInfo& info : measurand_table()) {
            const Channel& channel = map_[info.quantity];
            ColumnPlan plan{.quantity = info.quantity};
            if (!channel.times.empty()) {
                plan.times = find(channel.times, flag(info.quantity, "times"), RecordProblemKind::no_other_column,
                                  info.quantity);
                if (plan.times) taken_[*plan.times] = 1;
            }
            if (channel.column.empty()) continue;
            const auto column = find(channel.column, flag(info.quantity), RecordProblemKind::no_column, info.quantity);
            if (!column) continue;
            if (!head_.columns[*column].numeric) {
                refuse(described(head_, *column) + ": " + flag(info.quantity) +
                           " needs numbers, but most of its cells are none",
                       RecordProblemKind::not_numbers, info.quantity, *column + 1);
                continue;
            }
            plan.column = *column;
            taken_[*column] = 1;
            plan_.channels.push_back(plan);
        }
        if (!map_.where.empty()) {
            plan_.where = find(map_.where, "--where", RecordProblemKind::no_other_column);
            if (plan_.where) taken_[*plan_.where] = 1;
        }
    }

    struct Candidates {
        std::vector<std::size_t> best;  // columns with the largest score
        double score = 0;
        bool set_point = true;
    };
    void guess_columns() {
        for (std::size_t i = 0; i < head_.columns.size(); ++i) {
            if (taken_[i] || !head_.columns[i].numeric) continue;
            const auto best = best_match(head_.columns[i]);
            if (!best) continue;
            Candidates& c = candidates_[std::size_t(best->quantity)];
            const auto rank = std::pair(!best->match.set_point, best->match.score);
            const auto other = std::pair(!c.set_point, c.score);
            if (c.best.empty() || rank > other)
                c = {{i}, best->match.score, best->match.set_point};
            else if (rank == other)
                c.best.push_back(i);
        }
        for (const MeasurandInfo& info : measurand_table()) {
            if (plan_.find(info.quantity)) continue;
            const Candidates& c = candidates_[std::size_t(info.quantity)];
            const bool asked = map_[info.quantity].used() || !map_[info.quantity].times.empty();
            if (c.best.size() == 1) {
                ColumnPlan plan{.quantity = info.quantity, .column = c.best.front(), .guessed_column = true};
                if (const ColumnName& times = map_[info.quantity].times; !times.empty())
                    plan.times =
                        find(times, flag(info.quantity, "times"), RecordProblemKind::no_other_column, info.quantity);
                plan_.channels.push_back(plan);
            } else if (asked) {
                refuse_missing(info.quantity, std::string("the map describes ") + info.name + ", but");
            }
        }
    }

    // A column without numbers whose name fits.
    std::optional<std::size_t> text_column(Measurand quantity) const {
        for (std::size_t i = 0; i < head_.columns.size(); ++i)
            if (!head_.columns[i].numeric && match(head_.columns[i], quantity).score >= 2) return i;
        return {};
    }

    void refuse_missing(Measurand quantity, const std::string& before = "") {
        const Candidates& c = candidates_[std::size_t(quantity)];
        const std::string start = before.empty() ? "" : before + " ";
        if (c.best.size() > 1)
            refuse(start + "several columns can be the " + name_of(quantity) + ": " + list_of_columns(head_, c.best) +
                       "; give one: " + flag(quantity) + " COLUMN (name or number)",
                   RecordProblemKind::no_column, quantity);
        else if (const auto text = text_column(quantity))
            refuse(start + described(head_, *text) + ": most of its cells are not numbers, so that it cannot be the " +
                       name_of(quantity) + "; give another: " + flag(quantity) + " COLUMN (name or number)",
                   RecordProblemKind::not_numbers, quantity, *text + 1);
        else
            refuse(start + "no column is known as " + name_of(quantity) +
                       (head_.note.empty() ? "" : " (" + head_.note + ")") +
                       "; columns: " + list_of_columns(head_, all_columns()) + taken_by_where(quantity) +
                       "; give one: " + flag(quantity) + " COLUMN (name or number)" +
                       (quantity == Measurand::force ? ", or --current COLUMN, or --voltage COLUMN" : ""),
                   RecordProblemKind::no_column, quantity);
    }
    // The column that --where takes, if its name fits the quantity.
    std::string taken_by_where(Measurand quantity) const {
        if (!plan_.where || match(head_.columns[*plan_.where], quantity).score <= 0) return "";
        return "; " + described(head_, *plan_.where) + " is the column of --where and is not guessed";
    }

    // Motion and force, and time unless it is a measured curve.
    void require_quantities() {
        const bool force =
            plan_.find(Measurand::force) || plan_.find(Measurand::current) || plan_.find(Measurand::voltage);
        const bool position = plan_.find(Measurand::position), velocity = plan_.find(Measurand::velocity);
        const auto several = [&](Measurand q) { return candidates_[std::size_t(q)].best.size() > 1; };
        if (!force) {
            const Measurand q = several(Measurand::current) && !several(Measurand::force)   ? Measurand::current
                                : several(Measurand::voltage) && !several(Measurand::force) ? Measurand::voltage
                                                                                            : Measurand::force;
            refuse_missing(q);
        }
        if (!position && (several(Measurand::position) || !velocity))
            refuse_missing(several(Measurand::velocity) && !several(Measurand::position) ? Measurand::velocity
                                                                                         : Measurand::position);
        const bool time = plan_.find(Measurand::time);
        const bool curve = velocity && !position && !several(Measurand::position);
        if (!time && (several(Measurand::time) || (!curve && (position || velocity)))) refuse_missing(Measurand::time);
    }

    // The unit that the map or the header names for a channel; null if there is none that is known.
    const Unit* named_unit(const ColumnPlan& plan) const {
        const Channel& channel = map_[plan.quantity];
        return channel.unit.empty() ? unit_of(head_.columns[plan.column], plan.quantity) : find_unit(channel.unit);
    }
    void find_axis() {
        for (const ColumnPlan& plan : plan_.channels) {
            if (plan.quantity == Measurand::load) continue;
            const Unit* unit = named_unit(plan);
            const Axis axis = unit && fits(*unit, plan.quantity) ? axis_of(unit->dimension) : Axis::unknown;
            if (axis == Axis::unknown) continue;
            plan_.axis_known = true;
            plan_.rotary = axis == Axis::rotary;
            return;
        }
        for (const ColumnPlan& plan : plan_.channels)
            if (is_rotary_name(head_.columns[plan.column])) plan_.rotary = plan_.axis_known = true;
    }

    void choose_unit(ColumnPlan& plan) {
        const ColumnHead& column = head_.columns[plan.column];
        const Channel& channel = map_[plan.quantity];
        const MeasurandInfo& info = measurand_table()[std::size_t(plan.quantity)];
        const char* si = plan_.rotary ? info.rotary_unit : info.linear_unit;
        plan.stamps = column.stamps;
        if (plan.stamps) {
            plan.unit = "s";
            if (!channel.unit.empty())
                refuse(described(head_, plan.column) + ": holds times of day; they are converted to s; remove " +
                           flag(plan.quantity, "unit"),
                       RecordProblemKind::unit, plan.quantity, plan.column + 1);
            if (plan.quantity != Measurand::time)
                refuse(described(head_, plan.column) + ": holds times of day, which cannot be the " + info.name,
                       RecordProblemKind::not_numbers, plan.quantity, plan.column + 1);
            return;
        }
        const bool from_map = !channel.unit.empty();
        const std::string& text = from_map ? channel.unit : column.unit;
        const Unit* unit = named_unit(plan);
        const bool ignored = !from_map && column.weak_unit && !unit;
        if (!text.empty() && !unit && !ignored)
            return refuse(described(head_, plan.column) + ": the unit '" + shortened(plain_text(text), 24) +
                              "' is not known; known for " + info.name + ": " + known_units(plan.quantity) + "; give " +
                              flag(plan.quantity, "unit") + " (and " + flag(plan.quantity, "gain") +
                              " if no unit fits)",
                          RecordProblemKind::unit, plan.quantity, plan.column + 1);
        if (!unit) {
            plan.guessed_unit = true;
            plan.unit = si;
            plan.factor = 1;
            return;
        }
        if (unit->dimension == Dimension::relative || unit->dimension == Dimension::count)
            return refuse(described(head_, plan.column) + ": the unit " + unit->symbol + " has no size in " + si +
                              "; give " + flag(plan.quantity, "gain") + " (" + si + " per 1 " + unit->symbol +
                              ") and " + flag(plan.quantity, "unit") + " \"" + si + "\"",
                          RecordProblemKind::unit, plan.quantity, plan.column + 1);
        if (!fits(*unit, plan.quantity))
            return refuse(described(head_, plan.column) + ": the unit " + unit->symbol + " is no unit of " + info.name +
                              "; known: " + known_units(plan.quantity) + "; convert with " +
                              flag(plan.quantity, "gain") + " and " + flag(plan.quantity, "unit"),
                          RecordProblemKind::unit, plan.quantity, plan.column + 1);
        plan.unit = unit->symbol;
        plan.factor = unit->factor;
        plan.dimension = unit->dimension;
    }

    void check_axis() {
        const ColumnPlan *linear = nullptr, *rotary = nullptr;
        for (const ColumnPlan& plan : plan_.channels) {
            if (plan.quantity == Measurand::load) continue;
            const Axis axis = axis_of(plan.dimension);
            if (axis == Axis::linear && !linear) linear = &plan;
            if (axis == Axis::rotary && !rotary) rotary = &plan;
        }
        if (!linear || !rotary) return;
        refuse(std::string(name_of(linear->quantity)) + " [" + linear->unit + "] is linear and " +
                   name_of(rotary->quantity) + " [" + rotary->unit + "] is rotary; convert one of them with " +
                   flag(rotary->quantity, "gain") + " and " + flag(rotary->quantity, "unit"),
               RecordProblemKind::different_axes);
    }

    const TableHead& head_;
    const RecordMap& map_;
    std::vector<RecordProblem>& problems_;
    std::vector<char> taken_;
    std::array<Candidates, quantities> candidates_{};
    TablePlan plan_;
    bool broken_ = false;
};

}  // namespace

const ColumnPlan* TablePlan::find(Measurand quantity) const {
    for (const ColumnPlan& plan : channels)
        if (plan.quantity == quantity) return &plan;
    return nullptr;
}

std::vector<std::size_t> TablePlan::wanted() const {
    std::vector<std::size_t> columns;
    for (const ColumnPlan& plan : channels) {
        columns.push_back(plan.column);
        if (plan.times) columns.push_back(*plan.times);
    }
    if (where) columns.push_back(*where);
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    return columns;
}

std::string described(const TableHead& head, std::size_t column) {
    std::string text = "column " + std::to_string(column + 1);
    if (column < head.columns.size() && !head.columns[column].name.empty())
        text += " '" + head.columns[column].name + "'";
    return text;
}

TablePlan plan_columns(const TableHead& head, const RecordMap& map, std::vector<RecordProblem>& problems) {
    return Planner(head, map, problems).plan();
}

std::vector<std::string> map_problems(const RecordMap& map) {
    std::vector<std::string> problems;
    for (const MeasurandInfo& info : measurand_table()) {
        const Channel& c = map[info.quantity];
        const auto refuse = [&](const char* key, double value, const char* rule) {
            problems.push_back("record." + std::string(info.name) + "." + key + " = " + readable(value) + ": " + rule);
        };
        if (c.sign != 1 && c.sign != -1) refuse("sign", c.sign, "must be 1 or -1");
        if (!std::isfinite(c.gain) || c.gain == 0) refuse("gain", c.gain, "must be a finite number, not 0");
        if (!std::isfinite(c.gear) || c.gear == 0) refuse("gear", c.gear, "must be a finite number, not 0");
        if (!std::isfinite(c.wrap) || c.wrap < 0) refuse("wrap", c.wrap, "must be a finite number >= 0");
        if (c.wrap > 0 && info.quantity != Measurand::position)
            refuse("wrap", c.wrap, "only a position can wrap around");
        if (c.bits != 0 && (c.bits < 2 || c.bits > 53)) refuse("bits", c.bits, "must be 0 (plain number) or 2 to 53");
        const bool lags = info.quantity == Measurand::force || info.quantity == Measurand::current ||
                          info.quantity == Measurand::voltage;
        if (c.delay.kind != Setting::Kind::absent && !lags)
            refuse("delay", c.delay.value, "only force, current and voltage can have a delay");
        if (c.delay.kind == Setting::Kind::given && !std::isfinite(c.delay.value))
            refuse("delay", c.delay.value, "must be a finite number [s]");
    }
    if (map.from && map.to && !(*map.from < *map.to)) problems.push_back("use.from must be smaller than use.to");
    return problems;
}

}  // namespace bristle::identification::record_detail
