// Structure and System: the matrices of K08 (8) and their rules, the response, and the power balance K08 (18).
//
// Z is the joint matrix of K08 (8): [-dx/dt; y] = Z [dH/dx; u], Z = [[R - J, P - G], [(G + P)', M + S]].
// response() multiplies by Z and changes the sign of the first rows; dissipated_power() is the last term of K08 (18).
#include <bristle/base/error.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "analyse/port_hamiltonian/structure.hpp"
#include "analyse/port_hamiltonian/vectors.hpp"

namespace bristle::inline analysis::port_hamiltonian {

// ---- vectors -------------------------------------------------------------------------------------------------------

Vector joined(Vector a, const Vector& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

Vector cut(const Vector& x, std::size_t from, std::size_t size) {
    const auto begin = x.begin() + std::ptrdiff_t(from);
    return {begin, begin + std::ptrdiff_t(size)};
}

// ---- the six matrices ----------------------------------------------------------------------------------------------

void put_joint(Matrix& Z, const Structure& s, std::size_t x, std::size_t u) {
    const std::size_t n = s.R.rows(), m = s.S.rows();
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) Z(x + i, x + j) = s.R(i, j) - s.J(i, j);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < m; ++j) {
            Z(x + i, u + j) = s.P(i, j) - s.G(i, j);
            Z(u + j, x + i) = s.P(i, j) + s.G(i, j);
        }
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < m; ++j) Z(u + i, u + j) = s.M(i, j) + s.S(i, j);
}

Matrix Structure::joint() const {
    const std::size_t n = R.rows(), m = S.rows();
    Matrix Z(n + m, n + m);
    put_joint(Z, *this, 0, n);
    return Z;
}

Structure Structure::from_joint(const Matrix& Z, std::size_t n) {
    const std::size_t m = Z.rows() - n;
    const Matrix symmetric = 0.5 * (Z + Z.transposed()), skew = 0.5 * (Z - Z.transposed());
    Structure s(n, m);
    s.R = symmetric.part(0, 0, n, n);
    s.P = symmetric.part(0, n, n, m);
    s.S = symmetric.part(n, n, m, m);
    s.J = skew.transposed().part(0, 0, n, n);  // the transpose of a skew matrix has the opposite sign
    s.G = skew.transposed().part(0, n, n, m);
    s.M = skew.part(n, n, m, m);
    return s;
}

Matrix Structure::dissipation() const {
    const std::size_t n = R.rows(), m = S.rows();
    Matrix D(n + m, n + m);
    D.put(0, 0, R);
    D.put(0, n, P);
    D.put(n, 0, P.transposed());
    D.put(n, n, S);
    return D;
}

std::optional<StructureFault> Structure::problem() const {
    using enum StructureFault::Rule;
    const auto fault = [](char name, const Matrix& a, StructureFault::Rule rule) -> std::optional<StructureFault> {
        double largest = 0;
        for (std::size_t i = 0; i < a.rows(); ++i)
            for (std::size_t j = 0; j < a.columns(); ++j) {
                if (!std::isfinite(a(i, j))) return StructureFault{finite, name, i, j};
                largest = std::max(largest, std::abs(a(i, j)));
            }
        for (std::size_t i = 0; rule != finite && i < a.rows(); ++i)
            for (std::size_t j = 0; j <= i; ++j)
                if (std::abs(a(i, j) - (rule == skew ? -1 : 1) * a(j, i)) > 1e-12 * largest)
                    return StructureFault{rule, name, i, j};
        return {};
    };
    for (const auto& [name, matrix, rule] : {std::tuple{'J', &J, skew},
                                             {'M', &M, skew},
                                             {'R', &R, symmetric},
                                             {'S', &S, symmetric},
                                             {'G', &G, finite},
                                             {'P', &P, finite}})
        if (const auto found = fault(name, *matrix, rule)) return found;
    return {};
}

// ---- a system ------------------------------------------------------------------------------------------------------

namespace {

void require_size(const char* what, const Vector& x, std::size_t size) {
    if (x.size() != size)
        throw Error("port-Hamiltonian system: " + std::to_string(x.size()) + " " + what + " given; the system has " +
                    std::to_string(size));
}

Error error_of(const StructureFault& fault) {
    const char* rules[] = {"is not finite", "breaks the symmetry of the matrix",
                           "breaks the skew symmetry of the matrix"};
    // a string of its own: g++ 12 reports a wrong array bound in a sum that begins with a temporary
    std::string text = "port-Hamiltonian system: ";
    text += fault.matrix;
    text += "(" + std::to_string(fault.row + 1) + ", " + std::to_string(fault.column + 1) + ") ";
    text += rules[int(fault.rule)];
    return Error(text);
}

}  // namespace

// K08 (8)
Response response(const Structure& s, const Vector& effort, const Vector& u) {
    Vector rate_and_output = s.joint() * joined(effort, u);
    for (std::size_t i = 0; i < effort.size(); ++i) rate_and_output[i] = -rate_and_output[i];
    return {cut(rate_and_output, 0, effort.size()), cut(rate_and_output, effort.size(), u.size())};
}

// K08 (18)
double dissipated_power(const Structure& s, const Vector& effort, const Vector& u) {
    const Vector effort_and_input = joined(effort, u);
    return dot(effort_and_input, s.dissipation() * effort_and_input);
}

Vector System::loads(const Vector& N) const {
    if (N.empty()) return Vector(contacts, 1.0);
    require_size("normal loads", N, contacts);
    return N;
}

Structure System::structure(const Instant& at) const {
    require_size("states", at.x, states.size());
    require_size("inputs", at.u, ports);
    const Structure s = structure_of({at.x, at.u, loads(at.N)});
    if (s.R.rows() != states.size() || s.S.rows() != ports)
        throw Error("port-Hamiltonian system: structure_of returns matrices of another size");
    if (const auto fault = s.problem()) throw error_of(*fault);
    return s;
}

Vector System::effort(const Vector& x, const Vector& N) const {
    require_size("states", x, states.size());
    Vector e = stiffness(loads(N));
    for (std::size_t i = 0; i < x.size(); ++i) e[i] *= x[i];
    return e;
}

double System::energy(const Vector& x, const Vector& N) const { return 0.5 * dot(effort(x, N), x); }

Response System::respond(const Instant& at) const { return response(structure(at), effort(at.x, at.N), at.u); }

Power System::power(const Instant& at) const {
    const Structure s = structure(at);
    const Vector e = effort(at.x, at.N);
    const Response r = response(s, e, at.u);
    return {dot(at.u, r.output), dot(e, r.rate), dissipated_power(s, e, at.u)};
}

}  // namespace bristle::analysis::port_hamiltonian
