// Equations of a machine: rates, their derivatives, and the powers of its ledger.
#include "simulate/machine/machine_system.hpp"

namespace bristle::inline simulation {

// ---- motion ------------------------------------------------------------------------------------------------------------

template <class S>
S MachineSystem::position_of(const Node& node, const S& t, const std::vector<S>& y) const {
    if (node.coordinate >= 0) return node.offset + node.ratio * y[std::size_t(node.coordinate)];
    if (node.motion < 0) return S(0);
    const int state = motion_states_[std::size_t(node.motion)];
    return state >= 0 ? y[std::size_t(state)] : motions_[std::size_t(node.motion)].value(t);
}

template <class S>
S MachineSystem::velocity_of(const Node& node, const S& t, const std::vector<S>& y) const {
    if (node.coordinate >= 0) return node.ratio * y[assembly_.coordinates() + std::size_t(node.coordinate)];
    if (node.motion < 0) return S(0);
    const Piece& piece = motions_[std::size_t(node.motion)];
    return motion_states_[std::size_t(node.motion)] >= 0 ? piece.value(t) : piece.rate(t);
}

// Acceleration of a motion; 0 for bodies and the ground.
template <class S>
S MachineSystem::motion_acceleration(const Node& node, const S& t) const {
    if (node.motion < 0) return S(0);
    const Piece& p = motions_[std::size_t(node.motion)];
    return motion_states_[std::size_t(node.motion)] >= 0 ? p.rate(t) : p.second_rate(t);
}
template <class S>
S MachineSystem::base_acceleration(std::size_t contact, const S& t) const {
    const auto& [first, second] = assembly_.contacts[contact];
    return motion_acceleration(first, t) - motion_acceleration(second, t);
}

template <class S>
void MachineSystem::evaluate_springs(const S& t, MachineValues<S>& k) const {
    for (const Node& node : assembly_.nodes) {
        if (node.is_ground()) continue;  // stays 0
        k.x[node.index] = position_of(node, t, k.y);
        k.v[node.index] = velocity_of(node, t, k.y);
    }
    if (drives_.any()) drives_.evaluate(t, k.y, k.drives);
    std::size_t i = 0;
    for (const SpringPart& spring : springs_) {
        const S stretch = k.x[spring.first] - k.x[spring.second] - spring.rest;
        const S rate = k.v[spring.first] - k.v[spring.second];
        k.stretch[i] = stretch;
        k.stretch_rate[i] = rate;
        k.spring_force[i] =
            spring.is_open()
                ? S(0)
                : S(spring.stiffness * (stretch - (0.5 * spring.gap) * double(spring.side)) + spring.damping * rate);
        ++i;
    }
    i = 0;
    for (const Contact& contact : contacts_) {
        k.c[i] = k.v[contact.first_node] - k.v[contact.second_node];
        k.load[i] = contact.load.value(t);
        if (const int s = contact.load_spring; s >= 0)
            k.load[i] += springs_[std::size_t(s)].load_sign * k.spring_force[std::size_t(s)];
        ++i;
    }
}

// Forces and accelerations in the present mode, from t and k.y.
template <class S>
void MachineSystem::evaluate(const S& t, MachineValues<S>& k) const {
    evaluate_springs(t, k);
    for (std::size_t i = 0; i < k.given.size(); ++i) k.given[i] = forces_[i].value(t);
    std::size_t i = 0;
    for (const Contact& contact : contacts_) {
        if (contact.role == Role::law) {
            contact.law->answer(k.y.data() + contact.first, k.c[i], k.load[i], k.answer[i]);
        } else {
            const auto level = contact.law->level(contact.pin);
            k.answer[i].force =
                contact.role == Role::pinned ? S(contact.pin * (level.at_no_load + level.slope * k.load[i])) : S(0);
            if (contact.role != Role::held)
                contact.law->answer_held(k.y.data() + contact.first, k.c[i], k.load[i], k.answer[i]);
        }
        k.force[i] = k.answer[i].force;
        ++i;
    }
    sum_forces(k);
    if (!held_.empty()) {
        evaluate_held(t, k);
        sum_forces(k);
    }
    for (std::size_t c = 0; c < k.total.size(); ++c) k.a[c] = k.total[c] * mobility_[c];
}

template <class S>
const S& MachineSystem::force_of(const Pull& pull, const MachineValues<S>& k) {
    switch (pull.of) {
        case Pull::Of::spring:
            return k.spring_force[pull.part];
        case Pull::Of::contact:
            return k.force[pull.part];
        case Pull::Of::force:
            return k.given[pull.part];
        default:
            return k.drives.force[pull.part];
    }
}

// Forces of all parts on bodies and motions, and on the coordinates.
template <class S>
void MachineSystem::sum_forces(MachineValues<S>& k) const {
    for (S& total : k.total) total = S(0);
    const Pull* pull = pulls_.data();
    for (const Node& node : assembly_.nodes) {
        S sum = S(node.coordinate >= 0 ? machine_.bodies[node.index].force : 0);
        for (const Pull* end = pulls_.data() + pulls_end_[node.index]; pull != end; ++pull)
            sum += pull->sign * force_of(*pull, k);
        k.applied[node.index] = sum;
        if (node.coordinate >= 0) k.total[std::size_t(node.coordinate)] += node.ratio * sum;
    }
}

template <class S>
void MachineSystem::evaluate_held(const S& t, MachineValues<S>& k) const {
    const std::size_t K = assembly_.coordinates(), n = contacts_.size(), m = held_.size();
    std::array<S, max_contacts> missing;
    for (std::size_t h = 0; h < m; ++h) {
        const std::size_t i = held_[h];
        missing[h] = base_acceleration(i, t);
        for (std::size_t c = 0; c < K; ++c) missing[h] += (assembly_.jacobian(i, c) / assembly_.mass[c]) * k.total[c];
        for (std::size_t j = 0; j < m; ++j)
            missing[h] = missing[h] - assembly_.A[i * n + held_[j]] * contacts_[held_[j]].split;
    }
    for (std::size_t h = 0; h < m; ++h) {
        const std::size_t i = held_[h];
        const Contact& contact = contacts_[i];
        k.force[i] = S(contact.split);
        for (std::size_t j = 0; j < m; ++j) k.force[i] += P_[h * m + j] * missing[j];
        k.answer[i].force = k.force[i];
        contact.law->answer_held(k.y.data() + contact.first, k.c[i], k.load[i], k.answer[i]);
    }
}

// ---- rates and ledger --------------------------------------------------------------------------------------------------

template <class S>
S MachineSystem::load_rate(std::size_t contact, const S& t, const MachineValues<S>& k) const {
    S rate = contacts_[contact].load.rate(t);
    const int s = contacts_[contact].load_spring;
    if (s < 0) return rate;
    const auto index = std::size_t(s);
    const SpringPart& spring = springs_[index];
    if (spring.is_open()) return rate;
    const auto& [first, second] = assembly_.springs[index];
    S bend = motion_acceleration(first, t) - motion_acceleration(second, t);
    if (first.coordinate >= 0) bend += first.ratio * k.a[std::size_t(first.coordinate)];
    if (second.coordinate >= 0) bend -= second.ratio * k.a[std::size_t(second.coordinate)];
    return rate + spring.load_sign * (spring.stiffness * k.stretch_rate[index] + spring.damping * bend);
}

// False if the load of a contact is constant, so that it does no work on deflected bristles.
bool MachineSystem::load_changes(std::size_t contact) const {
    return contacts_[contact].load_spring >= 0 || contacts_[contact].load.changes();
}

template <class S>
void MachineSystem::power(const S& t, MachineValues<S>& k) const {
    S supplied = S(0), dissipated = S(0);
    std::size_t slot = slots_.bodies;
    for (std::size_t i = 0; i < machine_.bodies.size(); ++i) {
        const Body& body = machine_.bodies[i];
        const Node& node = assembly_.bodies[i];
        const S& v = k.v[node.index];
        k.w[slot++] = (body.mass * node.ratio * k.a[std::size_t(node.coordinate)] - body.force) * v;
        if (body.force != 0) supplied += k.w[slot] = body.force * v;
        ++slot;
    }
    std::size_t i = 0;
    for (const SpringPart& spring : springs_) {
        k.w[slot++] = k.spring_force[i] * k.stretch_rate[i];
        if (spring.damping != 0)
            dissipated += k.w[slot] =
                spring.is_open() ? S(0) : S(spring.damping * k.stretch_rate[i] * k.stretch_rate[i]);
        ++slot;
        ++i;
    }
    for (i = 0; i < k.c.size(); ++i) {
        const S received = k.force[i] * k.c[i];
        k.w[slot++] = received;
        dissipated += k.w[slot++] = received - k.answer[i].stored_power;
        if (load_changes(i))
            supplied += k.w[slot] = k.answer[i].stored_by_load * load_rate(i, t, k);
        else
            k.w[slot] = S(0);
        ++slot;
    }
    for (i = 0; i < motions_.size(); ++i) {  // against the forces of the parts
        const std::size_t node = machine_.bodies.size() + i;
        supplied += k.w[slots_.motions + i] = -(k.applied[node] * k.v[node]);
    }
    for (i = 0; i < forces_.size(); ++i)
        supplied += k.w[slots_.forces + i] = k.given[i] * k.v[assembly_.forces[i].index];
    for (i = 0; i < k.drives.force.size(); ++i)
        supplied += k.w[slots_.motors + i] = k.drives.force[i] * k.v[drives_.node(i).index];
    k.w[0] = supplied;
    k.w[1] = dissipated;
    const std::size_t K = k.total.size();
    for (std::size_t c = 0; c < K; ++c) {
        k.f[c] = k.y[K + c];
        k.f[K + c] = k.a[c];
    }
    for (i = 0; i < motions_.size(); ++i)
        if (motion_states_[i] >= 0) k.f[std::size_t(motion_states_[i])] = k.v[machine_.bodies.size() + i];
    i = 0;
    for (const Contact& contact : contacts_) {
        for (std::size_t j = 0; j < contact.count; ++j) k.f[contact.first + j] = k.answer[i].rate[j];
        ++i;
    }
    if (drives_.any()) drives_.rates(t, k.y, k.drives, k.f);
}

void MachineSystem::take_state(const State& y, Values& k) const {
    for (std::size_t i = 0; i < size_; ++i) k.y[i] = y[i];  // a few numbers: std::copy would be a call
}

const MachineSystem::Values& MachineSystem::rates(double t, const std::vector<double>& y) const {
    take_state(y, work_);
    evaluate(t, work_);
    power(t, work_);
    return work_;
}

void MachineSystem::linearise(double t, const State& y, MachineLinearisation& out) const {
    const std::size_t N = size_, Q = slots_.count;
    out.f.resize(N);
    out.ft.resize(N);
    out.w.resize(Q);
    out.wt.resize(Q);
    out.J.n = N;
    out.J.passed = std::numeric_limits<double>::infinity();
    out.J.a.resize(N * N);
    out.W.resize(Q * N);
    for (std::size_t first = 0; first <= N; first += chunk) {  // variable N is the time
        const std::size_t count = std::min(chunk, N + 1 - first);
        for (std::size_t i = 0; i < N; ++i)
            dual_.y[i] = i >= first && i < first + count ? ChunkDual::variable(y[i], i - first) : ChunkDual(y[i]);
        const bool with_time = first + count == N + 1;
        const ChunkDual time = with_time ? ChunkDual::variable(t, N - first) : ChunkDual(t);
        evaluate(time, dual_);
        power(time, dual_);
        const std::size_t columns = with_time ? count - 1 : count;
        for (std::size_t i = 0; i < N; ++i) std::copy_n(dual_.f[i].d, columns, &out.J.a[i * N + first]);
        for (std::size_t i = 0; i < Q; ++i) std::copy_n(dual_.w[i].d, columns, &out.W[i * N + first]);
        if (!with_time) continue;
        for (std::size_t i = 0; i < N; ++i) out.ft[i] = dual_.f[i].d[columns];
        for (std::size_t i = 0; i < Q; ++i) out.wt[i] = dual_.w[i].d[columns];
    }
    for (std::size_t i = 0; i < N; ++i) out.f[i] = dual_.f[i].v;
    for (std::size_t i = 0; i < Q; ++i) out.w[i] = dual_.w[i].v;
}

const MachineSystem::Values& MachineSystem::values(double t, const State& y) const {
    take_state(y, values_);
    evaluate(t, values_);
    return values_;
}

const MachineSystem::Values& MachineSystem::values_without_forces(double t, const State& y) const {
    take_state(y, values_);
    evaluate_springs(t, values_);
    return values_;
}

// ---- energy ------------------------------------------------------------------------------------------------------------

double MachineSystem::position(const Node& node, double t, const State& y) const { return position_of(node, t, y); }
double MachineSystem::velocity(const Node& node, double t, const State& y) const { return velocity_of(node, t, y); }

double MachineSystem::stored_in_spring(std::size_t i, const Values& k) const {
    const SpringPart& spring = springs_[i];
    if (spring.is_open()) return 0;
    const double s = k.stretch[i] - 0.5 * spring.gap * double(spring.side);
    return 0.5 * spring.stiffness * s * s;
}
double MachineSystem::stored_in_contact(std::size_t i, const Values& k) const {
    return contacts_[i].count == 0 ? 0 : contacts_[i].law->stored(k.y.data() + contacts_[i].first, k.load[i]);
}
double MachineSystem::stored(const Values& k) const {
    const std::size_t K = k.total.size();
    double sum = 0;
    for (std::size_t c = 0; c < K; ++c) sum += 0.5 * assembly_.mass[c] * k.y[K + c] * k.y[K + c];
    for (std::size_t i = 0; i < k.stretch.size(); ++i) sum += stored_in_spring(i, k);
    for (std::size_t i = 0; i < k.c.size(); ++i) sum += stored_in_contact(i, k);
    return sum;
}

double MachineSystem::stored(double t, const State& y) const { return stored(values_without_forces(t, y)); }
double MachineSystem::stored_in_spring(std::size_t i, double t, const State& y) const {
    return stored_in_spring(i, values_without_forces(t, y));
}
double MachineSystem::stored_in_contact(std::size_t i, double t, const State& y) const {
    return stored_in_contact(i, values_without_forces(t, y));
}

template void MachineSystem::evaluate(const double&, MachineValues<double>&) const;
template void MachineSystem::evaluate_springs(const double&, MachineValues<double>&) const;
template double MachineSystem::base_acceleration(std::size_t, const double&) const;

}  // namespace bristle::simulation
