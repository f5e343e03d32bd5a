// Dual numbers of a pass: a value and its derivatives, in vectors that fill registers.
//
// The same numbers as Dual<double, N> of the core, which keeps its derivatives in an array: compilers leave arrays in memory, and
// a pass over LuGre takes twice the time. Scalars of their own, and not a specialisation of Dual, because users may have the generic one.
// PassScalar is for every processor, WidePassScalar for AVX2: vectors of four doubles would be taken apart before the functions of a law
// are inlined, unless the operations are in functions for AVX2.
#pragma once
#include <bristle/relaxation.hpp>

#include "identify/instruction_set.hpp"

namespace bristle::inline identification {

#define BRISTLE_PASS_SCALAR PassScalar
#define BRISTLE_PASS_LANES 2  // one register of SSE2, NEON or WebAssembly
#define BRISTLE_PASS_VECTORS 5
#define BRISTLE_PASS_TARGET
#include "identify/response/pass_scalar.inc"
#undef BRISTLE_PASS_SCALAR
#undef BRISTLE_PASS_LANES
#undef BRISTLE_PASS_VECTORS
#undef BRISTLE_PASS_TARGET

#if BRISTLE_HAS_AVX2
#define BRISTLE_PASS_SCALAR WidePassScalar
#define BRISTLE_PASS_LANES 4
#define BRISTLE_PASS_VECTORS 2
#define BRISTLE_PASS_TARGET BRISTLE_AVX2
#include "identify/response/pass_scalar.inc"
#undef BRISTLE_PASS_SCALAR
#undef BRISTLE_PASS_LANES
#undef BRISTLE_PASS_VECTORS
#undef BRISTLE_PASS_TARGET
#endif

// Derivatives and numbers per sample of a pass with PassScalar: the value, then the derivatives.
inline constexpr std::size_t pass_width = PassScalar::width;
inline constexpr std::size_t pass_row_width = 1 + pass_width;

}  // namespace bristle::identification

namespace bristle {

template <>
inline constexpr int dual_depth<PassScalar> = 1;
#if BRISTLE_HAS_AVX2
template <>
inline constexpr int dual_depth<WidePassScalar> = 1;
#endif

}  // namespace bristle
