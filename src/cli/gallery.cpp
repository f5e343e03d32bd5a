// bristle gallery: every experiment of every paper, run, checked and drawn on one page.
#include "cli/files.hpp"
#include "cli/locate.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"
#include "cli/watch.hpp"
#include "gallery/page.hpp"
#include "report/figure/figure.hpp"
#include "base/files.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cstdio>
#include <map>

namespace bristle::cli {

namespace {

constexpr const char* gallery_folder = "bristle-gallery";

// The catalogue with that paper alone; all of it if none is named.
gallery::Catalogue chosen(const std::string& paper) {
    gallery::Catalogue all = gallery::shipped_catalogue();
    if (paper.empty()) return all;
    const auto is = [&](const gallery::Paper& one) { return one.key == paper || one.folder == paper; };
    if (std::none_of(all.papers.begin(), all.papers.end(), is)) {
        std::string keys;
        for (const gallery::Paper& one : all.papers) append_item(keys, one.key);
        throw UsageError("gallery: there is no paper '" + plain_text(paper) + "'; there are: " + keys);
    }
    std::erase_if(all.papers, [&](const gallery::Paper& one) { return !is(one); });
    std::erase_if(all.formulas, [&](const gallery::Formula& f) { return f.paper != all.papers.front().key; });
    return all;
}

// The experiments in the folder, by their ids. Throws UsageError if one has no shipped experiment to replace.
std::map<std::string, std::filesystem::path> replacements(const std::string& folder) {
    std::map<std::string, std::filesystem::path> out;
    std::error_code problem;
    if (folder.empty()) return out;
    if (!std::filesystem::is_directory(folder, problem))
        throw UsageError("gallery: --from " + plain_text(folder) + ": is not a folder");
    std::string strange;
    for (std::filesystem::recursive_directory_iterator entry(folder, problem), end; !problem && entry != end;
         entry.increment(problem)) {
        const std::filesystem::path& file = entry->path();
        if (file.extension() != ".toml") continue;
        const std::string id = file.lexically_relative(folder).replace_extension().generic_string();
        if (experiment::find_shipped(id))
            out[id] = file;
        else
            append_item(strange, plain_text(file.string()));
    }
    if (!strange.empty())
        throw UsageError("gallery: --from " + plain_text(folder) + ": no shipped experiment has the path of " +
                         strange + "; `bristle list` shows the ids, and astrom2008/fig4 is astrom2008/fig4.toml");
    if (problem) throw UsageError("gallery: --from " + plain_text(folder) + ": " + problem.message());
    if (out.empty()) throw UsageError("gallery: --from " + plain_text(folder) + ": has no .toml file");
    return out;
}

bool shows(const gallery::Catalogue& catalogue, const std::string& id) {
    for (const gallery::Paper& paper : catalogue.papers) {
        for (const gallery::Figure& figure : paper.figures)
            if (std::find(figure.runs.begin(), figure.runs.end(), id) != figure.runs.end()) return true;
        for (const gallery::Study& study : paper.studies)
            if (study.experiment == id) return true;
    }
    return false;
}

std::string in_words(const gallery::Exhibition& exhibition) {
    std::string out =
        exhibition.replaced.empty()
            ? ""
            : counted(exhibition.replaced.size(), "experiment is", "experiments are") + " not as shipped (--from)\n";
    out += std::to_string(exhibition.outcomes.size()) + " experiments, ";
    if (!exhibition.studies.empty()) out += counted(exhibition.studies.size(), "analysis, ", "analyses, ");
    out += std::to_string(exhibition.claims()) + " claims: ";
    return out + (exhibition.failed() == 0 ? "all hold\n" : std::to_string(exhibition.failed()) + " FAIL\n");
}

std::string in_words(const gallery::StudyVerdict& verdict) {
    const auto& [claim, measured, holds] = verdict;
    const report::ClaimParts parts = report::parts_of(claim->low, claim->high, measured);
    const std::string unit = claim->unit.empty() ? "" : " " + claim->unit;
    return claim->text + ": " + claim->pointer + (measured ? " = " + parts.measured + unit : " " + parts.measured) +
           ", not in [" + parts.low + ", " + parts.high + "]" + unit + " (" + claim->source + ")";
}

void print_failures(const gallery::Exhibition& exhibition) {
    for (const auto& [id, outcome] : exhibition.outcomes) {
        if (outcome.failure)
            std::fprintf(stderr, "bristle: %s: the run failed: %s\n", id.c_str(), outcome.failure->c_str());
        for (const experiment::Verdict& verdict : outcome.verdicts)
            if (!verdict.holds)
                std::fprintf(stderr, "bristle: %s: a claim fails: %s\n", id.c_str(),
                             report::claim_in_words(outcome.experiment, verdict).c_str());
    }
    for (const gallery::StudyExhibit& study : exhibition.studies) {
        const std::string name =
            study.study->experiment + " --" + std::string(report::name_of(study.study->request.asked));
        if (!study.message.empty())
            std::fprintf(stderr, "bristle: %s: the analysis failed: %s\n", name.c_str(), study.message.c_str());
        for (const gallery::StudyVerdict& verdict : study.verdicts)
            if (!verdict.holds)
                std::fprintf(stderr, "bristle: %s: a claim fails: %s\n", name.c_str(), in_words(verdict).c_str());
    }
}

}  // namespace

int gallery(const Gallery& arguments) {
    const gallery::Catalogue catalogue = chosen(arguments.paper);
    const auto replaced = replacements(arguments.from);
    if (!replaced.empty() &&
        std::none_of(replaced.begin(), replaced.end(), [&](const auto& one) { return shows(catalogue, one.first); }))
        throw UsageError("gallery: --from " + plain_text(arguments.from) + ": paper " + plain_text(arguments.paper) +
                         " shows none of its experiments");
    const bool draws = !arguments.json || !arguments.out.empty();
    const std::filesystem::path folder = arguments.out.empty() ? gallery_folder : arguments.out;
    // until the end of writing: a page is written with all its pictures or not at all
    std::optional<Watch> watch(1);
    if (draws) require_folder(folder);
    const auto document = [&](const std::string& id) -> experiment::Document {
        const auto file = replaced.find(id);
        if (file == replaced.end()) return {std::string(shipped_as(id).text), id, {}};
        return {contents(file->second.string()), file->second.string(), file->second.parent_path()};
    };
    gallery::Exhibition exhibition;
    std::optional<OutputFolder> created;
    std::optional<Scratch> scratch;
    if (draws) {
        created.emplace(folder);
        scratch.emplace(folder);
    }
    exhibition = gallery::exhibit(
        catalogue, document, draws ? std::optional(*scratch / "figures") : std::nullopt,
        [&](std::size_t done, std::size_t all) { return watch->report(done, all, "rerunning the papers"); });
    watch->check();
    if (draws) {
        save(*scratch / "gallery.json", gallery::json_text(gallery::json(catalogue, exhibition)));
        save(*scratch / "index.html", gallery::page(catalogue, exhibition));
        report::publish_figures(scratch->path(), folder);
    }
    watch->check(draws);
    scratch.reset();
    watch.reset();
    print(arguments.json ? gallery::json_text(gallery::json(catalogue, exhibition)) : in_words(exhibition));
    print_failures(exhibition);
    if (draws) {
        std::string where = "page: " + plain_text((folder / "index.html").string()) + "\n";
        if (exhibition.missing() > 0)
            where += std::to_string(exhibition.missing()) + " pictures are missing: " + exhibition.note + "\n";
        if (arguments.json)
            std::fputs(where.c_str(), stderr);
        else
            print(where);
    }
    return exhibition.failed() == 0 && !exhibition.undrawn ? 0 : 1;
}

}  // namespace bristle::cli
