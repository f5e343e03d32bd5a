// bristle analyse: equilibria, limit cycles, branches, maps, basins, hysteresis.
#include <bristle/base/error.hpp>
#include "cli/files.hpp"
#include "cli/locate.hpp"
#include "cli/output.hpp"
#include "cli/overrides.hpp"
#include "cli/verbs.hpp"
#include "cli/watch.hpp"
#include "report/figure/terminal.hpp"

#include <unistd.h>

namespace bristle::cli {

namespace {

report::Analysis analysed(const Analyse& arguments, const report::Subject& subject, Watch& watch) {
    std::optional<experiment::Experiment> other;
    if (!arguments.against.empty()) {
        other = experiment::read_for_law(parsed(locate(arguments.against)));
    }
    try {
        return report::analysis_of(arguments.request, subject, watch.progress(0, "analysing"), other);
    } catch (const experiment::Unreadable&) {
        throw;
    } catch (const Error& refused) {
        watch.check();
        throw UsageError("analyse: " + subject.name + ": " + refused.what());
    }
}

report::Written written(const report::Analysis& analysis, const std::string& json, const std::filesystem::path& folder,
                        const std::string& name) {
    if (!analysis.figure.panels.empty()) return report::write(analysis.figure, folder, name, {{".json", json}});
    report::Written out = report::write(folder, name, {{".json", json}});
    out.note = "no figure: there is nothing to draw";
    return out;
}

}  // namespace

int analyse(const Analyse& arguments) {
    const auto runs = choices(arguments.overrides);
    if (runs.size() > 1) throw UsageError("analyse: takes one experiment; give each --set one value");
    const bool every_law = arguments.experiment == "all" && arguments.request.asked == report::Asked::properties;
    const Source source = every_law ? Source{"", "all", {}, "all"} : locate(arguments.experiment);
    report::Subject subject{source.name};
    if (!every_law) subject.document = parsed(source, runs.front().all);
    const bool asked = arguments.plot || !arguments.out.empty();
    const std::string folder = arguments.out.empty() ? default_folder : arguments.out;
    if (asked) require_folder(folder);
    report::Analysis analysis;
    std::string json;
    Files output;
    {
        Watch watch(1);
        analysis = analysed(arguments, subject, watch);
        watch.check();
        const std::string name = source.stem + "-" + report::name_of(arguments.request.asked);
        if (asked || arguments.json) json = report::text_of(analysis.json) + "\n";
        if (asked) output = write_files(watch, [&] { return written(analysis, json, folder, name); });
    }
    print(arguments.json ? json : analysis.heading + analysis.text);
    if (isatty(STDOUT_FILENO) == 1 && !arguments.json && !analysis.figure.panels.empty())
        if (const auto picture = report::drawn(analysis.figure, report::terminal_columns() - 1)) print(*picture);
    print_note(arguments.json, in_words(output.written, folder));
    if (!output.failure.empty()) throw Error(output.failure);
    return 0;
}

}  // namespace bristle::cli
