// Pictures of laws: the characteristic behaviour of each, with the parameters of Canudas de Wit et al. (1995) if they apply.
#pragma once
#include <bristle/bristle.hpp>
#include "report/figure/figure.hpp"
#include <optional>
#include <string>

// The picture of the law of that kind (a name of the catalogue); std::nullopt if none is defined.
std::optional<bristle::report::Figure> law_picture(const std::string& kind);
