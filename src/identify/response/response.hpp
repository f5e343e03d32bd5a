// Friction force of a law along a measured motion, with exact derivatives with respect to its parameters.
//
// The law is the template of the core over dual numbers. Between two samples the motion is a cubic with the positions and velocities of
// both; the bristle is advanced exactly with the mean velocity of 1, 2 or 4 parts of it, more where the velocity changes much. At a
// sample the force is that of the law at the velocity there. A dry static law gives 0 at v = 0.
// Errors e of the velocity by an encoder make a steep smooth curve look flatter: F(v + e) is on average F + F''(v) var(e)/2. A smooth static
// law gives this mean, as (F(v - h) + 2 F(v) + F(v + h))/4 with h = sqrt(2) times the standard deviation of e.
// A gap in series (backlash): the contact follows the motion at a distance of gap/2 while it carries a force. It is left behind where
// its elastic force becomes 0, and moves again when the motion has crossed the gap. A static law has no gap.
#pragma once
#include <bristle/simulate/law.hpp>

#include "identify/response/pass_scalar.hpp"

#include <span>
#include <vector>

namespace bristle::inline identification {

// One run of a motion, sample by sample.
struct ContactMotion {
    std::span<const double> dt;    // s since the sample before; dt[0] is not used
    std::span<const double> x;     // m
    std::span<const double> v;     // m/s at the sample
    std::span<const double> load;  // N; empty: the law's parameters are forces
    double start_force = 0;        // N: force of the bristle at the first sample, limited to the level at rest
    double velocity_error = 0;     // m/s: standard deviation of v
};

// Which derivatives a pass computes: for each parameter in the order of the law's table the column, or -1. Tied parameters share one.
struct PassColumns {
    std::vector<int> of_parameter;
    int of_gap = -1;
};

// Tables that a pass writes to.
struct PassRows {
    double* force;                           // N, one number per sample
    double* J = nullptr;                     // derivatives, sample by sample
    std::size_t stride = 0;                  // numbers of J per sample
    std::span<const std::size_t> columns{};  // place of each derivative of the pass in a row of J
};

// Writes the force of each sample and its derivatives. gap: width [m]; 0: none.
using RespondFunction = void (*)(const AnyLaw& law, const PassColumns& columns, double gap, const ContactMotion& motion,
                                 const PassRows& rows);
// Laws with a second pass, for AVX2: those with one bristle. Each takes a second to compile. Static laws take little time without it;
// elements of Maxwell-slip are fitted by linear least squares.
template <class Law>
inline constexpr bool has_wide_pass = requires(typename Law::State state) {
    state.z;
};
// The pass of a law, one for each row of the catalogue, and the number of derivatives that it can compute.
struct Pass {
    RespondFunction respond;
    std::size_t width;
};
Pass pass_of(const AnyLaw& law);

// The numbers of a law in the order of its table.
struct LawNumber {
    Parameter parameter;
    double value;
};
std::vector<LawNumber> numbers_of_law(const AnyLaw& law);
// The law with other numbers, in the order of its table.
AnyLaw with_numbers(const AnyLaw& law, std::span<const double> values);

}  // namespace bristle::identification
