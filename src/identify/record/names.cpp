// The table of words, and the match of a name with it.
#include "identify/record/names.hpp"
#include "base/text.hpp"
#include "identify/record/units.hpp"

#include <algorithm>

namespace bristle::inline identification::record_detail {

namespace {

// Words in lower case, separated by blanks. `letters`: names that count only as the whole name, because they are short.
struct Words {
    Measurand quantity;
    std::string_view words;
    std::string_view letters;
};
constexpr Words word_table[] = {
    {Measurand::time,
     "time zeit temps tiempo tempo tid timestamp timestamps zeitstempel elapsed uhrzeit datetime seconds clock",
     "t tm sec ts xvalue"},
    {Measurand::position,
     "position pos posn displacement disp stroke weg winkel lage angle theta phi encoder enc auslenkung verschiebung "
     "posicion deplacement travel verfahrweg",
     "x q qm xm th s qmeas qact"},
    {Measurand::velocity,
     "velocity vel speed omega geschwindigkeit drehzahl vitesse velocidad velocita rpm qdot xdot thetadot",
     "v dx dq qd w dth vm xd nist"},
    {Measurand::acceleration, "acceleration accel acc beschleunigung qddot xddot", "a ddx ddq qdd acc"},
    {Measurand::force,
     "force friction torque tau drehmoment moment kraft reibung reibkraft reibmoment couple fuerza forza effort trq",
     "f ff tq ft fr ffric mfric"},
    {Measurand::current, "current strom courant corriente amps amperage ampere", "i ia iq im imotor iact"},
    {Measurand::voltage, "voltage volt volts spannung voltaje", "u um ua vin vm uin vmotor"},
    {Measurand::load, "load normal last preload vorspannung normalkraft fnormal", "fn fz nload"},
};
constexpr std::string_view rotary_words =
    "angle theta phi winkel omega drehzahl rpm torque tau drehmoment couple reibmoment thetadot trq angular";
constexpr std::string_view set_point_words =
    "ref reference goal target command commanded cmd setpoint set sp soll sollwert desired des demand demanded "
    "consigne "
    "vorgabe setpt request requested";
constexpr std::string_view set_point_letters = "qg xg qr xr qd_ref xref qref vref xd_ref xc qc xsoll vsoll fref";
constexpr std::string_view measured_words =
    "actual act ist istwert measured meas feedback fb real mess gemessen value averaged";
// A name with one of these is no measurement of a motion or force.
constexpr std::string_view other_words =
    "enable enabled flag status state error err fault limit temp temperature temperatur coefficient coeff cof mu id "
    "index "
    "deviation schleppfehler following power energy duty pwm mode counter";

bool has_word(std::string_view words, std::string_view word) {
    if (word.empty()) return false;
    for (std::size_t begin = 0; begin < words.size();) {
        const std::size_t end = std::min(words.find(' ', begin), words.size());
        if (words.substr(begin, end - begin) == word) return true;
        begin = end + 1;
    }
    return false;
}

bool has_word(const std::vector<std::string>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

// A name in words of lower-case letters: at signs, digits and changes from lower to upper case.
struct Tokens {
    std::vector<std::string> all;  // without words for measured and set point
    std::string joined{};          // of these
    std::string whole{};           // of all words
    bool measured = false, set_point = false, other = false;
};
Tokens tokens_of(std::string_view name) {
    std::vector<std::string> words(1);
    bool lower_before = false;
    for (const char c : name.substr(0, 100)) {
        const bool upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z';
        if ((!upper && !lower) || (upper && lower_before)) words.emplace_back();
        if (upper || lower) words.back() += char(upper ? c - 'A' + 'a' : c);
        lower_before = lower;
    }
    Tokens tokens;
    for (const std::string& word : words) tokens.whole += word;
    tokens.set_point = has_word(set_point_letters, tokens.whole);
    for (std::string& word : words) {
        if (word.empty()) continue;
        const bool set_point = has_word(set_point_words, word), measured = has_word(measured_words, word);
        tokens.set_point = tokens.set_point || set_point;
        tokens.measured = tokens.measured || measured;
        tokens.other = tokens.other || has_word(other_words, word);
        if (set_point || measured) continue;
        tokens.joined += word;
        tokens.all.push_back(std::move(word));
    }
    return tokens;
}

bool has_known_word(std::string_view name) {
    const Tokens tokens = tokens_of(name);
    for (const Words& row : word_table) {
        if (has_word(row.letters, tokens.joined)) return true;
        for (const std::string& word : tokens.all)
            if (has_word(row.words, word)) return true;
    }
    return false;
}

std::string_view last_group(std::string_view text, char open, char close, std::string_view& before) {
    if (!text.ends_with(close)) return {};
    const auto at = text.rfind(open);
    if (at == text.npos) return {};
    before = trimmed(text.substr(0, at));
    return trimmed(text.substr(at + 1, text.size() - at - 2));
}

}  // namespace

ColumnHead column_head(std::string_view text) {
    ColumnHead head;
    head.name = shortened(plain_text(trimmed(text.substr(0, 400))), 80);
    const std::string_view name = trimmed(text.substr(0, 400));
    std::string_view before = name, unit;
    for (const auto& [open, close] : {std::pair{'[', ']'}, {'(', ')'}, {'{', '}'}, {'<', '>'}})
        if (unit.empty()) unit = last_group(name, open, close, before);
    if (unit.empty()) {
        // "F / N", "F in N", "F, N", "F:N", "F N": if the last part is a unit
        for (const std::string_view mark : {" / ", " in ", ", ", ":", "/", " "}) {
            const auto at = name.rfind(mark);
            if (at == name.npos || at == 0) continue;
            if (const auto last = trimmed(name.substr(at + mark.size())); find_unit_exactly(last)) {
                if (mark == " " && !has_known_word(name.substr(0, at))) continue;  // "Sensor A"
                unit = last;
                before = trimmed(name.substr(0, at));
                head.weak_unit = mark == " ";
                break;
            }
        }
    }
    if (unit.empty()) {  // v_mm_s, a_m_s2, t_s
        const auto last = name.rfind('_');
        const auto second = last == name.npos || last == 0 ? name.npos : name.rfind('_', last - 1);
        if (second != name.npos && second > 0) {
            const std::string ratio =
                std::string(name.substr(second + 1, last - second - 1)) + "/" + std::string(name.substr(last + 1));
            if (const Unit* found = find_unit_exactly(ratio)) {
                head.bare = plain_text(name.substr(0, second));
                head.unit = found->symbol;
                head.weak_unit = true;
                return head;
            }
        }
        if (last != name.npos && last > 0 && find_unit_exactly(name.substr(last + 1))) {
            unit = name.substr(last + 1);
            before = name.substr(0, last);
            head.weak_unit = true;
        }
    }
    head.bare = plain_text(before);
    head.unit = shortened(plain_text(unit), 24);
    if (const Unit* found = find_unit(unit)) head.unit = found->symbol;  // also in Latin-1
    return head;
}

NameMatch match(const ColumnHead& column, Measurand quantity) {
    const Unit* unit = find_unit(column.unit);
    const bool relative = unit && (unit->dimension == Dimension::relative || unit->dimension == Dimension::count);
    const bool unit_fits = unit && unit->dimension != Dimension::plain && fits(*unit, quantity);
    if (unit && !relative && !fits(*unit, quantity) && !column.weak_unit) return {};
    if (column.stamps && quantity != Measurand::time) return {};
    // a weak unit that does not fit belongs to the name
    const Tokens tokens = tokens_of(unit && !unit_fits && column.weak_unit ? column.name : column.bare);
    if (tokens.other) return {};
    NameMatch result{0, tokens.set_point};
    for (const Words& row : word_table) {
        if (row.quantity != quantity) continue;
        if (has_word(row.letters, tokens.whole)) {
            result.score = 4;
        } else if (has_word(row.letters, tokens.joined) || has_word(row.words, tokens.joined)) {
            result.score = 3;
        } else {
            // a load cell measures any force
            const bool cell = quantity == Measurand::load && has_word(tokens.all, "cell");
            for (const std::string& word : tokens.all)
                if (has_word(row.words, word) && !cell) result.score = 2;
        }
    }
    if (result.score == 0 && unit_fits && !(column.weak_unit && tokens.all.empty())) result.score = 1;
    if (result.score == 0 && column.stamps) result.score = 1;
    if (result.score > 0 && tokens.measured) result.score += 0.5;
    if (result.score > 1 && unit_fits) result.score += 0.25;
    return result;
}

std::optional<BestMatch> best_match(const ColumnHead& column) {
    std::optional<BestMatch> best;
    for (const MeasurandInfo& info : measurand_table()) {
        const NameMatch found = match(column, info.quantity);
        // "normal force" is a load, "angular velocity" a velocity: of equal matches the later row of the table
        if (found.score > 0 && (!best || found.score >= best->match.score)) best = BestMatch{info.quantity, found};
    }
    // a unit alone does not tell a load from a force
    if (best && best->quantity == Measurand::load && best->match.score < 2) best->quantity = Measurand::force;
    return best;
}

bool is_known_name(const ColumnHead& column) {
    const auto best = best_match(column);
    return best && best->match.score >= 1;
}

bool is_rotary_name(const ColumnHead& column) {
    const Tokens tokens = tokens_of(column.bare);
    return std::any_of(tokens.all.begin(), tokens.all.end(), [](const auto& w) { return has_word(rotary_words, w); });
}

const Unit* unit_of(const ColumnHead& column, Measurand quantity) {
    const Unit* unit = find_unit(column.unit);
    if (unit && column.weak_unit && !fits(*unit, quantity)) return nullptr;
    return unit;
}

}  // namespace bristle::identification::record_detail
