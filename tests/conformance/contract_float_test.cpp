// The suite of contract.hpp over float, for controllers without double precision.
#include "contract.hpp"

namespace conformance {

using Laws = samples::Enough<float, testing::Types>;
INSTANTIATE_TYPED_TEST_SUITE_P(Float, Contract, Laws, samples::Names);

}  // namespace conformance
