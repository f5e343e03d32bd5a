// The processor's instruction set, asked for once.
#include "identify/instruction_set.hpp"

#include <atomic>

namespace bristle::inline identification {

namespace {

std::atomic<int> baseline_objects = 0;

}  // namespace

bool uses_avx2() {
#if BRISTLE_HAS_AVX2
    static const bool has_it = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return has_it && baseline_objects == 0;
#else
    return false;
#endif
}

BaselineOnly::BaselineOnly() { ++baseline_objects; }
BaselineOnly::~BaselineOnly() { --baseline_objects; }

}  // namespace bristle::identification
