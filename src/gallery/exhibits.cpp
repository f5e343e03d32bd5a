// Runs, analyses and pictures of the gallery, in parallel.
#include "gallery/exhibits.hpp"
#include "gallery/studies.hpp"
#include "base/files.hpp"
#include "report/run/result_figure.hpp"

#include <tbb/parallel_for_each.h>
#include <atomic>
#include <mutex>

namespace bristle::gallery {

namespace {

void run(report::Outcome& outcome, const Progress& progress) {
    try {
        outcome.result = experiment::simulate(outcome.experiment, progress);
        if (outcome.result.status != Status::done) outcome.failure = outcome.result.message;
    } catch (const Error& refused) {
        outcome.failure = refused.what();
    }
    outcome.judge();
}

using Loaded = std::map<std::string, experiment::Document>;

// The experiments of all figures, each parsed once. Throws Unreadable with the problems of all of them.
Loaded read_experiments(const Catalogue& catalogue, const Documents& documents, Exhibition& out) {
    Loaded loaded;
    std::vector<experiment::Diagnostic> diagnostics;
    for (const Paper& paper : catalogue.papers)
        for (const Figure& figure : paper.figures)
            for (const std::string& id : figure.runs) {
                if (out.outcomes.contains(id)) continue;
                report::Outcome& outcome = out.outcomes[id];
                try {
                    const auto& document = loaded.emplace(id, documents(id)).first->second;
                    if (document.name() != id) out.replaced[id] = document.name();
                    outcome.experiment = experiment::read(document);
                } catch (const experiment::Unreadable& problem) {
                    diagnostics.insert(diagnostics.end(), problem.diagnostics.begin(), problem.diagnostics.end());
                }
            }
    if (!diagnostics.empty()) throw experiment::Unreadable(diagnostics);
    return loaded;
}

// Draws pictures from several threads and keeps the first reason why one is missing.
class Studio {
  public:
    Studio(const std::optional<std::filesystem::path>& folder, Exhibition& out) : folder_(folder), out_(out) {}

    // The picture as SVG; empty if it could not be drawn.
    std::string drawing_of(const report::Figure& figure, const std::string& name) {
        try {
            if (report::write(figure, *folder_, name).note.empty()) return load(*folder_ / (name + ".svg"));
            note("gnuplot is not on PATH; install it and run this again", false);
        } catch (const report::Undrawn& problem) {
            note(problem.what(), true);
        } catch (const report::Interrupted&) {  // the whole run is about to be cancelled
        }
        return "";
    }
    void note(const std::string& reason, bool failed) {
        const std::lock_guard lock(mutex_);
        if (out_.note.empty()) out_.note = reason;
        out_.undrawn = out_.undrawn || failed;
    }

  private:
    const std::optional<std::filesystem::path>& folder_;
    Exhibition& out_;
    std::mutex mutex_;
};

struct Picture {
    Exhibit* exhibit;
    std::size_t panel;
};

// The exhibits with empty pictures, if there is a folder.
std::vector<Picture> hang(const Catalogue& catalogue, bool draws, Exhibition& out) {
    for (const Paper& paper : catalogue.papers)
        for (const Figure& figure : paper.figures) {
            out.exhibits.push_back({&paper, &figure, {}, std::vector<std::string>(draws ? figure.panels.size() : 0)});
            for (const std::string& id : figure.runs) out.exhibits.back().outcomes.push_back(&out.outcomes.at(id));
        }
    std::vector<Picture> pictures;
    for (Exhibit& exhibit : out.exhibits)
        for (std::size_t i = 0; i < exhibit.pictures.size(); ++i) pictures.push_back({&exhibit, i});
    return pictures;
}

void draw(const Picture& picture, Studio& studio) {
    const Figure& figure = *picture.exhibit->figure;
    const std::string name = picture_name(*picture.exhibit, picture.panel);
    const report::Figure drawing =
        report::panel_figure(picture.exhibit->outcomes, figure.labels, figure.panels[picture.panel]);
    if (drawing.panels[0].series.empty())
        studio.note(name + ": the runs have no such signals", false);
    else
        picture.exhibit->pictures[picture.panel] = studio.drawing_of(drawing, name);
}

}  // namespace

std::string picture_name(const Exhibit& exhibit, std::size_t panel) {
    return exhibit.paper->folder + "-" + exhibit.figure->name + "-" + std::to_string(panel + 1);
}
std::string picture_name(const StudyExhibit& exhibit, std::size_t panel) {
    return exhibit.paper->folder + "-" + exhibit.study->name + "-" + std::to_string(panel + 1);
}

std::size_t Exhibition::claims() const {
    std::size_t sum = 0;
    for (const auto& [id, outcome] : outcomes) sum += outcome.verdicts.size();
    for (const StudyExhibit& study : studies) sum += study.verdicts.size();
    return sum;
}
std::size_t Exhibition::failed() const {
    std::size_t sum = 0;
    for (const auto& [id, outcome] : outcomes) {
        if (outcome.failure) ++sum;
        for (const experiment::Verdict& verdict : outcome.verdicts) sum += !verdict.holds;
    }
    for (const StudyExhibit& study : studies) {
        sum += !study.message.empty();
        for (const StudyVerdict& verdict : study.verdicts) sum += !verdict.holds;
    }
    return sum;
}
std::size_t Exhibition::missing() const {
    std::size_t sum = 0;
    for (const Exhibit& exhibit : exhibits)
        for (const std::string& picture : exhibit.pictures) sum += picture.empty();
    for (const StudyExhibit& study : studies)
        for (const std::string& picture : study.pictures) sum += picture.empty();
    return sum;
}

Exhibition exhibit(const Catalogue& catalogue, const Documents& documents,
                   const std::optional<std::filesystem::path>& folder, const Completed& completed) {
    Exhibition out;
    const Loaded loaded = read_experiments(catalogue, documents, out);
    for (const Paper& paper : catalogue.papers)
        for (const Study& study : paper.studies) out.studies.push_back({&paper, &study});
    const std::vector<Picture> pictures = hang(catalogue, folder.has_value(), out);

    const std::size_t all = out.outcomes.size() + pictures.size() + out.studies.size();
    std::atomic<std::size_t> done = 0;
    std::atomic<bool> going = true;
    const auto finished = [&] {
        if (!completed(++done, all)) going = false;
    };
    const Progress progress = [&](double) -> bool { return going && completed(done, all); };
    tbb::parallel_for_each(out.outcomes, [&](auto& entry) {
        if (!going) return;
        run(entry.second, progress);
        finished();
    });
    Studio studio(folder, out);
    const auto document_of = [&](const std::string& id) {
        const auto found = loaded.find(id);
        return found == loaded.end() ? documents(id) : found->second;
    };
    tbb::parallel_for_each(out.studies, [&](StudyExhibit& study) {
        if (!going) return;
        carry_out(study, document_of, progress);
        const auto& shown = study.analysis.figure.panels;
        for (std::size_t i = 0; going && folder && i < shown.size(); ++i)
            study.pictures.push_back(studio.drawing_of(report::on_page(shown[i]), picture_name(study, i)));
        finished();
    });
    tbb::parallel_for_each(pictures, [&](const Picture& picture) {
        if (!going) return;
        draw(picture, studio);
        finished();
    });
    return out;
}

}  // namespace bristle::gallery
