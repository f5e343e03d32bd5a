// The suite of contract.hpp over float: controllers without a double unit.
#include "contract.hpp"

namespace conformance {

using Laws = samples::Enough<float, testing::Types>;
INSTANTIATE_TYPED_TEST_SUITE_P(Float, Contract, Laws, samples::Names);

}  // namespace conformance
