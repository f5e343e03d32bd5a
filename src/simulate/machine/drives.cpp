// Motors and controllers of a machine.
#include "simulate/machine/drives.hpp"

#include <cmath>

#include "simulate/machine/contact_law.hpp"

namespace bristle::inline simulation {

namespace {

const Pid* pid_of(const Controller& controller) { return std::get_if<Pid>(&controller.law); }
const Cascade& cascade_of(const Controller& controller) { return std::get<Cascade>(controller.law); }

double tracking_time(const Controller& controller) {
    if (!std::isnan(controller.tracking)) return controller.tracking;
    const double proportional = pid_of(controller) ? pid_of(controller)->Kp : cascade_of(controller).Kv;
    return proportional / integral_gain(controller);
}

}  // namespace

const std::string& measured_body(const Machine& machine, const Controller& controller) {
    if (!controller.sensor.empty()) return controller.sensor;
    return machine.motors[std::size_t(index_of(machine.motors, controller.motor))].body;
}

double largest_command(const Motor& motor, const Controller* controller) {
    return std::min(motor.limit / std::abs(motor.gain),
                    controller ? controller->limit : std::numeric_limits<double>::infinity());
}

Drives::Drives(const Machine& machine, const Assembly& assembly, std::size_t first_state)
    : machine_(machine), coordinates_(assembly.coordinates()), first_(first_state) {
    const auto node = [&](const std::string& body) {
        return assembly.bodies[std::size_t(index_of(machine.bodies, body))];
    };
    const auto state = [&] { return int(first_ + size_++); };
    for (const Motor& motor : machine.motors) {
        Actuator actuator{.body = node(motor.body)};
        if (motor.lag > 0) actuator.state = state();
        motors_.push_back(actuator);
    }
    for (std::size_t i = 0; i < machine.controllers.size(); ++i) {
        const Controller& controller = machine.controllers[i];
        Loop loop;
        loop.motor = index_of(machine.motors, controller.motor);
        Actuator& motor = motors_[std::size_t(loop.motor)];
        motor.controller = int(i);
        loop.sensor = node(measured_body(machine, controller));
        if (integral_gain(controller) > 0) {
            loop.integral = state();
            const double tracking = tracking_time(controller);
            loop.leak = tracking > 0 ? 1 / tracking : 0;
        }
        if (const Pid* pid = pid_of(controller)) {
            if (pid->filter > 0 && pid->Kd > 0) loop.filtered = state();
        } else if (std::isfinite(cascade_of(controller).speed_limit)) {
            loop.speed_limit = int(limits_.size());
            limits_.push_back({.of_motor = false, .index = i, .bound = cascade_of(controller).speed_limit});
        }
        controllers_.push_back(loop);
    }
    for (std::size_t i = 0; i < motors_.size(); ++i) {
        const int c = motors_[i].controller;
        const double bound = largest_command(machine.motors[i], c < 0 ? nullptr : &machine.controllers[std::size_t(c)]);
        if (!std::isfinite(bound)) continue;
        motors_[i].limit = int(limits_.size());
        limits_.push_back({.of_motor = true, .index = i, .bound = bound});
    }
}

std::vector<double> Drives::time_constants() const {
    std::vector<double> out(size_, std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < motors_.size(); ++i)
        if (const int s = motors_[i].state; s >= 0) out[std::size_t(s) - first_] = machine_.motors[i].lag;
    for (std::size_t i = 0; i < controllers_.size(); ++i) {
        const Loop& loop = controllers_[i];
        if (loop.integral >= 0 && loop.leak > 0) out[std::size_t(loop.integral) - first_] = 1 / loop.leak;
        if (loop.filtered >= 0) out[std::size_t(loop.filtered) - first_] = pid_of(machine_.controllers[i])->filter;
    }
    return out;
}

void Drives::start(std::vector<double>& y) const {
    for (std::size_t i = 0; i < controllers_.size(); ++i) {
        if (const int s = controllers_[i].integral; s >= 0) y[std::size_t(s)] = machine_.controllers[i].start;
        if (const int s = controllers_[i].filtered; s >= 0) y[std::size_t(s)] = machine_.controllers[i].start_D;
    }
    for (std::size_t i = 0; i < motors_.size(); ++i)
        if (const int s = motors_[i].state; s >= 0) y[std::size_t(s)] = machine_.motors[i].start;
}

void Drives::set_pieces(double t) {
    for (std::size_t i = 0; i < controllers_.size(); ++i)
        controllers_[i].reference = machine_.controllers[i].reference.piece(t);
    for (std::size_t i = 0; i < motors_.size(); ++i) motors_[i].command = machine_.motors[i].command.piece(t);
}

void Drives::set_tolerances(std::vector<double>& atol, double force) const {
    for (std::size_t i = 0; i < controllers_.size(); ++i) {
        const Motor& motor = machine_.motors[std::size_t(controllers_[i].motor)];
        for (const int s : {controllers_[i].integral, controllers_[i].filtered})
            if (s >= 0) atol[std::size_t(s)] = force / std::abs(motor.gain);
    }
    for (const Actuator& motor : motors_)
        if (motor.state >= 0) atol[std::size_t(motor.state)] = force;
}

// ---- equations ---------------------------------------------------------------------------------------------------------

template <class S>
void Drives::prepare(DriveValues<S>& k) const {
    for (auto* v : {&k.error, &k.wanted, &k.command}) v->resize(controllers_.size());
    for (auto* v : {&k.asked, &k.force}) v->resize(motors_.size());
}

template <class S>
S Drives::limited(int limit, const S& value) const {
    if (limit < 0 || limits_[std::size_t(limit)].side == 0) return value;
    return S(limits_[std::size_t(limit)].side * limits_[std::size_t(limit)].bound);
}

template <class S>
void Drives::evaluate(const S& t, const std::vector<S>& y, DriveValues<S>& k) const {
    for (std::size_t i = 0; i < controllers_.size(); ++i) {
        const Controller& controller = machine_.controllers[i];
        const Loop& loop = controllers_[i];
        const S v = velocity(loop.sensor, y), rate = loop.reference.rate(t);
        k.error[i] = loop.reference.value(t) - position(loop.sensor, y);
        S u = controller.viscous * rate;
        if (controller.inertia != 0) u += controller.inertia * loop.reference.second_rate(t);
        if (loop.integral >= 0) u += y[std::size_t(loop.integral)];
        if (const Pid* pid = pid_of(controller)) {
            u += pid->Kp * k.error[i] + (loop.filtered >= 0 ? y[std::size_t(loop.filtered)] : S(pid->Kd * (rate - v)));
            k.wanted[i] = S(0);
        } else {
            const Cascade& cascade = cascade_of(controller);
            k.wanted[i] = rate + cascade.Kx * k.error[i];
            u += cascade.Kv * (limited(loop.speed_limit, k.wanted[i]) - v);
        }
        k.command[i] = u;
    }
    for (std::size_t i = 0; i < motors_.size(); ++i) {
        const Actuator& motor = motors_[i];
        k.asked[i] = motor.controller >= 0 ? k.command[std::size_t(motor.controller)] : motor.command.value(t);
        k.force[i] = motor.state >= 0 ? y[std::size_t(motor.state)]
                                      : S(machine_.motors[i].gain * limited(motor.limit, k.asked[i]));
    }
}

template <class S>
void Drives::rates(const S& t, const std::vector<S>& y, const DriveValues<S>& k, std::vector<S>& f) const {
    for (std::size_t i = 0; i < controllers_.size(); ++i) {
        const Controller& controller = machine_.controllers[i];
        const Loop& loop = controllers_[i];
        const Pid* pid = pid_of(controller);
        if (loop.integral >= 0) {
            const S driven = pid ? k.error[i] : S(limited(loop.speed_limit, k.wanted[i]) - velocity(loop.sensor, y));
            const S excess = k.command[i] - limited(motors_[std::size_t(loop.motor)].limit, k.command[i]);
            f[std::size_t(loop.integral)] = integral_gain(controller) * driven - loop.leak * excess;
        }
        if (loop.filtered >= 0) {
            const S lead = pid->Kd * (loop.reference.rate(t) - velocity(loop.sensor, y));
            f[std::size_t(loop.filtered)] = (lead - y[std::size_t(loop.filtered)]) * (1 / pid->filter);
        }
    }
    for (std::size_t i = 0; i < motors_.size(); ++i) {
        const Actuator& motor = motors_[i];
        if (motor.state < 0) continue;
        const S target = machine_.motors[i].gain * limited(motor.limit, k.asked[i]);
        f[std::size_t(motor.state)] = (target - y[std::size_t(motor.state)]) * (1 / machine_.motors[i].lag);
    }
}

// ---- limits ------------------------------------------------------------------------------------------------------------

double Drives::limited_quantity(const Limit& limit, const DriveValues<double>& k) const {
    return limit.of_motor ? k.asked[limit.index] : k.wanted[limit.index];
}

double Drives::guard(std::size_t limit, int local, const DriveValues<double>& k) const {
    const Limit& l = limits_[limit];
    const double value = limited_quantity(l, k);
    if (l.side != 0) return l.side * value - l.bound;
    return local == 0 ? l.bound - value : l.bound + value;
}

void Drives::cross(std::size_t limit, int local) {
    int& side = limits_[limit].side;
    side = side != 0 ? 0 : local == 0 ? 1 : -1;
}

void Drives::settle(double t, const std::vector<double>& y, DriveValues<double>& k) {
    for (int pass = 0; pass < 2; ++pass)
        for (Limit& limit : limits_) {
            evaluate(t, y, k);
            const double value = limited_quantity(limit, k);
            limit.side = value > limit.bound ? 1 : value < -limit.bound ? -1 : 0;
        }
    evaluate(t, y, k);
}

#define BRISTLE_DRIVES(S)                                                                   \
    template void Drives::prepare(DriveValues<S>&) const;                                   \
    template void Drives::evaluate(const S&, const std::vector<S>&, DriveValues<S>&) const; \
    template void Drives::rates(const S&, const std::vector<S>&, const DriveValues<S>&, std::vector<S>&) const;
BRISTLE_DRIVES(double)
BRISTLE_DRIVES(ChunkDual)
#undef BRISTLE_DRIVES

}  // namespace bristle::simulation
