// Parameter table of curves and laws: name, unit, bound and one line of doc for each number. Validation, file keys, help
// texts and the tables in docs/models are made from it.
//
// Every curve and law has   static void parameters(self, visit)   which calls visit(Parameter, reference) for each of its
// numbers, and   void rules(sink)   for rules between parameters. The default of a parameter is its value in a
// default-constructed object; NaN means that the user has to set it.
// Those with words (enumerations, flags) have   static void choices(self, visit)   which calls visit(Choice, reference) for each;
// for_each_choice(law, visit) visits the words of a law and of its curve.
//
//   problems(law, sink)   calls sink(Problem) for each broken rule and returns their number; 0: the law can be used.
// No strings are made here: bristle/describe.hpp turns a Problem into a sentence.
#pragma once
#include <bristle/scalar.hpp>

#include <string_view>

namespace bristle {

// Interval of permitted values, with the rule in words. holds() is false for NaN and infinity.
struct Bound {
    double low, high;  // open ends unless closed_low
    bool closed_low;
    const char* rule;  // completes "sigma0 = -3 N/m: ..."
    constexpr bool holds(double x) const noexcept { return (x > low || (closed_low && x == low)) && x < high; }
};
namespace bound {
inline constexpr double infinite = std::numeric_limits<double>::infinity();
inline constexpr Bound positive{0, infinite, false, "must be a finite number > 0"};
inline constexpr Bound nonnegative{0, infinite, true, "must be a finite number >= 0"};
inline constexpr Bound fraction{0, 0.999, false, "must be > 0 and < 0.999"};
inline constexpr Bound exponent{0, 8, false, "must be > 0 and < 8 (0.5 to 2 is usual)"};
}  // namespace bound

// Physical dimension of a parameter; decisions depend on it, not on the text of the unit.
enum class Dimension { number, force, stiffness, damping, speed, slowness, rate, force_rate, other };
// The units of the laws; other: a unit that no law has.
constexpr Dimension dimension_of(std::string_view unit) noexcept {
    struct Row {
        std::string_view unit;
        Dimension dimension;
    };
    constexpr Row rows[] = {{"1", Dimension::number},      {"N", Dimension::force},       {"N/m", Dimension::stiffness},
                            {"N s/m", Dimension::damping}, {"m/s", Dimension::speed},     {"s/m", Dimension::slowness},
                            {"1/s", Dimension::rate},      {"N/s", Dimension::force_rate}};
    for (const Row& row : rows)
        if (row.unit == unit) return row.dimension;
    return Dimension::other;
}

inline constexpr double no_example = std::numeric_limits<double>::quiet_NaN();

struct Parameter {
    const char* name;  // as in files and papers: sigma0, Fc ...
    const char* unit;  // SI; for rotary joints read N as N m and m as rad
    const char* doc;   // one line
    Bound bound;
    double example = no_example;     // value in example laws, tests and benchmarks; see example_of
    const char* fallback = nullptr;  // parameter that supplies the value if this one is not given
    const char* group = "";          // "negative" for values that hold for v < 0 only
    int index = -1;                  // position in a list, -1 for a plain number
    const char* where = "";          // member that contains it: "curve.", "fade."; "" for the law itself
    const char* member = nullptr;    // C++ name if it differs from name
    constexpr Dimension dimension() const noexcept { return dimension_of(unit); }
};

// Returns the value of a parameter in example laws: Parameter::example; otherwise its default, if permitted; otherwise a
// value within its bound.
constexpr double example_of(const Parameter& p, double otherwise) noexcept {
    const auto& [low, high, closed_low, rule] = p.bound;
    if (p.bound.holds(p.example)) return p.example;
    if (p.bound.holds(otherwise)) return otherwise;
    if (p.bound.holds(1)) return 1;
    return high < bound::infinite ? (low > -bound::infinite ? 0.5 * (low + high) : high - 1) : low + 1;
}

// Sets every number of a law to its example; elements: the number of elements of a law that has a list of them.
template <class Law>
constexpr void set_example(Law& law, int elements = 4) {
    if constexpr (requires { law.size; }) law.size = elements;
    Law::parameters(law, [](const Parameter& p, auto& x) {
        using T = std::remove_cvref_t<decltype(x)>;
        x = T(example_of(p, double(value(x))));
    });
}

// A word of a curve or law: its enumerators, or false and true, under the names that files use for them.
struct Choice {
    const char* name;                 // key in files: "a_rule"
    const char* doc;                  // one line
    const char* words[4]{};           // in the order of the values, null after the last; no words: false or true
    bool selects_parameters = false;  // the value decides which parameters there are
    constexpr int count() const noexcept {
        int n = 0;
        while (n < 4 && words[n]) ++n;
        return n;
    }
};

// Calls visit(Choice, reference) for each word of an object: those of its curve first.
template <class Object, class Visit>
constexpr void for_each_choice(Object& object, Visit&& visit) {
    if constexpr (requires { object.curve; }) for_each_choice(object.curve, visit);
    if constexpr (requires { Object::choices(object, visit); }) Object::choices(object, visit);
}

// One broken rule. All text is static.
struct Problem {
    Parameter parameter;
    double value;
    const char* rule;
};

// Calls sink(const Problem&) for each broken rule of a curve or law; returns their number.
template <class Object, class Sink>
constexpr int problems(const Object& object, Sink&& sink) requires requires(const Problem& p) {
    sink(p);
}
{
    int count = 0;
    const auto report = [&](const Problem& p) {
        ++count;
        sink(p);
    };
    double before = 0;
    Object::parameters(object, [&](const Parameter& p, const auto& x) {
        const double number = double(value(x));
        // a value taken from the parameter before it is reported only once
        const bool reported = p.fallback && (number == before || (number != number && before != before));
        if (!p.bound.holds(number) && !reported) report({p, number, p.bound.rule});
        before = number;
    });
    object.rules(report);
    return count;
}

// Returns true if no rule is broken.
template <class Object>
constexpr bool usable(const Object& object) {
    return problems(object, [](const Problem&) {}) == 0;
}

namespace detail {

// Returns a visitor that sets Parameter::where and calls visit.
template <class Visit>
constexpr auto inside(const char* where, Visit& visit) {
    return [where, &visit](Parameter p, auto& x) {
        p.where = where;
        visit(p, x);
    };
}

// Returns a visitor that sets Parameter::group and calls visit.
template <class Visit>
constexpr auto in_group(const char* group, Visit& visit) {
    return [group, &visit](Parameter p, auto& x) {
        p.group = group;
        visit(p, x);
    };
}

}  // namespace detail
}  // namespace bristle
