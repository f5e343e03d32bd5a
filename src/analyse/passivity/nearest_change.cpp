// Search for the nearest change of a parameter: steps away from its value, then bisection.
#include "analyse/passivity/nearest_change.hpp"

#include "base/work_budget.hpp"
#include "numerics/bisect.hpp"

#include <bristle/describe.hpp>
#include <algorithm>
#include <cmath>
#include <limits>

namespace bristle::inline analysis::passivity {

namespace {

struct Entry {
    std::string key, unit;
    double value;
    bool follows;  // equal to the parameter before it, whose value is its default
    bool listed;   // one point of a table, one element
};

std::vector<Entry> entries(const AnyLaw& law) {
    std::vector<Entry> all;
    std::visit(
        [&](const auto& l) {
            std::remove_cvref_t<decltype(l)>::parameters(l, [&](const Parameter& p, const double& x) {
                const bool follows = p.fallback && !all.empty() && all.back().value == x;
                all.push_back({full_name(p), p.unit, x, follows, p.index >= 0});
            });
        },
        law);
    return all;
}

// Returns the law with another value of parameter i, and of the one that follows it; std::nullopt if that breaks a rule.
std::optional<AnyLaw> changed(const AnyLaw& law, const std::vector<Entry>& table, std::size_t i, double value) {
    AnyLaw other = law;
    const bool valid = std::visit(
        [&](auto& l) {
            std::size_t at = 0;
            std::remove_cvref_t<decltype(l)>::parameters(l, [&](const Parameter&, double& x) {
                if (at == i || (at == i + 1 && table[at].follows)) x = value;
                ++at;
            });
            return usable(l);
        },
        other);
    return valid ? std::optional(other) : std::nullopt;
}

// Changes that are tried, as fractions of the value.
constexpr double relative_steps[] = {0.003, 0.01,  0.03,   0.1, 0.2, 0.35, 0.5, 0.7, 0.9,
                                     0.99,  0.999, 0.9999, 1.5, 2.5, 5,    10,  30,  100};

}  // namespace

std::optional<Change> nearest_change(const AnyLaw& law, Verdict now, double precision,
                                     const std::function<Verdict(const AnyLaw&)>& passive) {
    const std::vector<Entry> table = entries(law);
    const Verdict other = now == Verdict::proved ? Verdict::refuted : Verdict::proved;
    std::optional<Change> best;
    double least = std::numeric_limits<double>::infinity();  // relative change of the best
    for (std::size_t i = 0; i < table.size(); ++i) {
        const auto& [key, unit, from, follows, listed] = table[i];
        if (!(from > 0) || follows || listed) continue;
        const auto changes = [&, i](double value) {
            const auto changed_law = changed(law, table, i, value);
            return changed_law && passive(*changed_law) == other;
        };
        // bisection between a value with the same verdict and one with the other
        const auto locate = [&, from = from, &key = key](double same, double different) {
            const auto wide = [&] {
                return std::abs(different - same) > precision * std::max({from, std::abs(same), std::abs(different)});
            };
            numerics::narrow(
                different, same, [&] { return wide() && spend(); }, changes);
            const double relative = std::abs(different - from) / from;
            if (relative < least) {
                least = relative;
                best = Change{key, from, different};
            }
        };
        for (const Entry& target : table)
            if (target.unit == unit && target.value != from && std::abs(target.value - from) < least * from &&
                changes(target.value))
                locate(from, target.value);
        for (const double side : {-1.0, 1.0}) {
            double same = from;
            for (const double step : relative_steps) {
                if ((side < 0 && step >= 1) || !spend()) break;
                const bool last = step >= least;  // not beyond the best change so far
                const double value = from * (1 + side * (last ? least * (1 - 1e-9) : step));
                if (changes(value)) {
                    locate(same, value);
                    break;
                }
                if (last) break;
                same = value;
            }
        }
    }
    return best;
}

}  // namespace bristle::analysis::passivity
