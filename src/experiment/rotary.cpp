// Words and units of a rotary axis.
#include "experiment/rotary.hpp"

#include "base/word_table.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace bristle::experiment {

namespace {

constexpr std::array units{WordPair{"m", "rad"}, WordPair{"N", "N m"}, WordPair{"kg", "kg m^2"}};
constexpr std::array words{WordPair{"mass", "inertia"},      WordPair{"masses", "inertias"},
                           WordPair{"force", "torque"},      WordPair{"forces", "torques"},
                           WordPair{"position", "angle"},    WordPair{"positions", "angles"},
                           WordPair{"displacement", "angle"}};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_capital(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }

// Calls replace(at, word) for each word, a longest sequence of letters; returns the text with the words that it returned.
template <class Replace>
std::string with_each_word(std::string_view text, Replace&& replace) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i;
        while (end < text.size() && is_letter(text[end])) ++end;
        if (end > i)
            replace(out, i, text.substr(i, end - i));
        else
            out += text[end++];
        i = end;
    }
    return out;
}

// True if the word is quoted, or part of a key, a value, an option or a path: "rig.mass", "forced_mass", "mass = 2", "--force".
bool is_name(std::string_view text, std::size_t at, std::size_t size) {
    constexpr std::string_view joins = "._'=[-/";
    const std::string_view before = text.substr(0, at), after = text.substr(at + size);
    if (std::count(before.begin(), before.end(), '"') % 2 != 0) return true;
    if (at > 0 && joins.find(text[at - 1]) != joins.npos) return true;
    if (after.starts_with(" =") || after.starts_with("=") || after.starts_with("_")) return true;
    return after.size() > 1 && after[0] == '.' && is_letter(after[1]);
}

}  // namespace

bool has_rotary_units(const Experiment& experiment) {
    return !experiment.machine && experiment.rotary && has_linear_coordinate(experiment.setup.rig);
}
bool has_linear_coordinate(const Rig& rig) { return std::string_view(rig.info().position.unit) != "rad"; }

std::string rotary_unit(const std::string& unit) {
    return with_each_word(unit,
                          [](std::string& out, std::size_t, std::string_view word) { out += looked_up(units, word); });
}

std::string rotary_words(const std::string& text) {
    return with_each_word(text, [&](std::string& out, std::size_t at, std::string_view word) {
        std::string lower(word);
        lower[0] = char(std::tolower(static_cast<unsigned char>(word[0])));
        const std::string_view found = looked_up(words, lower);
        if (found == lower || is_name(text, at, word.size())) {
            out += word;
            return;
        }
        const bool begins_with_vowel = found[0] == 'i' || found[0] == 'a';
        const std::string_view before = out;
        if (begins_with_vowel &&
            (before == "a " || before == "A " || before.ends_with(" a ") || before.ends_with(" A ")))
            out.insert(out.size() - 1, "n");
        out += is_capital(word[0]) ? char(std::toupper(static_cast<unsigned char>(found[0]))) : found[0];
        out += found.substr(1);
    });
}

Diagnostic with_rotary_units(Diagnostic diagnostic) {
    std::string& rule = diagnostic.rule;
    rule = rotary_unit(diagnostic.kind == Diagnostic::Kind::missing ? rotary_words(rule) : rule);
    diagnostic.unit = rotary_unit(diagnostic.unit);
    return diagnostic;
}

}  // namespace bristle::experiment
