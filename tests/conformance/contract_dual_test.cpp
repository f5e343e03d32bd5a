// The suite of contract.hpp over dual numbers: the same laws with derivatives.
#include "contract.hpp"

namespace conformance {

using Laws = samples::Enough<bristle::Dual<double, 2>, testing::Types>;
INSTANTIATE_TYPED_TEST_SUITE_P(Dual, Contract, Laws, samples::Names);

}  // namespace conformance
