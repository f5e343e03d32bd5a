// Result of a simulation: signals, events, measures, energy ledger, statistics.
#pragma once
#include <bristle/base/progress.hpp>
#include <bristle/simulate/setup.hpp>

namespace bristle::inline simulation {

struct Signal {
    std::string name;   // t, x, v, z, F ...
    std::string unit;   // SI
    std::string title;  // in words, for labels: "friction force"
    std::vector<double> values;
    bool name_is_symbol = true;  // the name is a symbol: "friction force F"; false: it is a word of the title
    std::string part = {};       // of a machine; empty for a rig
    SignalRole role = SignalRole::other;
};

struct Event {
    enum class Kind { v_zero, stick_begin, stick_end };
    double t = 0;  // s
    Kind kind = Kind::v_zero;
    std::string part = {};  // contact of a machine; empty for a rig
};
const char* name_of(Event::Kind kind);

// Energy ledger [J]: supplied = change of the stores + dissipated + numerical + residual.
struct Energy {
    struct Store {
        std::string name;  // kinetic, spring, gravity, bristle
        double start = 0, end = 0;
    };
    // Ledger of one part of a machine: received through its ports + supplied = change of its store + dissipated + numerical + residual.
    struct Part {
        std::string name;
        double start = 0, end = 0;  // stored
        double received = 0;        // from the other parts
        double supplied = 0;        // from outside: force, motion, changes of the load
        double dissipated = 0;
        double numerical = 0;  // removed by the method from a body (coupled)
        double residual() const { return received + supplied - (end - start) - dissipated - numerical; }
    };
    double supplied = 0;    // work of force, puller, belt and controller, and of changes of the load
    double dissipated = 0;  // dissipated by friction
    double numerical = 0;   // removed by the method (coupled)
    std::vector<Store> stores;
    std::vector<Part> parts;  // of a machine; their received sums to 0
    double scale = 0;  // reference for the residual: sum of the magnitudes of all terms, plus the largest stored energy
    double stored() const {
        double sum = 0;
        for (const Store& store : stores) sum += store.end - store.start;
        return sum;
    }
    double residual() const { return supplied - stored() - dissipated - numerical; }
};

struct Statistics {
    long steps = 0, rejected = 0, evaluations = 0, reversals = 0;
    Statistics& operator+=(const Statistics& more) {
        steps += more.steps;
        rejected += more.rejected;
        evaluations += more.evaluations;
        reversals += more.reversals;
        return *this;
    }
};

// Measures of the run. A measure that does not apply is empty. Position: that of the rig, an elongation for a pulled spring.
struct Measures {
    // Times at which |v| falls below the stick speed and rises above it [s].
    std::vector<double> stick_begin, stick_end;
    // From the last stick_end back to the one before it with slip in the same direction; without such a pair, between the last two upward
    // crossings of the position's mean [s]. Empty if the motion has died out: the next slip or crossing is overdue by half a period at the end.
    std::optional<double> period;
    // Largest |F| before |v| first exceeds 10 vs, 10 stick_speed for a law without vs [N]. Empty if the contact slides from the start.
    std::optional<double> breakaway_force;
    // Position of the mass at the end minus that at half time [m].
    std::optional<double> drift;
    // Half peak to peak of the position over the last period [m].
    std::optional<double> amplitude;
    // Closed integral of F dx over the last period of the input [J].
    std::optional<double> loop_area;
    // Mean decrease from one maximum of the position to the next [m].
    std::optional<double> amplitude_decay;
    std::map<std::string, double> max, min, final;       // of every signal
    std::map<double, std::map<std::string, double>> at;  // of every signal at each time of Run::sample_times
};

// Measures of a controlled axis of a machine. A measure that does not apply is empty. Units: those of the sensor, m or rad, and s.
struct ServoMeasures {
    std::string name;  // of the controller
    // Hunting, with the reference at rest: from the last slip of the contact at the sensor back to the one before it in the same
    // direction; without a contact, between the last two maxima of the position [s]. Empty if the motion has died out.
    std::optional<double> period = {};
    std::optional<double> amplitude = {};       // half peak to peak of the position over the last period
    std::optional<double> tracking_error = {};  // largest |e| while the reference moves
    // Largest |e| from a reversal of the reference until it moves at half its largest speed.
    std::optional<double> quadrant_glitch = {};
    // From the end of the last move until |e| stays below 2 % of the range of the reference (or of e at the start) [s].
    std::optional<double> settling_time = {};
    std::optional<double> stuck_error = {};  // e at the end, at rest
};

enum class Status {
    done,
    cancelled,
    too_many_steps,
    step_too_small,
    not_finite,
    diverges,   // the motion of a servo grows without bound: its loop is unstable while the contact slides
    unbalanced  // adaptive: the energy balance does not close within 100 rtol, at smaller tolerances either
};

struct Result {
    Status status = Status::done;
    std::string message;  // one sentence if status is not done
    std::vector<Signal> signals;
    std::vector<Event> events;
    Measures measures;
    std::vector<ServoMeasures> servos;  // of a machine: one for each controller
    Energy energy;
    Statistics statistics;
    const Signal* signal(std::string_view name) const {
        for (const Signal& s : signals)
            if (s.name == name) return &s;
        return nullptr;
    }
};

// Simulates a set-up. Throws Error with all problems(setup), or if the method does not support the law or the rig.
Result simulate(const Setup& setup, const Progress& progress = {});

// Returns names and units of the signals that simulate() records.
std::vector<Named> signal_names(const AnyLaw& law, const Rig& rig, const Input& load = Input::constant(1));

// True if the method cvode is part of this build.
bool has_cvode();

}  // namespace bristle::simulation
