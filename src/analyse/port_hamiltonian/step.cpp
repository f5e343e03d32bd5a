// One step of a port-Hamiltonian system by the midpoint rule, with the power balance K08 (18) kept to rounding.
#include <cmath>

#include "analyse/port_hamiltonian/fixed_point.hpp"
#include "analyse/port_hamiltonian/structure.hpp"

namespace bristle::inline analysis::port_hamiltonian {

namespace {

Matrix column(const Vector& x) {
    Matrix c(x.size(), 1);
    for (std::size_t i = 0; i < x.size(); ++i) c(i, 0) = x[i];
    return c;
}

}  // namespace

Advance step(const System& system, const Instant& from, double dt) {
    const std::size_t n = system.states.size();
    const Vector N = system.loads(from.N), q = system.stiffness(N);
    Matrix Q(n, n);
    for (std::size_t i = 0; i < n; ++i) Q(i, i) = q[i];

    Structure s(0, 0);
    Vector middle;
    Advance out;
    out.iterations = fixed_point(
        from.x,
        [&](const Vector& guess) {
            s = system.structure({guess, from.u, N});
            // with these matrices:  (1 - dt/2 (J - R) Q) middle = x + dt/2 (G - P) u
            const Matrix left = Matrix::identity(n) - 0.5 * dt * ((s.J - s.R) * Q);
            middle = solve(left, column(from.x) + 0.5 * dt * ((s.G - s.P) * column(from.u))).entries();
            // scale of a state: its value if it held all the energy
            MapValue now{middle, Vector(n)};
            const double energy = system.energy(from.x, N) + system.energy(middle, N);
            for (std::size_t i = 0; i < n; ++i) now.scale[i] = std::sqrt(2 * energy / q[i]);
            return now;
        },
        "port-Hamiltonian step: the iteration for the middle of the step does not converge; reduce dt");

    const Vector effort = system.effort(middle, N);
    const Response r = response(s, effort, from.u);
    out.x = from.x;
    for (std::size_t i = 0; i < n; ++i) out.x[i] += dt * r.rate[i];
    out.y = r.output;
    out.supplied = dt * dot(from.u, r.output);
    out.dissipated = dt * dissipated_power(s, effort, from.u);
    return out;
}

}  // namespace bristle::analysis::port_hamiltonian
