// The suite of promises.hpp over float: controllers without a double unit.
#include "promises.hpp"

namespace conformance {

using Laws = samples::Enough<float, testing::Types>;
INSTANTIATE_TYPED_TEST_SUITE_P(Float, Promises, Laws, samples::Names);

}  // namespace conformance
