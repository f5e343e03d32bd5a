// The shipped experiments by id.
#include "experiment/experiment.hpp"

#include <algorithm>

namespace bristle::experiment {

const Shipped* find_shipped(std::string_view id) {
    const auto all = shipped();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Shipped& one) { return one.id == id; });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace bristle::experiment
