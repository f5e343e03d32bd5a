// The gallery as one self-contained HTML page (pictures inline, nothing from the network, no script) and as JSON.
#pragma once
#include "gallery/exhibits.hpp"

namespace bristle::gallery {

std::string page(const Catalogue& catalogue, const Exhibition& exhibition);
report::Json json(const Catalogue& catalogue, const Exhibition& exhibition);
// Its text: one line for each member, and for each claim.
std::string json_text(const report::Json& json);

}  // namespace bristle::gallery
