// The names of a key.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>

namespace bristle::experiment {

// law.negative.Fc has three names, and so has body[1].x. No experiment nests deeper than `capacity`. The names refer to the text of the
// key.
struct Path {
    static constexpr std::size_t capacity = 8;
    std::string_view names[capacity];
    std::size_t size = 0;
    bool sound = true;  // no empty name, and not too many

    explicit Path(std::string_view key) {
        for (std::size_t from = 0; from <= key.size();) {
            const std::size_t end = std::min(key.find_first_of(".[", from + 1), key.size());
            sound = sound && end > from && key[from] != '.' && size < capacity;
            if (!sound) return;
            names[size++] = key.substr(from, end - from);
            from = end + (end == key.size() || key[end] == '.');
        }
    }
    // The last name; empty if there is none.
    std::string_view last() const { return size > 0 ? names[size - 1] : std::string_view(); }
    // The names from index i on, joined as in the key; empty if there are fewer.
    std::string_view rest(std::size_t i) const {
        return i < size
                   ? std::string_view(names[i].data(), std::size_t(last().data() - names[i].data()) + last().size())
                   : std::string_view();
    }
    bool is(std::string_view section, std::string_view name) const {
        return size == 2 && names[0] == section && names[1] == name;
    }
};

// Returns the index of the part that a name of a key means: its own name, or its number as in [2]; the number of parts if there is none.
template <class Parts>
std::size_t place_of(const Parts& parts, std::string_view name) {
    std::size_t i = 0;
    while (i < parts.size() && parts[i].name != name && name != "[" + std::to_string(i + 1) + "]") ++i;
    return i;
}

}  // namespace bristle::experiment
