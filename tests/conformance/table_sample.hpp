// Sample of a law without formulas in samples.hpp: parameters around the examples of its table, and its steady force as the root
// of dz/dt. The test of the law compares it with the equations of its paper.
#pragma once
#include "../support/oracle.hpp"
#include <bristle/bristle.hpp>
#include <string>

namespace samples {

using namespace bristle;
using bristle::test::chance;
using bristle::test::num;
using bristle::test::Random;
using bristle::test::sgn;
using bristle::test::wide;

// Position of a law in the catalogue over its scalar.
template <class Law, class... Entry>
constexpr std::size_t row_of(const std::tuple<Entry...>&) {
    const bool same[] = {std::same_as<Law, typename Entry::law>...};
    std::size_t row = 0;
    while (!same[row]) ++row;
    return row;
}

template <class LawOfT>
struct FromTable {
    using Law = LawOfT;
    using T = typename Law::scalar;
    static constexpr std::size_t row = row_of<Law>(law_table<T>());
    using WideLaw = typename std::tuple_element_t<row, decltype(law_table<wide>())>::law;
    static_assert(
        StaticLaw<Law> || requires(typename Law::State state) { state.z; },
        "samples.hpp needs formulas for a law that is neither static nor one bristle");

    static std::string name() { return std::get<row>(law_table<T>()).kind; }
    static Law typical() {
        Law law;
        set_example(law);
        return law;
    }
    // Each number between half and twice its example; drawn again if a rule between parameters is broken. Values for v < 0
    // are those for v > 0. Half of the laws use LoadOn::all.
    static Law random(Random& r) {
        Law law;
        do {
            set_example(law);
            double before = 0;
            Law::parameters(law, [&](const Parameter& p, T& x) {
                const double drawn = *p.group ? before : double(num(x)) * r.log_uniform(0.5, 2);
                if (p.bound.holds(drawn)) x = T(drawn);
                before = double(num(x));
            });
        } while (!usable(law));
        law.load_on = chance(r, 0.5) ? LoadOn::all : LoadOn::curve;
        return law;
    }
    // Returns the force at which dz/dt = 0, in long double by bisection, without the viscous term [N].
    static wide steady(const Law& law, wide v) {
        WideLaw same;
        std::vector<wide> numbers;
        Law::parameters(law, [&](const Parameter&, const T& x) { numbers.push_back(num(x)); });
        std::size_t i = 0;
        WideLaw::parameters(same, [&](const Parameter&, wide& x) { x = numbers[i++]; });
        if constexpr (StaticLaw<Law>) {
            return force(same, v) - same.viscous(v);
        } else {
            wide low = 0, high = sgn(v) * 2 * bristle::detail::curve_of(same).peak() / same.sigma0;
            for (int k = 0; k < 100; ++k) {
                const wide middle = (low + high) / 2;
                (rate(same, middle, v) * sgn(v) > 0 ? low : high) = middle;
            }
            return same.sigma0 * low;
        }
    }
};

}  // namespace samples
