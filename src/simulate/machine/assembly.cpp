// Generalised coordinates of a machine.
#include "simulate/machine/assembly.hpp"

#include <limits>

namespace bristle::inline simulation {

namespace {

// Returns the body of a group that no gear drives; the first one in the order of the machine.
std::size_t leader_of(const Machine& machine, const std::vector<int>& group, int g) {
    std::size_t any = 0;
    for (std::size_t i = group.size(); i-- > 0;) {
        if (group[i] != g) continue;
        any = i;
    }
    for (std::size_t i = any; i < group.size(); ++i) {
        if (group[i] != g) continue;
        bool driven = false;
        for (const Gear& gear : machine.gears) driven = driven || gear.driven == machine.bodies[i].name;
        if (!driven) return i;
    }
    return any;
}

}  // namespace

Gearing gearing_of(const Machine& machine) {
    const std::size_t n = machine.bodies.size();
    std::vector<int> group(n);
    for (std::size_t i = 0; i < n; ++i) group[i] = int(i);
    Gearing out{std::vector<int>(n, -1), std::vector<double>(n, 0)};
    for (std::size_t g = 0; g < machine.gears.size(); ++g) {
        const auto a = std::size_t(index_of(machine.bodies, machine.gears[g].driver)),
                   b = std::size_t(index_of(machine.bodies, machine.gears[g].driven));
        if (group[a] == group[b]) {
            out.loop = int(g);
            return out;
        }
        const int joined = group[b];
        for (int& other : group)
            if (other == joined) other = group[a];
    }
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t root = leader_of(machine, group, group[i]);
        out.root[i] = int(root);
        if (root == i) out.ratio[i] = 1;
    }
    // a tree: each pass reaches the bodies one gear further from the root
    for (std::size_t pass = 0; pass < machine.gears.size(); ++pass)
        for (const Gear& gear : machine.gears) {
            double &a = out.ratio[std::size_t(index_of(machine.bodies, gear.driver))],
                   &b = out.ratio[std::size_t(index_of(machine.bodies, gear.driven))];
            if (a != 0 && b == 0) b = a / gear.ratio;
            if (b != 0 && a == 0) a = b * gear.ratio;
        }
    return out;
}

Assembly assemble(const Machine& machine) {
    Assembly out;
    const Gearing gearing = gearing_of(machine);
    std::vector<int> coordinate(machine.bodies.size(), -1);
    for (std::size_t i = 0; i < machine.bodies.size(); ++i) {
        if (gearing.root[i] != int(i)) continue;
        coordinate[i] = int(out.mass.size());
        out.mass.push_back(0);
        out.q.push_back(machine.bodies[i].x);
        out.v.push_back(machine.bodies[i].v);
    }
    for (std::size_t i = 0; i < machine.bodies.size(); ++i) {
        const Body& body = machine.bodies[i];
        const int k = coordinate[std::size_t(gearing.root[i])];
        const double ratio = gearing.ratio[i], q0 = out.q[std::size_t(k)];
        out.mass[std::size_t(k)] += body.mass * ratio * ratio;
        out.bodies.push_back({k, -1, ratio, gearing.root[i] == int(i) ? 0 : body.x - ratio * q0, i});
    }
    out.nodes = out.bodies;
    for (std::size_t i = 0; i < machine.motions.size(); ++i)
        out.nodes.push_back({.motion = int(i), .index = machine.bodies.size() + i});
    out.nodes.push_back({.index = out.nodes.size()});
    const auto node = [&](const std::string& name) -> Node {
        if (const int i = index_of(machine.bodies, name); i >= 0) return out.nodes[std::size_t(i)];
        if (const int i = index_of(machine.motions, name); i >= 0)
            return out.nodes[machine.bodies.size() + std::size_t(i)];
        return out.nodes.back();
    };
    for (const Spring& s : machine.springs) out.springs.push_back({node(s.first), node(s.second)});
    for (const ContactPart& c : machine.contacts) {
        out.contacts.push_back({node(c.first), node(c.second)});
        out.load_springs.push_back(c.load_spring.empty() ? -1 : index_of(machine.springs, c.load_spring));
    }
    for (const Force& f : machine.forces) out.forces.push_back(node(f.body));

    const std::size_t K = out.mass.size(), n = out.contacts.size();
    out.J.assign(n * K, 0);
    for (std::size_t i = 0; i < n; ++i) {
        const auto& [first, second] = out.contacts[i];
        if (first.coordinate >= 0) out.J[i * K + std::size_t(first.coordinate)] += first.ratio;
        if (second.coordinate >= 0) out.J[i * K + std::size_t(second.coordinate)] -= second.ratio;
    }
    out.A.assign(n * n, 0);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            for (std::size_t k = 0; k < K; ++k)
                out.A[i * n + j] += out.jacobian(i, k) * out.jacobian(j, k) / out.mass[k];
    return out;
}

}  // namespace bristle::simulation
