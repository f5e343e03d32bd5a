// bristle certify: what is proved about a law, before anything runs.
#include <bristle/simulate/error.hpp>
#include <cli/locate.hpp>
#include <cli/output.hpp>
#include <cli/overrides.hpp>
#include <cli/verbs.hpp>
#include <cli/watch.hpp>
#include <report/certificate.hpp>
#include <report/files.hpp>
#include <report/terminal.hpp>
#include <report/text.hpp>

#include <analyse/energy/counterexample.hpp>

#include <algorithm>
#include <cstdio>

namespace bristle::cli {

namespace {

using report::Certified;

analyse::Assessment assessed(const Certify& arguments, const simulate::Setup& setup) {
    try {
        return analyse::assess(setup, {arguments.dt, arguments.vmax});
    } catch (const Error& problem) {
        throw UsageError(std::string("certify: ") + problem.what());
    }
}

// The counterexample's file, run; of a long one the beginning too, with as many samples.
void replay(Certified& certified, Watch& watch) {
    const auto run = [&](experiment::Experiment experiment, int samples) {
        experiment.setup.run.samples = samples;
        report::Outcome out{std::move(experiment), {}, {}, {}, {}};
        out.result = simulate::simulate(out.experiment.setup, watch.progress(0));
        watch.check();
        return out;
    };
    const auto& example = *certified.assessment.certificate.passive.counterexample;
    const experiment::Experiment file = experiment::read(certified.counterexample, "counterexample.toml");
    certified.replay = run(file, 4001);
    constexpr std::size_t legs = 12;
    experiment::Experiment beginning = file;
    if (example.velocity.size() > 2 * legs) beginning.setup.run.duration = example.velocity[legs].first;
    certified.closer = run(beginning, 2001);
}

// Everything into a folder of our own, then at once to its place.
std::string write(const Certified& certified, const std::filesystem::path& folder) {
    report::make(folder);
    const report::Scratch scratch(folder);
    const auto figures = report::certificate_figures(certified);
    std::vector<std::string> pictures;
    std::string note;
    for (const auto& [name, caption, figure] : figures) {
        const std::string file = certified.stem + "-" + name;
        const report::Written written = report::write(figure, scratch / "figures", file);
        const auto picture = scratch / "figures" / (file + ".svg");
        pictures.push_back(std::filesystem::exists(picture) ? report::load(picture) : "");
        if (!written.note.empty()) note = written.note;
    }
    const std::string page = certified.stem + "-certificate.html", example = certified.stem + "-counterexample.toml";
    if (!certified.counterexample.empty()) report::save(scratch / example, certified.counterexample);
    report::save(scratch / (certified.stem + "-certificate.json"), report::certificate_json(certified));
    report::save(scratch / page, report::certificate_page(certified, figures, pictures));
    report::publish(scratch.path(), folder);
    std::string told = "page: " + report::plain((folder / page).string()) + "\n";
    if (!certified.counterexample.empty())
        told += "replay: bristle run " + report::plain((folder / example).string()) + "\n";
    return note.empty() ? told : told + note + "\n";
}

}  // namespace

int certify(const Certify& arguments) {
    const Source source = locate(arguments.experiment);
    const auto runs = choices(arguments.overrides);
    if (runs.size() > 1) throw UsageError("certify: one law at a time: give each --set one value");
    Certified certified;
    certified.stem = source.stem;
    certified.experiment = experiment::read_for_law(source.text, source.name, source.folder, runs.front().all);
    if (!arguments.out.empty()) try {
            report::check_folder(arguments.out);
        } catch (const Error& problem) {
            throw UsageError(problem.what());
        }
    std::string told;
    {
        Watch watch(1);
        certified.assessment = assessed(arguments, certified.experiment.setup);
        watch.check();
        if (const auto& example = certified.assessment.certificate.passive.counterexample) {
            certified.counterexample = analyse::experiment_text(certified.experiment.setup.law, *example);
            if (!arguments.out.empty()) replay(certified, watch);
        }
        if (!arguments.out.empty()) told = write(certified, arguments.out);
        watch.check(!told.empty());
    }
    if (arguments.json) {
        print(report::certificate_json(certified));
        std::fputs(told.c_str(), stderr);
    } else {
        const auto columns = std::size_t(std::clamp(report::terminal_columns() - 1, 60, 110));
        print(report::certificate_text(certified, columns) + (told.empty() ? "" : "\n" + told));
    }
    return 0;
}

}  // namespace bristle::cli
