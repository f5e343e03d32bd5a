// Vectors of port-Hamiltonian systems: joining, cutting, products.
#pragma once
#include <bristle/analyse/port_hamiltonian.hpp>

#include "numerics/linear.hpp"

namespace bristle::inline analysis::port_hamiltonian {

Vector joined(Vector a, const Vector& b);
Vector cut(const Vector& x, std::size_t from, std::size_t size);
using numerics::dot;

}  // namespace bristle::analysis::port_hamiltonian
