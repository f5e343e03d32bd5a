// Connections of port-Hamiltonian systems: connect and feedback, K08 (30).
#include <cmath>
#include <limits>

#include "analyse/port_hamiltonian/fixed_point.hpp"
#include "analyse/port_hamiltonian/structure.hpp"

namespace bristle::inline analysis::port_hamiltonian {

namespace {

struct Connection {
    std::vector<System> parts;
    Matrix K, E;
    std::size_t states = 0, ports = 0, contacts = 0;  // of all parts together

    // Calls visit(part, first state, first port, first contact).
    template <class Visit>
    void each(const Visit& visit) const {
        std::size_t x = 0, u = 0, N = 0;
        for (const System& p : parts) {
            visit(p, x, u, N);
            x += p.states.size();
            u += p.ports;
            N += p.contacts;
        }
    }
    // H is the sum over the parts, K08 (32).
    Vector stiffness(const Vector& N) const {
        Vector q;
        each([&](const System& p, std::size_t, std::size_t, std::size_t first) {
            q = joined(q, p.stiffness(cut(N, first, p.contacts)));
        });
        return q;
    }
    // The parts side by side, before their ports are connected:  [-dx/dt; y_parts] = Z [dH/dx; u_parts].
    Matrix side_by_side(const Instant& at, const Vector& u_parts) const {
        Matrix Z(states + ports, states + ports);
        each([&](const System& p, std::size_t x, std::size_t u, std::size_t N) {
            put_joint(Z,
                      p.structure({cut(at.x, x, p.states.size()), cut(u_parts, u, p.ports), cut(at.N, N, p.contacts)}),
                      x, states + u);
        });
        return Z;
    }
    // Returns T with u_parts = T [dH/dx; u], from u_parts = K y_parts + E u and y_parts = C dH/dx + D u_parts.
    Matrix inputs(const Matrix& Z) const {
        const Matrix C = Z.part(states, 0, ports, states), D = Z.part(states, states, ports, ports);
        Matrix right(ports, states + E.columns());
        right.put(0, 0, K * C);
        right.put(0, states, E);
        return solve(Matrix::identity(ports) - K * D, right);
    }
    Structure structure(const Instant& at) const {
        const std::size_t n = states, m = E.columns();
        Vector effort = stiffness(at.N);
        for (std::size_t i = 0; i < n; ++i) effort[i] *= at.x[i];
        const Vector effort_and_input = joined(effort, at.u);

        // the velocities at the ports depend on the matrices, and these on the velocities
        Matrix Z(0, 0), T(0, 0);
        fixed_point(
            Vector(ports),
            [&](const Vector& guess) {
                Z = side_by_side(at, guess);
                T = inputs(Z);
                MapValue now{T * effort_and_input, Vector(ports)};
                for (std::size_t i = 0; i < ports; ++i)
                    for (std::size_t j = 0; j < n + m; ++j) now.scale[i] += std::abs(T(i, j) * effort_and_input[j]);
                // the matrices of the other parts do not depend on their input: any error there is accepted
                each([&](const System& p, std::size_t, std::size_t u, std::size_t) {
                    for (std::size_t i = u; i < u + p.ports && !p.follows_input; ++i)
                        now.scale[i] = std::numeric_limits<double>::infinity();
                });
                return now;
            },
            "port-Hamiltonian connection: the iteration for the velocity at a contact does not converge; give the part "
            "at the contact a mass");

        // Z of the whole: [-dx/dt; E' y_parts] with [dH/dx; u_parts] = [1 0; T] [dH/dx; u]. From a load K08 (28) and a plant
        // K08 (29) follow J of K08 (33) and R of K08 (34).
        Matrix out(n + m, n + ports), in(n + ports, n + m);
        out.put(0, 0, Matrix::identity(n));
        out.put(n, n, E.transposed());
        in.put(0, 0, Matrix::identity(n));
        in.put(n, 0, T);
        return Structure::from_joint(out * Z * in, n);
    }
};

}  // namespace

System connect(std::vector<System> parts, const Matrix& K, const Matrix& E) {
    Connection c{std::move(parts), K, E};
    System whole;
    whole.follows_input = false;
    for (const System& p : c.parts) {
        c.states += p.states.size();
        c.ports += p.ports;
        c.contacts += p.contacts;
        whole.states.insert(whole.states.end(), p.states.begin(), p.states.end());
        whole.follows_input = whole.follows_input || p.follows_input;
    }
    if (K.rows() != c.ports || K.columns() != c.ports || E.rows() != c.ports)
        throw Error(
            "port-Hamiltonian connection: K must be square and E must have as many rows, one for each port of the "
            "parts");
    Structure wiring(0, c.ports);
    wiring.M = K;
    if (wiring.problem()) throw Error("port-Hamiltonian connection: K is not skew, so it would generate or lose power");
    whole.ports = E.columns();
    whole.contacts = c.contacts;
    whole.stiffness = [c](const Vector& N) { return c.stiffness(N); };
    whole.structure_of = [c](const Instant& at) { return c.structure(at); };
    return whole;
}

// K08 (30)
System feedback(const System& plant, const System& load) {
    if (plant.ports != load.ports)
        throw Error("port-Hamiltonian feedback: plant and load must have the same number of ports");
    const std::size_t m = plant.ports;
    const Matrix one = Matrix::identity(m);
    Matrix K(2 * m, 2 * m), E(2 * m, m);
    K.put(0, m, -1.0 * one);
    K.put(m, 0, one);
    E.put(0, 0, one);
    return connect({plant, load}, K, E);
}

}  // namespace bristle::analysis::port_hamiltonian
