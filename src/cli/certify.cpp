// bristle certify: verdicts on a law, without a run.
#include <bristle/base/error.hpp>
#include "cli/files.hpp"
#include "cli/locate.hpp"
#include "cli/output.hpp"
#include "cli/overrides.hpp"
#include "cli/verbs.hpp"
#include "cli/watch.hpp"
#include "report/certificate/certificate.hpp"
#include "report/certificate/counterexample_file.hpp"
#include "base/files.hpp"
#include "report/figure/terminal.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cstdio>

namespace bristle::cli {

namespace {

using report::Certified;

Assessment assessed(const Certify& arguments, const Setup& setup, Watch& watch) {
    const auto should_continue = [progress = watch.progress(0, "certifying")] { return progress(0); };
    try {
        return assess(setup, {arguments.dt, arguments.vmax, should_continue});
    } catch (const Error& problem) {
        watch.check();
        throw UsageError(std::string("certify: ") + problem.what());
    }
}

// Runs the counterexample and records its first legs one by one.
void replay(Certified& certified, const experiment::Experiment& file, Watch& watch) {
    const auto& example = *certified.assessment.certificate.passive.counterexample;
    report::Outcome out{file, {}, {}, {}, {}};
    out.experiment.setup.run.samples = 4001;
    out.result = simulate(out.experiment.setup, watch.progress(0));
    watch.check();
    certified.replay = std::move(out);
    constexpr std::size_t max_legs = 16;
    constexpr int samples_per_leg = 100;
    certified.begin = counterexample::replay_legs(certified.experiment.setup.law, example, max_legs, samples_per_leg);
}

std::string page_name(const Certified& certified) { return certified.stem + "-certificate.html"; }
std::string json_name(const Certified& certified) { return certified.stem + "-certificate.json"; }
std::string example_name(const Certified& certified) { return certified.stem + "-counterexample.toml"; }

// Writes all files into a scratch folder, then moves them to their place. Throws Undrawn after that if gnuplot failed.
report::Written write(const Certified& certified, const std::string& json, const std::filesystem::path& folder) {
    const OutputFolder created(folder);
    const Scratch scratch(folder);
    const auto figures = report::certificate_figures(certified);
    std::vector<std::string> drawings;
    report::Written written;
    std::string failure;
    for (const auto& [name, caption, figure] : figures) {
        const std::string file = certified.stem + "-" + name;
        try {
            const std::string note = report::write(figure, scratch / "figures", file).note;
            if (!note.empty()) written.note = note;
        } catch (const report::Undrawn& problem) {
            failure = problem.what();
        }
        const auto picture = scratch / "figures" / (file + ".svg");
        drawings.push_back(std::filesystem::exists(picture) ? load(picture) : "");
    }
    const auto put = [&](const std::string& name, const std::string& text) {
        save(scratch / name, text);
        written.files.push_back(folder / name);
    };
    if (!certified.counterexample.empty()) put(example_name(certified), certified.counterexample);
    put(json_name(certified), json);
    put(page_name(certified), report::certificate_page(certified, figures, drawings));
    report::publish_figures(scratch.path(), folder);
    std::error_code ignored;
    if (certified.counterexample.empty()) std::filesystem::remove(folder / example_name(certified), ignored);
    for (const char* name : report::certificate_figure_names)
        if (std::none_of(figures.begin(), figures.end(), [&](const auto& one) { return one.name == name; }))
            report::remove_figure(folder / "figures", certified.stem + "-" + name);
    if (!failure.empty()) throw report::Undrawn(failure, written);
    return written;
}

// Names the page and the command that replays the counterexample; empty if nothing was written.
std::string places(const Certified& certified, const report::Written& written, const std::filesystem::path& folder) {
    if (written.files.empty()) return "";
    std::string out = "page: " + plain_text((folder / page_name(certified)).string()) + "\n";
    if (!certified.counterexample.empty())
        out += "replay: bristle run " + plain_text((folder / example_name(certified)).string()) + "\n";
    return written.note.empty() ? out : out + written.note + "\n";
}

}  // namespace

int certify(const Certify& arguments) {
    const Source source = locate(arguments.experiment);
    const auto runs = choices(arguments.overrides);
    if (runs.size() > 1) throw UsageError("certify: takes one law; give each --set one value");
    Certified certified;
    certified.stem = source.stem;
    certified.overrides = runs.front().all;
    certified.experiment = experiment::read_for_law(parsed(source, runs.front().all));
    if (!arguments.out.empty()) try {
            report::check_folder(arguments.out);
        } catch (const Error& problem) {
            throw UsageError(problem.what());
        }
    Files output;
    std::string json;
    {
        Watch watch(1);
        certified.assessment = assessed(arguments, certified.experiment.setup, watch);
        watch.check();
        if (const auto& example = certified.assessment.certificate.passive.counterexample) {
            const auto experiment = report::experiment_of(certified.experiment.setup.law, *example);
            certified.not_a_file = report::problem_of(experiment);
            if (certified.not_a_file.empty()) {
                certified.counterexample = report::experiment_text(experiment, *example);
                if (!arguments.out.empty()) replay(certified, experiment, watch);
            }
        }
        if (arguments.json || !arguments.out.empty())
            json = report::text_of(report::certificate_json(certified)) + '\n';
        if (!arguments.out.empty()) output = write_files(watch, [&] { return write(certified, json, arguments.out); });
    }
    const std::string written = places(certified, output.written, arguments.out);
    if (arguments.json) {
        print(json);
        std::fputs(written.c_str(), stderr);
    } else {
        const auto columns = std::size_t(std::clamp(report::terminal_columns() - 1, 60, 110));
        print(report::certificate_text(certified, columns) + (written.empty() ? "" : "\n" + written));
    }
    if (!output.failure.empty()) throw Error(output.failure);
    return 0;
}

}  // namespace bristle::cli
