// A machine that goes on from the end of a run: the final values of the signals become its start.
#include <bristle/base/error.hpp>

#include "simulate/machine/assembly.hpp"

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

Machine continued(const Machine& machine, const Result& run) {
    if (run.status != Status::done) throw Error("continued: the run has not ended well: " + run.message);
    Machine next = machine;
    const double T = machine.run.duration;
    const auto final = [&](const std::string& signal, double otherwise) {
        const auto found = run.measures.final.find(signal);
        return found == run.measures.final.end() ? otherwise : found->second;
    };
    const Gearing gearing = gearing_of(machine);
    for (std::size_t i = 0; i < next.bodies.size(); ++i) {
        Body& body = next.bodies[i];
        body.x = final(body.name + ".x", body.x);
        body.v = gearing.root[i] == int(i) ? final(body.name + ".v", body.v) : 0;  // driven bodies follow
    }
    for (PrescribedMotion& motion : next.motions) {
        motion.x = final(motion.name + ".x", motion.x);
        motion.value = from_time(motion.value, T, motion.name);
    }
    for (ContactPart& contact : next.contacts) {
        contact.start.clear();
        if (const auto z = run.measures.final.find(contact.name + ".z"); z != run.measures.final.end())
            contact.start.push_back(z->second);
        for (int i = 1;; ++i) {
            const auto F = run.measures.final.find(contact.name + ".F" + std::to_string(i));
            if (F == run.measures.final.end()) break;
            contact.start.push_back(F->second);
        }
        if (contact.load) contact.load = from_time(*contact.load, T, contact.name);
    }
    for (Force& force : next.forces) force.value = from_time(force.value, T, force.name);
    for (Motor& motor : next.motors) {
        motor.command = from_time(motor.command, T, motor.name);
        if (motor.lag > 0) motor.start = final(motor.name + ".F", motor.start);
    }
    for (Controller& controller : next.controllers) {
        controller.reference = from_time(controller.reference, T, controller.name);
        controller.start = final(controller.name + ".I", 0);
        controller.start_D = final(controller.name + ".D", 0);
    }
    return next;
}

}  // namespace bristle::simulation
