// Instruction set of the inner loops of a fit, chosen at run time: AVX2 with FMA if the processor has both, else the baseline.
//
// A loop is written once and compiled twice: as it is, and inlined whole into a function with BRISTLE_AVX2_FUNCTION. Functions that other
// files share are inlined there too, so none of them contains AVX2 instructions of its own. Both give the same numbers up to rounding.
// g++ on x86-64 only: clang does not inline recursively into a function with another target.
#pragma once

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
#define BRISTLE_HAS_AVX2 1
#define BRISTLE_AVX2 [[gnu::target("avx2,fma")]]
#define BRISTLE_AVX2_FUNCTION [[gnu::target("avx2,fma"), gnu::flatten]]
#else
#define BRISTLE_HAS_AVX2 0
#endif

namespace bristle::inline identification {

// True if AVX2 functions are called.
bool uses_avx2();

// While an object exists, the baseline is called in all threads: for tests that compare both.
class BaselineOnly {
  public:
    BaselineOnly();
    ~BaselineOnly();
    BaselineOnly(const BaselineOnly&) = delete;
    BaselineOnly& operator=(const BaselineOnly&) = delete;
};

}  // namespace bristle::identification
