// Progress of a long call, and its cancellation.
#pragma once
#include <functional>

namespace bristle {

// Called now and then with the fraction that is done, 0 to 1. Returning false cancels the call:
//   simulate()  returns the run up to there, with Status::cancelled
//   analyses    return what they found so far, marked as cancelled; without a result to return they throw Cancelled
// Worker threads may call it, one at a time. It must not depend on the thread that began the call.
using Progress = std::function<bool(double fraction)>;

}  // namespace bristle
