// Stages of a fit, each usable alone: static curve; check of the record with presliding stiffness, bristle damping and the outlook, which
// parameters the record can determine; refinement of one law from given values.
//
//   fit_static_curve(record, options).positive.Fc;       N
//   const RecordCheck check = check_record(record, options);
//   check.outlook.parameter("sigma0")->value;            N/m, with .low, .high and .identifiable
//   refine(record, LuGre{...}, options).parameters;      as of fit(), from the numbers of the law given
//
// fit() runs them in this order, with all laws and several starts. The static curve is
//   y = inertia a + offset + ... + s (Fc + (Fs - Fc) exp(-|v/vs|^alpha)) + sigma2 v,   s = sgn v
// Errors: as of fit(): FitProblems with all problems of record and options, Cancelled if progress returns false.
#pragma once
#include <bristle/identify/fit.hpp>

namespace bristle::inline identification {

struct StaticCurve {
    double Fc = 0, Fs = 0, vs = 0, sigma2 = 0;  // N, N, m/s, N s/m
    double alpha = 2;  // Stribeck exponent: 2, or 1 if that describes the record clearly better
};

// A coefficient of the axis: inertia, armature, gravity, gravity_cos, offset, ripple_cos, ripple_sin.
struct AxisCoefficient {
    std::string name, unit;
    FittedQuantity quantity;
    double value = 0;
};

struct CurveStage {
    StaticCurve positive, negative;  // equal unless directions differ
    bool own_directions = false;
    std::vector<AxisCoefficient> axis;
    double delay = 0;  // s by which the force lags the motion
    FitError fit;      // over the rows that are not held out
    // The curve with errors, judged as in fit(). kind: "stribeck" at the values above; if they do not determine Fs and vs, as a fit from
    // another start finds it; "coulomb" if that does not either.
    LawFit law;
    bool has_stribeck_part() const { return law.kind == kind_of<StribeckFriction>(); }
    // The curve alone, without presliding, leaves an error below 10 % of the rms force.
    bool describes_record() const { return law.fit.relative < 0.1 && !law.parameters.empty(); }
};
// Linear least squares on a grid of vs between the speeds of the record, then a golden section around its best point; no start is needed.
// Loss::huber: rows far from the curve (presliding, outliers) have a limited weight.
CurveStage fit_static_curve(const Record& record, const FitOptions& options = {}, Loss loss = Loss::huber);

// Kind of the law of a check if none or several are named.
constexpr std::string_view kind_of_check(bool static_points) {
    return static_points ? kind_of<StribeckFriction>() : kind_of<LuGre>();
}

// All stages before the fit of laws.
struct RecordCheck {
    CurveStage curve;  // by the robust loss
    // Of the law in FitOptions::laws; of kind_of_check() if none or several are named. Values and errors are from
    // a fit to at most 10 000 rows and the derivatives of all rows. The errors lack the change of the values with the bandwidth, which those of
    // fit() contain.
    Outlook outlook;
    // Damping ratio in stick (sigma1 + sigma2)/(2 sqrt(sigma0 inertia)) [1]; std::nullopt unless all of them are determined.
    std::optional<double> zeta;
    // A missing inertia; of the record, as far as they matter; of a curve that describes the record: Fs < Fc, directions that differ.
    std::vector<FitFinding> findings;
    FitMethod method;            // bandwidth, delay, sample rate
    bool static_points = false;  // as in FitResult
    // Measured signal and the static curve of each run, for pictures, with FitOptions::keep_traces; friction: without the terms of the axis.
    std::vector<FitTrace> traces;
};
RecordCheck check_record(const Record& record, const FitOptions& options = {}, const Progress& progress = {});

// Fits one law from its numbers as the only start: the last stage of fit(). No rows are held out. A law with a curve for each direction
// keeps both if the record moves in both. Maxwell-slip needs no start: its numbers are not used.
LawFit refine(const Record& record, const AnyLaw& start, const FitOptions& options = {}, const Progress& progress = {});

}  // namespace bristle::identification
