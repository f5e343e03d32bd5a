// Motion of a set-up with constant inputs, with its sensitivities: the basis of shooting for limit cycles.
//
//   y(t) from y0,   S = dy/dy0,   s_p = dy/dp
//   S' = J(y(t)) S,   s_p' = J s_p + df/dp                       between changes of mode
//   S+ = S + (f+ - f-) (g_y S)/(g_y f-)                          at a change of mode (saltation), where its guard
//   s_p+ likewise with g_y s_p + g_p                             g(y, p) = 0
// The motion is that of the adaptive solver. On each step of the solver S is integrated by Radau IIA of order 5 on the
// dense output (L-stable, because a stuck contact is stiff), with J by dual numbers. df/dp is a central difference of the
// right-hand side between two set-ups.
// LuGre and its relatives are continuous at c = 0, so S does not jump there. A static law in stick has v' = 0: the row of
// v in S becomes zero, and the motion loses one dimension.
//
// The motion is autonomous: a belt has its final speed, and the load is constant.
// Order of y: that of the solver, (q, v, contact states, integral). A Maxwell-slip law has room for more elements than it
// uses.
#pragma once
#include <bristle/simulate/result.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace bristle::inline analysis::cycle {

// One accepted step of the solver. fraction: 0 at its start, 1 at its end.
class FlowStep {
  public:
    double from = 0, to = 0;                                   // s
    bool held = false;                                         // a static law sticks
    virtual void state(double fraction, double* y) const = 0;  // size() numbers
    virtual double slip(double fraction) const = 0;            // velocity of the contact [m/s]
    virtual double slip_rate(double fraction) const = 0;       // its derivative [m/s^2]
    virtual void rates(double fraction, double* f) const = 0;  // size() numbers

  protected:
    ~FlowStep() = default;
};
using FlowObserver = std::function<bool(const FlowStep&)>;  // returns false to end the motion

// End of a motion. S, by and heat are set if sensitivities were requested.
struct FlowResult {
    std::vector<double> y;
    std::vector<double> S;                // dy/dy0, row by row
    std::vector<std::vector<double>> by;  // dy/dp for each parameter
    double heat = 0;                      // dissipated energy [J]
};

// Two set-ups below and above a parameter value, for a difference quotient.
struct SetupDifference {
    Setup below, above;
    double width;  // difference of the parameter
};

class Flow {
  public:
    virtual ~Flow() = default;
    virtual std::size_t size() const = 0;
    virtual const std::vector<double>& nominal() const = 0;  // sizes of the states, scale of the absolute tolerance
    virtual const std::vector<double>& start() const = 0;    // that of the set-up
    virtual std::vector<double> named(const double* y) const = 0;  // states in the order of state_names
    virtual std::vector<double> placed(const std::vector<double>& named) const = 0;  // inverse of named
    // Sign of steady slip, 1 if it is 0. Maximum slip is a maximum of slip * direction.
    virtual double direction() const = 0;
    virtual double slip(const std::vector<double>& y) const = 0;  // velocity of the contact [m/s]
    // Writes f at a point, in the mode of that point; J = df/dy and df/dp if requested.
    virtual void rates(const std::vector<double>& y, std::vector<double>& f, std::vector<double>* J = nullptr,
                       std::vector<std::vector<double>>* by = nullptr) const = 0;
    // Integrates from y over duration [s]. Can be called from several threads.
    virtual Status run(const std::vector<double>& y, double duration, bool sensitivities, FlowResult& out,
                       const FlowObserver& observer = {}) const = 0;
};

// Returns the rig without explicit time: the belt starts within a microsecond, and motions begin at t = 1 s.
RigEquations autonomous_rig(const Setup& setup);

// Returns the velocity at which the position of the rig is constant, that of the puller [m/s]; 0 without a puller.
double pull_velocity(const RigEquations& rig);

// tolerance: relative, and the factor on nominal sizes. differences: one for each parameter, at most two. Throws Error
// for a rig or load without autonomous motion.
std::unique_ptr<Flow> flow_of(const Setup& setup, double tolerance,
                              const std::vector<SetupDifference>& differences = {});

}  // namespace bristle::analysis::cycle
