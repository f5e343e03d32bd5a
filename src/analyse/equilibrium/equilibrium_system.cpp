// Equations near an equilibrium, for each law of the catalogue.
#include "analyse/equilibrium/equilibrium_system.hpp"

#include <bristle/coupling_limits.hpp>
#include <bristle/base/error.hpp>

#include <algorithm>

#include "simulate/machine/contact_law.hpp"
#include "simulate/system.hpp"

namespace bristle::inline analysis::equilibrium {

namespace {

template <class Law>
using CurveOf = std::remove_cvref_t<decltype(bristle::detail::curve_of(std::declval<const Law&>()))>;

template <class Law>
std::size_t count_of(const Law& law) {
    if constexpr (HasElements<Law>)
        return std::size_t(law.count());
    else
        return StaticLaw<Law> ? 0 : 1;
}
template <class Law>
double damping_of(const Law& law, double c) {
    if constexpr (requires { law.damping(c); })
        return law.damping(c);
    else if constexpr (requires { law.sigma1; })
        return law.sigma1;
    else
        return 0;
}

// F_ss(c) of A08 (26), its slope, and z of A08 (25).
template <class Law>
SteadySliding steady_of(const Law& law, double c, double side, double load) {
    using D = Dual<double, 1>;
    const auto n = loads(law, load);
    const D v = D::variable(c), s = D(side);
    const auto grip = grip_on(curve_under(law, load), s, v);
    const D g = grip.steady * n.on_curve, f = viscous_on(law, s, v);
    SteadySliding out{n.on_force * (g.v + f.v), n.on_force * (g.d[0] + f.d[0]), 0, 0, n.on_force * f.d[0], {}};
    if constexpr (HasElements<Law>) {
        out.h = law.C / std::abs(g.v);
        for (std::size_t i = 0; i < count_of(law); ++i) out.contact.push_back(law.nu[i] * g.v);
    } else if constexpr (StaticLaw<Law>) {
        out.damping = out.slope;
    } else {
        const double c_over_g = grip.conductance.v / n.on_curve;
        out.h = law.sigma0 * c_over_g;
        out.rate_slope = c_over_g * g.d[0];
        out.damping += n.on_force * damping_of(law, c) * out.rate_slope;
        out.contact.push_back(g.v / law.sigma0);
    }
    return out;
}

// Stiffness and damping of A08 (13), with sigma2.
template <class Law>
HeldContact rest_of(const Law& law, double force, double side, double load) {
    using D = Dual<double, 1>;
    const auto n = loads(law, load);
    HeldContact out{SticksExactly<Law> || RemembersVelocity<Law>, 0, 0, {}};
    const double f = n.on_force * viscous_on(law, D(side), D::variable(0)).d[0];
    if constexpr (HasElements<Law>) {
        out.damping = f;
        for (std::size_t i = 0; i < count_of(law); ++i) {
            out.stiffness += n.on_force * law.k[i];
            out.contact.push_back(law.nu[i] * force / n.on_force);
        }
    } else if constexpr (!StaticLaw<Law>) {
        const double z = force / (n.on_force * law.sigma0);
        out.contact.push_back(z);
        if constexpr (!RemembersVelocity<Law>) {
            Friction<Law> friction(law);
            friction.side = side;
            const D rate = friction.answer(std::array<D, 1>{D(z)}, D::variable(0), D(load)).rate[0];
            out.stiffness = n.on_force * law.sigma0 * rate.d[0];
            out.damping = n.on_force * damping_of(law, 0) * rate.d[0] + f;
        }
    }
    return out;
}

template <class Law>
void rates_of(const Law& law, const Setup& setup, double input, double time, std::span<const double> y, double side,
              std::span<double> f, std::span<double> J) {
    // Every rig gets an integral, which has no effect if the rig has none: one instantiation per law instead of two.
    using System = RigSystem<Law, true, false>;
    System system(law, setup.rig.equations());
    system.input.offset = input;
    system.load = setup.load.piece(0);
    const std::size_t count = count_of(law);
    set_sliding(system.friction, side);
    std::vector<std::size_t> place;  // index of each state in the system
    for (std::size_t i = 0; i < 2 + count; ++i) place.push_back(i);
    if (system.rig.has_integral) place.push_back(System::N - 1);
    Vector<System::N> at{};
    for (std::size_t i = 0; i < place.size(); ++i) at[place[i]] = y[i];
    Linear<System::N, 0> linear{};
    system.linearise(time, at, linear);
    for (std::size_t i = 0; i < place.size(); ++i) {
        f[i] = linear.f[place[i]];
        for (std::size_t j = 0; j < place.size(); ++j) J[i * place.size() + j] = linear.J[place[i]][place[j]];
    }
}

// Time at which the belt has its final speed to the last bit [s].
double late(const RigEquations& rig) { return rig.belt_speed == 0 ? 0 : 800 * rig.belt_time; }

}  // namespace

EquilibriumSystem::EquilibriumSystem(const Setup& setup)
    : setup_(setup),
      rig_(setup.rig.equations()),
      load_(setup.load.piece(0).value(0.0)),
      input_(setup.rig.info().takes_input ? setup.input.piece(0).value(0.0) : 0),
      belt_(rig_.belt_speed) {
    if (setup.rig.is_prescribed())
        throw EquilibriumError(
            NoEquilibrium::prescribed_motion,
            "a prescribed motion has no equilibrium; choose a rig that moves freely, such as forced_mass");
    if (!setup.input.is_constant())
        throw EquilibriumError(
            NoEquilibrium::varying_input,
            "the input changes with time, so there is no equilibrium; set input.kind = \"constant\"");
    if (!setup.load.is_constant())
        throw EquilibriumError(NoEquilibrium::varying_load,
                               "the load changes with time, so there is no equilibrium; choose a constant load");
    if (!accepts_load(setup.law, load_)) throw Error("equilibria need a load > 0");
}

std::size_t EquilibriumSystem::contact_states() const {
    return std::visit([](const auto& law) { return count_of(law); }, setup_.law);
}
std::vector<std::size_t> EquilibriumSystem::active() const {
    std::vector<std::size_t> out;
    for (std::size_t i = free_position() ? 1 : 0; i < 2 + contact_states(); ++i) out.push_back(i);
    if (has_integral() && rig().kI != 0) out.push_back(2 + contact_states());
    return out;
}
double EquilibriumSystem::needed(double c) const {
    return (input_ + rig().k0 + rig().kv * (c - belt_) / rig().ratio) / rig().ratio;
}
bool EquilibriumSystem::is_static() const { return contact_states() == 0; }
bool EquilibriumSystem::sticks() const {
    return std::visit([]<class Law>(const Law&) { return CurveOf<Law>::sticks; }, setup_.law);
}
double EquilibriumSystem::holds(double side) const {
    return std::visit(
        [&](const auto& law) {
            const auto n = loads(law, load_);
            return n.on_force * n.on_curve * curve_under(law, load_).static_level(side);
        },
        setup_.law);
}
SteadySliding EquilibriumSystem::steady(double c, double side) const {
    return std::visit([&](const auto& law) { return steady_of(law, c, side, load_); }, setup_.law);
}
HeldContact EquilibriumSystem::rest(double force, double side) const {
    return std::visit([&](const auto& law) { return rest_of(law, force, side, load_); }, setup_.law);
}
double EquilibriumSystem::falling_speed() const {
    return std::visit([](const auto& law) { return bristle::detail::curve_of(law).zone().low; }, setup_.law);
}
double EquilibriumSystem::settled_speed() const {
    return std::visit([](const auto& law) { return bristle::detail::curve_of(law).zone().high; }, setup_.law);
}
double EquilibriumSystem::final_slope(double side) const {
    return std::visit([&](const auto& law) { return loads(law, load_).on_force * viscous_on(law, side, side) * side; },
                      setup_.law);
}
void EquilibriumSystem::rates(std::span<const double> y, double side, std::span<double> f, std::span<double> J) const {
    std::visit([&](const auto& law) { rates_of(law, setup_, input_, late(rig()), y, side, f, J); }, setup_.law);
}

std::vector<double> EquilibriumSystem::jacobian(std::span<const double> y, double c, double side) const {
    const std::size_t n = states();
    std::vector<double> f(n), J(n * n);
    rates(y, side, f, J);
    const SteadySliding at = steady(c, side);
    const bool one_bristle =
        std::visit([]<class Law>(const Law&) { return !HasElements<Law> && !StaticLaw<Law>; }, setup_.law);
    if (one_bristle) {
        J[n + 1] = (rig().kv - rig().ratio * rig().ratio * at.damping) / rig().inertia;
        J[2 * n + 1] = rig().ratio * at.rate_slope;
    }
    return J;
}

std::vector<double> active_part(std::span<const double> J, std::size_t n, std::span<const std::size_t> active) {
    std::vector<double> out;
    for (const std::size_t i : active)
        for (const std::size_t j : active) out.push_back(J[i * n + j]);
    return out;
}

}  // namespace bristle::analysis::equilibrium
