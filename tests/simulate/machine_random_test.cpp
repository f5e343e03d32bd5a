// Random machines: every one is simulated to its end, with finite signals within their extremes and a closed ledger. BRISTLE_DRAWS sets their number.
#include <bristle/simulate/machine.hpp>
#include <gtest/gtest.h>
#include <cmath>

#include "random_machines.hpp"

namespace bristle::inline simulation {
namespace {

// Oracle: none is needed for finite numbers; energy is conserved. Tolerance: 10 rtol of the scale for the machine and for each part.
TEST(RandomMachines, EndWithFiniteSignalsWithinTheirExtremesAndAClosedLedger) {
    test::Random random(16);
    MachineMaker maker(random);
    double worst = 0;
    for (long i = 0; i < test::draws(200); ++i) {
        const Machine machine = maker.next();
        SCOPED_TRACE("machine " + std::to_string(i));
        const auto rules = problems(machine);
        ASSERT_TRUE(rules.empty()) << rules.front();
        const Result run = simulate(machine);
        EXPECT_EQ(run.status, Status::done) << run.message;
        for (const Signal& signal : run.signals) {
            EXPECT_NE(signal.role, SignalRole::other) << signal.name;
            EXPECT_TRUE(signal.name == "t" || signal.name.starts_with(signal.part + ".")) << signal.name;
            for (const double value : signal.values) {
                ASSERT_TRUE(std::isfinite(value)) << signal.name;
                ASSERT_LE(value, run.measures.max.at(signal.name)) << signal.name;  // exactly: samples are extremes too
                ASSERT_GE(value, run.measures.min.at(signal.name)) << signal.name;
            }
        }
        double residual = std::abs(run.energy.residual());
        for (const Energy::Part& part : run.energy.parts) residual = std::max(residual, std::abs(part.residual()));
        EXPECT_LE(residual, 10 * machine.run.rtol * run.energy.scale);
        worst = std::max(worst, residual / (machine.run.rtol * run.energy.scale));
    }
    std::printf("largest residual %.2g rtol\n", worst);
}

}  // namespace
}  // namespace bristle::simulation
