// The whole file: sections in the order in which they need each other.
#include <experiment/keys.hpp>
#include <experiment/parts.hpp>

#include <algorithm>
#include <cmath>

namespace bristle::experiment {

using simulate::Method, simulate::Quantity, simulate::RigType;

double RigPart::value(std::string_view name) const {
    for (std::size_t i = 0; i < values.size(); ++i)
        if (name == kind->parameters[i].name) return values[i];
    return 0;
}

RigPart read_rig(Section section) {
    RigPart part;
    const auto kinds = names_of(simulate::rig_kinds());
    if (!section.there()) {
        section.complain("is missing: a section [rig] with kind = " + listed(kinds));
        return part;
    }
    const auto kind = section.choice("kind", kinds);
    if (!kind) return part;
    part.kind = &simulate::rig_kinds()[*kind];
    bool sound = true;
    for (const Parameter& p : part.kind->parameters) {
        const auto x = section.number(Key{p});
        sound = sound && x;
        part.values.push_back(x.value_or(0));
    }
    section.close();
    if (!sound) return part;
    // each number may be fine and their products not
    const simulate::Rig rig = part.kind->make(part.values);
    const double products[] = {rig.k0, rig.ks, rig.weight, 1 / rig.inertia, 1 / (rig.ratio * rig.ratio)};
    const bool finite =
        std::all_of(std::begin(products), std::end(products), [](double x) { return std::isfinite(x); });
    if (finite && rig.inertia < bound::infinite)
        part.rig = rig;
    else
        section.complain("the numbers are too large or too small to be multiplied with each other");
    return part;
}

simulate::Run read_run(Section& section) {
    simulate::Run run;
    if (!section.there()) {
        section.complain("is missing: a section [run] with at least duration");
        return run;
    }
    run.duration = section.number(keys::duration).value_or(0);
    run.method = Method(section.choice("method", names_of(method_names), 0).value_or(0));
    run.rtol = section.number(keys::rtol).value_or(*keys::rtol.otherwise);
    run.atol = section.number(Key{keys::atol.parameter, run.rtol}).value_or(run.rtol);
    const bool fixed = run.method == Method::coupled || run.method == Method::explicit_;
    run.step = section.number(fixed ? keys::step : Key{keys::step.parameter, 0.0}).value_or(0);
    if (run.step > run.duration && run.duration > 0) section.complain("step", "must not be longer than the run", "s");
    if (run.step > 0 && run.duration / run.step > 1e9)
        section.complain("step", "makes " + quantity(run.duration / run.step, "") + " steps; at most 1e9", "s");
    const double samples = section.number(keys::samples).value_or(*keys::samples.otherwise);
    if (samples != std::floor(samples)) section.complain("samples", keys::samples.parameter.bound.rule);
    run.samples = static_cast<int>(samples);
    run.stick_speed = section.number(Key{keys::stick_speed.parameter, 0.0}).value_or(0);
    section.close();
    return run;
}

void check_method(Section& section, const simulate::Run& run, const LawPart& law, const RigPart& rig) {
    const bool closed_form = rig.kind && rig.kind->type == RigType::hybrid;
    if (closed_form && run.method != Method::adaptive)
        section.complain("method", "the hybrid rig is solved in closed form: leave the method out");
    if (const auto* law_of = law.usable ? std::get_if<simulate::AnyHysteretic>(&*law.law) : nullptr)
        if (run.method == Method::adaptive && rig.kind && rig.kind->type != RigType::prescribed && law_of->sigma1 == 0)
            section.complain("method",
                             "the branch of the hysteretic law follows dv/dt, which is told by sigma1: adaptive needs "
                             "law.sigma1 > 0; use coupled and run.step for sigma1 = 0");
    if (run.method != Method::cvode) return;
    if (!simulate::has_cvode())
        section.complain("method", "this build has no CVODE: install libsundials-dev and build again, or use adaptive");
    if (law.law && switches(*law.law))
        section.complain("method", "CVODE cannot follow a law that switches, as " +
                                       std::string(simulate::kind_of(*law.law)) + " does: use adaptive or coupled");
}

namespace {

std::vector<std::string> names_in(const std::vector<simulate::Named>& all) {
    std::vector<std::string> names;
    for (const auto& one : all) names.push_back(one.name);
    return names;
}

// The hybrid rig is a formula for one law under a steady load.
void check_hybrid(Section& law_section, Section& load_section, const LawPart& law, const LoadPart& load) {
    if (law.law && !std::holds_alternative<simulate::AnyCoulomb>(*law.law))
        law_section.complain("kind", "the hybrid rig is a closed form for coulomb; use pulled_spring for other laws");
    if (load.load && !load.load->is_constant())
        load_section.complain("the hybrid rig is a closed form for a constant load; use pulled_spring for others");
}

void read_drive(Section section, const RigPart& rig, InputContext context, simulate::Setup& setup) {
    if (rig.kind && !rig.kind->takes_input) {
        if (section.there())
            section.complain("the rig " + std::string(rig.kind->name) + " takes no input: remove the section");
        return;
    }
    if (!section.there()) {
        if (rig.kind)
            section.complain("is missing: the rig " + std::string(rig.kind->name) +
                             " needs a section [input] with kind = " + listed(names_of(input_kinds)));
        return;
    }
    context.units = {"N", "N m"};
    if (!rig.kind || rig.kind->type == RigType::prescribed) {
        setup.quantity = Quantity(section.choice("quantity", {"velocity", "displacement"}, 0).value_or(0));
        if (setup.quantity == Quantity::velocity)
            context.units = {"m/s", "rad/s"};
        else
            context.units = {"m", "rad"};
    }
    const auto input = read_input(section, context);
    if (input) {
        setup.input = *input;
        const bool jumps = input->kind == simulate::Input::Kind::steps;
        if (jumps && rig.kind && rig.kind->type == RigType::prescribed && setup.quantity == Quantity::displacement)
            section.complain("kind", "a displacement must not jump: use ramps");
        section.close();
    }
}

void read_start(Section section, const LawPart& law, const RigPart& rig, simulate::Setup& setup) {
    if (!section.there() || !law.law || !rig.kind) return;
    for (const std::string& name : names_in(simulate::state_names(*law.law, rig.kind->type)))
        if (const auto x = section.number(name)) setup.start[name] = *x;
    section.close();
}

void read_head(Section& file, Experiment& experiment) {
    experiment.title = file.text("title").value_or("");
    experiment.source = file.text("source").value_or("");
    experiment.rotary = file.choice("units", {"linear", "rotary"}, 0) == 1u;
}

void tidy(Complaints& complaints, const std::string& name) {
    for (Complaint& complaint : complaints)
        if (complaint.place.empty()) complaint.place = name;
    // the file from top to bottom, then what it lacks, then the command line
    const auto order = [&](const Complaint& c) {
        return std::pair(c.place == "--set" ? 2 : c.line == 0 ? 1 : 0, c.place == name ? c.line : 0);
    };
    std::stable_sort(complaints.begin(), complaints.end(),
                     [&](const Complaint& a, const Complaint& b) { return order(a) < order(b); });
    constexpr std::size_t most = 100;
    if (complaints.size() > most) {
        const std::string rest = std::to_string(complaints.size() - most);
        complaints.resize(most);
        complaints.push_back({name, 0, "", "and " + rest + " more problems", ""});
    }
}

}  // namespace

Experiment read(const std::string& text, const std::string& name, const std::filesystem::path& folder,
                const std::vector<Override>& overrides) {
    Complaints complaints;
    Experiment experiment;
    experiment.name = name;
    Node root = parse(text, name, complaints);
    if (!complaints.empty()) throw Unreadable(complaints);
    apply(root, overrides, complaints);

    Section file(&root, "", complaints);
    read_head(file, experiment);
    simulate::Setup& setup = experiment.setup;
    Section law_section = file.below("law"), rig_section = file.below("rig"), input = file.below("input"),
            load_section = file.below("load"), start = file.below("start"), run = file.below("run");
    setup.run = read_run(run);
    const RigPart rig = read_rig(rig_section);
    InputContext context{
        .duration = setup.run.duration > 0 ? setup.run.duration : 1, .folder = folder, .units = {"N", "N m"}};
    const LoadPart load = read_load(law_section, load_section, rig, context);
    const LawPart law = read_law(law_section, rig, load);
    read_drive(input, rig, context, setup);
    read_start(start, law, rig, setup);
    check_method(run, setup.run, law, rig);
    if (rig.kind && rig.kind->type == RigType::hybrid) check_hybrid(law_section, load_section, law, load);

    if (law.law) setup.law = *law.law;
    if (rig.kind) setup.type = rig.kind->type;
    if (rig.rig) setup.rig = *rig.rig;
    if (load.load) setup.load = *load.load;
    if (law.usable && setup.run.stick_speed == 0) setup.run.stick_speed = simulate::stribeck_velocity(setup.law);
    const bool known = law.law && rig.kind && load.load;
    experiment.claims = read_claims(file, known ? &setup : nullptr, law.usable);
    for (const Claim& claim : experiment.claims)
        if (claim.time) setup.run.looks.push_back(*claim.time);
    file.close();

    if (!complaints.empty()) {
        tidy(complaints, name);
        throw Unreadable(complaints);
    }
    return experiment;
}

std::optional<double> number_at(const std::string& text, const std::string& name,
                                const std::vector<Override>& overrides, const std::string& key) {
    Complaints complaints;
    Node root = parse(text, name, complaints);
    if (!complaints.empty()) throw Unreadable(complaints);
    apply(root, overrides, complaints);
    if (!complaints.empty()) throw Unreadable(complaints);
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
    Complaints complaints;
    Node root = parse(text, name, complaints);
    if (!complaints.empty()) throw Unreadable(complaints);
    apply(root, overrides, complaints);
    for (const char* section : {"rig", "run", "input", "start", "claim"})
        if (root.find(section)) return read(text, name, folder, overrides);

    Experiment experiment;
    experiment.name = name;
    Section file(&root, "", complaints);
    read_head(file, experiment);
    Section law_section = file.below("law"), load_section = file.below("load");
    // nothing moves freely: as where the motion is given
    const RigPart none{simulate::rig_of_kind("prescribed"), simulate::Rig{}, {}};
    const LoadPart load =
        read_load(law_section, load_section, none, {.duration = 1, .folder = folder, .units = {"N", "N m"}});
    const LawPart law = read_law(law_section, none, load);
    if (law.law) experiment.setup.law = *law.law;
    if (load.load) experiment.setup.load = *load.load;
    experiment.setup.type = RigType::prescribed;
    experiment.setup.run.duration = 1;
    file.close();
    if (!complaints.empty()) {
        tidy(complaints, name);
        throw Unreadable(complaints);
    }
    return experiment;
}

std::string sentence(const Complaint& complaint) {
    std::string text = complaint.place;
    if (complaint.line > 0) text.append(":").append(std::to_string(complaint.line));
    text.append(": ").append(complaint.key);
    if (!complaint.value.empty()) text.append(" = ").append(complaint.value);
    if (!complaint.key.empty()) text.append(": ");
    return text.append(complaint.rule);
}

namespace {
std::string all_sentences(const Complaints& complaints) {
    std::string text;
    for (const Complaint& complaint : complaints) text.append(text.empty() ? "" : "\n").append(sentence(complaint));
    return text;
}
}  // namespace

Unreadable::Unreadable(std::vector<Complaint> all) : Error(all_sentences(all)), complaints(std::move(all)) {}

}  // namespace bristle::experiment
