// One picture per law: what characterises it, with the parameters of Canudas de Wit et al. (1995) where they apply.
#pragma once
#include <bristle/bristle.hpp>
#include "report/figure/figure.hpp"
#include <string>

// The picture of the law of that kind (a name of the catalogue). Throws Error for a kind without one.
bristle::report::Figure law_picture(const std::string& kind);
