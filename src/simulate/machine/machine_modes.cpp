// Modes of a machine: what changes where a guard fails.
#include <algorithm>

#include "simulate/machine/holding.hpp"
#include "simulate/machine/machine_system.hpp"

namespace bristle::inline simulation {

namespace {
constexpr double beyond = 1e300;  // a force that releases every contact
}

void MachineSystem::begin_mode() {
    ++mode_;
    guard_serial_ = -1;
}

// ---- changes -----------------------------------------------------------------------------------------------------------

void MachineSystem::settle_springs(double t, const State& y) {
    begin_mode();
    const Values& k = values(t, y);
    drives_.settle(t, values_.y, values_.drives);
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
    settle_springs(t, y);
    const Values& k = values(t, y);
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        Contact& contact = contacts_[i];
        const bool rests = contact.law->dry() && std::abs(k.c[i]) <= rest_limit(i, t, k);
        contact.law->settle(k.y.data() + contact.first,
                            {rests ? 0 : k.c[i], k.load[i], contact.free, 0, contact.free ? 0 : moment(i, t, k).rise});
    }
    settle_set_valued(t, y, {}, true);
    const Values& settled = values(t, y);
    for (std::size_t i = 0; i < contacts_.size(); ++i)
        if (Contact& contact = contacts_[i]; !(contact.free && contact.law->set_valued()))
            contact.law->settle(settled.y.data() + contact.first, moment(i, t, settled));
}

void MachineSystem::set_steady(const std::vector<Steady>& modes, double t, const State& y) {
    begin_mode();
    for (Contact& contact : contacts_) contact.role = Role::excluded;
    held_.clear();
    const Values& k = values(t, y);
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        const Steady& steady = modes[i];
        if (steady.mode == Steady::Mode::absent) continue;
        if (steady.mode == Steady::Mode::holding) {
            apply(i, k, Role::held, steady.force);
            continue;
        }
        Contact& contact = contacts_[i];
        contact.role = Role::law;
        if (steady.mode == Steady::Mode::sliding)
            contact.law->slide(steady.side);
        else
            contact.law->settle(k.y.data() + contact.first, {0, k.load[i], true, steady.side * beyond, 0});
    }
    collect_held();
}

void MachineSystem::renew(double t, State& y) {
    begin_mode();
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
        contact.law->settle(k.y.data() + contact.first, {k.c[i], k.load[i], true, 0, 0});
    }
    collect_held();
    stop(resting, t, y);
    settle_springs(t, y);
    settle_set_valued(t, y, {});
    const Values& k = values(t, y);
    for (std::size_t i = 0; i < contacts_.size(); ++i)
        if (Contact& contact = contacts_[i]; !(contact.free && contact.law->set_valued()))
            contact.law->renew(k.y.data() + contact.first, moment(i, t, k));
}

void MachineSystem::change(int i, double t, State& y, bool located) {
    begin_mode();
    reversed_.clear();
    const Part part = part_of(i);
    if (part.of == Part::Of::spring) return change_spring(part, t, y);
    if (part.of == Part::Of::limit) return drives_.cross(part.index, part.local);
    if (t != change_time_) changes_.assign(contacts_.size(), 0);
    change_time_ = t;
    const bool again = ++changes_[part.index] > 1;
    Contact& contact = contacts_[part.index];
    const bool held = contact.role == Role::held;
    if (part.local == 0 && !held) return reverse(part.index, t, y, located);
    std::vector<std::size_t> resting;
    for (std::size_t j = 0; j < contacts_.size(); ++j)
        if (contacts_[j].role != Role::law && contacts_[j].law->dry()) resting.push_back(j);
    stop(resting, t, y);
    const Values& k = values(t, y);
    const Moment at = moment(part.index, t, k);
    if (!contact.free || !contact.law->set_valued() || contact.law->watches(part.local) != Watch::force) {
        contact.law->cross(part.local, k.y.data() + contact.first, at);
        if (contact.free && contact.law->set_valued() && held != contact.law->held()) settle_set_valued(t, y, {});
        return;
    }
    const int index = int(part.index);
    if (held) return settle_set_valued(t, y, {index, part.local == 0 ? 1 : -1});
    // hysteretic, dc/dt = 0: held, unless the other branch is valid at once
    const auto [low, high] = contact.law->interval(k.y.data() + contact.first, at);
    if (low <= high && !again) return settle_set_valued(t, y, {index, 0});
    const bool rises = at.hold > (again ? k.force[part.index] : low);
    apply(part.index, k, Role::law, rises ? beyond : -beyond);
    collect_held();
}

void MachineSystem::change_spring(const Part& part, double t, const State& y) {
    SpringPart& mode = springs_[part.index];
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

// c of a contact passes through zero, and with it that of all contacts that reverse at the same instant.
void MachineSystem::reverse(std::size_t index, double t, State& y, bool located) {
    const Values& k = values(t, y);
    const bool at_rest = std::abs(k.c[index]) <= rest_limit(index, t, k);
    if (located || !at_rest) reversed_.push_back(index);
    const bool settles = at_rest && contacts_[index].law->dry() && changes_[index] < 5;
    if (!located && !settles) return contacts_[index].law->flip();

    std::vector<std::size_t> reversing{index}, resting;
    for (std::size_t j = 0; j < contacts_.size(); ++j) {
        const Contact& other = contacts_[j];
        if (other.role != Role::law && other.law->dry()) resting.push_back(j);
        if (j == index || other.role != Role::law || std::abs(k.c[j]) > rest_limit(j, t, k)) continue;
        if (other.law->side() * acceleration(j, t, k) > 0 || ++changes_[j] > 1) continue;
        reversing.push_back(j);
        reversed_.push_back(j);
    }
    resting.insert(resting.end(), reversing.begin(), reversing.end());
    stop(resting, t, y);
    const bool any_dry = std::any_of(reversing.begin(), reversing.end(),
                                     [&](std::size_t j) { return contacts_[j].free && contacts_[j].law->dry(); });
    if (any_dry) settle_set_valued(t, y, {});
    const Values& stopped = values(t, y);
    for (const std::size_t j : reversing) {
        Contact& contact = contacts_[j];
        if (contact.free && contact.law->dry()) continue;
        Moment at = moment(j, t, stopped);
        if (located) at.c = 0;
        contact.law->cross(0, stopped.y.data() + contact.first, at);
    }
}

// Sets the velocities of contacts to zero by the smallest change in the norm of the kinetic energy. Its impulses are part of the ledger:
// between heavy and fast bodies even a velocity at the level of rounding moves energy.
void MachineSystem::stop(std::vector<std::size_t> contacts, double t, State& y) {
    std::erase_if(contacts, [&](std::size_t i) { return !contacts_[i].free; });
    const std::size_t m = contacts.size(), n = contacts_.size(), K = assembly_.coordinates();
    if (m == 0) return;
    std::vector<double> A;
    for (const std::size_t i : contacts)
        for (const std::size_t j : contacts) A.push_back(assembly_.A[i * n + j]);
    const std::vector<double> P = holding_inverse(A, m);
    const Values& k = values(t, y);
    double* const ledger = &y[size_];
    const std::vector<double> before(y.begin() + long(K), y.begin() + long(2 * K));
    for (std::size_t a = 0; a < m; ++a) {
        const std::size_t i = contacts[a];
        double impulse = 0;
        for (std::size_t b = 0; b < m; ++b) impulse -= P[a * m + b] * k.c[contacts[b]];
        for (std::size_t c = 0; c < K; ++c) y[K + c] += assembly_.jacobian(i, c) / assembly_.mass[c] * impulse;
        const double heat = -impulse * (0.5 * k.c[i]);
        ledger[slots_.contacts + 3 * i] += heat;
        ledger[slots_.contacts + 3 * i + 1] += heat;
        ledger[1] += heat;
        const auto supply = [&](const Node& node, double of_motion) {
            if (node.motion < 0) return;
            ledger[slots_.motions + std::size_t(node.motion)] += of_motion * k.v[node.index];
            ledger[0] += of_motion * k.v[node.index];
        };
        supply(assembly_.contacts[i].first, -impulse);
        supply(assembly_.contacts[i].second, impulse);
    }
    for (std::size_t i = 0; i < machine_.bodies.size(); ++i) {
        const Node& node = assembly_.bodies[i];
        const auto c = std::size_t(node.coordinate);
        ledger[slots_.bodies + 2 * i] +=
            0.5 * machine_.bodies[i].mass * node.ratio * node.ratio * (y[K + c] - before[c]) * (y[K + c] + before[c]);
    }
}

// Sets the mode of a set-valued contact by the force that would hold it.
void MachineSystem::apply(std::size_t i, const Values& k, Role role, double force) {
    Contact& contact = contacts_[i];
    contact.role = role;
    contact.law->settle(k.y.data() + contact.first,
                        {contact.law->dry() ? 0 : k.c[i], k.load[i], contact.free, force, 0});
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

// Returns the contacts whose force is an interval now, with the bounds and the start of their forces.
MachineSystem::Undecided MachineSystem::undecided_contacts(double t, const Values& k, const Forced& forced,
                                                           bool from_zero) const {
    Undecided out;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        const Contact& contact = contacts_[i];
        if (!contact.free || !contact.law->set_valued()) continue;
        Moment at = moment(i, t, k);
        if (contact.law->dry()) {
            if (contact.role == Role::law && std::abs(at.c) > rest_limit(i, t, k)) continue;
            at.c = 0;
        }
        auto [low, high] = contact.law->interval(k.y.data() + contact.first, at);
        if (!(low <= high)) continue;
        if (forced.contact == int(i) && forced.slip == 0) {  // at a bound to rounding, and held
            const double width = high - low;
            low -= width;
            high += width;
        }
        out.contacts.push_back(i);
        out.problem.low.push_back(low);
        out.problem.high.push_back(high);
        out.F.push_back(from_zero || !std::isfinite(k.force[i]) ? 0 : k.force[i]);
    }
    return out;
}

// Sets A and r of the problem: without the forces of the contacts that are not decided.
void MachineSystem::complete(Undecided& set, double t, const State& y) {
    HoldingProblem& problem = set.problem;
    problem.n = set.contacts.size();
    problem.A.clear();
    problem.r.clear();
    for (const std::size_t i : set.contacts)
        for (const std::size_t j : set.contacts) problem.A.push_back(assembly_.A[i * contacts_.size() + j]);
    for (const std::size_t i : set.contacts) contacts_[i].role = Role::excluded;
    collect_held();
    const Values& rest = values(t, y);
    for (const std::size_t i : set.contacts) problem.r.push_back(acceleration(i, t, rest));
}

// Releases the contact of an event, and takes it out of the set. It slips, unless the others hold it: then it is pinned.
void MachineSystem::release_from(Undecided& set, const Values& k, const Forced& forced) {
    const auto event = std::find(set.contacts.begin(), set.contacts.end(), std::size_t(forced.contact));
    if (event == set.contacts.end())  // no force keeps dc/dt = 0
        return apply(std::size_t(forced.contact), k, Role::law, forced.slip * beyond);
    const long e = event - set.contacts.begin();
    const auto index = std::size_t(e);
    const std::size_t i = *event;
    HoldingProblem& problem = set.problem;
    std::vector<std::size_t> others;
    for (std::size_t j = 0; j < set.contacts.size(); ++j)
        if (j != index && set.F[j] > problem.low[j] && set.F[j] < problem.high[j]) others.push_back(j);
    const double level = forced.slip > 0 ? problem.high[index] : problem.low[index];
    if (contacts_[i].law->dry() && freedom(problem, index, others) < 1e-9)
        apply(i, k, Role::pinned, level);
    else
        apply(i, k, Role::law, forced.slip * beyond);
    set.contacts.erase(event);
    set.F.erase(set.F.begin() + e);
    problem.low.erase(problem.low.begin() + e);
    problem.high.erase(problem.high.begin() + e);
}

// Decides which of the contacts whose force is an interval hold, from the forces on the whole machine. from_zero: there is no last
// split.
void MachineSystem::settle_set_valued(double t, const State& y, const Forced& forced, bool from_zero) {
    const Values before = values(t, y);
    Undecided set = undecided_contacts(t, before, forced, from_zero);
    complete(set, t, y);
    if (forced.slip != 0) {
        release_from(set, before, forced);
        complete(set, t, y);
    }
    const Holding found = hold_contacts(set.problem, set.F);
    std::vector<std::size_t> inside;
    for (std::size_t j = 0; j < set.contacts.size(); ++j)
        if (found.at[j] == Holding::At::inside) inside.push_back(j);
    for (std::size_t j = 0; j < set.contacts.size(); ++j) {
        const std::size_t i = set.contacts[j];
        const ContactLaw& law = *contacts_[i].law;
        if (found.at[j] == Holding::At::inside) {
            Moment at{law.dry() ? 0 : before.c[i], before.load[i], true, 0, 0};
            const auto [low, high] = law.interval(before.y.data() + contacts_[i].first, at);
            apply(i, before, Role::held, std::clamp(found.F[j], low, high));
        } else if (law.dry() && found.acceleration[j] == 0 && freedom(set.problem, j, inside) < 1e-9) {
            apply(i, before, Role::pinned, found.F[j]);
        } else {
            apply(i, before, Role::law, found.at[j] == Holding::At::high ? beyond : -beyond);
        }
    }
    collect_held();
    // a pinned contact slips with the last one that held it
    HoldingProblem all;
    all.n = contacts_.size();
    all.A = assembly_.A;
    for (std::size_t i = 0; i < contacts_.size(); ++i)
        if (contacts_[i].role == Role::pinned && !(freedom(all, i, held_) < 1e-9))
            apply(i, before, Role::law, contacts_[i].pin * beyond);
}

}  // namespace bristle::simulation
