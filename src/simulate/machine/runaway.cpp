// Speeds beyond which a controlled machine has run away, and the growth of its linearised motion.
#include "simulate/machine/runaway.hpp"

#include <bristle/describe.hpp>
#include "numerics/linear.hpp"

namespace bristle::inline simulation {

namespace {

// Stiffness of a controller's position loop at its motor [N/m].
double loop_stiffness(const Motor& motor, const Controller& controller) {
    const Pid* pid = std::get_if<Pid>(&controller.law);
    const Cascade* cascade = std::get_if<Cascade>(&controller.law);
    return std::abs(motor.gain) * (pid ? pid->Kp : cascade->Kx * cascade->Kv);
}

}  // namespace

Runaway::Runaway(const MachineSystem& system, double level, const std::vector<double>& start) : system_(system) {
    const Machine& m = system.machine();
    const Drives& drives = system.drives();
    for (std::size_t i = 0; i < m.controllers.size(); ++i) {
        const Controller& controller = m.controllers[i];
        const std::size_t motor = std::size_t(index_of(m.motors, controller.motor));
        const Node &at = drives.node(motor), &sensor = drives.sensor(i);
        const double stiffness = loop_stiffness(m.motors[motor], controller);
        const double mass = system.assembly().mass[std::size_t(at.coordinate)];
        frequency_.push_back(std::sqrt(stiffness * std::abs(at.ratio * sensor.ratio) / mass));
        const Input::Range range = controller.reference.range();
        const double distance = std::max({std::abs(range.low), std::abs(range.high),
                                          std::abs(system.position(sensor, 0, start)), level / stiffness});
        // Without a stiffness the distances say nothing about the speed.
        speed_.push_back(stiffness > 0
                             ? 100 * (distance * frequency_.back() + std::abs(system.velocity(sensor, 0, start)))
                             : std::numeric_limits<double>::infinity());
    }
}

bool Runaway::is_fast(std::size_t controller, double t, const std::vector<double>& y) const {
    return std::abs(system_.velocity(system_.drives().sensor(controller), t, y)) > speed_[controller];
}
bool Runaway::is_fast(double t, const std::vector<double>& y) const {
    for (std::size_t i = 0; i < speed_.size(); ++i)
        if (is_fast(i, t, y)) return true;
    return false;
}

bool Runaway::reached(double t, const std::vector<double>& y) const {
    for (std::size_t i = 0; i < speed_.size(); ++i) {
        if (!is_fast(i, t, y)) continue;
        MachineLinearisation linear;
        system_.linearise(t, y, linear);
        // Rounding moves the eigenvalues 0 of free coordinates by far less than this fraction.
        if (numerics::largest_real_part(linear.J.a, linear.J.n) > 1e-6 * frequency_[i]) return true;
    }
    return false;
}

std::string Runaway::sentence(double t) const {
    return "the motion grows without bound at t = " + quantity(t, "s") +
           ": a control loop is unstable while the contacts slide; reduce its integral or position gain, or give the "
           "motor its limit";
}

}  // namespace bristle::simulation
