// Parts of the cycles of a one-state law: plans for z, and their assembly into a signal.
#pragma once
#include "analyse/counterexample/counterexample.hpp"
#include "analyse/counterexample/signal_builder.hpp"
#include "analyse/counterexample/sweep.hpp"

namespace bristle::inline analysis::counterexample {

inline constexpr double infinite = std::numeric_limits<double>::infinity();

// Held velocities in sequence, each until z reaches its target.
struct DeflectionPlan {
    struct Leg {
        Held held;
        double target;  // m
    };
    std::vector<Leg> legs;
    double energy = 0;  // J; infinite if there is no plan
    double time = 0;    // s
};
// slack: as in cheapest().
DeflectionPlan cheapest_plan(const AnyLaw& law, double from, double to, double load, double vmax, double slack = 0.05);

// Appends legs to a signal and keeps track of z.
class SignalAssembler {
  public:
    SignalAssembler(const AnyLaw& law, double load) : law_(law), builder_(load) {}
    SignalBuilder& builder() { return builder_; }
    // Holds until z reaches the target. The next leg corrects the rounding of the time.
    void go(Held held, double target);
    void go(const DeflectionPlan& plan);
    // At rest, within a short time [s], because on a smooth curve z relaxes meanwhile.
    void change_load(double load, double time);

  private:
    const AnyLaw& law_;
    SignalBuilder builder_;
    double z_ = 0;
};
// Returns the signal with its energies, energy_per_cycle between two of its points; std::nullopt if these cannot be computed.
std::optional<Counterexample> finished(const AnyLaw& law, Counterexample signal, std::size_t begins, std::size_t ends);

// Shuttling around z with a load for each direction.
std::optional<Counterexample> shuttle_between(const AnyLaw& law, double z, Held plus, Held minus, double vmax,
                                              const ShuttleOptions& options = {});

}  // namespace bristle::analysis::counterexample
