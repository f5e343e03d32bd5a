// Limit of hunting of a machine: runs from several starts at factors of 2, then halving along the hunting motion.
#include <bristle/analyse/machine_limit.hpp>

#include <bristle/base/error.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "analyse/cycle/limit_search.hpp"
#include "base/shared_progress.hpp"
#include "base/text.hpp"
#include "simulate/machine/continued.hpp"
#include "simulate/machine/drives.hpp"
#include "simulate/names.hpp"

namespace bristle::inline analysis {

namespace {

// Largest values of a motion since its start: the scales below which a change counts as rest. They stay the same while the motion decays.
struct Scale {
    std::map<std::string, double> motion = {};    // change of the position of each body
    std::map<std::string, double> integral = {};  // |I| of each controller that has one
    // Returns the largest motion of a body at rest: 1e-5 of its largest one; of one that never moves, 1e-10 of that of the others.
    double rest_of(const std::string& body) const {
        double any = 0;
        for (const auto& [name, largest] : motion) any = std::max(any, largest);
        const auto own = motion.find(body);
        return std::max(own == motion.end() ? 0 : 1e-5 * own->second, 1e-10 * any);
    }
};

// Where a motion goes: its end, and the hunting that repeats.
struct Course {
    Motions motions = Motions::undecided;
    std::map<std::string, double> end = {};  // final values of the signals
    double elapsed = 0;                      // from t = 0 of the inputs to the end [s]
    double period = 0, amplitude = 0;
    std::string controller = {};  // that hunts most
    Scale scale = {};
};

double change_of(const Result& run, const std::string& part, SignalRole role, double from) {
    const auto& values = run.signal(signal_name(part, role))->values;
    const auto first = values.begin() + long(from * double(values.size() - 1));
    const auto [low, high] = std::minmax_element(first, values.end());
    return *high - *low;
}

void extend(Scale& scale, const Machine& machine, const Result& run) {
    for (const Body& body : machine.bodies)
        scale.motion[body.name] = std::max(scale.motion[body.name], change_of(run, body.name, SignalRole::position, 0));
    for (const Controller& controller : machine.controllers)
        if (const Signal* I = run.signal(signal_name(controller.name, SignalRole::integral)))
            for (const double value : I->values)
                scale.integral[controller.name] = std::max(scale.integral[controller.name], std::abs(value));
}

// The servo that hunts most; null if none does. A motion that counts as rest is not hunting.
const ServoMeasures* hunting(const Machine& machine, const Result& run, const Scale& scale) {
    const ServoMeasures* largest = nullptr;
    for (std::size_t i = 0; i < run.servos.size(); ++i) {
        const ServoMeasures& servo = run.servos[i];
        if (servo.amplitude && 2 * *servo.amplitude > scale.rest_of(measured_body(machine, machine.controllers[i])) &&
            (!largest || *servo.amplitude > *largest->amplitude))
            largest = &servo;
    }
    return largest;
}

// True if nothing moves in the second half of the run, and no integral will move the machine in a run as long as this one: positions change
// by less than 1e-5 of their largest change so far, integrals by less than 1e-3 of their largest value so far.
bool rests(const Machine& machine, const Result& run, const Scale& scale) {
    for (const Body& body : machine.bodies)
        if (!(change_of(run, body.name, SignalRole::position, 0.5) <= scale.rest_of(body.name))) return false;
    for (const auto& [controller, largest] : scale.integral)
        if (!(change_of(run, controller, SignalRole::integral, 0.5) <= 1e-3 * largest)) return false;
    return true;
}

constexpr double repeats = 1e-4;  // largest change of a cycle from one run to the next

// Follows a motion until the machine rests or its hunting repeats. elapsed: time of the inputs before the start [s]. first: the first run, if
// it is known. scale: of the motion before the start.
Course follow_motion(Machine machine, double elapsed, const MachineLimitOptions& options, const Progress& progress,
                     const Result* first = nullptr, Scale scale = {}) {
    Course course{.scale = std::move(scale)};
    int growth = 0;
    for (int run_number = 0; run_number < options.patience; ++run_number) {
        const Result run = first && run_number == 0 ? *first : simulate(machine, progress);
        if (run.status == Status::cancelled) throw Cancelled();
        if (run.status == Status::not_finite || run.status == Status::diverges) course.motions = Motions::grow;
        // near rest all energies can be rounding, whose balance does not close
        if (run.status == Status::unbalanced && rests(machine, run, course.scale)) course.motions = Motions::settle;
        if (run.status != Status::done) return course;
        extend(course.scale, machine, run);
        const ServoMeasures* servo = hunting(machine, run, course.scale);
        const double before = course.amplitude, period = course.period;
        course.end = run.measures.final;
        course.elapsed = elapsed += machine.run.duration;
        course.amplitude = servo ? *servo->amplitude : 0;
        course.period = servo ? *servo->period : 0;
        course.controller = servo ? servo->name : "";
        if (!servo && rests(machine, run, course.scale)) {
            course.motions = Motions::settle;
            return course;
        }
        if (servo && std::abs(course.amplitude - before) <= repeats * before &&
            std::abs(course.period - period) <= repeats * period) {
            course.motions = Motions::hunt;
            return course;
        }
        growth = before > 0 && course.amplitude > 10 * before ? growth + 1 : 0;
        if (growth == 3) {
            course.motions = Motions::grow;
            return course;
        }
        machine = continued(machine, run);
        machine.run.duration *= 2;
    }
    return course;
}

bool has_integral(const Controller& controller) { return integral_gain(controller) > 0; }
// The largest |I| that the limits of controller and motor permit; infinity without a limit.
double largest_integral(const Machine& machine, const Controller& controller) {
    return largest_command(machine.motors[std::size_t(index_of(machine.motors, controller.motor))], &controller);
}
bool has_largest_integral(const Machine& machine) {
    return std::any_of(machine.controllers.begin(), machine.controllers.end(), [&](const Controller& controller) {
        return has_integral(controller) && std::isfinite(largest_integral(machine, controller));
    });
}
// Number of starts: that of the machine, integrals wound up to both sides, and to their limits on both sides if they have any.
int starts_of(const Machine& machine) { return has_largest_integral(machine) ? 5 : 3; }

// The machine with more force in its integrals at the start, which moves it out of rest.
Machine wound_up_by(double force, Machine machine) {
    for (Controller& controller : machine.controllers)
        if (has_integral(controller)) controller.start += force;
    return machine;
}
// The machine with its integrals at the limit of a side; an integral without a limit has more force.
Machine wound_up_fully(double side, double force, Machine machine) {
    for (Controller& controller : machine.controllers) {
        if (!has_integral(controller)) continue;
        const double bound = largest_integral(machine, controller);
        controller.start = std::isfinite(bound) ? side * bound : controller.start + side * force;
    }
    return machine;
}

// The largest force of any contact in a run: integrals wound up to three times of it move the machine from rest.
double largest_friction(const Machine& machine, const Result& run) {
    double largest = 0;
    for (const ContactPart& contact : machine.contacts) {
        const std::string force = signal_name(contact.name, SignalRole::friction);
        largest = std::max({largest, run.measures.max.at(force), -run.measures.min.at(force)});
    }
    return largest;
}

class MachineEvaluations {
  public:
    MachineEvaluations(const MachineFamily& family, const MachineLimitOptions& options, Progress progress)
        : family_(family), options_(options), progress_(std::move(progress)) {}

    bool is_valid(double p) { return member_at(p).machine.has_value(); }
    Motions operator()(double p) {
        if (!known_.contains(p)) keep(p, evaluated(p));
        return known_[p];
    }
    const Course& course(double p) const { return courses_.at(p); }
    // The motion at p from the starts, where a motion from elsewhere is known.
    Motions from_starts(double p) { return keep(p, evaluated(p)); }
    // The motion at p that goes on from the end of another one, under the inputs at p.
    Motions from(const Course& other, double p) {
        Machine machine = continued_from(machine_at(p), other.end, other.elapsed);
        machine.run.duration = std::max(machine.run.duration, 8 * other.period);
        return keep(p, follow_motion(std::move(machine), other.elapsed, options_, progress_, nullptr, other.scale));
    }
    const MotionsByValue& known() const { return known_; }
    // Throws Error if the family does not accept p.
    const Machine& machine_at(double p) {
        const Member& member = member_at(p);
        if (!member.machine) throw Error(member.problem);
        return *member.machine;
    }

  private:
    // The machine at a value, or the rules that it breaks.
    struct Member {
        std::optional<Machine> machine = {};
        std::string problem = {};
    };
    // Built and checked once.
    const Member& member_at(double p) {
        const auto [place, is_new] = members_.try_emplace(p);
        Member& member = place->second;
        if (is_new) try {
                Machine machine = family_(p);
                require_valid(machine);
                member.machine = std::move(machine);
            } catch (const Error& refused) {
                member.problem = refused.what();
            }
        return member;
    }
    Motions keep(double p, Course course) {
        known_[p] = course.motions;
        courses_[p] = std::move(course);
        return known_[p];
    }
    Course evaluated(double p) {
        const Machine& machine = machine_at(p);
        const Result first = simulate(machine, progress_);
        if (first.status == Status::cancelled) throw Cancelled();
        double wound_up = 0;
        if (first.status == Status::done) wound_up = 3 * largest_friction(machine, first);
        std::vector<Machine> starts{machine, wound_up_by(wound_up, machine), wound_up_by(-wound_up, machine)};
        if (has_largest_integral(machine))
            for (const double side : {1, -1}) starts.push_back(wound_up_fully(side, wound_up, machine));
        Course last;
        bool undecided = false;
        for (std::size_t i = 0; i < starts.size(); ++i) {
            last = follow_motion(starts[i], 0, options_, progress_, i == 0 ? &first : nullptr);
            if (persists(last.motions)) return last;
            undecided = undecided || last.motions == Motions::undecided;
        }
        if (undecided) last.motions = Motions::undecided;
        return last;
    }

    const MachineFamily& family_;
    const MachineLimitOptions& options_;
    Progress progress_;
    std::map<double, Member> members_;
    MotionsByValue known_;
    std::map<double, Course> courses_;
};

// The motion at p: that at `with`, continued, or else from the starts.
Motions motion_beside(MachineEvaluations& motions, double with, double p) {
    if (motions.course(with).motions != Motions::hunt) return motions(p);
    const Motions here = motions.from(motions.course(with), p);
    return here == Motions::undecided ? motions.from_starts(p) : here;
}

// Halves the change until its neighbours are within a quarter of the accuracy, or within the accuracy if motions between them do not decide.
// Returns false if neither is possible.
bool narrow(MachineEvaluations& motions, Neighbours& change, double accuracy) {
    const auto are_within = [&](double fraction, double a, double b) {
        return std::abs(a - b) <= fraction * accuracy * std::abs(change.with);
    };
    const auto are_near = [&](double a, double b) { return are_within(0.25, a, b); };
    Neighbours open{};  // the outer values that do not decide, if there are any
    bool is_open = false;
    while (!are_near(change.with, change.without)) {
        double from = change.with, to = change.without;
        bool beside_with = false;
        if (is_open) {
            if (are_within(1, change.with, change.without)) return true;
            beside_with = !are_near(change.with, open.with);
            if (!beside_with && are_near(change.without, open.without)) return false;
            (beside_with ? to : from) = beside_with ? open.with : open.without;
        }
        const double p = 0.5 * (from + to);
        const Motions here = motion_beside(motions, change.with, p);
        if (here == Motions::undecided) {
            if (!is_open) open = Neighbours{p, p};
            is_open = true;
            (beside_with ? open.with : open.without) = p;
            continue;
        }
        if (is_open && persists(here) != beside_with) is_open = false;  // the change is on this side of the open values
        (persists(here) ? change.with : change.without) = p;
    }
    return true;
}

// Sets the closest value beyond the change at which the motions from all starts settle: change.without, or one up to 2 % further on if motions there last
// too long. Returns what is found at the last value.
Motions confirm_without(MachineEvaluations& motions, Neighbours& change, double sure) {
    const double end = change.without;
    Motions here = motions.from_starts(end);
    for (const double distance : {2e-3, 5e-3, 1e-2, 2e-2}) {
        if (here != Motions::undecided) break;
        const double p = end + (sure > end ? 1 : -1) * distance * std::abs(end);
        if (std::abs(p - end) >= std::abs(sure - end)) break;
        here = motions.from_starts(change.without = p);
    }
    return here;
}

void check_references(const Machine& machine) {
    if (machine.controllers.empty())
        throw Error("limit: hunting of a machine needs a controller; add one to the machine");
    const double T = machine.run.duration;
    for (const Controller& controller : machine.controllers)
        if (const Piece last = controller.reference.piece(T);
            std::isfinite(controller.reference.next_corner(T)) || last.amplitude != 0 || last.rate(T) != 0)
            throw Error(controller.name + ".reference: must end at rest within run.duration for a limit");
}

}  // namespace

Limit limit(const MachineFamily& family, double start, Window window, const MachineLimitOptions& options,
            const Progress& progress) {
    if (!(start * window.from > 0 && start * window.to > 0 && window.from <= start && start <= window.to))
        throw Error("limit: the start value must lie in the window, and both ends must have its sign");
    Limit out;
    SharedProgress shared(progress);
    MachineEvaluations motions(family, options, shared.part(0, 1));
    const auto close = [&](LimitOutcome outcome) { return closed(out, outcome, motions.known()); };
    if (!motions.is_valid(start)) {
        out.outcome = LimitOutcome::no_valid_start;
        out.lowest = out.highest = start;
        return out;
    }
    check_references(motions.machine_at(start));
    out.starts = starts_of(motions.machine_at(start));
    const bool hunts_at_start = persists(motions(start));
    const bool upward_first = hunts_at_start != (start > 0);
    std::optional<Neighbours> change;
    for (const bool upward : {upward_first, !upward_first})
        if (!change) change = change_between(motions, start, upward ? window.to : window.from);
    if (!change) {
        if (any_undecided(motions.known())) return close(LimitOutcome::undecided);
        return close(hunts_at_start ? LimitOutcome::cycle_everywhere : LimitOutcome::cycle_nowhere);
    }
    const double sure = change->without;  // there the motions from all starts settle
    for (;;) {
        if (!narrow(motions, *change, options.accuracy)) return close(LimitOutcome::undecided);
        const double end = change->without;
        const Motions beyond = end == sure ? Motions::settle : confirm_without(motions, *change, sure);
        if (beyond == Motions::undecided) return close(LimitOutcome::undecided);
        if (beyond == Motions::settle) {
            out.value = 0.5 * (change->with + end);
            break;
        }
        *change = {sure, change->without};  // another motion persists there
    }
    const Course& beside = motions.course(change->with);
    out.without = change->without;
    out.with = change->with;
    out.grows = beside.motions == Motions::grow;
    if (!out.grows) {
        out.period = beside.period;
        out.amplitude = beside.amplitude;
        out.controller = beside.controller;
    }
    return close(LimitOutcome::found);
}

Limit limit(const MachineFamily& family, double start) { return limit(family, start, limit_window(start)); }

}  // namespace bristle::analysis
