// The options of `bristle fit`, parsed with CLI11; each key of the map is an option too.
#include "cli/fit_arguments.hpp"

#include "base/text.hpp"
#include "cli/fit_map.hpp"

#include <CLI/CLI.hpp>

namespace bristle::cli {

namespace {

constexpr const char* fit_notes = R"(
From a measured record to a law: which law describes it, its numbers with 95 % intervals, what the record cannot tell, and
what to measure next. A record is one or more tables (CSV, TSV, JSON) with time, position or velocity, and force, current or
voltage; or a table of speed and force. Columns and units are guessed from the header and reported; --map corrects them.
Several files are several runs of one axis; quote patterns: "runs/*.csv".
  --out DIR writes NAME-fit.html (page with pictures), NAME-fit.json (the output of --json), NAME-law.toml (the law, for
  run, certify and analyse), NAME-fit.csv (measured and model force of each row), and figures/. NAME is that of the file, or
  of the folder of several files.
  --check judges LuGre, or the law of --law; with --out it writes NAME-check.html, NAME-check.json and figures/.
A value that the record does not determine is printed as "-"; the JSON has the number at which the search ended.

Each key of the map is an option: model.inertia is --inertia, use.min_speed --min-speed, record.force.gain --force.gain.

Examples:
  bristle fit axis.csv                                        the measured force is friction itself
  bristle fit axis.csv --measured actuator --inertia find     the force of the actuator; find the moving mass too
  bristle fit axis.csv --map axis.toml --out report           columns, units and model from a file; page and law in report/
  bristle fit axis.csv --check                                before a fit: which parameters this record can determine
  bristle fit axis.csv --check --law stribeck                 the same for another law than LuGre
  bristle fit axis.csv --law lugre,stribeck                   two laws alone
  bristle fit "speeds/*.csv" --hold-out "speeds/9*.csv"       test the fit on runs that were not fitted
  bristle fit a.csv --predict b.csv                           error of the law of a.csv on another record
  bristle fit axis.csv --json | jq .parameters.Fc             value, standard error, interval
  bristle certify report/axis-law.toml --dt 0.001             check the fitted law
docs/fit.md describes what to record, the answer and its JSON.

Exit codes: 0 done, also if no law deserves a recommendation; 1 a file cannot be written; 2 the command, the record, the map
or the folder is wrong; 130 cancelled by Ctrl-C. No incomplete file remains.
)";

// Lines of a description that fit beside the options.
std::string described(const std::string& text) {
    std::string out;
    append_wrapped(out, text, 90, 0);
    out.pop_back();
    return out;
}

}  // namespace

CLI::App* add_fit(CLI::App& app, Fit& out) {
    CLI::App* verb = app.add_subcommand("fit", "Fits friction laws to a measured record: numbers with error bars.")
                         ->footer(fit_notes);
    verb->add_option("RECORD", out.records, "Files or patterns in quotes: tables of time, motion and force")
        ->type_name("");
    verb->add_option("--map", out.map, "TOML file with columns, units, model and rows to use")->type_name("FILE");
    verb->add_option("--predict", out.predict, "Other records: error of the law on them, with nothing fitted")
        ->type_name("FILE");
    verb->add_flag("--check", out.check,
                   "Compare no laws: static curve, and the parameters of one law that the record determines");
    verb->add_flag("--json", out.json, "Print one JSON object");
    verb->add_option("--out", out.out, "Write page, JSON, law and table into this folder; created if missing")
        ->type_name("DIR");
    for (const MapFlag& flag : map_flags()) {
        if (verb->get_option_no_throw(flag.name)) continue;
        const auto take = [&out, key = flag.key](const std::string& value) { out.settings.emplace_back(key, value); };
        // the options of a group without a name are not listed
        verb->add_option_function<std::string>(flag.name, take, described(flag.doc))
            ->type_name(flag.value)
            ->group(flag.group);
    }
    return verb;
}

void complete(Fit& fit, const CLI::App& verb) {
    if (fit.records.empty())
        throw UsageError("fit: no record given; give one or more files before the options, as in bristle fit axis.csv");
    for (const auto& [option, value] : {std::pair{"--out", &fit.out}, std::pair{"--map", &fit.map}})
        if (verb.count(option) > 0 && value->empty())
            throw UsageError(std::string("fit: ") + option + " needs the name of a " +
                             (option == std::string("--out") ? "folder" : "file"));
    if (fit.check && !fit.predict.empty())
        throw UsageError("fit: --check compares no laws, so there is no law for --predict; leave out one of the two");
}

}  // namespace bristle::cli
