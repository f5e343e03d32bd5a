// Position output: the least-squares problem of one law whose residual is the measured minus the simulated position [m].
//
// Each run is cut into segments. A segment starts at the smoothed measured position and velocity plus a correction. Residuals r and
// derivatives J are projected off the derivatives S with respect to the start state, segment by segment:
//   r - S (S'S)^-1 S'r,   J - S (S'S)^-1 S'J
// so that the start states need no parameters of the search. correct_starts() moves them to their best linear estimate.
#pragma once
#include "identify/fit/law_fit.hpp"
#include "identify/response/axis_motion.hpp"

namespace bristle::inline identification {

struct Segment {
    std::size_t begin = 0, size = 0;  // rows
    double x0 = 0, v0 = 0;            // m, m/s at the first row
    double acceleration = 0;          // m/s^2 there
    double start_force = 0;           // N: of the bristle there, by the equation of motion
};
// Segments of `length` seconds, as equal as the rows of a run permit. smooth: start states.
std::vector<Segment> segments_of(const Prepared& smooth, double length);

class PositionProblem : public FitProblem {
  public:
    // record: not filtered; its y is the position. input: force or voltage of each row, at its delay.
    PositionProblem(const Prepared& record, const Axis& axis, AnyLaw law, const std::vector<double>& input,
                    std::vector<Segment> segments);

    void evaluate(std::span<const double> values, Rows& rows) const override;
    // Sets the force of the bristle at the start of each segment from the measured motion and force.
    void set_start_forces(std::span<const double> values);
    // Adds the best linear correction to each start state. Keeps those that do not lower the error of their segment.
    void correct_starts(std::span<const double> values);
    const std::vector<Segment>& segments() const { return segments_; }

  private:
    struct Table {
        std::vector<double> x, start, J;  // per row: position, two and p derivatives
    };
    AxisNumbers numbers_at(std::span<const double> values) const;
    void simulate(const Segment& segment, std::span<const double> values, bool derivatives, Table& out) const;

    const std::vector<double>& input_;
    std::vector<Segment> segments_;
};

// What the laws share in a fit of positions.
struct PositionContext {
    FitContext base;            // record: not filtered, y is the position, rows of whole segments are held out together
    std::vector<double> input;  // force or voltage
    std::vector<Segment> segments;
};
// force: the context of the fit of the force, for the start of the axis and the smoothed motion.
PositionContext position_context(const Record& record, const FitContext& force);

// Refines a law that was fitted to the force. Start states and parameters are improved in turn.
FittedLaw fit_position(const PositionContext& context, const FittedLaw& start);

// Error of the positions of a law on another record; all numbers of the axis are given, start states are free.
FitError predict_position(const LawFit& law, const Record& record, const FitOptions& options, double bandwidth);

// False for kinds of the catalogue that have no position output, because their step has another unknown than the velocity.
bool has_position_output(std::string_view kind);

}  // namespace bristle::identification
