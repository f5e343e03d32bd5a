// Rules of a machine: names, numbers, connections.
#include <bristle/describe.hpp>
#include <bristle/simulate/check.hpp>

#include <cmath>
#include <set>

#include "base/text.hpp"
#include "simulate/machine/assembly.hpp"

namespace bristle::inline simulation {

namespace {

class MachineCheck {
  public:
    explicit MachineCheck(const Machine& machine) : m_(machine) {}

    std::vector<MachineProblem> all() {
        names();
        each(m_.bodies, "bodies");
        each(m_.motions, "motions");
        each(m_.springs, "springs");
        each(m_.gears, "gears");
        each(m_.contacts, "contacts");
        each(m_.forces, "forces");
        each(m_.motors, "motors");
        each(m_.controllers, "controllers");
        if (gears_are_sound_) loops();
        list_ = "run";
        run();
        return std::move(found_);
    }

  private:
    // place: a part, or a part and its key: "axis.mass".
    void add(const std::string& place, const std::string& rule, const std::string& value = "") {
        const std::size_t dot = std::min(place.find('.'), place.size());
        found_.push_back(
            {list_, index_, place.substr(0, dot), place.substr(std::min(dot + 1, place.size())), value, rule});
    }
    void add(const std::string& part, const std::string& prefix, const Problem& problem) {
        const std::string value = quantity(problem.value, problem.parameter.unit);
        const std::string place = part + "." + prefix + full_name(problem.parameter);
        if (std::isnan(problem.value))
            add(place, "is not given (" + value + "); " + problem.rule);
        else
            add(place, problem.rule, value);
    }

    template <class Parts>
    void each(const Parts& parts, const char* list) {
        list_ = list;
        for (index_ = 0; index_ < parts.size(); ++index_) check(parts[index_]);
    }
    template <class Parts>
    void names_of(const Parts& parts, const char* kind) {
        list_ = kind;
        for (index_ = 0; index_ < parts.size(); ++index_) {
            const std::string& name = parts[index_].name;
            if (name.empty())
                add(std::string(kind) + "[" + std::to_string(index_ + 1) + "]", "has no name; give it one");
            else if (name == ground)
                add(name, "is the name of what does not move; choose another name");
            else if (name.find('.') != std::string::npos || name == "t")
                found_.push_back({list_, index_, name, "", "",
                                  "a name must not be t or contain a point, because signals are named <part>.x; choose "
                                  "another name"});
            else if (!seen_.insert(name).second)
                add(name, "two parts have this name; choose another one for the second");
        }
    }
    void names() {
        names_of(m_.bodies, "bodies");
        names_of(m_.motions, "motions");
        names_of(m_.springs, "springs");
        names_of(m_.gears, "gears");
        names_of(m_.contacts, "contacts");
        names_of(m_.forces, "forces");
        names_of(m_.motors, "motors");
        names_of(m_.controllers, "controllers");
        list_ = "";
        if (m_.bodies.empty() && m_.contacts.empty()) add("machine", "has no bodies and no contacts; add bodies");
        if (m_.bodies.size() > max_bodies)
            add("machine", "has " + std::to_string(m_.bodies.size()) + " bodies; at most 16 are possible");
        if (m_.contacts.size() > max_contacts)
            add("machine", "has " + std::to_string(m_.contacts.size()) + " contacts; at most 16 are possible");
    }

    void number(const std::string& part, const char* key, const char* unit, double x, const Bound& bound) {
        if (!bound.holds(x)) add(part, "", Problem{{key, unit, "", bound}, x, bound.rule});
    }
    static constexpr Bound finite{-bound::infinite, bound::infinite, false, "must be a finite number"};

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
    void ends(const std::string& part, const std::string& first, const std::string& second) {
        bool sound = true;
        for (const auto& [key, name] : {std::pair{".first", first}, std::pair{".second", second}})
            if (!is_node(name)) {
                sound = false;
                add(part + key, "there is no \"" + name + "\"; the machine has " + known(true));
            }
        if (sound && first == second) add(part, "connects \"" + first + "\" with itself; connect two different parts");
    }
    bool input(const std::string& part, const Input& in) {
        const Piece& w = in.wave;
        bool sound = true;
        for (const double x : {w.offset, w.slope, w.start, w.amplitude, w.omega, w.bend, w.phase})
            sound = sound && std::isfinite(x);
        if (!sound) add(part, "all numbers of the input must be finite");
        if (in.kind == Input::Kind::moves)
            if (const char* rule = broken_rule(in.limits)) {
                sound = false;
                add(part, rule);
            }
        for (std::size_t i = 0; i < in.points.size(); ++i)
            if (const char* rule = broken_rule(in, i)) {
                sound = false;
                add(part + ".points[" + std::to_string(i + 1) + "]", rule);
            }
        return sound;
    }

    void check(const Body& body) {
        number(body.name, "mass", body.rotary ? "kg m^2" : "kg", body.mass, bound::positive);
        number(body.name, "force", body.rotary ? "N m" : "N", body.force, finite);
        number(body.name, "x", body.rotary ? "rad" : "m", body.x, finite);
        number(body.name, "v", body.rotary ? "rad/s" : "m/s", body.v, finite);
        if (body.mass > 0 && !std::isfinite(1 / body.mass))
            add(body.name + ".mass", "its inverse is not finite; use a value nearer to 1");
        bool used = body.force != 0;
        const auto uses = [&](const auto& parts) {
            for (const auto& part : parts) used = used || part.first == body.name || part.second == body.name;
        };
        uses(m_.springs);
        uses(m_.contacts);
        for (const Gear& gear : m_.gears) used = used || gear.driver == body.name || gear.driven == body.name;
        for (const Force& force : m_.forces) used = used || force.body == body.name;
        for (const Motor& motor : m_.motors) used = used || motor.body == body.name;
        if (!used) add(body.name, "no part acts on this body; connect it by a spring, a gear, a contact or a force");
    }
    void check(const PrescribedMotion& motion) {
        number(motion.name, "x", motion.rotary ? "rad" : "m", motion.x, finite);
        if (!input(motion.name + ".value", motion.value)) return;
        if (motion.quantity == Quantity::displacement && motion.value.kind == Input::Kind::steps)
            add(motion.name + ".value", "a position cannot jump; use ramps, a wave, or give the velocity");
        bool used = false;
        const auto uses = [&](const auto& parts) {
            for (const auto& part : parts) used = used || part.first == motion.name || part.second == motion.name;
        };
        uses(m_.springs);
        uses(m_.contacts);
        if (!used) add(motion.name, "moves nothing; connect it by a spring or a contact");
    }
    void check(const Spring& spring) {
        ends(spring.name, spring.first, spring.second);
        number(spring.name, "stiffness", "N/m", spring.stiffness, bound::nonnegative);
        number(spring.name, "damping", "N s/m", spring.damping, bound::nonnegative);
        number(spring.name, "gap", "m", spring.gap, bound::nonnegative);
        number(spring.name, "rest", "m", spring.rest, finite);
        if (spring.stiffness == 0 && spring.damping == 0)
            add(spring.name, "has neither stiffness nor damping; give one of them");
    }
    void check(const Gear& gear) {
        for (const auto& [key, name] : {std::pair{".driver", gear.driver}, std::pair{".driven", gear.driven}})
            if (!is_body(name)) {
                gears_are_sound_ = false;
                add(gear.name + key, "there is no body \"" + name + "\"; the machine has " + known(false));
            }
        number(gear.name, "ratio", "1", gear.ratio, finite);
        if (gear.ratio == 0) add(gear.name + ".ratio", "must not be 0");
        if (!std::isfinite(gear.ratio) || gear.ratio == 0) gears_are_sound_ = false;
        if (gear.driver == gear.driven) {
            gears_are_sound_ = false;
            add(gear.name, "connects \"" + gear.driver + "\" with itself; connect two bodies");
        }
    }
    void check(const ContactPart& contact) {
        ends(contact.name, contact.first, contact.second);
        std::size_t states = 0;
        std::visit(
            [&]<class Law>(const Law& law) {
                bristle::problems(law, [&](const Problem& p) { add(contact.name, "law.", p); });
                if constexpr (requires { law.count(); })
                    states = std::size_t(law.count());
                else
                    states = StaticLaw<Law> ? 0 : 1;
            },
            static_cast<const LawVariant&>(contact.law));
        if (contact.start.size() > states)
            add(contact.name + ".start", "has " + std::to_string(contact.start.size()) + " values; the law has " +
                                             std::to_string(states) + " states");
        for (const double z : contact.start)
            if (!std::isfinite(z)) add(contact.name + ".start", "must be finite numbers");
        const bool by_spring = !contact.load_spring.empty();
        if (by_spring && index_of(m_.springs, contact.load_spring) < 0)
            add(contact.name + ".load_spring",
                "there is no spring \"" + contact.load_spring + "\"; name one of springs");
        double low = by_spring ? 0 : neutral_load_of(contact.law);
        if (contact.load) {
            if (!input(contact.name + ".load", *contact.load)) return;
            const Input::Range range = contact.load->range();
            if (!std::isfinite(range.high)) add(contact.name + ".load", "must be finite");
            low = range.low;
        }
        if (!accepts_load(contact.law, low))
            add(contact.name + ".load",
                by_spring ? "the force of the spring passes through zero; give the contact a load > 0 N too"
                : accepts_load(contact.law, 0) ? "must stay >= 0 N"
                                               : "must stay > 0 N");
    }
    void check(const Force& force) {
        if (!is_body(force.body))
            add(force.name + ".body", "there is no body \"" + force.body + "\"; the machine has " + known(false));
        if (!input(force.name + ".value", force.value)) return;
        const Input::Range range = force.value.range();
        if (!std::isfinite(range.low) || !std::isfinite(range.high)) add(force.name + ".value", "must be finite");
    }
    void check(const Motor& motor) {
        const int body = index_of(m_.bodies, motor.body);
        if (body < 0)
            add(motor.name + ".body", "there is no body \"" + motor.body + "\"; the machine has " + known(false));
        const bool rotary = body >= 0 && m_.bodies[std::size_t(body)].rotary;
        number(motor.name, "gain", rotary ? "N m" : "N", motor.gain, finite);
        if (motor.gain == 0) add(motor.name + ".gain", "must not be 0");
        limit(motor.name, "limit", rotary ? "N m" : "N", motor.limit);
        number(motor.name, "lag", "s", motor.lag, bound::nonnegative);
        number(motor.name, "start", rotary ? "N m" : "N", motor.start, finite);
        int controllers = 0;
        for (const Controller& controller : m_.controllers) controllers += controller.motor == motor.name;
        if (controllers > 1) add(motor.name, std::to_string(controllers) + " controllers command this motor; keep one");
        if (!input(motor.name + ".command", motor.command)) return;
        const Input::Range range = motor.command.range();
        if (!std::isfinite(range.low) || !std::isfinite(range.high)) add(motor.name + ".command", "must be finite");
        if (controllers > 0 && (range.low != 0 || range.high != 0))
            add(motor.name + ".command", "a controller commands this motor; remove .command or the controller");
    }
    void limit(const std::string& part, const char* key, const char* unit, double x) {
        if (x != std::numeric_limits<double>::infinity()) number(part, key, unit, x, bound::positive);
    }
    void check(const Controller& controller) {
        const int motor = index_of(m_.motors, controller.motor);
        std::string list;
        for (const Motor& known_motor : m_.motors) append_item(list, known_motor.name);
        if (motor < 0)
            add(controller.name + ".motor", "there is no motor \"" + controller.motor + "\"; the machine has " +
                                                (list.empty() ? "no motors" : list));
        if (!controller.sensor.empty() && !is_body(controller.sensor))
            add(controller.name + ".sensor",
                "there is no body \"" + controller.sensor + "\"; the machine has " + known(false));
        const int body = motor < 0 ? -1 : index_of(m_.bodies, m_.motors[std::size_t(motor)].body);
        gains(controller, body >= 0 && m_.bodies[std::size_t(body)].rotary);
        if (!input(controller.name + ".reference", controller.reference)) return;
        const Input::Range range = controller.reference.range();
        if (!std::isfinite(range.low) || !std::isfinite(range.high))
            add(controller.name + ".reference", "must be finite");
    }
    void gains(const Controller& controller, bool rotary) {
        const auto unit = [&](const char* linear, const char* turning) { return rotary ? turning : linear; };
        const auto row = [&](const char* key, const char* linear, const char* turning, double x, const Bound& bound) {
            number(controller.name, key, unit(linear, turning), x, bound);
        };
        double proportional = 0, integral = 0;
        if (const Pid* pid = std::get_if<Pid>(&controller.law)) {
            row("Kp", "N/m", "N m/rad", proportional = pid->Kp, bound::nonnegative);
            row("Ki", "N/(m s)", "N m/(rad s)", integral = pid->Ki, bound::nonnegative);
            row("Kd", "N s/m", "N m s/rad", pid->Kd, bound::nonnegative);
            row("filter", "s", "s", pid->filter, bound::nonnegative);
        } else {
            const Cascade& cascade = std::get<Cascade>(controller.law);
            row("Kx", "1/s", "1/s", cascade.Kx, bound::nonnegative);
            row("Kv", "N s/m", "N m s/rad", proportional = cascade.Kv, bound::nonnegative);
            row("Ki", "N/m", "N m/rad", integral = cascade.Ki, bound::nonnegative);
            limit(controller.name, "speed_limit", unit("m/s", "rad/s"), cascade.speed_limit);
        }
        row("inertia", "kg", "kg m^2", controller.inertia, finite);
        row("viscous", "N s/m", "N m s/rad", controller.viscous, finite);
        limit(controller.name, "limit", unit("N", "N m"), controller.limit);
        row("start", "N", "N m", controller.start, finite);
        row("start_D", "N", "N m", controller.start_D, finite);
        if (controller.start != 0 && integral == 0)
            add(controller.name + ".start", "has no effect without an integral part; give Ki or remove it");
        if (!std::isnan(controller.tracking)) return limit(controller.name, "tracking", "s", controller.tracking);
        if (integral > 0 && !(proportional > 0) && is_limited(controller))
            add(controller.name + ".tracking",
                "is needed where a limit meets an integral part without a proportional one; give a time in s");
    }
    bool is_limited(const Controller& controller) const {
        const int motor = index_of(m_.motors, controller.motor);
        return std::isfinite(controller.limit) || (motor >= 0 && std::isfinite(m_.motors[std::size_t(motor)].limit));
    }
    void loops() {
        const Gearing gearing = gearing_of(m_);
        if (gearing.loop >= 0) {
            list_ = "gears";
            index_ = std::size_t(gearing.loop);
            return add(m_.gears[std::size_t(gearing.loop)].name,
                       "closes a loop of gears; remove one gear, because the others fix its ratio");
        }
        list_ = "bodies";
        for (std::size_t i = 0; i < m_.bodies.size(); ++i) {
            index_ = i;
            const Body& body = m_.bodies[i];
            if (gearing.root[i] == int(i) || body.v == 0) continue;
            const double v = gearing.ratio[i] * m_.bodies[std::size_t(gearing.root[i])].v;
            if (std::abs(v - body.v) > 1e-9 * std::abs(v))
                add(body.name + ".v",
                    "the gears give this body " + quantity(v, body.rotary ? "rad/s" : "m/s") + "; leave v out here");
        }
    }
    void run() {
        const auto check_row = [&](const Parameter& p, double x) {
            if (!p.bound.holds(x)) add("run", "", Problem{p, x, p.bound.rule});
        };
        check_row(run_table::duration, m_.run.duration);
        check_row(run_table::rtol, m_.run.rtol);
        check_row(run_table::atol, m_.run.atol);
        check_row(run_table::samples, m_.run.samples);
        if (m_.run.stick_speed != 0) check_row(run_table::stick_speed, m_.run.stick_speed);
        if (m_.run.method == Method::coupled) {
            check_row(run_table::step, m_.run.step);
            if (m_.run.step > m_.run.duration) add("run.step", run_table::step_rule, quantity(m_.run.step, "s"));
        } else if (m_.run.method != Method::adaptive) {
            add("run.method",
                std::string(info_of(m_.run.method).name) + " is not available for machines; use adaptive or coupled");
        }
        for (const double t : m_.run.sample_times)
            if (!(t >= 0) || t > m_.run.duration) add("run.sample_times", "must be >= 0 s and <= run.duration");
    }

    const Machine& m_;
    std::vector<MachineProblem> found_;
    const char* list_ = "";  // of the part that is checked
    std::size_t index_ = 0;
    std::set<std::string> seen_;
    bool gears_are_sound_ = true;
};

}  // namespace

std::string sentence(const MachineProblem& problem) {
    std::string text = problem.part;
    if (!problem.key.empty()) text.append(".").append(problem.key);
    if (!problem.value.empty()) text.append(" = ").append(problem.value);
    return text.append(": ").append(problem.rule);
}

std::vector<MachineProblem> broken_rules(const Machine& machine) { return MachineCheck(machine).all(); }

std::vector<std::string> problems(const Machine& machine) {
    std::vector<std::string> all;
    for (const MachineProblem& problem : broken_rules(machine)) all.push_back(sentence(problem));
    return all;
}

}  // namespace bristle::simulation
