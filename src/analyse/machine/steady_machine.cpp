// Balance of the forces of a machine in steady motion.
#include "analyse/machine/steady_machine.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "base/text.hpp"
#include "simulate/machine/holding.hpp"

namespace bristle::inline analysis {

using equilibrium::EquilibriumSystem;
using numerics::Elimination;
using Steady = MachineSystem::Steady;

namespace {

constexpr double same = 1e-12;  // relative difference of two velocities that count as equal

// True if the force of the controller depends on a position: then the body at its sensor rests.
bool holds_position(const Controller& controller) {
    if (const Pid* pid = std::get_if<Pid>(&controller.law)) return pid->Kp > 0 || pid->Ki > 0;
    const Cascade& cascade = std::get<Cascade>(controller.law);
    return (cascade.Kx > 0 && cascade.Kv > 0) || cascade.Ki > 0;
}

// The entries of x but those at some places.
std::vector<double> without(const std::vector<double>& x, const std::vector<std::size_t>& places) {
    std::vector<double> out;
    for (std::size_t i = 0; i < x.size(); ++i)
        if (std::find(places.begin(), places.end(), i) == places.end()) out.push_back(x[i]);
    return out;
}

Machine without_limits(Machine machine) {
    constexpr double none = std::numeric_limits<double>::infinity();
    for (Motor& motor : machine.motors) motor.limit = none;
    for (Controller& controller : machine.controllers) {
        controller.limit = none;
        if (Cascade* cascade = std::get_if<Cascade>(&controller.law)) cascade->speed_limit = none;
    }
    return machine;
}

}  // namespace

void check_machine(const Machine& machine) {
    require_valid(machine);
    if (machine.bodies.empty())
        throw EquilibriumError(NoEquilibrium::prescribed_motion,
                               "the machine has no body that moves freely, so it has no equilibrium; add a body");
}

SteadyMachine::SteadyMachine(const Machine& machine) : system_(machine) {
    if (system_.drives().limits() > 0) unlimited_ = std::make_unique<SteadyMachine>(without_limits(machine));
    const std::size_t K = coordinates();
    for (const ContactPart& contact : machine.contacts)
        setups_.push_back(bristle::Setup{.law = contact.law, .rig = ForcedMass{1}});
    MachineSystem::State y = system_.start();
    system_.set_pieces(0, y);
    for (std::size_t k = 0; k < K; ++k) y[K + k] = 0;
    // each row: a difference of velocities that must be 0, with what the motions give to it
    std::vector<double> rows, given;
    double fastest = 0;
    for (std::size_t i = 0; i < machine.springs.size(); ++i) {
        if (!(machine.springs[i].stiffness > 0)) continue;
        const auto& [first, second] = system_.assembly().springs[i];
        const std::vector<double> row = elongation(i);
        rows.insert(rows.end(), row.begin(), row.end());
        given.push_back(system_.velocity(second, 0, y) - system_.velocity(first, 0, y));
        fastest = std::max(fastest, std::abs(given.back()));
    }
    for (std::size_t i = 0; i < machine.controllers.size(); ++i) {
        if (!holds_position(machine.controllers[i])) continue;
        std::vector<double> row(K, 0);
        row[std::size_t(system_.drives().sensor(i).coordinate)] = 1;
        rows.insert(rows.end(), row.begin(), row.end());
        given.push_back(0);
    }
    const Elimination constraints(rows, given.size(), K);
    std::vector<double> v = constraints.solve(given);
    for (std::size_t i = 0; i < given.size(); ++i)
        if (std::abs(numerics::dot(std::span(rows).subspan(i * K, K), v) - given[i]) > same * fastest) return;
    base_ = std::move(v);
    free_ = constraints.null();
    free_row_.assign(constraints.others().begin(), constraints.others().end());
}

bool SteadyMachine::sticks(std::size_t i) const {
    return law_at(i, 1, [](const EquilibriumSystem& law) { return law.sticks(); });
}
double SteadyMachine::settled_speed(std::size_t i) const {
    return law_at(i, 1, [](const EquilibriumSystem& law) { return law.settled_speed(); });
}
double SteadyMachine::falling_speed(std::size_t i) const {
    return law_at(i, 1, [](const EquilibriumSystem& law) { return law.falling_speed(); });
}
double SteadyMachine::viscous_slope(std::size_t i, double load) const {
    return law_at(i, load,
                  [](const EquilibriumSystem& law) { return 0.5 * (law.final_slope(1) + law.final_slope(-1)); });
}
bool SteadyMachine::holds_exactly(std::size_t i) const { return system_.law(i).set_valued(); }

double SteadyMachine::slope(std::size_t contact, const std::vector<double>& direction) const {
    double sum = 0;
    for (std::size_t k = 0; k < coordinates(); ++k) sum += system_.assembly().jacobian(contact, k) * direction[k];
    return sum;
}

std::vector<double> SteadyMachine::contact_velocities(const std::vector<double>& v) const {
    MachineSystem::State y = system_.start();
    std::copy(v.begin(), v.end(), y.begin() + long(coordinates()));
    std::vector<double> out;
    for (const Ends& ends : system_.assembly().contacts)
        out.push_back(system_.velocity(ends.first, 0, y) - system_.velocity(ends.second, 0, y));
    return out;
}

std::vector<int> SteadyMachine::sides(const std::vector<double>& v) const {
    MachineSystem::State y = system_.start();
    std::copy(v.begin(), v.end(), y.begin() + long(coordinates()));
    std::vector<int> out;
    for (std::size_t i = 0; i < contacts(); ++i) {
        const auto& [first, second] = system_.assembly().contacts[i];
        const double a = system_.velocity(first, 0, y), b = system_.velocity(second, 0, y);
        const bool rests = std::abs(a - b) <= same * (std::abs(a) + std::abs(b));
        out.push_back(rests ? (sticks(i) ? 0 : 1) : a < b ? -1 : 1);
    }
    return out;
}

// ---- balance -----------------------------------------------------------------------------------------------------------

std::vector<Steady> SteadyMachine::modes(const SteadyState& s, const std::vector<int>* direction) const {
    std::vector<Steady> out(contacts());
    for (std::size_t i = 0; i < contacts(); ++i) {
        if (s.side[i] != 0)
            out[i] = {Steady::Mode::sliding, double(s.side[i]), 0};
        else if (direction)
            out[i] = holds_exactly(i) ? Steady{Steady::Mode::holding, 1, s.force[i]}
                                      : Steady{Steady::Mode::resting, double((*direction)[i]), 0};
    }
    return out;
}

// Sets the forces of contacts at rest: those that balance the rows without a pivot.
void SteadyMachine::choose_forces(SteadyState& s, Balance& b) const {
    const std::size_t K = coordinates(), L = b.left.size();
    std::vector<std::size_t> resting;
    for (std::size_t i = 0; i < contacts(); ++i) {
        if (s.side[i] == 0) s.force[i] = 0;
        if (s.side[i] == 0 && system_.is_free(i)) resting.push_back(i);
    }
    if (resting.empty() || L == 0) return;
    // C F = h, weighted by the masses that the rows move. A load that follows a holding force does not count.
    const auto moved = [&](std::size_t l) -> const std::vector<double>& {
        return l + free_.size() < L ? b.left[l] : free_[l + free_.size() - L];
    };
    std::vector<double> C(L * resting.size(), 0), h(L, 0), S(L * L, 0);
    for (std::size_t l = 0; l < L; ++l) {
        h[l] = numerics::dot(b.left[l], b.rates);
        for (std::size_t r = 0; r < resting.size(); ++r)
            for (std::size_t k = 0; k < K; ++k)
                C[l * resting.size() + r] += moved(l)[k] * system_.assembly().jacobian(resting[r], k);
        for (std::size_t m = 0; m < L; ++m)
            for (std::size_t k = 0; k < K; ++k) S[l * L + m] += moved(l)[k] * moved(m)[k] * system_.assembly().mass[k];
    }
    const std::vector<double> weight = numerics::pseudo_inverse(S, L, 1e-13);
    const auto product = [&](std::size_t r, const auto& other) {  // column r of C' S^-1 times another vector
        double sum = 0;
        for (std::size_t l = 0; l < L; ++l)
            for (std::size_t m = 0; m < L; ++m) sum += C[l * resting.size() + r] * weight[l * L + m] * other(m);
        return sum;
    };
    std::vector<std::size_t> used;
    for (std::size_t r = 0; r < resting.size(); ++r) {
        const double own = product(r, [&](std::size_t m) { return C[m * resting.size() + r]; });
        const std::size_t n = contacts();
        if (own > 1e-12 * system_.assembly().A[resting[r] * n + resting[r]]) used.push_back(r);
    }
    HoldingProblem problem{.n = used.size(), .A = {}, .r = {}, .low = {}, .high = {}};
    for (const std::size_t r : used) {
        for (const std::size_t q : used)
            problem.A.push_back(product(r, [&](std::size_t m) { return C[m * resting.size() + q]; }));
        problem.r.push_back(product(r, [&](std::size_t m) { return h[m]; }));
        problem.low.push_back(s.low[resting[r]]);
        problem.high.push_back(s.high[resting[r]]);
    }
    if (used.empty()) return;
    const Holding found = hold_contacts(problem, std::vector<double>(used.size(), 0.0));
    for (std::size_t u = 0; u < used.size(); ++u) s.force[resting[used[u]]] = found.F[u];
}

SteadyMachine::Balance SteadyMachine::step(SteadyState& s) {
    const Machine& m = system_.machine();
    Balance b;
    system_.settle_springs(0, s.y);
    system_.set_steady(modes(s, nullptr), 0, s.y);
    s.load = system_.values(0, s.y).load;
    put_bristles(s);
    const auto& k = system_.values(0, s.y);
    for (const Body& body : m.bodies) b.force_size += std::abs(body.force);
    for (std::size_t i = 0; i < m.forces.size(); ++i) b.force_size += std::abs(system_.applied(i, 0));
    for (const double force : k.drives.force) b.force_size += std::abs(force);
    for (const double force : k.spring_force) b.force_size += std::abs(force);
    for (std::size_t i = 0; i < contacts(); ++i) {
        if (s.side[i] != 0) s.force[i] = k.force[i];
        s.low[i] = s.side[i] != 0 ? 0 : law_at(i, s.load[i], [](const auto& law) { return -law.holds(-1); });
        s.high[i] = s.side[i] != 0 ? 0 : law_at(i, s.load[i], [](const auto& law) { return law.holds(1); });
        b.force_size += std::max({std::abs(s.force[i]), s.high[i], -s.low[i]});
    }
    sort_unknowns(s, b);
    solve(s, b);
    return b;
}

// Positions and integrals, whose equations can be singular together; then the states that their own equations determine.
void SteadyMachine::sort_unknowns(const SteadyState& s, Balance& b) const {
    std::vector<std::size_t> integrals;
    for (std::size_t i = 0; i < system_.machine().controllers.size(); ++i)
        if (const int state = system_.drives().integral(i); state >= 0) integrals.push_back(std::size_t(state));
    for (std::size_t j = 0; j < coordinates(); ++j) b.unknown.push_back(j);
    b.unknown.insert(b.unknown.end(), integrals.begin(), integrals.end());
    b.joint = b.unknown.size();
    for (std::size_t i = 0; i < contacts(); ++i)
        for (std::size_t j = 0; s.side[i] != 0 && j < system_.law(i).states(); ++j)
            b.unknown.push_back(system_.first_state(i) + j);
    for (std::size_t j = system_.size() - system_.drives().size(); j < system_.size(); ++j)
        if (std::find(integrals.begin(), integrals.end(), j) == integrals.end()) b.unknown.push_back(j);
}

// The equations of the joint unknowns but those along the free velocities, which nothing but the forces of contacts at rest can satisfy. Sets
// the null vectors: those of these equations, and of each free direction with what the others take from it.
Elimination SteadyMachine::without_free_rows(Balance& b) const {
    const std::size_t m = b.joint, rows = m - free_.size();
    std::vector<double> kept, transposed(m * rows);
    std::vector<std::size_t> place;
    for (std::size_t i = 0; i < m; ++i) {
        if (std::find(free_row_.begin(), free_row_.end(), i) != free_row_.end()) continue;
        kept.insert(kept.end(), b.G.begin() + long(i * m), b.G.begin() + long((i + 1) * m));
        place.push_back(i);
    }
    const Elimination solver(kept, rows, m);
    const auto all_rows = [&](const std::vector<double>& y) {
        std::vector<double> out(m, 0);
        for (std::size_t i = 0; i < rows; ++i) out[place[i]] = y[i];
        return out;
    };
    for (const auto& y : solver.left_null()) b.left.push_back(all_rows(y));
    b.right = solver.null();
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < m; ++j) transposed[j * rows + i] = kept[i * m + j];
    const Elimination combination(transposed, m, rows);
    for (const auto& direction : free_) {
        std::vector<double> along(m, 0);
        for (std::size_t j = 0; j < m; ++j)
            for (std::size_t k = 0; k < direction.size(); ++k) along[j] += direction[k] * b.G[k * m + j];
        auto y = all_rows(combination.solve(along));
        for (std::size_t i = 0; i < m; ++i) y[i] = (i < direction.size() ? direction[i] : 0) - y[i];
        b.left.push_back(std::move(y));
    }
    return solver;
}

// Eliminates the states that their own equations determine; then chooses the forces of contacts at rest and changes all unknowns.
void SteadyMachine::solve(SteadyState& s, Balance& b) const {
    const std::size_t K = coordinates(), n = b.unknown.size(), m = b.joint, own = n - m;
    MachineLinearisation linear;
    system_.linearise(0, s.y, linear);
    std::vector<double> rates(n), G(n * n);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t row = i < K ? K + i : b.unknown[i];
        const double factor = i < K ? system_.assembly().mass[i] : 1;
        rates[i] = factor * linear.f[row];
        for (std::size_t j = 0; j < n; ++j) G[i * n + j] = factor * linear.J.a[row * system_.size() + b.unknown[j]];
    }
    std::vector<double> block;
    for (std::size_t i = m; i < n; ++i) block.insert(block.end(), &G[i * n + m], &G[i * n + m] + own);
    const Elimination of_own(block, own, own);
    const auto eliminated = [&](auto&& entry) {  // of a column: its part in the equations of the joint unknowns
        std::vector<double> lower(own), out(m);
        for (std::size_t p = 0; p < own; ++p) lower[p] = entry(m + p);
        lower = of_own.solve(lower);
        for (std::size_t i = 0; i < m; ++i)
            out[i] = entry(i) - numerics::dot(lower, std::span(G).subspan(i * n + m, own));
        return out;
    };
    b.G.resize(m * m);
    for (std::size_t j = 0; j < m; ++j) {
        const auto column = eliminated([&](std::size_t i) { return G[i * n + j]; });
        for (std::size_t i = 0; i < m; ++i) b.G[i * m + j] = column[i];
    }
    b.rates = eliminated([&](std::size_t i) { return rates[i]; });
    const Elimination solver = without_free_rows(b);
    choose_forces(s, b);
    for (std::size_t j = 0; j < K; ++j)
        for (std::size_t i = 0; i < contacts(); ++i)
            if (s.side[i] == 0) b.rates[j] -= system_.assembly().jacobian(i, j) * s.force[i];
    std::vector<double> change = solver.solve(without(b.rates, free_row_)), lower(rates.begin() + long(m), rates.end());
    for (std::size_t p = 0; p < own; ++p) lower[p] -= numerics::dot(change, std::span(G).subspan((m + p) * n, m));
    lower = of_own.solve(lower);
    change.insert(change.end(), lower.begin(), lower.end());
    if (s.first_force_size == 0) s.first_force_size = b.force_size;
    s.force_size = b.force_size;
    b.force_size += 1e-6 * s.first_force_size;
    b.row_size.assign(m, 0);
    for (std::size_t j = 0; j < n; ++j) {
        double& y = s.y[b.unknown[j]];
        const double before = std::abs(y);
        y -= change[j];
        if (j >= m) continue;
        double stiffest = 0;
        for (std::size_t i = 0; i < K; ++i) stiffest = std::max(stiffest, std::abs(b.G[i * m + j]));
        const double size = std::max(before, std::abs(y)) + (stiffest > 0 ? b.force_size / stiffest : 0);
        for (std::size_t i = 0; i < m; ++i) b.row_size[i] += std::abs(b.G[i * m + j]) * size;
        if (change[j] == 0) continue;
        const double fraction = std::abs(change[j]) / size;
        if (!(fraction <= b.worst)) b.worst = fraction;  // also NaN, which ends Newton's method
        if (std::isnan(b.worst)) return;
    }
    for (std::size_t j = 0; j < K; ++j) b.row_size[j] = b.force_size;
}

// Newton's method to the end, with the gaps as they are and become.
SteadyMachine::Balance SteadyMachine::newton(SteadyState& s) {
    constexpr int most = 60;
    const std::size_t K = coordinates();
    Balance b;
    double before = HUGE_VAL;
    s.converged = s.balanced = false;
    for (int i = 0; i < most && !s.converged; ++i) {
        b = step(s);
        if (!std::isfinite(b.worst)) return b;
        // rounding does not get smaller
        s.converged = b.worst <= 1e-11 || (i > 5 && b.worst < 1e-7 && b.worst >= 0.5 * before);
        before = b.worst;
    }
    // loads that friction raises can lock a machine: then no force balances
    s.converged = s.converged && s.force_size <= 1e6 * (s.first_force_size + 1);
    s.balanced = s.converged;
    for (const auto& row : b.left) {
        double size = 0;
        for (std::size_t j = 0; j < row.size(); ++j) size += std::abs(row[j]) * b.row_size[j];
        s.balanced = s.balanced && std::abs(numerics::dot(row, b.rates)) <= 1e-10 * size;
    }
    s.net.assign(b.rates.begin(), b.rates.begin() + long(K));
    return b;
}

// Bristles: the deflections of steady sliding, and those that give the forces of contacts at rest.
void SteadyMachine::put_bristles(SteadyState& s) const {
    for (std::size_t i = 0; i < contacts(); ++i) {
        const auto z = law_at(i, s.load[i], [&](const auto& law) {
            return s.side[i] != 0 ? law.steady(s.c[i], s.side[i]).contact : law.rest(s.force[i], 1).contact;
        });
        std::copy(z.begin(), z.end(), s.y.begin() + long(system_.first_state(i)));
    }
}

std::vector<double> SteadyMachine::loads_at_start() {
    const MachineSystem::State y = system_.start();
    system_.settle_springs(0, y);
    return system_.values(0, y).load;
}

std::vector<double> SteadyMachine::loads_of_balance() {
    if (base_.empty() || !free_.empty()) return {};
    const SteadyState s = balance(base_, sides(base_));
    return s.balanced ? s.load : std::vector<double>();
}

SteadyState SteadyMachine::balance(const std::vector<double>& v, const std::vector<int>& side, bool all_gaps) {
    const std::size_t K = coordinates(), n = contacts();
    SteadyState s;
    s.y = system_.start();
    if (unlimited_)
        if (SteadyState free = unlimited_->balance(v, side, all_gaps); free.balanced) s.y = std::move(free.y);
    s.side = side;
    s.c = contact_velocities(v);
    for (auto* forces : {&s.force, &s.low, &s.high}) forces->assign(n, 0);
    std::copy(v.begin(), v.end(), s.y.begin() + long(K));
    system_.settle_springs(0, s.y);
    s.load = system_.values(0, s.y).load;
    put_bristles(s);
    const Balance b = newton_through_gaps(s);
    if (all_gaps && s.converged && !s.balanced) try_gaps(s, b, 2);
    put_bristles(s);
    return s;
}

}  // namespace bristle::analysis
