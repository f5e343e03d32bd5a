// Products with the joint matrix of K08 (8), for known matrices.
//
//   [-dx/dt; y] = Z [dH/dx; u],   Z = [[R - J, P - G], [(G + P)', M + S]]
#pragma once
#include <bristle/analyse/port_hamiltonian.hpp>

namespace bristle::inline analysis::port_hamiltonian {

// Writes Z of one system into that of several: its states from row x on, its ports from row u on.
void put_joint(Matrix& Z, const Structure& s, std::size_t x, std::size_t u);

// dx/dt and y of K08 (8), for known matrices and dH/dx.
Response response(const Structure& s, const Vector& effort, const Vector& u);
// The last term of K08 (18) [W].
double dissipated_power(const Structure& s, const Vector& effort, const Vector& u);

}  // namespace bristle::analysis::port_hamiltonian
