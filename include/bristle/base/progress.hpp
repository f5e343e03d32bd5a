// Progress of a long call, and its cancellation.
#pragma once
#include <functional>

namespace bristle {

// Called now and then with the fraction that is done, 0 to 1. Returning false cancels the call.
using Progress = std::function<bool(double fraction)>;

}  // namespace bristle
