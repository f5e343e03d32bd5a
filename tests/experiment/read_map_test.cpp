// The map of a record: every key by file and by flag, and every problem with its line or flag.
#include "experiment/read_map.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace {

using namespace bristle;
using namespace bristle::experiment;
using Q = Measurand;

FitMap map_of(const std::string& text, const std::vector<Override>& flags = {}) {
    return read_map(text, "axis.toml", flags);
}

std::string problems_of(const std::string& text, const std::vector<Override>& flags = {}) {
    try {
        map_of(text, flags);
    } catch (const Unreadable& error) {
        return error.what();
    }
    return "";
}

// The example of the issue.
const std::string example = R"([record]
time     = { column = "t_s" }
position = { column = "qm_m", unit = "m" }
force    = { column = "vir_V", gain = 35.15065, unit = "N", delay = "find" }
[model]
measured = "actuator"
inertia = "find"
directions = "auto"
[use]
from = 0.5
hold_out = "second half"
)";

TEST(ReadMap, OfTheExampleHasItsColumnsModelAndRows) {
    const auto [map, options] = map_of(example);
    EXPECT_EQ(map[Q::time].column, "t_s");
    EXPECT_EQ(map[Q::position].column, "qm_m");
    EXPECT_EQ(map[Q::position].unit, "m");
    EXPECT_EQ(map[Q::force].gain, 35.15065);
    EXPECT_EQ(map[Q::force].unit, "N");
    EXPECT_EQ(options.model.measured, Measured::actuator);
    EXPECT_EQ(options.model.inertia, Setting::find());
    EXPECT_EQ(options.model.gravity, Setting{});
    EXPECT_EQ(options.model.directions, Directions::automatic);
    EXPECT_EQ(options.model.delay, Setting::find());
    EXPECT_EQ(map.from, 0.5);
    EXPECT_FALSE(map.to);
    EXPECT_EQ(options.hold_out.fraction, 0.5);
}

TEST(ReadMap, OfAnEmptyTextHasTheDefaults) {
    const auto [map, options] = map_of("");
    for (const Channel& channel : map.channels) EXPECT_FALSE(channel.used());
    EXPECT_EQ(options.hold_out.fraction, 0.3);
    EXPECT_EQ(options.model.offset, Setting::find());
    EXPECT_TRUE(options.laws.empty());
    EXPECT_EQ(options.starts, 5);
    EXPECT_FALSE(options.bandwidth);
}

TEST(ReadMap, ReadsEveryKey) {
    const auto [map, options] = map_of(R"([record]
time = 1
position = "q"
voltage = { column = "load", unit = "V", sign = -1, gain = 0.001, gear = 2, bits = 16, times = "volts", delay = 0.001 }
load = 5
table = "entries"
[record.velocity]
column = 3
unit = "rpm"
[model]
measured = "voltage"
inertia = 2.5
armature = 0.1
gravity = "find"
offset = "none"
gain = 0.5
back_emf = "find"
gap = 1e-4
load = 12
ripple = false
directions = "own"
output = "position"
segment = 0.5
[use]
to = 9
min_speed = 0.1
where = "torque_enable"
hold_out = ["a*.csv", "b.csv"]
[fit]
law = ["lugre", "dahl"]
bandwidth = 40
starts = 7
errors = "bootstrap"
resamples = 100
seed = 3
loss = "huber"
)");
    EXPECT_EQ(map[Q::time].column, ColumnName::numbered(1));
    EXPECT_EQ(map[Q::position].column, "q");
    EXPECT_EQ(map[Q::velocity].column, ColumnName::numbered(3));
    EXPECT_EQ(map[Q::velocity].unit, "rpm");
    const Channel& u = map[Q::voltage];
    EXPECT_EQ(u.column, "load");
    EXPECT_EQ(u.sign, -1);
    EXPECT_EQ(u.gain, 0.001);
    EXPECT_EQ(u.gear, 2);
    EXPECT_EQ(u.bits, 16);
    EXPECT_EQ(u.times, "volts");
    EXPECT_EQ(u.delay, Setting::given(0.001));
    EXPECT_EQ(map[Q::load].column, ColumnName::numbered(5));
    EXPECT_EQ(map.table, "entries");
    EXPECT_EQ(map.to, 9);
    EXPECT_EQ(map.where, "torque_enable");
    const FitModel& model = options.model;
    EXPECT_EQ(model.measured, Measured::voltage);
    EXPECT_EQ(model.inertia, Setting::given(2.5));
    EXPECT_EQ(model.armature, Setting::given(0.1));
    EXPECT_EQ(model.gravity, Setting::find());
    EXPECT_EQ(model.offset, Setting{});
    EXPECT_EQ(model.gain, Setting::given(0.5));
    EXPECT_EQ(model.back_emf, Setting::find());
    EXPECT_EQ(model.gap, Setting::given(1e-4));
    EXPECT_EQ(model.delay, Setting::given(0.001));
    EXPECT_EQ(model.load, Setting::given(12));
    EXPECT_FALSE(model.ripple);
    EXPECT_EQ(model.directions, Directions::own);
    EXPECT_EQ(model.output, Output::position);
    EXPECT_EQ(model.segment, 0.5);
    EXPECT_EQ(options.min_speed, 0.1);
    EXPECT_EQ(options.hold_out.runs, (std::vector<std::string>{"a*.csv", "b.csv"}));
    EXPECT_EQ(options.hold_out.fraction, 0);
    EXPECT_EQ(options.laws, (std::vector<std::string>{"lugre", "dahl"}));
    EXPECT_EQ(options.bandwidth, 40);
    EXPECT_EQ(options.starts, 7);
    EXPECT_EQ(options.errors, ErrorKind::bootstrap);
    EXPECT_EQ(options.resamples, 100);
    EXPECT_EQ(options.seed, 3u);
    EXPECT_EQ(options.loss, Loss::huber);
}

TEST(ReadMap, FlagsReplaceAndExtendTheFile) {
    const auto [map, options] = map_of(example, {{"record.position", "x"},
                                                 {"record.position.unit", "mm"},
                                                 {"record.force.gain", "2"},
                                                 {"record.force.unit", "N m"},
                                                 {"record.load", "3"},
                                                 {"record.time", "t"},
                                                 {"model.inertia", "4.5"},
                                                 {"model.measured", "friction"},
                                                 {"use.hold_out", "0.2"},
                                                 {"use.from", ".25"},
                                                 {"fit.law", "lugre"}});
    EXPECT_EQ(map[Q::position].column, "x");
    EXPECT_EQ(map[Q::position].unit, "mm");
    EXPECT_EQ(map[Q::force].column, "vir_V");
    EXPECT_EQ(map[Q::force].gain, 2);
    EXPECT_EQ(map[Q::force].unit, "N m");
    EXPECT_EQ(map[Q::load].column, "3");
    EXPECT_EQ(map[Q::time].column, "t");
    EXPECT_EQ(options.model.inertia, Setting::given(4.5));
    EXPECT_EQ(options.model.measured, Measured::friction);
    EXPECT_EQ(options.hold_out.fraction, 0.2);
    EXPECT_EQ(map.from, 0.25);
    EXPECT_EQ(options.laws, (std::vector<std::string>{"lugre"}));
}
TEST(ReadMap, FlagsExtendAChannelThatIsAPlainColumn) {
    const auto [map, options] =
        map_of("[record]\nposition = \"x\"\nload = 2\n", {{"record.position.unit", "mm"}, {"record.load.unit", "kN"}});
    EXPECT_EQ(map[Q::position].column, "x");
    EXPECT_EQ(map[Q::position].unit, "mm");
    EXPECT_EQ(map[Q::load].column, ColumnName::numbered(2));
    const auto alone =
        map_of("", {{"record.position.unit", "mm"}, {"record.position", "x"}, {"record.velocity", "1e3"}});
    EXPECT_EQ(alone.map[Q::position].column, "x");
    EXPECT_EQ(alone.map[Q::position].unit, "mm");
    EXPECT_EQ(alone.map[Q::velocity].column, "1e3");
}
TEST(ReadMap, HoldOutAcceptsFilesAndNone) {
    EXPECT_EQ(map_of("", {{"use.hold_out", "run3*.csv"}}).options.hold_out.runs,
              (std::vector<std::string>{"run3*.csv"}));
    EXPECT_EQ(map_of("", {{"use.hold_out", "none"}}).options.hold_out.fraction, 0);
    EXPECT_EQ(map_of("", {{"use.hold_out", "second half"}}).options.hold_out.fraction, 0.5);
}

TEST(ReadMap, ReportsEveryProblemWithItsLine) {
    const std::string problems = problems_of(R"([record]
position = { column = "x", unit = "furlong", sign = 2 }
force = { column = 0, gain = 0, unti = "N" }
velocity = { unit = "%", wrap = 3, delay = 1, bits = 1 }
forse = "F"
[model]
measured = "frictoin"
inertia = -1
gap = "big"
[use]
from = 3
to = 2
min_speed = -1
hold_out = 2
[fit]
law = "lugree"
starts = 2.5
[other]
)");
    for (const char* part : {"axis.toml:2: record.position.unit = \"furlong\": is not a known unit of position",
                             "axis.toml:2: record.position.sign = 2: must be 1 or -1",
                             "axis.toml:3: record.force.column = 0: must name a column",
                             "axis.toml:3: record.force.gain = 0: must not be 0",
                             "axis.toml:3: record.force.unti = \"N\": is not a key here; did you mean unit?",
                             "axis.toml:4: record.velocity.unit = \"%\": has no size",
                             "record.velocity.wrap = 3",
                             "record.velocity.delay = 1",
                             "record.velocity.bits = 1: must be a whole number from 2 to 53",
                             "axis.toml:5: record.forse = \"F\": is not a key here; did you mean force?",
                             "axis.toml:7: model.measured = \"frictoin\"",
                             "did you mean friction?",
                             "axis.toml:8: model.inertia = -1 kg: must be >= 0",
                             "axis.toml:9: model.gap = \"big\": must be a number, \"find\" or \"none\"",
                             "axis.toml:12: use.to = 2 s: must be larger than use.from",
                             "axis.toml:13: use.min_speed",
                             "axis.toml:14: use.hold_out = 2: must be from 0 to 0.9",
                             "axis.toml:16: fit.law = \"lugree\"",
                             "did you mean lugre?",
                             "axis.toml:17: fit.starts = 2.5",
                             "axis.toml:18: other"})
        EXPECT_NE(problems.find(part), std::string::npos) << part << "\nis not in:\n" << problems;
}
TEST(ReadMap, AllLawsCannotBeCombinedWithALaw) {
    EXPECT_TRUE(map_of("[fit]\nlaw = \"all\"\n").options.laws.empty());
    EXPECT_TRUE(map_of("[fit]\nlaw = [\"all\"]\n").options.laws.empty());
    EXPECT_NE(problems_of("[fit]\nlaw = [\"all\", \"coulomb\"]\n").find("all cannot be combined"), std::string::npos);
}

TEST(ReadMap, ReportsTheFlagOfAProblem) {
    EXPECT_EQ(problems_of("", {{"record.force.gain", "0"}}), "--force.gain: record.force.gain = 0: must not be 0");
    const std::string two = problems_of(example, {{"use.hold_out", "many"}, {"model.back_emf", "-"}});
    EXPECT_NE(two.find("--hold-out: use.hold_out = \"many\": must be a fraction"), std::string::npos) << two;
    EXPECT_NE(two.find("--back-emf: model.back_emf"), std::string::npos) << two;
}
TEST(ReadMap, ReportsTextThatIsNotToml) { EXPECT_NE(problems_of("[record\n").find("axis.toml:1"), std::string::npos); }

// Keys that the reader refuses would be flags without effect.
TEST(MapKeys, AreAllKnownToTheReader) {
    EXPECT_GE(map_keys().size(), 100u);
    for (const MapKey& key : map_keys()) {
        const std::string problems = problems_of("", {{key.key, "\x01"}});
        EXPECT_EQ(problems.find("is not a key"), std::string::npos) << key.key << ": " << problems;
        EXPECT_GT(std::string(key.doc).size(), 5u);
    }
}
TEST(MapKeys, HaveFlags) {
    EXPECT_EQ(flag_of("use.hold_out"), "--hold-out");
    EXPECT_EQ(flag_of("record.position"), "--position");
    EXPECT_EQ(flag_of("record.position.column"), "--position");
    EXPECT_EQ(flag_of("record.force.gain"), "--force.gain");
    EXPECT_EQ(flag_of("model.load"), "--model.load");
}

}  // namespace
