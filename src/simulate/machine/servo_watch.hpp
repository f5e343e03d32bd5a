// Measures of a controlled axis (ServoMeasures in result.hpp), from the accepted steps of a run.
#pragma once
#include <functional>
#include <limits>

#include "simulate/machine/machine_system.hpp"

namespace bristle::inline simulation {

class ServoWatch {
  public:
    using Row = std::vector<double>;
    using At = std::function<const Row&(double)>;
    // Signals of the controller in a row: position and velocity of its sensor, tracking error, slip of a contact (-1: none).
    struct Columns {
        std::size_t position, velocity, error;
        int slip = -1;
    };

    ServoWatch(const MachineSystem& system, std::size_t controller, const Columns& columns, double stick_speed,
               const Row& first);
    // Takes a point of the run; to: its row, at: rows between it and the one before.
    void point(double from, double to, const Row& now, const At& at);
    ServoMeasures measures(double t) const;

  private:
    struct Reversal {
        double t, position;
    };
    struct Slip {
        double t;
        bool forward;
    };
    void watch_reference(double from, double to, const Row& now, const At& at);
    double reference_time(double from, double to, double speed) const;
    double largest_error(double from, double to, const At& at, double known) const;
    std::optional<double> slip_period(double t) const;
    std::optional<double> swing_period(double t) const;
    double half_range(double begin, double end) const;
    bool dies_out(double period, double t) const;

    const MachineSystem& system_;
    std::size_t controller_;
    Columns columns_;
    double stick_speed_;
    std::vector<Reversal> reversals_;  // of the position; the first one is the start
    std::vector<Slip> slips_;
    Row before_;
    double reference_before_, reference_low_, reference_high_;
    double rest_since_ = 0, outside_until_ = 0, first_error_;
    double fastest_ = 0, tracking_ = 0, glitch_ = 0;
    int direction_ = 0;                  // of the reference, last known
    std::optional<double> reversed_at_;  // the last reversal of the reference, until it is at half its largest speed
    bool moved_ = false;
};

}  // namespace bristle::simulation
