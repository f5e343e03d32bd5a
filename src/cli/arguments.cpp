// The command line, parsed with CLI11: verbs, options, help.
#include "cli/arguments.hpp"
#include "cli/fit_arguments.hpp"
#include "experiment/spelling.hpp"
#include "base/text.hpp"
#include "gallery/catalogue.hpp"
#include <CLI/CLI.hpp>

namespace bristle::cli {

namespace {

constexpr const char* about = "Simulates, certifies, analyses and identifies mechanisms with dry friction.\n";

constexpr const char* overview = R"(Examples:
  bristle list                               the shipped experiments
  bristle run astrom2008/fig4                run one: summary, plot, files
  bristle show astrom2008/fig4 > mine.toml   start an experiment of your own
  bristle run mine.toml --set rig.mass=2     run it with another mass
  bristle certify mine.toml --dt 0.001       check passivity of its law, and the step 1 ms
  bristle analyse mine.toml --cycle          find its limit cycle: period and amplitude
  bristle fit axis.csv --out report          fit a law to a measured record, with error bars
  bristle gallery                            rerun and check all papers: one page, bristle-gallery/index.html

Exit codes: 0 done; 1 a claim of the experiment fails, the run fails, or a file cannot be written;
2 the command, the experiment, the record or the output folder is wrong; 130 cancelled by Ctrl-C.
`bristle VERB --help` describes a verb.
)";

constexpr const char* run_notes = R"(
In a terminal: prints a summary and a plot, and writes files into bristle-out/. If standard output is not a terminal:
prints the summary alone, and writes files only with --out or --plot:
  NAME.csv  all signals       NAME.json  the output of --json     NAME.svg NAME.png  the figure
  NAME.gp   the script that draws it with gnuplot, from NAME.points.csv
NAME is the name of the file, or the id with '-' for '/'. Without gnuplot there are no pictures.

Examples:
  bristle run astrom2008/fig4                                summary, plot, files in bristle-out/
  bristle run astrom2008/fig4 --set law.sigma2=0.5 --plot    with another viscous friction
  bristle run astrom2008/fig4 --set law.sigma2=0,0.2,0.5     three runs in one figure
  bristle run mine.toml --set rig.mass=1,2 --set law.Fs=1.5,2   every combination: four runs
  bristle run machines/compliant_axis --set body.load.inertia=0.2,0.3   a machine of several parts, by the name of a part
  bristle run mine.toml --json | jq .measures                numbers for a script
  bristle run mine.toml --csv > mine.csv                     signals as a table
  bristle run mine.toml --out results                        mine.csv .json .gp .svg .png in results/

Values are as in the file: --set run.method=coupled, --set 'law.points=[[0, 1.5], [0.1, 1]]'.
A file with [[body]] and [[contact]] is a machine of several bodies and contacts: docs/experiments.md.
With several runs --json prints {"runs": [...]}, and --csv begins each row with the number of the run.

Claims are for the file's own values: they are skipped if --set changes one.
Exit codes: 0 done; 1 a claim fails (the output is complete), the run fails, or a file cannot be written;
2 the command, the experiment or the folder is wrong; 130 cancelled by Ctrl-C. No incomplete file remains.
)";

constexpr const char* list_notes =
    "Each line: the id for `bristle run` and `bristle show`, the title, and the source.\n";
constexpr const char* show_notes = R"(Example:
  bristle show astrom2008/fig4 > mine.toml
  bristle run mine.toml
)";

constexpr const char* certify_notes = R"(
Verdicts on the law, without a run: whether its deflection stays bounded, whether it is passive (it never returns more
energy than it received), up to which speed, and the nearest change that makes it passive; and the limits of fixed steps.
A law that is not passive gets a counterexample: an input that extracts energy from it. Of a machine, the law of each
contact is certified; its files are NAME-CONTACT-certificate.html and so on.
  --out DIR writes NAME-certificate.html (page with the worst case), NAME-certificate.json (the output of --json),
  NAME-counterexample.toml (for `bristle run`), and figures/.

Examples:
  bristle certify canudas1995/stick_slip                      sentences
  bristle certify canudas1995/stick_slip --dt 0.005           with a check of the fixed step 5 ms
  bristle certify mine.toml --vmax 0.01                       for |v| up to 10 mm/s; a file with [law] alone is enough
  bristle certify mine.toml --set law.sigma2=160              with another number
  bristle certify mine.toml --json | jq -r .passive.verdict   proved, refuted or undecided
  bristle certify mine.toml --json | jq -r .passive.counterexample.experiment > draws.toml

Exit codes: 0 done, for every verdict; 1 a file cannot be written; 2 the command, the file or the folder is wrong;
130 cancelled by Ctrl-C.
)";

constexpr const char* analyse_notes = R"(
Give exactly one analysis. Cycles are searched from the start of the file and from eight other starts. A window FROM:TO
contains the value of the file; the search starts there and goes both ways, through folds.
`bristle analyse all --properties` compares all kinds of law. --plot or --out writes NAME-ANALYSIS.csv .json .gp .svg .png.
Machines of several parts: --equilibrium and --limit. docs/analyse.md describes each analysis and its JSON.
Trends: )";
constexpr const char* analyse_examples = R"(
Examples:
  bristle analyse astrom2008/fig6_b --cycle
  bristle analyse astrom2008/fig6_b --continue law.sigma2=0.05:1 --plot      the damping that ends stick-slip
  bristle analyse astrom2008/fig7_b --limit rig.velocity=0.3:5               the speed at which stick-slip ends
  bristle analyse astrom2008/fig7_b --limit rig.velocity=0.3:5 --over law.sigma2=0.19:0.21 --plot
  bristle analyse servo.toml --limit rig.Ki                                  the largest gain without hunting
  bristle analyse machines/servo_step --limit controller.servo.Ki            the same for an axis built of parts
  bristle analyse machines/servo_step --equilibrium                          its rest, and its control loop while it slides
  bristle analyse astrom2008/fig6_b --map rig.velocity=0.5:5,rig.stiffness=0.5:10 --out maps
  bristle analyse benitez2005/fig5 --cycle --json | jq .period               the period of hunting
  bristle analyse mine.toml --basin --set law.sigma2=0.3 --plot

Exit codes: 0 done, for every result; 1 a file cannot be written; 2 the command, the file or the folder is wrong, or the
analysis does not fit the rig; 130 cancelled by Ctrl-C.
)";

constexpr const char* gallery_notes = R"(
Reruns the experiments of all papers, checks every claim, and writes one self-contained page:
  DIR/index.html     pictures, claims, errata; open it in a browser
  DIR/gallery.json   every claim with the expected interval and the measured value
  DIR/figures/       the single pictures (.svg), their points (.csv) and scripts (.gp)
DIR is bristle-gallery unless --out gives another. With --json alone nothing is drawn or written.

Examples:
  bristle gallery                      all papers
  bristle gallery --paper A08          one of them; machines: experiments of our own with several bodies
  bristle gallery --json | jq .failed  how many claims fail
  mkdir -p mine/astrom2008             change a number and see which claims fail
  bristle show astrom2008/fig4 > mine/astrom2008/fig4.toml   (edit it)
  bristle gallery --paper A08 --from mine

Without gnuplot the page has no pictures and a note; the exit code does not change.
Exit codes: 0 every claim holds; 1 a claim, a run or gnuplot fails; 2 the command or the folder is wrong; 130 cancelled by Ctrl-C.
)";

// `--set a=1 b=2 EXPERIMENT`: a word without '=' is not an override.
template <class Verb>
void sort_out(Verb& run, const std::string& verb) {
    std::vector<std::string> kept;
    for (std::string& word : run.overrides) {
        if (run.experiment.empty() && word.find('=') == word.npos)
            run.experiment = std::move(word);
        else
            kept.push_back(std::move(word));
    }
    run.overrides = std::move(kept);
    if (run.experiment.empty())
        throw UsageError(verb + ": no experiment given; give a file or an id (`bristle list` shows the ids)");
}

// "  pid_servo      mass dv/dt = u - F, ..."
std::string rigs() {
    std::string out = "Rigs, with F the friction force:\n";
    for_each_rig([&](const auto& rig) {
        std::string kind = rig.info.kind;
        kind.resize(15, ' ');
        out += "  " + kind + rig.info.equation + "\n";
    });
    return out;
}

// "breakaway [N/s], lag [rad/s], ..."
std::string trends() {
    std::string out;
    for (const report::TrendKind& kind : report::trend_kinds())
        append_item(out, std::string(kind.name) + " [" + kind.unit + "]");
    return out;
}

// "A08, B05, C95, K08, M05 or N13"
std::string papers() {
    const gallery::Catalogue& all = gallery::shipped_catalogue();
    std::string out;
    for (const gallery::Paper& paper : all.papers) {
        const bool last = &paper == &all.papers.back();
        out += (out.empty() ? "" : last ? " or " : ", ") + paper.key;
    }
    return out;
}

std::string option_of(const report::AskedName& analysis) { return std::string("--") + analysis.name; }

// Throws UsageError if an option is given with an empty text. needs: "the name of a folder"
void check_given(const CLI::App& verb, const char* option, const std::string& value, const char* needs) {
    if (verb.count(option) > 0 && value.empty()) throw UsageError(verb.get_name() + ": " + option + " needs " + needs);
}
constexpr const char* a_folder = "the name of a folder";

// Exactly one analysis.
void choose(Analyse& analyse, const CLI::App& verb) {
    sort_out(analyse, "analyse");
    std::string all;
    int chosen = 0;
    for (const report::AskedName& one : report::analysis_names()) {
        append_item(all, option_of(one));
        if (verb.count(option_of(one)) == 0) continue;
        ++chosen;
        analyse.request.asked = one.asked;
    }
    if (chosen != 1)
        throw UsageError((chosen == 0 ? "analyse: no analysis given; give one of "
                                      : "analyse: more than one analysis given; give one of ") +
                         all);
    check_given(verb, "--out", analyse.out, a_folder);
    if (verb.count("--starts") > 0 && analyse.request.asked != report::Asked::basin)
        throw UsageError("analyse: --starts goes with --basin");
    if (!report::are_valid_starts(analyse.request.starts))
        throw UsageError("analyse: --starts must be " + report::range_of_starts());
    check_given(verb, "--over", analyse.request.over, "a window KEY=FROM:TO");
    if (!analyse.request.over.empty() && analyse.request.asked != report::Asked::limit)
        throw UsageError("analyse: --over goes with --limit");
    if (!analyse.against.empty() && analyse.request.asked != report::Asked::trend)
        throw UsageError("analyse: --against goes with --trend");
}

// Throws UsageError for an unknown verb, with the nearest one.
void check_verb(const std::string& word, const CLI::App& app) {
    if (word.empty() || word[0] == '-') return;
    std::vector<std::string_view> verbs;
    for (const CLI::App* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
    if (std::find(verbs.begin(), verbs.end(), word) != verbs.end()) return;
    std::string all;
    for (const std::string_view verb : verbs) append_item(all, verb);
    const auto close = experiment::nearest(word, verbs, 1);
    throw UsageError("there is no verb '" + word + "'; " +
                     (close.empty() ? "the verbs are: " + all : "did you mean " + close.front() + "?"));
}

// The first word that is an option of neither the verb nor the program; std::nullopt if there is none.
struct UnknownOption {
    std::string name;     // with its dashes
    std::string nearest;  // option of the verb that is spelled like it, without dashes; empty if there is none
};
std::optional<UnknownOption> unknown_option(const CLI::App& verb) {
    for (const std::string& word : verb.remaining(true)) {
        const std::string name = word.substr(0, word.find('='));
        const std::size_t dashes = name.find_first_not_of('-');
        if (dashes == 0 || dashes == name.npos) continue;
        std::vector<std::string> options;
        for (const CLI::Option* option : verb.get_options())
            for (const std::string& other : option->get_lnames()) options.push_back(other);
        const std::vector<std::string_view> names(options.begin(), options.end());
        const auto close = experiment::nearest(std::string_view(name).substr(dashes), names, 1);
        return UnknownOption{name, close.empty() ? "" : close.front()};
    }
    return {};
}

CLI::App* add_run(CLI::App& app, Run& out) {
    CLI::App* verb = app.add_subcommand("run", "Runs an experiment and checks its claims.")->footer(rigs() + run_notes);
    verb->add_option("EXPERIMENT", out.experiment, "A file (name.toml) or the id of a shipped experiment")
        ->type_name("");
    verb->add_option("--set", out.overrides,
                     "Replaces a value of the file; several values, separated by commas, give several runs")
        ->type_name("KEY=VALUE");
    verb->add_flag("--json", out.json, "Print one JSON object: signals, events, measures, energy, claims");
    verb->add_flag("--csv", out.csv, "Print the signals as a table with units in its header");
    verb->add_option("--out", out.out, "Write .csv .json .gp .svg .png into this folder; created if missing")
        ->type_name("DIR");
    verb->add_flag("--plot", out.plot, "Write pictures into DIR, or into bristle-out/ without --out");
    return verb;
}

CLI::App* add_list(CLI::App& app) {
    return app.add_subcommand("list", "Lists the shipped experiments.")->footer(list_notes);
}

CLI::App* add_show(CLI::App& app, Show& out) {
    CLI::App* verb = app.add_subcommand("show", "Prints the file of an experiment, ready to edit.")->footer(show_notes);
    verb->add_option("ID", out.id, "An id of `bristle list`, or a file (name.toml)")->type_name("")->required();
    return verb;
}

// is_asked: this verb is the one of the command line.
CLI::App* add_gallery(CLI::App& app, Gallery& out, bool is_asked) {
    CLI::App* verb = app.add_subcommand("gallery", "Reruns all papers, checks every claim, and draws one page.")
                         ->footer(gallery_notes);
    CLI::Option* paper = verb->add_option("--paper", out.paper)->type_name("KEY");
    // from the catalogue, which takes some milliseconds to read
    if (is_asked) paper->description("One paper alone: " + papers());
    verb->add_option("--out", out.out, "Write into this folder; created if missing")->type_name("DIR");
    verb->add_option("--from", out.from, "Experiments in this folder replace the shipped ones of the same id")
        ->type_name("DIR");
    verb->add_flag("--json", out.json, "Print every claim as JSON");
    return verb;
}

CLI::App* add_certify(CLI::App& app, Certify& out) {
    CLI::App* verb =
        app.add_subcommand("certify", "Verdicts on a law: bounded, dissipative, passive, limits of fixed steps.")
            ->footer(certify_notes);
    verb->add_option("EXPERIMENT", out.experiment, "A file (name.toml) or the id of a shipped experiment")
        ->type_name("");
    verb->add_option("--set", out.overrides, "Replaces a value of the file")->type_name("KEY=VALUE");
    verb->add_option("--dt", out.dt, "Fixed step to check [s]")->type_name("S");
    verb->add_option("--vmax", out.vmax, "Largest speed to consider [m/s]; without it all speeds")->type_name("V");
    verb->add_flag("--json", out.json, "Print one JSON object");
    verb->add_option("--out", out.out, "Write page, JSON, pictures and counterexample into this folder")
        ->type_name("DIR");
    return verb;
}

CLI::App* add_analyse(CLI::App& app, Analyse& out) {
    CLI::App* verb =
        app.add_subcommand("analyse",
                           "Equilibria, limit cycles and their ends, basins, hysteresis, properties of laws.")
            ->footer(analyse_notes + trends() + ".\n" + analyse_examples);
    verb->add_option("EXPERIMENT", out.experiment, "A file (name.toml) or the id of a shipped experiment")
        ->type_name("");
    verb->add_option("--set", out.overrides, "Replaces a value of the file")->type_name("KEY=VALUE");
    for (const report::AskedName& one : report::analysis_names())
        if (one.window != nullptr)
            verb->add_option(option_of(one), out.request.window, one.doc)->type_name(one.window);
        else
            verb->add_flag(option_of(one), one.doc);
    verb->add_option("--over", out.request.over,
                     "With --limit: the limit for " + std::to_string(report::limits_over_a_window) +
                         " values of a second number")
        ->type_name("KEY=FROM:TO");
    verb->add_option("--against", out.against, "With --trend: a file or id with a second law")->type_name("FILE");
    verb->add_option("--starts", out.request.starts,
                     "With --basin: initial states along each axis, " + report::range_of_starts() + " (" +
                         std::to_string(out.request.starts) + ")")
        ->type_name("N");
    verb->add_flag("--json", out.json, "Print one JSON object");
    verb->add_flag("--plot", out.plot, "Write pictures into DIR, or into bristle-out/ without --out");
    verb->add_option("--out", out.out, "Write .csv .json .gp .svg .png into this folder")->type_name("DIR");
    return verb;
}

}  // namespace

Command parse(int count, const char* const* arguments) {
    CLI::App app(about, "bristle");
    app.footer(overview);
    app.set_version_flag("--version", "bristle " BRISTLE_VERSION, "Print the version and exit");
    app.set_help_flag("-h,--help", "Print this help and exit");
    app.require_subcommand(1);
    Run run;
    Show show;
    Gallery gallery;
    Certify certify;
    Analyse analyse;
    Fit fit;
    const std::string asked = count > 1 ? arguments[1] : "";
    const CLI::App *run_verb = add_run(app, run), *list_verb = add_list(app), *show_verb = add_show(app, show),
                   *gallery_verb = add_gallery(app, gallery, asked == "gallery"),
                   *certify_verb = add_certify(app, certify), *analyse_verb = add_analyse(app, analyse),
                   *fit_verb = add_fit(app, fit);

    if (count < 2)
        throw UsageError("no command given; `bristle --help` lists the commands, `bristle list` the experiments");
    check_verb(asked, app);
    try {
        app.parse(count, arguments);
    } catch (const CLI::Success& request) {  // help, version
        std::ostringstream text, none;
        app.exit(request, text, none);
        return Text{text.str()};
    } catch (const CLI::ParseError& problem) {
        const std::vector<CLI::App*> verbs = app.get_subcommands();
        const auto unknown = unknown_option(verbs.empty() ? app : *verbs.front());
        const std::string reason = unknown ? "unknown option " + plain_text(unknown->name) : problem.what();
        if (unknown && !unknown->nearest.empty())
            throw UsageError(reason + "; did you mean --" + unknown->nearest + "?");
        throw UsageError(reason + "; `bristle" + (verbs.empty() ? "" : " " + verbs.front()->get_name()) +
                         " --help` lists the options");
    }
    if (list_verb->parsed()) return List{};
    if (show_verb->parsed()) return show;
    if (gallery_verb->parsed()) {
        check_given(*gallery_verb, "--out", gallery.out, a_folder);
        check_given(*gallery_verb, "--paper", gallery.paper, "a key, such as A08");
        check_given(*gallery_verb, "--from", gallery.from, a_folder);
        return gallery;
    }
    if (certify_verb->parsed()) {
        check_given(*certify_verb, "--out", certify.out, a_folder);
        sort_out(certify, "certify");
        return certify;
    }
    if (analyse_verb->parsed()) {
        choose(analyse, *analyse_verb);
        return analyse;
    }
    if (fit_verb->parsed()) {
        complete(fit, *fit_verb);
        return fit;
    }
    check_given(*run_verb, "--out", run.out, a_folder);
    sort_out(run, "run");
    if (run.json && run.csv) throw UsageError("run: --json and --csv both write to standard output; give one of them");
    return run;
}

}  // namespace bristle::cli
