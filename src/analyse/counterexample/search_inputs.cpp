// Search over inputs: genomes decoded to legs, scored by the step of the law, confirmed by the integrator.
#include "base/work_budget.hpp"
#include "analyse/counterexample/replay.hpp"
#include "analyse/scales.hpp"
#include "analyse/counterexample/search_inputs.hpp"
#include "analyse/counterexample/signal_builder.hpp"
#include "numerics/interval.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <random>
#include <span>

namespace bristle::inline analysis::counterexample {

namespace {

using numerics::infinity;

// ---- an input as a list of numbers between 0 and 1 -----------------------------------------------------------------------

enum class Shape { two, three, four, tooth, sine };
constexpr std::array shapes{Shape::two, Shape::three, Shape::three, Shape::four, Shape::tooth, Shape::sine};
constexpr std::size_t max_genome_legs = 4, genes_per_leg = 4;

struct Genome {
    Shape shape = Shape::two;
    std::array<double, max_genome_legs * genes_per_leg> genes{};
};

// One straight piece of a cycle.
struct Leg {
    double v0, v1;  // m/s
    double time;    // s
    double load;    // N
};

class Decoder {
  public:
    Decoder(const AnyLaw& law, const SearchOptions& options) : options_(options) {
        const Scales scales = scales_of(law, options.load_max);
        reach_ = scales.deflection;
        // within the range of double: path length over speed is a time
        constexpr double smallest = 1e-100, largest = 1e100;
        fastest_ = std::clamp(std::min(options.vmax, 1e5 * scales.fastest), smallest, largest);
        slowest_ = std::clamp(std::min(1e-5 * scales.slowest, 1e-3 * fastest_), 1e-3 * smallest, largest);
    }

    std::vector<Leg> legs(const Genome& genome) const {
        std::vector<Leg> out;
        const auto& g = genome.genes;
        const double bias = genome.shape == Shape::sine ? 2 * g[4] - 1 : 0;  // of a sine: a fraction of its amplitude
        const double v = speed(g[0]) * sign(g[1]) / (1 + std::abs(bias)), time = reach(g[2]) / std::abs(v);
        if (genome.shape == Shape::tooth) {
            // from v to a fraction of it, or to the other sign, and back
            const double other = v * (1.5 * g[4] - 0.5), fall = time * between(1e-4, 1e4, g[5]);
            out = {{v, other, time, options_.load_max}, {other, v, fall, options_.load_max}};
        } else if (genome.shape == Shape::sine) {
            const auto wave = [&](int i) { return v * (bias + std::sin(2 * std::numbers::pi * i / points)); };
            for (int i = 0; i < points; ++i) out.push_back({wave(i), wave(i + 1), time / points, options_.load_max});
        } else {
            const std::size_t count = 2 + std::size_t(genome.shape);
            for (std::size_t i = 0; i < count; ++i) {
                const double* own = &g[i * genes_per_leg];
                const double held = speed(own[0]) * sign(own[1]);
                out.push_back(
                    {held, held, reach(own[2]) / std::abs(held), own[3] < 0.5 ? options_.load_min : options_.load_max});
            }
        }
        return out;
    }

    // Held velocities that deflect the bristles before the first cycle.
    std::vector<Leg> preludes() const {
        std::vector<Leg> out;
        for (double v = fastest_; v >= slowest_; v /= 10)
            for (const double path : {1.0, -1.0, 3.0, -3.0, 0.3, -0.3})
                out.push_back(
                    {std::copysign(v, path), std::copysign(v, path), std::abs(path) * reach_ / v, options_.load_max});
        return out;
    }

  private:
    static constexpr int points = 32;  // of a wave
    static double between(double low, double high, double fraction) { return low * std::pow(high / low, fraction); }
    static double sign(double gene) { return gene < 0.4 ? -1 : 1; }
    double speed(double gene) const { return between(slowest_, fastest_, gene); }
    double reach(double gene) const { return reach_ * between(1e-3, 10, gene); }

    const SearchOptions& options_;
    double reach_, slowest_, fastest_;
};

// ---- a cycle and its score -----------------------------------------------------------------------------------------------

struct Balance {
    double energy = 0;          // supplied [J]
    double gross = 0;           // sum of the magnitudes of its terms [J]
    double work = 0, heat = 0;  // sums of the magnitudes over all steps [J]
};

// A law with its state, stepped through cycles.
class Runner {
  public:
    virtual ~Runner() = default;
    virtual Balance run(std::span<const Leg> legs) = 0;  // one cycle from the present state
    virtual double z() const = 0;                        // 0 if the state is not one number
    virtual void set_z(double z) = 0;
    virtual bool has_one_state() const = 0;
    virtual double stiffness() const = 0;  // dF/dz, for the energy error of a cycle that does not close [N/m]
};

template <class Law>
class LawRunner : public Runner {
  public:
    explicit LawRunner(const Law& law) : law_(law) {}

    Balance run(std::span<const Leg> legs) override {
        Balance balance;
        for (const Leg& leg : legs) {
            const int parts =
                leg.v0 == leg.v1 || legs.size() > max_genome_legs ? 1 : 16;  // a sine has many legs already
            for (int i = 0; i < parts; ++i)
                step(leg.v0 + (leg.v1 - leg.v0) * (i + 0.5) / parts, leg.time / parts, leg.load, sign0(leg.v1 - leg.v0),
                     balance);
        }
        return balance;
    }
    double z() const override {
        if constexpr (single)
            return state_.z;
        else
            return 0;
    }
    void set_z(double z) override {
        if constexpr (single)
            state_.z = z;
        else
            state_ = {};
    }
    bool has_one_state() const override { return single; }
    double stiffness() const override { return stick_stiffness(law_); }

  private:
    static constexpr bool single = requires(typename Law::State state) { state.z; };

    void step(double v, double dt, double load, [[maybe_unused]] double branch, Balance& balance) {
        const double before = this->z();
        const auto held = [&] {
            if constexpr (RemembersVelocity<Law>)
                return hold_along(law_, state_, v, law_.flow_on(state_, v, branch, loads(law_, load).on_curve, dt), dt,
                                  load);
            else
                return hold(law_, state_, v, dt, load);
        }();
        const auto [mean, end, work, heat, stuck, low, high] = finish(law_, state_, held, dt);
        // each term separately: two large ones may nearly cancel
        const double on_force = loads(law_, load).on_force;
        double viscous = 0, damping = 0;
        if constexpr (requires { law_.viscous(v); }) viscous = on_force * law_.viscous(v) * v * dt;
        if constexpr (requires { law_.damping(v); })
            damping = on_force * law_.damping(v) * v * (this->z() - before);
        else if constexpr (requires { law_.sigma1; })
            damping = on_force * law_.sigma1 * v * (this->z() - before);
        balance.energy += work;
        balance.work += std::abs(work);
        balance.heat += std::abs(heat);
        balance.gross += std::abs(viscous) + std::abs(damping) + std::abs(work - viscous - damping);
    }

    Law law_;
    typename Law::State state_{};
};

std::unique_ptr<Runner> runner_of(const AnyLaw& law) {
    return std::visit(
        []<class Law>(const Law& l) -> std::unique_ptr<Runner> { return std::make_unique<LawRunner<Law>>(l); }, law);
}

// Energy of a cycle that repeats itself, as a fraction of the gross energy.
double score(Runner& runner, std::span<const Leg> legs, const Scales& size) {
    double shortest = infinity, longest = 0;
    for (const Leg& leg : legs) {
        shortest = std::min(shortest, leg.time);
        longest = std::max(longest, leg.time);
    }
    if (!(shortest > 1e-8 * longest)) return infinity;  // lost in rounding after a few cycles
    runner.set_z(0);
    Balance balance;
    double unclosed = 0;
    if (runner.has_one_state()) {
        // z after a cycle is nearly a linear function of z before it: solve for the z that repeats
        runner.run(legs);
        const double first = runner.z();
        runner.run(legs);
        const double second = runner.z(), shrink = first == 0 ? 0 : (second - first) / first;
        if (const double repeats = first / (1 - shrink); shrink < 1 && std::abs(repeats) < size.deflection)
            runner.set_z(repeats);
        runner.run(legs);
        const double start = runner.z();
        balance = runner.run(legs);
        unclosed = runner.stiffness() * std::abs(start) * std::abs(runner.z() - start);
    } else {
        for (int i = 0; i < 6; ++i) balance = runner.run(legs);
    }
    // a cycle that only deflects and releases its springs extracts nothing
    if (!(balance.heat > 0.1 * balance.work)) return 1;
    const double value = (balance.energy + 10 * unclosed) / balance.gross;
    // a cycle that moves little energy would need very many repetitions to recover that of the first deflection
    const double weight = value < 0 ? balance.gross / (balance.gross + 0.01 * size.energy()) : 1;
    return std::isfinite(value) ? weight * value : infinity;
}

// ---- the cycle as a signal -----------------------------------------------------------------------------------------------

// A cycle, the legs before it, and the number of cycles.
struct Input {
    std::vector<Leg> prelude, cycle;
    int times = 3;
};

Counterexample signal_of(const Input& input) {
    const auto ramp = [](const Leg& leg) { return leg.v0 != leg.v1; };
    const double load = input.cycle.front().load;
    if (std::any_of(input.cycle.begin(), input.cycle.end(), ramp)) {
        Counterexample out;
        out.ramps = true;
        double t = 0;
        const auto add = [&](const Leg& leg) {
            // a jump becomes a steep ramp
            if (t == 0 || out.velocity.back().second != leg.v0)
                out.velocity.emplace_back(t == 0 ? 0 : t += 1e-4 * leg.time, leg.v0);
            out.velocity.emplace_back(t += leg.time, leg.v1);
        };
        for (const Leg& leg : input.prelude) add(leg);
        for (int i = 0; i < input.times; ++i)
            for (const Leg& leg : input.cycle) add(leg);
        if (load != 1) out.load = {{0, load}};
        out.duration = t;
        return out;
    }
    SignalBuilder builder(input.prelude.empty() ? load : input.prelude.front().load);
    const auto add = [&](const Leg& leg) {
        if (leg.load != builder.load()) builder.change_load(leg.load, 1e-3 * leg.time);
        builder.hold(leg.v0, leg.time);
    };
    for (const Leg& leg : input.prelude) add(leg);
    for (int i = 0; i < input.times; ++i)
        for (const Leg& leg : input.cycle) add(leg);
    return builder.take();
}

// Repeats the cycle until energy has been extracted, at most max_cycles times. Returns the energy as a fraction of the gross energy, and
// sets input.times.
double run_until_extracted(Runner& runner, Input& input, int max_cycles) {
    runner.set_z(0);
    Balance sum = runner.run(input.prelude);
    for (int i = 1; i <= max_cycles && spend(long(input.cycle.size())); ++i) {
        const Balance balance = runner.run(input.cycle);
        sum.energy += balance.energy;
        sum.gross += balance.gross;
        input.times = i;
        if (sum.energy < -1e-3 * sum.gross) break;
    }
    return sum.energy / sum.gross;
}

// ---- the search ----------------------------------------------------------------------------------------------------------

struct Candidate {
    Genome genome;
    double score = infinity;
    double stride = 0.1;
};

class Search {
  public:
    Search(const AnyLaw& law, const SearchOptions& options)
        : law_(law),
          decoder_(law, options),
          runner_(runner_of(law)),
          size_(scales_of(law, options.load_max)),
          random_(options.seed),
          budget_(options.budget) {}

    Searched run() {
        // some of every shape, so that one easy shape does not displace the others
        constexpr std::size_t kept = 4;
        std::array<std::vector<Candidate>, 5> by_shape;
        while (tried_ < budget_ / 2 && spend()) {
            const Candidate one = random_candidate();
            keep(by_shape[std::size_t(one.genome.shape)], one, kept);
        }
        std::vector<Candidate> best;
        for (const auto& some : by_shape) best.insert(best.end(), some.begin(), some.end());
        while (tried_ < budget_ && !best.empty() && spend())
            for (Candidate& one : best) improve(one);
        std::sort(best.begin(), best.end(), better);
        return confirmed(best);
    }

  private:
    static bool better(const Candidate& a, const Candidate& b) { return a.score < b.score; }

    double uniform() { return std::uniform_real_distribution<>()(random_); }
    double value(const Genome& genome) {
        ++tried_;
        if (!spend(12)) return infinity;
        return score(*runner_, decoder_.legs(genome), size_);
    }
    Candidate random_candidate() {
        Candidate one;
        one.genome.shape = shapes[std::size_t(uniform() * double(shapes.size()))];
        for (double& gene : one.genome.genes) gene = uniform();
        one.score = value(one.genome);
        return one;
    }
    static void keep(std::vector<Candidate>& best, const Candidate& one, std::size_t most) {
        if (!std::isfinite(one.score)) return;
        best.insert(std::upper_bound(best.begin(), best.end(), one, better), one);
        if (best.size() > most) best.pop_back();
    }
    // One random step, longer after a success and shorter after a failure (one in five succeeds at a good step size).
    void improve(Candidate& one) {
        Candidate next = one;
        std::normal_distribution<> normal;
        for (double& gene : next.genome.genes) {
            if (uniform() < 0.5) continue;
            gene = std::clamp(gene + next.stride * normal(random_), 0.0, 1.0);
        }
        next.score = value(next.genome);
        const bool success = next.score < one.score;
        if (success) one = next;
        one.stride = std::clamp(one.stride * (success ? 1.5 : 0.903), 1e-6, 0.5);
    }
    // The input with the best start: the cycle alone, or after a held velocity that deflects the bristles first.
    Input started(const std::vector<Leg>& cycle) {
        const int most = 12000 / int(2 * cycle.size());
        Input best{{}, cycle, 3};
        double lowest = run_until_extracted(*runner_, best, 30);
        for (const Leg& leg : decoder_.preludes()) {
            if (lowest < -1e-3) break;
            Input other{{leg}, cycle, 3};
            if (const double energy = run_until_extracted(*runner_, other, 30); energy < lowest) {
                lowest = energy;
                best = other;
            }
        }
        run_until_extracted(*runner_, best, most);
        return best;
    }
    // The best inputs from z = 0, by the integrator that does not use the step of the law.
    Searched confirmed(const std::vector<Candidate>& best) {
        Searched out;
        double lowest = infinity;
        for (const Candidate& one : best) {
            if ((one.score > 0 && std::isfinite(lowest)) || out.extracts) break;
            const auto cycle = decoder_.legs(one.genome);
            const Input input = one.score < 0 ? started(cycle) : Input{{}, cycle, 3};
            Counterexample signal = signal_of(input);
            const Trace trace = integrate(law_, signal, 1e-10);
            if (!(trace.energy / trace.gross < lowest)) continue;
            lowest = trace.energy / trace.gross;
            trace.record_in(signal);
            // energy of a cycle: that of one more cycle
            Input longer = input;
            ++longer.times;
            signal.energy_per_cycle = integrate(law_, signal_of(longer), 1e-10).energy - trace.energy;
            signal.construction = Counterexample::Search{int(cycle.size()), input.times};
            out.best = std::move(signal);
            out.score = one.score;
            out.extracts = out.best.energy < -out.best.tolerance;
        }
        out.tried = tried_;
        return out;
    }

    const AnyLaw& law_;
    Decoder decoder_;
    std::unique_ptr<Runner> runner_;
    Scales size_;
    std::mt19937_64 random_;
    long budget_, tried_ = 0;
};

}  // namespace

Searched search_inputs(const AnyLaw& law, const SearchOptions& options) { return Search(law, options).run(); }

}  // namespace bristle::analysis::counterexample
