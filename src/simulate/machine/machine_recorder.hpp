// Recorder of a machine: its signals, events and the ledger of each part; samples and extremes by RowRecorder.
#pragma once
#include <functional>

#include "simulate/machine/servo_watch.hpp"
#include "simulate/row_recorder.hpp"

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
    using Row = RowRecorder::Row;
    using At = std::function<const Row&(double)>;
    struct Instant {  // what signals are read from
        double t;
        const std::vector<double>& y;
        const MachineValues<double>& k;
    };

    template <class Visit>
    void for_each_signal(const Visit& visit) const;
    void make_signals();
    void fill(double t, const std::vector<double>& y, const MachineValues<double>& k, Row& row) const;
    void detect(double from, double to, const Row& now, const At& at);
    void detect_stick(double from, double to, const Row& now, const At& at);
    void watch_servos();
    std::vector<double> stores(double t, const std::vector<double>& y) const;
    void close_parts(Result& result, double t, const std::vector<double>& y, const Final& final) const;

    const MachineSystem& system_;
    const Run& run_;
    RowRecorder rows_;
    std::vector<bool> has_load_;       // per contact: signal load
    std::vector<std::size_t> slips_;   // per contact: column of its signal slip
    std::vector<std::size_t> bodies_;  // per body: column of its position; its velocity is the next one
    std::vector<std::size_t> errors_;  // per controller: column of its tracking error
    std::vector<double> stick_speed_;  // per contact [m/s]
    std::vector<bool> sticks_;
    Row row_, now_, last_;
    long mode_ = -1;  // of the system at the last point
    std::vector<double> y_;
    std::vector<Event> events_;
    std::vector<ServoWatch> servos_;
    std::vector<double> stored_at_start_;
    double max_stored_ = 0;
};

}  // namespace bristle::simulation
