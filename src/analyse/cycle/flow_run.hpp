// A set-up of one law as a Flow: the adaptive solver with an observer that integrates the sensitivities.
#pragma once
#include "analyse/cycle/flow_law.hpp"
#include "analyse/cycle/flow_sensitivities.hpp"
#include "simulate/nominal.hpp"
#include "simulate/simulate_law.hpp"

namespace bristle::inline analysis::cycle {

template <class System>
class SolverStep final : public FlowStep {
  public:
    SolverStep(const System& system, const Stepper<System>& stepper, double t0, double t1)
        : system_(system), stepper_(stepper) {
        from = t0;
        to = t1;
        held = System::dry && system.friction.held();
    }
    void state(double fraction, double* y) const override {
        for (std::size_t i = 0; i < System::N; ++i) y[i] = fraction == 1 ? stepper_.y1()[i] : stepper_.at(i, fraction);
    }
    double slip(double fraction) const override { return system_.contact_velocity(time(fraction), velocity(fraction)); }
    double slip_rate(double fraction) const override { return system_.rig.ratio * rates(fraction)[1]; }
    void rates(double fraction, double* f) const override {
        const auto now = rates(fraction);
        std::copy(now.begin(), now.end(), f);
    }

  private:
    Vector<System::N> rates(double fraction) const {
        Vector<System::N> y, f;
        std::array<double, 0> none;
        state(fraction, y.data());
        system_.rates(time(fraction), y, f, none);
        return f;
    }
    double time(double fraction) const { return from + fraction * (to - from); }
    double velocity(double fraction) const { return fraction == 1 ? stepper_.y1()[1] : stepper_.at(1, fraction); }
    const System& system_;
    const Stepper<System>& stepper_;
};

template <class Law, bool Integral>
class FlowOf final : public Flow {
  public:
    using System = RigSystem<Law, Integral, false>;
    static constexpr std::size_t N = System::N;
    using Vector = bristle::Vector<N>;

    FlowOf(const Setup& setup, double tolerance, const std::vector<SetupDifference>& differences)
        : setup_(setup),
          rig_(autonomous_rig(setup)),
          differences_(differences),
          law_(std::get<Law>(setup_.law)),
          load_(setup.load.piece(0).value(0.0)) {
        const Nominal size = simulation::nominal(law_, setup_, load_);
        tolerance_ = {.rtol = tolerance,
                      .still = 1e-6 * tolerance * size.slip,
                      .force = 0.1 * tolerance * size.force,
                      .until = 1e9};
        nominal_.assign(N, size.contact_state);
        nominal_[0] = size.position;
        nominal_[1] = size.velocity;
        if (Integral) nominal_[N - 1] = size.integral;
        for (std::size_t i = 0; i < N; ++i) tolerance_.atol[i] = tolerance * nominal_[i];

        const auto names = state_names(setup_.law, setup_.rig);
        named_ = names.size();
        std::vector<double> start;
        for (const auto& state : names) start.push_back(start_of(setup_, state.name));
        start_ = placed(start);
    }

    std::size_t size() const override { return N; }
    const std::vector<double>& nominal() const override { return nominal_; }
    const std::vector<double>& start() const override { return start_; }
    std::vector<double> named(const double* y) const override {
        std::vector<double> out(named_);
        for (std::size_t i = 0; i < named_; ++i) out[i] = y[place(i, named_)];
        return out;
    }
    std::vector<double> placed(const std::vector<double>& named) const override {
        std::vector<double> out(N);
        for (std::size_t i = 0; i < named.size() && i < named_; ++i) out[place(i, named_)] = named[i];
        return out;
    }
    double direction() const override {
        const double steady = rig_.ratio * pull_velocity(rig_) + rig_.belt_speed;
        return steady < 0 ? -1 : 1;
    }
    double slip(const std::vector<double>& y) const override { return rig_.ratio * y[1] + rig_.belt(begin()); }

    void rates(const std::vector<double>& y, std::vector<double>& f, std::vector<double>* J,
               std::vector<std::vector<double>>* by) const override {
        System system = make(setup_);
        Vector at;
        std::copy(y.begin(), y.end(), at.begin());
        settle(system, at);
        Linear<N, 0> linear;
        system.linearise(begin(), at, linear);
        f.assign(linear.f.begin(), linear.f.end());
        if (J) {
            J->resize(N * N);
            for (std::size_t i = 0; i < N * N; ++i) (*J)[i] = linear.J[i / N][i % N];
        }
        if (by) {
            Sensitivities<System> sensed(system, differences_of_systems(), sizes());
            sensed.follow_mode();
            by->resize(differences_.size());
            for (std::size_t k = 0; k < differences_.size(); ++k) {
                Vector column;
                sensed.by_parameter(k, begin(), at, column);
                (*by)[k].assign(column.begin(), column.end());
            }
        }
    }

    Status run(const std::vector<double>& y, double duration, bool sensitivities, FlowResult& out,
               const FlowObserver& observe) const override {
        System system = make(setup_);
        Statistics statistics;
        Solver<System> solver(system, tolerance_, statistics);
        solver.t = begin();
        std::copy(y.begin(), y.end(), solver.y.begin());
        solver.settle();
        std::optional<Sensitivities<System>> sensed;
        if (sensitivities) sensed.emplace(system, differences_of_systems(), sizes());
        Observer observer{system, sensed ? &*sensed : nullptr, observe};
        const Status status = solver.run(begin() + duration, observer);
        out.y.assign(solver.y.begin(), solver.y.end());
        if (sensed) {
            out.heat = sensed->heat;
            out.S.resize(N * N);
            for (std::size_t i = 0; i < N * N; ++i) out.S[i] = sensed->S[i / N][i % N];
            out.by.assign(differences_.size(), std::vector<double>(N));
            for (std::size_t k = 0; k < differences_.size(); ++k)
                for (std::size_t i = 0; i < N; ++i) out.by[k][i] = sensed->S[i][N + k];
        }
        return status;
    }

  private:
    struct Observer {
        const System& system;
        Sensitivities<System>* sensed;
        const FlowObserver& observe;
        template <class Stepper>
        bool step(const Stepper& stepper, double t, double end) {
            if (sensed && !sensed->step(stepper, t, end - t)) return false;
            return !observe || observe(SolverStep<System>(system, stepper, t, end));
        }
        void reversal(double) {}
    };

    // Time of the start [s]: a belt has its final speed.
    double begin() const { return rig_.belt_speed == 0 ? 0 : 1; }
    // Index of a named state in the system: the integral is last, after the room for elements.
    static std::size_t place(std::size_t i, std::size_t names) { return Integral && i + 1 == names ? N - 1 : i; }
    System make(const Setup& setup) const {
        System system(std::get<Law>(setup.law), autonomous_rig(setup));
        system.input = setup.input.piece(0);
        system.load = setup.load.piece(0);
        return system;
    }
    void settle(System& system, const Vector& y) const {
        system.friction.settle(parts::part<System::n, double>(y, System::contact), system.moment(begin(), y));
    }
    std::vector<typename Sensitivities<System>::Difference> differences_of_systems() const {
        std::vector<typename Sensitivities<System>::Difference> out;
        for (const SetupDifference& d : differences_) out.push_back({make(d.below), make(d.above), d.width});
        return out;
    }
    Vector sizes() const {
        Vector out;
        std::copy(nominal_.begin(), nominal_.end(), out.begin());
        return out;
    }

    Setup setup_;
    RigEquations rig_;
    std::vector<SetupDifference> differences_;
    const Law& law_;
    double load_;
    Tolerance<N> tolerance_;
    std::vector<double> nominal_, start_;
    std::size_t named_ = 0;
};

template <class Law>
std::unique_ptr<Flow> flow_for(const Setup& setup, double tolerance, const std::vector<SetupDifference>& differences) {
    if (setup.rig.equations().has_integral) return std::make_unique<FlowOf<Law, true>>(setup, tolerance, differences);
    return std::make_unique<FlowOf<Law, false>>(setup, tolerance, differences);
}

}  // namespace bristle::analysis::cycle

#define BRISTLE_FLOW(row)                                                                 \
    namespace bristle::inline analysis::cycle {                                           \
    template std::unique_ptr<Flow> flow_for<std::variant_alternative_t<row, LawVariant>>( \
        const Setup&, double, const std::vector<SetupDifference>&);                       \
    }
