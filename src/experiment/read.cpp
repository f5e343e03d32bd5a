// The whole file: sections in the order in which they depend on each other.
#include "experiment/document.hpp"
#include "experiment/keys.hpp"
#include "experiment/parts.hpp"
#include "experiment/rotary.hpp"
#include "base/text.hpp"
#include <bristle/simulate/hybrid.hpp>

#include <algorithm>

namespace bristle::experiment {

namespace {

// The method hybrid is a closed form for one rig with one law under a constant load.
void check_hybrid(Section& law_section, Section& load_section, Section& rig_section, const LawPart& law,
                  const LoadPart& load, const RigPart& rig) {
    if (rig.rig && !has_closed_form(*rig.rig))
        rig_section.diagnose("kind", "the method hybrid is a closed form for pulled_spring");
    if (law.law && !has_closed_form(*law.law))
        law_section.diagnose("kind", "the hybrid rig is a closed form for coulomb; use pulled_spring for other laws");
    if (load.load && !has_closed_form(*load.load))
        load_section.diagnose("the hybrid rig is a closed form for a constant load; use pulled_spring for other loads");
}

void read_drive(Section section, const RigPart& rig, const InputContext& context, Setup& setup) {
    if (rig.rig && !rig.rig->info().takes_input) {
        if (section.there())
            section.diagnose("the rig " + std::string(rig.rig->info().kind) + " takes no input; remove the section");
        return;
    }
    if (!section.there()) {
        if (rig.rig)
            section.missing("the rig " + std::string(rig.rig->info().kind) +
                            " needs a section [input] with kind = " + listed(names_of(input_kinds)));
        return;
    }
    const bool prescribed = !rig.rig || rig.rig->is_prescribed();
    Quantity quantity = Quantity::velocity;
    const auto input = prescribed ? read_motion(section, context, quantity) : read_input(section, context);
    if (prescribed && rig.rig) setup.rig = Prescribed{quantity};
    if (input) {
        setup.input = *input;
        if (quantity == Quantity::displacement && rig.rig && input->kind == Input::Kind::steps)
            section.diagnose("kind", "a displacement must not jump; use ramps");
        section.close();
    }
}

void read_start(Section section, const LawPart& law, const RigPart& rig, Setup& setup) {
    if (!section.there() || !law.law || !rig.rig) return;
    for (const Named& state : state_names(*law.law, *rig.rig))
        if (const auto x = section.number(state.name)) setup.start[state.name] = *x;
    section.close();
}

void read_head(Section& file, const Document& document, Experiment& experiment) {
    experiment.name = document.name();
    experiment.title = file.text("title").value_or("");
    experiment.source = file.text("source").value_or("");
    experiment.changes = document.changes();
}
bool read_units(Section& file) { return file.choice("units", {"linear", "rotary"}, 0) == 1u; }

void tidy(Diagnostics& diagnostics, const std::string& name) {
    for (Diagnostic& diagnostic : diagnostics)
        if (diagnostic.place.empty()) diagnostic.place = name;
    // the file from top to bottom, then missing keys, then the command line
    const auto order = [&](const Diagnostic& c) {
        return std::pair(c.place == place_of_overrides ? 2 : c.line == 0 ? 1 : 0, c.place == name ? c.line : 0);
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

// Throws Unreadable if there is a problem, all of them in the order of the file.
void finish(Diagnostics& diagnostics, const Document& document, bool rotary_units) {
    if (diagnostics.empty()) return;
    if (rotary_units)
        for (Diagnostic& diagnostic : diagnostics) diagnostic = with_rotary_units(std::move(diagnostic));
    tidy(diagnostics, document.name());
    throw Unreadable(diagnostics);
}

// The whole file, or what is simulated alone.
enum class Scope { everything, simulated };

Section::Keys keys_of(Scope scope) {
    return scope == Scope::everything ? Section::Keys::checked : Section::Keys::unchecked;
}

void take_claims(Experiment& experiment, Section& file, const ClaimContext& context) {
    experiment.claims = read_claims(file, context);
    std::vector<double>& times = (experiment.machine ? experiment.machine->run : experiment.setup.run).sample_times;
    for (const Claim& claim : experiment.claims)
        if (claim.time) times.push_back(*claim.time);
}

void refuse_sections_of_a_rig(Section& file) {
    for (const char* section : {"law", "rig", "input", "load", "start"})
        if (file.has(section) && file.find(section))
            file.diagnose(section,
                          "belongs to a file with one rig; a machine has laws, loads and starts in [[contact]], inputs "
                          "in [[force]], [[motion]], [[motor]] and [[controller]]; remove this section or all parts");
}

// What claims on a machine may be about. sound: the file has no problems so far.
ClaimContext claim_context_of(const Machine& machine, bool sound) {
    ClaimContext context{.machine = &machine};
    if (!sound) return context;
    context.signals = signal_names(machine);
    context.duration = machine.run.duration;
    for (const ContactPart& contact : machine.contacts)
        if (machine.run.stick_speed == 0 && stribeck_velocity(contact.law) == 0)
            context.without_stick_speed[contact.name] = kind_of(contact.law);
    return context;
}

Experiment read_parts(const Document& document, Scope scope) {
    const bool everything = scope == Scope::everything;
    Diagnostics diagnostics = document.diagnostics();
    Experiment experiment;
    Section file(&document.root(), "", diagnostics, keys_of(scope));
    if (everything) read_head(file, document, experiment);
    experiment.rotary = read_units(file);
    refuse_sections_of_a_rig(file);
    Section run_section = file.below("run");
    experiment.machine = read_machine(file, run_section, read_run(run_section), experiment.rotary, document);
    if (everything) take_claims(experiment, file, claim_context_of(*experiment.machine, diagnostics.empty()));
    file.close();
    finish(diagnostics, document, false);  // each part has its own units
    return experiment;
}

Experiment read_scope(const Document& document, Scope scope) {
    const bool everything = scope == Scope::everything;
    Diagnostics diagnostics = document.diagnostics();
    Experiment experiment;
    Section file(&document.root(), "", diagnostics, keys_of(scope));
    if (everything) read_head(file, document, experiment);
    experiment.rotary = read_units(file);
    Setup& setup = experiment.setup;
    Section law_section = file.below("law"), rig_section = file.below("rig"), input = file.below("input"),
            load_section = file.below("load"), start = file.below("start"), run = file.below("run");
    setup.run = read_run(run);
    const RigPart rig = read_rig(rig_section);
    const InputContext context = input_context(document, setup.run.duration);
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
    if (everything) {
        ClaimContext claims;
        if (law.law && rig.rig && load.load) {
            claims.signals = signal_names(setup.law, setup.rig, setup.load);
            if (law.usable) claims.duration = setup.run.duration;
            if (law.usable && !(setup.run.stick_speed > 0)) claims.without_stick_speed[""] = kind_of(setup.law);
        }
        take_claims(experiment, file, claims);
    }
    file.close();
    finish(diagnostics, document, experiment.rotary && (!rig.rig || has_linear_coordinate(*rig.rig)));
    return experiment;
}

}  // namespace

Experiment read(const Document& document) {
    return has_parts(document.root()) ? read_parts(document, Scope::everything)
                                      : read_scope(document, Scope::everything);
}
Setup read_setup(const Document& document) {
    if (has_parts(document.root()))
        throw Unreadable({{document.name(), 0, "", "is a machine; a set-up has one law and one rig", ""}});
    return std::move(read_scope(document, Scope::simulated).setup);
}
Machine read_machine_alone(const Document& document) {
    if (!has_parts(document.root()))
        throw Unreadable({{document.name(), 0, "", "has one rig; a machine has parts", ""}});
    return std::move(*read_parts(document, Scope::simulated).machine);
}

Result simulate(const Experiment& experiment, const Progress& progress) {
    return experiment.machine ? simulate(*experiment.machine, progress) : simulate(experiment.setup, progress);
}
std::vector<Named> signal_names(const Experiment& experiment) {
    const Setup& setup = experiment.setup;
    return experiment.machine ? signal_names(*experiment.machine) : signal_names(setup.law, setup.rig, setup.load);
}

Experiment read_for_law(const Document& document) {
    if (has_parts(document.root())) return read(document);
    for (const char* section : {"rig", "run", "input", "start", "claim"})
        if (document.root().find(section)) return read(document);

    Diagnostics diagnostics = document.diagnostics();
    Experiment experiment;
    Section file(&document.root(), "", diagnostics);
    read_head(file, document, experiment);
    experiment.rotary = read_units(file);
    Section law_section = file.below("law"), load_section = file.below("load");
    // nothing moves freely, as in a prescribed rig
    const RigPart none{Rig(Prescribed{}), true, false};
    const LoadPart load = read_load(law_section, load_section, none, input_context(document, 1));
    const LawPart law = read_law(law_section, none, load);
    if (law.law) experiment.setup.law = *law.law;
    if (load.load) experiment.setup.load = *load.load;
    experiment.setup.rig = Prescribed{};
    experiment.setup.run.duration = 1;
    file.close();
    finish(diagnostics, document, experiment.rotary);
    return experiment;
}

Experiment read(const std::string& text, const std::string& name, const std::filesystem::path& folder,
                const std::vector<Override>& overrides) {
    return read(Document(text, name, folder, overrides));
}
Experiment read_for_law(const std::string& text, const std::string& name, const std::filesystem::path& folder,
                        const std::vector<Override>& overrides) {
    return read_for_law(Document(text, name, folder, overrides));
}

std::string broken_rule(const Diagnostic& diagnostic) {
    const auto& [place, line, key, rule, value, unit, kind] = diagnostic;
    std::string text = key;
    if (!value.empty()) text.append(" = ").append(value);
    if (!value.empty() && !unit.empty() && unit != "1") text.append(" ").append(unit);
    if (!text.empty()) text.append(": ");
    if (kind == Diagnostic::Kind::missing) text.append("is missing: ");
    return text.append(rule);
}
std::string sentence(const Diagnostic& diagnostic) {
    std::string text = diagnostic.place;
    if (diagnostic.line > 0) text.append(":").append(std::to_string(diagnostic.line));
    return text.append(": ").append(broken_rule(diagnostic));
}

namespace {
std::string all_sentences(const Diagnostics& diagnostics) {
    std::string text;
    for (const Diagnostic& diagnostic : diagnostics) append_item(text, sentence(diagnostic), "\n");
    return text;
}
}  // namespace

Unreadable::Unreadable(std::vector<Diagnostic> all) : Error(all_sentences(all)), diagnostics(std::move(all)) {}

}  // namespace bristle::experiment
