// Analyses of the gallery, judged by the numbers in their JSON.
#pragma once
#include "gallery/exhibits.hpp"

namespace bristle::gallery {

// Runs the analysis of an exhibit and stores its result and verdicts, or the message of its failure.
void carry_out(StudyExhibit& study, const Documents& documents, const Progress& progress);

// "bristle analyse astrom2008/fig6_b --continue law.sigma2=0.1:1"; with a file in place of the experiment if that is replaced.
std::string command(const Exhibition& exhibition, const Study& study);

}  // namespace bristle::gallery
