// The parts of a machine: one list of sections for each kind of part. The rules of a machine are those of the library
// (broken_rules); this reader records where the members of each part are in the file, and reports broken rules there.
#include "base/text.hpp"
#include "experiment/document.hpp"
#include "experiment/parts.hpp"
#include "simulate/machine/assembly.hpp"
#include "simulate/machine/part_units.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace bristle::experiment {

namespace {

// "stiffness, in N m/rad"; both units if those of the part are unknown.
std::string described_number(const PartParameter& p, PartUnits units) {
    const Parameter row = p.in_units(units);
    std::string text = row.doc;
    if (units == PartUnits::unknown && std::string_view(p.unit) != p.rotary_unit)
        return text.append(", in ").append(p.unit).append(" or ").append(p.rotary_unit);
    if (*row.unit && std::string_view(row.unit) != "1") text.append(", in ").append(row.unit);
    return text;
}

// One part while it is read.
struct PartSection : Section {
    PartSection(const Section& section, MachineMember in_list, std::size_t number)
        : Section(section), list_of_parts(in_list), index(number) {}

    // A member of the part.
    struct Member {
        std::string_view name;  // in C++
        std::string key;        // in the file; empty: its keys are those of the section, as for the input of a force
        bool has_problem;       // was reported while it was read
        // The key of a number of the member; the member's own if item is empty.
        std::string key_of(const std::string& item) const {
            if (key.empty()) return item.empty() ? "kind" : item;
            return item.empty() ? key : key + "." + item;
        }
    };
    // Records a member that read() reads.
    template <class Read>
    void member(const char* name, const char* key, Read&& read) {
        const std::size_t before = diagnostics().size();
        read();
        members.push_back({name, key, diagnostics().size() > before});
    }
    const Member* find_member(const std::string& name) const {
        const auto found =
            std::find_if(members.begin(), members.end(), [&](const Member& one) { return one.name == name; });
        return found == members.end() ? nullptr : &*found;
    }
    // Reads a number; x keeps its value if the key is missing. Reports a missing number without default.
    void number(const PartParameter& p, PartUnits units, double& x) {
        const char* key = p.in_units(units).name;
        member(p.name, key, [&] {
            if (!has(key) && std::isnan(x) && !p.fallback) missing(key, described_number(p, units));
            x = Section::number(std::string_view(key)).value_or(x);
        });
    }
    // Reads the name of a part; doc: of a name that is required.
    void name(const char* key, std::string& x, const char* doc = nullptr) {
        member(key, key, [&] {
            if (doc && !has(key)) missing(key, doc);
            x = text(key).value_or(x);
        });
    }

    MachineMember list_of_parts;
    std::size_t index;  // in its list
    std::vector<Member> members = {};
};

constexpr const char* doc_of_end = "the name of a body or a motion, or \"ground\"";

class MachineReader {
  public:
    MachineReader(Section& file, Section& run_section, const Run& run, bool rotary, const Document& document)
        : file_(file), run_section_(run_section), rotary_(rotary) {
        machine_.run = run;
        context_ = input_context(document, run.duration);
    }

    Machine read() {
        for_each_list(machine_, [&](const PartKind& kind, auto& parts) { each(kind, parts); });
        if (sound_) check();
        return std::move(machine_);
    }

  private:
    template <class Part>
    void each(const PartKind& kind, std::vector<Part>& parts) {
        const Node* list = file_.find(kind.section);
        if (!list) return;
        const std::string header = "[[" + std::string(kind.section) + "]]";
        if (list->kind != Node::Kind::list) {
            sound_ = false;
            return file_.diagnose(kind.section, "must be a list of sections: write " + header);
        }
        for (std::size_t i = 0; i < list->items.size(); ++i) {
            const Node& item = list->items[i];
            if (item.kind != Node::Kind::table) {
                sound_ = false;
                file_.diagnose_item(kind.section, i, "must be a section: " + header);
                continue;
            }
            PartSection section({&item, path_of(kind, item, i), file_.diagnostics()}, kind.list, i);
            Part part{};
            section.name("name", part.name);
            if (read(section, part)) section.close();
            parts.push_back(std::move(part));
            sections_.push_back(std::move(section));
        }
    }
    // body.motor, as --set names it; body[2] without a usable name.
    std::string path_of(const PartKind& kind, const Node& item, std::size_t i) {
        const Node* name = item.find("name");
        const std::string word = kind.section;
        const std::string named = word + "." + (name ? printable(name->text) : "");
        const bool usable = name && !name->text.empty() && named.size() == word.size() + 1 + name->text.size() &&
                            name->text.find_first_of(".[") == std::string::npos;
        if (!usable || std::find(paths_.begin(), paths_.end(), named) != paths_.end())
            return word + "[" + std::to_string(i + 1) + "]";
        return paths_.emplace_back(named);
    }

    // The numbers of the table of a part.
    template <class Part>
    void numbers(PartSection& s, Part& part) {
        const PartUnits units = units_of(machine_, part);
        parameters(part, [&](const PartParameter& p, double& x) { s.number(p, units, x); });
    }
    // The row of the signal of a part.
    template <class Part>
    static PartParameter signal_of(Part& part) {
        PartParameter row{};
        signals(part, [&](const PartParameter& p, const Input*) { row = p; });
        return row;
    }
    // An input whose values have the units of a row.
    std::optional<Input> read_input_of(Section& section, const PartParameter& row) const {
        const std::array<std::string_view, 2> units{row.unit, row.rotary_unit};
        InputContext context = context_;
        context.units = units;
        return read_input(section, context);
    }
    // A signal: a number, or a section with an input.
    template <class Part>
    std::optional<Input> read_signal(PartSection& s, Part& part) {
        const PartParameter row = signal_of(part);
        std::optional<Input> input;
        s.member(row.name, row.name, [&] {
            const Node* node = s.find(row.name);
            if (node && node->kind == Node::Kind::table) {
                Section section = s.below(row.name);
                input = read_input_of(section, row);
                if (input) section.close();
            } else if (node) {
                const auto value = s.Section::number(std::string_view(row.name));
                if (value) input = Input::constant(*value);
            }
        });
        return input;
    }

    // Each returns false if the keys that the section may have are unknown.
    bool read(PartSection& s, Body& body) {
        read_units(s, body.rotary);
        if (const char* other = body.rotary ? "mass" : "inertia"; s.has(other) && s.find(other)) {
            s.diagnose(other, body.rotary
                                  ? "must be given as inertia [kg m^2], because the units of the body are rotary"
                                  : "needs units = \"rotary\"; a body with linear units has a mass [kg]");
            body.mass = 1;  // is not missing
        }
        numbers(s, body);
        return true;
    }
    bool read(PartSection& s, PrescribedMotion& motion) {
        read_units(s, motion.rotary);
        numbers(s, motion);
        std::optional<Input> input;
        s.member("value", "", [&] { input = read_motion(s, context_, motion.quantity); });
        motion.value = input.value_or(motion.value);
        return input.has_value();
    }
    bool read(PartSection& s, Spring& spring) {
        s.name("first", spring.first, doc_of_end);
        s.name("second", spring.second);
        numbers(s, spring);
        return true;
    }
    bool read(PartSection& s, Gear& gear) {
        s.name("driver", gear.driver, "the name of a body");
        s.name("driven", gear.driven, "the name of a body");
        numbers(s, gear);
        return true;
    }
    bool read(PartSection& s, Force& force) {
        s.name("body", force.body, "the name of a body");
        std::optional<Input> input;
        s.member("value", "", [&] { input = read_input_of(s, signal_of(force)); });
        force.value = input.value_or(force.value);
        return input.has_value();
    }
    bool read(PartSection& s, Motor& motor) {
        s.name("body", motor.body, "the name of a body");
        numbers(s, motor);
        motor.command = read_signal(s, motor).value_or(motor.command);
        return true;
    }
    bool read(PartSection& s, Controller& controller) {
        s.name("motor", controller.motor, "the name of a motor");
        s.name("sensor", controller.sensor);
        if (s.choice("kind", {"pid", "cascade"}, 0) == 1u) controller.law = Cascade{};
        numbers(s, controller);
        if (!s.has("reference")) s.missing("reference", "a section [controller.reference] with an input, or a number");
        controller.reference = read_signal(s, controller).value_or(controller.reference);
        return true;
    }
    bool read(PartSection& s, ContactPart& contact) {
        s.name("first", contact.first, doc_of_end);
        s.name("second", contact.second);
        s.name("load_spring", contact.load_spring);
        s.member("start", "start", [&] {
            const Node* start = s.list("start");
            for (std::size_t i = 0; start && i < start->items.size(); ++i) {
                if (!start->items[i].is_number()) s.diagnose_item("start", i, "must be a number");
                contact.start.push_back(start->items[i].number);
            }
        });
        contact.load = read_signal(s, contact);
        s.member("law", "law", [&] { read_law_of(s, contact); });
        return true;
    }
    void read_law_of(PartSection& s, ContactPart& contact) {
        Section law_section = s.below("law");
        LoadPart load{contact.load, read_load_on(law_section)};
        if (law_section.has("load"))
            law_section.diagnose("load", "is a key of the contact, not of its law; move it to [[contact]]");
        if (law_section.has("load_on") && !contact.load && contact.load_spring.empty())
            law_section.diagnose("load_on", "needs a load; give the contact load or load_spring");
        if (const LawPart law = read_law(law_section, mass_of(contact, law_section), load); law.law)
            contact.law = *law.law;
    }
    void read_units(PartSection& s, bool& rotary) {
        rotary = s.choice("units", {"linear", "rotary"}, rotary_).value_or(rotary_) == 1u;
    }
    // The mass that the contact moves, as a rig. Needed for law.zeta only; unknown if an end or a gear is not sound.
    RigPart mass_of(const ContactPart& contact, const Section& law) const {
        RigPart part;
        if (!law.has("zeta") || !sound_) return part;
        Machine m{
            .bodies = machine_.bodies, .motions = machine_.motions, .gears = machine_.gears, .run = {.duration = 1}};
        m.contacts = {{.name = "contact", .first = contact.first, .second = contact.second, .law = Coulomb{}}};
        const auto exists = [&](const std::string& name) {
            return name == ground || index_of(m.bodies, name) >= 0 || index_of(m.motions, name) >= 0;
        };
        const auto joins_bodies = [&](const Gear& gear) {
            return index_of(m.bodies, gear.driver) >= 0 && index_of(m.bodies, gear.driven) >= 0;
        };
        if (!exists(contact.first) || !exists(contact.second) ||
            !std::all_of(m.gears.begin(), m.gears.end(), joins_bodies) || gearing_of(m).loop >= 0)
            return part;
        const double mass = assemble(m).contact_mass(0);
        part.usable = !std::isnan(mass);
        part.rig = std::isfinite(mass) ? Rig(ForcedMass{mass}) : Rig(Prescribed{});
        return part;
    }

    // The rules of the library, each at its place; not those that follow from a problem of this file.
    void check() {
        std::vector<MachineProblem> problems = broken_rules(machine_);
        std::erase_if(problems, [&](const MachineProblem& problem) { return follows(problem); });
        for (const MachineProblem& problem : problems) report(problem);
    }
    // True if the reader has reported a problem at the same place.
    bool follows(const MachineProblem& problem) {
        if (problem.list == MachineMember::run) return run_section_.is_reported(problem.key);
        const PartSection* part = section_of(problem);
        if (!part) return false;
        const PartSection::Member* member = part->find_member(problem.key);
        return part->is_reported("") || (member && member->has_problem);
    }
    void report(const MachineProblem& problem) {
        PartSection* part = section_of(problem);
        const PartSection::Member* member = part ? part->find_member(problem.key) : nullptr;
        if (problem.list == MachineMember::run)
            diagnose(run_section_, problem.key, problem);
        else if (member)
            diagnose(*part, member->key_of(problem.item), problem);
        else
            (part ? static_cast<Section&>(*part) : file_).diagnose(problem.rule);
    }
    static void diagnose(Section& section, const std::string& key, const MachineProblem& problem) {
        if (problem.value.empty())
            section.diagnose(key, problem.rule);
        else
            section.diagnose_of(key, problem.rule, problem.value);
    }
    PartSection* section_of(const MachineProblem& problem) {
        for (PartSection& section : sections_)
            if (section.list_of_parts == problem.list && section.index == problem.index) return &section;
        return nullptr;
    }

    Section &file_, &run_section_;
    const bool rotary_;
    InputContext context_;
    Machine machine_;
    std::vector<PartSection> sections_;
    std::vector<std::string> paths_;
    bool sound_ = true;  // every list is a list of sections
};

}  // namespace

bool has_parts(const Node& root) {
    bool found = false;
    const Machine none;
    for_each_list(none, [&](const PartKind& kind, const auto&) { found = found || root.find(kind.section); });
    return found;
}

Machine read_machine(Section& file, Section& run_section, const Run& run, bool rotary, const Document& document) {
    return MachineReader(file, run_section, run, rotary, document).read();
}

}  // namespace bristle::experiment
