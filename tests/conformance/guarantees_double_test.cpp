// The suite of guarantees.hpp over double.
#include "guarantees.hpp"

namespace conformance {

using Laws = samples::All<double, testing::Types>;
INSTANTIATE_TYPED_TEST_SUITE_P(Double, Guarantees, Laws, samples::Names);

}  // namespace conformance
