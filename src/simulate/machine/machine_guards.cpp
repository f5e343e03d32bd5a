// Guards of a machine: quantities of its contacts, gaps and limits that are positive while a mode holds.
#include <algorithm>

#include "simulate/machine/machine_system.hpp"

namespace bristle::inline simulation {

// ---- guards ------------------------------------------------------------------------------------------------------------

int MachineSystem::guards_of(std::size_t i) const {
    return contacts_[i].role == Role::pinned ? 0 : contacts_[i].law->guards();
}
int MachineSystem::guards_of_spring(std::size_t i) const {
    const bool has_gap = machine_.springs[i].gap > 0, open = has_gap && springs_[i].side == 0;
    return (open ? 2 : has_gap ? 1 : 0) + (springs_[i].is_load && !open ? 1 : 0);
}
int MachineSystem::guards() const {
    int sum = 0;
    for (std::size_t i = 0; i < contacts_.size(); ++i) sum += guards_of(i);
    for (std::size_t i = 0; i < springs_.size(); ++i) sum += guards_of_spring(i);
    for (std::size_t i = 0; i < drives_.limits(); ++i) sum += drives_.guards_of(i);
    return sum;
}
MachineSystem::Part MachineSystem::part_of(int guard) const {
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        if (guard < guards_of(i)) return {Part::Of::contact, i, guard};
        guard -= guards_of(i);
    }
    for (std::size_t i = 0; i < springs_.size(); ++i) {
        if (guard < guards_of_spring(i)) return {Part::Of::spring, i, guard};
        guard -= guards_of_spring(i);
    }
    std::size_t limit = 0;
    for (; guard >= drives_.guards_of(limit); ++limit) guard -= drives_.guards_of(limit);
    return {Part::Of::limit, limit, guard};
}
// The guards that the solver searches closely: they can fail and recover between two points of a smooth step.
bool MachineSystem::held(int guard) const {
    const Part part = part_of(guard);
    return part.of != Part::Of::contact || contacts_[part.index].role == Role::held;
}
double MachineSystem::slack(int guard) const {
    const Part part = part_of(guard);
    if (part.of == Part::Of::spring) return 1e-13 * machine_.springs[part.index].gap;
    if (part.of == Part::Of::limit) return drives_.slack(part.index);
    const Contact& contact = contacts_[part.index];
    const Watch what = contact.law->watches(part.local);
    return what == Watch::velocity ? contact.still : what == Watch::force ? contact.slack : 0;
}
bool MachineSystem::needs_forces(const Part& part) const {
    if (part.of != Part::Of::contact) return false;
    const Contact& contact = contacts_[part.index];
    return contact.law->set_valued() && contact.law->watches(part.local) != Watch::velocity;
}

double MachineSystem::spring_guard(const Part& part, const Values& k) const {
    const Spring& spring = machine_.springs[part.index];
    const int side = springs_[part.index].side;
    const double s = k.stretch[part.index], half = 0.5 * spring.gap;
    if (spring.gap > 0 && side == 0) return part.local == 0 ? half - s : half + s;
    if (spring.gap > 0 && part.local == 0) return side * s - half;
    return springs_[part.index].load_sign * k.spring_force[part.index];
}

double MachineSystem::guard(int i, double t, const State& y, const MachineStepper& stepper, double fraction,
                            double over) const {
    const Part part = part_of(i);
    const bool same = fraction > 0 && guard_serial_ == stepper.serial() && guard_fraction_ == fraction;
    const double at = fraction <= 0 ? t : t + fraction * over;
    if (!same) {
        for (std::size_t j = 0; j < size_; ++j)
            guard_.y[j] = fraction <= 0 ? y[j] : fraction >= 1 ? stepper.y1()[j] : stepper.at(j, fraction);
        guard_serial_ = stepper.serial();
        guard_fraction_ = fraction;
        guard_has_forces_ = false;
    }
    if (needs_forces(part)) {
        if (!guard_has_forces_) evaluate(at, guard_);
        guard_has_forces_ = true;
    } else if (!same) {
        evaluate_springs(at, guard_);
    }
    if (part.of == Part::Of::spring) return spring_guard(part, guard_);
    if (part.of == Part::Of::limit) return drives_.guard(part.index, part.local, guard_.drives);
    const Contact& contact = contacts_[part.index];
    const Moment moment_there = guard_has_forces_
                                    ? moment(part.index, at, guard_)
                                    : Moment{guard_.c[part.index], guard_.load[part.index], contact.free, 0, 0};
    return contact.law->guard(part.local, guard_.y.data() + contact.first, moment_there);
}

// ---- instants ----------------------------------------------------------------------------------------------------------

// dc/dt
double MachineSystem::acceleration(std::size_t i, double t, const Values& k) const {
    double sum = base_acceleration(i, t);
    for (std::size_t c = 0; c < assembly_.coordinates(); ++c) sum += assembly_.jacobian(i, c) * k.a[c];
    return sum;
}
Moment MachineSystem::moment(std::size_t i, double t, const Values& k) const {
    const Contact& contact = contacts_[i];
    const double rise = acceleration(i, t, k);
    if (!contact.free) return {k.c[i], k.load[i], false, 0, rise != 0 ? rise : rise_after(i, t)};
    return {k.c[i], k.load[i], true, contact.role == Role::held ? k.force[i] : k.force[i] + rise * contact.mass, 0};
}
// Returns the sign of the change of a prescribed c shortly after t; 0 if c is constant.
double MachineSystem::rise_after(std::size_t i, double t) const {
    double fastest = 0;
    for (const Piece& p : motions_)
        if (p.jerk != 0)
            fastest = std::max(fastest, 1.0);
        else if (p.amplitude != 0)
            fastest = std::max({fastest, std::abs(p.omega + 2 * p.bend * t), std::sqrt(std::abs(p.bend))});
    if (fastest == 0) return 0;
    const auto speed = [&](double at) {
        const auto& [first, second] = assembly_.contacts[i];
        return velocity(first, at, guard_.y) - velocity(second, at, guard_.y);
    };
    return speed(t + 1e-3 / fastest) - speed(t);
}
// Contact velocities up to this count as rest.
double MachineSystem::rest_limit(std::size_t i, double t, const Values& k) const {
    const auto& [first, second] = assembly_.contacts[i];
    return std::max(contacts_[i].still,
                    1e-14 * (std::abs(velocity(first, t, k.y)) + std::abs(velocity(second, t, k.y))));
}

}  // namespace bristle::simulation
