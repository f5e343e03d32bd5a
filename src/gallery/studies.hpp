// Analyses of the gallery: carried out, judged by the numbers in their JSON, and drawn.
#pragma once
#include <gallery/exhibits.hpp>

namespace bristle::gallery {

inline constexpr const char* no_gnuplot = "gnuplot is not on PATH: install it and run this again";

// Fills in the analysis and its verdicts, or the message.
void carry_out(StudyExhibit& study, const report::Subject& subject, const report::Progress& progress);

// Whether there is anything to draw.
bool draws(const StudyExhibit& study);

// Puts the picture into the folder and the exhibit; a sentence where that was not possible.
std::string draw(StudyExhibit& study, const std::filesystem::path& folder);

// "bristle analyse astrom2008/fig6_b --continue law.sigma2=0.1:1"
std::string command(const Study& study);

}  // namespace bristle::gallery
