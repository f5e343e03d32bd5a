// bristle fit: friction laws from a measured record.
#include "base/files.hpp"
#include "base/text.hpp"
#include "cli/files.hpp"
#include "cli/fit_map.hpp"
#include "cli/fit_problems.hpp"
#include "cli/locate.hpp"
#include "cli/output.hpp"
#include "cli/page_files.hpp"
#include "cli/verbs.hpp"
#include "cli/watch.hpp"
#include "report/figure/terminal.hpp"
#include "report/fit/fit_report.hpp"

#include <algorithm>
#include <cstdio>

namespace bristle::cli {

namespace {

using report::FitReport;

// Calls `work` and turns its Error into a UsageError, because the record or the options are wrong; throws Stopped after a signal.
template <class Work>
void checked(const Watch& watch, const Work& work) {
    std::vector<std::string> messages;
    try {
        return work();
    } catch (const RecordError& error) {
        messages = {joined_problems(error.problems)};
    } catch (const FitProblems& error) {
        messages = error.sentences;
    } catch (const Error& error) {
        messages = {error.what()};
    }
    watch.check();
    std::string text;
    for (const std::string& one : messages) append_item(text, "fit: " + one, "\n");
    throw UsageError(text);
}

std::vector<std::string> names_of(const std::vector<std::filesystem::path>& files) {
    std::vector<std::string> out;
    for (const auto& file : files) out.push_back(file.string());
    return out;
}

// Reads, fits, certifies, predicts.
FitReport report_of(const Fit& arguments, const experiment::FitMap& request, Watch& watch) {
    FitReport out;
    out.options = request.options;
    std::vector<std::filesystem::path> files, others;
    checked(watch, [&] {
        files = matching_files(arguments.records);
        if (!arguments.predict.empty()) others = matching_files(arguments.predict);
        out.stem = name_of_output(files);
        const Record record = read_record(files, request.map, watch.progress(0, "reading"));
        watch.check();
        out.record = report::summary_of(record, names_of(files));
        if (arguments.check) {
            out.check = check_record(record, request.options, watch.progress(0, "checking"));
            watch.check();
            out.result.outlook = out.check->outlook;
            out.result.next = out.check->outlook.next;
            out.result.findings = out.check->findings;
            out.result.traces = std::move(out.check->traces);
            out.result.method = out.check->method;
            out.result.rotary = record.rotary;
            out.result.static_points = out.check->static_points;
            return;
        }
        out.result = bristle::fit(record, request.options, watch.progress(0, "fitting"));
        watch.check();
        for (const auto& file : others) {
            if (!out.is_converged()) break;
            const Record other = read_record({file}, request.map, watch.progress(0, "predicting"));
            watch.check();
            out.predictions.push_back(
                {file.string(), bristle::predict(out.result.best(), other, request.options, out.result.method)});
        }
        report::certify_fit(out, [progress = watch.progress(0, "certifying")] { return progress(1); });
    });
    watch.check();
    return out;
}

report::Written write_check(const FitReport& fit, const std::string& json, const std::filesystem::path& folder) {
    const auto figures = report::check_figures(fit);
    PageFiles files(folder, fit.stem, figures);
    files.put(report::check_json_name(fit), json);
    files.put(report::check_page_name(fit), report::check_page(fit, figures, files.pictures()));
    return files.publish(report::check_figure_names);
}

report::Written write(const FitReport& fit, const std::string& json, const std::filesystem::path& folder) {
    if (fit.check) return write_check(fit, json, folder);
    const auto figures = report::fit_figures(fit);
    PageFiles files(folder, fit.stem, figures);
    const std::string law = report::fit_law_file(fit);
    if (law.empty())
        files.leave_out(report::fit_law_name(fit));
    else
        files.put(report::fit_law_name(fit), law);
    files.put(report::fit_table_name(fit), report::fit_csv(fit));
    files.put(report::fit_json_name(fit), json);
    files.put(report::fit_page_name(fit), report::fit_page(fit, figures, files.pictures(), law));
    return files.publish(report::fit_figure_names);
}

// Names the page and the law; empty if nothing was written.
std::string places(const FitReport& fit, const report::Written& written, const std::filesystem::path& folder) {
    if (written.files.empty()) return "";
    const std::string page = fit.check ? report::check_page_name(fit) : report::fit_page_name(fit);
    std::string out = "page: " + plain_text((folder / page).string()) + "\n";
    if (fit.has_usable_law())
        out += "law: " + plain_text((folder / report::fit_law_name(fit)).string()) +
               " (for bristle run, certify, analyse)\n";
    return written.note.empty() ? out : out + written.note + "\n";
}

// Throws UsageError if --law names several laws, or all, for a check. Several laws of a map are for the fit.
void check_one_law(const Fit& arguments, const std::vector<std::string>& laws) {
    const bool is_given = std::any_of(arguments.settings.begin(), arguments.settings.end(),
                                      [](const auto& setting) { return setting.first == "fit.law"; });
    if (is_given && laws.size() != 1)
        throw UsageError(
            "fit: --check judges a record for one law; give one kind, as in --law stribeck, or leave --law out for " +
            std::string(kind_of_check(false)));
}

}  // namespace

int fit(const Fit& arguments) {
    experiment::FitMap request = read_fit_map(arguments.map, arguments.settings);
    if (arguments.check) check_one_law(arguments, request.options.laws);
    request.options.keep_traces = !arguments.out.empty();  // for the pictures and the table
    if (!arguments.out.empty()) require_folder(arguments.out);
    FitReport fit;
    Files output;
    std::string json;
    {
        Watch watch(1);
        fit = report_of(arguments, request, watch);
        if (fit.check)
            json = report::check_json_text(fit);
        else if (arguments.json || !arguments.out.empty())
            json = report::fit_json_text(fit);
        if (!arguments.out.empty()) output = write_files(watch, [&] { return write(fit, json, arguments.out); });
    }
    const std::string written = places(fit, output.written, arguments.out);
    if (arguments.json) {
        print(json);
        std::fputs(written.c_str(), stderr);
    } else {
        const auto columns = report::text_columns();
        print((fit.check ? report::check_text(fit, columns) : report::fit_text(fit, columns)) +
              (written.empty() ? "" : "\n" + written));
    }
    if (!output.failure.empty()) throw Error(output.failure);
    return 0;
}

}  // namespace bristle::cli
