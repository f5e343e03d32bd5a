// The gallery as one self-contained HTML page (pictures inline, nothing from the network, no script) and as JSON.
#pragma once
#include "gallery/exhibits.hpp"

namespace bristle::gallery {

std::string page(const Catalogue& catalogue, const Exhibition& exhibition);
std::string json(const Catalogue& catalogue, const Exhibition& exhibition);

}  // namespace bristle::gallery
