// A record made ready for a fit: each run on an even time grid, motion and measured force through the same zero-phase filter.
//
// Position: filtered, then velocity and acceleration by five-point differences (error of order 4 in the sample period). The position of an
// encoder is filtered with a lower bandwidth if that removes the noise of its steps and nothing else (motion_bandwidth). A record
// without position integrates its velocity. Runs with jitter above 1 % are interpolated onto an even grid. Rows are not compared at the
// ends of a run, where the filter uses the continued signal; where rows are missing and as far as the filter reaches beside them, if at
// least half of the run is left; and where the force is at a limit (saturated).
// A measured curve, and a record of runs at one steady speed each (its means), are static points: no time, no filter.
#pragma once
#include <bristle/identify/fit.hpp>

#include "identify/signals/butterworth.hpp"

namespace bristle::inline identification {

struct PreparedRun {
    RunName name;
    std::size_t begin = 0, size = 0;  // rows in the arrays below
    double dt = 0;                    // s
};

// How well an encoder shows the direction of motion at a row: velocity below its error for longer than the filter reaches; near a row
// with such a velocity; far from one.
enum class Direction : std::uint8_t { rest, unsure, sure };

struct Prepared {
    std::vector<PreparedRun> runs;
    bool points = false;  // static points: time, position and dt are empty
    bool rotary = false;
    double bandwidth = 0;         // Hz; 0: no filter
    double motion_bandwidth = 0;  // Hz, of the position; at most bandwidth
    double sample_rate = 0;       // Hz, of the first run
    double resolution = 0;        // m: step of the encoder; 0: none found
    double velocity_error = 0;    // m/s: standard deviation of v by the steps of the encoder
    // one number per row, runs one after the other
    std::vector<double> t, dt, x, v, a, load;  // a is empty if the model needs no acceleration; load if there is none
    std::vector<double> y;                     // measured force [N] or voltage [V], filtered
    std::vector<double> gear_load;  // N: load of the teeth for gear laws, if there is no load channel; may be empty
    std::vector<std::uint8_t> drive_off;  // the voltage is an open circuit; empty: never
    std::vector<std::uint8_t> compared;   // the row is fitted or tested
    std::vector<std::uint8_t> held_out;
    std::vector<Direction> direction;   // empty: sure everywhere
    std::vector<RunName> point_names;   // static points: run of each
    std::size_t rows_beside_holes = 0;  // measured, but not compared because the filter brings interpolated ones there
    std::size_t rows() const { return v.size(); }
    double max_speed = 0;  // m/s over the compared rows
    double travel = 0;     // m: range of positions

    // Filters signals with one sample per row of this record, run by run, in place.
    void filter(std::span<const Lane> lanes) const;
    // The same for the columns of a table with one row per row of this record.
    void filter(double* rows, std::size_t lanes) const;
};

// True if every run has one steady speed, in enough runs for a curve.
bool is_steady(const Record& record);

// bandwidth: std::nullopt: a tenth of the sample rate. motion_factor: of the bandwidth chosen for the position, which stays at most bandwidth.
Prepared prepare(const Record& record, const FitOptions& options, std::optional<double> bandwidth,
                 double motion_factor = 1);

// Of the rows given, those that a static law is fitted to: not at rest, and with a sure direction if the law is dry (jumps with the
// direction). All rows if less than half of them are left.
std::vector<std::uint8_t> rows_of_static_laws(const Prepared& record, const std::vector<std::uint8_t>& use, bool dry);

// Marks held-out rows by the options; false if too few rows remain on one side.
bool mark_held_out(Prepared& record, const HoldOut& hold_out);

// The runs; of static points, which are one run, the rows of each file.
std::vector<PreparedRun> runs_or_files(const Prepared& record);

// Moves lanes of a signal, with one row per row of this record, to their values at t - delay [s], by a cubic through four samples. Ends
// of a run keep their last value. Returns the derivative [1/s] of the first lane there.
std::vector<double> move_by(const Prepared& record, double delay, std::vector<double>& rows, std::size_t lanes);

// The longest delay that is searched for [s]: a twentieth of the longest run, so that rows are left to compare.
double longest_delay(const Prepared& record);

// Marks rows as not compared to which move_by brings no value of the run, or one from the edge of the filter: at its beginning if
// delay > 0 [s], at its end if delay < 0.
void exclude_moved_rows(Prepared& record, double delay);

// The measured signal in the time of the motion: at t + delay. A fit moves the model instead, because moved noise is smaller and its slope
// would count as information about the delay.
std::vector<double> measured_ahead(const Prepared& record, double delay);

// The measured channel of a model: force, or voltage.
Measurand measured_channel(const FitModel& model);

}  // namespace bristle::identification
