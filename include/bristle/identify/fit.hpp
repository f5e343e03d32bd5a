// Identification of a friction law from a measured record: parameters with standard errors, comparison of laws, findings.
//
//   FitResult fit = bristle::fit(record, {.model = {.measured = Measured::actuator, .inertia = Setting::find()}});
//   fit.best().law;                                   the recommended law, for simulate, certify and Contact
//   fit.best().parameter("Fc")->value;                N, with .se, .low, .high (95 %)
//
// Model of the measured force y at each sample, with v, a from the position by a zero-phase filter that y and the model pass too:
//   measured = friction    y = F + offset
//   measured = actuator    y = inertia a + gravity sin(x) + F + offset
//   measured = voltage     y = (inertia a + gravity sin(x) + F + offset)/gain + back_emf v         inertia + armature if both
// F is the force of the law along the measured motion; its bristle is advanced exactly from sample to sample. The force lags the
// motion by `delay`; a `gap` in series passes on the motion only beyond its width.
// Output::position simulates the axis forwards in segments, with the measured force or voltage as input, and compares positions:
//   (inertia + armature) dv/dt = tau_m - gravity sin(x) - gravity_cos cos(x) - offset - F,   tau_m = y, or gain (y - back_emf v)
// The start position and velocity of each segment are free. They are eliminated from residuals and derivatives, not searched.
// Drive off: a voltage of exactly 0 for 20 samples or more is an open circuit, tau_m = 0. Output::force does not compare such rows if
// the model has a back_emf. Gear laws take the load channel; without one, N = |tau_m + gravity sin(x) + gravity_cos cos(x)|.
// Sign: F has the sign of v. Errors: standard errors are robust to correlated residuals (Newey and West 1987).
#pragma once
#include <bristle/identify/record.hpp>
#include <bristle/simulate/law.hpp>

namespace bristle::inline identification {

enum class Measured { friction, actuator, voltage };
enum class Directions { automatic, same, own };
enum class Output { force, position };
enum class ErrorKind { correlated, runs, bootstrap };  // Newey-West; clusters of runs; wild block bootstrap
enum class Loss { squares, huber };

struct FitModel {
    Measured measured = Measured::friction;
    Setting inertia{}, armature{};  // kg
    Setting gravity{};              // N: factor of sin(position [rad]); a linear axis has a constant part in offset
    Setting gravity_cos{};  // N: factor of cos(position): gravity of an axis whose position is not 0 where it hangs
    Setting offset = Setting::find();  // N
    Setting gain{};                    // N per V; Measured::voltage
    Setting back_emf{};                // V s/m; Measured::voltage
    Setting gap{};                     // m
    Setting delay = Setting::find();   // s
    Setting load{};                    // N: constant normal load if the record has no load channel
    bool ripple = true;                // look for friction that varies periodically with position
    Directions directions = Directions::automatic;
    Output output = Output::force;
    double segment = 1;  // s; Output::position: length of the parts that are simulated from free start states
};

// Rows that are not fitted, to test the fit: a fraction at the end of each run, or whole runs.
struct HoldOut {
    double fraction = 0;              // 0.5: second half
    std::vector<std::string> runs{};  // names of runs (files), patterns with * and ?
};

struct FitOptions {
    FitModel model{};
    std::vector<std::string> laws{};    // kinds of the catalogue; empty: all
    double min_speed = 0;               // m/s: rows with |v| below are not compared
    HoldOut hold_out{.fraction = 0.3};  // for the comparison; the final fit uses all rows
    std::optional<double> bandwidth{};  // Hz of the filter; std::nullopt: chosen. 0: none
    int starts = 5;                     // of the multistart
    ErrorKind errors = ErrorKind::correlated;
    int resamples = 400;  // of the bootstrap
    std::uint64_t seed = 1;
    Loss loss = Loss::squares;
    bool keep_traces = true;  // FitResult::traces
};

enum class Identifiable { yes, weak, no };

struct FittedParameter {
    std::string
        name;  // as in the law's table, with + or - if directions differ ("Fc+"); inertia, offset, gravity, gain, ...
    std::string unit;  // SI; on a rotary axis read N as N m and m as rad, as in the law's table, and kg as kg m^2
    double value = 0, se = 0;
    double low = 0, high = 0;  // 95 % interval; se and interval include the sensitivity to the bandwidth
    Identifiable identifiable = Identifiable::yes;
    bool at_bound = false;
    FittedQuantity quantity = FittedQuantity::other_of_law;  // what it is; decisions depend on it, not on the name
    std::string doc{};                                       // one line
    std::string table_name{};                                // of the law: as in its table, without the direction: "Fc"
    int direction = 0;                                       // 1: for v > 0 only, -1: for v < 0 only, 0: for both
    bool doc_has_direction = false;                          // doc states that the number holds for v < 0

    bool of_law() const { return is_of_law(quantity); }  // false: of the axis (inertia, offset, ...)
    bool is_level() const { return identification::is_level(quantity); }
    // The judgement with the bounds of the search: a value at one of them is poorly determined at best.
    Identifiable determined() const {
        return identifiable == Identifiable::yes && at_bound ? Identifiable::weak : identifiable;
    }
    // The number holds for motion in that direction, 1 or -1.
    bool holds_for(int motion) const { return direction * motion >= 0; }
};

// nullptr if there is none of that name.
inline const FittedParameter* parameter_of(const std::vector<FittedParameter>& parameters, std::string_view name) {
    for (const FittedParameter& p : parameters)
        if (p.name == name) return &p;
    return nullptr;
}
// By its meaning, as it holds for motion in a direction, 1 or -1; of a list the first.
inline const FittedParameter* parameter_of(const std::vector<FittedParameter>& parameters, FittedQuantity quantity,
                                           int motion = 1) {
    for (const FittedParameter& p : parameters)
        if (p.quantity == quantity && p.holds_for(motion)) return &p;
    return nullptr;
}

// Errors of the output, force [N], voltage [V] or position [m, rad]; nrmse is rmse divided by the rms of the output about its mean.
struct FitError {
    double rmse = 0, nrmse = 0, relative = 0, r2 = 0,
           mae = 0;  // relative: rms of the residual / rms of the measured force
    std::size_t rows = 0;
};

enum class LawVerdict { recommended, usable, refused };
enum class RefusalReason {
    none,
    fails_held_out,          // held-out error far above the others
    no_better_than_simpler,  // a law with fewer parameters does as well
    negative_inertia,
    inertia_missing,  // the force contains an inertia that the model lacks
    did_not_converge
};

struct LawFit {
    std::string kind;  // of the catalogue
    AnyLaw law;
    bool own_directions = false;
    LawVerdict verdict = LawVerdict::usable;
    RefusalReason reason = RefusalReason::none;
    std::string than{};  // the simpler law of no_better_than_simpler
    std::vector<FittedParameter> parameters;
    FitError fit, heldout;  // final fit on all rows; fit on the others, error on the held-out rows
    double bic = 0;         // of the final fit, with the number of independent rows
    int free = 0;           // number of fitted parameters
    std::vector<std::string> covariance_names;
    std::vector<double> covariance;    // row by row
    std::vector<FitFinding> findings;  // of this law
    const FittedParameter* parameter(std::string_view name) const { return parameter_of(parameters, name); }
    const FittedParameter* parameter(FittedQuantity quantity, int motion = 1) const {
        return parameter_of(parameters, quantity, motion);
    }
};

// Signals of the recommended law for pictures; residual = measured - model.
struct FitTrace {
    std::string run;
    std::vector<double> time, position, velocity, measured, model, friction,
        friction_model;                  // friction: without the other terms
    std::vector<std::uint8_t> compared;  // 0: not compared
    std::vector<std::uint8_t> held_out;
};

// Ljung-Box test of the residuals: whether they are white noise, with the correlation by the filter of the fit taken out. It assumes
// residuals of constant variance. A large record rejects whiteness also for small errors of the law.
struct WhitenessTest {
    double statistic = std::numeric_limits<double>::quiet_NaN();  // chi-square with `lags` degrees of freedom, if white
    double p_value = std::numeric_limits<double>::quiet_NaN();    // NaN: not tested (static points, fewer than 50 rows)
    int lags = 0;
    double interval = 0;   // s between tested rows: about 1/(2 bandwidth)
    std::size_t rows = 0;  // tested
    // Not rejected at 1 %; false if it was not tested (NaN: too few pairs of rows, or residuals of zero).
    bool is_white() const { return p_value >= 0.01; }
};

struct ResidualTest {
    double correlation_time = 0;          // s over which residuals are correlated
    double independent_rows = 0;          // rows / (2 correlation_time/dt)
    std::vector<double> autocorrelation;  // at lags 0, 1, 2 ... samples
    std::vector<double>
        filter_autocorrelation{};  // of white noise after the filter, at the same lags; empty: no filter
    WhitenessTest whiteness{};
    double classic_factor = 1;  // by how much classic standard errors are too small (median over parameters)
};

struct FitMethod {
    ErrorKind errors = ErrorKind::correlated;
    double bandwidth = 0;         // Hz; 0: no filter
    double motion_bandwidth = 0;  // Hz, of the position; below bandwidth if that removes nothing but encoder noise
    double sample_rate = 0;       // Hz
    double ripple_period = 0;     // m: of friction that varies with position; 0: none
    double delay = 0;             // s
    int starts = 0;
    bool hold_out_used = true;          // false: too few rows
    std::size_t rows_beside_holes = 0;  // not compared, because the filter reaches from missing rows to them
};

// A motion that would determine a parameter: what to measure next.
struct NextMeasurement {
    std::string parameter;
    FittedQuantity quantity;
    enum class Motion { slow_reversals, presliding, constant_speeds, step_from_rest } motion;
    double amplitude = 0;      // m; presliding
    double low = 0, high = 0;  // m/s: range of speeds
    double sample_rate = 0;    // Hz, least
};

// Which parameters a record determines, before the fit. Values and errors are estimates.
struct Outlook {
    std::string kind;  // of the law they belong to: "lugre"; "stribeck" for static points; empty: not known
    std::vector<FittedParameter> parameters;  // of static points also sigma0 and sigma1, which no curve shows
    FitError fit;                             // of that estimate, on all rows
    std::vector<FitFinding> findings;         // inseparable
    std::vector<NextMeasurement> next;
    // Fc (or Fc+, Fc-) of the same law with Fs = Fc [N], if the record determines this one level but does not separate Fs from Fc; else empty.
    std::vector<FittedParameter> level;
    const FittedParameter* parameter(std::string_view name) const { return parameter_of(parameters, name); }
    const FittedParameter* parameter(FittedQuantity quantity, int motion = 1) const {
        return parameter_of(parameters, quantity, motion);
    }
};

struct FitResult {
    Outlook outlook;
    std::vector<LawFit> laws;  // best first; refused ones last
    bool has_recommendation = false;
    std::vector<FitFinding> findings;  // of the record, the axis and the recommended law
    ResidualTest residuals;
    FitMethod method;
    std::vector<NextMeasurement> next;  // of the first law; sigma0 and sigma1 of the outlook if that law has no bristle
    std::vector<FitTrace> traces;       // of the first law
    bool rotary = false;
    // Rows are points of a curve: a record without time, or the mean of each run at one steady speed.
    bool static_points = false;
    const LawFit& best() const { return laws.front(); }
};

// All problems of record and options as sentences; empty if fit() can start. fit() throws FitProblems with them.
std::vector<std::string> problems(const Record& record, const FitOptions& options);

// what() has each sentence in a line of its own.
struct FitProblems : Error {
    explicit FitProblems(std::vector<std::string> all);
    std::vector<std::string> sentences;
};

// Fits laws to a record. Throws FitProblems if record and options do not belong together, Cancelled if progress returns false.
FitResult fit(const Record& record, const FitOptions& options = {}, const Progress& progress = {});

// Correlations of the estimates of a law, -1 to 1, row by row in the order of covariance_names, from the covariance that the intervals use.
// NaN if the standard error of one of the two is zero or not finite. Empty without a covariance.
std::vector<double> correlations(const LawFit& law);
struct CorrelatedPair {
    std::string first, second;  // parameters, in the order of covariance_names
    double correlation = 0;
};
// All pairs with a known correlation, the strongest first.
std::vector<CorrelatedPair> correlated_pairs(const LawFit& law);

// The error of a fitted law on another record, with nothing fitted but the states at the start of each run.
FitError predict(const LawFit& law, const Record& record, const FitOptions& options, const FitMethod& method);

}  // namespace bristle::identification
