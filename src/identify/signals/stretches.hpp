// Sequences of marked rows.
#pragma once
#include <cstddef>

namespace bristle::inline identification {

// Calls visit(begin, end) for each sequence of marked rows.
template <class Marked, class Visit>
void for_each_stretch(std::size_t n, const Marked& marked, const Visit& visit) {
    for (std::size_t i = 0; i < n; ++i) {
        if (!marked(i)) continue;
        const std::size_t begin = i;
        while (i < n && marked(i)) ++i;
        visit(begin, i);
    }
}

}  // namespace bristle::identification
