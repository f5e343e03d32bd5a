// States and ledger of the coupled step of a machine.
#include "simulate/machine/machine_coupled.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::inline simulation {

std::unique_ptr<CoupledContact> make_coupled_contact(const AnyLaw& law) {
    return std::visit([](const auto& l) { return make_coupled_contact_of(l); }, static_cast<const LawVariant&>(law));
}

namespace {

constexpr int max_halvings = 6;

CoupledEquations::Contacts contacts_of(const MachineSystem& system, const std::vector<double>& y) {
    CoupledEquations::Contacts out;
    for (std::size_t i = 0; i < system.machine().contacts.size(); ++i) {
        out.push_back(make_coupled_contact(system.machine().contacts[i].law));
        out.back()->set(y.data() + system.first_state(i));
    }
    return out;
}

std::vector<double> values_of(const std::vector<Sum>& sums) {
    std::vector<double> out;
    for (const Sum& sum : sums) out.push_back(sum.value());
    return out;
}

}  // namespace

MachineCoupled::MachineCoupled(const MachineSystem& system, const std::vector<double>& y,
                               const std::vector<double>& still)
    : system_(system),
      machine_(system.machine()),
      assembly_(system.assembly()),
      contacts_(contacts_of(system, y)),
      solver_(system, contacts_),
      still_(still),
      y_(y) {
    const std::size_t K = assembly_.coordinates(), n = contacts_.size();
    y_.resize(system.size() + system.quadrature_count(), 0.0);
    for (std::size_t k = 0; k < K; ++k) {
        q_.emplace_back(y[k]);
        v_.emplace_back(y[K + k]);
    }
    const auto& at_start = system.values(0, y);
    for (std::size_t i = 0; i < machine_.springs.size(); ++i) stretch_.emplace_back(at_start.stretch[i]);
    for (std::size_t i = 0; i < machine_.motions.size(); ++i)
        motions_.emplace_back(system.position({.motion = int(i)}, 0, y));
    sums_.resize(system.quadrature_count());
    numerical_.resize(machine_.bodies.size());
    loads_ = at_start.load;
    values_ = at_start;
    state_ = {
        values_of(q_),
        values_of(v_),
        std::vector<double>(K, 0),
        values_of(stretch_),
        std::vector<double>(n, 0),
        std::vector<double>(y.begin() + long(system.size() - system.drives().size()), y.begin() + long(system.size()))};
    rise_.assign(n, 0);
    start_c_ = at_start.c;
    held_.assign(n, false);
    for (const ContactPart& contact : machine_.contacts) load_inputs_.push_back(load_of(contact));
}

// ---- steps -------------------------------------------------------------------------------------------------------------

bool MachineCoupled::step(double t, double dt) {
    CoupledEquations& equations = solver_.equations();
    equations.begin(t, dt, state_);
    int parts = 1;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        start_c_[i] = counted(i, contact_velocity(i, CoupledEquations::When::start));
        if (held_[i] && std::abs(start_c_[i]) <= solver_.rest_limit(i, state_.v, dt, loads_[i])) start_c_[i] = 0;
        if (system_.is_free(i)) parts = std::max(parts, contacts_[i]->parts(start_c_[i], rise_[i], dt));
    }
    bool found = true;
    for (int i = 0; i < parts && found; ++i) found = advance(t + i * (dt / parts), dt / parts, 0);
    update(t + dt);
    return found && is_finite();
}

// The velocity of a contact; 0 if it is rounding of those of its ends [m/s].
double MachineCoupled::contact_velocity(std::size_t i, CoupledEquations::When when) const {
    const double c = solver_.equations().contact_velocity(i, state_.v, when);
    return std::abs(c) <= 1e-13 * solver_.equations().contact_speed(i, state_.v, when) ? 0 : c;
}

// The velocity of a contact as it is recorded: a dry one may stop at the end of a step to rounding, without being held.
double MachineCoupled::counted(std::size_t i, double c) const {
    return contacts_[i]->dry() && system_.is_free(i) && std::abs(c) <= still_[i] ? 0 : c;
}

bool MachineCoupled::advance(double t, double dt, int halvings) {
    find_loads(t, dt);
    if (solver_.solve(t, dt, state_, next_loads_, held_)) {
        commit(dt);
        return true;
    }
    if (halvings == max_halvings || !is_finite()) return false;
    return advance(t, 0.5 * dt, halvings + 1) && advance(t + 0.5 * dt, 0.5 * dt, halvings + 1);
}

bool MachineCoupled::is_finite() const {
    const auto finite = [](double x) { return std::abs(x) < 1e150; };
    return std::all_of(state_.v.begin(), state_.v.end(), finite) &&
           std::all_of(state_.q.begin(), state_.q.end(), finite) &&
           std::all_of(state_.force.begin(), state_.force.end(), finite);
}

void MachineCoupled::find_loads(double t, double dt) {
    const double middle = t + 0.5 * dt;
    next_loads_.resize(contacts_.size());
    CoupledEquations& equations = solver_.equations();
    equations.begin(t, dt, state_);
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        next_loads_[i] = load_inputs_[i].piece(middle).value(middle);
        const int s = assembly_.load_springs[i];
        if (s < 0) continue;
        const auto index = std::size_t(s);
        const double rate = equations.spring_rate(index, state_.v, CoupledEquations::When::start);
        double rise = 0;
        for (std::size_t k = 0; k < state_.a.size(); ++k) rise += equations.spring_row(index, k) * state_.a[k];
        next_loads_[i] +=
            std::abs(equations.force_at(index, state_.stretch[index] + 0.5 * dt * rate, rate + 0.5 * dt * rise));
    }
}

// ---- ledger ------------------------------------------------------------------------------------------------------------

void MachineCoupled::supply(std::size_t slot, double energy) {
    sums_[slot] += energy;
    sums_[0] += energy;
}

// Energy that the motions at the ends of a part supply: force times the displacement of the motion.
void MachineCoupled::supply_motions(const Ends& ends, double force, bool of_spring, double dt, bool at_end) {
    const std::size_t first = system_.slots().motions;
    const auto of = [&](const Node& node, double sign) {
        if (node.motion < 0) return;
        const auto m = std::size_t(node.motion);
        const auto& moved = solver_.equations().moved(m);
        const double distance = of_spring ? moved.of_spring : dt * (at_end ? moved.v1 : 0.5 * (moved.v0 + moved.v1));
        supply(first + m, sign * force * distance);
    };
    of(ends.first, 1);
    of(ends.second, -1);
}

void MachineCoupled::record_bodies(double dt, const std::vector<double>& change) {
    const auto& solution = solver_.equations().solution();
    const std::size_t slot = system_.slots().bodies;
    for (std::size_t i = 0; i < machine_.bodies.size(); ++i) {
        const Body& body = machine_.bodies[i];
        const Node& node = assembly_.bodies[i];
        const auto k = std::size_t(node.coordinate);
        const double w = node.ratio * solution.of_coordinates[k], dv = node.ratio * change[k];
        sums_[slot + 2 * i] += (body.mass * dv - body.force * dt) * w;
        supply(slot + 2 * i + 1, body.force * dt * w);
        if (solver_.equations().end_held[k]) numerical_[i] += 0.5 * body.mass * dv * dv;
    }
}

void MachineCoupled::record_springs(double dt) {
    CoupledEquations& equations = solver_.equations();
    const auto& solution = equations.solution();
    const std::size_t slot = system_.slots().springs;
    for (std::size_t i = 0; i < machine_.springs.size(); ++i) {
        const double rate = solution.spring_rates[i], F = solution.spring_forces[i],
                     dissipated = equations.spring_dissipation(i, rate);
        sums_[slot + 2 * i] += F * rate * dt;
        sums_[slot + 2 * i + 1] += dissipated;
        sums_[1] += dissipated;
        supply_motions(assembly_.springs[i], F, true, dt, false);
        stretch_[i] += dt * rate;
    }
}

void MachineCoupled::record_inputs(double dt) {
    const CoupledEquations& equations = solver_.equations();
    const auto& solution = equations.solution();
    for (std::size_t i = 0; i < machine_.forces.size(); ++i) {
        const Node& node = assembly_.forces[i];
        supply(system_.slots().forces + i,
               equations.applied(i) * dt * node.ratio * solution.of_coordinates[std::size_t(node.coordinate)]);
    }
    for (std::size_t i = 0; i < machine_.motors.size(); ++i) {
        const Node& node = system_.drives().node(i);
        supply(system_.slots().motors + i,
               solution.motor_forces[i] * dt * node.ratio * solution.of_coordinates[std::size_t(node.coordinate)]);
    }
    for (std::size_t i = 0; i < motions_.size(); ++i)
        if (machine_.motions[i].quantity == Quantity::velocity) motions_[i] += equations.moved(i).of_spring;
}

// Advances the contacts by the solution, and sets their mean forces.
std::vector<double> MachineCoupled::finish_contacts() {
    const CoupledEquations& equations = solver_.equations();
    const auto& solution = equations.solution();
    std::vector<double> dissipation;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        supply(system_.slots().contacts + 3 * i + 2,
               contacts_[i]->stored(next_loads_[i]) - contacts_[i]->stored(loads_[i]));
        loads_[i] = next_loads_[i];
        const ContactRole& role = equations.roles[i];
        const double w = solution.of_contacts[i];
        const auto done = role.inside || role.pinned ? contacts_[i]->finish_within(w, solution.forces[i])
                                                     : contacts_[i]->finish(w, role.side);
        state_.force[i] = done.force;
        dissipation.push_back(done.dissipation);
        held_[i] = system_.is_free(i) && solver_.rests(i);
    }
    return dissipation;
}

void MachineCoupled::record_contacts(double dt, const std::vector<double>& dissipation) {
    const CoupledEquations& equations = solver_.equations();
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        const std::size_t slot = system_.slots().contacts + 3 * i;
        sums_[slot] += state_.force[i] * equations.solution().of_contacts[i] * dt;
        sums_[slot + 1] += dissipation[i];
        sums_[1] += dissipation[i];
        supply_motions(assembly_.contacts[i], state_.force[i], false, dt, equations.contact_end_held(i));
    }
}

void MachineCoupled::commit(double dt) {
    const CoupledEquations& equations = solver_.equations();
    const auto& solution = equations.solution();
    const std::size_t K = state_.q.size();
    const std::vector<double> dissipation = finish_contacts();
    std::vector<double> change(K);  // of the velocities
    for (std::size_t k = 0; k < K; ++k) {
        double total = solution.total[k];
        for (std::size_t i = 0; i < contacts_.size(); ++i)
            total -= assembly_.jacobian(i, k) * (state_.force[i] - solution.forces[i]);
        change[k] = dt / assembly_.mass[k] * total;
    }
    stop_resting(dt, change);
    record_bodies(dt, change);
    record_springs(dt);
    record_contacts(dt, dissipation);
    record_inputs(dt);
    for (std::size_t i = 0; i < contacts_.size(); ++i) rise_[i] = -equations.start_velocity(i) / dt;
    for (std::size_t k = 0; k < K; ++k) {
        q_[k] += dt * solution.of_coordinates[k];
        v_[k] += change[k];
        state_.a[k] = change[k] / dt;
    }
    for (std::size_t j = 0; j < state_.drives.size(); ++j) state_.drives[j] = equations.end_state(j);
    state_.q = values_of(q_);
    state_.v = values_of(v_);
    state_.stretch = values_of(stretch_);
    for (std::size_t i = 0; i < contacts_.size(); ++i)
        rise_[i] += equations.contact_velocity(i, state_.v, CoupledEquations::When::end) / dt;
    for (std::size_t i = 0; i < machine_.springs.size(); ++i)
        values_.stretch_rate[i] = equations.spring_rate(i, state_.v, CoupledEquations::When::end);
}

// Removes the rounding of the velocity of contacts that rest, as a part of their forces. change: of the velocities [m/s].
void MachineCoupled::stop_resting(double dt, std::vector<double>& change) {
    std::vector<std::size_t> resting;
    for (std::size_t i = 0; i < contacts_.size(); ++i)
        if (held_[i]) resting.push_back(i);
    const std::size_t n = contacts_.size(), m = resting.size();
    if (m == 0) return;
    std::vector<double> A, c, v = state_.v;
    for (std::size_t k = 0; k < v.size(); ++k) v[k] += change[k];
    for (const std::size_t i : resting) {
        c.push_back(solver_.equations().contact_velocity(i, v, CoupledEquations::When::end));
        for (const std::size_t j : resting) A.push_back(assembly_.A[i * n + j]);
    }
    const std::vector<double> P = holding_inverse(A, m);
    for (std::size_t a = 0; a < m; ++a) {
        double impulse = 0;
        for (std::size_t b = 0; b < m; ++b) impulse -= P[a * m + b] * c[b];
        state_.force[resting[a]] -= impulse / dt;
        for (std::size_t k = 0; k < v.size(); ++k)
            change[k] += assembly_.jacobian(resting[a], k) / assembly_.mass[k] * impulse;
    }
}

// ---- results -----------------------------------------------------------------------------------------------------------

std::vector<double> MachineCoupled::stores() const {
    std::vector<double> out;
    for (std::size_t i = 0; i < machine_.springs.size(); ++i)
        out.push_back(solver_.equations().stored_in_spring(i, state_.stretch[i]));
    for (std::size_t i = 0; i < contacts_.size(); ++i) out.push_back(contacts_[i]->stored(loads_[i]));
    return out;
}
double MachineCoupled::stored() const {
    double sum = 0;
    for (const double store : stores()) sum += store;
    for (std::size_t k = 0; k < state_.v.size(); ++k) sum += 0.5 * assembly_.mass[k] * state_.v[k] * state_.v[k];
    return sum;
}
std::vector<double> MachineCoupled::numerical() const { return values_of(numerical_); }

// Sets the states, quadratures and values at t.
void MachineCoupled::update(double t) {
    const std::size_t K = state_.q.size(), N = system_.size();
    for (std::size_t k = 0; k < K; ++k) {
        y_[k] = state_.q[k];
        y_[K + k] = state_.v[k];
    }
    std::size_t next = 2 * K;
    for (std::size_t i = 0; i < motions_.size(); ++i)
        if (machine_.motions[i].quantity == Quantity::velocity) y_[next++] = motions_[i].value();
    for (std::size_t i = 0; i < contacts_.size(); ++i) contacts_[i]->get(y_.data() + system_.first_state(i));
    std::copy(state_.drives.begin(), state_.drives.end(), y_.begin() + long(N - state_.drives.size()));
    for (std::size_t j = 0; j < sums_.size(); ++j) y_[N + j] = sums_[j].value();
    const double before = std::nextafter(t, 0.0);  // the piece that ends at t
    for (std::size_t i = 0; i < machine_.springs.size(); ++i) {
        values_.stretch[i] = state_.stretch[i];
        values_.spring_force[i] = solver_.equations().force_at(i, state_.stretch[i], values_.stretch_rate[i]);
    }
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        double load = load_inputs_[i].piece(before).value(t);
        if (const int s = assembly_.load_springs[i]; s >= 0) load += std::abs(values_.spring_force[std::size_t(s)]);
        values_.load[i] = load;
        const double c = held_[i] ? 0 : contact_velocity(i, CoupledEquations::When::end);
        values_.c[i] = counted(i, c);
        values_.force[i] = held_[i] ? state_.force[i] : contacts_[i]->force_at(c, load, rise_[i]);
    }
    solver_.equations().drives_at(t, y_, values_.drives);
}

}  // namespace bristle::simulation
