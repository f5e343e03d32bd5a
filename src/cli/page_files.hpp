// The files of a page with pictures: written into a scratch folder and moved to their place together, so that nothing half-written stays.
#pragma once
#include "base/files.hpp"
#include "report/figure/figure.hpp"

#include <span>

namespace bristle::cli {

class PageFiles {
  public:
    // Draws the figures as folder/figures/STEM-name.
    PageFiles(std::filesystem::path folder, std::string stem, const std::vector<report::NamedFigure>& figures);

    // SVG text in the order of the figures, empty if there is none.
    const std::vector<std::string>& pictures() const { return pictures_; }
    void put(const std::string& name, const std::string& text);
    // A file that an earlier call may have left is removed.
    void leave_out(const std::string& name) { left_out_.push_back(name); }
    // Moves all files to their place and removes old figures of the names given; a kill leaves all old or all new files. Throws Undrawn after that if gnuplot failed.
    report::Written publish(std::span<const char* const> figure_names);

  private:
    std::filesystem::path folder_;
    std::string stem_;
    OutputFolder created_;
    Scratch scratch_;
    std::vector<std::string> pictures_, left_out_;
    report::Written written_;
    std::string failure_;  // of gnuplot; empty: none
};

}  // namespace bristle::cli
