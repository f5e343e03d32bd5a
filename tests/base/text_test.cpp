// Text of unknown origin: no control characters, valid UTF-8. Numbers as text: read back, or short.
#include "base/text.hpp"
#include <cmath>
#include <cstdlib>
#include <limits>
#include <gtest/gtest.h>

namespace {

using namespace bristle;

TEST(Text, PrintableTextIsUnchanged) {
    for (const std::string text :
         {"", "a", "σ₂ = 0.2 N s/m", "摩擦 🧲", "it's <b>\"fine\"</b> & `so` $(is) {this}\\"})
        EXPECT_EQ(plain_text(text), text);
}

TEST(Text, ControlCharactersAreRemoved) {
    EXPECT_EQ(plain_text("a\nb\rc\td"), "a b c d");
    // escape, bell, delete, the one-character CSI of C1, and marks that turn the writing direction
    EXPECT_EQ(plain_text("\x1b[31mred\x07\x7f\u009b2J\u202eabc\u2066"), "[31mred2Jabc");
    EXPECT_EQ(plain_text(std::string("a\0b", 3)), "ab");
    EXPECT_EQ(plain_lines("a\nb\x1b\n"), "a\nb\n");
}

// The bytes that RFC 3629 forbids: alone, too few, longer than need be, halves of pairs, beyond the last character.
TEST(Text, InvalidUtf8IsReplacedAndTheRestKept) {
    const std::string mark = "\uFFFD";
    EXPECT_EQ(plain_text("a\xff"
                         "b"),
              "a" + mark + "b");
    EXPECT_EQ(plain_text("\x80"), mark);
    EXPECT_EQ(plain_text("\xe2\x82"), mark + mark);
    EXPECT_EQ(plain_text("\xc0\xaf"), mark + mark);
    EXPECT_EQ(plain_text("\xed\xa0\x80"), mark + mark + mark);
    EXPECT_EQ(plain_text("\xf4\x90\x80\x80"), mark + mark + mark + mark);
    EXPECT_EQ(plain_text("\xc3(σ"), mark + "(σ");
}

TEST(Text, LengthsCountCharactersAndNoCharacterIsSplit) {
    EXPECT_EQ(letters("σ₂ = 1"), 6u);
    EXPECT_EQ(shortened("σ₂ = 1", 6), "σ₂ = 1");
    EXPECT_EQ(shortened("σ₂ = 12", 6), "σ₂ = …");
    EXPECT_EQ(shortened("🧲🧲🧲", 2), "🧲…");
}

TEST(Text, ExactNumbersReadBackAsTheSameBits) {
    for (const double x : {0.1, -1.0 / 3, 1e308, 5e-324, 6.02214076e23, -0.0, 1e15, 0.0})
        EXPECT_EQ(std::strtod(exact(x).c_str(), nullptr), x) << exact(x);
    EXPECT_TRUE(std::signbit(std::strtod(exact(-0.0).c_str(), nullptr)));
    EXPECT_EQ(exact(0.1), "0.1");  // no more digits than it takes
}

TEST(Text, ReadableNumbersAreShort) {
    EXPECT_EQ(readable(1.0 / 3), "0.333333");
    EXPECT_EQ(readable(2), "2");
    EXPECT_EQ(readable(1.23456789e-9, 3), "1.23e-09");
}

TEST(Text, IsTrimmedAtBothEndsOnly) {
    EXPECT_EQ(trimmed(" \ta b\r\n"), "a b");
    EXPECT_EQ(trimmed(" \n "), "");
    EXPECT_EQ(trimmed(""), "");
}
TEST(Text, ListHasSeparatorsBetweenItemsOnly) {
    std::string list;
    for (const char* item : {"a", "b", "c"}) append_item(list, item);
    EXPECT_EQ(list, "a, b, c");
    append_item(list, "d", "; ");
    EXPECT_EQ(list, "a, b, c; d");
}
TEST(Text, WrappedTextBreaksAtBlanksAndIndentsEachLine) {
    std::string out;
    append_wrapped(out, "one two three", 9, 2);
    EXPECT_EQ(out, "  one two\n  three\n");
    out.clear();
    append_wrapped(out, "- µm µm µm", 6, 0, 2);  // counts characters, not bytes
    EXPECT_EQ(out, "- µm\n  µm\n  µm\n");
    out.clear();
    append_wrapped(out, "longerthanthewidth x", 5, 1);
    EXPECT_EQ(out, " longerthanthewidth\n x\n");
    out.clear();
    append_wrapped(out, "", 5, 0);
    EXPECT_EQ(out, "\n");
    out.clear();
    append_wrapped(out, "one two three", 9, "# ", "# ");  // the beginning is part of the width
    EXPECT_EQ(out, "# one two\n# three\n");
}
TEST(Text, DigitsDistinguishNumbersThatDiffer) {
    EXPECT_EQ(distinguishing_digits({1, 2, 3}, 4), 4);
    EXPECT_EQ(distinguishing_digits({1.00001, 1.00002}, 4), 6);
    EXPECT_EQ(distinguishing_digits({5, 1.00001, 1.00002}, 4), 6);
    EXPECT_EQ(distinguishing_digits({0.1, 0.1}, 4), 4);                      // equal: no digits can
    EXPECT_EQ(distinguishing_digits({1, std::nextafter(1.0, 2.0)}, 4), 17);  // 2.2e-16: the 17th digit
}
TEST(Text, NumberIsTheWholeTextOrNone) {
    EXPECT_EQ(number_in("-1.5e-3"), -1.5e-3);
    EXPECT_EQ(number_in(".5"), 0.5);
    EXPECT_EQ(number_in("inf"), HUGE_VAL);
    for (const char* text : {"", " 1", "1 ", "+1", "1e999", "one", "0x10"})
        EXPECT_EQ(number_in(text), std::nullopt) << text;
}

}  // namespace
