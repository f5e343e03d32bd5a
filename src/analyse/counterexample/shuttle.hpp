// What the cycles of a one-state law are made of.
#pragma once
#include "analyse/counterexample/counterexample.hpp"
#include "analyse/counterexample/signal_builder.hpp"
#include "analyse/counterexample/sweep.hpp"

namespace bristle::inline analysis {

inline constexpr double infinite = std::numeric_limits<double>::infinity();

// Held velocities one after the other, each until z has come to its target.
struct DeflectionPlan {
    struct Leg {
        Held held;
        double target;  // m
    };
    std::vector<Leg> legs;
    double energy = 0;  // J; infinite where there is no way
    double time = 0;    // s
};
// slack: as in cheapest().
DeflectionPlan cheapest_way(const AnyLaw& law, double from, double to, double load, double vmax, double slack = 0.05);

// Lays legs one after the other and keeps track of z.
class SignalAssembler {
  public:
    SignalAssembler(const AnyLaw& law, double load) : law_(law), builder_(load) {}
    SignalBuilder& builder() { return builder_; }
    // Holds until z has come to the target. What rounding of time leaves is made good by the next leg.
    void go(Held held, double target);
    void go(const DeflectionPlan& way);
    // At rest; quick, because on a smooth curve z creeps meanwhile.
    void change_load(double load, double time);

  private:
    const AnyLaw& law_;
    SignalBuilder builder_;
    double z_ = 0;
};
// Takes the signal, computes its energy, and that of the cycle which lies between two of its points. Nothing where that cannot be
// computed.
std::optional<Counterexample> finished(const AnyLaw& law, SignalBuilder& builder, std::size_t begins, std::size_t ends);

// Shuttling around z with a load for each direction.
std::optional<Counterexample> shuttle_between(const AnyLaw& law, double z, Held plus, Held minus, double vmax,
                                              const ShuttleOptions& options = {});

}  // namespace bristle::inline analysis
