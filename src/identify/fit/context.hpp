// What all stages of one fit share: the prepared record, the axis, the rows to fit and to test, the static stage.
#pragma once
#include "identify/fit/start.hpp"

#include <algorithm>

namespace bristle::inline identification {

struct FitContext {
    FitOptions options;
    Prepared record{};
    std::vector<ColumnUse> columns{};
    Axis axis{};
    StaticStage stage{};
    std::vector<BristleStart> starts{};  // of bristle laws, best first
    Prepared short_record{};             // for the multistart: windows of the record, if it is long
    Axis short_axis{};
    // rows: fitted and held out, test is empty without a hold-out; fitted rows of the short record
    std::vector<std::uint8_t> train{}, test{}, short_train{};
    bool hold_out_used = false;
    double loss_scale = 0;  // of a robust loss, in the unit of y: three standard deviations by the median
    std::function<bool()> should_continue{};  // false: the fit is cancelled

    // Known inertia, or the one of the static stage [kg]; 0: none.
    double inertia() const {
        double sum = 0;
        for (const Term& t : axis.terms)
            if (is_moving_mass(t.quantity)) sum += t.coefficient;
        return sum;
    }
    bool has_inertia() const {
        return std::any_of(axis.terms.begin(), axis.terms.end(),
                           [](const Term& t) { return is_moving_mass(t.quantity); });
    }
    // True for a force that leads the motion by 2 samples or more in a model without inertia: that is the force of an inertia.
    bool is_inertia(double delay) const { return !has_inertia() && delay * record.sample_rate <= -2; }
};
// Sets train, test and short_train from the rows that are compared and held out.
void split_rows(FitContext& context);

// Throws Error with all problems of record and options.
void throw_problems(const Record& record, const FitOptions& options);

// Prepares the record with the bandwidth [Hz] and runs the stages before the laws.
FitContext make_context(const Record& record, const FitOptions& options, std::optional<double> bandwidth,
                        std::function<bool()> should_continue);

// Load of the teeth |tau_m + gravity sin x + gravity_cos cos x| [N] of gear laws, from the measured force or voltage and the coefficients
// of the axis. Empty if the record has a load channel, or no force of a motor.
std::vector<double> gear_load_of(const Prepared& record, const Axis& axis, Measured measured);

// The record cut down to about max_rows rows: windows spread evenly over each run. The same record if it is short enough.
Prepared excerpt(const Prepared& record, std::size_t max_rows);

}  // namespace bristle::identification
