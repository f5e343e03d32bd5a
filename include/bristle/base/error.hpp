// What the hosted parts throw: one sentence for the person at the keyboard. The core never throws.
#pragma once
#include <stdexcept>

namespace bristle {

struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace bristle
