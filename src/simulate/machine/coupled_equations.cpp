// Residuals and derivatives of a coupled step.
#include "simulate/machine/coupled_equations.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::inline simulation {

namespace {

constexpr double softness =
    1e-7;  // of forces inside jumps, in the Newton matrix only: selects the split of least change

// What the motions at the ends of a part contribute to the difference of its ends.
template <class Value>
double of_ends(const Ends& ends, const Value& value) {
    return (ends.first.motion >= 0 ? value(std::size_t(ends.first.motion)) : 0) -
           (ends.second.motion >= 0 ? value(std::size_t(ends.second.motion)) : 0);
}

}  // namespace

CoupledEquations::CoupledEquations(const MachineSystem& system, const Contacts& contacts)
    : system_(system),
      machine_(system.machine()),
      assembly_(system.assembly()),
      contacts_(contacts),
      drives_(machine_, assembly_, system.size() - system.drives().size()),
      time_constants_(drives_.time_constants()) {
    const std::size_t K = assembly_.coordinates();
    weight_.assign(K, 0);
    for (std::size_t i = 0; i < machine_.bodies.size(); ++i)
        weight_[std::size_t(assembly_.bodies[i].coordinate)] += assembly_.bodies[i].ratio * machine_.bodies[i].force;
    for (const auto& [first, second] : assembly_.springs) {
        SpringRow spring{std::vector<double>(K, 0)};
        if (first.coordinate >= 0) spring.row[std::size_t(first.coordinate)] += first.ratio;
        if (second.coordinate >= 0) spring.row[std::size_t(second.coordinate)] -= second.ratio;
        double inverse = 0;
        for (std::size_t k = 0; k < K; ++k) inverse += spring.row[k] * spring.row[k] / assembly_.mass[k];
        spring.mass = 1 / inverse;
        springs_.push_back(std::move(spring));
    }
    motions_.resize(machine_.motions.size());
    applied_.resize(machine_.forces.size());
    base_.resize(contacts_.size());
    gain_.resize(K);
    drive_gain_.resize(time_constants_.size());
    noise_.resize(K);
    drive_noise_.resize(time_constants_.size());
    f_.resize(K);
    end_held.assign(K, false);
    roles.resize(contacts_.size());
    jumps.resize(contacts_.size());
    y_.resize(system.size());
    rates_.resize(system.size());
    y_dual_.resize(system.size());
    rates_dual_.resize(system.size());
    drives_.prepare(drive_values_);
    drives_.prepare(drive_duals_);
    out_.of_contacts.resize(contacts_.size());
    out_.forces.resize(contacts_.size());
    out_.spring_rates.resize(springs_.size());
    out_.spring_forces.resize(springs_.size());
    out_.motor_forces.resize(machine_.motors.size());
}

// ---- step --------------------------------------------------------------------------------------------------------------

void CoupledEquations::begin(double t, double dt, const CoupledState& from) {
    t_ = t;
    dt_ = dt;
    from_ = from;
    const double middle = t + 0.5 * dt;
    external_ = weight_;
    for (std::size_t i = 0; i < applied_.size(); ++i) {
        applied_[i] = machine_.forces[i].value.piece(middle).value(middle);
        const Node& node = assembly_.forces[i];
        external_[std::size_t(node.coordinate)] += node.ratio * applied_[i];
    }
    for (std::size_t i = 0; i < motions_.size(); ++i) {
        const Piece piece = machine_.motions[i].value.piece(middle);
        if (machine_.motions[i].quantity == Quantity::velocity) {
            const double v0 = piece.value(t), v1 = piece.value(t + dt);
            motions_[i] = {v0, v1, 0.5 * dt * (v0 + v1)};
        } else {
            motions_[i] = {piece.rate(t), piece.rate(t + dt), piece.value(t + dt) - piece.value(t)};
        }
    }
    for (std::size_t i = 0; i < springs_.size(); ++i)
        springs_[i].base = of_ends(assembly_.springs[i], [&](std::size_t m) { return motions_[m].of_spring; }) / dt;
    drives_.set_pieces(middle);
    for (std::size_t j = 0; j < drive_gain_.size(); ++j) drive_gain_[j] = dt > 2 * time_constants_[j] ? dt : 0.5 * dt;
    std::fill(end_held.begin(), end_held.end(), false);
    set_bases();
}

double CoupledEquations::contact_velocity(std::size_t i, const std::vector<double>& v, When when) const {
    double c = of_ends(assembly_.contacts[i],
                       [&](std::size_t m) { return when == When::start ? motions_[m].v0 : motions_[m].v1; });
    for (std::size_t k = 0; k < gain_.size(); ++k) c += assembly_.jacobian(i, k) * v[k];
    return c;
}
double CoupledEquations::spring_rate(std::size_t i, const std::vector<double>& v, When when) const {
    double rate = of_ends(assembly_.springs[i],
                          [&](std::size_t m) { return when == When::start ? motions_[m].v0 : motions_[m].v1; });
    for (std::size_t k = 0; k < gain_.size(); ++k) rate += springs_[i].row[k] * v[k];
    return rate;
}
double CoupledEquations::contact_speed(std::size_t i, const std::vector<double>& v, When when) const {
    double sum = 0;
    for (const Node& node : {assembly_.contacts[i].first, assembly_.contacts[i].second})
        if (node.motion >= 0) {
            const Moved& moved = motions_[std::size_t(node.motion)];
            sum += std::abs(when == When::start ? moved.v0 : moved.v1);
        }
    for (std::size_t k = 0; k < gain_.size(); ++k) sum += std::abs(assembly_.jacobian(i, k) * v[k]);
    return sum;
}
std::vector<double> CoupledEquations::end_velocities() const {
    std::vector<double> v = from_.v;
    for (std::size_t k = 0; k < v.size(); ++k) v[k] += dt_ / assembly_.mass[k] * out_.total[k];
    return v;
}
bool CoupledEquations::contact_end_held(std::size_t i) const {
    for (std::size_t k = 0; k < gain_.size(); ++k)
        if (end_held[k] && assembly_.jacobian(i, k) != 0) return true;
    return false;
}

void CoupledEquations::set_bases() {
    for (std::size_t k = 0; k < gain_.size(); ++k) gain_[k] = (end_held[k] ? dt_ : 0.5 * dt_) / assembly_.mass[k];
    for (std::size_t i = 0; i < base_.size(); ++i) {
        const bool at_end = contact_end_held(i);
        base_[i] = of_ends(assembly_.contacts[i], [&](std::size_t m) {
            return at_end ? motions_[m].v1 : 0.5 * (motions_[m].v0 + motions_[m].v1);
        });
    }
}

double CoupledEquations::end_state(std::size_t j) const {
    const double held = out_.of_drives[j];
    return drive_gain_[j] == dt_ ? held : 2 * held - from_.drives[j];
}

// ---- springs -----------------------------------------------------------------------------------------------------------

int CoupledEquations::region(std::size_t i, double s) const {
    const double half = 0.5 * machine_.springs[i].gap;
    return half == 0 || s > half ? 1 : s < -half ? -1 : 0;
}
template <class S>
S CoupledEquations::beyond_gap(std::size_t i, const S& s) const {
    const int side = region(i, value_as<double>(s));
    return side == 0 ? S(0) : S(s - side * (0.5 * machine_.springs[i].gap));
}
template <class S>
S CoupledEquations::spring_force(std::size_t i, const S& rate) const {
    const Spring& spring = machine_.springs[i];
    const S end = from_.stretch[i] + dt_ * rate;
    const double start = from_.stretch[i];
    const int from = region(i, start), to = region(i, value_as<double>(end));
    if (from == 0 && to == 0) return S(0);
    const S e1 = beyond_gap(i, end), mean = 0.5 * (beyond_gap(i, start) + e1);
    if (from == to) return spring.stiffness * mean + spring.damping * rate;
    const S outside = (e1 - beyond_gap(i, start)) / (dt_ * rate);
    return outside * (spring.stiffness * mean + spring.damping * rate);
}
double CoupledEquations::force_at(std::size_t i, double s, double rate) const {
    const Spring& spring = machine_.springs[i];
    return region(i, s) == 0 ? 0 : spring.stiffness * beyond_gap(i, s) + spring.damping * rate;
}
double CoupledEquations::stored_in_spring(std::size_t i, double s) const {
    const double beyond = beyond_gap(i, s);
    return 0.5 * machine_.springs[i].stiffness * beyond * beyond;
}
double CoupledEquations::outside(std::size_t i, double rate) const {
    const double start = from_.stretch[i], end = start + dt_ * rate;
    const int from = region(i, start), to = region(i, end);
    if (from == to) return from == 0 ? 0 : 1;
    return (beyond_gap(i, end) - beyond_gap(i, start)) / (dt_ * rate);
}
double CoupledEquations::spring_dissipation(std::size_t i, double rate) const {
    return machine_.springs[i].damping * outside(i, rate) * rate * rate * dt_;
}

// ---- residual and derivatives ------------------------------------------------------------------------------------------

// Subtracts a force that acts along a row: its value, its derivative with respect to row w, and the size of its terms.
void CoupledEquations::add_row(const double* row, double force, double slope, double size) {
    const std::size_t K = gain_.size(), N = r_.size();
    for (std::size_t k = 0; k < K; ++k) {
        if (row[k] == 0) continue;
        f_[k] -= row[k] * force;
        noise_[k] += std::abs(row[k]) * size;
        if (slope == 0) continue;
        for (std::size_t j = 0; j < K; ++j) A_[k * N + j] += gain_[k] * row[k] * slope * row[j];
    }
}

void CoupledEquations::add_springs(const double* w) {
    using D = Dual<double, 1>;
    for (std::size_t i = 0; i < springs_.size(); ++i) {
        double rate = springs_[i].base, speed = std::abs(rate);
        for (std::size_t k = 0; k < gain_.size(); ++k) {
            rate += springs_[i].row[k] * w[k];
            speed += std::abs(springs_[i].row[k] * w[k]);
        }
        const D F = spring_force(i, D::variable(rate));
        out_.spring_rates[i] = rate;
        out_.spring_forces[i] = F.v;
        add_row(springs_[i].row.data(), F.v, F.d[0],
                std::abs(F.v) + F.d[0] * speed +
                    outside(i, rate) * machine_.springs[i].stiffness * std::abs(from_.stretch[i]));
    }
}

void CoupledEquations::add_contacts(const double* w, const double* inside) {
    const std::size_t K = gain_.size(), N = r_.size(), first = K + drive_gain_.size();
    for (std::size_t i = 0, next = 0; i < contacts_.size(); ++i) {
        double c = base_[i], speed = std::abs(c);
        const double* row = assembly_.J.data() + i * K;
        for (std::size_t k = 0; k < K; ++k) {
            c += row[k] * w[k];
            speed += std::abs(row[k] * w[k]);
        }
        out_.of_contacts[i] = c;
        const ContactRole& role = roles[i];
        if (!system_.is_free(i)) continue;
        if (role.inside) {
            const std::size_t own = first + next;
            out_.forces[i] = inside[next++];
            // a holding force may vanish: its error is compared with the jump
            add_row(row, out_.forces[i], 0,
                    std::abs(out_.forces[i]) + std::abs(jumps[i].low) + std::abs(jumps[i].high));
            r_[own] = c - jumps[i].at;
            for (std::size_t k = 0; k < K; ++k) {
                A_[k * N + own] = gain_[k] * row[k];
                A_[own * N + k] = row[k];
            }
            A_[own * N + own] = -softness * dt_ / assembly_.contact_mass(i);
        } else if (role.pinned) {
            out_.forces[i] = role.side > 0 ? jumps[i].high : jumps[i].low;
            add_row(row, out_.forces[i], 0, std::abs(out_.forces[i]));
        } else {
            SideForce F = contacts_[i]->respond(c, role.side);
            if (without_falling_) F.slope = std::max(0.0, F.slope);
            out_.forces[i] = F.force;
            const double terms = std::abs(F.force) + std::abs(from_.force[i]) + std::abs(F.slope) * speed;
            add_row(row, F.force, F.slope, terms);
        }
    }
}

void CoupledEquations::add_drives(const std::vector<double>& x) {
    if (machine_.motors.empty()) return;
    const std::size_t K = gain_.size(), D = drive_gain_.size(), first = y_.size() - D;
    const double middle = t_ + 0.5 * dt_;
    for (std::size_t k = 0; k < K; ++k) {
        y_[k] = from_.q[k] + 0.5 * dt_ * x[k];
        y_[K + k] = x[k];
    }
    for (std::size_t j = 0; j < D; ++j) y_[first + j] = x[K + j];
    drives_.settle(middle, y_, drive_values_);
    drives_.rates(middle, y_, drive_values_, rates_);
    for (std::size_t i = 0; i < machine_.motors.size(); ++i) {
        const Node& node = drives_.node(i);
        out_.motor_forces[i] = drive_values_.force[i];
        f_[std::size_t(node.coordinate)] += node.ratio * drive_values_.force[i];
    }
    for (std::size_t j = 0; j < D; ++j) r_[K + j] = x[K + j] - from_.drives[j] - drive_gain_[j] * rates_[first + j];
    add_drive_slopes(x);
}

// The motors' forces and the rates of the drives depend on all w and on the drives.
void CoupledEquations::add_drive_slopes(const std::vector<double>& x) {
    const std::size_t K = gain_.size(), D = drive_gain_.size(), N = r_.size(), first = y_.size() - D;
    const ChunkDual middle(t_ + 0.5 * dt_);
    // The terms that may cancel: of a position q + dt w/2, or of a state.
    const auto terms = [&](std::size_t column) {
        return std::abs(x[column]) + (column < K ? 2 / dt_ * std::abs(from_.q[column]) : 0);
    };
    for (std::size_t j = 0; j < D; ++j) drive_noise_[j] = std::abs(x[K + j]) + std::abs(from_.drives[j]);
    for (std::size_t from = 0; from < K + D; from += chunk) {
        const std::size_t count = std::min(chunk, K + D - from);
        const auto seeded = [&](std::size_t variable, double value, double factor) {
            ChunkDual out(value);
            if (variable >= from && variable < from + count) out.d[variable - from] = factor;
            return out;
        };
        for (std::size_t k = 0; k < K; ++k) {
            y_dual_[k] = seeded(k, y_[k], 0.5 * dt_);
            y_dual_[K + k] = seeded(k, y_[K + k], 1);
        }
        for (std::size_t j = 0; j < D; ++j) y_dual_[first + j] = seeded(K + j, x[K + j], 1);
        drives_.evaluate(middle, y_dual_, drive_duals_);
        drives_.rates(middle, y_dual_, drive_duals_, rates_dual_);
        for (std::size_t d = 0; d < count; ++d) {
            const std::size_t column = from + d;
            for (std::size_t i = 0; i < machine_.motors.size(); ++i) {
                const Node& node = drives_.node(i);
                const auto k = std::size_t(node.coordinate);
                const double slope = node.ratio * drive_duals_.force[i].d[d];
                A_[k * N + column] -= gain_[k] * slope;
                noise_[k] += std::abs(slope) * terms(column);
            }
            for (std::size_t j = 0; j < D; ++j) {
                const double slope = drive_gain_[j] * rates_dual_[first + j].d[d];
                A_[(K + j) * N + column] -= slope;
                drive_noise_[j] += std::abs(slope) * terms(column);
            }
        }
    }
}

void CoupledEquations::evaluate(const std::vector<double>& x) {
    const std::size_t K = gain_.size(), D = drive_gain_.size(), N = x.size();
    ++evaluations;
    r_.assign(N, 0);
    A_.assign(N * N, 0);
    for (std::size_t i = 0; i < K + D; ++i) A_[i * N + i] = 1;
    f_ = external_;
    for (std::size_t k = 0; k < K; ++k) noise_[k] = std::abs(external_[k]);
    add_springs(x.data());
    add_contacts(x.data(), x.data() + K + D);
    add_drives(x);
    merit_ = constraint_merit_ = 0;
    double lightest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < K; ++k) {
        r_[k] = x[k] - from_.v[k] - gain_[k] * f_[k];
        noise_[k] = rounding * (std::abs(x[k]) + std::abs(from_.v[k]) + gain_[k] * noise_[k]);
        merit_ += assembly_.mass[k] * r_[k] * r_[k];
        lightest = std::min(lightest, assembly_.mass[k]);
    }
    for (std::size_t j = 0; j < D; ++j) merit_ += dt_ * dt_ / lightest * r_[K + j] * r_[K + j];
    for (std::size_t h = 0; h < inside_.size(); ++h)
        constraint_merit_ += assembly_.contact_mass(inside_[h]) * r_[K + D + h] * r_[K + D + h];
    merit_ += constraint_merit_;
}

}  // namespace bristle::simulation
