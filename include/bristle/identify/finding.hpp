// Findings of a record and of a fit: what was noticed, where, and how large it is. Data; report makes the sentences.
#pragma once
#include <bristle/identify/fitted_quantity.hpp>

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace bristle::inline identification {

enum class Measurand;  // record.hpp

enum class FindingKind {
    // of reading
    column_guessed,   // quantity (subject) was taken from the column (place) because of its name
    unit_guessed,     // unit of a column that names none
    row_rejected,     // a row of the table has a cell that is not a number: the row is not used
    not_a_number,     // NaN or infinity in a column that is used
    time_backward,    // time falls from one row to the next
    time_repeated,    // time stands still from one row to the next
    time_gap,         // value [s] without a row: the record is cut there into two runs
    jitter,           // standard deviation of the sample period [s]; the record is resampled if it is large
    saturated,        // a channel stays at its largest or smallest value: count rows
    outlier,          // a row or two far from their neighbours: value, where the neighbours are other
    coarse_position,  // resolution of the encoder [m], as a velocity step [m/s] in other
    sign_suspect,     // the force mostly drives the motion: sign = -1 in the map?
    unit_suspect,     // velocity and position disagree by the factor value: wrong unit?
    velocity_lags,    // the velocity column lags the position by value [s]
    channel_dropped,  // count files, the first of them place, lack the channel (subject): it is used in none
    rows_lost,        // count rows are missing between rows of a run; longest interval value [s]
    // of the fit
    delay,             // the force lags the motion by value [s]; other: in samples
    sensor_filter,     // the force is low-passed with the time constant value [s]
    ripple,            // friction varies with position: period value [m], amplitude other [N]
    backlash,          // gap in series: width value [m]
    drift,             // friction changes over the record: value [1], relative to the mean
    fs_below_fc,       // the curve rises from rest: Fs = value, Fc = other [N]
    asymmetry,         // directions differ: value [N] (level for v > 0) and other [N] (v < 0)
    shared_level,      // directions have own curves with one Fc: the offset (value [N]) carries a difference of Fc
    concave_viscous,   // friction grows less than linearly with speed
    at_bound,          // parameter (subject) ended at a bound of its range
    not_identifiable,  // parameter (subject) cannot be determined from this record
    weak,              // parameter (subject) is poorly determined: relative standard error in value
    inseparable,       // parameters (subject, place) can only be determined together
    gain_scales,       // the torque constant only scales all forces
    correlated_residuals,  // residuals are correlated over value [s]; other: classic errors would be that many times too small
    held_out_worse,    // error on held-out rows (value) is much larger than on fitted rows (other)
    negative_inertia,  // inertia < 0: force and motion do not belong together
    inertia_missing,   // the force contains an inertia of about value [kg] that the model lacks
    no_law_fits        // no law deserves a recommendation
};

// Name of a run: its file, and its part if gaps cut the file into runs.
struct RunName {
    std::string file{};
    int part = 0;              // from 1; 0: the file is one run
    std::string text() const;  // "axis.csv part 2"
    friend bool operator==(const RunName&, const RunName&) = default;
};

// One finding. Numbers that do not apply are NaN, texts are empty, counts are 0.
struct FitFinding {
    FindingKind kind;
    std::string subject{};  // quantity or parameter: "position", "sigma1"
    std::string place{};    // file, column or second parameter
    // What subject and place are, if they are a channel of the record or parameters of the fit.
    std::optional<Measurand> channel{};
    std::optional<FittedQuantity> parameter{}, other_parameter{};
    long line = 0;   // in the file, from 1; 0: no line
    long count = 0;  // rows concerned; of columns and channels: files
    double value = std::numeric_limits<double>::quiet_NaN();
    double other = std::numeric_limits<double>::quiet_NaN();
    std::string unit{};        // of value, as FittedParameter::unit; of columns: their unit in the file
    int part = 0;              // of the file `place`, as in RunName
    int direction = 0;         // of the values: 1: for v > 0 only, -1: for v < 0 only, 0: for both
    bool is_in_model = false;  // the fit accounts for it: backlash
    // Sets the channel, and its name as the subject.
    void set_channel(Measurand quantity);
    // `place` as a text: "axis.csv part 2".
    std::string place_text() const { return RunName{place, part}.text(); }
};

// Name of a kind in JSON: "fs_below_fc".
const char* name_of(FindingKind kind);

}  // namespace bristle::identification
