// The parts of a machine: one list of sections for each kind of part. The rules of a machine are those of the library
// (broken_rules); this reader finds their place in the file.
#include "base/text.hpp"
#include "experiment/document.hpp"
#include "experiment/parts.hpp"
#include "simulate/machine/assembly.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::experiment {

namespace {

// The kinds of parts: name of the sections, and of the list in Machine.
struct PartKind {
    const char *section, *list;
};
constexpr PartKind body_kind{"body", "bodies"}, motion_kind{"motion", "motions"}, spring_kind{"spring", "springs"},
    gear_kind{"gear", "gears"}, contact_kind{"contact", "contacts"}, force_kind{"force", "forces"},
    motor_kind{"motor", "motors"}, controller_kind{"controller", "controllers"};
constexpr PartKind part_kinds[] = {body_kind,    motion_kind, spring_kind, gear_kind,
                                   contact_kind, force_kind,  motor_kind,  controller_kind};

// One part while it is read.
struct PartSection : Section {
    PartSection(const Section& section, const char* list, std::size_t number)
        : Section(section), list_name(list), index(number) {}
    using Section::number;

    // Reads a number; x keeps its value if the key is missing.
    void number(const char* key, double& x) { x = Section::number(std::string_view(key)).value_or(x); }
    // The same, and reports a missing key.
    void number(const char* key, double& x, const char* doc) {
        if (!has(key)) missing(key, doc);
        number(key, x);
    }
    // Reads the name of a part.
    void name(const char* key, std::string& x) { x = text(key).value_or(x); }
    void name(const char* key, std::string& x, const char* doc) {
        if (!has(key)) missing(key, doc);
        name(key, x);
    }

    const char* list_name;  // in Machine
    std::size_t index;
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
        each(body_kind, machine_.bodies);
        each(motion_kind, machine_.motions);
        each(spring_kind, machine_.springs);
        each(gear_kind, machine_.gears);
        each(contact_kind, machine_.contacts);
        each(force_kind, machine_.forces);
        each(motor_kind, machine_.motors);
        each(controller_kind, machine_.controllers);
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

    // Each returns false if the keys that the section may have are unknown.
    bool read(PartSection& s, Body& body) {
        read_units(s, body.rotary);
        const char *key = body.rotary ? "inertia" : "mass", *other = body.rotary ? "mass" : "inertia";
        if (s.has(other) && s.find(other))
            s.diagnose(other, body.rotary
                                  ? "must be given as inertia [kg m^2], because the units of the body are rotary"
                                  : "needs units = \"rotary\"; a body with linear units has a mass [kg]");
        else if (!s.has(key))
            s.missing(key, body.rotary ? "inertia, in kg m^2" : "mass, in kg");
        s.number(key, body.mass);
        s.number("x", body.x);
        s.number("v", body.v);
        s.number("force", body.force);
        return true;
    }
    bool read(PartSection& s, PrescribedMotion& motion) {
        read_units(s, motion.rotary);
        s.number("x", motion.x);
        const auto input = read_motion(s, context_, motion.quantity);
        motion.value = input.value_or(motion.value);
        return input.has_value();
    }
    bool read(PartSection& s, Spring& spring) {
        s.name("first", spring.first, doc_of_end);
        s.name("second", spring.second);
        s.number("stiffness", spring.stiffness, "stiffness, in N/m or N m/rad");
        s.number("damping", spring.damping);
        s.number("gap", spring.gap);
        s.number("rest", spring.rest);
        return true;
    }
    bool read(PartSection& s, Gear& gear) {
        s.name("driver", gear.driver, "the name of a body");
        s.name("driven", gear.driven, "the name of a body");
        s.number("ratio", gear.ratio, "velocity of the driver over that of the driven body");
        return true;
    }
    bool read(PartSection& s, Force& force) {
        s.name("body", force.body, "the name of a body");
        const auto input = read_input(s, context_);
        force.value = input.value_or(force.value);
        return input.has_value();
    }
    bool read(PartSection& s, Motor& motor) {
        s.name("body", motor.body, "the name of a body");
        s.number("gain", motor.gain);
        s.number("limit", motor.limit);
        s.number("lag", motor.lag);
        s.number("start", motor.start);
        motor.command = read_signal(s, "command").value_or(motor.command);
        return true;
    }
    bool read(PartSection& s, Controller& controller) {
        s.name("motor", controller.motor, "the name of a motor");
        s.name("sensor", controller.sensor);
        if (s.choice("kind", {"pid", "cascade"}, 0) == 1u) {
            Cascade cascade;
            s.number("Kx", cascade.Kx, "gain of the position loop, in 1/s");
            s.number("Kv", cascade.Kv, "gain of the velocity loop, in N s/m or N m s/rad");
            s.number("Ki", cascade.Ki);
            s.number("speed_limit", cascade.speed_limit);
            controller.law = cascade;
        } else {
            Pid pid;
            s.number("Kp", pid.Kp, "gain on the error, in N/m or N m/rad");
            s.number("Ki", pid.Ki);
            s.number("Kd", pid.Kd);
            s.number("filter", pid.filter);
            controller.law = pid;
        }
        s.number("inertia", controller.inertia);
        s.number("viscous", controller.viscous);
        s.number("limit", controller.limit);
        s.number("tracking", controller.tracking);
        s.number("start", controller.start);
        s.number("start_D", controller.start_D);
        if (!s.has("reference")) s.missing("reference", "a section [controller.reference] with an input, or a number");
        controller.reference = read_signal(s, "reference").value_or(controller.reference);
        return true;
    }
    // A signal: a number, or a section with an input.
    std::optional<Input> read_signal(PartSection& s, const char* key) {
        const Node* node = s.find(key);
        if (!node) return {};
        if (node->kind != Node::Kind::table) {
            const auto value = s.number(std::string_view(key));
            return value ? std::optional(Input::constant(*value)) : std::nullopt;
        }
        Section section = s.below(key);
        const auto input = read_input(section, context_);
        if (input) section.close();
        return input;
    }
    bool read(PartSection& s, ContactPart& contact) {
        s.name("first", contact.first, doc_of_end);
        s.name("second", contact.second);
        s.name("load_spring", contact.load_spring);
        const Node* start = s.list("start");
        for (std::size_t i = 0; start && i < start->items.size(); ++i) {
            if (!start->items[i].is_number()) s.diagnose_item("start", i, "must be a number");
            contact.start.push_back(start->items[i].number);
        }
        contact.load = read_signal(s, "load");
        Section law_section = s.below("law");
        LoadPart load{contact.load, read_load_on(law_section)};
        if (law_section.has("load"))
            law_section.diagnose("load", "is a key of the contact, not of its law; move it to [[contact]]");
        if (law_section.has("load_on") && !contact.load && contact.load_spring.empty())
            law_section.diagnose("load_on", "needs a load; give the contact load or load_spring");
        if (const LawPart law = read_law(law_section, mass_of(contact, law_section), load); law.law)
            contact.law = *law.law;
        return true;
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
        const Diagnostics before = file_.diagnostics();
        const auto reported = [&](const std::string& place, bool with_key) {
            const auto below = [](const std::string& outer, const std::string& inner) {
                return inner.starts_with(outer) &&
                       (inner.size() == outer.size() || inner[outer.size()] == '.' || inner[outer.size()] == '[');
            };
            return std::any_of(before.begin(), before.end(), [&](const Diagnostic& d) {
                return below(d.key, place) || (with_key && below(place, d.key));
            });
        };
        for (const MachineProblem& problem : broken_rules(machine_)) {
            Section* section = section_of(problem);
            const std::string key = key_of(problem, section);
            const std::string outer = problem.key.starts_with("law.") ? "law" : key;
            const bool missing_mass = problem.key == "mass" && !section->has(key);
            if (!missing_mass && !reported(section->full(outer), !outer.empty())) diagnose(*section, key, problem);
        }
    }
    static void diagnose(Section& section, const std::string& key, const MachineProblem& problem) {
        if (key.empty())
            section.diagnose(problem.rule);
        else if (problem.value.empty())
            section.diagnose(key, problem.rule);
        else
            section.diagnose_of(key, problem.rule, problem.value);
    }
    Section* section_of(const MachineProblem& problem) {
        if (problem.list == "run") return &run_section_;
        for (PartSection& section : sections_)
            if (section.list_name == problem.list && section.index == problem.index) return &section;
        return &file_;
    }
    // The key of the file: an input has its keys in the section of its part.
    std::string key_of(const MachineProblem& problem, const Section* section) const {
        std::string key = problem.key;
        if (key == "mass" && machine_.bodies[problem.index].rotary) return "inertia";
        if (key == "value") return "kind";
        if (key.starts_with("value.")) return key.substr(6);
        return section == &file_ ? "" : key;
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
    return std::any_of(std::begin(part_kinds), std::end(part_kinds),
                       [&](const PartKind& kind) { return root.find(kind.section) != nullptr; });
}

Machine read_machine(Section& file, Section& run_section, const Run& run, bool rotary, const Document& document) {
    return MachineReader(file, run_section, run, rotary, document).read();
}

}  // namespace bristle::experiment
