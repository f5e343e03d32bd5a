// States, parts and inputs of the equations of a machine.
#include "simulate/machine/machine_system.hpp"

namespace bristle::inline simulation {

std::unique_ptr<ContactLaw> make_contact(const AnyLaw& law) {
    return std::visit([](const auto& l) { return make_contact_of(l); }, static_cast<const LawVariant&>(law));
}

namespace {

// q, v of every coordinate, positions of motions, states of contacts: those of the drives follow.
std::size_t states_before_drives(const Machine& machine, const Assembly& assembly) {
    std::size_t count = 2 * assembly.coordinates();
    for (const PrescribedMotion& motion : machine.motions) count += motion.quantity == Quantity::velocity;
    for (const ContactPart& contact : machine.contacts) count += make_contact(contact.law)->states();
    return count;
}

}  // namespace

MachineSystem::MachineSystem(const Machine& machine)
    : machine_(machine),
      assembly_(assemble(machine)),
      drives_(machine_, assembly_, states_before_drives(machine_, assembly_)) {
    const std::size_t K = assembly_.coordinates();
    size_ = 2 * K;
    for (const PrescribedMotion& motion : machine_.motions)
        motion_states_.push_back(motion.quantity == Quantity::velocity ? int(size_++) : -1);
    for (std::size_t i = 0; i < machine_.contacts.size(); ++i) {
        Contact contact;
        contact.law = make_contact(machine_.contacts[i].law);
        contact.first = size_;
        contact.count = contact.law->states();
        contact.mass = assembly_.contact_mass(i);
        contact.free = std::isfinite(contact.mass);
        contact.first_node = assembly_.contacts[i].first.index;
        contact.second_node = assembly_.contacts[i].second.index;
        contact.load_spring = assembly_.load_springs[i];
        size_ += contact.count;
        contacts_.push_back(std::move(contact));
    }
    size_ += drives_.size();
    for (std::size_t i = 0; i < machine_.springs.size(); ++i) {
        const Spring& spring = machine_.springs[i];
        const auto& [first, second] = assembly_.springs[i];
        springs_.push_back({spring.stiffness, spring.damping, spring.gap, spring.rest, first.index, second.index});
    }
    for (const int s : assembly_.load_springs)
        if (s >= 0) springs_[std::size_t(s)].is_load = true;
    motions_.resize(machine_.motions.size());
    forces_.resize(machine_.forces.size());
    jumped_.assign(contacts_.size(), false);
    for (const double mass : assembly_.mass) mobility_.push_back(1 / mass);
    for (const Node& node : assembly_.nodes) {
        const auto add = [&](Pull::Of of, std::size_t part, const Node& at, double sign) {
            if (at.index == node.index && !node.is_ground()) pulls_.push_back({of, part, sign});
        };
        for (std::size_t i = 0; i < springs_.size(); ++i) {
            add(Pull::Of::spring, i, assembly_.springs[i].first, -1);
            add(Pull::Of::spring, i, assembly_.springs[i].second, 1);
        }
        for (std::size_t i = 0; i < contacts_.size(); ++i) {
            add(Pull::Of::contact, i, assembly_.contacts[i].first, -1);
            add(Pull::Of::contact, i, assembly_.contacts[i].second, 1);
        }
        for (std::size_t i = 0; i < forces_.size(); ++i) add(Pull::Of::force, i, assembly_.forces[i], 1);
        for (std::size_t i = 0; i < machine_.motors.size(); ++i) add(Pull::Of::motor, i, drives_.node(i), 1);
        pulls_end_.push_back(pulls_.size());
    }
    slots_.bodies = 2;
    slots_.springs = slots_.bodies + 2 * machine_.bodies.size();
    slots_.contacts = slots_.springs + 2 * machine_.springs.size();
    slots_.motions = slots_.contacts + 3 * machine_.contacts.size();
    slots_.forces = slots_.motions + machine_.motions.size();
    slots_.motors = slots_.forces + machine_.forces.size();
    slots_.count = slots_.motors + machine_.motors.size();
    prepare(work_);
    prepare(values_);
    prepare(guard_);
    prepare(dual_);
}

template <class S>
void MachineSystem::prepare(MachineValues<S>& k) const {
    const std::size_t K = assembly_.coordinates();
    k.y.resize(size_);
    k.f.resize(size_);
    k.w.resize(slots_.count);
    for (auto* v : {&k.x, &k.v, &k.applied}) v->resize(assembly_.nodes.size());
    for (auto* v : {&k.stretch, &k.stretch_rate, &k.spring_force}) v->resize(springs_.size());
    for (auto* v : {&k.c, &k.load, &k.force}) v->resize(contacts_.size());
    k.given.resize(forces_.size());
    k.total.resize(K);
    k.a.resize(K);
    k.answer.resize(contacts_.size());
    drives_.prepare(k.drives);
}

MachineSystem::State MachineSystem::start() const {
    State y(size_ + slots_.count, 0);
    const std::size_t K = assembly_.coordinates();
    for (std::size_t k = 0; k < K; ++k) {
        y[k] = assembly_.q[k];
        y[K + k] = assembly_.v[k];
    }
    for (std::size_t i = 0; i < motion_states_.size(); ++i)
        if (motion_states_[i] >= 0) y[std::size_t(motion_states_[i])] = machine_.motions[i].x;
    for (std::size_t i = 0; i < contacts_.size(); ++i)
        for (std::size_t j = 0; j < machine_.contacts[i].start.size() && j < contacts_[i].count; ++j)
            y[contacts_[i].first + j] = machine_.contacts[i].start[j];
    drives_.start(y);
    return y;
}

// ---- inputs ------------------------------------------------------------------------------------------------------------

Input load_of(const ContactPart& contact) {
    if (contact.load) return *contact.load;
    return Input::constant(contact.load_spring.empty() ? neutral_load_of(contact.law) : 0);
}

namespace {

template <class Each>
void for_each_input(const Machine& machine, const Each& each) {
    for (const PrescribedMotion& motion : machine.motions) each(motion.value);
    for (const Force& force : machine.forces) each(force.value);
    for (const ContactPart& contact : machine.contacts) each(load_of(contact));
    for (const Motor& motor : machine.motors) each(motor.command);
    for (const Controller& controller : machine.controllers) each(controller.reference);
}

}  // namespace

void MachineSystem::set_pieces(double t, State& y) {
    begin_mode();
    const auto speed = [&](std::size_t i) {
        const auto& [first, second] = assembly_.contacts[i];
        const std::vector<double> none(size_, 0.0);
        return (first.motion >= 0 ? velocity(first, t, none) : 0) -
               (second.motion >= 0 ? velocity(second, t, none) : 0);
    };
    std::vector<double> before(contacts_.size()), stored_before(contacts_.size());
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        before[i] = speed(i);
        stored_before[i] = t > 0 ? stored_in_contact(i, t, y) : 0;
    }
    for (std::size_t i = 0; i < motions_.size(); ++i) motions_[i] = machine_.motions[i].value.piece(t);
    for (std::size_t i = 0; i < forces_.size(); ++i) forces_[i] = machine_.forces[i].value.piece(t);
    drives_.set_pieces(t);
    for (std::size_t i = 0; i < contacts_.size(); ++i) contacts_[i].load = load_of(machine_.contacts[i]).piece(t);
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        const double after = speed(i);
        jumped_[i] = std::abs(after - before[i]) > contacts_[i].still + 1e-14 * (std::abs(after) + std::abs(before[i]));
        if (!(t > 0)) continue;
        const double work = stored_in_contact(i, t, y) - stored_before[i];
        y[size_] += work;
        y[size_ + slots_.contacts + 3 * i + 2] += work;
    }
}

double MachineSystem::next_corner(double t) const {
    double next = machine_.run.duration;
    for_each_input(machine_, [&](const Input& input) { next = std::min(next, input.next_corner(t)); });
    return next;
}

double MachineSystem::shortest_period(double duration) const {
    double shortest = 8 * duration;
    for_each_input(machine_, [&](const Input& input) { shortest = std::min(shortest, input.period(duration)); });
    return shortest;
}

}  // namespace bristle::simulation
