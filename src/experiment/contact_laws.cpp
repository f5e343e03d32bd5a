// The laws of a machine, each as an experiment of its own.
#include "experiment/experiment.hpp"
#include "simulate/machine/part_units.hpp"

namespace bristle::experiment {

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
        one.rotary = units_of(*experiment.machine, contact) == PartUnits::rotary;
        one.setup.law = contact.law;
        one.setup.rig = Prescribed{};
        one.setup.load = contact.load.value_or(Input::constant(neutral_load_of(contact.law)));
        one.setup.run.duration = experiment.run().duration;
    }
    return all;
}

}  // namespace bristle::experiment
