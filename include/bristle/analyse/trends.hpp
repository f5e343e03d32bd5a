// What a contact does against one parameter, as a table.
//
//   breakaway   a force on a mass grows at a constant rate; the largest friction before it runs away    B05 2.3, fig 3
//               (|v| > 10 vs). It falls with the rate, then the bristle damping lifts it again: C95 from 35 N/s on.
//   lag         the speed swings without turning; friction for rising less that for falling speed        B05 2.2, fig 2
//   drift       a mass under a constant force below breakaway and a vibration: displacement per cycle. Slowly vibrated,
//               with forces between s1 g(0) and s2 g(0), 0 <= s1 < s2 < 1, LuGre drifts by (ours)
//                 (g(0)/sigma0) ln((1 - s1^2)/(1 - s2^2))
//               a cycle; the elasto-plastic law does not while its bristle stays below the breakaway deflection.
// One row for each value on the axis, one column or more for each law. All runs are made by the solver at the tolerance
// rtol. Sign: forces and displacements are positive in the direction of the pull.
#pragma once
#include <bristle/simulate/law.hpp>

#include <functional>
#include <string>
#include <vector>

namespace bristle::inline analysis {

struct Trend {
    struct Column {
        std::string name, unit;  // "lugre: breakaway force", "N"
    };
    struct Row {
        double at;                   // on the axis
        std::vector<double> values;  // one for each column; NaN where it did not occur
    };
    std::string title;
    Column axis;
    std::vector<Column> columns = {};
    std::vector<Row> rows = {};
    bool cancelled = false;  // by progress: there are fewer rows
};

using TrendProgress = std::function<bool(double share)>;  // false stops

struct BreakawayOptions {
    double mass = 1;     // kg
    double runaway = 0;  // speed beyond which it has broken away, for laws without a Stribeck velocity [m/s]
    double load = 1;     // N
    double rtol = 1e-8;
};
// rates in N/s. NaN where the mass does not run away within 64 times the time that the ramp takes to the curve's peak.
Trend breakaway_against_rate(const std::vector<AnyLaw>& laws, const std::vector<double>& rates,
                             const BreakawayOptions& options = {}, const TrendProgress& progress = {});

struct LagOptions {
    double mean = 1.1e-3, swing = 1e-3;  // v = mean + swing sin(omega t), 0 < swing < mean [m/s]
    double load = 1;                     // N
    double rtol = 1e-8;
};
// omegas in rad/s. Two columns a law: the width of the loop at the mean speed, and the largest of 199 widths between
// the slowest and the fastest moment.
Trend lag_against_frequency(const std::vector<AnyLaw>& laws, const std::vector<double>& omegas,
                            const LagOptions& options = {}, const TrendProgress& progress = {});

// bias + amplitude sin(2 pi frequency t) on a mass, from its lowest moment on.
struct Vibration {
    double bias = 0, amplitude = 0;  // N
    double frequency = 1;            // Hz
    double mass = 1;                 // kg
    double load = 1;                 // N
    int settling = 5, cycles = 10;   // cycles before the drift is measured, and over which it is
    double rtol = 1e-8;
};
enum class VibrationAxis { bias, amplitude, frequency };
// The values replace one number of the vibration. A mass that runs away drifts far: such rows are as they come.
Trend drift_against(VibrationAxis axis, const std::vector<AnyLaw>& laws, const std::vector<double>& values,
                    const Vibration& vibration, const TrendProgress& progress = {});

}  // namespace bristle::inline analysis
