// Choice of the response function by the kind of law, and the numbers of a law in the order of its table.
#include "identify/response/response.hpp"

#include "identify/response/axis_motion.hpp"

#include <array>
#include <utility>

namespace bristle::inline identification {

template <std::size_t Row>
void respond(const AnyLaw& law, const PassColumns& columns, double gap, const ContactMotion& motion,
             const PassRows& rows);
template <std::size_t Row>
void respond_wide(const AnyLaw& law, const PassColumns& columns, double gap, const ContactMotion& motion,
                  const PassRows& rows);
template <std::size_t Row>
void move_axis(const AnyLaw& law, const AxisNumbers& axis, const AxisColumns& columns, const AxisSegment& segment,
               double* rows);

namespace {

template <std::size_t... Row>
constexpr auto axis_functions(std::index_sequence<Row...>) {
    return std::array<AxisFunction, sizeof...(Row)>{&move_axis<Row>...};
}
template <std::size_t... Row>
constexpr auto functions(std::index_sequence<Row...>) {
    return std::array<RespondFunction, sizeof...(Row)>{&respond<Row>...};
}
#if BRISTLE_HAS_AVX2
template <std::size_t... Row>
constexpr auto wide_functions(std::index_sequence<Row...>) {
    return std::array<RespondFunction, sizeof...(Row)>{&respond_wide<Row>...};
}
#endif

}  // namespace

Pass pass_of(const AnyLaw& law) {
    using Rows = std::make_index_sequence<std::variant_size_v<LawVariant>>;
#if BRISTLE_HAS_AVX2
    static constexpr auto wide = wide_functions(Rows{});
    if (uses_avx2() && std::visit([]<class Law>(const Law&) { return has_wide_pass<Law>; }, law))
        return {wide[law.index()], WidePassScalar::width};
#endif
    static constexpr auto all = functions(Rows{});
    return {all[law.index()], PassScalar::width};
}

AxisFunction axis_function(const AnyLaw& law) {
    static constexpr auto all = axis_functions(std::make_index_sequence<std::variant_size_v<LawVariant>>{});
    const bool has_one = std::visit(
        []<class Law>(const Law&) {
            return !RemembersVelocity<Law> && !requires(typename Law::State state) { state.F; };
        },
        law);
    return has_one ? all[law.index()] : nullptr;
}

std::vector<LawNumber> numbers_of_law(const AnyLaw& law) {
    std::vector<LawNumber> out;
    std::visit(
        [&]<class Law>(const Law& l) {
            Law::parameters(l, [&](const Parameter& p, const double& x) { out.push_back({p, x}); });
        },
        law);
    return out;
}

AnyLaw with_numbers(const AnyLaw& law, std::span<const double> values) {
    AnyLaw out = law;
    std::size_t i = 0;
    std::visit([&]<class Law>(Law& l) { Law::parameters(l, [&](const Parameter&, double& x) { x = values[i++]; }); },
               out);
    return out;
}

}  // namespace bristle::identification
