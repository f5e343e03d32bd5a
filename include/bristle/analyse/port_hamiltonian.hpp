// Port-Hamiltonian systems: blocks with energy and ports, connected so that no power is lost on the way.
//
//   dx/dt = (J - R) dH/dx + (G - P) u                                                       K08 (8)
//   y     = (G + P)' dH/dx + (M + S) u
//   J, M skew (what only passes energy on); R, S symmetric (what turns it into heat); G, P rectangular
//   dH/dt = u'y - [dH/dx; u]' [[R P][P' S]] [dH/dx; u]                                      K08 (18), the power balance
//
// The matrices may depend on the state x, the input u (the velocity at a port) and the normal loads N, one for each contact.
//
//   const auto plant = feedback(block::mass(1), block::friction(law));    u: force on the mass, y: its velocity
//   const auto rig = feedback(block::spring(2), plant);                   u: speed of the puller, y: force of the spring
//   step(rig, {x, {0.1}}, 1e-3)                                           one step of 1 ms at 0.1 m/s
//
// Why the matrices are unique. Both lines of (8) are one:
//   [-dx/dt; y] = Z [dH/dx; u],   Z = [[R - J, P - G], [(G + P)', M + S]]
// Every square matrix is the sum of one symmetric and one skew matrix: R, P, S are read off the one half of Z, J, G, M off the
// other. This is why d1 g0 is split in halves between G and P in K08 (12)-(13). Only Z itself is open. The equations of motion give
// it if it may depend on velocities but not on z, which K08's remark on (38) leaves unsaid. If it may depend on z, others do as well,
// among them one with a positive dissipation matrix wherever the friction makes heat.
//
// Sign: u'y is the power supplied to a system; friction gives the force that opposes the velocity, and the feedback subtracts it.
// Limits: H = sum of q x^2/2, one q for each state. N is held: changing it under LoadOn::all also does work, not at a port and not
// in (18). The dissipation matrix of a friction block may be indefinite where the law is passive, because |z| is bounded (K08 IV.B):
// its eigenvalues are no verdict. For set-up, study and proofs: allocates, and throws Error.
#pragma once
#include <bristle/simulate/law.hpp>

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

namespace bristle::inline analysis::port_hamiltonian {

// ---- small dense matrices ------------------------------------------------------------------------------------------

using Vector = std::vector<double>;

class Matrix {
  public:
    Matrix(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns), entries_(rows * columns) {}
    Matrix(std::initializer_list<std::initializer_list<double>> rows);
    static Matrix identity(std::size_t n);

    std::size_t rows() const { return rows_; }
    std::size_t columns() const { return columns_; }
    double& operator()(std::size_t i, std::size_t j) { return entries_[i * columns_ + j]; }
    double operator()(std::size_t i, std::size_t j) const { return entries_[i * columns_ + j]; }
    const Vector& entries() const { return entries_; }  // row by row

    Matrix transposed() const;
    // The part of the given size whose first entry is (i, j), and the way to set it.
    Matrix part(std::size_t i, std::size_t j, std::size_t rows, std::size_t columns) const;
    void put(std::size_t i, std::size_t j, const Matrix& part);

  private:
    std::size_t rows_, columns_;
    Vector entries_;
};
Matrix operator+(Matrix a, const Matrix& b);
Matrix operator-(Matrix a, const Matrix& b);
Matrix operator*(double factor, Matrix a);
Matrix operator*(const Matrix& a, const Matrix& b);
Vector operator*(const Matrix& a, const Vector& x);

// a^-1 b, by elimination; throws where a is singular.
Matrix solve(Matrix a, Matrix b);
// Of a symmetric matrix, rising.
Vector eigenvalues(Matrix symmetric);

// ---- a system ------------------------------------------------------------------------------------------------------

// The six matrices at one instant, all zero to begin with.
struct Structure {
    Matrix J, R, G, P, M, S;
    Structure(std::size_t states, std::size_t ports)
        : J(states, states), R(J), G(states, ports), P(G), M(ports, ports), S(M) {}

    // Z of the opening comment, and the six matrices back from it.
    Matrix joint() const;
    static Structure from_joint(const Matrix& Z, std::size_t states);
    // [[R P][P' S]]
    Matrix dissipation() const;
    // The first rule that is broken (J skew ...) as a sentence; empty: none. Rounding of 1e-12 of the largest entry is allowed.
    std::string problem() const;
};

struct Instant {
    Vector x;    // state
    Vector u;    // input, one for each port
    Vector N{};  // normal loads, one for each contact [N]; empty: all 1, where the numbers of the laws are forces
};

struct Response {
    Vector rate;    // dx/dt
    Vector output;  // y
};

// The terms of (18).  [W]
struct Power {
    double supplied;    // u'y
    double stored;      // dH/dt
    double dissipated;  // by the dissipation matrix
};

struct System {
    std::vector<std::string> states;  // p, l, z ...
    std::size_t ports = 1;            // length of u and of y
    std::size_t contacts = 0;         // length of N
    bool follows_input = true;        // false: the matrices do not depend on u, which spares passes in connections
    std::function<Vector(const Vector& N)> stiffness;          // q: H = sum of q x^2/2
    std::function<Structure(const Instant& at)> structure_of;  // as the block says; structure(at) checks it

    // The six matrices; throws Error where sizes do not fit or (8) is not kept.
    Structure structure(const Instant& at) const;
    double energy(const Vector& x, const Vector& N = {}) const;  // H [J]
    Vector effort(const Vector& x, const Vector& N = {}) const;  // dH/dx: a velocity, a force
    Response respond(const Instant& at) const;
    Power power(const Instant& at) const;
    // The loads with the default filled in.
    Vector loads(const Vector& N) const;
};

// ---- connections ---------------------------------------------------------------------------------------------------

// Connects the ports of all parts, stacked:  u_parts = K y_parts + E u,  y = E' y_parts.
// K is skew, so that u'y = u_parts' y_parts: the connection neither stores, makes nor loses power. The states are those of the parts,
// in order. Feedthrough is allowed everywhere. Where it closes a loop through a part that follows its input (friction under a plate
// without mass) the velocity is found by iteration; throws Error where that does not settle.
System connect(std::vector<System> parts, const Matrix& K, const Matrix& E);

// u_plant = u - y_load,  u_load = y_plant,  y = y_plant                                  K08 (30)
// For a plant without feedthrough the result is (33)-(34), states (x_plant, x_load); (31) prints the other order (erratum E6).
System feedback(const System& plant, const System& load);

// ---- a step that keeps the balance ---------------------------------------------------------------------------------

struct Advance {
    Vector x;            // at the end
    Vector y;            // at the middle
    double supplied;     // dt u'y             [J]
    double dissipated;   // dt times (18)      [J]
    int iterations = 0;  // evaluations of the matrices
};

// Advances by dt [s] with u held: midpoint rule, second order, the matrices those at the middle of the step.
// H(end) - H(start) = supplied - dissipated to rounding: H is quadratic, and J and M are skew whatever else is in the matrices.
// As the midpoint rule does, it rings where a step does not resolve the motion (coupled.hpp is made for that), and z may pass its
// bound; throws Error where the middle is not found.
Advance step(const System& system, const Instant& from, double dt);

// ---- blocks --------------------------------------------------------------------------------------------------------

// Laws whose whole memory is one bristle deflection z: LuGre and its relatives, Dahl, elasto-plastic.
template <class Law>
concept OneBristle = std::same_as<typename Law::State, BristleState<double>>;

namespace block {

// x = p: momentum, u = force, y = velocity, H = p^2/(2 m)                                K08 (35)
System mass(double mass);
// x = l: elongation, u = velocity at which it is lengthened, y = force, H = k l^2/2
System spring(double stiffness);
// no state, u = velocity, y = force = d u
System damper(double viscosity);
// no state, u = force, y = velocity = u/d: a plate without mass in oil
System plate(double viscosity);

// Friction, from the law's own rate, damping and viscous force: x = z, u = v, y = F, H = k0 z^2/2.
//   J = M = 0,  R = g0,  G = 1 - d1 g0/2,  P = -d1 g0/2,  S = d1 + d2                     K08 (9)-(14)
//   g0 = (v - dz/dt)/(k0 z): for LuGre |v|/(N mu(v)), for the elasto-plastic law 0 where it is elastic
template <OneBristle Law>
System friction(const Law& law);
// For a law chosen at run time; throws Error where its memory is not one bristle.
System friction(const AnyLaw& law);

}  // namespace block

// ---- details -------------------------------------------------------------------------------------------------------

namespace detail {

void need_load(double N);  // throws unless N > 0

// k0, d1, d2 and g0 of K08 (3), for any law with one bristle.
struct Coefficients {
    double k0, d1, d2, g0;
};
template <class Law>
Coefficients coefficients(const Law& law, double z, double v, double N) {
    need_load(N);
    using D = Dual<double, 1>;
    const double on_force = bristle::loads(law, N).on_force;
    Coefficients c;
    c.k0 = 2 * hamiltonian(law, BristleState<double>{1}, N);
    // f(v)/v; at v = 0 its slope
    c.d2 = on_force * (v == 0 ? law.viscous(D::variable(0)).d[0] : law.viscous(v) / v);
    if constexpr (BristleLaw<Law>) {  // straight in z: the slope keeps its digits where z is small
        c.d1 = on_force * law.damping(v);
        c.g0 = -rate(law, D::variable(z), D(v), N).d[0] / c.k0;
    } else {
        c.d1 = on_force * law.sigma1;
        c.g0 = z == 0 ? 0 : (v - rate(law, z, v, N)) / (c.k0 * z);
    }
    return c;
}

}  // namespace detail

template <OneBristle Law>
System block::friction(const Law& law) {
    System f;
    f.states = {"z"};
    f.contacts = 1;
    f.follows_input = true;
    f.stiffness = [law](const Vector& N) { return Vector{detail::coefficients(law, 0, 0, N[0]).k0}; };
    f.structure_of = [law](const Instant& at) {
        const auto [k0, d1, d2, g0] = detail::coefficients(law, at.x[0], at.u[0], at.N[0]);
        Structure s(1, 1);
        s.R(0, 0) = g0;
        s.G(0, 0) = 1 - d1 * g0 / 2;
        s.P(0, 0) = -d1 * g0 / 2;
        s.S(0, 0) = d1 + d2;
        return s;
    };
    return f;
}

}  // namespace bristle::inline analysis::port_hamiltonian
