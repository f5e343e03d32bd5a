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
        outcome.result = simulate(outcome.experiment.setup, progress);
    } catch (const Error& refused) {
        outcome.result.status = Status::refused;
        outcome.result.message = refused.what();
    }
    outcome.verdicts = experiment::judge(outcome.experiment, outcome.result);
}

struct Picture {
    Exhibit* exhibit;
    std::size_t panel;
};

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
        if (outcome.result.status != Status::done) ++sum;
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

Exhibition exhibit(const Catalogue& catalogue, const Origins& origins,
                   const std::optional<std::filesystem::path>& folder, const Told& told) {
    Exhibition out;
    std::size_t panels = 0;
    std::vector<experiment::Diagnostic> diagnostics;
    for (const Paper& paper : catalogue.papers)
        for (const Figure& figure : paper.figures) {
            if (folder) panels += figure.panels.size();
            for (const std::string& id : figure.runs) {
                if (out.outcomes.contains(id)) continue;
                report::Outcome& outcome = out.outcomes[id];
                const Origin origin = origins(id);
                if (origin.name != id) out.replaced[id] = origin.name;
                try {
                    outcome.experiment = experiment::read(origin.text, origin.name, origin.folder);
                } catch (const experiment::Unreadable& problem) {
                    diagnostics.insert(diagnostics.end(), problem.diagnostics.begin(), problem.diagnostics.end());
                }
            }
        }
    if (!diagnostics.empty()) throw experiment::Unreadable(diagnostics);
    std::atomic<std::size_t> done = 0;
    std::atomic<bool> going = true;
    for (const Paper& paper : catalogue.papers)
        for (const Study& study : paper.studies) out.studies.push_back({&paper, &study});
    const std::size_t all = out.outcomes.size() + panels + out.studies.size();
    const auto finished = [&] {
        if (!told(++done, all)) going = false;
    };
    tbb::parallel_for_each(out.outcomes, [&](auto& entry) {
        if (!going) return;
        run(entry.second, [&](double) -> bool { return going && told(done, all); });
        finished();
    });
    std::mutex mutex;  // for the notes
    const auto note_that = [&](const std::string& note, bool failed) {
        const std::lock_guard lock(mutex);
        if (out.note.empty()) out.note = note;
        out.undrawn = out.undrawn || failed;
    };
    // The picture; nothing where it could not be drawn, and then there is a note.
    const auto drawing_of = [&](const report::Figure& figure, const std::string& name) -> std::string {
        try {
            if (report::write(figure, *folder, name).note.empty()) return load(*folder / (name + ".svg"));
            note_that("gnuplot is not on PATH: install it and run this again", false);
        } catch (const report::Undrawn& problem) {
            note_that(problem.what(), true);
        } catch (const report::Interrupted&) {  // so are the others, and told is about to say so
        }
        return "";
    };
    tbb::parallel_for_each(out.studies, [&](StudyExhibit& study) {
        if (!going) return;
        const Origin origin = origins(study.study->experiment);
        carry_out(study, {origin.text, origin.name, origin.folder, {}},
                  [&](double) -> bool { return going && told(done, all); });
        const auto& shown = study.analysis.figure.panels;
        for (std::size_t i = 0; going && folder && i < shown.size(); ++i)
            study.pictures.push_back(drawing_of(report::on_page(shown[i]), picture_name(study, i)));
        finished();
    });
    std::vector<Picture> pictures;
    for (const Paper& paper : catalogue.papers)
        for (const Figure& figure : paper.figures) {
            out.exhibits.push_back({&paper, &figure, {}, std::vector<std::string>(folder ? figure.panels.size() : 0)});
            for (const std::string& id : figure.runs) out.exhibits.back().outcomes.push_back(&out.outcomes.at(id));
        }
    for (Exhibit& exhibit : out.exhibits)
        for (std::size_t i = 0; folder && i < exhibit.pictures.size(); ++i) pictures.push_back({&exhibit, i});
    tbb::parallel_for_each(pictures, [&](const Picture& picture) {
        if (!going) return;
        const Figure& figure = *picture.exhibit->figure;
        const std::string name = picture_name(*picture.exhibit, picture.panel);
        const report::Figure drawing =
            report::panel_figure(picture.exhibit->outcomes, figure.labels, figure.panels[picture.panel]);
        if (drawing.panels[0].series.empty())
            note_that(name + ": the runs have nothing to show there", false);
        else
            picture.exhibit->pictures[picture.panel] = drawing_of(drawing, name);
        finished();
    });
    return out;
}

}  // namespace bristle::gallery
