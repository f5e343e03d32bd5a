// The suite of contract.hpp over double.
#include "contract.hpp"

namespace conformance {

using Laws = samples::All<double, testing::Types>;
INSTANTIATE_TYPED_TEST_SUITE_P(Double, Contract, Laws, samples::Names);

}  // namespace conformance
