// Files of a page with pictures: draws them in a scratch folder, then moves all files to their place and removes those of earlier runs.
#include "cli/page_files.hpp"

namespace bristle::cli {

PageFiles::PageFiles(std::filesystem::path folder, std::string stem, const std::vector<report::NamedFigure>& figures)
    : folder_(std::move(folder)), stem_(std::move(stem)), created_(folder_), scratch_(folder_) {
    for (const auto& [name, caption, figure] : figures) {
        const std::string file = stem_ + "-" + name;
        try {
            const std::string note = report::write(figure, scratch_ / "figures", file).note;
            if (!note.empty()) written_.note = note;
        } catch (const report::Undrawn& problem) {
            failure_ = problem.what();
        }
        const auto picture = scratch_ / "figures" / (file + ".svg");
        pictures_.push_back(std::filesystem::exists(picture) ? load(picture) : "");
    }
}

void PageFiles::put(const std::string& name, const std::string& text) {
    save(scratch_ / name, text);
    written_.files.push_back(folder_ / name);
}

report::Written PageFiles::publish(std::span<const char* const> figure_names) {
    std::vector<std::filesystem::path> old;
    for (const std::string& name : left_out_) old.push_back(folder_ / name);
    for (const char* name : figure_names)
        for (auto& file : report::files_of_figure(folder_ / "figures", stem_ + "-" + name))
            old.push_back(std::move(file));
    report::publish_figures(scratch_.path(), folder_, std::move(old));
    if (!failure_.empty()) throw report::Undrawn(failure_, written_);
    return written_;
}

}  // namespace bristle::cli
