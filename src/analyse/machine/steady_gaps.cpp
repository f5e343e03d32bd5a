// Gaps of a machine in steady motion: which of them the forces close.
#include <algorithm>
#include <cmath>
#include <variant>

#include "analyse/machine/steady_machine.hpp"

namespace bristle::inline analysis {

namespace {

// The part of each limit, in the order of Drives: finite speed limits of controllers, then motors, whose limit can be that of a controller.
std::vector<std::string> limited_parts(const Machine& machine) {
    std::vector<std::string> out;
    for (const Controller& controller : machine.controllers)
        if (const Cascade* cascade = std::get_if<Cascade>(&controller.law);
            cascade && std::isfinite(cascade->speed_limit))
            out.push_back(controller.name);
    for (const Motor& motor : machine.motors) {
        const auto controller = std::find_if(machine.controllers.begin(), machine.controllers.end(),
                                             [&](const Controller& c) { return c.motor == motor.name; });
        const double own = motor.limit / std::abs(motor.gain),
                     asked = controller == machine.controllers.end() ? HUGE_VAL : controller->limit;
        if (std::isfinite(std::min(own, asked))) out.push_back(asked < own ? controller->name : motor.name);
    }
    return out;
}

}  // namespace

// Moves the bodies along a direction d of the coordinates until a gap closes: `only` this one, or the nearest. False if none closes.
bool SteadyMachine::close_gap(SteadyState& s, const std::vector<double>& d, int only) const {
    const std::vector<double> stretch = system_.values(0, s.y).stretch;
    double nearest = HUGE_VAL;
    for (std::size_t i = 0; i < stretch.size(); ++i) {
        const double half = 0.5 * system_.machine().springs[i].gap, rate = elongation(i, d);
        if ((only >= 0 && only != int(i)) || !(half > 0) || !(std::abs(stretch[i]) <= half) || rate == 0) continue;
        nearest = std::min(nearest, ((rate > 0 ? half : -half) * (1 + 1e-6) - stretch[i]) / rate);
    }
    if (!std::isfinite(nearest)) return false;
    for (std::size_t k = 0; k < d.size(); ++k) s.y[k] += nearest * d[k];
    return true;
}

std::vector<double> SteadyMachine::elongation(std::size_t spring) const {
    const auto& [first, second] = system_.assembly().springs[spring];
    std::vector<double> row(coordinates(), 0);
    if (first.coordinate >= 0) row[std::size_t(first.coordinate)] += first.ratio;
    if (second.coordinate >= 0) row[std::size_t(second.coordinate)] -= second.ratio;
    return row;
}

double SteadyMachine::elongation(std::size_t spring, const std::vector<double>& d) const {
    return numerics::dot(elongation(spring), d);
}

// Balances the forces, and closes gaps along the forces that nothing balances.
SteadyMachine::Balance SteadyMachine::newton_through_gaps(SteadyState& s) {
    const std::size_t K = coordinates();
    Balance b = newton(s);
    for (std::size_t closed = 0; closed < 2 * system_.machine().springs.size(); ++closed) {
        if (!s.converged || s.balanced) break;
        std::vector<double> d(K, 0);
        for (const auto& r : b.right) {
            const double force = numerics::dot(std::span(r).first(K), b.rates);
            for (std::size_t k = 0; k < K; ++k) d[k] += force * r[k];
        }
        if (!close_gap(s, d, -1)) break;
        b = newton(s);
    }
    return b;
}

// Tries the sides of open gaps in turn: the force at a gap can come from a controller with its sensor elsewhere.
bool SteadyMachine::try_gaps(SteadyState& s, const Balance& b, int depth) {
    const std::size_t K = coordinates();
    for (std::size_t i = 0; i < system_.machine().springs.size(); ++i)
        for (const double side : {1.0, -1.0}) {
            if (!(system_.machine().springs[i].gap > 0)) continue;
            std::vector<double> d(K, 0);
            for (const auto& r : b.right) {
                const double rate = elongation(i, r);
                for (std::size_t k = 0; k < K; ++k) d[k] += side * rate * r[k];
            }
            SteadyState other = s;
            if (!close_gap(other, d, int(i))) continue;
            const Balance after = newton_through_gaps(other);
            if (!(other.converged && other.balanced) &&
                !(other.converged && depth > 1 && try_gaps(other, after, depth - 1)))
                continue;
            s = std::move(other);
            return true;
        }
    return false;
}

std::vector<MachineEdge> SteadyMachine::edges(const SteadyState& s) {
    system_.settle_springs(0, s.y);
    system_.set_steady(modes(s, nullptr), 0, s.y);
    const auto& k = system_.values(0, s.y);
    const Machine& m = system_.machine();
    std::vector<MachineEdge> out;
    for (std::size_t i = 0; i < k.stretch.size(); ++i) {
        const double gap = m.springs[i].gap;
        if (gap > 0 && std::abs(std::abs(k.stretch[i]) - 0.5 * gap) <= 1e-9 * gap)
            out.push_back({MachineEdge::Of::gap, m.springs[i].name});
    }
    for (std::size_t i = 0; i < contacts(); ++i)
        if (const int spring = system_.assembly().load_springs[i];
            spring >= 0 && std::abs(k.spring_force[std::size_t(spring)]) <= 1e-9 * s.force_size)
            out.push_back({MachineEdge::Of::load, m.contacts[i].name});
    const Drives& drives = system_.drives();
    const std::vector<std::string> limits = limited_parts(m);
    for (std::size_t i = 0; i < drives.limits(); ++i)
        for (int local = 0; local < drives.guards_of(i); ++local)
            if (drives.guard(i, local, k.drives) <= 1e4 * drives.slack(i)) {  // 1e-9 of the limit
                out.push_back({MachineEdge::Of::limit, limits[i]});
                break;
            }
    return out;
}

}  // namespace bristle::analysis
