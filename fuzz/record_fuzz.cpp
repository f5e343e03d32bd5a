// Fuzz target of the record reader: every text gives a usable record or an Error in plain text.
//
// An input is the text of a file. After each byte 1E follows one setting of the map, as in "force.gain=2", or, with the name "file",
// the text of another file. fuzz/run builds and runs it.
#include <bristle/base/error.hpp>
#include <bristle/identify/record.hpp>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

using namespace bristle;

void demand(bool holds) {
    if (!holds) std::abort();
}

void check_text(std::string_view text) {
    for (const char c : text) demand((static_cast<unsigned char>(c) >= 0x20 && c != 0x7F) || c == '\n');
}

// Conditions that the fit relies on.
void check_record(const Record& record, const RecordMap& map) {
    demand(!record.runs.empty());
    for (const MeasuredRun& run : record.runs) {
        demand(run.size() >= 2 || record.runs.size() > 1 || record.is_curve());
        demand(run.used.size() == run.size());
        check_text(run.name.text());
        for (const MeasurandInfo& info : measurand_table()) {
            const auto& x = run.channel(info.quantity);
            demand(x.empty() || x.size() == run.size());
            demand(x.empty() == record.runs.front().channel(info.quantity).empty());
            for (const double value : x) demand(std::isfinite(value));
        }
        demand(!run.force.empty() || !run.current.empty() || !run.voltage.empty());
        demand(!run.position.empty() || !run.velocity.empty());
        demand(!run.time.empty() || !run.velocity.empty());
        for (std::size_t i = 1; i < run.time.size(); ++i) demand(run.time[i] > run.time[i - 1]);
        for (const std::uint32_t line : run.line) demand(line > 0);
        for (std::size_t i = 0; i < run.size() && !run.time.empty(); ++i)
            if (run.used[i] && map.from) demand(run.time[i] >= *map.from);
    }
    for (const ColumnUse& use : record.columns) {
        demand(!use.column.empty() && !use.unit.empty());
        check_text(use.column);
        check_text(use.unit);
    }
    for (const FitFinding& finding : record.findings) {
        demand(finding.line >= 0 && finding.count >= 0 && *name_of(finding.kind));
        check_text(finding.subject);
        check_text(finding.place);
        check_text(finding.unit);
    }
}

void set(Channel& channel, std::string_view key, const std::string& value) {
    const double number = std::strtod(value.c_str(), nullptr);
    if (key.empty()) channel.column = value;
    if (key == "unit") channel.unit = value;
    if (key == "times") channel.times = value;
    if (key == "sign") channel.sign = number;
    if (key == "gain") channel.gain = number;
    if (key == "gear") channel.gear = number;
    if (key == "wrap") channel.wrap = number;
    if (key == "bits") channel.bits = int(std::fmax(-100, std::fmin(100, number)));
}

void apply(std::string_view setting, RecordMap& map, std::vector<RecordText>& texts) {
    const std::size_t equals = setting.find('=');
    if (equals == setting.npos) return;
    const std::string_view key = setting.substr(0, equals);
    const std::string value(setting.substr(equals + 1));
    if (key == "file") texts.push_back({"more.csv", value});
    if (key == "table") map.table = value;
    if (key == "where") map.where = value;
    if (key == "from") map.from = std::strtod(value.c_str(), nullptr);
    if (key == "to") map.to = std::strtod(value.c_str(), nullptr);
    const std::string_view name = key.substr(0, key.find('.'));
    for (const MeasurandInfo& info : measurand_table())
        if (name == info.name) set(map[info.quantity], key.substr(std::min(name.size() + 1, key.size())), value);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    constexpr char separator = 0x1E;
    std::size_t end = std::min(input.find(separator), input.size());
    RecordMap map;
    std::vector<RecordText> texts = {{"fuzz.csv", std::string(input.substr(0, end))}};
    while (end < input.size()) {
        const std::size_t next = std::min(input.find(separator, end + 1), input.size());
        apply(input.substr(end + 1, next - end - 1), map, texts);
        end = next;
    }
    try {
        check_record(read_record(texts, map), map);
    } catch (const Error& error) {
        demand(*error.what() != 0);
        check_text(error.what());
    }
    return 0;
}
