// Random machines for tests: bodies in a chain with springs, gaps, a gear, a belt, and contacts of every law with constant, varying and
// spring loads.
#pragma once
#include <bristle/simulate/machine.hpp>

#include "../support/sets.hpp"
#include "simulate/c95_law.hpp"

namespace bristle::inline simulation {

class MachineMaker {
  public:
    explicit MachineMaker(test::Random& random) : r_(random) {
        for_each_law([&](const auto& entry) { kinds_.push_back(entry.kind); });
    }
    Machine next() {
        Machine m{.run = {.duration = r_.uniform(0.3, 1.5), .samples = 101}};
        const int bodies = 1 + r_.below(5);
        for (int i = 0; i < bodies; ++i)
            m.bodies.push_back({.name = name("body", i),
                                .mass = r_.log_uniform(0.05, 20),
                                .force = r_.below(3) == 0 ? r_.uniform(-2, 2) : 0,
                                .x = r_.uniform(-0.01, 0.01),
                                .v = r_.below(3) == 0 ? r_.uniform(-0.2, 0.2) : 0});
        if (r_.below(2) == 0) m.motions.push_back({.name = "belt", .value = input(0.1)});
        if (bodies > 2 && r_.below(3) == 0) {
            m.gears.push_back(
                {.name = "gear", .driver = "body0", .driven = "body1", .ratio = r_.sign() * r_.log_uniform(0.3, 8)});
            m.bodies[1].v = 0;
        }
        for (int i = 0; i < bodies; ++i) {  // each body is connected to what comes before it
            const std::string other = i == 0             ? (m.motions.empty() ? "ground" : "belt")
                                      : r_.below(4) == 0 ? "ground"
                                                         : name("body", i - 1);
            m.springs.push_back({.name = name("spring", i),
                                 .first = name("body", i),
                                 .second = other,
                                 .stiffness = r_.log_uniform(1, 2000),
                                 .damping = r_.below(2) == 0 ? r_.log_uniform(0.01, 5) : 0,
                                 .gap = r_.below(3) == 0 ? r_.log_uniform(1e-4, 1e-2) : 0});
        }
        const int contacts = 1 + r_.below(5);
        for (int i = 0; i < contacts; ++i) m.contacts.push_back(contact(m, i));
        for (int i = 0; i < 1 + r_.below(2); ++i)
            m.forces.push_back({.name = name("force", i), .body = name("body", r_.below(bodies)), .value = input(4)});
        if (!m.motions.empty()) m.springs[0].second = "belt";
        return m;
    }

  private:
    static std::string name(const char* kind, int i) { return std::string(kind).append(std::to_string(i)); }
    Input input(double size) {
        switch (r_.below(4)) {
            case 0:
                return Input::constant(r_.uniform(-size, size));
            case 1:
                return Input::steps({{0.1, r_.uniform(-size, size)}, {0.2, r_.uniform(-size, size)}});
            case 2:
                return Input::ramps({{0, 0}, {0.15, r_.uniform(-size, size)}, {0.25, r_.uniform(-size, size)}});
            default:
                return Input::sine(r_.uniform(-size, size) / 3, size, r_.log_uniform(2, 60), r_.uniform(0, 6));
        }
    }
    ContactPart contact(const Machine& m, int i) {
        const int n = int(m.bodies.size()), a = r_.below(n);
        const int b = r_.below(n);
        const int choice = r_.below(3);
        ContactPart out{.name = name("contact", i),
                        .first = name("body", a),
                        .second = choice == 0 && b != a               ? name("body", b)
                                  : choice == 1 && !m.motions.empty() ? "belt"
                                                                      : "ground",
                        .law = c95_law(kinds_[std::size_t(r_.below(int(kinds_.size())))])};
        if (r_.below(3) == 0)
            out.load =
                r_.below(2) == 0 ? Input::sine(1, 0.5, r_.log_uniform(3, 30), 0) : Input::steps({{0, 1}, {0.17, 0.6}});
        if (r_.below(4) == 0) {
            out.load_spring = name("spring", r_.below(n));
            out.load = Input::constant(0.5);
        }
        return out;
    }
    test::Random& r_;
    std::vector<std::string> kinds_;
};

}  // namespace bristle::simulation
