// Assembly of a machine: generalised coordinates after the elimination of gears, masses, and the matrix J of the contacts.
//
//   M dv/dt = f - J' F,   c = J v + b(t)        science: several contacts
// Bodies joined by gears have one coordinate q, v: x_body = x0 + ratio (q - q0), v_body = ratio v. M is diagonal, because every
// body has its own inertia and one coordinate. The coordinate is that of the first body of the group that no gear drives.
#pragma once
#include <bristle/simulate/machine.hpp>

namespace bristle::inline simulation {

// End of a part: a body (coordinate >= 0), a motion (motion >= 0) or the ground.
struct Node {
    int coordinate = -1, motion = -1;
    double ratio = 1;       // v = ratio v_coordinate
    double offset = 0;      // x = offset + ratio q_coordinate
    std::size_t index = 0;  // in Assembly::nodes
    bool is_ground() const { return coordinate < 0 && motion < 0; }
};

struct Ends {
    Node first, second;
};

struct Assembly {
    std::vector<double> mass;   // M, per coordinate
    std::vector<double> q, v;   // start, per coordinate
    std::vector<Node> bodies;   // per body of the machine
    std::vector<Node> nodes;    // bodies, motions, and the ground
    std::vector<Ends> springs;  // per spring
    std::vector<Ends> contacts;
    std::vector<Node> forces;       // per force: its body
    std::vector<int> load_springs;  // per contact: spring whose force is added to the load; -1: none
    std::vector<double> J;          // contacts x coordinates, row by row
    std::vector<double> A;          // J M^-1 J', contacts x contacts

    std::size_t coordinates() const { return mass.size(); }
    double jacobian(std::size_t contact, std::size_t k) const { return J[contact * mass.size() + k]; }
    // 1/A_ii: mass that the contact moves; infinity for a contact whose motion is prescribed [kg].
    double contact_mass(std::size_t i) const { return 1 / A[i * contacts.size() + i]; }
};

// The parts of a machine joined by gears: per body the coordinate and the ratio; -1 where a loop of gears was found.
struct Gearing {
    std::vector<int> root;      // body that has the coordinate of this body
    std::vector<double> ratio;  // v_body = ratio v_root
    int loop = -1;              // a gear that closes a loop; -1: none
};
// Names of gears must exist.
Gearing gearing_of(const Machine& machine);

// Returns the index of the part with a name; -1 if there is none.
template <class Parts>
int index_of(const Parts& parts, const std::string& name) {
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (parts[i].name == name) return int(i);
    return -1;
}

// Throws Error with all problems(machine).
void require_valid(const Machine& machine);

// problems(machine) must be empty.
Assembly assemble(const Machine& machine);

}  // namespace bristle::simulation
