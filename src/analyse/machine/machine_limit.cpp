// Limit of hunting of a machine: runs from several starts at factors of 2, then halving along the hunting motion.
#include <bristle/analyse/machine_limit.hpp>

#include <bristle/base/error.hpp>

#include <algorithm>
#include <cmath>
#include <map>

#include "analyse/cycle/limit_search.hpp"
#include "base/shared_progress.hpp"
#include "base/text.hpp"
#include "simulate/machine/continued.hpp"
#include "simulate/names.hpp"

namespace bristle::inline analysis {

namespace {

// Where a motion goes: its end, and the hunting that repeats.
struct Course {
    Motions motions = Motions::undecided;
    std::map<std::string, double> end = {};  // final values of the signals
    double elapsed = 0;                      // from t = 0 of the inputs to the end [s]
    double period = 0, amplitude = 0;
    std::string controller = {};  // that hunts most
};

// The servo that hunts most; null if none does.
const ServoMeasures* hunting(const Result& run) {
    const ServoMeasures* most = nullptr;
    for (const ServoMeasures& servo : run.servos)
        if (servo.amplitude && (!most || *servo.amplitude > *most->amplitude)) most = &servo;
    return most;
}

double change_of(const Result& run, const std::string& part, SignalRole role, double from) {
    const auto& values = run.signal(signal_name(part, role))->values;
    const auto first = values.begin() + long(from * double(values.size() - 1));
    const auto [low, high] = std::minmax_element(first, values.end());
    return *high - *low;
}

// True if nothing moves in the second half of the run, and no integral will move the machine in a run as long as this one: positions change
// by less than 1e-5 of the largest change so far, integrals by less than 1e-3 of their command.
bool rests(const Machine& machine, const Result& run, double largest_motion) {
    for (const Body& body : machine.bodies)
        if (!(change_of(run, body.name, SignalRole::position, 0.5) <= 1e-5 * largest_motion)) return false;
    for (const Controller& controller : machine.controllers)
        if (run.signal(signal_name(controller.name, SignalRole::integral)) != nullptr) {
            const std::string command = signal_name(controller.name, SignalRole::command);
            const double most =
                std::max({std::abs(run.measures.max.at(command)), std::abs(run.measures.min.at(command))});
            if (!(change_of(run, controller.name, SignalRole::integral, 0.5) <= 1e-3 * most)) return false;
        }
    return true;
}

constexpr double repeats = 1e-4;  // largest change of a cycle from one run to the next

// Follows a motion until the machine rests or its hunting repeats. elapsed: time of the inputs before the start [s]. first: the first run, if
// it is known.
Course follow_motion(Machine machine, double elapsed, const MachineLimitOptions& options, const Progress& progress,
                     const Result* first = nullptr) {
    Course course;
    double largest_motion = 0;
    int growth = 0;
    for (int run_number = 0; run_number < options.patience; ++run_number) {
        const Result run = first && run_number == 0 ? *first : simulate(machine, progress);
        if (run.status == Status::cancelled) throw Cancelled();
        if (run.status == Status::not_finite || run.status == Status::diverges) course.motions = Motions::grow;
        if (run.status != Status::done) return course;
        for (const Body& body : machine.bodies)
            largest_motion = std::max(largest_motion, change_of(run, body.name, SignalRole::position, 0));
        const ServoMeasures* servo = hunting(run);
        const double before = course.amplitude, period = course.period;
        course.end = run.measures.final;
        course.elapsed = elapsed += machine.run.duration;
        course.amplitude = servo ? *servo->amplitude : 0;
        course.period = servo ? *servo->period : 0;
        course.controller = servo ? servo->name : "";
        if (!servo && rests(machine, run, largest_motion)) {
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

// The starts: that of the machine, and with the integrals wound up to both sides.
constexpr double windings[] = {0, 1, -1};

// The machine with more force in its integrals at the start, which moves it out of rest.
Machine wound_up_by(double force, Machine machine) {
    for (Controller& controller : machine.controllers) {
        const bool integrates = std::visit([](const auto& law) { return law.Ki > 0; }, controller.law);
        if (integrates) controller.start += force;
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
        return keep(p, follow_motion(std::move(machine), other.elapsed, options_, progress_));
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
                for (const std::string& problem : problems(machine)) append_item(member.problem, problem, "\n");
                if (member.problem.empty()) member.machine = std::move(machine);
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
        Course last;
        bool undecided = false;
        for (const double winding : windings) {
            const Machine start = wound_up_by(winding * wound_up, machine);
            last = follow_motion(start, 0, options_, progress_, winding == 0 ? &first : nullptr);
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
    Limit out{.starts = int(std::size(windings))};
    SharedProgress shared(progress);
    MachineEvaluations motions(family, options, shared.part(0, 1));
    const auto close = [&](LimitOutcome outcome) { return closed(out, outcome, motions.known()); };
    if (!motions.is_valid(start)) {
        out.outcome = LimitOutcome::no_valid_start;
        out.lowest = out.highest = start;
        return out;
    }
    check_references(motions.machine_at(start));
    const bool hunts_at_start = persists(motions(start));
    const bool upward_first = hunts_at_start != (start > 0);
    std::optional<Neighbours> change;
    for (const bool upward : {upward_first, !upward_first})
        if (!change) change = change_between(motions, start, upward ? window.to : window.from);
    if (!change) {
        if (any_undecided(motions.known())) return close(LimitOutcome::undecided);
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
    if (!out.grows) {
        out.period = beside.period;
        out.amplitude = beside.amplitude;
        out.controller = beside.controller;
    }
    return close(LimitOutcome::found);
}

}  // namespace bristle::analysis
