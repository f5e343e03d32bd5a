// The suite of guarantees.hpp over float: controllers without a double unit.
#include "guarantees.hpp"

namespace conformance {

using Laws = samples::Enough<float, testing::Types>;
INSTANTIATE_TYPED_TEST_SUITE_P(Float, Guarantees, Laws, samples::Names);

}  // namespace conformance
