// Exceptions of the compiled libraries. what() is one sentence for the user. The core does not throw.
#pragma once
#include <stdexcept>

namespace bristle {

struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// An analysis was cancelled by its caller before it had a result.
struct Cancelled : Error {
    Cancelled() : Error("cancelled") {}
};

}  // namespace bristle
