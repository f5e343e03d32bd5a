// bristle analyse: equilibria, limit cycles, branches, maps, basins, hysteresis.
#include <bristle/base/error.hpp>
#include "cli/locate.hpp"
#include "cli/output.hpp"
#include "cli/overrides.hpp"
#include "cli/verbs.hpp"
#include "cli/watch.hpp"
#include "base/files.hpp"
#include "report/figure/terminal.hpp"
#include "base/text.hpp"

#include <cstdio>
#include <unistd.h>

namespace bristle::cli {

namespace {

constexpr const char* default_folder = "bristle-out";

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
    if (asked) try {
            report::check_folder(folder);
        } catch (const Error& problem) {
            throw UsageError(problem.what());
        }
    report::Analysis analysis;
    report::Written written;
    {
        Watch watch(1);
        analysis = analysed(arguments, subject, watch);
        watch.check();
        if (asked) try {
                const std::string name = source.stem + "-" + report::name_of(arguments.request.asked);
                if (analysis.figure.panels.empty()) {
                    make(folder);
                    const Scratch scratch(folder);
                    save(scratch / (name + ".json"), report::text_of(analysis.json));
                    publish(scratch.path(), folder);
                    written = {{std::filesystem::path(folder) / (name + ".json")},
                               "no figure: there is nothing to draw"};
                } else {
                    written = report::write(analysis.figure, folder, name, {{".json", report::text_of(analysis.json)}});
                }
            } catch (const report::Interrupted&) {
                watch.check();
                throw;
            }
        watch.check(!written.files.empty());
    }
    print(arguments.json ? report::text_of(analysis.json) + "\n" : analysis.text);
    if (isatty(STDOUT_FILENO) == 1 && !arguments.json && !analysis.figure.panels.empty())
        if (const auto picture = report::drawn(analysis.figure, report::terminal_columns() - 1)) print(*picture);
    std::string note;
    for (const auto& file : written.files) note += " " + plain_text(file.filename().string());
    if (!note.empty()) note = "wrote" + note + " in " + plain_text(folder) + "\n";
    if (!written.note.empty()) note += written.note + "\n";
    if (arguments.json)
        std::fputs(note.c_str(), stderr);
    else
        print(note);
    return 0;
}

}  // namespace bristle::cli
