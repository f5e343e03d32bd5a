// Trends: breakaway force, lag or drift of a contact as a function of one parameter of a test, as a table.
//
//   breakaway   a force on a mass grows at a constant rate; the largest friction force before |v| > 10 vs       B05 2.3, fig 3
//               It falls with the rate; at high rates bristle damping raises it again (C95: above 35 N/s).
//   lag         the speed oscillates without reversal; friction at rising speed minus friction at falling speed B05 2.2, fig 2
//   drift       a mass under a constant force below breakaway plus a vibration: displacement per cycle. For a slow vibration with
//               forces between s1 g(0) and s2 g(0), 0 <= s1 < s2 < 1, LuGre drifts by (ours)
//                 (g(0)/sigma0) ln((1 - s1^2)/(1 - s2^2))
//               a cycle; the elasto-plastic law does not drift while its deflection is below breakaway.
// One row for each value on the axis, one column or more for each law. All runs use the solver with the tolerance rtol.
// Sign: forces and displacements are positive in the direction of the pull.
#pragma once
#include <bristle/simulate/law.hpp>

#include <cstddef>
#include <functional>
#include <vector>

namespace bristle::inline analysis {

enum class TrendAxis {
    force_rate,         // N/s
    angular_frequency,  // rad/s
    bias,               // N
    amplitude,          // N
    frequency           // Hz
};

enum class TrendQuantity {
    breakaway_force,      // N
    width_at_mean_speed,  // of the loop of friction over speed [N]
    largest_width,        // of that loop [N]
    drift_per_cycle       // m
};

struct Trend {
    struct Column {
        std::size_t law;  // index in the laws given
        TrendQuantity quantity;
    };
    struct Row {
        double at;                   // on the axis
        std::vector<double> values;  // one for each column; NaN if the quantity does not exist
    };
    TrendAxis axis;
    std::vector<Column> columns = {};
    std::vector<Row> rows = {};
    bool cancelled = false;  // by progress: rows are missing
};

using TrendProgress = std::function<bool(double fraction)>;  // false cancels

struct BreakawayOptions {
    double mass = 1;             // kg
    double breakaway_speed = 0;  // |v| that ends the test, for laws without a Stribeck velocity [m/s]; others: 10 vs
    double load = 1;             // N
    double rtol = 1e-8;
};
// rates in N/s. NaN if |v| does not exceed the breakaway speed within 64 times the time of the ramp to the peak of the curve.
// Throws Error if a law or an option is invalid; so do the other two.
Trend breakaway_against_rate(const std::vector<AnyLaw>& laws, const std::vector<double>& rates,
                             const BreakawayOptions& options = {}, const TrendProgress& progress = {});

struct LagOptions {
    double mean = 1.1e-3, amplitude = 1e-3;  // v = mean + amplitude sin(omega t), 0 < amplitude < mean [m/s]
    double load = 1;                         // N
    double rtol = 1e-8;
};
// omegas in rad/s. Two columns a law: the width of the loop at the mean speed, and the largest of 199 widths between
// the slowest and the fastest moment.
Trend lag_against_frequency(const std::vector<AnyLaw>& laws, const std::vector<double>& omegas,
                            const LagOptions& options = {}, const TrendProgress& progress = {});

// Force bias + amplitude sin(2 pi frequency t) on a mass; t starts at the lowest force.
struct Vibration {
    double bias = 0, amplitude = 0;  // N
    double frequency = 1;            // Hz
    double mass = 1;                 // kg
    double load = 1;                 // N
    int settling = 5, cycles = 10;   // number of cycles before the measurement, and of the measurement
    double rtol = 1e-8;
};
enum class VibrationAxis { bias, amplitude, frequency };
// The values replace one number of the vibration. Rows in which the mass breaks away are not marked: their drift is large.
Trend drift_against(VibrationAxis axis, const std::vector<AnyLaw>& laws, const std::vector<double>& values,
                    const Vibration& vibration, const TrendProgress& progress = {});

}  // namespace bristle::analysis
