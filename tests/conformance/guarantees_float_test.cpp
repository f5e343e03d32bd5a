// The suite of guarantees.hpp over float, for controllers without double precision.
#include "guarantees.hpp"

namespace conformance {

using Laws = samples::Enough<float, testing::Types>;
INSTANTIATE_TYPED_TEST_SUITE_P(Float, Guarantees, Laws, samples::Names);

}  // namespace conformance
