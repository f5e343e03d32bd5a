#include "cli/arguments.hpp"
#include "experiment/spelling.hpp"
#include <CLI/CLI.hpp>

namespace bristle::cli {

namespace {

constexpr const char* about = "Friction, simulated: one line to see a mass stick, slip or settle.\n";

constexpr const char* overview = R"(Examples:
  bristle list                               the experiments that come with bristle
  bristle run astrom2008/fig4                run one: summary, plot, files
  bristle show astrom2008/fig4 > mine.toml   begin an experiment of your own
  bristle run mine.toml --set rig.mass=2     run it, with another mass
  bristle certify mine.toml --dt 0.001       is its law passive, and is that step wise?
  bristle analyse mine.toml --cycle          will it stick-slip, and with which period and amplitude?
  bristle gallery                            rerun and check all papers: one page, bristle-gallery/index.html

Exit codes: 0 done; 1 a claim of the experiment fails, the run fails, or writing fails half-way;
2 the command, the experiment or the folder for files is wrong; 130 stopped by Ctrl-C.
`bristle VERB --help` says more about a verb.
)";

constexpr const char* run_notes = R"(
In a terminal it prints a summary and a plot, and writes files into bristle-out/. Elsewhere it prints the summary
alone, and writes files only when --out or --plot asks for them:
  NAME.csv  all signals       NAME.json  what --json prints       NAME.svg NAME.png  the figure
  NAME.gp   the script that draws it with gnuplot, from NAME.points.csv
NAME is the name of the file, or the id with '-' for '/'. Without gnuplot there are no pictures.

Examples:
  bristle run astrom2008/fig4                                summary, plot, files in bristle-out/
  bristle run astrom2008/fig4 --set law.sigma2=0.5 --plot    another viscous friction
  bristle run astrom2008/fig4 --set law.sigma2=0,0.2,0.5     three runs in one figure
  bristle run mine.toml --set rig.mass=1,2 --set law.Fs=1.5,2   every combination: four runs
  bristle run mine.toml --json | jq .measures                numbers for a script
  bristle run mine.toml --csv > mine.csv                     signals as a table
  bristle run mine.toml --out results                        mine.csv .json .gp .svg .png in results/

Values are as in the file: --set run.method=coupled, --set 'law.points=[[0, 1.5], [0.1, 1]]'.
With several runs --json prints {"runs": [...]}, and --csv begins each row with the number of the run.

Exit codes: 0 done; 1 a claim fails (the output is complete), the run fails, or writing fails half-way;
2 the command, the experiment or the folder is wrong; 130 stopped by Ctrl-C. Nothing half-written stays.
)";

constexpr const char* list_notes =
    "Each line: the id for `bristle run` and `bristle show`, the title, and where it is from.\n";
constexpr const char* show_notes = R"(Example:
  bristle show astrom2008/fig4 > mine.toml
  bristle run mine.toml
)";

constexpr const char* certify_notes = R"(
Says what is proved about the law, without running anything: whether its bristles stay bounded, whether it is
passive (it never gives out more energy than it got), up to which speed, and what would change that; and which fixed
steps are wise. A law that is not passive comes with an input that draws energy from it.
  --out DIR writes NAME-certificate.html (page with the worst case), NAME-certificate.json (what --json prints),
  NAME-counterexample.toml (`bristle run` replays it), and figures/.

Examples:
  bristle certify canudas1995/stick_slip                      sentences
  bristle certify canudas1995/stick_slip --dt 0.005           is a controller that steps by 5 ms wise?
  bristle certify mine.toml --vmax 0.01                       for |v| up to 10 mm/s; [law] alone will do as a file
  bristle certify mine.toml --set law.sigma2=160              with another number
  bristle certify mine.toml --json | jq -r .passive.verdict   proved, refuted or undecided
  bristle certify mine.toml --json | jq -r .passive.counterexample.experiment > draws.toml

Exit codes: 0 done, whatever the verdict; 1 writing fails half-way; 2 the command, the file or the folder is wrong;
130 stopped by Ctrl-C.
)";

constexpr const char* analyse_notes = R"(
Give one of the eight. Cycles are looked for from the file's start and from eight others. A window FROM:TO holds the file's
value, from which the search goes both ways, through folds. `bristle analyse all --properties` compares all kinds of law.
Trends: breakaway [N/s], lag [rad/s], drift_bias [N], drift_amplitude [N], drift_frequency [Hz].
docs/analyse.md says how each is done and what is in its JSON.
--plot or --out writes NAME-WHAT.csv .json .gp .svg .png.

Examples:
  bristle analyse astrom2008/fig6_b --cycle
  bristle analyse astrom2008/fig6_b --continue law.sigma2=0.05:1 --plot      how much damping ends stick-slip?
  bristle analyse astrom2008/fig6_b --map rig.velocity=0.5:5,rig.stiffness=0.5:10 --out maps
  bristle analyse benitez2005/fig5 --cycle --json | jq .period               will the servo hunt?
  bristle analyse mine.toml --basin --set law.sigma2=0.3 --plot

Exit codes: 0 done, whatever was found; 1 writing fails half-way; 2 the command, the file or the folder is wrong, or the
analysis does not fit the rig; 130 stopped by Ctrl-C.
)";

constexpr const char* gallery_notes = R"(
Reruns the experiments of all papers, judges every claim, and writes one page that needs nothing else:
  DIR/index.html     pictures, claims, errata; open it in a browser
  DIR/gallery.json   every claim with what was expected and what was measured
  DIR/figures/       the pictures by themselves (.svg), their points (.csv) and scripts (.gp)
DIR is bristle-gallery unless --out names another. With --json alone nothing is drawn or written.

Examples:
  bristle gallery                      all papers
  bristle gallery --paper A08          one of them
  bristle gallery --json | jq .failed  how many claims fail
  mkdir -p mine/astrom2008             doubt a number: change it and see which claims fall
  bristle show astrom2008/fig4 > mine/astrom2008/fig4.toml   (edit it)
  bristle gallery --paper A08 --from mine

Without gnuplot the page has no pictures, says so, and the exit code does not change.
Exit codes: 0 every claim holds; 1 a claim or a run fails, or gnuplot does; 2 the command or the folder is wrong; 130 stopped by
Ctrl-C.
)";

// `--set a=1 b=2 EXPERIMENT`: what has no '=' is not an override.
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
        throw UsageError(verb + ": which experiment? Give a file or an id; `bristle list` shows the ids");
}

std::string option_of(const report::AskedName& analysis) { return std::string("--") + analysis.name; }

// Exactly one analysis.
void choose(Analyse& analyse, const CLI::App& verb) {
    sort_out(analyse, "analyse");
    std::string all;
    int chosen = 0;
    for (const report::AskedName& one : report::analysis_names()) {
        all += (all.empty() ? "" : ", ") + option_of(one);
        if (verb.count(option_of(one)) == 0) continue;
        ++chosen;
        analyse.request.asked = one.asked;
    }
    if (chosen != 1)
        throw UsageError((chosen == 0 ? "analyse: what? Give one of " : "analyse: one at a time: give one of ") + all);
    if (verb.count("--out") > 0 && analyse.out.empty()) throw UsageError("analyse: --out needs the name of a folder");
    if (verb.count("--starts") > 0 && analyse.request.asked != report::Asked::basin)
        throw UsageError("analyse: --starts goes with --basin");
    if (!(analyse.request.starts >= 2 && analyse.request.starts <= 1000))
        throw UsageError("analyse: --starts must be 2 to 1000");
    if (!analyse.against.empty() && analyse.request.asked != report::Asked::trend)
        throw UsageError("analyse: --against goes with --trend");
}

// A verb that does not exist, with the one that may have been meant.
void check_verb(const std::string& word, const CLI::App& app) {
    if (word.empty() || word[0] == '-') return;
    std::vector<std::string> verbs;
    for (const CLI::App* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
    if (std::find(verbs.begin(), verbs.end(), word) != verbs.end()) return;
    std::string all;
    for (const std::string& verb : verbs) all += (all.empty() ? "" : ", ") + verb;
    const auto close = experiment::nearest(word, verbs, 1);
    throw UsageError("there is no verb '" + word + "'; " +
                     (close.empty() ? "there are: " + all : "did you mean " + close.front() + "?"));
}

}  // namespace

Command parse(int count, const char* const* arguments) {
    CLI::App app(about, "bristle");
    app.footer(overview);
    app.set_version_flag("--version", "bristle " BRISTLE_VERSION, "Print the version and exit");
    app.set_help_flag("-h,--help", "Print this help and exit");
    app.require_subcommand(1);

    Run run;
    CLI::App* run_verb = app.add_subcommand("run", "Runs an experiment and checks its claims.")->footer(run_notes);
    run_verb->add_option("EXPERIMENT", run.experiment, "A file (name.toml) or the id of a shipped experiment")
        ->type_name("");
    run_verb
        ->add_option("--set", run.overrides,
                     "Use another value than the file's; commas between several values make several runs")
        ->type_name("KEY=VALUE");
    run_verb->add_flag("--json", run.json, "Print one JSON object: signals, events, measures, energy, claims");
    run_verb->add_flag("--csv", run.csv, "Print the signals as a table, with units in its header");
    run_verb->add_option("--out", run.out, "Write .csv .json .gp .svg .png into this folder, made if it is missing")
        ->type_name("DIR");
    run_verb->add_flag("--plot", run.plot, "Draw: pictures in DIR, or in bristle-out/ without --out");

    Show show;
    CLI::App* list_verb = app.add_subcommand("list", "Lists the shipped experiments.")->footer(list_notes);
    CLI::App* show_verb =
        app.add_subcommand("show", "Prints the file of a shipped experiment, ready to edit.")->footer(show_notes);
    show_verb->add_option("ID", show.id, "As `bristle list` shows it")->type_name("")->required();

    Gallery gallery;
    CLI::App* gallery_verb = app.add_subcommand("gallery", "Reruns all papers, checks every claim, and draws one page.")
                                 ->footer(gallery_notes);
    gallery_verb->add_option("--paper", gallery.paper, "One paper alone: A08, B05, C95, K08, M05 or N13")
        ->type_name("KEY");
    gallery_verb->add_option("--out", gallery.out, "Write into this folder, made if it is missing")->type_name("DIR");
    gallery_verb
        ->add_option("--from", gallery.from, "Experiments in this folder replace the shipped ones of the same id")
        ->type_name("DIR");
    gallery_verb->add_flag("--json", gallery.json, "Print every claim as JSON");

    Certify certify;
    CLI::App* certify_verb =
        app.add_subcommand("certify", "Says what is proved about a law: bounded, passive, wise steps.")
            ->footer(certify_notes);
    certify_verb->add_option("EXPERIMENT", certify.experiment, "A file (name.toml) or the id of a shipped experiment")
        ->type_name("");
    certify_verb->add_option("--set", certify.overrides, "Use another value than the file's")->type_name("KEY=VALUE");
    certify_verb->add_option("--dt", certify.dt, "Judge this fixed step [s]")->type_name("S");
    certify_verb->add_option("--vmax", certify.vmax, "Speeds up to this one [m/s]; all without it")->type_name("V");
    certify_verb->add_flag("--json", certify.json, "Print one JSON object");
    certify_verb->add_option("--out", certify.out, "Write page, JSON, pictures and counterexample into this folder")
        ->type_name("DIR");

    Analyse analyse;
    CLI::App* analyse_verb =
        app.add_subcommand("analyse", "Equilibria, limit cycles, where they end, basins, hysteresis.")
            ->footer(analyse_notes);
    analyse_verb->add_option("EXPERIMENT", analyse.experiment, "A file (name.toml) or the id of a shipped experiment")
        ->type_name("");
    analyse_verb->add_option("--set", analyse.overrides, "Use another value than the file's")->type_name("KEY=VALUE");
    for (const report::AskedName& one : report::analysis_names())
        if (one.window != nullptr)
            analyse_verb->add_option(option_of(one), analyse.request.window, one.question)->type_name(one.window);
        else
            analyse_verb->add_flag(option_of(one), one.question);
    analyse_verb->add_option("--against", analyse.against, "With --trend: a file or id with another law")
        ->type_name("FILE");
    analyse_verb
        ->add_option("--starts", analyse.request.starts, "With --basin: starts along each axis, 2 to 1000 (200)")
        ->type_name("N");
    analyse_verb->add_flag("--json", analyse.json, "Print one JSON object");
    analyse_verb->add_flag("--plot", analyse.plot, "Draw: pictures in DIR, or in bristle-out/ without --out");
    analyse_verb->add_option("--out", analyse.out, "Write .csv .json .gp .svg .png into this folder")->type_name("DIR");

    if (count < 2)
        throw UsageError("what shall it do? `bristle list` shows experiments, `bristle --help` teaches the rest");
    check_verb(arguments[1], app);
    try {
        app.parse(count, arguments);
    } catch (const CLI::Success& wish) {  // help, version
        std::ostringstream text, none;
        app.exit(wish, text, none);
        return Text{text.str()};
    } catch (const CLI::ParseError& problem) {
        const std::string verb = count > 1 && app.got_subcommand(arguments[1]) ? std::string(" ") + arguments[1] : "";
        throw UsageError(std::string(problem.what()) + "; `bristle" + verb + " --help` says what there is");
    }
    if (list_verb->parsed()) return List{};
    if (show_verb->parsed()) return show;
    if (gallery_verb->parsed()) {
        if (gallery_verb->count("--out") > 0 && gallery.out.empty())
            throw UsageError("gallery: --out needs the name of a folder");
        if (gallery_verb->count("--paper") > 0 && gallery.paper.empty())
            throw UsageError("gallery: --paper needs a key, such as A08");
        if (gallery_verb->count("--from") > 0 && gallery.from.empty())
            throw UsageError("gallery: --from needs the name of a folder");
        return gallery;
    }
    if (certify_verb->parsed()) {
        if (certify_verb->count("--out") > 0 && certify.out.empty())
            throw UsageError("certify: --out needs the name of a folder");
        sort_out(certify, "certify");
        return certify;
    }
    if (analyse_verb->parsed()) {
        choose(analyse, *analyse_verb);
        return analyse;
    }
    if (run_verb->count("--out") > 0 && run.out.empty()) throw UsageError("run: --out needs the name of a folder");
    sort_out(run, "run");
    if (run.json && run.csv) throw UsageError("run: --json and --csv both want standard output: give one of them");
    return run;
}

}  // namespace bristle::cli
