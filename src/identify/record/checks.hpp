// Checks of one run in SI units. Each looks for one fault of the measurement and returns a finding; std::nullopt if there is none.
// Nothing is changed. Cost: linear in the number of rows.
#pragma once
#include <bristle/identify/record.hpp>

#include <optional>
#include <span>

namespace bristle::inline identification::record_detail {

// Standard deviation of the sample period above 1 % of its median. value: deviation [s]; other: relative to the median [1].
std::optional<FitFinding> find_jitter(const std::vector<double>& time);

// Periods above 1.7 medians; those above 20 medians are gaps, at which runs are cut. Rows that the reader has left out have findings of
// their own: they are not counted. rejected: their lines, rising. count: missing rows; line: of the row after the first such period;
// value: longest period [s].
std::optional<FitFinding> find_lost_rows(const std::vector<double>& time, const std::vector<std::uint32_t>& line,
                                         std::span<const std::uint32_t> rejected = {});

// A channel at its largest or smallest value for at least 5 rows in sequence and 0.5 % of all rows. Zero does not count: an idle drive
// has no force. count: rows; value: the limit; line: of the first such sequence.
std::optional<FitFinding> find_saturation(const std::vector<double>& x, const std::vector<std::uint32_t>& line);

// One or two rows in sequence that are far from their neighbours: from the median of five rows by more than half of the range of the channel
// (without its 0.1 % largest and smallest values) and 20 times the median of such distances. count: rows; line, value and other: number
// and median of the first one.
std::optional<FitFinding> find_outliers(const std::vector<double>& x, const std::vector<std::uint32_t>& line);

// Positions that are multiples of one step. value: step [m or rad]; other: velocity that one step in one period stands for.
std::optional<FitFinding> find_resolution(const std::vector<double>& time, const std::vector<double>& position);

// Work of the force on the motion clearly negative: the force drives the motion instead of opposing its cause.
// value: work divided by the sum of its absolute parts [1], -1 to -0.3.
std::optional<FitFinding> find_wrong_sign(const std::vector<double>& displacement_steps,
                                          const std::vector<double>& force);

// Velocity column against the velocity of the position, over blocks of rows. value: factor by which the velocity column is too large,
// if it is off by more than 10 %.
std::optional<FitFinding> find_unit_mismatch(const std::vector<double>& time, const std::vector<double>& position,
                                             const std::vector<double>& velocity);

// Delay of the velocity column behind the velocity of the position, from their cross-correlation. value: s; other: samples, >= 1.
std::optional<FitFinding> find_velocity_lag(const std::vector<double>& time, const std::vector<double>& position,
                                            const std::vector<double>& velocity);

// Displacement in each row [m or rad]: half of the way from the row before to the row after, or velocity times period.
std::vector<double> displacement_steps(const MeasuredRun& run);

// All checks of a run, with its name as place. rejected: lines of the rows of its table that were left out, rising.
void check_run(const MeasuredRun& run, std::span<const std::uint32_t> rejected, std::vector<FitFinding>& findings);

}  // namespace bristle::identification::record_detail
