// Texts of small records for tests of the reader, and their numbers by strtod.
#pragma once
#include <bristle/base/error.hpp>
#include <bristle/identify/record.hpp>

#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>

namespace record_texts {

using namespace bristle;

// One row as it is written in a file with decimal points, in s, m and N.
struct Row {
    std::string t, x, f;
};

inline std::string fixed(long thousandths, int decimals) {  // 1234, 3 -> 1.234
    const bool negative = thousandths < 0;
    std::string digits = std::to_string(std::labs(thousandths));
    while (int(digits.size()) <= decimals) digits.insert(digits.begin(), '0');
    return (negative ? "-" : "") + digits.substr(0, digits.size() - std::size_t(decimals)) + "." +
           digits.substr(digits.size() - std::size_t(decimals));
}

// A reciprocating motion of 2 mm with friction of about 3 N, 100 Hz.
inline std::vector<Row> clean_rows(long count = 60) {
    std::vector<Row> rows;
    for (long i = 0; i < count; ++i) {
        const double phase = 0.3 * double(i);
        rows.push_back({fixed(i, 2), fixed(std::lround(2000 * std::sin(phase)), 6),
                        fixed(std::lround(3000 * std::cos(phase)), 3)});
    }
    return rows;
}

inline std::string comma(std::string number) {
    for (char& c : number)
        if (c == '.') c = ',';
    return number;
}

inline std::string table(const std::vector<Row>& rows, const std::string& header, const std::string& delimiter,
                         const std::string& end = "\n", bool decimal_comma = false) {
    std::string text = header.empty() ? "" : header + end;
    const auto cell = [&](const std::string& number) { return decimal_comma ? comma(number) : number; };
    for (const Row& row : rows) text += cell(row.t) + delimiter + cell(row.x) + delimiter + cell(row.f) + end;
    return text;
}

inline Record read(const std::string& text, const RecordMap& map = {}, const std::string& name = "axis.csv") {
    return read_record(std::vector<RecordText>{{name, text}}, map);
}

// The message of a text that is refused; empty if it is read.
inline std::string message_of(const std::string& text, const RecordMap& map = {},
                              const std::string& name = "axis.csv") {
    try {
        read(text, map, name);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

// The record has one run with the numbers of these rows, to the last bit if tolerance is 0.
inline void expect_rows(const Record& record, const std::vector<Row>& rows, double tolerance = 0) {
    ASSERT_EQ(record.runs.size(), 1u);
    const MeasuredRun& run = record.runs.front();
    ASSERT_EQ(run.size(), rows.size());
    ASSERT_EQ(run.time.size(), rows.size());
    ASSERT_EQ(run.position.size(), rows.size());
    ASSERT_EQ(run.force.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double t = std::strtod(rows[i].t.c_str(), nullptr), x = std::strtod(rows[i].x.c_str(), nullptr),
                     f = std::strtod(rows[i].f.c_str(), nullptr);
        ASSERT_NEAR(run.time[i], t, tolerance) << "row " << i;
        ASSERT_NEAR(run.position[i], x, tolerance) << "row " << i;
        ASSERT_NEAR(run.force[i], f, tolerance) << "row " << i;
    }
}

inline std::vector<FitFinding> findings_of(const Record& record, FindingKind kind) {
    std::vector<FitFinding> found;
    for (const FitFinding& finding : record.findings)
        if (finding.kind == kind) found.push_back(finding);
    return found;
}

}  // namespace record_texts
