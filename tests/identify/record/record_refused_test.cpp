// Files that are no record, and maps that do not fit: each is refused with place, value, rule and remedy.
#include "record_texts.hpp"

#include <filesystem>

namespace {

using namespace record_texts;
using namespace std::string_literals;

const std::string plain = table(clean_rows(), "t [s],x [m],F [N]", ",");

// The text is refused, and its message has all of these parts.
void expect_refused(const std::string& text, const std::vector<std::string>& parts, const RecordMap& map = {},
                    const std::string& name = "axis.csv") {
    const std::string message = message_of(text, map, name);
    EXPECT_FALSE(message.empty()) << "was read: " << text.substr(0, 80);
    for (const std::string& part : parts)
        EXPECT_NE(message.find(part), std::string::npos) << part << "\nis not in: " << message;
}

TEST(RefusedRecord, EmptyFile) {
    expect_refused("", {"axis.csv: the file is empty"});
    expect_refused(" \n\r\n\t\n", {"axis.csv: the file is empty"});
    expect_refused("\xEF\xBB\xBF", {"axis.csv: the file is empty"});
}
TEST(RefusedRecord, BinaryFile) {
    expect_refused("t,x\n"s + std::string(100, '\0'), {"axis.csv: is binary, not text; export"});
    expect_refused("PK\x03\x04 rest of a spreadsheet", {"axis.csv: is a spreadsheet or zip file"});
    expect_refused("MATLAB 5.0 MAT-file, Platform", {"axis.csv: is a MATLAB file"});
    expect_refused("\x89HDF\r\n", {"axis.csv: is an HDF5 file"});
}
TEST(RefusedRecord, Prose) {
    expect_refused("Dear colleague,\nplease find the record on the other drive.\nRegards\n",
                   {"axis.csv: has no table of numbers"});
    expect_refused("<html><body>not found</body></html>\n", {"axis.csv: has no table of numbers"});
}
TEST(RefusedRecord, HeaderWithoutRows) { expect_refused("t [s],x [m],F [N]\n", {"axis.csv: has no table of numbers"}); }
TEST(RefusedRecord, OneColumn) { expect_refused("1.5\n2.5\n3.5\n4.5\n", {"axis.csv: has one column of numbers only"}); }
TEST(RefusedRecord, OneRow) {
    expect_refused("t [s],x [m],F [N]\n0,1,2\n", {"axis.csv", "at least two rows of numbers; has 1"});
}
TEST(RefusedRecord, ThousandsOfColumns) {
    std::string row;
    for (int i = 0; i < 3000; ++i) row += "1.5,";
    expect_refused(row + "2\n" + row + "3\n", {"axis.csv: has 3001 columns; at most 1000"});
}
TEST(RefusedRecord, LineOfAMegabyte) {
    expect_refused("t;x\n1;2\n2;3\n" + std::string(1 << 20, '7') + "\n", {"axis.csv: has a line of 1048576 bytes"});
}
TEST(RefusedRecord, MoreBadRowsThanGoodOnes) {
    std::string text = "t [s],x [m],F [N]\n0,1,2\n1,1,2\n2,1,2\n";
    for (int i = 3; i < 8; ++i) text += std::to_string(i) + ",1,off\n";
    expect_refused(text, {"axis.csv:5: column 3 'F [N]': 'off' is not a number", "5 of 8 rows"});
}
TEST(RefusedRecord, ProblemsHaveFileLineAndRule) {
    try {
        read_record(
            std::vector<RecordText>{
                {"a.csv", ""}, {"b.csv", "t [s],x [m],mass [kg]\n0,1,2\n1,2,2\n"}, {"c.json", "[[0, 1],\n[1, "}},
            {});
        ADD_FAILURE() << "was read";
    } catch (const RecordError& error) {
        ASSERT_EQ(error.problems.size(), 3u);
        EXPECT_EQ(error.problems[0].file, "a.csv");
        EXPECT_EQ(error.problems[0].line, 0);
        EXPECT_EQ(error.problems[0].rule, "the file is empty");
        EXPECT_EQ(error.problems[1].file, "b.csv");
        EXPECT_EQ(error.problems[1].line, 1);
        EXPECT_TRUE(error.problems[1].rule.starts_with("no column is known as force")) << error.problems[1].rule;
        EXPECT_EQ(error.problems[2].line, 2);
        EXPECT_EQ(error.problems[2].rule, "character 4: is not valid JSON; the file ends too early (is it cut off?)");
        EXPECT_EQ(error.problems[0].kind, RecordProblemKind::empty);
        EXPECT_EQ(error.problems[1].kind, RecordProblemKind::no_column);
        EXPECT_EQ(error.problems[1].channel, Measurand::force);
        EXPECT_EQ(error.problems[2].kind, RecordProblemKind::no_table);
        std::string sentences;
        for (const RecordProblem& one : error.problems) sentences += one.sentence() + "\n";
        EXPECT_EQ(sentences, std::string(error.what()) + "\n");
    }
}
// Five cells that are no numbers and one rule in each of 5 files: at most 24 problems are listed, the last one counts the others.
TEST(RefusedRecord, ProblemsBeyondTheListAreCounted) {
    std::string rows = "t [s],x [m],F [N]\n";
    for (int i = 0; i < 10; ++i) rows += std::to_string(i) + ",1,2\n";
    for (int i = 10; i < 22; ++i) rows += std::to_string(i) + ",a,b\n";
    std::vector<RecordText> files;
    for (const char* name : {"a.csv", "b.csv", "c.csv", "d.csv", "e.csv"}) files.push_back({name, rows});
    try {
        read_record(files, {});
        ADD_FAILURE() << "was read";
    } catch (const RecordError& error) {
        ASSERT_EQ(error.problems.size(), 25u);
        EXPECT_EQ(error.problems[0].kind, RecordProblemKind::cell);
        EXPECT_TRUE(error.problems[0].is_same_as(error.problems[1]));
        EXPECT_EQ(error.problems[24].kind, RecordProblemKind::not_listed);
        EXPECT_EQ(error.problems[24].count, 6u);  // of 5 cells and one rule for each file
    }
}
// A number is that of a column, also where a header has it as a name; 9 is beyond the columns.
TEST(RefusedRecord, NumberBeyondTheColumns) {
    RecordMap map;
    map[Measurand::force].column = ColumnName::numbered(9);
    expect_refused(plain, {"axis.csv:1: --force '9': there is no such column; columns: 1 't [s]'"}, map);
    map[Measurand::force].column = ColumnName::numbered(3);
    const Record record =
        read_record(std::vector<RecordText>{{"a.csv", "t [s],x [m],F [N],3\n0,1,2,7\n1,2,4,8\n"}}, map);
    EXPECT_EQ(record.runs[0].force, (std::vector<double>{2, 4}));
}
TEST(RefusedRecord, ForceColumnWithoutNumbers) {
    expect_refused("t [s],x [m],F [N]\n0,1,off\n1,1,off\n2,1,off\n",
                   {"axis.csv:1: column 3 'F [N]': most of its cells are not numbers", "--force COLUMN"});
}
TEST(RefusedRecord, MissingForce) {
    expect_refused(
        "t [s],x [m],mass [kg]\n0,1,2\n1,2,2\n",
        {"axis.csv:1: no column is known as force", "columns: 1 't [s]', 2 'x [m]', 3 'mass [kg]'", "--force COLUMN"});
}
TEST(RefusedRecord, MissingMotionAndForceAreReportedTogether) {
    expect_refused("t [s],a1,b1\n0,1,2\n1,2,2\n",
                   {"no column is known as force", "no column is known as position", "--position COLUMN"});
}
TEST(RefusedRecord, MissingTimeOfAPosition) {
    expect_refused("n,x [m],F [N]\n0,1,2\n1,2,2\n", {"no column is known as time", "--time COLUMN"});
}
TEST(RefusedRecord, SeveralPositions) {
    expect_refused("t [s],x1 [m],x2 [m],F [N]\n0,1,2,3\n1,2,2,3\n",
                   {"axis.csv:1: several columns can be the position: 2 'x1 [m]', 3 'x2 [m]'", "--position COLUMN"});
}
TEST(RefusedRecord, UnknownColumnOfTheMap) {
    RecordMap map;
    map[Measurand::position].column = "qm";
    map[Measurand::force].column = "7";
    map.where = "on";
    expect_refused(plain,
                   {"axis.csv:1: --position 'qm': there is no such column; columns: 1 't [s]', 2 'x [m]', 3 'F [N]'",
                    "--force '7': there is no such column", "--where 'on': there is no such column"},
                   map);
}
TEST(RefusedRecord, HeaderThatDoesNotFitTheRows) {
    RecordMap map;
    map[Measurand::position].column = "x";
    expect_refused("t;x\n0;1;2\n1;2;3\n", {"line 1 has 2 names for 3 columns"}, map);
}
TEST(RefusedRecord, NameOfTwoColumns) {
    RecordMap map;
    map[Measurand::force].column = "F";
    expect_refused("t,x,F,F\n0,1,2,3\n1,2,2,3\n",
                   {"--force 'F': several columns have this name: 3 'F', 4 'F'", "number"}, map);
}
TEST(RefusedRecord, TextColumnOfTheMap) {
    RecordMap map;
    map[Measurand::force].column = "state";
    expect_refused("t,x,state\n0,1,RUN\n1,2,RUN\n2,2,RUN\n", {"axis.csv:1: column 3 'state': --force needs numbers"},
                   map);
}
TEST(RefusedRecord, UnknownUnit) {
    expect_refused(
        "t [s],x [furlong],F [N]\n0,1,2\n1,2,2\n",
        {"axis.csv:1: column 2 'x [furlong]': the unit 'furlong' is not known; known for position: m, cm, mm",
         "--position.unit"});
    RecordMap map;
    map[Measurand::force].unit = "dyn";
    expect_refused(plain, {"column 3 'F [N]': the unit 'dyn' is not known"}, map);
}
TEST(RefusedRecord, RelativeUnitWithoutGain) {
    expect_refused("ms;rpm;%\n0;1;2\n1;2;2\n", {"no column is known as force"});
    expect_refused("Time;Velocity;Torque\nms;rpm;%\n0;1;2\n1;2;2\n",
                   {"axis.csv:1: column 3 'Torque': the unit % has no size in N m; give --force.gain (N m per 1 %)"});
}
TEST(RefusedRecord, CountsWithoutGain) {
    expect_refused("t [s],x [counts],F [N]\n0,1,2\n1,2,2\n",
                   {"column 2 'x [counts]': the unit counts has no size in m", "--position.gain"});
}
TEST(RefusedRecord, UnitOfAnotherQuantity) {
    RecordMap map;
    map[Measurand::force].column = "u";
    expect_refused("t [s],x [m],u [V]\n0,1,2\n1,2,2\n",
                   {"column 3 'u [V]': the unit V is no unit of force", "--force.gain"}, map);
}
TEST(RefusedRecord, LinearMotionWithATorque) {
    expect_refused("t [s],x [mm],torque [N m]\n0,1,2\n1,2,2\n",
                   {"position [mm] is linear and force [N m] is rotary", "--force.gain"});
}
TEST(RefusedRecord, CounterAsTimeWithoutUnit) {
    std::string text = "time,position,force\n";
    for (int i = 0; i < 600; ++i) text += std::to_string(5 * i) + ",1.5,2.5\n";
    expect_refused(
        text, {"axis.csv:1: column 1 'time': names no unit, and rows are 5 apart; give --time.unit s, ms, us or ns"});
    expect_refused("time,x,F\n1594245245000000000,1,2\n1594245245010000000,1,2\n", {"column 1 'time': names no unit"});
    RecordMap map;
    map[Measurand::time].unit = "ms";
    EXPECT_EQ(message_of(text, map), "");
}
TEST(RefusedRecord, TimeThatStandsStill) {
    expect_refused("t [s],x [m],F [N]\n1,1,2\n1,2,2\n1,3,2\n",
                   {"axis.csv: fewer than two usable rows remain", "time_repeated in line 3"});
}
TEST(RefusedRecord, WrongNumbersOfTheMap) {
    RecordMap map;
    map[Measurand::force].sign = 2;
    map[Measurand::force].gain = 0;
    map[Measurand::position].bits = 99;
    map[Measurand::velocity].wrap = 3;
    map[Measurand::time].delay = Setting::find();
    map.from = 2;
    map.to = 1;
    expect_refused(plain,
                   {"record.force.sign = 2: must be 1 or -1", "record.force.gain = 0", "record.position.bits = 99",
                    "record.velocity.wrap", "record.time.delay", "use.from must be smaller"},
                   map);
}
TEST(RefusedRecord, JsonThatIsCutOff) {
    expect_refused("{\"entries\": [{\"t\": 0, \"x\": 1, \"F\": 2},\n{\"t\": 1, \"x\"",
                   {"axis.json:2: character", "is not valid JSON", "cut off"}, {}, "axis.json");
    expect_refused("{\"entries\": [{\"t\": 0, \"x\": 1 \"F\": 2}]}", {"axis.json:1: character", "is not valid JSON"},
                   {}, "axis.json");
}
TEST(RefusedRecord, JsonWithoutATable) {
    expect_refused("{\"kt\": 2.1, \"R\": 2.9, \"list\": [1, 2, 3]}", {"axis.json: has no table: a list of objects"}, {},
                   "axis.json");
    expect_refused("[]", {"has no table"}, {}, "axis.json");
    expect_refused("[[1], [2]]", {"has no table"}, {}, "axis.json");
}
TEST(RefusedRecord, JsonWithAnotherKeyOrSeveralTables) {
    RecordMap map;
    map.table = "data";
    const std::string two = R"({"a": [[0, 1, 2], [1, 2, 3]], "b": {"c": [[0, 1, 2], [1, 2, 3]]}})";
    expect_refused(two, {"table = \"data\": the file has no list with this key; lists: \"a\", \"b.c\""}, map);
    expect_refused(two, {"has several tables: \"a\", \"b.c\"; give one: --table KEY"});
}
TEST(RefusedRecord, FilesOfTwoAxes) {
    try {
        read_record(std::vector<RecordText>{{"one.csv", plain}, {"two.csv", "t [s],q [rad],tau [N m]\n0,1,2\n1,2,2\n"}},
                    {});
        FAIL() << "was read";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "two.csv: is rotary, but one.csv is linear; files of one record belong to one axis");
    }
}
// A column without unit beside one in mm would be read as m: a factor of 1000.
TEST(RefusedRecord, FilesOfWhichOnlySomeNameAUnit) {
    const std::string with = "t [s],x [mm],F [N]\n0,1,2\n1,2,2\n", without = "t [s],x,F [N]\n0,1,2\n1,2,2\n";
    for (const bool first : {true, false}) {  // the file that names the unit
        const std::vector<RecordText> files{{first ? "one.csv" : "two.csv", first ? with : without},
                                            {first ? "two.csv" : "one.csv", first ? without : with}};
        try {
            read_record(files, {});
            FAIL() << "was read";
        } catch (const Error& error) {
            EXPECT_STREQ(error.what(),
                         "two.csv:1: column 2 'x': names no unit, but one.csv names mm; name it in the header, or give "
                         "--position.unit, which applies to all files");
        }
        RecordMap map;
        map[Measurand::position].unit = "mm";
        const Record record = read_record(files, map);
        EXPECT_DOUBLE_EQ(record.runs.at(0).position[1], 2e-3);
        EXPECT_DOUBLE_EQ(record.runs.at(1).position[1], 2e-3);
    }
}
TEST(RefusedRecord, ProblemsOfAllFilesAreReportedTogether) {
    try {
        read_record(std::vector<RecordText>{{"one.csv", ""}, {"two.csv", "words\n"}, {"three.csv", plain}}, {});
        FAIL() << "was read";
    } catch (const Error& error) {
        const std::string message = error.what();
        EXPECT_NE(message.find("one.csv: the file is empty"), std::string::npos);
        EXPECT_NE(message.find("two.csv: has no table"), std::string::npos);
        EXPECT_EQ(message.find("three.csv"), std::string::npos);
    }
}
TEST(RefusedRecord, MissingFileAndFolder) {
    const auto message = [](const std::filesystem::path& path) -> std::string {
        try {
            read_record(std::vector<std::filesystem::path>{path}, {});
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(message("no_such_record.csv"), "no_such_record.csv: there is no such file");
    EXPECT_NE(message(std::filesystem::temp_directory_path()).find("is a folder; name its files"), std::string::npos);
    EXPECT_THROW(read_record(std::vector<RecordText>{}, {}), Error);
}
TEST(RefusedRecord, ProgressThatReturnsFalseCancels) {
    const std::vector<RecordText> texts{{"axis.csv", plain}};
    EXPECT_THROW(read_record(texts, {}, [](double) { return false; }), Cancelled);
    std::vector<double> fractions;
    read_record(std::vector<RecordText>{{"axis.csv", table(clean_rows(200000), "t [s],x [m],F [N]", ",")}}, {},
                [&](double x) {
                    fractions.push_back(x);
                    return true;
                });
    ASSERT_GE(fractions.size(), 4u);
    EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
    EXPECT_EQ(fractions.front(), 0);
    EXPECT_EQ(fractions.back(), 1);
}

}  // namespace
