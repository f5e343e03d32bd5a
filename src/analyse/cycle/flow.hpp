// The motion of a set-up with constant inputs, together with its sensitivities: what shooting for limit cycles is made
// of.
//
//   y(t) from y0,   S = dy/dy0,   s_p = dy/dp
//   S' = J(y(t)) S,   s_p' = J s_p + df/dp                       between changes of the law's mode
//   S+ = S + (f+ - f-) (g_y S)/(g_y f-)                          at one (saltation): where its guard g(y, p) is zero
//   s_p+ the same with g_y s_p + g_p
// The motion is that of the adaptive solver. On each of its steps S is carried by Radau IIA of order 5 (L-stable: a
// stuck contact is stiff) on the dense output, J by dual numbers. df/dp is a central difference of the right-hand side
// between two set-ups.
// LuGre and its relatives are continuous at c = 0, so that nothing jumps there. A static law that sticks has v' = 0:
// the row of v in S becomes zero, and the state has lost a dimension.
//
// Time does not act: a belt runs at its final speed, and the load is constant.
// y: as the solver orders it, (q, v, contact states, integral); a Maxwell-slip law has room for more elements than it
// may use.
#pragma once
#include <bristle/simulate/result.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace bristle::inline analysis {

// One accepted step, for those who watch. share: 0 at its start, 1 at its end.
class FlowStep {
  public:
    double from = 0, to = 0;                                // s
    bool held = false;                                      // a static law sticks
    virtual void state(double share, double* y) const = 0;  // size() numbers
    virtual double slip(double share) const = 0;            // velocity of the contact [m/s]
    virtual double slip_rate(double share) const = 0;       // its rate [m/s^2]
    virtual void rates(double share, double* f) const = 0;  // size() numbers

  protected:
    ~FlowStep() = default;
};
using FlowWatch = std::function<bool(const FlowStep&)>;  // false stops the motion

// Where a motion has come to.
struct Travel {
    std::vector<double> y;
    std::vector<double> S;                // dy/dy0, row by row; empty: not asked for
    std::vector<std::vector<double>> by;  // dy/dp for each parameter; as S
    double heat = 0;                      // dissipated on the way [J]; as S
};

// Two set-ups on either side of the one in question; their distance in the parameter.
struct Beside {
    Setup below, above;
    double apart;
};

class Flow {
  public:
    virtual ~Flow() = default;
    virtual std::size_t size() const = 0;
    virtual const std::vector<double>& nominal()
        const = 0;  // sizes of the states: what the absolute tolerance is a factor on
    virtual const std::vector<double>& start() const = 0;          // the set-up's own
    virtual std::vector<double> named(const double* y) const = 0;  // the states in the order of state_names,
    virtual std::vector<double> placed(const std::vector<double>& named) const = 0;  // and back
    // +1 or -1: which way the contact slips on the whole; its fastest slip is where slip * direction has a maximum.
    virtual double direction() const = 0;
    // The slip velocity, and f at a point in the mode that fits it; J = df/dy and df/dp where asked for.
    virtual double slip(const std::vector<double>& y) const = 0;
    virtual void rates(const std::vector<double>& y, std::vector<double>& f, std::vector<double>* J = nullptr,
                       std::vector<std::vector<double>>* by = nullptr) const = 0;
    // From y over duration [s]. Safe to call from several threads.
    virtual Status run(const std::vector<double>& y, double duration, bool sensitivities, Travel& out,
                       const FlowWatch& watch = {}) const = 0;
};

// The rig with nothing that depends on time. A belt has its final speed: its start takes a microsecond, and motions begin at t = 1 s.
RigEquations autonomous_rig(const Setup& setup);

// tolerance: relative, and the factor on nominal sizes. Throws Error for a rig or input that has no autonomous motion.
std::unique_ptr<Flow> flow_of(const Setup& setup, double tolerance, const std::vector<Beside>& beside = {});

}  // namespace bristle::inline analysis
