// The fit of one law: starts, least squares on the fitted rows, error on the held-out rows, final fit on all rows.
#pragma once
#include "identify/fit/context.hpp"

namespace bristle::inline identification {

// A fitted law. Of its final fit it keeps what the rows follow from: they take up to 200 bytes per row, and all laws are fitted before the
// first one is described.
struct FittedLaw {
    std::string kind;
    AnyLaw law;
    std::vector<FreeParameter> parameters;
    std::vector<double> values;
    FitProblem::Rows rows;  // residuals and derivatives of the final fit, for all rows; empty after release_rows
    std::vector<double> y;  // the measured signal that the residuals refer to; empty after release_rows
    std::vector<double> start_force;  // N, of each run
    std::vector<double> gear_load;    // N, if it was found together with this law; empty: that of the context
    std::vector<std::uint8_t> use;    // rows of the final fit
    double loss_scale = 0;            // of a robust loss, in the unit of y; 0: squares
    double cost = 0;                  // sum of squares (or of losses) over all compared rows
    FitError fit, heldout;
    bool converged = false;
    bool has_elements() const { return kind_has_elements(kind); }  // law has no value before it is fitted
    // The value for motion in a direction, 1 or -1; of a list the first. `otherwise` if the law was fitted without this parameter.
    double value(FittedQuantity quantity, double otherwise = 0, int motion = 1) const {
        for (std::size_t k = 0; k < parameters.size(); ++k)
            if (parameters[k].quantity == quantity && parameters[k].holds_for(motion)) return values[k];
        return otherwise;
    }
    // The value of the same parameter in another fit of the law. Names identify the parameters of one law.
    double value_of_same(const std::string& name, double otherwise) const {
        for (std::size_t k = 0; k < parameters.size(); ++k)
            if (parameters[k].name == name) return values[k];
        return otherwise;
    }
};
// Frees residuals, derivatives and the measured signal; restore_rows computes the same numbers again, with the context of the fit.
// A law without start forces and elements, fitted to positions, keeps its rows: they follow from the start states of its segments.
void release_rows(FittedLaw& law);
void restore_rows(const FitContext& context, FittedLaw& law);

// Of the rows given, those that the law is fitted to: a static law where the encoder shows the motion.
std::vector<std::uint8_t> rows_for(const AnyLaw& law, const Prepared& record, const std::vector<std::uint8_t>& use);

// lugre: a fit of LuGre to the same rows, from which other bristle laws start too; nullptr: none.
FittedLaw fit_law(const FitContext& context, std::string_view kind, const FittedLaw* lugre = nullptr);
// True for laws that start from a fit of LuGre: bristle laws with damping.
bool starts_from_lugre(std::string_view kind);

// How the numbers of a fit of this law are computed.
FitMethod method_of(const FitContext& context, const FittedLaw& law);

// Sets the load of the teeth, and the axis it follows from, by the values of a fit.
void set_gear_load(FitContext& context, const FittedLaw& law);

// The same law with the axis of the context, fitted again from the values of another fit (other bandwidth, or another axis).
FittedLaw refit(const FitContext& context, const FittedLaw& from);
// The same, with the load of a gear law improved in turn if it follows from gravity, gain or back_emf that are found.
FittedLaw refit_with_load(const FitContext& context, const FittedLaw& from);
// The law at the values of another fit, not fitted: residuals and derivatives on all rows of the context.
FittedLaw at_values(const FitContext& context, const FittedLaw& from);

}  // namespace bristle::identification
