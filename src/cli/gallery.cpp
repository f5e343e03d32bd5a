// bristle gallery: every experiment of every paper, run, judged and drawn on one page.
#include <cli/locate.hpp>
#include <cli/output.hpp>
#include <cli/verbs.hpp>
#include <cli/watch.hpp>
#include <gallery/page.hpp>
#include <report/figure.hpp>
#include <report/text.hpp>

#include <algorithm>
#include <cstdio>

namespace bristle::cli {

namespace {

constexpr const char* default_folder = "bristle-gallery";

// The catalogue with that paper alone; all of it if none is named.
gallery::Catalogue chosen(const std::string& paper) {
    gallery::Catalogue all = gallery::read(gallery::files());
    if (paper.empty()) return all;
    const auto is = [&](const gallery::Paper& one) { return one.key == paper || one.folder == paper; };
    if (std::none_of(all.papers.begin(), all.papers.end(), is)) {
        std::string keys;
        for (const gallery::Paper& one : all.papers) keys += (keys.empty() ? "" : ", ") + one.key;
        throw UsageError("gallery: there is no paper '" + report::plain(paper) + "'; there are: " + keys);
    }
    std::erase_if(all.papers, [&](const gallery::Paper& one) { return !is(one); });
    std::erase_if(all.formulas, [&](const gallery::Formula& f) { return f.paper != all.papers.front().key; });
    return all;
}

// The experiment of that id in the folder; the shipped one where there is none.
std::string text_of(const std::filesystem::path& folder, const std::string& id) {
    const std::filesystem::path file = folder / (id + ".toml");
    std::error_code problem;
    if (!folder.empty() && std::filesystem::exists(file, problem)) return contents(file.string());
    return std::string(shipped_as(id).text);
}

std::string in_words(const gallery::Exhibition& exhibition) {
    std::string out = std::to_string(exhibition.outcomes.size()) + " experiments, " +
                      std::to_string(exhibition.claims()) + " claims: ";
    return out + (exhibition.failed() == 0 ? "all hold\n" : std::to_string(exhibition.failed()) + " FAIL\n");
}

void tell_failures(const gallery::Exhibition& exhibition) {
    for (const auto& [id, outcome] : exhibition.outcomes) {
        if (outcome.result.status != simulate::Status::done)
            std::fprintf(stderr, "bristle: %s: the run failed: %s\n", id.c_str(), outcome.result.message.c_str());
        for (const experiment::Verdict& verdict : outcome.verdicts)
            if (!verdict.holds)
                std::fprintf(stderr, "bristle: %s: a claim fails: %s\n", id.c_str(),
                             report::claim_in_words(verdict).c_str());
    }
}

}  // namespace

int gallery(const Gallery& arguments) {
    const gallery::Catalogue catalogue = chosen(arguments.paper);
    std::error_code problem;
    if (!arguments.from.empty() && !std::filesystem::is_directory(arguments.from, problem))
        throw UsageError("gallery: --from " + report::plain(arguments.from) + ": there is no such folder");
    const bool draws = !arguments.json || !arguments.out.empty();
    const std::filesystem::path folder = arguments.out.empty() ? default_folder : arguments.out;
    if (draws) try {
            report::check_folder(folder);
        } catch (const Error& failure) {
            throw UsageError(failure.what());
        }
    gallery::Exhibition exhibition;
    {
        Watch watch(1);
        exhibition = gallery::exhibit(
            catalogue, [&](const std::string& id) { return text_of(arguments.from, id); },
            draws ? std::optional(folder / "figures") : std::nullopt,
            [&](std::size_t done, std::size_t all) { return watch.tell(done, all, "rerunning the papers"); });
        watch.check();
    }
    const std::string data = gallery::json(catalogue, exhibition);
    if (draws)
        report::write_texts(folder, {{"gallery.json", data}, {"index.html", gallery::page(catalogue, exhibition)}});
    print(arguments.json ? data : in_words(exhibition));
    tell_failures(exhibition);
    if (draws) {
        std::string where = "page: " + report::plain((folder / "index.html").string()) + "\n";
        if (exhibition.missing() > 0)
            where += std::to_string(exhibition.missing()) + " pictures are missing: " + exhibition.note + "\n";
        if (arguments.json)
            std::fputs(where.c_str(), stderr);
        else
            print(where);
    }
    return exhibition.failed() == 0 ? 0 : 1;
}

}  // namespace bristle::cli
