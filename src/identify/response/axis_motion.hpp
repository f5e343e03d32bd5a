// Position of an axis simulated forwards over one segment of a record, with exact derivatives with respect to parameters of the law
// and of the axis and to the start state.
//
//   inertia dv/dt = tau_m - gravity sin x - gravity_cos cos x - offset - F(v, z, N),   dx/dt = v
//   tau_m = gain (u - back_emf v);   tau_m = 0 while the drive is off (open circuit)
// N is the load channel of the record. Gear laws without one take the load of the teeth N = |tau_m + gravity sin x + gravity_cos cos x|
// at the middle of a sub-step, extrapolated from its start. u is interpolated linearly between samples.
// Method: the coupled step of the core in plain numbers, with equal sub-steps; one Newton correction of its equation in dual numbers
// then gives the derivatives of the step (implicit function theorem).
// Not available for laws whose step has another unknown than the velocity: hysteretic, maxwell_slip.
#pragma once
#include "identify/response/response.hpp"

#include <cstdint>

namespace bristle::inline identification {

// Derivatives of one pass: the last column of PassScalar belongs to the unknown of the step.
inline constexpr std::size_t axis_pass_width = pass_width - 1;

struct AxisNumbers {
    double inertia = 0;                   // kg (rotary: kg m^2), with the armature
    double gravity = 0, gravity_cos = 0;  // N
    double offset = 0;                    // N
    double gain = 1, back_emf = 0;        // N/V, V s/m; 1 and 0 if u is a force
};

// Column of each derivative in a pass, or -1.
struct AxisColumns {
    std::vector<int> of_parameter;  // in the order of the law's table
    int inertia = -1, gravity = -1, gravity_cos = -1, offset = -1, gain = -1, back_emf = -1, x0 = -1, v0 = -1;
};

// One segment, sample by sample.
struct AxisSegment {
    double dt = 0;                            // s between samples
    std::span<const double> u;                // V, or N
    std::span<const std::uint8_t> drive_off;  // empty: the drive is on
    std::span<const double> load;             // N; empty: none was measured
    double x0 = 0, v0 = 0;                    // m, m/s at the first sample
    double start_force = 0;                   // N: force of the bristle there, limited to the level at rest
    int substeps = 1;                         // per sample
};

// Writes one row of pass_row_width numbers per sample: position [m], then the derivatives. NaN if a step fails.
using AxisFunction = void (*)(const AnyLaw& law, const AxisNumbers& axis, const AxisColumns& columns,
                              const AxisSegment& segment, double* rows);
// The function of a law; nullptr if the law has none.
AxisFunction axis_function(const AnyLaw& law);

}  // namespace bristle::identification
