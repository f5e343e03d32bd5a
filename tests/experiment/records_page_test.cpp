// docs/records.md has the tables of the record reader. If one differs, the test prints the right one.
#include "experiment/read_map.hpp"
#include "identify/record/units.hpp"

#include <fstream>
#include <sstream>
#include <gtest/gtest.h>

namespace {

using namespace bristle;
using namespace bristle::experiment;

std::string page() {
    std::ifstream file(std::filesystem::path(__FILE__).parent_path() / "../../docs/records.md");
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}
void expect_on_page(const std::string& text) {
    EXPECT_NE(page().find(text), std::string::npos) << "docs/records.md needs:\n" << text;
}
std::string row(const MapKey& key) {
    return "| `" + std::string(key.key) + "` | " + key.type + " | " + key.doc + " |\n";
}

TEST(RecordsPage, KeysOfAChannelAreThoseOfTheTable) {
    std::string table = "| key of a channel | value | meaning |\n|---|---|---|\n";
    for (const MapKey& key : channel_keys()) table += row(key);
    expect_on_page(table);
}
TEST(RecordsPage, OtherKeysAreThoseOfTheTable) {
    std::string table = "| key | value | meaning |\n|---|---|---|\n";
    for (const MapKey& key : map_keys()) {
        const std::string name = key.key;
        if (!name.starts_with("record.") || name == "record.table") table += row(key);
    }
    expect_on_page(table);
}
TEST(RecordsPage, UnitsAreThoseOfTheTable) {
    std::string table = "| channel | SI unit | units that are read |\n|---|---|---|\n";
    for (const MeasurandInfo& info : measurand_table()) {
        const std::string linear = info.linear_unit, rotary = info.rotary_unit;
        table += "| `" + std::string(info.name) + "` | " + (linear == rotary ? linear : linear + " or " + rotary) +
                 " | " + record_detail::known_units(info.quantity) + " |\n";
    }
    expect_on_page(table);
}
TEST(RecordsPage, EveryFindingOfReadingIsNamed) {
    for (const FindingKind kind :
         {FindingKind::column_guessed, FindingKind::unit_guessed, FindingKind::row_rejected, FindingKind::not_a_number,
          FindingKind::time_backward, FindingKind::time_repeated, FindingKind::time_gap, FindingKind::jitter,
          FindingKind::saturated, FindingKind::outlier, FindingKind::coarse_position, FindingKind::sign_suspect,
          FindingKind::unit_suspect, FindingKind::velocity_lags, FindingKind::channel_dropped, FindingKind::rows_lost})
        expect_on_page("| `" + std::string(name_of(kind)) + "` |");
}

}  // namespace
