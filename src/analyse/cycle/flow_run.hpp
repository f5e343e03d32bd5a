// A set-up of one law as a Flow: the solver with its observer.
#pragma once
#include "analyse/cycle/flow_law.hpp"
#include "analyse/cycle/flow_sensitivities.hpp"
#include "simulate/nominal.hpp"
#include "simulate/simulate_law.hpp"

namespace bristle::inline analysis {

template <class System>
class SeenStep final : public FlowStep {
  public:
    SeenStep(const System& system, const Stepper<System>& stepper, double t0, double t1)
        : system_(system), stepper_(stepper) {
        from = t0;
        to = t1;
        held = System::dry && system.friction.held();
    }
    void state(double share, double* y) const override {
        for (std::size_t i = 0; i < System::N; ++i) y[i] = share == 1 ? stepper_.y1()[i] : stepper_.at(i, share);
    }
    double slip(double share) const override { return system_.contact_velocity(time(share), velocity(share)); }
    double slip_rate(double share) const override { return system_.rig.ratio * rates(share)[1]; }
    void rates(double share, double* f) const override {
        const auto now = rates(share);
        std::copy(now.begin(), now.end(), f);
    }

  private:
    Vector<System::N> rates(double share) const {
        Vector<System::N> y, f;
        std::array<double, 0> none;
        state(share, y.data());
        system_.rates(time(share), y, f, none);
        return f;
    }
    double time(double share) const { return from + share * (to - from); }
    double velocity(double share) const { return share == 1 ? stepper_.y1()[1] : stepper_.at(1, share); }
    const System& system_;
    const Stepper<System>& stepper_;
};

template <class Law, bool Integral>
class FlowOf final : public Flow {
  public:
    using System = RigSystem<Law, Integral, false>;
    static constexpr std::size_t N = System::N;
    using Vector = bristle::Vector<N>;

    FlowOf(const Setup& setup, double tolerance, const std::vector<Beside>& beside)
        : setup_(setup),
          rig_(autonomous_rig(setup)),
          beside_(beside),
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
        const double steady = rig_.ratio * (rig_.sense < 0 ? rig_.drift : 0) + rig_.belt_speed;
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
            Sensitivities<System> sensed(system, pairs(), sizes());
            sensed.follow_mode();
            by->resize(beside_.size());
            for (std::size_t k = 0; k < beside_.size(); ++k) {
                Vector column;
                sensed.by_parameter(k, begin(), at, column);
                (*by)[k].assign(column.begin(), column.end());
            }
        }
    }

    Status run(const std::vector<double>& y, double duration, bool sensitivities, Travel& out,
               const FlowWatch& watch) const override {
        System system = make(setup_);
        Statistics statistics;
        Solver<System> solver(system, tolerance_, statistics);
        solver.t = begin();
        std::copy(y.begin(), y.end(), solver.y.begin());
        solver.settle();
        std::optional<Sensitivities<System>> sensed;
        if (sensitivities) sensed.emplace(system, pairs(), sizes());
        Observer observer{system, sensed ? &*sensed : nullptr, watch};
        const Status status = solver.run(begin() + duration, observer);
        out.y.assign(solver.y.begin(), solver.y.end());
        if (sensed) {
            out.heat = sensed->heat;
            out.S.resize(N * N);
            for (std::size_t i = 0; i < N * N; ++i) out.S[i] = sensed->S[i / N][i % N];
            out.by.assign(beside_.size(), std::vector<double>(N));
            for (std::size_t k = 0; k < beside_.size(); ++k)
                for (std::size_t i = 0; i < N; ++i) out.by[k][i] = sensed->S[i][N + k];
        }
        return status;
    }

  private:
    struct Observer {
        const System& system;
        Sensitivities<System>* sensed;
        const FlowWatch& watch;
        template <class Stepper>
        bool step(const Stepper& stepper, double t, double end) {
            if (sensed && !sensed->step(stepper, t, end - t)) return false;
            return !watch || watch(SeenStep<System>(system, stepper, t, end));
        }
        void reversal(double) {}
    };

    // A belt needs to have started.
    double begin() const { return rig_.belt_speed == 0 ? 0 : 1; }
    // The integral comes last, after as many elements as the system has room for.
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
    std::vector<typename Sensitivities<System>::Pair> pairs() const {
        std::vector<typename Sensitivities<System>::Pair> out;
        for (const Beside& b : beside_) out.push_back({make(b.below), make(b.above), b.apart});
        return out;
    }
    Vector sizes() const {
        Vector out;
        std::copy(nominal_.begin(), nominal_.end(), out.begin());
        return out;
    }

    Setup setup_;
    RigEquations rig_;
    std::vector<Beside> beside_;
    const Law& law_;
    double load_;
    Tolerance<N> tolerance_;
    std::vector<double> nominal_, start_;
    std::size_t named_ = 0;
};

template <class Law>
std::unique_ptr<Flow> flow_for(const Setup& setup, double tolerance, const std::vector<Beside>& beside) {
    if (setup.rig.equations().has_integral) return std::make_unique<FlowOf<Law, true>>(setup, tolerance, beside);
    return std::make_unique<FlowOf<Law, false>>(setup, tolerance, beside);
}

}  // namespace bristle::inline analysis

#define BRISTLE_FLOW(row)                                                                                             \
    namespace bristle::inline analysis {                                                                              \
    template std::unique_ptr<Flow> flow_for<std::variant_alternative_t<row, LawVariant>>(const Setup&, double,        \
                                                                                         const std::vector<Beside>&); \
    }
