// A law as the section [law] of an experiment file.
#pragma once
#include <bristle/simulate/law.hpp>

#include <string>

namespace bristle::experiment {

// The section, with [law.negative] if the directions differ. Read back it gives the same law. more: further lines of [law], such
// as a load. rotary: comments have the units of a rotary axis.
std::string law_section(const AnyLaw& law, const std::string& more = "", bool rotary = false);

// [[a, b], ...] as the key `points`, four points a line.
std::string points_text(const std::vector<std::pair<double, double>>& points);

}  // namespace bristle::experiment
