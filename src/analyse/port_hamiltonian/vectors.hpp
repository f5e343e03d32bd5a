// Vectors of port-Hamiltonian systems: joining, cutting, products; and the response with known matrices.
#pragma once
#include <bristle/analyse/port_hamiltonian.hpp>

#include "numerics/linear.hpp"

namespace bristle::inline analysis::port_hamiltonian {

Vector joined(Vector a, const Vector& b);
Vector cut(const Vector& x, std::size_t from, std::size_t size);
using numerics::dot;

// Writes Z of one system into that of several: its states from row x on, its ports from row u on.
void put_joint(Matrix& Z, const Structure& s, std::size_t x, std::size_t u);

// dx/dt and y of K08 (8), for known matrices and dH/dx.
Response response(const Structure& s, const Vector& effort, const Vector& u);
// The last term of K08 (18) [W].
double dissipated_power(const Structure& s, const Vector& effort, const Vector& u);

}  // namespace bristle::analysis::port_hamiltonian
