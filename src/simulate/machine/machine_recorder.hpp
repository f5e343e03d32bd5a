// Recorder of a machine: samples, events, extremes and the ledger of each part.
#pragma once
#include <functional>
#include <limits>

#include "simulate/machine/servo_watch.hpp"

namespace bristle::inline simulation {

class MachineRecorder {
  public:
    MachineRecorder(const MachineSystem& system, const Progress& progress);
    std::vector<Named> signal_names() const;

    // Records the state at t = 0.
    void start(const std::vector<double>& y);
    // Records an accepted step. Returns false if the run was cancelled.
    bool step(const MachineStepper& stepper, double t, double end);
    // Records a step by its end: states and values there, and the energy of all stores [J]. Between steps signals are straight lines.
    bool step(double t, double end, const std::vector<double>& y, const MachineValues<double>& values, double stored);
    void reversal(double t, std::size_t contact);
    // Moves signals, events and measures to the result and closes the ledger at t.
    void close(Result& result, double t, const std::vector<double>& y);
    // The same from the values at t and the energies there: of each spring, then of each contact; removed by the method from each body.
    struct Final {
        const MachineValues<double>& values;
        std::vector<double> stores, numerical;
    };
    void close(Result& result, double t, const std::vector<double>& y, const Final& final);

  private:
    struct Extreme {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        void include(double value) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    };
    using Row = std::vector<double>;
    using At = std::function<const Row&(double)>;

    void add(const std::string& name, const char* unit, const char* title);
    void make_signals();
    void fill(double t, const std::vector<double>& y, const MachineValues<double>& k, Row& row) const;
    void fill(double t, const std::vector<double>& y, Row& row) const { fill(t, y, system_.values(t, y), row); }
    void record_samples(double t, double end, const At& at);
    bool report_progress(double end);
    void sample(const Row& row);
    void record_at(double time, const Row& row);
    void detect_stick(double from, double to, const Row& now, const At& at);
    void refine_peaks(const At& at);
    double sample_time(long i) const;
    double position(std::size_t spring_end);
    void watch_servos();
    std::vector<double> stores(double t, const std::vector<double>& y) const;
    void close_parts(Result& result, double t, const std::vector<double>& y, const Final& final) const;

    const MachineSystem& system_;
    const Progress& progress_;
    const Run& run_;
    std::vector<Signal> signals_;
    std::vector<bool> has_load_;       // per contact: signal load
    std::vector<std::size_t> slips_;   // per contact: index of its signal slip
    std::vector<double> stick_speed_;  // per contact [m/s]
    std::vector<bool> sticks_;
    std::vector<Extreme> extremes_;
    static constexpr int points = 7;
    double times_[points]{};
    Row rows_[points], row_, now_, last_;
    long mode_ = -1;  // of the system at the last point
    std::vector<double> y_;
    std::vector<Event> events_;
    std::vector<ServoWatch> servos_;
    std::map<double, std::map<std::string, double>> at_times_;
    std::vector<double> stored_at_start_;
    long next_sample_ = 0;
    int steps_since_progress_ = 0;
    double max_stored_ = 0;
};

}  // namespace bristle::simulation
