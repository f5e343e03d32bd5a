// Rules of a machine: names, numbers, connections.
#include <bristle/base/error.hpp>
#include <bristle/describe.hpp>
#include <bristle/simulate/check.hpp>
#include <bristle/simulate/machine_parameters.hpp>

#include <cmath>
#include <set>

#include "base/text.hpp"
#include "simulate/machine/drives.hpp"
#include "simulate/machine/part_units.hpp"
#include "simulate/rules.hpp"

namespace bristle::inline simulation {

namespace {

class MachineCheck {
  public:
    explicit MachineCheck(const Machine& machine) : m_(machine) {}

    std::vector<MachineProblem> all() {
        for_each_list(m_, [&](const PartKind& kind, const auto& parts) { names_of(kind, parts); });
        whole();
        for_each_list(m_, [&](const PartKind& kind, const auto& parts) {
            list_ = kind.list;
            for (index_ = 0; index_ < parts.size(); ++index_) check(parts[index_]);
        });
        if (gears_are_sound_) loops();
        run();
        return std::move(found_);
    }

  private:
    void add(const std::string& part, const std::string& key, const std::string& rule, const std::string& value = "",
             const std::string& item = "") {
        found_.push_back({list_, index_, part, key, item, value, rule});
    }
    // Takes the broken rules of a law, an input or a run. member: that of the part; empty for the part itself.
    struct Sink {
        MachineCheck& check;
        std::string part, member;
        void operator()(const std::string& key, const std::string& rule, const std::string& value) const {
            if (member.empty())
                check.add(part, key, rule, value);
            else
                check.add(part, member, rule, value, key);
        }
        void operator()(const Problem& problem) const {
            const std::string value = quantity(problem.value, problem.parameter.unit);
            const bool missing = std::isnan(problem.value);
            (*this)(full_name(problem.parameter),
                    missing ? "is not given (" + value + "); " + problem.rule : problem.rule, missing ? "" : value);
        }
    };

    template <class Parts>
    void names_of(const PartKind& kind, const Parts& parts) {
        list_ = kind.list;
        for (index_ = 0; index_ < parts.size(); ++index_) {
            const std::string& name = parts[index_].name;
            if (name.empty())
                add(std::string(kind.plural) + "[" + std::to_string(index_ + 1) + "]", "", "has no name; give it one");
            else if (name == ground)
                add(name, "", "is the name of what does not move; choose another name");
            else if (name.find('.') != std::string::npos || name == "t")
                add(name, "",
                    "a name must not be t or contain a point, because signals are named <part>.x; choose another name");
            else if (!seen_.insert(name).second)
                add(name, "", "two parts have this name; choose another one for the second");
        }
    }
    void whole() {
        list_ = MachineMember::none;
        if (m_.bodies.empty() && m_.contacts.empty()) add("machine", "", "has no bodies and no contacts; add bodies");
        if (m_.bodies.size() > max_bodies)
            add("machine", "", "has " + std::to_string(m_.bodies.size()) + " bodies; at most 16 are possible");
        if (m_.contacts.size() > max_contacts)
            add("machine", "", "has " + std::to_string(m_.contacts.size()) + " contacts; at most 16 are possible");
    }

    // The rows of the table of a part.
    template <class Part>
    void numbers(const Part& part) {
        const PartUnits units = units_of(m_, part);
        parameters(part, [&](const PartParameter& p, const double& x) {
            Parameter row = p.in_units(units);
            row.name = p.name;
            if (!p.holds(x)) Sink{*this, part.name, ""}(Problem{row, x, row.bound.rule});
            if (p.not_zero && x == 0) add(part.name, p.name, "must not be 0");
        });
    }
    // Returns true if the signals of the part have no problem.
    template <class Part>
    bool inputs(const Part& part) {
        bool sound = true;
        const PartUnits units = signal_units_of(m_, part);
        signals(part, [&](const PartParameter& p, const Input* in) {
            if (in) sound = check_input(*in, p.in_units(units).unit, Sink{*this, part.name, p.name});
        });
        return sound;
    }

    bool is_body(const std::string& name) const { return index_of(m_.bodies, name) >= 0; }
    bool is_node(const std::string& name) const {
        return name == ground || is_body(name) || index_of(m_.motions, name) >= 0;
    }
    std::string known(bool with_motions) const {
        std::string list;
        for (const Body& body : m_.bodies) append_item(list, body.name);
        if (!with_motions) return list.empty() ? "no bodies" : list;
        for (const PrescribedMotion& motion : m_.motions) append_item(list, motion.name);
        append_item(list, ground);
        return list;
    }
    // Returns true if the name is that of a body.
    bool names_body(const std::string& part, const char* key, const std::string& name) {
        if (is_body(name)) return true;
        add(part, key, "there is no body \"" + name + "\"; the machine has " + known(false));
        return false;
    }
    template <class Part>
    void ends(const Part& part) {
        bool sound = true;
        for (const auto& [key, name] : {std::pair{"first", part.first}, std::pair{"second", part.second}})
            if (!is_node(name)) {
                sound = false;
                add(part.name, key, "there is no \"" + name + "\"; the machine has " + known(true));
            }
        if (!sound) return;
        if (part.first == part.second)
            add(part.name, "", "connects \"" + part.first + "\" with itself; connect two different parts");
        else if (units_of(m_, part) == PartUnits::both)
            add(part.name, "",
                "connects \"" + part.first + "\" and \"" + part.second +
                    "\", of which one is rotary and one linear; connect two of one kind, with a gear (a rack) between "
                    "the kinds");
    }
    // True if a spring or a contact ends at the part.
    bool is_end(const std::string& name) const {
        bool found = false;
        const auto search = [&](const auto& parts) {
            for (const auto& part : parts) found = found || part.first == name || part.second == name;
        };
        search(m_.springs);
        search(m_.contacts);
        return found;
    }

    void check(const Body& body) {
        numbers(body);
        if (body.mass > 0 && !std::isfinite(1 / body.mass))
            add(body.name, "mass", "its inverse is not finite; use a value nearer to 1");
        bool used = body.force != 0 || is_end(body.name);
        for (const Gear& gear : m_.gears) used = used || gear.driver == body.name || gear.driven == body.name;
        for (const Force& force : m_.forces) used = used || force.body == body.name;
        for (const Motor& motor : m_.motors) used = used || motor.body == body.name;
        if (!used)
            add(body.name, "", "no part acts on this body; connect it by a spring, a gear, a contact or a force");
    }
    void check(const PrescribedMotion& motion) {
        numbers(motion);
        if (!inputs(motion)) return;
        if (motion.quantity == Quantity::displacement && motion.value.kind == Input::Kind::steps)
            add(motion.name, "value", "a position cannot jump; use ramps, a wave, or give the velocity");
        if (!is_end(motion.name)) add(motion.name, "", "moves nothing; connect it by a spring or a contact");
    }
    void check(const Spring& spring) {
        ends(spring);
        numbers(spring);
        if (spring.stiffness == 0 && spring.damping == 0)
            add(spring.name, "", "has neither stiffness nor damping; give one of them");
    }
    void check(const Gear& gear) {
        for (const auto& [key, name] : {std::pair{"driver", gear.driver}, std::pair{"driven", gear.driven}})
            if (!names_body(gear.name, key, name)) gears_are_sound_ = false;
        numbers(gear);
        if (!std::isfinite(gear.ratio) || gear.ratio == 0) gears_are_sound_ = false;
        if (gear.driver == gear.driven) {
            gears_are_sound_ = false;
            add(gear.name, "", "connects \"" + gear.driver + "\" with itself; connect two bodies");
        }
    }
    void check(const ContactPart& contact) {
        ends(contact);
        std::visit(
            [&](const auto& law) {
                bristle::problems(law, [&](const Problem& p) { Sink{*this, contact.name, "law"}(p); });
            },
            static_cast<const LawVariant&>(contact.law));
        if (const std::size_t states = state_names(contact.law, Prescribed{}).size(); contact.start.size() > states)
            add(contact.name, "start",
                "has " + std::to_string(contact.start.size()) + " values; the law has " + std::to_string(states) +
                    " states");
        for (const double z : contact.start)
            if (!std::isfinite(z)) add(contact.name, "start", "must be finite numbers");
        const bool by_spring = !contact.load_spring.empty();
        if (by_spring && index_of(m_.springs, contact.load_spring) < 0)
            add(contact.name, "load_spring", "there is no spring \"" + contact.load_spring + "\"; name one of springs");
        if (!inputs(contact)) return;
        const double low = contact.load ? contact.load->range().low : by_spring ? 0 : neutral_load_of(contact.law);
        if (!by_spring)
            check_load(contact.law, low, Sink{*this, contact.name, "load"});
        else if (!accepts_load(contact.law, low))
            add(contact.name, "load", "the force of the spring passes through zero; give the contact a load > 0 N too");
    }
    void check(const Force& force) {
        names_body(force.name, "body", force.body);
        inputs(force);
    }
    void check(const Motor& motor) {
        names_body(motor.name, "body", motor.body);
        numbers(motor);
        int controllers = 0;
        for (const Controller& controller : m_.controllers) controllers += controller.motor == motor.name;
        if (controllers > 1)
            add(motor.name, "", std::to_string(controllers) + " controllers command this motor; keep one");
        if (!inputs(motor) || controllers == 0) return;
        const Input::Range range = motor.command.range();
        if (range.low != 0 || range.high != 0)
            add(motor.name, "command", "a controller commands this motor; remove its key command, or the controller");
    }
    void check(const Controller& controller) {
        const int motor = index_of(m_.motors, controller.motor);
        std::string list;
        for (const Motor& known_motor : m_.motors) append_item(list, known_motor.name);
        if (motor < 0)
            add(controller.name, "motor",
                "there is no motor \"" + controller.motor + "\"; the machine has " +
                    (list.empty() ? "no motors" : list));
        if (!controller.sensor.empty()) names_body(controller.name, "sensor", controller.sensor);
        numbers(controller);
        const Pid* pid = std::get_if<Pid>(&controller.law);
        const Cascade* cascade = std::get_if<Cascade>(&controller.law);
        const double integral = integral_gain(controller), proportional = pid ? pid->Kp : cascade->Kv;
        if (controller.start != 0 && integral == 0)
            add(controller.name, "start", "has no effect without an integral part; give Ki or remove it");
        const bool limited =
            std::isfinite(controller.limit) || (motor >= 0 && std::isfinite(m_.motors[std::size_t(motor)].limit));
        if (std::isnan(controller.tracking) && integral > 0 && !(proportional > 0) && limited)
            add(controller.name, "tracking",
                "is needed where a limit meets an integral part without a proportional one; give a time in s");
        inputs(controller);
    }
    void loops() {
        const Gearing gearing = gearing_of(m_);
        if (gearing.loop >= 0) {
            list_ = MachineMember::gears;
            index_ = std::size_t(gearing.loop);
            return add(m_.gears[std::size_t(gearing.loop)].name, "",
                       "closes a loop of gears; remove one gear, because the others fix its ratio");
        }
        list_ = MachineMember::bodies;
        for (index_ = 0; index_ < m_.bodies.size(); ++index_) {
            const Body& body = m_.bodies[index_];
            if (gearing.root[index_] == int(index_) || body.v == 0) continue;
            const double v = gearing.ratio[index_] * m_.bodies[std::size_t(gearing.root[index_])].v;
            if (std::abs(v - body.v) > 1e-9 * std::abs(v))
                add(body.name, "v",
                    "the gears give this body " + quantity(v, body.rotary ? "rad/s" : "m/s") + "; leave v out here");
        }
    }
    void run() {
        list_ = MachineMember::run;
        index_ = 0;
        Run run = m_.run;
        const bool known = run.method == Method::adaptive || run.method == Method::coupled;
        if (!known) run.method = Method::adaptive;
        check_run(run, Sink{*this, "run", ""});
        if (!known)
            add("run", "method",
                std::string(info_of(m_.run.method).name) + " is not available for machines; use adaptive or coupled");
    }

    const Machine& m_;
    std::vector<MachineProblem> found_;
    MachineMember list_ = MachineMember::none;  // of the part that is checked
    std::size_t index_ = 0;
    std::set<std::string> seen_;
    bool gears_are_sound_ = true;
};

}  // namespace

std::string sentence(const MachineProblem& problem) {
    std::string text = problem.part;
    for (const std::string* name : {&problem.key, &problem.item})
        if (!name->empty()) text.append(".").append(*name);
    if (!problem.value.empty()) text.append(" = ").append(problem.value);
    return text.append(": ").append(problem.rule);
}

std::vector<MachineProblem> broken_rules(const Machine& machine) { return MachineCheck(machine).all(); }

std::vector<std::string> problems(const Machine& machine) {
    std::vector<std::string> all;
    for (const MachineProblem& problem : broken_rules(machine)) all.push_back(sentence(problem));
    return all;
}

void require_valid(const Machine& machine) {
    std::string text;
    for (const std::string& problem : problems(machine)) append_item(text, problem, "\n");
    if (!text.empty()) throw Error(text);
}

}  // namespace bristle::simulation
