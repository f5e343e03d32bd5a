// Port-Hamiltonian systems: blocks with stored energy and ports, connected without loss of power.
//
//   dx/dt = (J - R) dH/dx + (G - P) u                                                       K08 (8)
//   y     = (G + P)' dH/dx + (M + S) u                                                      K08 (8)
//   J, M skew (energy exchange); R, S symmetric (dissipation); G, P rectangular
//   dH/dt = u'y - [dH/dx; u]' [[R P][P' S]] [dH/dx; u]                                      K08 (18), the power balance
//
// The matrices may depend on the state x, the input u (the velocity at a port) and the normal loads N, one for each contact.
//
//   const auto plant = feedback(block::mass(1), block::friction(law));    u: force on the mass, y: its velocity
//   const auto rig = feedback(block::spring(2), plant);                   u: speed of the puller, y: force of the spring
//   step(rig, {x, {0.1}}, 1e-3)                                           one step of 1 ms at 0.1 m/s
//
// Uniqueness of the matrices. Both lines of K08 (8) are one equation:
//   [-dx/dt; y] = Z [dH/dx; u],   Z = [[R - J, P - G], [(G + P)', M + S]]
// A square matrix is the sum of one symmetric and one skew matrix. R, P, S are the symmetric part of Z; J, G, M are the skew part.
// Therefore d1 g0 is split in halves between G and P in K08 (12) and K08 (13). The equations of motion determine Z if Z may depend on
// velocities but not on z; K08 (38) does not state this condition. If Z may depend on z, other Z exist. One of them has a positive
// dissipation matrix wherever friction dissipates.
//
// Sign: u'y is the power supplied to a system. Friction returns the force that opposes the velocity; the feedback subtracts it.
// Limits: H = sum of q x^2/2, one q for each state. N is constant in time: a change of N under LoadOn::all does work that K08 (18)
// does not contain. The dissipation matrix of a friction block may be indefinite although the law is passive, because |z| is bounded
// (K08 IV.B): its eigenvalues do not decide passivity. Functions allocate memory and throw Error: for set-up, studies and proofs.
#pragma once
#include <bristle/contact.hpp>
#include <bristle/simulate/law.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <optional>
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
    // Reads, or overwrites, the block of the given size whose first entry is (i, j).
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

// Returns a^-1 b. Throws Error if a is singular or an entry is not finite.
Matrix solve(const Matrix& a, const Matrix& b);
// Returns the eigenvalues of a symmetric matrix, increasing.
Vector eigenvalues(const Matrix& symmetric);

// ---- a system ------------------------------------------------------------------------------------------------------

// First rule of K08 (8) that six matrices break.
struct StructureFault {
    enum class Rule { finite, symmetric, skew };
    Rule rule;
    char matrix;              // 'J', 'R', 'G', 'P', 'M' or 'S'
    std::size_t row, column;  // of the entry, from 0
};

// The six matrices at one instant; all are zero after construction.
struct Structure {
    Matrix J, R, G, P, M, S;
    Structure(std::size_t states, std::size_t ports)
        : J(states, states), R(J), G(states, ports), P(G), M(ports, ports), S(M) {}

    // Z of the opening comment, and the six matrices from Z.
    Matrix joint() const;
    static Structure from_joint(const Matrix& Z, std::size_t states);
    Matrix dissipation() const;  // [[R P][P' S]] of K08 (18)
    // std::nullopt if J and M are skew, R and S symmetric, all entries finite. Tolerance: 1e-12 of the largest entry of the matrix.
    std::optional<StructureFault> problem() const;
};

struct Instant {
    Vector x;  // state
    Vector u;  // input, one for each port
    // normal loads, one for each contact [N]; empty: all 1, so that the parameters of the laws are forces. Gear laws: give N
    Vector N{};
};

struct Response {
    Vector rate;    // dx/dt
    Vector output;  // y
};

// The terms of K08 (18).  [W]
struct Power {
    double supplied;    // u'y
    double stored;      // dH/dt
    double dissipated;  // by the dissipation matrix
};

struct System {
    std::vector<std::string> states;  // p, l, z ...
    std::size_t ports = 1;            // length of u and of y
    std::size_t contacts = 0;         // length of N
    bool follows_input = true;        // false: the matrices do not depend on u; connections then need fewer iterations
    std::function<Vector(const Vector& N)> stiffness;          // q: H = sum of q x^2/2
    std::function<Structure(const Instant& at)> structure_of;  // not checked; structure(at) checks it

    // Returns the six matrices of K08 (8). Throws Error if a size does not fit or a rule of K08 (8) is broken.
    Structure structure(const Instant& at) const;
    double energy(const Vector& x, const Vector& N = {}) const;  // H [J]
    Vector effort(const Vector& x, const Vector& N = {}) const;  // dH/dx: a velocity or a force
    Response respond(const Instant& at) const;                   // K08 (8)
    Power power(const Instant& at) const;                        // K08 (18)
    Vector loads(const Vector& N) const;                         // N, or all 1 if N is empty
};

// ---- connections ---------------------------------------------------------------------------------------------------

// Connects the ports of all parts:  u_parts = K y_parts + E u,  y = E' y_parts, with the ports in the order of the parts.
// K must be skew: then u'y = u_parts' y_parts, and the connection neither stores, generates nor dissipates power. The states are those
// of the parts, in order; H is the sum of their energies, K08 (32). Feedthrough is allowed everywhere. If a part that follows its
// input closes a loop of feedthrough (friction under a plate without mass), the velocity is found by iteration.
// Throws Error if sizes do not fit, if K is not skew, or (at evaluation) if the iteration does not converge.
System connect(std::vector<System> parts, const Matrix& K, const Matrix& E);

// Negative feedback:  u_plant = u - y_load,  u_load = y_plant,  y = y_plant              K08 (30)
// For a load as in K08 (28) and a plant as in K08 (29) the result is K08 (31) with H of K08 (32), J of K08 (33), R of K08 (34).
// The states are (x_plant, x_load); K08 (31) prints the other order, which does not fit K08 (33) and K08 (34).
System feedback(const System& plant, const System& load);

// ---- a step that keeps the power balance ---------------------------------------------------------------------------

struct Advance {
    Vector x;            // at the end
    Vector y;            // at the middle
    double supplied;     // dt u'y [J]
    double dissipated;   // dt times the dissipated power of K08 (18) [J]
    int iterations = 0;  // evaluations of the matrices
};

// Advances by dt [s] with constant u: midpoint rule, second order, with the matrices of the middle of the step.
// H(end) - H(start) = supplied - dissipated to rounding, because H is quadratic and J and M are skew.
// Like every midpoint rule it oscillates if dt does not resolve the motion (use coupled.hpp then), and z may exceed its bound.
// Throws Error if the iteration for the middle does not converge.
Advance step(const System& system, const Instant& from, double dt);

// ---- blocks --------------------------------------------------------------------------------------------------------

// Laws whose state is one bristle deflection z: LuGre and its relatives, Dahl, elasto-plastic.
template <class Law>
concept OneBristle = std::same_as<typename Law::State, BristleState<double>>;

namespace block {

// x = p: momentum [kg m/s], u = force, y = velocity, H = p^2/(2 m)                       K08 (35)
System mass(double mass);
// x = l: elongation [m], u = rate of elongation, y = force, H = k l^2/2
System spring(double stiffness);
// no state, u = velocity, y = force = d u
System damper(double viscosity);
// no state, u = force, y = velocity = u/d: a plate without mass on a viscous film
System plate(double viscosity);

// Friction, from the law's own rate, damping and viscous force: x = z, u = v, y = F. This is K08 (15), and the load of K08 (28).
//   S = d1 + d2            K08 (9)
//   H = k0 z^2/2           K08 (10)
//   G + P = 1 - d1 g0      K08 (11)
//   G = 1 - d1 g0/2        K08 (12)
//   P = -d1 g0/2           K08 (13)
//   R = g0                 K08 (14); J = M = 0
//   g0 = (v - dz/dt)/(k0 z): |v|/(N mu(v)) for LuGre, 0 in the elastic range of the elasto-plastic law
template <OneBristle Law>
System friction(const Law& law);
// For a law chosen at run time. Throws Error if the state of the law is not one bristle deflection.
System friction(const AnyLaw& law);

}  // namespace block

// ---- details -------------------------------------------------------------------------------------------------------

namespace detail {

void require_load(double N, bool may_vanish);  // throws Error unless N is finite and > 0, or >= 0 if it may vanish

// k0, d1, d2 and g0 of K08 (3), for any law with one bristle.
struct Coefficients {
    double k0, d1, d2, g0;
};
template <class Law>
Coefficients coefficients(const Law& law, double z, double v, double N) {
    require_load(N, LoadInCurve<Law>);
    using D = Dual<double, 1>;
    const double on_force = bristle::loads(law, N).on_force;
    Coefficients c;
    c.k0 = 2 * hamiltonian(law, BristleState<double>{1}, N);
    c.d2 = on_force * (v == 0 ? law.viscous(D::variable(0)).d[0] : law.viscous(v) / v);
    if constexpr (BristleLaw<Law>) {  // dz/dt is linear in z: its slope does not cancel if z is small
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
    f.stiffness = [law](const Vector& N) { return Vector{detail::coefficients(law, 0, 0, N[0]).k0}; };  // K08 (10)
    f.structure_of = [law](const Instant& at) {
        const auto [k0, d1, d2, g0] = detail::coefficients(law, at.x[0], at.u[0], at.N[0]);
        Structure s(1, 1);
        s.S(0, 0) = d1 + d2;          // K08 (9)
        s.G(0, 0) = 1 - d1 * g0 / 2;  // K08 (12)
        s.P(0, 0) = -d1 * g0 / 2;     // K08 (13)
        s.R(0, 0) = g0;               // K08 (14)
        return s;
    };
    return f;
}

}  // namespace bristle::analysis::port_hamiltonian
