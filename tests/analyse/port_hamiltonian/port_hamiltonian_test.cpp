// Port-Hamiltonian systems: the rules of the matrices, the blocks against their laws, connections against K08 (33), K08 (34) and
// the equations of a rig, and the statements of K08 on uniqueness and indefinite matrices.
#include <bristle/base/error.hpp>

#include <array>

#include "port_hamiltonian_support.hpp"

namespace bristle::inline analysis::port_hamiltonian {
namespace {

// ---- matrices ------------------------------------------------------------------------------------------------------

// Oracle: the second difference of 6 points has the eigenvalues 2 - 2 cos(k pi/7).
TEST(Matrix, EigenvaluesOfTheSecondDifferenceEqualTheClosedForm) {
    const std::size_t n = 6;
    Matrix a(n, n);
    for (std::size_t i = 0; i < n; ++i) {
        a(i, i) = 2;
        if (i > 0) a(i, i - 1) = a(i - 1, i) = -1;
    }
    const Vector found = eigenvalues(a);
    for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(found[k], 2 - 2 * std::cos(M_PI * double(k + 1) / 7), 1e-14);
    EXPECT_EQ(eigenvalues(Matrix{{0, 1}, {1, 0}}), (Vector{-1, 1}));
}

TEST(Matrix, SolveInvertsAProductAndRejectsASingularMatrix) {
    Random r(1);
    for (int i = 0; i < 100; ++i) {
        const Matrix a = random_matrix(r, 5, 5) + Matrix::identity(5), x = random_matrix(r, 5, 2);
        expect_equal(solve(a, a * x), x, 1e-9);
    }
    expect_equal(solve(Matrix{{0, 2}, {4, 0}}, Matrix{{2}, {4}}), Matrix{{1}, {1}}, 0);  // zero diagonal: needs a pivot
    EXPECT_THROW(solve(Matrix{{1, 2}, {2, 4}}, Matrix{{1}, {1}}), Error);
}

// ---- the structure -------------------------------------------------------------------------------------------------

TEST(PortHamiltonian, MatricesThatBreakARuleAreReportedAndRejected) {
    using Rule = StructureFault::Rule;
    struct Case {
        Matrix Structure::*which;
        char name;
        Rule rule;
    };
    for (const Case& c : {Case{&Structure::J, 'J', Rule::skew}, Case{&Structure::M, 'M', Rule::skew},
                          Case{&Structure::R, 'R', Rule::symmetric}, Case{&Structure::S, 'S', Rule::symmetric},
                          Case{&Structure::G, 'G', Rule::finite}, Case{&Structure::P, 'P', Rule::finite}}) {
        Random r(2);
        System s = random_linear(r, 2, 2);
        Structure broken = s.structure({{1, 2}, {3, 4}});
        EXPECT_FALSE(broken.problem());
        (broken.*c.which)(1, 0) += c.rule == Rule::finite ? NAN : 1e-9;
        const auto fault = broken.problem();
        ASSERT_TRUE(fault) << c.name;
        EXPECT_EQ(fault->matrix, c.name);
        EXPECT_EQ(fault->rule, c.rule);
        EXPECT_EQ(fault->row, 1u);
        EXPECT_EQ(fault->column, 0u);
        s.structure_of = [broken](const Instant&) { return broken; };
        EXPECT_THROW(s.respond({{1, 2}, {3, 4}}), Error);
    }
}

TEST(PortHamiltonian, WrongSizesAndLoadsAreRejected) {
    const System s = feedback(block::mass(1), block::friction(test::c95));
    EXPECT_NO_THROW(s.respond({{1, 0}, {0}}));
    EXPECT_THROW(s.respond({{1}, {0}}), Error);
    EXPECT_THROW(s.respond({{1, 0}, {}}), Error);
    EXPECT_THROW(s.respond({{1, 0}, {0}, {1, 1}}), Error);
    EXPECT_THROW(s.respond({{1, 0}, {0}, {0}}), Error);  // a load of 0
    EXPECT_THROW(connect({block::mass(1), block::mass(2)}, Matrix{{0, 1}, {1, 0}}, Matrix{{1}, {0}}), Error);
    EXPECT_THROW(connect({block::mass(1), block::mass(2)}, Matrix{{0}}, Matrix{{1}, {0}}), Error);
    Random r(3);
    try {
        feedback(block::mass(1), random_linear(r, 1, 2));
        ADD_FAILURE() << "one port against two";
    } catch (const Error& e) {
        EXPECT_STREQ(e.what(), "port-Hamiltonian feedback: plant and load must have the same number of ports");
    }
    System larger = block::mass(1);
    larger.structure_of = [](const Instant&) { return Structure(2, 1); };
    EXPECT_THROW(larger.respond({{1}, {0}}), Error);
}

// K08 (18) at an instant. The three terms come from different matrices. Tolerance: rounding of the sum of all terms.
TEST(PortHamiltonian, SuppliedPowerIsStoredPlusDissipated) {
    Random r(4);
    std::vector<System> systems{block::mass(2), block::spring(3), block::damper(4), block::plate(5),
                                random_linear(r, 3, 2)};
    for (const char* kind : one_bristle) {
        systems.push_back(block::friction(c95_law(kind)));
        systems.push_back(feedback(block::spring(2), feedback(block::mass(1), systems.back())));
    }
    double worst = 0;
    for (const System& s : systems)
        for (int i = 0; i < 200; ++i) {
            Vector x = random_vector(r, s.states.size());
            for (std::size_t k = 0; k < x.size(); ++k)
                if (s.states[k] == "z") x[k] *= 2e-5;
            const Instant at{x, random_vector(r, s.ports)};
            const Power p = s.power(at);
            // in units of the largest terms
            const Matrix Z = s.structure(at).joint();
            Vector both = s.effort(x);
            both.insert(both.end(), at.u.begin(), at.u.end());
            double scale = 0;
            for (std::size_t k = 0; k < both.size(); ++k)
                for (std::size_t j = 0; j < both.size(); ++j) scale += std::abs(both[k] * Z(k, j) * both[j]);
            worst = std::max(worst, std::abs(p.supplied - p.stored - p.dissipated) / scale);
        }
    EXPECT_LT(worst, 4e-15);
}

// ---- blocks --------------------------------------------------------------------------------------------------------

// Oracle: K08 (3), K08 (9), K08 (10), K08 (12), K08 (13), K08 (14) written out for one parameter set and a normal load.
TEST(FrictionBlock, OfLuGreEqualsK08) {
    const LuGre law{.sigma0 = 400, .sigma1 = 3, .sigma2 = 2, .curve = {0.6, 0.9, 0.02}, .load_on = LoadOn::all};
    const double N = 7, v = -0.03, k0 = 2800, d1 = 21, d2 = 14;
    const double g0 = 0.03 / (7 * (0.6 + 0.3 * std::exp(-2.25)));
    const System f = block::friction(law);
    EXPECT_NEAR(f.energy({1e-3}, {N}), k0 * 1e-6 / 2, 1e-18);
    const Structure s = f.structure({{1e-3}, {v}, {N}});
    EXPECT_EQ(s.J(0, 0), 0);
    EXPECT_EQ(s.M(0, 0), 0);
    EXPECT_NEAR(s.R(0, 0), g0, 1e-17);
    EXPECT_NEAR(s.G(0, 0), 1 - d1 * g0 / 2, 1e-15);
    EXPECT_NEAR(s.P(0, 0), -d1 * g0 / 2, 1e-16);
    EXPECT_NEAR(s.S(0, 0), d1 + d2, 1e-14);
    EXPECT_NEAR(f.structure({{1e-3}, {0}, {N}}).S(0, 0), d1 + d2, 1e-14);
}

// Cubic drag on top of sigma2 v: S then depends on v.
struct Cubic {
    template <class S>
    S operator()(const S& v) const noexcept {
        return v * v * v;
    }
};
template <class Law>
double farthest_from(const Law& law, Random& r) {
    const System f = block::friction(law);
    double worst = 0;
    for (int i = 0; i < 400; ++i) {
        const double N = r.log_uniform(0.1, 10), bound = 2e-5 * (law.load_on == LoadOn::all ? 1 : N);
        const double z = i % 20 == 0 ? 0 : r.sign() * r.log_uniform(1e-6, 1) * bound;
        const double v = i % 10 == 0 ? 0 : r.sign() * r.log_uniform(1e-8, 1);
        const Response got = f.respond({{z}, {v}, {N}});
        const double dz = rate(law, z, v, N), F = force(law, z, v, N);
        // each in units of its largest term
        worst = std::max(worst, std::abs(got.rate[0] - dz) / (std::abs(v) + std::abs(v - dz) + 1e-300));
        worst = std::max(
            worst, std::abs(got.output[0] - F) / (f.effort({std::abs(z)}, {N})[0] + 2e3 * N * std::abs(v) + 1e-300));
        EXPECT_DOUBLE_EQ(f.energy({z}, {N}), hamiltonian(law, BristleState<double>{z}, N));
    }
    return worst;
}
TEST(FrictionBlock, RateForceAndEnergyEqualThoseOfTheLaw) {
    Random r(5);
    for (const char* kind : one_bristle)
        std::visit(
            [&](auto law) {
                if constexpr (OneBristle<decltype(law)>)
                    for (const LoadOn on : {LoadOn::curve, LoadOn::all}) {
                        law.load_on = on;
                        EXPECT_LT(farthest_from(law, r), 1e-14) << kind;
                    }
                else
                    ADD_FAILURE() << kind;
            },
            c95_law(kind));
    using CubicLuGre = basic_lugre<double, Stribeck, NoFade, Cubic>;
    EXPECT_LT(farthest_from(CubicLuGre{.sigma0 = 1e5, .sigma1 = 300, .sigma2 = 1, .curve = test::c95_curve}, r), 1e-14);
}

TEST(FrictionBlock, RejectsLawsWhoseStateIsNotOneBristle) {
    for (const char* kind : {"coulomb", "stribeck", "stribeck_smooth", "makkar", "hysteretic", "maxwell_slip"})
        EXPECT_THROW(block::friction(c95_law(kind)), Error) << kind;
}

// ---- connections ---------------------------------------------------------------------------------------------------

// A mass with LuGre: J of K08 (33) and R of K08 (34) with Jp = Rp = 0, Gp = 1, in the order (p, z).
TEST(Feedback, OfMassAndLuGreEqualsK08Equations33And34) {
    Random r(6);
    const System lugre = block::friction(test::c95), whole = feedback(block::mass(2), lugre);
    EXPECT_EQ(whole.states, (std::vector<std::string>{"p", "z"}));
    for (int i = 0; i < 200; ++i) {
        const double v = r.sign() * r.log_uniform(1e-6, 1), z = r.uniform(-1.5e-5, 1.5e-5);
        const Structure l = lugre.structure({{z}, {v}}), s = whole.structure({{2 * v, z}, {r.uniform(-1, 1)}});
        const double G = l.G(0, 0), P = l.P(0, 0);
        const double size = 1 + largest(l.S) + largest(l.G);
        expect_equal(s.J, Matrix{{0, -G}, {G, 0}}, 1e-15 * size);
        expect_equal(s.R, Matrix{{l.S(0, 0), P}, {P, l.R(0, 0)}}, 1e-15 * size);
        EXPECT_EQ(largest(s.J + s.J.transposed()), 0);
        EXPECT_EQ(largest(s.R - s.R.transposed()), 0);
        expect_equal(s.G, Matrix{{1}, {0}}, 0);
        EXPECT_EQ(largest(s.P) + largest(s.M) + largest(s.S), 0);
    }
}

// Any plant without feedthrough, with Jp, Rp and Gp of its own.
TEST(Feedback, OfARandomPlantAndLuGreEqualsK08Equations33And34) {
    Random r(7);
    const System lugre = block::friction(test::c95);
    for (int i = 0; i < 100; ++i) {
        const System any = random_linear(r, 3, 1);
        Structure p = any.structure({{0, 0, 0}, {0}});
        p.P = Matrix(3, 1);
        p.S = p.M = Matrix(1, 1);
        System plant = any;
        plant.structure_of = [p](const Instant&) { return p; };
        const Vector x = random_vector(r, 3);
        const double v = plant.respond({x, {0}}).output[0], z = 1e-5 * r.uniform(-1, 1);
        const Structure l = lugre.structure({{z}, {v}}),
                        s = feedback(plant, lugre).structure({{x[0], x[1], x[2], z}, {1}});
        const Matrix GG = p.G * l.G.transposed(), GP = p.G * l.P.transposed(), GSG = p.G * l.S * p.G.transposed();
        Matrix J(4, 4), R(4, 4);
        J.put(0, 0, p.J);
        J.put(0, 3, -1.0 * GG);
        J.put(3, 0, GG.transposed());
        R.put(0, 0, p.R + GSG);
        R.put(0, 3, GP);
        R.put(3, 0, GP.transposed());
        R.put(3, 3, l.R);
        const double size = 1 + largest(l.S);
        expect_equal(s.J, J, 1e-15 * size);
        expect_equal(s.R, R, 1e-15 * size);
    }
}

// Feedthrough on both sides: the port equations K08 (30) hold, and the rates of the parts are those of the whole.
TEST(Feedback, WithFeedthroughOnBothSidesSatisfiesThePortEquations) {
    Random r(8);
    for (int i = 0; i < 200; ++i) {
        const std::size_t ports = 1 + std::size_t(r.below(3));
        const System plant = random_linear(r, 2, ports), load = random_linear(r, 3, ports),
                     whole = feedback(plant, load);
        const Vector xp = random_vector(r, 2), xl = random_vector(r, 3), u = random_vector(r, ports);
        Vector x = xp;
        x.insert(x.end(), xl.begin(), xl.end());
        const Response all = whole.respond({x, u});
        const Response l = load.respond({xl, all.output}), p = plant.respond({xp, plus(u, -1, l.output)});
        Vector rates = p.rate;
        rates.insert(rates.end(), l.rate.begin(), l.rate.end());
        for (std::size_t k = 0; k < ports; ++k) EXPECT_NEAR(p.output[k], all.output[k], 1e-11);
        for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(rates[k], all.rate[k], 1e-11);
        EXPECT_GE(eigenvalues(whole.structure({x, u}).dissipation())[0], -1e-12);  // two dissipative parts
    }
}

// A plate without mass on a law: its velocity solves d v + F(z, v) = u (oracle: bisection). The root is unique if d + dF/dv > 0: for d
// large enough, and for every d if the bristle pushes in the direction of motion. A spring with the force u gives the same velocity.
TEST(Feedback, VelocityOfAPlateWithoutMassSolvesTheForceBalance) {
    Random r(9);
    for (int i = 0; i < 600; ++i) {
        const bool pushed = r.below(2);
        const double d = r.log_uniform(pushed ? 1 : 300, 1e4), u = r.uniform(-5, 5), k = 1e3;
        const double z = 1.4e-5 * (pushed ? (u > 0 ? -1 : 1) * r.uniform(0, 1) : r.uniform(-1, 1));
        double low = -10, high = 10;
        for (int j = 0; j < 200; ++j) {
            const double v = (low + high) / 2;
            (d * v + force(test::c95, z, v) < u ? low : high) = v;
        }
        const System plate = feedback(block::plate(d), block::friction(test::c95));
        const Response got = plate.respond({{z}, {u}}),
                       pulled = feedback(block::spring(k), plate).respond({{u / k, z}, {0}});
        EXPECT_NEAR(got.output[0], low, 1e-12) << d << ' ' << z << ' ' << u;
        EXPECT_NEAR(got.rate[0], rate(test::c95, z, low), 1e-11);
        EXPECT_NEAR(pulled.rate[0], -low, 1e-12) << d << ' ' << z << ' ' << u;
    }
}

// The same three parts, connected at once or one after the other, in every order.
TEST(Connect, RatesDoNotDependOnTheOrderOfConnection) {
    Random r(10);
    const std::vector<System> parts{block::mass(1), block::friction(test::c95), block::spring(2)};
    // force on the mass = spring - friction; the input of friction is the velocity of the mass; the spring is pulled at u
    const Matrix K{{0, -1, 1}, {1, 0, 0}, {-1, 0, 0}}, E{{0}, {0}, {1}};
    std::vector<System> systems{feedback(parts[2], feedback(parts[0], parts[1]))};
    std::array<std::size_t, 3> order{0, 1, 2};
    do {
        Matrix k(3, 3), e(3, 1);
        std::vector<System> chosen;
        for (std::size_t i = 0; i < 3; ++i) {
            chosen.push_back(parts[order[i]]);
            e(i, 0) = E(order[i], 0);
            for (std::size_t j = 0; j < 3; ++j) k(i, j) = K(order[i], order[j]);
        }
        systems.push_back(connect(chosen, k, e));
    } while (std::next_permutation(order.begin(), order.end()));
    ASSERT_EQ(systems.size(), 7u);
    for (int i = 0; i < 100; ++i) {
        const double v = r.sign() * r.log_uniform(1e-7, 1), l = r.uniform(-1, 1), z = r.uniform(-1.5e-5, 1.5e-5);
        // oracle: the law, and the rig equations of simulate
        const auto rig = PulledSpring{1, 2, 0.1}.equations();
        const double dv = (rig.pull(l, v, 0.0) - force(test::c95, z, v)) / rig.inertia;
        for (const System& s : systems) {
            Vector x;
            for (const std::string& name : s.states) x.push_back(name == "l" ? l : name == "p" ? v : z);
            const Response got = s.respond({x, {0.1}});
            for (std::size_t k = 0; k < 3; ++k) {
                const double want = s.states[k] == "l"   ? rig.drift + rig.sense * v
                                    : s.states[k] == "p" ? dv
                                                         : rate(test::c95, z, v);
                EXPECT_NEAR(got.rate[k], want, 1e-14 * (2 + 700 * std::abs(v))) << s.states[k];
            }
            EXPECT_NEAR(got.output[0], 2 * l, 1e-15);
        }
    }
}

// Two masses with a spring between them, each on a contact with its own load.
TEST(Connect, EachContactUsesItsOwnLoad) {
    const LuGre rough{.sigma0 = 1e5, .sigma1 = 300, .sigma2 = 1, .curve = test::c95_curve, .load_on = LoadOn::all};
    const LuGre fine{.sigma0 = 2e4, .sigma1 = 50, .sigma2 = 2, .curve = test::c95_curve, .load_on = LoadOn::all};
    const auto pushed = feedback(block::mass(1), block::friction(rough)),
               drawn = feedback(block::mass(2), block::friction(fine));
    // pushed: u - spring; spring: velocity of the first less that of the second; drawn: spring
    const auto pair =
        connect({pushed, block::spring(30), drawn}, Matrix{{0, -1, 0}, {1, 0, -1}, {0, 1, 0}}, Matrix{{1}, {0}, {0}});
    EXPECT_EQ(pair.states, (std::vector<std::string>{"p", "z", "l", "p", "z"}));
    EXPECT_EQ(pair.contacts, 2u);
    const double v1 = 0.02, z1 = 1e-5, l = 0.03, v2 = -3e-3, z2 = 2e-5, N1 = 3, N2 = 0.5;
    const Response got = pair.respond({{v1, z1, l, 2 * v2, z2}, {4}, {N1, N2}});
    const double want[] = {4 - 30 * l - force(rough, z1, v1, N1), rate(rough, z1, v1, N1), v1 - v2,
                           30 * l - force(fine, z2, v2, N2), rate(fine, z2, v2, N2)};
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(got.rate[i], want[i], 1e-13 * (1 + std::abs(want[i]))) << i;
    EXPECT_NEAR(got.output[0], v1, 1e-17);
    EXPECT_NEAR(pair.energy({v1, z1, l, 2 * v2, z2}, {N1, N2}),
                v1 * v1 / 2 + 3e5 * z1 * z1 / 2 + 30 * l * l / 2 + v2 * v2 + 1e4 * z2 * z2 / 2, 1e-15);
}

// ---- statements of K08 on its matrices ------------------------------------------------------------------------------

// A mass with LuGre, written without blocks: dH/dx = (v, k0 z), d/dt (p, z) = (-F, dz/dt).
Matrix motion(const LuGre& law, double v, double z) { return Matrix{{-force(law, z, v)}, {rate(law, z, v)}}; }

// "K08 (38) admits only one unique realization": at one velocity the rates at two z give J - R; its skew part is J, its symmetric part
// -R. The term d1 g0 is split in halves between them, as in K08 (12) and K08 (13).
TEST(Uniqueness, RatesAtTwoDeflectionsDetermineJAndR) {
    Random r(13);
    const System whole = feedback(block::mass(1), block::friction(test::c95));
    for (int i = 0; i < 100; ++i) {
        const double v = r.sign() * r.log_uniform(1e-3, 0.1), z = 1e-5, k0 = 1e5;
        const Matrix slope = 1 / (2 * k0 * z) * (motion(test::c95, v, z) - motion(test::c95, v, -z)),
                     rest = 1 / (2 * v) * (motion(test::c95, v, z) + motion(test::c95, v, -z));
        Matrix A(2, 2);
        A.put(0, 0, rest);
        A.put(0, 1, slope);
        const Structure s = whole.structure({{v, r.uniform(-1.5e-5, 1.5e-5)}, {0}});
        const double size = largest(A);
        expect_equal(s.J, 0.5 * (A - A.transposed()), 1e-12 * size);
        expect_equal(s.R, -0.5 * (A + A.transposed()), 1e-12 * size);
        const double d1 = std::sqrt(1e5), g0 = std::abs(v) / (1 + 0.5 * std::exp(-v * v * 1e6));
        EXPECT_NEAR(s.J(1, 0), 1 - d1 * g0 / 2, 1e-12 * size);
        EXPECT_NEAR(s.R(1, 0), -d1 * g0 / 2, 1e-12 * size);
    }
}

// For any other split of K08 (11), G = 1 - fraction d1 g0, P = -(1 - fraction) d1 g0, R of K08 (14) depends on z.
TEST(Uniqueness, OnlyTheSplitInHalvesGivesRIndependentOfZ) {
    const double v = 0.01, k0 = 1e5, d1 = std::sqrt(1e5), g0 = v / (1 + 0.5 * std::exp(-100.0));
    const auto R = [&](double fraction, double z) {
        const double G = 1 - fraction * d1 * g0, P = -(1 - fraction) * d1 * g0;
        return ((G - P) * v - rate(test::c95, z, v)) / (k0 * z);
    };
    for (const double z : {-1e-5, -1e-7, 1e-7, 1e-5}) EXPECT_NEAR(R(0.5, z), g0, 1e-12);
    for (const double fraction : {0.0, 0.4, 0.6, 1.0})
        EXPECT_GT(std::abs(R(fraction, 1e-7) - R(fraction, 1e-5)), 10 * g0);  // grows without bound as z -> 0
}

// If the matrices may depend on z, they are not unique: R + a w w', w normal to dH/dx, gives the same rates for every a. It can be
// chosen positive wherever friction dissipates, so an indefinite R does not refute passivity.
TEST(Uniqueness, IsLostIfMatricesMayDependOnZ) {
    LuGre law = test::c95;
    law.sigma2 = law.sigma2_negative = 1.02 * law.sigma1 * 0.5;
    const System whole = feedback(block::mass(1), block::friction(law));
    const Vector x{0.1, 1.4e-5}, e = whole.effort(x);
    const Structure s = whole.structure({x, {0}});
    const Matrix w{{-e[1]}, {e[0]}}, ww = w * w.transposed(), along{{e[0]}, {e[1]}};
    const double heat = (along.transposed() * s.R * along)(0, 0), cross = (along.transposed() * s.R * w)(0, 0),
                 across = (w.transposed() * s.R * w)(0, 0), length = e[0] * e[0] + e[1] * e[1];
    EXPECT_NEAR(eigenvalues(s.R)[0], 0.1 - 15.81 * 15.81 / 477.5, 1e-3);  // about g0 - P^2/S
    EXPECT_GT(heat, 0);
    const Matrix other = s.R + 2 * std::abs(cross * cross / heat - across) / (length * length) * ww;
    EXPECT_GT(eigenvalues(other)[0], 0);
    const Vector here = s.R * e, there = other * e;
    for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(there[i], here[i], 1e-12 * largest(other));
}

// K08 IV.B. C95 with sigma2 at 1.02 of its limit sigma1 (Fs - Fc)/Fc: the matrix of K08 (20) is indefinite above v = 4 (d1 + d2) Fc/d1^2
// = 19.1 mm/s, but the dissipated power is >= 0 for all |z| <= Fs/sigma0. Beyond this bound, or below the limit, it is negative
// for some z.
TEST(DissipationMatrix, MayBeIndefiniteAlthoughTheLawIsPassive) {
    const auto with = [](double part) {
        LuGre law = test::c95;
        law.sigma2 = law.sigma2_negative = part * law.sigma1 * 0.5;
        return block::friction(law);
    };
    const System f = with(1.02);
    const auto least = [&](double v) { return eigenvalues(f.structure({{0}, {v}}).dissipation())[0]; };
    double low = 1e-3, high = 1;
    ASSERT_GT(least(low), 0);
    ASSERT_LT(least(high), 0);
    for (int i = 0; i < 60; ++i) (least((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
    EXPECT_NEAR(low, 4 * (1 + 0.51) / std::sqrt(1e5), 1e-12);
    EXPECT_NEAR(low, 0.019, 5e-4);

    const auto least_heat = [](const System& s, double bound) {  // over v^2, with |z| <= bound
        double least_found = INFINITY;
        for (double v = 1e-6; v < 1e3; v *= 1.1)
            for (int i = -100; i <= 100; ++i)
                least_found = std::min(least_found, s.power({{bound * i / 100}, {v}}).dissipated / (v * v));
        return least_found;
    };
    EXPECT_GT(least_heat(f, 1.5e-5), 0);
    EXPECT_LT(least_heat(f, 1.6e-5), -1);
    EXPECT_LT(least_heat(with(0.98), 1.5e-5), -1);
}

}  // namespace
}  // namespace bristle::analysis::port_hamiltonian
