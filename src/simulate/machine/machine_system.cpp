// Equations of a machine: rates, their derivatives, and the powers of its ledger.
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
        size_ += contact.count;
        contacts_.push_back(std::move(contact));
    }
    size_ += drives_.size();
    springs_.resize(machine_.springs.size());
    for (const int s : assembly_.load_springs)
        if (s >= 0) springs_[std::size_t(s)].is_load = true;
    motions_.resize(machine_.motions.size());
    forces_.resize(machine_.forces.size());
    jumped_.assign(contacts_.size(), false);
    weight_.assign(K, 0);
    for (std::size_t i = 0; i < machine_.bodies.size(); ++i)
        weight_[std::size_t(assembly_.bodies[i].coordinate)] += assembly_.bodies[i].ratio * machine_.bodies[i].force;
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
    for (auto* v : {&k.stretch, &k.stretch_rate, &k.spring_force}) v->resize(springs_.size());
    for (auto* v : {&k.c, &k.load, &k.force}) v->resize(contacts_.size());
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
    const auto speed = [&](std::size_t i) {
        const auto& [first, second] = assembly_.contacts[i];
        const std::vector<double> none(size_, 0.0);
        return (first.motion >= 0 ? velocity_of(first, t, none) : 0) -
               (second.motion >= 0 ? velocity_of(second, t, none) : 0);
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
    drives_.evaluate(t, k.y, k.drives);
    for (std::size_t i = 0; i < springs_.size(); ++i) {
        const Spring& spring = machine_.springs[i];
        const auto& [first, second] = assembly_.springs[i];
        const int side = springs_[i].side;
        k.stretch[i] = position_of(first, t, k.y) - position_of(second, t, k.y) - spring.rest;
        k.stretch_rate[i] = velocity_of(first, t, k.y) - velocity_of(second, t, k.y);
        k.spring_force[i] = spring.gap > 0 && side == 0
                                ? S(0)
                                : S(spring.stiffness * (k.stretch[i] - (0.5 * spring.gap) * double(side)) +
                                    spring.damping * k.stretch_rate[i]);
    }
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        const auto& [first, second] = assembly_.contacts[i];
        k.c[i] = velocity_of(first, t, k.y) - velocity_of(second, t, k.y);
        k.load[i] = contacts_[i].load.value(t);
        if (const int s = assembly_.load_springs[i]; s >= 0)
            k.load[i] += springs_[std::size_t(s)].load_sign * k.spring_force[std::size_t(s)];
    }
}

// Forces and accelerations in the present mode, from t and k.y.
template <class S>
void MachineSystem::evaluate(const S& t, MachineValues<S>& k) const {
    const std::size_t K = assembly_.coordinates();
    evaluate_springs(t, k);
    for (std::size_t c = 0; c < K; ++c) k.total[c] = S(weight_[c]);
    for (std::size_t i = 0; i < forces_.size(); ++i) {
        const Node& node = assembly_.forces[i];
        k.total[std::size_t(node.coordinate)] += node.ratio * forces_[i].value(t);
    }
    for (std::size_t i = 0; i < machine_.motors.size(); ++i) {
        const Node& node = drives_.node(i);
        k.total[std::size_t(node.coordinate)] += node.ratio * k.drives.force[i];
    }
    for (std::size_t i = 0; i < springs_.size(); ++i) {
        const auto& [first, second] = assembly_.springs[i];
        if (first.coordinate >= 0) k.total[std::size_t(first.coordinate)] -= first.ratio * k.spring_force[i];
        if (second.coordinate >= 0) k.total[std::size_t(second.coordinate)] += second.ratio * k.spring_force[i];
    }
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        const Contact& contact = contacts_[i];
        if (contact.role == Role::held) continue;
        if (contact.role == Role::law) {
            contact.law->answer(k.y.data() + contact.first, k.c[i], k.load[i], k.answer[i]);
        } else {
            const auto level = contact.law->level(contact.pin);
            k.answer[i].force =
                contact.role == Role::pinned ? S(contact.pin * (level.at_no_load + level.slope * k.load[i])) : S(0);
            contact.law->answer_held(k.y.data() + contact.first, k.c[i], k.load[i], k.answer[i]);
        }
        k.force[i] = k.answer[i].force;
        for (std::size_t c = 0; c < K; ++c) k.total[c] -= assembly_.jacobian(i, c) * k.force[i];
    }
    if (!held_.empty()) evaluate_held(t, k);
    for (std::size_t c = 0; c < K; ++c) k.a[c] = k.total[c] * (1 / assembly_.mass[c]);
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
    for (const std::size_t i : held_)
        for (std::size_t c = 0; c < K; ++c) k.total[c] -= assembly_.jacobian(i, c) * k.force[i];
}

// ---- rates and ledger --------------------------------------------------------------------------------------------------

template <class S>
S MachineSystem::load_rate(std::size_t contact, const S& t, const MachineValues<S>& k) const {
    S rate = contacts_[contact].load.rate(t);
    const int s = assembly_.load_springs[contact];
    if (s < 0) return rate;
    const auto index = std::size_t(s);
    const Spring& spring = machine_.springs[index];
    if (spring.gap > 0 && springs_[index].side == 0) return rate;
    const auto& [first, second] = assembly_.springs[index];
    S bend = motion_acceleration(first, t) - motion_acceleration(second, t);
    if (first.coordinate >= 0) bend += first.ratio * k.a[std::size_t(first.coordinate)];
    if (second.coordinate >= 0) bend -= second.ratio * k.a[std::size_t(second.coordinate)];
    return rate + springs_[index].load_sign * (spring.stiffness * k.stretch_rate[index] + spring.damping * bend);
}

template <class S>
void MachineSystem::power(const S& t, MachineValues<S>& k) const {
    S supplied = S(0), dissipated = S(0);
    std::size_t slot = slots_.bodies;
    for (std::size_t i = 0; i < machine_.bodies.size(); ++i) {
        const Body& body = machine_.bodies[i];
        const Node& node = assembly_.bodies[i];
        const S v = velocity_of(node, t, k.y);
        k.w[slot++] = (body.mass * node.ratio * k.a[std::size_t(node.coordinate)] - body.force) * v;
        supplied += k.w[slot++] = body.force * v;
    }
    const std::size_t motions = slots_.motions;
    for (std::size_t i = 0; i < motions_.size(); ++i) k.w[motions + i] = S(0);
    const auto drive = [&](const Ends& ends, const S& force) {  // power that the motions supply
        if (ends.first.motion >= 0)
            k.w[motions + std::size_t(ends.first.motion)] += force * velocity_of(ends.first, t, k.y);
        if (ends.second.motion >= 0)
            k.w[motions + std::size_t(ends.second.motion)] -= force * velocity_of(ends.second, t, k.y);
    };
    for (std::size_t i = 0; i < springs_.size(); ++i) {
        const Spring& spring = machine_.springs[i];
        const bool open = spring.gap > 0 && springs_[i].side == 0;
        k.w[slot++] = k.spring_force[i] * k.stretch_rate[i];
        dissipated += k.w[slot++] = open ? S(0) : S(spring.damping * k.stretch_rate[i] * k.stretch_rate[i]);
        drive(assembly_.springs[i], k.spring_force[i]);
    }
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        const S received = k.force[i] * k.c[i];
        k.w[slot++] = received;
        dissipated += k.w[slot++] = received - k.answer[i].stored_power;
        supplied += k.w[slot++] = k.answer[i].stored_by_load * load_rate(i, t, k);
        drive(assembly_.contacts[i], k.force[i]);
    }
    for (std::size_t i = 0; i < motions_.size(); ++i) supplied += k.w[motions + i];
    for (std::size_t i = 0; i < forces_.size(); ++i)
        supplied += k.w[slots_.forces + i] = forces_[i].value(t) * velocity_of(assembly_.forces[i], t, k.y);
    for (std::size_t i = 0; i < machine_.motors.size(); ++i)
        supplied += k.w[slots_.motors + i] = k.drives.force[i] * velocity_of(drives_.node(i), t, k.y);
    k.w[0] = supplied;
    k.w[1] = dissipated;
    const std::size_t K = assembly_.coordinates();
    for (std::size_t c = 0; c < K; ++c) {
        k.f[c] = k.y[K + c];
        k.f[K + c] = k.a[c];
    }
    for (std::size_t i = 0; i < motions_.size(); ++i)
        if (motion_states_[i] >= 0) k.f[std::size_t(motion_states_[i])] = motions_[i].value(t);
    for (std::size_t i = 0; i < contacts_.size(); ++i)
        for (std::size_t j = 0; j < contacts_[i].count; ++j) k.f[contacts_[i].first + j] = k.answer[i].rate[j];
    drives_.rates(t, k.y, k.drives, k.f);
}

void MachineSystem::rates(double t, const std::vector<double>& y, std::vector<double>& f,
                          std::vector<double>& w) const {
    std::copy(y.begin(), y.begin() + long(size_), work_.y.begin());
    evaluate(t, work_);
    power(t, work_);
    f = work_.f;
    w = work_.w;
}

void MachineSystem::linearise(double t, const State& y, MachineLinearisation& out) const {
    const std::size_t N = size_, Q = slots_.count;
    out.f.resize(N);
    out.ft.resize(N);
    out.w.resize(Q);
    out.wt.resize(Q);
    out.J.n = N;
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
        for (std::size_t d = 0; d < count; ++d) {
            const std::size_t column = first + d;
            for (std::size_t i = 0; i < N; ++i) (column == N ? out.ft[i] : out.J.a[i * N + column]) = dual_.f[i].d[d];
            for (std::size_t i = 0; i < Q; ++i) (column == N ? out.wt[i] : out.W[i * N + column]) = dual_.w[i].d[d];
        }
    }
    for (std::size_t i = 0; i < N; ++i) out.f[i] = dual_.f[i].v;
    for (std::size_t i = 0; i < Q; ++i) out.w[i] = dual_.w[i].v;
}

const MachineSystem::Values& MachineSystem::values(double t, const State& y) const {
    std::copy(y.begin(), y.begin() + long(size_), values_.y.begin());
    evaluate(t, values_);
    return values_;
}

// ---- energy ------------------------------------------------------------------------------------------------------------

double MachineSystem::position(const Node& node, double t, const State& y) const { return position_of(node, t, y); }
double MachineSystem::velocity(const Node& node, double t, const State& y) const { return velocity_of(node, t, y); }

double MachineSystem::stored_in_spring(std::size_t i, double t, const State& y) const {
    const Spring& spring = machine_.springs[i];
    const auto& [first, second] = assembly_.springs[i];
    if (spring.gap > 0 && springs_[i].side == 0) return 0;
    const double s = position_of(first, t, y) - position_of(second, t, y) - spring.rest -
                     0.5 * spring.gap * double(springs_[i].side);
    return 0.5 * spring.stiffness * s * s;
}

double MachineSystem::stored_in_contact(std::size_t i, double t, const State& y) const {
    if (contacts_[i].count == 0) return 0;
    double load = contacts_[i].load.value(t);
    if (const int s = assembly_.load_springs[i]; s >= 0) {
        const auto index = std::size_t(s);
        const Spring& spring = machine_.springs[index];
        const auto& [first, second] = assembly_.springs[index];
        const int side = springs_[index].side;
        if (!(spring.gap > 0 && side == 0))
            load +=
                springs_[index].load_sign * (spring.stiffness * (position_of(first, t, y) - position_of(second, t, y) -
                                                                 spring.rest - 0.5 * spring.gap * double(side)) +
                                             spring.damping * (velocity_of(first, t, y) - velocity_of(second, t, y)));
    }
    return contacts_[i].law->stored(y.data() + contacts_[i].first, load);
}

double MachineSystem::stored(double t, const State& y) const {
    const std::size_t K = assembly_.coordinates();
    double sum = 0;
    for (std::size_t c = 0; c < K; ++c) sum += 0.5 * assembly_.mass[c] * y[K + c] * y[K + c];
    for (std::size_t i = 0; i < springs_.size(); ++i) sum += stored_in_spring(i, t, y);
    for (std::size_t i = 0; i < contacts_.size(); ++i) sum += stored_in_contact(i, t, y);
    return sum;
}

template void MachineSystem::evaluate(const double&, MachineValues<double>&) const;
template void MachineSystem::evaluate_springs(const double&, MachineValues<double>&) const;
template double MachineSystem::base_acceleration(std::size_t, const double&) const;

}  // namespace bristle::simulation
