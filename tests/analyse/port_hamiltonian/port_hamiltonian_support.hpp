// Shared by the tests of port-Hamiltonian systems: comparison of matrices, random systems.
#pragma once
#include <bristle/analyse/port_hamiltonian.hpp>
#include <gtest/gtest.h>

#include <algorithm>

#include "../../simulate/cases.hpp"
#include "../../support/sets.hpp"

namespace bristle::inline analysis::port_hamiltonian {

using test::Random;

// The laws that have a port-Hamiltonian block, by kind.
inline const char* const one_bristle[] = {"dahl",         "lugre",        "lugre_microdamped",
                                          "lugre_smooth", "lugre_makkar", "elastoplastic"};

inline double largest(const Matrix& a) {
    double most = 0;
    for (const double x : a.entries()) most = std::max(most, std::abs(x));
    return most;
}
inline void expect_equal(const Matrix& a, const Matrix& b, double tolerance) {
    ASSERT_EQ(a.rows(), b.rows());
    ASSERT_EQ(a.columns(), b.columns());
    EXPECT_LE(largest(a - b), tolerance);
}
inline Vector plus(Vector a, double factor, const Vector& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += factor * b[i];
    return a;
}
inline Matrix random_matrix(Random& r, std::size_t rows, std::size_t columns) {
    Matrix a(rows, columns);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) a(i, j) = r.uniform(-1, 1);
    return a;
}
inline Vector random_vector(Random& r, std::size_t n) { return random_matrix(r, n, 1).entries(); }

// A system with random matrices of K08 (8) and a positive dissipation matrix.
inline System random_linear(Random& r, std::size_t states, std::size_t ports) {
    const Matrix a = random_matrix(r, states + ports, states + ports),
                 b = random_matrix(r, states + ports, states + ports);
    System s;
    s.states.assign(states, "x");
    s.ports = ports;
    Vector q(states);
    for (double& x : q) x = r.uniform(0.5, 2);
    s.stiffness = [q](const Vector&) { return q; };
    const Structure matrices = Structure::from_joint(a * a.transposed() + b - b.transposed(), states);
    s.structure_of = [matrices](const Instant&) { return matrices; };
    return s;
}

}  // namespace bristle::analysis::port_hamiltonian
