// Files as drives, loggers and spreadsheets write them. Each has the rows of the clean record; the reader must return exactly its
// numbers (by strtod), and report the rows that are left out with their line.
#include "record_texts.hpp"

namespace {

using namespace record_texts;

const std::vector<Row> rows = clean_rows();
const std::string plain = table(rows, "t [s],x [m],F [N]", ",");

std::string with_lines_after_header(const std::string& lines) {
    const auto at = plain.find('\n') + 1;
    return plain.substr(0, at) + lines + plain.substr(at);
}

TEST(MessyRecord, CleanFileGivesItsNumbers) {
    const Record record = read(plain);
    expect_rows(record, rows);
    EXPECT_EQ(record.runs[0].name.text(), "axis.csv");
    EXPECT_EQ(record.runs[0].line.front(), 2u);
    EXPECT_EQ(record.runs[0].line.back(), 61u);
    EXPECT_FALSE(record.rotary);
    EXPECT_FALSE(record.is_curve());
    ASSERT_EQ(record.columns.size(), 3u);
    EXPECT_EQ(record.columns[1].column, "x [m]");
    EXPECT_TRUE(record.columns[1].guessed_column);
    EXPECT_FALSE(record.columns[1].guessed_unit);
    EXPECT_EQ(findings_of(record, FindingKind::column_guessed).size(), 3u);
}

TEST(MessyRecord, DecimalCommaWithSemicolon) {
    expect_rows(read(table(rows, "t [s];x [m];F [N]", ";", "\n", true)), rows);
}
TEST(MessyRecord, DecimalCommaWithTab) {
    expect_rows(read(table(rows, "t [s]\tx [m]\tF [N]", "\t", "\n", true)), rows);
}
TEST(MessyRecord, DecimalCommaWithBlanks) { expect_rows(read(table(rows, "t x F", "  ", "\n", true)), rows); }
TEST(MessyRecord, Tabs) { expect_rows(read(table(rows, "Time [s]\tPosition [m]\tFriction [N]", "\t")), rows); }

TEST(MessyRecord, BlanksOfVaryingWidthAndAHeaderWithUnitsInBrackets) {
    std::string text = "  Time [s]   Position [m]  Force [N]\n";
    for (const Row& row : rows)
        text += std::string(8 - row.t.size(), ' ') + row.t + std::string(14 - row.x.size(), ' ') + row.x + " \t " +
                row.f + "  \n";
    expect_rows(read(text), rows);
}

TEST(MessyRecord, PipesWithARuleBelowTheHeader) {
    std::string text = "| t [s] | x [m] | F [N] |\n|-------|-------|-------|\n";
    for (const Row& row : rows) text += "| " + row.t + " | " + row.x + " | " + row.f + " |\n";
    expect_rows(read(text), rows);
}

TEST(MessyRecord, QuotedCellsWithDecimalCommaAndCommaAsDelimiter) {
    std::string text = "\"t [s]\",\"x, position [m]\",\"F [N]\"\n";
    for (const Row& row : rows) text += '"' + comma(row.t) + "\",\"" + comma(row.x) + "\",\"" + comma(row.f) + "\"\n";
    expect_rows(read(text), rows);
}

TEST(MessyRecord, ByteOrderMarkAndCrlf) {
    const Record record = read("\xEF\xBB\xBF" + table(rows, "t [s];x [m];F [N]", ";", "\r\n"));
    expect_rows(record, rows);
    EXPECT_EQ(record.columns[0].column, "t [s]");
}

TEST(MessyRecord, CarriageReturnsAlone) { expect_rows(read(table(rows, "t [s];x [m];F [N]", ";", "\r")), rows); }

TEST(MessyRecord, Utf16OfBothByteOrders) {
    for (const bool little : {true, false}) {
        std::string wide = little ? "\xFF\xFE" : "\xFE\xFF";
        for (const char c : plain) wide += little ? std::string{c, '\0'} : std::string{'\0', c};
        expect_rows(read(wide), rows);
    }
}

TEST(MessyRecord, KeyLinesBeforeTheTableAndUnitsInASecondRow) {
    const std::string text =
        "Date:;2020-07-08 21:54:05\nFirmware:;0x0120;0x6150\nSampling period:;10.000\n"
        "Scale:;0;True;100.000;0.500;-400.500\n\n"
        "Time;Position actual value;Force actual value\ns;m;N\n" +
        table(rows, "", ";");
    const Record record = read(text);
    expect_rows(record, rows);
    EXPECT_EQ(record.runs[0].line.front(), 8u);
    EXPECT_EQ(record.columns[1].column, "Position actual value");
    EXPECT_EQ(record.columns[1].unit, "m");
}

TEST(MessyRecord, UnitsInASecondRowInBracketsAndAnEmptyName) {
    expect_rows(read(";Position;Force\n[s];[m];[N]\n" + table(rows, "", ";")), rows);
}

TEST(MessyRecord, HeaderInACommentAndCommentsBetweenRows) {
    std::string text = "# recorded on the test bench\n# t x F\n";
    for (const Row& row : rows) text += row.t + " " + row.x + " " + row.f + "\n# mark\n% mark\n// mark\n";
    expect_rows(read(text), rows);
}

TEST(MessyRecord, EmptyLinesAndBlankLines) {
    std::string text = "\n\nt [s],x [m],F [N]\n\n";
    for (const Row& row : rows) text += row.t + "," + row.x + "," + row.f + "\n   \n\n";
    expect_rows(read(text), rows);
}

TEST(MessyRecord, DelimiterAtTheEndOfEachRow) {
    std::string text = "t [s];x [m];F [N]\n";
    for (const Row& row : rows) text += row.t + ";" + row.x + ";" + row.f + ";\n";
    expect_rows(read(text), rows);
}

TEST(MessyRecord, CommasOfASpreadsheetAfterEachRow) {
    std::string text = "t [s];x [m];F [N],,\n";
    for (const Row& row : rows) text += row.t + ";" + row.x + ";" + row.f + ",,\n";
    expect_rows(read(text), rows);
}

TEST(MessyRecord, UnitsAfterAnUnderscore) { expect_rows(read(table(rows, "t_s,x_m,F_N", ",")), rows); }
TEST(MessyRecord, GermanNamesWithUnitsInParentheses) {
    expect_rows(read(table(rows, "Zeit (s);Weg (m);Reibkraft (N)", ";", "\n", true)), rows);
}
TEST(MessyRecord, UnitsAfterASlash) { expect_rows(read(table(rows, "t / s;x / m;F / N", ";")), rows); }

TEST(MessyRecord, TextColumnAndSetPointColumnsBesideTheMeasuredOnes) {
    std::string text = "t [s],x_ref [m],state,x [m],F_cmd [N],F [N],x error [m]\n";
    for (const Row& row : rows) text += row.t + ",9.5,RUN," + row.x + ",7," + row.f + ",0.1\n";
    expect_rows(read(text), rows);
}

// Fractions of a second are kept apart from whole ones: rounding of at most 60 s, 7e-15 s.
TEST(MessyRecord, TimesOfDay) {
    std::string text = "Time,x [m],F [N]\n";
    for (const Row& row : rows) text += "12:00:0" + row.t + "," + row.x + "," + row.f + "\n";
    expect_rows(read(text), rows, 1e-14);
}

TEST(MessyRecord, DatesInSeveralFormats) {
    for (const auto& [before, after, decimal_comma] : {std::tuple{"2020-07-08 12:00:0", "", false},
                                                       {"2020-07-08T12:00:0", "Z", false},
                                                       {"2020-07-08T12:00:0", "+02:00", false},
                                                       {"08.07.2020 12:00:0", "", true},
                                                       {"7/8/2020 11:00:0", " PM", false}}) {
        SCOPED_TRACE(before);
        std::string text = "Timestamp;x [m];F [N]\n";
        for (const Row& row : rows)
            text += before + (decimal_comma ? comma(row.t) : row.t) + after + ";" +
                    (decimal_comma ? comma(row.x) : row.x) + ";" + (decimal_comma ? comma(row.f) : row.f) + "\n";
        expect_rows(read(text), rows, 1e-14);
    }
}

TEST(MessyRecord, TimeOfDayAcrossMidnight) {
    const std::string text =
        "time,x [m],F [N]\n23:59:59.98,0.001,1\n23:59:59.99,0.002,2\n00:00:00.00,0.003,1\n00:00:00.01,0.004,2\n";
    const Record record = read(text);
    ASSERT_EQ(record.rows(), 4u);
    EXPECT_NEAR(record.runs[0].time[3], 0.03, 1e-14);
}

TEST(MessyRecord, DateAndTimeBetweenBlanksUnderOneName) {
    std::string text = "time x F\n";
    for (const Row& row : rows) text += "2020-07-08 12:00:0" + row.t + " " + row.x + " " + row.f + "\n";
    expect_rows(read(text), rows, 1e-14);
}

TEST(MessyRecord, RowsThatASpreadsheetTookForCells) {
    std::string text = "\"t [s];x [m];F [N]\"\n";
    for (const Row& row : rows) text += '"' + row.t + ";" + row.x + ";" + row.f + "\"\n";
    expect_rows(read(text), rows);
}

TEST(MessyRecord, HeaderOfALabViewFile) {
    const std::string text =
        "LabVIEW Measurement\t\nSeparator\tTab\nDate\t2020/07/08\nTime\t12:30:01.1\n***End_of_Header***\t\n\t\n"
        "Channels\t2\t\t\nSamples\t60\t60\t\nX0\t0.000\t0.000\t\nDelta_X\t0.01\t0.01\t\n***End_of_Header***\t\t\t\n"
        "X_Value\tPosition (m)\tForce (N)\tComment\n" +
        table(rows, "", "\t", "\t\n");
    expect_rows(read(text), rows);
}

TEST(MessyRecord, JsonObjectPerLine) {
    std::string text;
    for (const Row& row : rows)
        text +=
            "{\"t\": " + row.t + ", \"x\": " + row.x + ", \"F\": " + row.f + "}\r\n" + (row.t == "0.05" ? "\n" : "");
    expect_rows(read(text), rows);
}

TEST(MessyRecord, NoHeaderWithColumnsByNumber) {
    RecordMap map;
    map[Measurand::time] = {.column = "1", .unit = "s"};
    map[Measurand::position] = {.column = "2", .unit = "m"};
    map[Measurand::force] = {.column = "3", .unit = "N"};
    expect_rows(read(table(rows, "", " "), map), rows);
}

TEST(MessyRecord, RowsThatAreNoNumbersAreLeftOutAndNamed) {
    const Record record =
        read(with_lines_after_header("0.00,0.1,-800,,was -11.1\n") + "OVERFLOW,---,---\n0.70,0.1\n0.71,,1\n");
    expect_rows(record, rows);
    const auto found = findings_of(record, FindingKind::row_rejected);
    ASSERT_EQ(found.size(), 4u);
    EXPECT_EQ(found[0].line, 2);
    EXPECT_EQ(found[0].place, "axis.csv");
    EXPECT_EQ(found[1].line, 63);
    EXPECT_EQ(found[2].line, 64);
    EXPECT_EQ(found[3].line, 65);
    EXPECT_EQ(found[3].subject, "position");
}

TEST(MessyRecord, FirstRowsThatAreNoNumbersAreNamed) {
    const Record record = read(with_lines_after_header("start,0.1,2\n,,\nstart,,\n"));
    expect_rows(record, rows);
    const auto found = findings_of(record, FindingKind::row_rejected);
    ASSERT_GE(found.size(), 2u);
    EXPECT_EQ(found.front().line, 2);
    EXPECT_EQ(found.back().line, 4);
}

TEST(MessyRecord, AnnotationInAColumnThatIsEmptyElsewhereRejectsItsRow) {
    std::string text = "t [s],x [m],F [N],,\n0.00,0.1,-800,,was -11.1\n";
    for (const Row& row : rows) text += row.t + "," + row.x + "," + row.f + ",,\n";
    const Record record = read(text);
    expect_rows(record, rows);
    ASSERT_EQ(findings_of(record, FindingKind::row_rejected).size(), 1u);
    EXPECT_EQ(findings_of(record, FindingKind::row_rejected)[0].line, 2);
}

TEST(MessyRecord, OfManyBadRowsTheFirstFiveAreNamedAndTheOthersCounted) {
    std::string text = plain;
    for (int i = 0; i < 30; ++i) text += "bad,bad,bad\n";
    const auto found = findings_of(read(text), FindingKind::row_rejected);
    ASSERT_EQ(found.size(), 6u);
    EXPECT_EQ(found[4].line, 66);
    EXPECT_EQ(found[5].line, 0);
    EXPECT_EQ(found[5].count, 25);
}

TEST(MessyRecord, NanAndInfinityAreLeftOutAndNamed) {
    const Record record = read(with_lines_after_header("-0.02,nan,1\n-0.01,0.5,1e999\n"));
    expect_rows(record, rows);
    const auto found = findings_of(record, FindingKind::not_a_number);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].subject, "position");
    EXPECT_EQ(found[0].line, 2);
    EXPECT_EQ(found[1].subject, "force");
    EXPECT_EQ(found[1].line, 3);
}

TEST(MessyRecord, SignsAndExponents) {
    std::string text = "t [s],x [m],F [N]\n";
    for (const Row& row : rows)
        text += "+" + row.t + "," + row.x + "E+00," + (row.f[0] == '-' ? "" : "+") + row.f + "D0\n";
    expect_rows(read(text), rows);
}

// Products with 1e-3 and 1e-6 round to 2e-16 of the number, at most 3 here.
TEST(MessyRecord, PrefixedUnitsAndMicroInThreeEncodings) {
    for (const char* micro : {"u", "\xC2\xB5", "\xCE\xBC", "\xB5"}) {
        std::string text = "t [ms],x [" + std::string(micro) + "m],F [mN]\n";
        for (const Row& row : rows) text += row.t + "e3," + row.x + "e6," + row.f + "e3\n";
        expect_rows(read(text), rows, 1e-15);
    }
}

TEST(MessyRecord, LinesBeforeTheTableBeyondTheSample) {
    std::string text;
    for (int i = 0; i < 900; ++i) text += "Parameter " + std::to_string(i) + " of the drive\n";
    const auto many = clean_rows(4000);
    const Record record = read(text + table(many, "t [s];x [m];F [N]", ";"));
    expect_rows(record, many);
    EXPECT_EQ(record.runs[0].line.front(), 902u);
}

TEST(MessyRecord, DecimalCommasThatBeginLateInTheFile) {
    std::string text = "t [s];x [m];F [N]\n";
    std::vector<Row> all;
    for (int i = 0; i < 900; ++i) all.push_back({std::to_string(i), "0", "1"});
    for (int i = 0; i < 3100; ++i) all.push_back({std::to_string(900 + i), "0.5", "1.25"});
    expect_rows(read(text + table(all, "", ";", "\n", true)), all);
}

TEST(MessyRecord, LastRowThatIsCutOffIsLeftOut) {
    const Record record = read(plain + "0.60,0.0");
    expect_rows(record, rows);
    EXPECT_EQ(findings_of(record, FindingKind::row_rejected).at(0).line, 62);
}

TEST(MessyRecord, JsonListOfObjects) {
    std::string text = "{\"motor\": \"x\", \"kp\": 100, \"entries\": [";
    for (std::size_t i = 0; i < rows.size(); ++i)
        text += std::string(i ? ", " : "") + "{\"force\": " + rows[i].f +
                ", \"goal_position\": 3, \"position\": " + rows[i].x + ", \"timestamp\": " + rows[i].t +
                ", \"torque_enable\": true, \"note\": \"a\"}";
    text += "], \"other\": [1, 2, 3]}";
    RecordMap map;
    map.where = "torque_enable";
    const Record record = read(text, map);
    expect_rows(record, rows);
    EXPECT_EQ(record.runs[0].used, std::vector<std::uint8_t>(rows.size(), 1));
    map.table = "entries";
    expect_rows(read(text, map), rows);
}

// As in text tables: rounding of at most 60 s, 7e-15 s.
TEST(MessyRecord, JsonWithTimesOfDayAndDates) {
    for (const auto& [before, after] :
         {std::pair{"12:00:0", ""}, {"2020-07-08T12:00:0", "Z"}, {"08.07.2020 12:00:0", ""}}) {
        SCOPED_TRACE(before);
        std::string objects = "{\"sessions\": [{\"begin\": \"2020-07-08\", \"number\": 1}], \"entries\": [",
                    lists = "[";
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const std::string time = "\"" + (before + rows[i].t) + after + "\"";
            objects += std::string(i ? ", " : "") + "{\"F\": " + rows[i].f + ", \"note\": \"ok\", \"time\": " + time +
                       ", \"x\": " + rows[i].x + "}";
            lists += (i ? ",\n[" : "[") + time + ", " + rows[i].x + ", " + rows[i].f + "]";
        }
        expect_rows(read(objects + "]}", {}, "axis.json"), rows, 1e-14);
        RecordMap map;
        map[Measurand::position].column = "2";
        map[Measurand::force].column = "3";
        expect_rows(read(lists + "]", map, "axis.json"), rows, 1e-14);
    }
}
TEST(MessyRecord, JsonTimeOfDayAcrossMidnight) {
    const Record record = read(
        R"([{"time": "23:59:59.98", "x": 1, "F": 1}, {"time": "23:59:59.99", "x": 2, "F": 1},
            {"time": "00:00:00.00", "x": 3, "F": 1}, {"time": "noon", "x": 3, "F": 1}, {"time": 7, "x": 3, "F": 1},
            {"time": "00:00:00.01", "x": 4, "F": 1}])",
        {}, "axis.json");
    ASSERT_EQ(record.rows(), 4u);
    EXPECT_NEAR(record.runs[0].time[3], 0.03, 1e-14);
    const auto rejected = findings_of(record, FindingKind::row_rejected);
    ASSERT_EQ(rejected.size(), 2u);
    EXPECT_EQ(rejected[0].line, 4);
    EXPECT_EQ(rejected[1].line, 5);
}

TEST(MessyRecord, JsonListOfListsWithColumnsByNumber) {
    std::string text = "{\"data\": [";
    for (std::size_t i = 0; i < rows.size(); ++i)
        text += std::string(i ? ",\n" : "") + "[" + rows[i].t + ", " + rows[i].x + ", " + rows[i].f + "]";
    text += "], \"dt\": 0.01}";
    RecordMap map;
    map.table = "data";
    map[Measurand::time].column = "1";
    map[Measurand::position].column = "2";
    map[Measurand::force].column = "3";
    const Record record = read(text, map);
    expect_rows(record, rows);
    EXPECT_EQ(record.runs[0].line[4], 5u);
    map.table = "";
    expect_rows(read(text, map), rows);
}

TEST(MessyRecord, JsonEntriesWithoutANumberAreLeftOut) {
    const Record record = read(R"([{"t": 0, "x": 1, "F": 2}, {"t": 1, "x": null, "F": 2}, {"t": 2, "F": 2}, 7,
                                   {"t": 4, "x": [1], "F": 2}, {"t": 5, "x": 3, "F": 4}, {"t": 6, "x": 3, "F": 4},
                                   {"t": 7, "x": 3, "F": 4}, {"t": 8, "x": 3, "F": 5}])");
    EXPECT_EQ(record.runs.at(0).time, (std::vector<double>{0, 5, 6, 7, 8}));
    const auto found = findings_of(record, FindingKind::row_rejected);
    ASSERT_EQ(found.size(), 4u);
    EXPECT_EQ(found[0].line, 2);
    EXPECT_EQ(found[3].line, 5);
}

}  // namespace
