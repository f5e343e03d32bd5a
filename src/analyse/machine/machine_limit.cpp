// Limit of hunting of a machine: runs from several starts at factors of 2, then halving along the hunting motion.
#include <bristle/analyse/machine_limit.hpp>

#include <bristle/base/error.hpp>

#include <algorithm>
#include <cmath>
#include <map>

#include "analyse/cycle/limit_search.hpp"
#include "base/shared_progress.hpp"

namespace bristle::inline analysis {

namespace {

// Where a motion goes: the machine at its end, and the hunting that repeats.
struct Course {
    Motions motions = Motions::undecided;
    std::optional<Machine> end;
    double period = 0, amplitude = 0;
};

// The servo that hunts most; null if none does.
const ServoMeasures* hunting(const Result& run) {
    const ServoMeasures* most = nullptr;
    for (const ServoMeasures& servo : run.servos)
        if (servo.amplitude && (!most || *servo.amplitude > *most->amplitude)) most = &servo;
    return most;
}

double change_of(const Result& run, const std::string& signal, double from) {
    const auto& values = run.signal(signal)->values;
    const auto first = values.begin() + long(from * double(values.size() - 1));
    const auto [low, high] = std::minmax_element(first, values.end());
    return *high - *low;
}

// True if nothing moves in the second half of the run, and no integral will move the machine in a run as long as this one: positions change
// by less than 1e-5 of the largest change so far, integrals by less than 1e-3 of their command.
bool rests(const Machine& machine, const Result& run, double largest_motion) {
    for (const Body& body : machine.bodies)
        if (!(change_of(run, body.name + ".x", 0.5) <= 1e-5 * largest_motion)) return false;
    for (const Controller& controller : machine.controllers)
        if (run.signal(controller.name + ".I") != nullptr) {
            const double most = std::max({std::abs(run.measures.max.at(controller.name + ".u")),
                                          std::abs(run.measures.min.at(controller.name + ".u"))});
            if (!(change_of(run, controller.name + ".I", 0.5) <= 1e-3 * most)) return false;
        }
    return true;
}

constexpr double repeats = 1e-4;  // largest change of a cycle from one run to the next

// Follows a motion until the machine rests or its hunting repeats.
Course follow_motion(Machine machine, const MachineLimitOptions& options, const Progress& progress) {
    Course course;
    double largest_motion = 0, before = 0, period = 0;
    int growth = 0;
    for (int run_number = 0; run_number < options.patience; ++run_number) {
        const Result run = simulate(machine, progress);
        if (run.status == Status::cancelled) throw Cancelled();
        if (run.status == Status::not_finite || run.status == Status::diverges) course.motions = Motions::grow;
        if (run.status != Status::done) return course;
        for (const Body& body : machine.bodies)
            largest_motion = std::max(largest_motion, change_of(run, body.name + ".x", 0));
        const ServoMeasures* servo = hunting(run);
        course.end = continued(machine, run);
        if (!servo && rests(machine, run, largest_motion)) {
            course.motions = Motions::settle;
            return course;
        }
        if (servo && std::abs(*servo->amplitude - before) <= repeats * before &&
            std::abs(*servo->period - period) <= repeats * period) {
            course.motions = Motions::hunt;
            course.period = *servo->period;
            course.amplitude = *servo->amplitude;
            return course;
        }
        const double now = servo ? *servo->amplitude : 0;
        growth = before > 0 && now > 10 * before ? growth + 1 : 0;
        if (growth == 3) {
            course.motions = Motions::grow;
            return course;
        }
        before = now;
        period = servo ? *servo->period : 0;
        machine = *course.end;
        machine.run.duration *= 2;
    }
    return course;
}

// Controllers with an integral: its force at the start moves the machine out of rest.
std::vector<Machine> starts_of(const Machine& machine, double wound_up) {
    std::vector<Machine> starts{machine};
    for (const double side : {1.0, -1.0}) {
        Machine start = machine;
        for (Controller& controller : start.controllers) {
            const bool integrates = std::visit([](const auto& law) { return law.Ki > 0; }, controller.law);
            if (integrates) controller.start += side * wound_up;
        }
        starts.push_back(std::move(start));
    }
    return starts;
}

// The largest force of any contact in a run: integrals wound up to three times of it move the machine from rest.
double largest_friction(const Machine& machine, const Result& run) {
    double largest = 0;
    for (const ContactPart& contact : machine.contacts)
        largest =
            std::max({largest, run.measures.max.at(contact.name + ".F"), -run.measures.min.at(contact.name + ".F")});
    return largest;
}

// The machine with the start and the inputs of another one of the same parts.
Machine with_start_of(Machine machine, const Machine& other) {
    for (std::size_t i = 0; i < machine.bodies.size(); ++i) {
        machine.bodies[i].x = other.bodies[i].x;
        machine.bodies[i].v = other.bodies[i].v;
    }
    for (std::size_t i = 0; i < machine.contacts.size(); ++i) {
        machine.contacts[i].start = other.contacts[i].start;
        machine.contacts[i].load = other.contacts[i].load;
    }
    for (std::size_t i = 0; i < machine.motors.size(); ++i) {
        machine.motors[i].start = other.motors[i].start;
        machine.motors[i].command = other.motors[i].command;
    }
    for (std::size_t i = 0; i < machine.controllers.size(); ++i) {
        machine.controllers[i].start = other.controllers[i].start;
        machine.controllers[i].start_D = other.controllers[i].start_D;
        machine.controllers[i].reference = other.controllers[i].reference;
    }
    machine.motions = other.motions;
    machine.forces = other.forces;
    return machine;
}

class MachineEvaluations {
  public:
    MachineEvaluations(const MachineFamily& family, const MachineLimitOptions& options, Progress progress)
        : family_(family), options_(options), progress_(std::move(progress)) {}

    bool is_valid(double p) const {
        try {
            return problems(family_(p)).empty();
        } catch (const Error&) {
            return false;
        }
    }
    Motions operator()(double p) {
        if (!known_.contains(p)) known_[p] = evaluated(p);
        return known_[p].motions;
    }
    const Course& course(double p) const { return known_.at(p); }
    // The motion at p from the starts, where a motion from elsewhere is known.
    Motions from_starts(double p) {
        known_[p] = evaluated(p);
        return known_[p].motions;
    }
    // The motion at p that goes on from the end of another one.
    Motions from(const Course& other, double p) {
        Machine machine = with_start_of(family_(p), *other.end);
        machine.run.duration = std::max(machine.run.duration, 8 * other.period);
        known_[p] = follow_motion(std::move(machine), options_, progress_);
        return known_[p].motions;
    }
    bool any_undecided() const {
        return std::any_of(known_.begin(), known_.end(),
                           [](const auto& one) { return one.second.motions == Motions::undecided; });
    }
    double lowest() const { return known_.begin()->first; }
    double highest() const { return known_.rbegin()->first; }

  private:
    Course evaluated(double p) const {
        const Machine machine = family_(p);
        const Result first = simulate(machine, progress_);
        if (first.status == Status::cancelled) throw Cancelled();
        double wound_up = 0;
        if (first.status == Status::done) wound_up = 3 * largest_friction(machine, first);
        Course last;
        bool undecided = false;
        for (const Machine& start : starts_of(machine, wound_up)) {
            last = follow_motion(start, options_, progress_);
            if (persists(last.motions)) return last;
            undecided = undecided || last.motions == Motions::undecided;
        }
        if (undecided) last.motions = Motions::undecided;
        return last;
    }

    const MachineFamily& family_;
    const MachineLimitOptions& options_;
    Progress progress_;
    std::map<double, Course> known_;
};

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
    const auto close = [&](LimitOutcome outcome) {
        out.outcome = outcome;
        out.lowest = motions.lowest();
        out.highest = motions.highest();
        return out;
    };
    if (!motions.is_valid(start)) {
        out.outcome = LimitOutcome::no_valid_start;
        out.lowest = out.highest = start;
        return out;
    }
    check_references(family(start));
    const bool hunts_at_start = persists(motions(start));
    const bool upward_first = hunts_at_start != (start > 0);
    std::optional<Neighbours> change;
    for (const bool upward : {upward_first, !upward_first})
        if (!change) change = change_between(motions, start, upward ? window.to : window.from);
    if (!change) {
        if (motions.any_undecided()) return close(LimitOutcome::undecided);
        return close(hunts_at_start ? LimitOutcome::cycle_everywhere : LimitOutcome::cycle_nowhere);
    }
    while (std::abs(change->with - change->without) > options.accuracy * std::abs(change->with)) {
        const double middle = 0.5 * (change->with + change->without);
        const Motions here = motions.course(change->with).motions == Motions::hunt
                                 ? motions.from(motions.course(change->with), middle)
                                 : motions(middle);
        if (here == Motions::undecided) break;
        (persists(here) ? change->with : change->without) = middle;
    }
    if (motions(change->with) == Motions::undecided || persists(motions.from_starts(change->without)))
        return close(LimitOutcome::undecided);
    const Course& beside = motions.course(change->with);
    out.value = 0.5 * (change->with + change->without);
    out.without = change->without;
    out.with = change->with;
    out.grows = beside.motions == Motions::grow;
    out.period = beside.period;
    out.amplitude = beside.amplitude;
    return close(LimitOutcome::found);
}

}  // namespace bristle::analysis
