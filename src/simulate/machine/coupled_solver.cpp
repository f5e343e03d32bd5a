// Active set over the jumps of the contacts, and coordinates with held end velocity.
#include "simulate/machine/coupled_solver.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::inline simulation {

CoupledSolver::CoupledSolver(const MachineSystem& system, const CoupledEquations::Contacts& contacts)
    : system_(system),
      contacts_(contacts),
      equations_(system, contacts),
      c_(contacts.size()),
      movable_(contacts.size()) {}

bool CoupledSolver::solve(double t, double dt, const CoupledState& from, const std::vector<double>& loads,
                          const std::vector<bool>& held) {
    dt_ = dt;
    loads_ = loads;
    v_ = from.v;
    equations_.begin(t, dt, from);
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        c_[i] = equations_.start_velocity(i);
        if (contacts_[i]->dry() && rests_at_start(i, held[i])) c_[i] = 0;
        contacts_[i]->begin(c_[i], dt, loads_[i]);
        equations_.jumps[i] = system_.is_free(i) ? contacts_[i]->jump() : ForceJump{};
    }
    begin_roles(from);
    equations_.guess();
    const std::size_t rounds = contacts_.size() + system_.machine().springs.size() + 2;
    for (std::size_t i = 0; i < rounds; ++i) {
        if (!settle_roles()) return false;
        if (!hold_ends()) return true;
        equations_.set_bases();
        equations_.guess_ends();
    }
    return false;
}

// True if the velocity of a dry contact is rounding. It is not if a motion at one of its ends has jumped.
bool CoupledSolver::rests_at_start(std::size_t i, bool held) const {
    if (held) return std::abs(c_[i]) <= rest_limit(i, v_, dt_, loads_[i]);
    return std::abs(c_[i]) <= 1e-14 * equations_.contact_speed(i, v_, CoupledEquations::When::start);
}
double CoupledSolver::rest_limit(std::size_t i, const std::vector<double>& v, double dt, double load) const {
    contacts_[i]->begin(0, dt, load);
    const ForceJump jump = contacts_[i]->jump();
    const double speed = equations_.contact_speed(i, v, CoupledEquations::When::start);
    return 1e-9 * (speed + dt * (jump.high - jump.low) / system_.assembly().contact_mass(i));
}

void CoupledSolver::begin_roles(const CoupledState& from) {
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        const ForceJump& jump = equations_.jumps[i];
        ContactRole& role = equations_.roles[i];
        role = {};
        movable_[i] = jump.exists;
        if (!jump.exists) continue;
        const bool dry = contacts_[i]->dry();
        double side = jump.side;
        if (dry) {
            side = c_[i];
            movable_[i] = side == 0;
        } else if (jump.at == c_[i] && side == 0) {
            for (std::size_t k = 0; k < from.a.size(); ++k) side += system_.assembly().jacobian(i, k) * from.a[k];
        }
        role.side = side > 0 ? 1 : side < 0 ? -1 : 0;
        role.inside = role.side == 0;
        if (role.inside && !(jump.low <= jump.high)) role = {false, false, 1};
    }
}

// ---- jumps -------------------------------------------------------------------------------------------------------------

// Returns the role that a contact takes by the last solution.
ContactRole CoupledSolver::corrected(std::size_t i) const {
    const ForceJump& jump = equations_.jumps[i];
    const ContactRole& role = equations_.roles[i];
    const double F = equations_.solution().forces[i], w = equations_.solution().of_contacts[i] - jump.at;
    const double size = std::abs(jump.low) + std::abs(jump.high);
    const bool dry = contacts_[i]->dry();
    if (role.inside) {
        const double slack = 1e-11 * size;
        if (F > jump.high + slack) return {false, dry, 1};
        if (F < jump.low - slack) return {false, dry, -1};
        return role;
    }
    // a dry contact at rest to rounding of the forces that others hold; 0 for the others, whose dissipation needs the side
    const double still = dry ? 1e-10 * dt_ * size / system_.assembly().contact_mass(i) : 0;
    const double noise = 4e-16 * (std::abs(jump.at) + std::abs(equations_.contact_base(i)));
    const double ahead = role.side * w;
    if (role.pinned && ahead > still + noise) return {false, false, role.side};
    if (ahead >= -still - noise) return role;
    if (jump.low <= jump.high) return {true, false, 0};
    return {false, false, -role.side};
}

// The forces inside jumps contradict each other: the one that exceeds its bound most is released.
bool CoupledSolver::release_worst() {
    double worst = 1;
    std::size_t found = contacts_.size();
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        if (!equations_.roles[i].inside) continue;
        const ForceJump& jump = equations_.jumps[i];
        const double F = equations_.solution().forces[i], middle = 0.5 * (jump.low + jump.high),
                     half = 0.5 * (jump.high - jump.low);
        const double excess = half > 0 ? std::abs(F - middle) / half : std::numeric_limits<double>::infinity();
        if (excess > worst) {
            worst = excess;
            found = i;
        }
    }
    if (found == contacts_.size()) return false;
    const ForceJump& jump = equations_.jumps[found];
    const bool up = equations_.solution().forces[found] > 0.5 * (jump.low + jump.high);
    equations_.roles[found] = {false, contacts_[found]->dry(), up ? 1 : -1};
    equations_.guess();
    return true;
}

bool CoupledSolver::settle_roles() {
    const std::size_t passes = 20 + 6 * contacts_.size();
    for (std::size_t pass = 0; pass < passes; ++pass) {
        switch (equations_.solve()) {
            case CoupledEquations::Outcome::failed:
                return false;
            case CoupledEquations::Outcome::contradictory:
                if (!release_worst()) return false;
                continue;
            case CoupledEquations::Outcome::solved:
                break;
        }
        bool changed = false;
        const bool one_at_a_time = pass > 4;  // ends for every machine whose solution is unique
        for (std::size_t i = 0; i < contacts_.size(); ++i) {
            if (!movable_[i] || (changed && one_at_a_time)) continue;
            const ContactRole next = corrected(i);
            changed = changed || !(next == equations_.roles[i]);
            equations_.roles[i] = next;
        }
        if (!changed) return true;
    }
    return false;
}

// ---- held end velocity -------------------------------------------------------------------------------------------------

double CoupledSolver::end_velocity(std::size_t i) const {
    return equations_.contact_velocity(i, end_v_, CoupledEquations::When::end);
}
// True if a dry contact that slides in its direction would stop or reverse.
bool CoupledSolver::has_stopped(std::size_t i) const {
    return contacts_[i]->dry() && system_.is_free(i) && !movable_[i] && !(end_velocity(i) * c_[i] > 0);
}
// True if dt does not resolve the motion of a mass on a spring and damper.
bool CoupledSolver::is_unresolved(double stiffness, double damping, double mass) const {
    return dt_ * dt_ * stiffness > 4 * mass || dt_ * damping > 4 * mass;
}
bool CoupledSolver::alternates(std::size_t i) const {
    if (contacts_[i]->dry() || !system_.is_free(i) || equations_.contact_end_held(i)) return false;
    return is_unresolved(contacts_[i]->stiffness(loads_[i]), contacts_[i]->damping(loads_[i]),
                         system_.assembly().contact_mass(i)) &&
           end_velocity(i) * c_[i] < 0;
}
bool CoupledSolver::spring_alternates(std::size_t i) const {
    const Spring& spring = system_.machine().springs[i];
    return is_unresolved(spring.stiffness, spring.damping, equations_.spring_mass(i)) &&
           equations_.outside(i, equations_.solution().spring_rates[i]) > 0 &&
           equations_.spring_rate(i, v_, CoupledEquations::When::start) *
                   equations_.spring_rate(i, end_v_, CoupledEquations::When::end) <
               0;
}

// Returns true if a coordinate was added.
bool CoupledSolver::hold_ends_of(std::size_t i) {
    bool added = false;
    for (std::size_t k = 0; k < equations_.end_held.size(); ++k) {
        if (system_.assembly().jacobian(i, k) == 0 || equations_.end_held[k]) continue;
        equations_.end_held[k] = added = true;
    }
    return added;
}

// Holds the end velocities that the last solution calls for. Returns true if there are new ones.
bool CoupledSolver::hold_ends() {
    bool added = false;
    end_v_ = equations_.end_velocities();
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        if (has_stopped(i)) {
            hold_ends_of(i);
            movable_[i] = added = true;
            equations_.roles[i] = {true, false, 0};
        } else if (alternates(i)) {
            added = hold_ends_of(i) || added;
        }
    }
    for (std::size_t i = 0; i < system_.machine().springs.size(); ++i) {
        if (!spring_alternates(i)) continue;
        for (std::size_t k = 0; k < equations_.end_held.size(); ++k) {
            if (equations_.spring_row(i, k) == 0 || equations_.end_held[k]) continue;
            equations_.end_held[k] = added = true;
        }
    }
    if (added) include_dry_neighbours();
    return added;
}

void CoupledSolver::include_dry_neighbours() {
    for (bool added = true; added;) {
        added = false;
        for (std::size_t i = 0; i < contacts_.size(); ++i)
            if (contacts_[i]->dry() && system_.is_free(i) && equations_.contact_end_held(i))
                added = hold_ends_of(i) || added;
    }
}

}  // namespace bristle::simulation
