// Motors and controllers of a machine: forces from the measured motion, with their states and limits.
//
//   states   I and D of each controller, the force of each motor with a lag
//   limits   of the command of each motor, and of the velocity command of each cascade: -1, 0, 1 for below, within and above.
//            Each is frozen in a step; a guard fails where the limited quantity passes the limit
// A motor supplies its force times the velocity of its body. Controllers store no energy.
#pragma once
#include "simulate/machine/assembly.hpp"

namespace bristle::inline simulation {

template <class S>
struct DriveValues {
    std::vector<S> error, wanted,
        command;                  // per controller: e [m], w without its limit [m/s], u without its limits [N]
    std::vector<S> asked, force;  // per motor: command without its limit, force [N]
};

// Ki of a controller, of either law.
inline double integral_gain(const Controller& controller) {
    return std::visit([](const auto& law) { return law.Ki; }, controller.law);
}
inline double& integral_gain(Controller& controller) {
    return *std::visit([](auto& law) { return &law.Ki; }, controller.law);
}
// Returns the name of the body that a controller measures. Its motor must exist.
const std::string& measured_body(const Machine& machine, const Controller& controller);
// Returns the largest command that motor and controller permit [N per unit of the gain]; infinity without a limit.
double largest_command(const Motor& motor, const Controller* controller);

class Drives {
  public:
    // States begin at first_state; size() of them.
    Drives(const Machine& machine, const Assembly& assembly, std::size_t first_state);

    bool any() const { return !motors_.empty(); }
    std::size_t size() const { return size_; }
    // States of a controller; -1: it has none.
    int integral(std::size_t controller) const { return controllers_[controller].integral; }
    int filtered(std::size_t controller) const { return controllers_[controller].filtered; }
    const Node& node(std::size_t motor) const { return motors_[motor].body; }
    double reference(std::size_t controller, double t) const { return controllers_[controller].reference.value(t); }
    double reference_rate(std::size_t controller, double t) const { return controllers_[controller].reference.rate(t); }
    const Node& sensor(std::size_t controller) const { return controllers_[controller].sensor; }

    // Time constants of the states [s]: of a lag, a filter, an anti-windup; infinity: none.
    std::vector<double> time_constants() const;

    void start(std::vector<double>& y) const;
    void set_pieces(double t);
    // Absolute tolerances of the states, from those of positions and velocities and from a force that is small [N].
    void set_tolerances(std::vector<double>& atol, double force) const;

    template <class S>
    void prepare(DriveValues<S>& k) const;
    template <class S>
    void evaluate(const S& t, const std::vector<S>& y, DriveValues<S>& k) const;
    template <class S>
    void rates(const S& t, const std::vector<S>& y, const DriveValues<S>& k, std::vector<S>& f) const;

    std::size_t limits() const { return limits_.size(); }
    int guards_of(std::size_t limit) const { return limits_[limit].side == 0 ? 2 : 1; }
    double guard(std::size_t limit, int local, const DriveValues<double>& k) const;
    double slack(std::size_t limit) const { return 1e-13 * limits_[limit].bound; }
    void cross(std::size_t limit, int local);
    // Sets every side from the values; several passes, because the limit of a velocity command changes a command.
    void settle(double t, const std::vector<double>& y, DriveValues<double>& k);

  private:
    struct Loop {
        Node sensor;
        int motor = -1, integral = -1, filtered = -1;  // states; -1: none
        int speed_limit = -1;                          // index in limits_
        double leak = 0;                               // 1/tracking
        Piece reference = {};
    };
    struct Actuator {
        Node body;
        int controller = -1, state = -1, limit = -1;
        Piece command = {};
    };
    struct Limit {
        bool of_motor;
        std::size_t index;
        double bound;
        int side = 0;
    };

    template <class S>
    S limited(int limit, const S& value) const;
    template <class S>
    S position(const Node& node, const std::vector<S>& y) const {
        return node.offset + node.ratio * y[std::size_t(node.coordinate)];
    }
    template <class S>
    S velocity(const Node& node, const std::vector<S>& y) const {
        return node.ratio * y[coordinates_ + std::size_t(node.coordinate)];
    }
    double limited_quantity(const Limit& limit, const DriveValues<double>& k) const;

    const Machine& machine_;
    std::size_t coordinates_, first_, size_ = 0;
    std::vector<Loop> controllers_;
    std::vector<Actuator> motors_;
    std::vector<Limit> limits_;
};

}  // namespace bristle::simulation
