#include <bristle/analyse/port_hamiltonian.hpp>
#include <bristle/base/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace bristle::inline analysis::port_hamiltonian {

// ---- the six matrices ----------------------------------------------------------------------------------------------

namespace {
// Writes Z of one system into that of several, its states from row x on, its ports from row u on.
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
}  // namespace

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
    s.J = skew.transposed().part(0, 0, n, n);  // of a skew matrix: with the other sign
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

std::string Structure::problem() const {
    enum Rule { any, symmetric, skew };
    const auto broken = [](const char* name, const Matrix& a, Rule rule) -> std::string {
        double largest = 0;
        for (const double x : a.entries()) {
            if (!std::isfinite(x)) return std::string(name) + " holds something that is no finite number";
            largest = std::max(largest, std::abs(x));
        }
        for (std::size_t i = 0; rule != any && i < a.rows(); ++i)
            for (std::size_t j = 0; j <= i; ++j)
                if (std::abs(a(i, j) - (rule == skew ? -1 : 1) * a(j, i)) > 1e-12 * largest)
                    return std::string(name) + " is not " + (rule == skew ? "skew" : "symmetric") + ": row " +
                           std::to_string(i + 1) + ", column " + std::to_string(j + 1) + " holds " +
                           std::to_string(a(i, j)) + ", its mirror image " + std::to_string(a(j, i));
        return "";
    };
    for (const auto& [name, matrix, rule] : {std::tuple{"J", &J, skew},
                                             {"M", &M, skew},
                                             {"R", &R, symmetric},
                                             {"S", &S, symmetric},
                                             {"G", &G, any},
                                             {"P", &P, any}})
        if (std::string text = broken(name, *matrix, rule); !text.empty()) return text;
    return "";
}

// ---- a system ------------------------------------------------------------------------------------------------------

namespace {

Vector joined(Vector a, const Vector& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}
Vector cut(const Vector& x, std::size_t from, std::size_t size) {
    const auto begin = x.begin() + std::ptrdiff_t(from);
    return {begin, begin + std::ptrdiff_t(size)};
}
Matrix column(const Vector& x) {
    Matrix c(x.size(), 1);
    for (std::size_t i = 0; i < x.size(); ++i) c(i, 0) = x[i];
    return c;
}
double dot(const Vector& a, const Vector& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}
void need_size(const char* what, const Vector& x, std::size_t size) {
    if (x.size() != size)
        throw Error(std::string("the system has ") + std::to_string(size) + " " + what + ", not " +
                    std::to_string(x.size()));
}

// dx/dt and y where the matrices and dH/dx are known.
Response response(const Structure& s, const Vector& effort, const Vector& u) {
    Vector both = s.joint() * joined(effort, u);
    for (std::size_t i = 0; i < effort.size(); ++i) both[i] = -both[i];
    return {cut(both, 0, effort.size()), cut(both, effort.size(), u.size())};
}
double dissipated_power(const Structure& s, const Vector& effort, const Vector& u) {
    const Vector both = joined(effort, u);
    return dot(both, s.dissipation() * both);
}

}  // namespace

Vector System::loads(const Vector& N) const {
    if (N.empty()) return Vector(contacts, 1.0);
    need_size("normal loads", N, contacts);
    return N;
}

Structure System::structure(const Instant& at) const {
    need_size("states", at.x, states.size());
    need_size("inputs", at.u, ports);
    const Structure s = structure_of({at.x, at.u, loads(at.N)});
    if (s.R.rows() != states.size() || s.S.rows() != ports) throw Error("the matrices do not have the system's size");
    if (const std::string problem = s.problem(); !problem.empty()) throw Error(problem);
    return s;
}

Vector System::effort(const Vector& x, const Vector& N) const {
    need_size("states", x, states.size());
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

// ---- connections ---------------------------------------------------------------------------------------------------

namespace {

// One pass of an iteration: what came out, and how large the terms were that it is the sum of.
struct Pass {
    Vector value, scale;
};
// Repeats  guess <- pass(guess)  until it stays, and returns how often. How far to go is told by the last two passes (Aitken; for one
// unknown the secant method), and half of it where that led farther away: so it also settles where plain repetition swings or
// creeps. The caller keeps what it needs of the last pass.
template <class Repeat>
int settle(Vector guess, const Repeat& repeat, const char* diagnostic) {
    const std::size_t n = guess.size();
    Vector from = guess, move(n), before;  // the last good guess, the way from there, and what was missing there
    double share = 1;
    for (int i = 1; i <= 100; ++i) {
        const Pass pass = repeat(guess);
        Vector missing(n);  // in units of its scale
        double most = 0;
        for (std::size_t k = 0; k < n; ++k) {
            if (pass.value[k] != guess[k]) missing[k] = (pass.value[k] - guess[k]) / pass.scale[k];
            most = std::max(most, std::abs(missing[k]));
        }
        if (most <= 1e-13) return i;
        if (before.empty() || dot(missing, missing) < dot(before, before)) {
            if (!before.empty()) {
                Vector turn = missing;
                for (std::size_t k = 0; k < n; ++k) turn[k] -= before[k];
                share *= -dot(before, turn) / dot(turn, turn);
            }
            from = guess;
            before = missing;
            for (std::size_t k = 0; k < n; ++k) move[k] = share * (pass.value[k] - guess[k]);
        } else {
            share /= 2;
            for (double& m : move) m /= 2;
        }
        for (std::size_t k = 0; k < n; ++k) guess[k] = from[k] + move[k];
    }
    throw Error(diagnostic);
}

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
    // u_parts = K y_parts + E u,  y_parts = C dH/dx + D u_parts:  u_parts = T [dH/dx; u]
    Matrix inputs(const Matrix& Z) const {
        const Matrix C = Z.part(states, 0, ports, states), D = Z.part(states, states, ports, ports);
        Matrix right(ports, states + E.columns());
        right.put(0, 0, K * C);
        right.put(0, states, E);
        return solve(Matrix::identity(ports) - K * D, right);
    }
    Structure structure(const Instant& at) const {
        const std::size_t n = states, m = E.columns();
        Vector both = stiffness(at.N);
        for (std::size_t i = 0; i < n; ++i) both[i] *= at.x[i];
        both = joined(both, at.u);

        // which velocity the parts see depends on their matrices, and these on the velocity
        Matrix Z(0, 0), T(0, 0);
        settle(
            Vector(ports),
            [&](const Vector& guess) {
                Z = side_by_side(at, guess);
                T = inputs(Z);
                Pass pass{T * both, Vector(ports)};
                for (std::size_t i = 0; i < ports; ++i)
                    for (std::size_t j = 0; j < n + m; ++j) pass.scale[i] += std::abs(T(i, j) * both[j]);
                // the others may be told what they like
                each([&](const System& p, std::size_t, std::size_t u, std::size_t) {
                    for (std::size_t i = u; i < u + p.ports && !p.follows_input; ++i)
                        pass.scale[i] = std::numeric_limits<double>::infinity();
                });
                return pass;
            },
            "the velocity at a contact could not be found: the plant passes it on too directly (give it a mass)");

        // the whole: [-dx/dt; E' y_parts], for [dH/dx; u_parts] = [1 0; T] [dH/dx; u]
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
        throw Error("K and E need a row for each port of the parts, and K as many columns");
    Structure wiring(0, c.ports);
    wiring.M = K;
    if (!wiring.problem().empty()) throw Error("the connection K is not skew: it would make or lose power");
    whole.ports = E.columns();
    whole.contacts = c.contacts;
    whole.stiffness = [c](const Vector& N) { return c.stiffness(N); };
    whole.structure_of = [c](const Instant& at) { return c.structure(at); };
    return whole;
}

System feedback(const System& plant, const System& load) {
    if (plant.ports != load.ports) throw Error("a feedback needs as many ports on one side as on the other");
    const std::size_t m = plant.ports;
    const Matrix one = Matrix::identity(m);
    Matrix K(2 * m, 2 * m), E(2 * m, m);
    K.put(0, m, -1.0 * one);
    K.put(m, 0, one);
    E.put(0, 0, one);
    return connect({plant, load}, K, E);
}

// ---- a step --------------------------------------------------------------------------------------------------------

Advance step(const System& system, const Instant& from, double dt) {
    const std::size_t n = system.states.size();
    const Vector N = system.loads(from.N), q = system.stiffness(N);
    Matrix Q(n, n);
    for (std::size_t i = 0; i < n; ++i) Q(i, i) = q[i];

    Structure s(0, 0);
    Vector middle;
    Advance out;
    out.iterations = settle(
        from.x,
        [&](const Vector& guess) {
            s = system.structure({guess, from.u, N});
            // with the matrices held:  (1 - dt/2 (J - R) Q) middle = x + dt/2 (G - P) u
            const Matrix left = Matrix::identity(n) - 0.5 * dt * ((s.J - s.R) * Q);
            middle = solve(left, column(from.x) + 0.5 * dt * ((s.G - s.P) * column(from.u))).entries();
            // how far each state could move with the energy there is
            Pass pass{middle, Vector(n)};
            const double energy = system.energy(from.x, N) + system.energy(middle, N);
            for (std::size_t i = 0; i < n; ++i) pass.scale[i] = std::sqrt(2 * energy / q[i]);
            return pass;
        },
        "the step is too long: the middle of it could not be found; take a shorter one");

    const Vector effort = system.effort(middle, N);
    const Response r = response(s, effort, from.u);
    out.x = from.x;
    for (std::size_t i = 0; i < n; ++i) out.x[i] += dt * r.rate[i];
    out.y = r.output;
    out.supplied = dt * dot(from.u, r.output);
    out.dissipated = dt * dissipated_power(s, effort, from.u);
    return out;
}

// ---- blocks --------------------------------------------------------------------------------------------------------

namespace block {

System mass(double mass) {
    System b;
    b.states = {"p"};
    b.follows_input = false;
    b.stiffness = [mass](const Vector&) { return Vector{1 / mass}; };
    b.structure_of = [](const Instant&) {
        Structure s(1, 1);
        s.G(0, 0) = 1;
        return s;
    };
    return b;
}

System spring(double stiffness) {
    System b;
    b.states = {"l"};
    b.follows_input = false;
    b.stiffness = [stiffness](const Vector&) { return Vector{stiffness}; };
    b.structure_of = [](const Instant&) {
        Structure s(1, 1);
        s.G(0, 0) = 1;
        return s;
    };
    return b;
}

namespace {
// y = resistance u
System resistor(double resistance) {
    System b;
    b.follows_input = false;
    b.stiffness = [](const Vector&) { return Vector{}; };
    b.structure_of = [resistance](const Instant&) {
        Structure s(0, 1);
        s.S(0, 0) = resistance;
        return s;
    };
    return b;
}
}  // namespace

System damper(double viscosity) { return resistor(viscosity); }
System plate(double viscosity) { return resistor(1 / viscosity); }

System friction(const AnyLaw& law) {
    return std::visit(
        [&](const auto& l) -> System {
            if constexpr (OneBristle<std::remove_cvref_t<decltype(l)>>)
                return friction(l);
            else
                throw Error("the law " + std::string(kind_of(law)) +
                            " has no port-Hamiltonian form here: its memory is not one bristle");
        },
        law);
}

}  // namespace block

namespace detail {
void need_load(double N) {
    if (!(N > 0 && std::isfinite(N))) throw Error("a normal load must be a finite number > 0");
}
}  // namespace detail

}  // namespace bristle::inline analysis::port_hamiltonian
