// The laws of a machine, each as an experiment of its own.
#include "experiment/experiment.hpp"

#include <algorithm>

namespace bristle::experiment {

namespace {

bool is_rotary(const Machine& machine, const ContactPart& contact) {
    const auto marked = [&](const auto& parts) {
        return std::any_of(parts.begin(), parts.end(), [&](const auto& part) {
            return part.rotary && (part.name == contact.first || part.name == contact.second);
        });
    };
    return marked(machine.bodies) || marked(machine.motions);
}

}  // namespace

std::vector<Experiment> contact_laws(const Experiment& experiment) {
    std::vector<Experiment> all;
    for (const ContactPart& contact : experiment.machine->contacts) {
        if (!contact.load_spring.empty())
            throw Error("contact " + contact.name +
                        ": its load is the force of a spring, whose range is unknown; give " +
                        "the law and the range of its load in a file with [law] and [load]");
        Experiment& one = all.emplace_back();
        one.name = experiment.name + ", contact " + contact.name;
        one.title = experiment.title;
        one.source = experiment.source;
        one.rotary = is_rotary(*experiment.machine, contact);
        one.setup.law = contact.law;
        one.setup.rig = Prescribed{};
        one.setup.load = contact.load.value_or(Input::constant(neutral_load_of(contact.law)));
        one.setup.run.duration = experiment.run().duration;
    }
    return all;
}

}  // namespace bristle::experiment
