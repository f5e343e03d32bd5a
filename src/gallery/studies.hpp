// Analyses of the gallery: carried out, and judged by the numbers in their JSON.
#pragma once
#include "gallery/exhibits.hpp"

namespace bristle::gallery {

// Fills in the analysis and its verdicts, or the message.
void carry_out(StudyExhibit& study, const report::Subject& subject, const Progress& progress);

// "bristle analyse astrom2008/fig6_b --continue law.sigma2=0.1:1"; with a file in place of the experiment where that is replaced.
std::string command(const Exhibition& exhibition, const Study& study);

}  // namespace bristle::gallery
