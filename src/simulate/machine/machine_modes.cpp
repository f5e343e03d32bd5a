// Modes of a machine: guards of its contacts and gaps, and the changes at which they fail.
#include <algorithm>

#include "simulate/machine/holding.hpp"
#include "simulate/machine/machine_system.hpp"

namespace bristle::inline simulation {

namespace {
constexpr double beyond = 1e300;  // a force that releases every contact
}

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
    return sum;
}
MachineSystem::Part MachineSystem::part_of(int guard) const {
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        if (guard < guards_of(i)) return {true, i, guard};
        guard -= guards_of(i);
    }
    for (std::size_t i = 0; i < springs_.size(); ++i) {
        if (guard < guards_of_spring(i)) return {false, i, guard};
        guard -= guards_of_spring(i);
    }
    return {false, springs_.size(), 0};
}
// The guards that the solver searches closely: they can fail and recover between two points of a smooth step.
bool MachineSystem::held(int guard) const {
    const Part part = part_of(guard);
    return !part.is_contact || contacts_[part.index].role == Role::held;
}
double MachineSystem::slack(int guard) const {
    const Part part = part_of(guard);
    if (!part.is_contact) return 1e-13 * machine_.springs[part.index].gap;
    const Contact& contact = contacts_[part.index];
    const Watch what = contact.law->watches(part.local);
    return what == Watch::velocity ? contact.still : what == Watch::force ? contact.slack : 0;
}
bool MachineSystem::needs_forces(const Part& part) const {
    if (!part.is_contact) return false;
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
    if (!part.is_contact) return spring_guard(part, guard_);
    const Contact& contact = contacts_[part.index];
    const Moment moment_there = guard_has_forces_
                                    ? moment(part.index, at, guard_)
                                    : Moment{guard_.c[part.index], guard_.load[part.index], contact.free, 0, 0};
    return contact.law->guard(part.local, &guard_.y[contact.first], moment_there);
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
        if (p.amplitude != 0)
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

// ---- changes -----------------------------------------------------------------------------------------------------------

void MachineSystem::settle_springs(double t, const State& y) {
    const Values& k = values(t, y);
    for (std::size_t i = 0; i < springs_.size(); ++i) {
        const double s = k.stretch[i], half = 0.5 * machine_.springs[i].gap;
        springs_[i].side = machine_.springs[i].gap == 0                         ? 0
                           : s > half || (s == half && k.stretch_rate[i] > 0)   ? 1
                           : s < -half || (s == -half && k.stretch_rate[i] < 0) ? -1
                                                                                : 0;
    }
    const Values& after = values(t, y);
    for (std::size_t i = 0; i < springs_.size(); ++i) {
        const double force = after.spring_force[i];
        springs_[i].load_sign = (force != 0 ? force : after.stretch_rate[i]) < 0 ? -1 : 1;
    }
}

void MachineSystem::settle(double t, State& y) {
    guard_serial_ = -1;
    settle_springs(t, y);
    const Values& k = values(t, y);
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        Contact& contact = contacts_[i];
        const bool rests = contact.law->dry() && std::abs(k.c[i]) <= rest_limit(i, t, k);
        contact.law->settle(&k.y[contact.first],
                            {rests ? 0 : k.c[i], k.load[i], contact.free, 0, contact.free ? 0 : moment(i, t, k).rise});
    }
    settle_set_valued(t, y, {}, true);
    const Values& settled = values(t, y);
    for (std::size_t i = 0; i < contacts_.size(); ++i)
        if (Contact& contact = contacts_[i]; !(contact.free && contact.law->set_valued()))
            contact.law->settle(&settled.y[contact.first], moment(i, t, settled));
}

void MachineSystem::renew(double t, State& y) {
    guard_serial_ = -1;
    std::vector<std::size_t> resting;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        Contact& contact = contacts_[i];
        if (contact.role == Role::law || !contact.law->dry()) continue;
        if (!jumped_[i]) {
            resting.push_back(i);
            continue;
        }
        contact.role = Role::law;
        const Values& k = values(t, y);
        contact.law->settle(&k.y[contact.first], {k.c[i], k.load[i], true, 0, 0});
    }
    collect_held();
    stop(resting, t, y);
    settle_springs(t, y);
    settle_set_valued(t, y, {});
    const Values& k = values(t, y);
    for (std::size_t i = 0; i < contacts_.size(); ++i)
        if (Contact& contact = contacts_[i]; !(contact.free && contact.law->set_valued()))
            contact.law->renew(&k.y[contact.first], moment(i, t, k));
}

void MachineSystem::change(int i, double t, State& y, bool located, bool again) {
    guard_serial_ = -1;
    reversed_.clear();
    const Part part = part_of(i);
    if (!part.is_contact) return change_spring(part, t, y);
    Contact& contact = contacts_[part.index];
    const bool held = contact.role == Role::held;
    if (part.local == 0 && !held) return reverse(part.index, t, y, located, again);
    std::vector<std::size_t> resting;
    for (std::size_t j = 0; j < contacts_.size(); ++j)
        if (contacts_[j].role != Role::law && contacts_[j].law->dry()) resting.push_back(j);
    stop(resting, t, y);
    const Values& k = values(t, y);
    const Moment at = moment(part.index, t, k);
    if (!contact.free || !contact.law->set_valued() || contact.law->watches(part.local) != Watch::force) {
        contact.law->cross(part.local, &k.y[contact.first], at);
        if (contact.free && contact.law->set_valued() && held != contact.law->held()) settle_set_valued(t, y, {});
        return;
    }
    const int index = int(part.index);
    if (held) return settle_set_valued(t, y, {index, part.local == 0 ? 1 : -1});
    // hysteretic, dc/dt = 0: held, unless the other branch is valid at once
    const auto [low, high] = contact.law->interval(&k.y[contact.first], at);
    if (low <= high && !again) return settle_set_valued(t, y, {index, 0});
    release(part.index, t, k, again ? (at.hold > k.force[part.index] ? 1 : -1) : at.hold > low ? 1 : -1);
}

void MachineSystem::change_spring(const Part& part, double t, const State& y) {
    SpringMode& mode = springs_[part.index];
    const double gap = machine_.springs[part.index].gap;
    if (gap > 0 && mode.side == 0) {
        mode.side = part.local == 0 ? 1 : -1;
    } else if (gap > 0 && part.local == 0) {
        mode.side = 0;
        return;
    } else {
        mode.load_sign = -mode.load_sign;
        return;
    }
    const Values& k = values(t, y);
    const double force = k.spring_force[part.index];
    mode.load_sign = (force != 0 ? force : mode.side) < 0 ? -1 : 1;
}

// c of a contact passes through zero.
void MachineSystem::reverse(std::size_t index, double t, State& y, bool located, bool again) {
    Contact& contact = contacts_[index];
    const Values& k = values(t, y);
    const bool at_rest = std::abs(k.c[index]) <= rest_limit(index, t, k);
    if (located || !at_rest) reversed_.push_back(index);
    if (!located && (again || !at_rest || !contact.law->dry())) return contact.law->flip();

    std::vector<std::size_t> resting{index};
    for (std::size_t j = 0; j < contacts_.size(); ++j) {
        const Contact& other = contacts_[j];
        if (j == index || !other.law->dry() || !other.free) continue;
        const bool stops = other.role == Role::law && std::abs(k.c[j]) <= rest_limit(j, t, k) &&
                           other.law->side() * acceleration(j, t, k) <= 0;
        if (stops) reversed_.push_back(j);
        if (stops || other.role != Role::law) resting.push_back(j);
    }
    stop(resting, t, y);
    if (contact.law->dry() && contact.free) return settle_set_valued(t, y, {});
    const Values& stopped = values(t, y);
    Moment at = moment(index, t, stopped);
    if (located) at.c = 0;
    contact.law->cross(0, &stopped.y[contact.first], at);
}

// Sets the velocities of contacts to zero by the smallest change in the norm of the kinetic energy.
void MachineSystem::stop(std::vector<std::size_t> contacts, double t, State& y) {
    std::erase_if(contacts, [&](std::size_t i) { return !contacts_[i].free; });
    const std::size_t m = contacts.size(), n = contacts_.size(), K = assembly_.coordinates();
    if (m == 0) return;
    std::vector<double> A;
    for (const std::size_t i : contacts)
        for (const std::size_t j : contacts) A.push_back(assembly_.A[i * n + j]);
    const std::vector<double> P = holding_inverse(A, m);
    const Values& k = values(t, y);
    for (std::size_t a = 0; a < m; ++a) {
        double impulse = 0;
        for (std::size_t b = 0; b < m; ++b) impulse -= P[a * m + b] * k.c[contacts[b]];
        for (std::size_t c = 0; c < K; ++c)
            y[K + c] += assembly_.jacobian(contacts[a], c) / assembly_.mass[c] * impulse;
    }
}

// Takes a contact out of the held ones, in a direction: that of dc/dt.
void MachineSystem::release(std::size_t i, double t, const Values& k, int direction) {
    apply(i, t, k, Role::law, direction * beyond);
    collect_held();
}

// Sets the mode of a set-valued contact by the force that would hold it.
void MachineSystem::apply(std::size_t i, double, const Values& k, Role role, double force) {
    Contact& contact = contacts_[i];
    contact.role = role;
    contact.law->settle(&k.y[contact.first], {contact.law->dry() ? 0 : k.c[i], k.load[i], contact.free, force, 0});
    if (role == Role::held) contact.split = force;
    if (role == Role::pinned) contact.pin = force < 0 ? -1 : 1;
}

void MachineSystem::collect_held() {
    held_.clear();
    std::vector<double> A;
    for (std::size_t i = 0; i < contacts_.size(); ++i)
        if (contacts_[i].role == Role::held) held_.push_back(i);
    for (const std::size_t i : held_)
        for (const std::size_t j : held_) A.push_back(assembly_.A[i * contacts_.size() + j]);
    P_ = held_.empty() ? std::vector<double>{} : holding_inverse(A, held_.size());
}

// Decides which of the contacts whose force is an interval hold, from the forces on the whole machine.
void MachineSystem::settle_set_valued(double t, const State& y, const Forced& forced, bool from_zero) {
    const Values before = values(t, y);
    std::vector<std::size_t> set;
    std::vector<double> F;
    HoldingProblem problem;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        Contact& contact = contacts_[i];
        if (!contact.free || !contact.law->set_valued()) continue;
        Moment at = moment(i, t, before);
        const bool dry = contact.law->dry(), rests = contact.role == Role::held || contact.role == Role::pinned ||
                                                     std::abs(at.c) <= rest_limit(i, t, before);
        if (dry && !rests) continue;
        if (dry) at.c = 0;
        auto [low, high] = contact.law->interval(&before.y[contact.first], at);
        if (!(low <= high)) continue;
        if (forced.contact == int(i) && forced.slip == 0) {  // at a bound to rounding, and held
            low -= high - low;
            high += high - low;
        }
        set.push_back(i);
        problem.low.push_back(low);
        problem.high.push_back(high);
        F.push_back(from_zero || !std::isfinite(before.force[i]) ? 0 : before.force[i]);
    }
    const auto fill = [&] {
        problem.n = set.size();
        problem.A.clear();
        problem.r.clear();
        for (const std::size_t i : set)
            for (const std::size_t j : set) problem.A.push_back(assembly_.A[i * contacts_.size() + j]);
        for (const std::size_t i : set) contacts_[i].role = Role::excluded;
        collect_held();
        const Values& rest = values(t, y);
        for (const std::size_t i : set) problem.r.push_back(acceleration(i, t, rest));
    };
    fill();
    // a contact that the event releases slips, unless the others hold it
    const auto event = std::find(set.begin(), set.end(), std::size_t(forced.contact));
    if (forced.slip != 0 && event != set.end()) {
        const auto e = std::size_t(event - set.begin());
        const std::size_t i = set[e];
        std::vector<std::size_t> others;
        for (std::size_t j = 0; j < set.size(); ++j)
            if (j != e && F[j] > problem.low[j] && F[j] < problem.high[j]) others.push_back(j);
        const bool pinned = contacts_[i].law->dry() && freedom(problem, e, others) < 1e-9;
        apply(i, t, before, pinned ? Role::pinned : Role::law,
              pinned ? (forced.slip > 0 ? problem.high : problem.low)[e] : forced.slip * beyond);
        set.erase(event);
        F.erase(F.begin() + long(e));
        problem.low.erase(problem.low.begin() + long(e));
        problem.high.erase(problem.high.begin() + long(e));
        fill();
    }
    const Holding found = hold_contacts(problem, F);
    std::vector<std::size_t> inside;
    for (std::size_t j = 0; j < set.size(); ++j)
        if (found.at[j] == Holding::At::inside) inside.push_back(j);
    for (std::size_t j = 0; j < set.size(); ++j) {
        const std::size_t i = set[j];
        if (found.at[j] == Holding::At::inside) {
            const auto [low, high] = contacts_[i].law->interval(&before.y[contacts_[i].first], moment(i, t, before));
            apply(i, t, before, Role::held, std::clamp(found.F[j], low, high));
            continue;
        }
        const int s = found.at[j] == Holding::At::high ? 1 : -1;
        const bool pinned = contacts_[i].law->dry() && found.acceleration[j] == 0 && freedom(problem, j, inside) < 1e-9;
        apply(i, t, before, pinned ? Role::pinned : Role::law, pinned ? found.F[j] : s * beyond);
    }
    collect_held();
}

}  // namespace bristle::simulation
