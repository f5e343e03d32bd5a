// The whole file: sections in the order in which they need each other.
#include "experiment/keys.hpp"
#include "experiment/parts.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::experiment {

namespace {

constexpr const char* hybrid_kind = "hybrid";  // short for pulled_spring with run.method = "hybrid"

std::vector<std::string> rig_kinds() {
    std::vector<std::string> kinds;
    for_each_rig([&](const auto& rig) { kinds.emplace_back(rig.info.kind); });
    kinds.emplace_back(hybrid_kind);
    return kinds;
}

}  // namespace

RigPart read_rig(Section section) {
    RigPart part;
    const auto kinds = rig_kinds();
    if (!section.there()) {
        section.diagnose("is missing: a section [rig] with kind = " + listed(kinds));
        return part;
    }
    const auto kind = section.choice("kind", kinds);
    if (!kind) return part;
    part.hybrid = kinds[*kind] == hybrid_kind;
    part.rig = part.hybrid ? Rig(PulledSpring{}) : rig_of_kind(kinds[*kind]);
    part.usable = true;
    part.rig->parameters([&](const Parameter& p, double& x) {
        const auto number = section.number(Key{p});
        part.usable = part.usable && number;
        x = number.value_or(0);
    });
    section.close();
    if (!part.usable) return part;
    // each number may be fine and their products not
    const RigEquations rig = part.rig->equations();
    const double products[] = {rig.k0, rig.ks, rig.weight, 1 / rig.inertia, 1 / (rig.ratio * rig.ratio)};
    part.usable = std::all_of(std::begin(products), std::end(products), [](double x) { return std::isfinite(x); }) &&
                  rig.inertia < bound::infinite;
    if (!part.usable) section.diagnose("the numbers are too large or too small to be multiplied with each other");
    return part;
}

Run read_run(Section& section) {
    Run run;
    if (!section.there()) {
        section.diagnose("is missing: a section [run] with at least duration");
        return run;
    }
    run.duration = section.number(keys::duration).value_or(0);
    run.method = Method(section.choice("method", names_of(methods()), 0).value_or(0));
    run.rtol = section.number(keys::rtol).value_or(*keys::rtol.otherwise);
    run.atol = section.number(Key{keys::atol.parameter, run.rtol}).value_or(run.rtol);
    const bool fixed = info_of(run.method).fixed_step;
    run.step = section.number(fixed ? keys::step : Key{keys::step.parameter, 0.0}).value_or(0);
    if (run.step > run.duration && run.duration > 0) section.diagnose("step", "must not be longer than the run", "s");
    if (run.step > 0 && run.duration / run.step > 1e9)
        section.diagnose("step", "makes " + quantity(run.duration / run.step, "") + " steps; at most 1e9", "s");
    const double samples = section.number(keys::samples).value_or(*keys::samples.otherwise);
    if (samples != std::floor(samples)) section.diagnose("samples", keys::samples.parameter.bound.rule);
    run.samples = static_cast<int>(samples);
    run.stick_speed = section.number(Key{keys::stick_speed.parameter, 0.0}).value_or(0);
    section.close();
    return run;
}

void check_method(Section& section, const Run& run, const LawPart& law, const RigPart& rig) {
    if (rig.hybrid && section.has("method") && run.method != Method::hybrid)
        section.diagnose("method", "the hybrid rig is solved in closed form: leave the method out");
    if (const auto* law_of = law.usable ? std::get_if<AnyHysteretic>(&*law.law) : nullptr)
        if (run.method == Method::adaptive && rig.rig && !rig.rig->is_prescribed() && law_of->sigma1 == 0)
            section.diagnose("method",
                             "the branch of the hysteretic law follows dv/dt, which is told by sigma1: adaptive needs "
                             "law.sigma1 > 0; use coupled and run.step for sigma1 = 0");
    if (run.method != Method::cvode) return;
    if (!has_cvode())
        section.diagnose("method", "this build has no CVODE: install libsundials-dev and build again, or use adaptive");
    if (law.law && switches(*law.law))
        section.diagnose("method", "CVODE cannot follow a law that switches, as " + std::string(kind_of(*law.law)) +
                                       " does: use adaptive or coupled");
}

namespace {

std::vector<std::string> names_in(const std::vector<Named>& all) {
    std::vector<std::string> names;
    for (const auto& one : all) names.push_back(one.name);
    return names;
}

// The method hybrid is a formula for one rig with one law under a constant load.
void check_hybrid(Section& law_section, Section& load_section, Section& rig_section, const LawPart& law,
                  const LoadPart& load, const RigPart& rig) {
    if (rig.rig && !std::holds_alternative<PulledSpring>(*rig.rig))
        rig_section.diagnose("kind", "the method hybrid is a closed form for pulled_spring");
    if (law.law && !std::holds_alternative<AnyCoulomb>(*law.law))
        law_section.diagnose("kind", "the hybrid rig is a closed form for coulomb; use pulled_spring for other laws");
    if (load.load && !load.load->is_constant())
        load_section.diagnose("the hybrid rig is a closed form for a constant load; use pulled_spring for others");
}

void read_drive(Section section, const RigPart& rig, InputContext context, Setup& setup) {
    if (rig.rig && !rig.rig->info().takes_input) {
        if (section.there())
            section.diagnose("the rig " + std::string(rig.rig->info().kind) + " takes no input: remove the section");
        return;
    }
    if (!section.there()) {
        if (rig.rig)
            section.diagnose("is missing: the rig " + std::string(rig.rig->info().kind) +
                             " needs a section [input] with kind = " + listed(names_of(input_kinds)));
        return;
    }
    context.units = {"N", "N m"};
    bool displacement = false;
    if (!rig.rig || rig.rig->is_prescribed()) {
        const auto quantity = section.choice("quantity", {"velocity", "displacement"}, 0).value_or(0);
        displacement = quantity == 1u;
        if (rig.rig) setup.rig = Prescribed{Quantity(quantity)};
        if (displacement)
            context.units = {"m", "rad"};
        else
            context.units = {"m/s", "rad/s"};
    }
    const auto input = read_input(section, context);
    if (input) {
        setup.input = *input;
        if (displacement && rig.rig && input->kind == Input::Kind::steps)
            section.diagnose("kind", "a displacement must not jump: use ramps");
        section.close();
    }
}

void read_start(Section section, const LawPart& law, const RigPart& rig, Setup& setup) {
    if (!section.there() || !law.law || !rig.rig) return;
    for (const std::string& name : names_in(state_names(*law.law, *rig.rig)))
        if (const auto x = section.number(name)) setup.start[name] = *x;
    section.close();
}

void read_head(Section& file, Experiment& experiment) {
    experiment.title = file.text("title").value_or("");
    experiment.source = file.text("source").value_or("");
    experiment.rotary = file.choice("units", {"linear", "rotary"}, 0) == 1u;
}

void tidy(Diagnostics& diagnostics, const std::string& name) {
    for (Diagnostic& diagnostic : diagnostics)
        if (diagnostic.place.empty()) diagnostic.place = name;
    // the file from top to bottom, then what it lacks, then the command line
    const auto order = [&](const Diagnostic& c) {
        return std::pair(c.place == "--set" ? 2 : c.line == 0 ? 1 : 0, c.place == name ? c.line : 0);
    };
    std::stable_sort(diagnostics.begin(), diagnostics.end(),
                     [&](const Diagnostic& a, const Diagnostic& b) { return order(a) < order(b); });
    constexpr std::size_t most = 100;
    if (diagnostics.size() > most) {
        const std::string rest = std::to_string(diagnostics.size() - most);
        diagnostics.resize(most);
        diagnostics.push_back({name, 0, "", "and " + rest + " more problems", ""});
    }
}

}  // namespace

Experiment read(const std::string& text, const std::string& name, const std::filesystem::path& folder,
                const std::vector<Override>& overrides) {
    Diagnostics diagnostics;
    Experiment experiment;
    experiment.name = name;
    Node root = parse(text, name, diagnostics);
    if (!diagnostics.empty()) throw Unreadable(diagnostics);
    apply(root, overrides, diagnostics);

    Section file(&root, "", diagnostics);
    read_head(file, experiment);
    Setup& setup = experiment.setup;
    Section law_section = file.below("law"), rig_section = file.below("rig"), input = file.below("input"),
            load_section = file.below("load"), start = file.below("start"), run = file.below("run");
    setup.run = read_run(run);
    const RigPart rig = read_rig(rig_section);
    InputContext context{
        .duration = setup.run.duration > 0 ? setup.run.duration : 1, .folder = folder, .units = {"N", "N m"}};
    const LoadPart load = read_load(law_section, load_section, rig, context);
    const LawPart law = read_law(law_section, rig, load);
    if (rig.rig) setup.rig = *rig.rig;
    read_drive(input, rig, context, setup);
    read_start(start, law, rig, setup);
    check_method(run, setup.run, law, rig);
    if (rig.hybrid) setup.run.method = Method::hybrid;
    if (setup.run.method == Method::hybrid) check_hybrid(law_section, load_section, rig_section, law, load, rig);

    if (law.law) setup.law = *law.law;
    if (load.load) setup.load = *load.load;
    if (law.usable && setup.run.stick_speed == 0) setup.run.stick_speed = stribeck_velocity(setup.law);
    const bool known = law.law && rig.rig && load.load;
    experiment.claims = read_claims(file, known ? &setup : nullptr, law.usable);
    for (const Claim& claim : experiment.claims)
        if (claim.time) setup.run.sample_times.push_back(*claim.time);
    file.close();

    if (!diagnostics.empty()) {
        tidy(diagnostics, name);
        throw Unreadable(diagnostics);
    }
    return experiment;
}

std::optional<double> number_at(const std::string& text, const std::string& name,
                                const std::vector<Override>& overrides, const std::string& key) {
    Diagnostics diagnostics;
    Node root = parse(text, name, diagnostics);
    if (!diagnostics.empty()) throw Unreadable(diagnostics);
    apply(root, overrides, diagnostics);
    if (!diagnostics.empty()) throw Unreadable(diagnostics);
    const Node* node = &root;
    for (std::size_t from = 0; node && from <= key.size();) {
        const std::size_t dot = std::min(key.find('.', from), key.size());
        node = node->find(key.substr(from, dot - from));
        from = dot + 1;
    }
    return node && node->is_number() ? std::optional(node->number) : std::nullopt;
}

Experiment read_for_law(const std::string& text, const std::string& name, const std::filesystem::path& folder,
                        const std::vector<Override>& overrides) {
    Diagnostics diagnostics;
    Node root = parse(text, name, diagnostics);
    if (!diagnostics.empty()) throw Unreadable(diagnostics);
    apply(root, overrides, diagnostics);
    for (const char* section : {"rig", "run", "input", "start", "claim"})
        if (root.find(section)) return read(text, name, folder, overrides);

    Experiment experiment;
    experiment.name = name;
    Section file(&root, "", diagnostics);
    read_head(file, experiment);
    Section law_section = file.below("law"), load_section = file.below("load");
    // nothing moves freely: as where the motion is given
    const RigPart none{Rig(Prescribed{}), true, false};
    const LoadPart load =
        read_load(law_section, load_section, none, {.duration = 1, .folder = folder, .units = {"N", "N m"}});
    const LawPart law = read_law(law_section, none, load);
    if (law.law) experiment.setup.law = *law.law;
    if (load.load) experiment.setup.load = *load.load;
    experiment.setup.rig = Prescribed{};
    experiment.setup.run.duration = 1;
    file.close();
    if (!diagnostics.empty()) {
        tidy(diagnostics, name);
        throw Unreadable(diagnostics);
    }
    return experiment;
}

std::string sentence(const Diagnostic& diagnostic) {
    std::string text = diagnostic.place;
    if (diagnostic.line > 0) text.append(":").append(std::to_string(diagnostic.line));
    text.append(": ").append(diagnostic.key);
    if (!diagnostic.value.empty()) text.append(" = ").append(diagnostic.value);
    if (!diagnostic.key.empty()) text.append(": ");
    return text.append(diagnostic.rule);
}

namespace {
std::string all_sentences(const Diagnostics& diagnostics) {
    std::string text;
    for (const Diagnostic& diagnostic : diagnostics) text.append(text.empty() ? "" : "\n").append(sentence(diagnostic));
    return text;
}
}  // namespace

Unreadable::Unreadable(std::vector<Diagnostic> all) : Error(all_sentences(all)), diagnostics(std::move(all)) {}

}  // namespace bristle::experiment
