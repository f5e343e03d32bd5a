// The least-squares problem of one law on a prepared record: parameters, residuals, exact derivatives.
//
//   residual_i = y(t_i) - M(t_i - delay),   M(t_i) = (H F_i + sum_k c_k phi_ki)/gain + back_emf v_i
// F is the force of the law along the motion (response/), H the filter of the record, phi the terms of the axis:
// acceleration (inertia), 1 (offset), H sin x (gravity), H cos and H sin of 2 pi x/period (ripple).
#pragma once
#include "identify/fit/quantity.hpp"
#include "identify/response/response.hpp"
#include "identify/signals/prepare.hpp"

namespace bristle::inline identification {

// A term of the axis that is linear in its coefficient.
struct Term {
    std::string name, unit, doc;
    FittedQuantity quantity;
    std::vector<double> column;  // one number per row
    bool found = true;           // its coefficient is a parameter of the fit
    double coefficient = 0;      // given, or where the fit starts
    bool nonnegative = false;
};

// What all laws share on a record: terms, and the nonlinear parameters of the axis.
struct Axis {
    std::vector<Term> terms;
    Setting gain{}, back_emf{}, gap{}, delay{};  // value: given, or where the fit starts
    bool own_directions = false;
    bool one_level = false;    // Fs of a law is its Fc
    double ripple_period = 0;  // m; 0: none
};
Axis axis_of(const Prepared& record, const FitModel& model);
// Adds cosine and sine of the position.
void add_ripple(Axis& axis, const Prepared& record, double period);

// Lower limit of a level, of the largest level of its law: one that the record does not show is held there, above 0.
inline constexpr double smallest_level = 0.02;

struct FreeParameter {
    std::string name, unit, doc;
    FittedQuantity quantity = FittedQuantity::other_of_law;
    std::vector<std::size_t> numbers{};      // of the law: in the order of its table
    std::size_t term = 0;                    // of the axis: in Axis::terms
    double low = 0, high = 0;                // bounds of the search
    bool log = false;                        // the search runs over its logarithm
    double scale = 1;                        // size of a step of the search, if not log
    std::string table_name{};                // of the law: as in its table, with the index of a list
    int index = -1;                          // in a list, from 0; -1: not of a list
    int direction = 0;                       // 1: for v > 0 only, -1: for v < 0 only, 0: for both
    bool doc_has_direction = false;          // doc states that the number holds for v < 0
    Dimension dimension = Dimension::other;  // of the law: of its unit
    bool linear() const;                     // the force is linear in it
    bool of_law() const { return is_of_law(quantity); }
    bool holds_for(int motion) const { return direction * motion >= 0; }  // motion: 1 or -1
};

class FitProblem {
  public:
    // law: with start values in all its numbers.
    FitProblem(const Prepared& record, const Axis& axis, AnyLaw law);
    virtual ~FitProblem() = default;

    const std::vector<FreeParameter>& parameters() const { return parameters_; }
    const std::vector<double>& start() const { return start_; }
    const Prepared& record() const { return record_; }
    const Axis& axis() const { return axis_; }
    AnyLaw law_at(std::span<const double> values) const;

    // Residuals and derivatives of the model at the values, for all rows; J row by row.
    struct Rows {
        std::vector<double> residual, J;
        std::vector<double> friction;  // H F, at t - delay like all of the model
        bool finite = true;
    };
    virtual void evaluate(std::span<const double> values, Rows& rows) const;

    // Widens the bounds of forces to those of a friction level [N], if the start has a much smaller one.
    void widen_bounds(double level);

    // Force of the bristle at the start of each run [N], from the measured force there.
    void set_start_forces(std::span<const double> values);
    const std::vector<double>& start_forces() const { return start_force_; }
    void restore_start_forces(std::span<const double> forces) { start_force_.assign(forces.begin(), forces.end()); }

  protected:
    // Value of a nonlinear parameter or of a coefficient of the axis, found or given; 0: absent.
    double axis_value(FittedQuantity quantity, std::span<const double> values) const;
    double term_value(FittedQuantity quantity, std::span<const double> values) const;

  private:
    void add_law_parameters();
    void add_axis_parameters();
    void respond(std::span<const double> values, double gain, Rows& rows) const;
    // Moves the rows of the model (still in rows.residual) to t - delay.
    void move(double delay, Rows& rows) const;

    const Prepared& record_;
    const Axis& axis_;
    AnyLaw law_;
    std::vector<FreeParameter> parameters_;
    std::vector<double> start_;
    std::vector<double> start_force_;  // of each run
};

}  // namespace bristle::identification
