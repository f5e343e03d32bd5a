// What a simulation gives back: signals, events, measures, the energy ledger, statistics.
#pragma once
#include <bristle/base/progress.hpp>
#include <bristle/simulate/setup.hpp>

namespace bristle::inline simulation {

struct Signal {
    std::string name;   // t, x, v, z, F ...
    std::string unit;   // SI
    std::string title;  // in words, for labels: "friction force"
    std::vector<double> values;
};

struct Event {
    enum class Kind { v_zero, stick_begin, stick_end };
    double t;  // s
    Kind kind;
};
const char* name_of(Event::Kind kind);

// supplied = change of what is stored + dissipated + numerical + residual.   [J]
struct Energy {
    struct Store {
        std::string name;  // kinetic, spring, gravity, bristle
        double start, end;
    };
    double supplied = 0;    // by force, puller, belt, controller, and by changing the load
    double dissipated = 0;  // turned into heat by friction
    double numerical = 0;   // taken out by the method, booked by itself (coupled)
    std::vector<Store> stores;
    double scale =
        0;  // the sum of the sizes of all terms and the most that was stored: what the residual is to be compared with
    double stored() const {
        double sum = 0;
        for (const Store& store : stores) sum += store.end - store.start;
        return sum;
    }
    double residual() const { return supplied - stored() - dissipated - numerical; }
};

struct Statistics {
    long steps = 0, rejected = 0, evaluations = 0, reversals = 0;
};

// Numbers about the run. Those that do not apply are not there.
struct Measures {
    std::vector<double> stick_begin, stick_end;          // s
    std::optional<double> period;                        // s
    std::optional<double> breakaway_force;               // N
    std::optional<double> drift;                         // m
    std::optional<double> amplitude;                     // m
    std::optional<double> loop_area;                     // J
    std::optional<double> amplitude_decay;               // m
    std::map<std::string, double> max, min, final;       // of every signal
    std::map<double, std::map<std::string, double>> at;  // of every signal at each time of Run::looks
};

enum class Status { done, cancelled, too_many_steps, step_too_small, not_finite, refused };

struct Result {
    Status status = Status::done;
    std::string message;  // one sentence where status is not done
    std::vector<Signal> signals;
    std::vector<Event> events;
    Measures measures;
    Energy energy;
    Statistics statistics;
    const Signal* signal(std::string_view name) const {
        for (const Signal& s : signals)
            if (s.name == name) return &s;
        return nullptr;
    }
};

// A setup whose law, rig and run are usable; throws Error (one sentence) where the method cannot serve the law or rig.
Result simulate(const Setup& setup, const Progress& progress = {});

// The signals simulate would give, without running: names and units.
std::vector<Named> signal_names(const AnyLaw& law, const Rig& rig, const Input& load = Input::constant(1));

// Whether the method cvode was built in.
bool has_cvode();

}  // namespace bristle::inline simulation
