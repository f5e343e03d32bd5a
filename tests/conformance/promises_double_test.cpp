// The suite of promises.hpp over double.
#include "promises.hpp"

namespace conformance {

using Laws = samples::All<double, testing::Types>;
INSTANTIATE_TYPED_TEST_SUITE_P(Double, Promises, Laws, samples::Names);

}  // namespace conformance
