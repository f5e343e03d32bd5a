// bristle certify: verdicts on a law, without a run.
#include <bristle/base/error.hpp>
#include "cli/files.hpp"
#include "cli/locate.hpp"
#include "cli/output.hpp"
#include "cli/overrides.hpp"
#include "cli/page_files.hpp"
#include "cli/verbs.hpp"
#include "experiment/rotary.hpp"
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

report::Written write(const Certified& certified, const std::string& json, const std::filesystem::path& folder) {
    const auto figures = report::certificate_figures(certified);
    PageFiles files(folder, certified.stem, figures);
    if (certified.counterexample.empty())
        files.leave_out(example_name(certified));
    else
        files.put(example_name(certified), certified.counterexample);
    files.put(json_name(certified), json);
    files.put(page_name(certified), report::certificate_page(certified, figures, files.pictures()));
    return files.publish(report::certificate_figure_names);
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
    if (!arguments.out.empty()) require_folder(arguments.out);
    Files output;
    std::string json;
    {
        Watch watch(1);
        certified.assessment = assessed(arguments, certified.experiment.setup, watch);
        watch.check();
        if (const auto& example = certified.assessment.certificate.passive.counterexample) {
            auto experiment = report::experiment_of(certified.experiment.setup.law, *example);
            experiment.rotary = has_rotary_units(certified.experiment);
            certified.no_file = report::problem_of(experiment);
            if (!certified.no_file) {
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
