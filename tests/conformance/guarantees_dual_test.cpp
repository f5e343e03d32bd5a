// The suite of guarantees.hpp over dual numbers: the same laws with derivatives.
#include "guarantees.hpp"

namespace conformance {

using Laws = samples::Enough<bristle::Dual<double, 2>, testing::Types>;
INSTANTIATE_TYPED_TEST_SUITE_P(Dual, Guarantees, Laws, samples::Names);

}  // namespace conformance
