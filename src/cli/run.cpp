// bristle run: simulates an experiment, once or for several values, checks its claims, and reports.
#include <bristle/analyse/assessment.hpp>
#include "report/certificate/sentences.hpp"
#include "cli/files.hpp"
#include "cli/locate.hpp"
#include "cli/output.hpp"
#include "cli/overrides.hpp"
#include "cli/verbs.hpp"
#include "cli/watch.hpp"
#include "report/run/json.hpp"
#include "report/run/quantity.hpp"
#include "report/run/result_figure.hpp"
#include "report/figure/terminal.hpp"
#include "base/text.hpp"
#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace bristle::cli {

namespace {

using report::Outcome;

// Throws Unreadable with the problems of all runs, each reported once.
std::vector<Outcome> read_all(const Source& source, const std::vector<Choice>& runs) {
    std::vector<Outcome> all;
    std::vector<experiment::Diagnostic> diagnostics;
    const experiment::Document file = parsed(source);
    for (const Choice& choice : runs) try {
            experiment::Document document = file;
            document.apply(choice.all);
            all.push_back({experiment::read(document), choice.all, choice.varied, {}, {}});
        } catch (const experiment::Unreadable& problem) {
            for (const experiment::Diagnostic& one : problem.diagnostics)
                if (std::find(diagnostics.begin(), diagnostics.end(), one) == diagnostics.end())
                    diagnostics.push_back(one);
        }
    if (!diagnostics.empty()) throw experiment::Unreadable(diagnostics);
    return all;
}

// The first run whose breakaway is far above the level because of sigma1.
void warn_of_breakaway(const std::vector<Outcome>& outcomes) {
    for (const Outcome& outcome : outcomes)
        if (const auto found = breakaway(outcome.experiment.setup, outcome.result); found && found->is_high()) {
            const std::string text = report::sentence_of(*found, report::Units{&outcome.experiment});
            std::fprintf(stderr, "bristle: %s\n", report::in_words_of_axis(outcome.experiment, text).c_str());
            return;
        }
}

void simulate_all(std::vector<Outcome>& outcomes, Watch& watch) {
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        Outcome& outcome = outcomes[i];
        std::string which = outcome.experiment.name;
        if (!outcome.varied.empty()) which.append(" with ").append(report::label_of(outcome));
        try {
            outcome.result = experiment::simulate(outcome.experiment, watch.progress(i));
        } catch (const Error& refused) {
            throw UsageError(which + ": " + refused.what());
        }
        watch.check();
        const Result& result = outcome.result;
        if (result.status != Status::done) throw Error("the run of " + which + " failed: " + result.message);
        outcome.judge();
    }
}

std::string summaries(const std::vector<Outcome>& outcomes) {
    std::string out;
    for (const Outcome& outcome : outcomes) append_item(out, report::summary(outcome), "\n");
    return out;
}

// On standard error, so that a script that reads the data gets the reason for exit code 1, and the reason why claims did not
// contribute to it.
void print_failures(const std::vector<Outcome>& outcomes) {
    for (const Outcome& outcome : outcomes)
        for (const experiment::Verdict& verdict : outcome.verdicts)
            if (!verdict.holds)
                std::fprintf(stderr, "bristle: a claim fails: %s\n",
                             report::claim_in_words(outcome.experiment, verdict).c_str());
    for (const Outcome& outcome : outcomes)
        if (const std::string unchecked = report::unchecked_claims(outcome); !unchecked.empty())
            return void(std::fprintf(stderr, "bristle: %s\n", unchecked.c_str()));
}

}  // namespace

int run(const Run& arguments) {
    const bool data = arguments.json || arguments.csv, terminal = isatty(STDOUT_FILENO) == 1;
    const bool asked = arguments.plot || !arguments.out.empty();
    bool files = asked || (terminal && !data);
    const std::string folder = arguments.out.empty() ? default_folder : arguments.out;

    const Source source = locate(arguments.experiment);
    std::vector<Outcome> outcomes = read_all(source, choices(arguments.overrides));
    // before the run, which can take long
    std::string no_files;
    if (asked)
        require_folder(folder);
    else if (files)
        try {
            report::check_folder(folder);
        } catch (const Error& problem) {
            files = false;
            no_files = std::string("no files: ") + problem.what() + "; --out DIR writes elsewhere\n";
        }
    for (const Outcome& outcome : outcomes) {
        if (outcome.experiment.machine) continue;
        if (const auto warning = step_warning(outcome.experiment.setup)) {
            std::fprintf(stderr, "bristle: %s\n",
                         report::in_words_of_axis(outcome.experiment, report::sentence_of(*warning)).c_str());
            break;
        }
    }
    report::Figure figure;
    std::string json, csv;
    Files output;
    {
        Watch watch(outcomes.size());
        simulate_all(outcomes, watch);
        // thinned once, for the files and for the terminal; all points are in the CSV of the signals
        if (files || (terminal && !data)) figure = report::thinned(report::figure_of(outcomes)).figure;
        if (files || arguments.json) json = report::run_text(outcomes);
        if (files || arguments.csv) csv = report::signals_csv(outcomes);
        // files first: if the reader of the output ends early, a signal ends this program
        if (files)
            output = write_files(watch, [&] {
                return report::write(figure, folder, source.stem, {{".csv", csv}, {".json", json}});
            });
        watch.check(!output.written.files.empty());
    }
    warn_of_breakaway(outcomes);
    if (arguments.json)
        print(json);
    else if (arguments.csv)
        print(csv);
    else
        print(summaries(outcomes));
    if (terminal && !data)
        if (const auto picture = report::drawn(figure, report::terminal_columns() - 1)) print(*picture);
    print_note(data, in_words(output.written, folder) + no_files);
    if (data) print_failures(outcomes);
    if (!output.failure.empty()) throw Error(output.failure);
    return std::all_of(outcomes.begin(), outcomes.end(), [](const Outcome& o) { return o.holds(); }) ? 0 : 1;
}

}  // namespace bristle::cli
