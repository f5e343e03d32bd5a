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

// One law with what was written about it.
struct Done {
    Certified certified;
    report::Json json;
    Files output;
    std::string places;
};
Done done_with(const Certify& arguments, const experiment::Experiment& law, const std::string& stem,
               const std::vector<experiment::Override>& overrides, Watch& watch) {
    Done done;
    Certified& certified = done.certified;
    certified.experiment = law;
    certified.stem = stem;
    certified.overrides = overrides;
    certified.assessment = assessed(arguments, law.setup, watch);
    watch.check();
    if (const auto& example = certified.assessment.certificate.passive.counterexample) {
        auto experiment = report::experiment_of(law.setup.law, *example);
        experiment.rotary = has_rotary_units(law);
        certified.no_file = report::problem_of(experiment);
        if (!certified.no_file) {
            certified.counterexample = report::experiment_text(experiment, *example);
            if (!arguments.out.empty()) replay(certified, experiment, watch);
        }
    }
    done.json = report::certificate_json(certified);
    if (!arguments.out.empty())
        done.output =
            write_files(watch, [&] { return write(certified, report::text_of(done.json) + '\n', arguments.out); });
    done.places = places(certified, done.output.written, arguments.out);
    return done;
}

// The stem of the files of each law. Contacts whose names give one stem have their number behind it.
std::vector<std::string> stems_of(const experiment::Experiment& file, const std::string& stem) {
    if (!file.machine) return {stem};
    std::vector<std::string> stems;
    for (const ContactPart& contact : file.machine->contacts) {
        std::string own = safe_stem(stem + "-" + contact.name);
        while (std::find(stems.begin(), stems.end(), own) != stems.end()) own += "-" + std::to_string(stems.size() + 1);
        stems.push_back(std::move(own));
    }
    return stems;
}

// The JSON of one law, or of a machine with its contacts by name.
std::string json_of(const experiment::Experiment& file, const std::vector<Done>& all) {
    if (!file.machine) return report::text_of(all.front().json) + '\n';
    report::Json contacts = report::Json::object();
    for (std::size_t i = 0; i < all.size(); ++i) contacts[file.machine->contacts[i].name] = all[i].json;
    return report::text_of(report::Json{{"name", file.name}, {"title", file.title}, {"contacts", contacts}}) + '\n';
}

}  // namespace

int certify(const Certify& arguments) {
    const Source source = locate(arguments.experiment);
    const auto runs = choices(arguments.overrides);
    if (runs.size() > 1) throw UsageError("certify: takes one file; give each --set one value");
    const std::vector<experiment::Override>& overrides = runs.front().all;
    const experiment::Experiment file = experiment::read_for_law(parsed(source, overrides));
    std::vector<experiment::Experiment> laws{file};
    if (file.machine) try {
            laws = experiment::contact_laws(file);
        } catch (const Error& problem) {
            throw UsageError(std::string("certify: ") + problem.what());
        }
    if (laws.empty()) throw UsageError("certify: this machine has no contact, and so no law");
    if (!arguments.out.empty()) require_folder(arguments.out);
    std::vector<Done> all;
    {
        Watch watch(1);
        const std::vector<std::string> stems = stems_of(file, source.stem);
        for (std::size_t i = 0; i < laws.size(); ++i)
            all.push_back(done_with(arguments, laws[i], stems[i], overrides, watch));
    }
    if (arguments.json) print(json_of(file, all));
    const auto columns = report::text_columns();
    for (const Done& done : all) {
        if (arguments.json)
            std::fputs(done.places.c_str(), stderr);
        else
            print((&done == &all.front() ? "" : "\n") + report::certificate_text(done.certified, columns) +
                  (done.places.empty() ? "" : "\n" + done.places));
        if (!done.output.failure.empty()) throw Error(done.output.failure);
    }
    return 0;
}

}  // namespace bristle::cli
