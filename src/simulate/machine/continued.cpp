// A machine that goes on from the end of a run: the final values of the signals become its start.
#include "simulate/machine/continued.hpp"

#include <bristle/base/error.hpp>

#include "simulate/machine/assembly.hpp"
#include "simulate/names.hpp"

namespace bristle::inline simulation {

namespace {

// The same signal with T as its zero.
Input from_time(Input input, double T, const std::string& part) {
    if (input.kind == Input::Kind::moves) {
        if (input.next_corner(T) < std::numeric_limits<double>::infinity())
            throw Error(part + ": a move has not ended at the end of the run; make run.duration longer");
        return Input::constant(input.piece(T).value(T));
    }
    Piece& wave = input.wave;
    wave.phase += T * (wave.omega + wave.bend * T);
    wave.omega += 2 * wave.bend * T;
    wave.start -= T;
    for (Point& point : input.points) point.t -= T;
    return input;
}

}  // namespace

Machine continued_from(const Machine& machine, const std::map<std::string, double>& final, double elapsed) {
    Machine next = machine;
    const auto final_value = [&](const auto& part, SignalRole role, double otherwise) {
        const auto found = final.find(signal_name(part.name, role));
        return found == final.end() ? otherwise : found->second;
    };
    const Gearing gearing = gearing_of(machine);
    for (std::size_t i = 0; i < next.bodies.size(); ++i) {
        Body& body = next.bodies[i];
        body.x = final_value(body, SignalRole::position, body.x);
        body.v =
            gearing.root[i] == int(i) ? final_value(body, SignalRole::velocity, body.v) : 0;  // driven bodies follow
    }
    for (PrescribedMotion& motion : next.motions) {
        motion.x = final_value(motion, SignalRole::position, motion.x);
        motion.value = from_time(motion.value, elapsed, motion.name);
    }
    for (ContactPart& contact : next.contacts) {
        contact.start.clear();
        for (const Named& state : contact_states(contact.law)) {
            const auto found = final.find(signal_name(contact.name, state.name));
            if (found == final.end()) break;
            contact.start.push_back(found->second);
        }
        if (contact.load) contact.load = from_time(*contact.load, elapsed, contact.name);
    }
    for (Force& force : next.forces) force.value = from_time(force.value, elapsed, force.name);
    for (Motor& motor : next.motors) {
        motor.command = from_time(motor.command, elapsed, motor.name);
        if (motor.lag > 0) motor.start = final_value(motor, SignalRole::motor_force, motor.start);
    }
    for (Controller& controller : next.controllers) {
        controller.reference = from_time(controller.reference, elapsed, controller.name);
        controller.start = final_value(controller, SignalRole::integral, 0);
        controller.start_D = final_value(controller, SignalRole::derivative, 0);
    }
    return next;
}

Machine continued(const Machine& machine, const Result& run) {
    if (run.status != Status::done) throw Error("continued: the run has not ended well: " + run.message);
    return continued_from(machine, run.measures.final, machine.run.duration);
}

}  // namespace bristle::simulation
