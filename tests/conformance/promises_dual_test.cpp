// The suite of promises.hpp over dual numbers: the same laws while they are being differentiated.
#include "promises.hpp"

namespace conformance {

using Laws = samples::Enough<bristle::Dual<double, 2>, testing::Types>;
INSTANTIATE_TYPED_TEST_SUITE_P(Dual, Promises, Laws, samples::Names);

}  // namespace conformance
