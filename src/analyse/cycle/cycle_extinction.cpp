// Where stick-slip dies, by following motions and halving the interval in which it does.
#include <algorithm>
#include <cmath>

#include "analyse/cycle/cycle_build.hpp"
#include "analyse/cycle/extinction_search.hpp"
#include "analyse/cycle/cycle_transient.hpp"

namespace bristle::inline analysis {

namespace {

// Whether the motion from y still swings as the cycle did after many periods.
struct Survival {
    double tolerance, horizon;
    double steady;   // slip of steady sliding, in the flow's direction [m/s]
    double swing;    // of the cycle's fastest slip above it [m/s]
    long max_steps;  // of the solver
    int peaks = 100;

    // y becomes where the motion has come to.
    bool operator()(const Setup& setup, std::vector<double>& y) const {
        // where nothing slides steadily, a contact that rings in stick has fastest moments above the steady slip too
        const double slowest = steady + (steady > 0 ? 1e-3 : 0.05) * swing;
        constexpr int max_small = 4;  // one after the other: a doubled period has jumps of two sizes
        const auto flow = flow_of(setup, tolerance);
        PeakWatch watch(*flow);
        int count = 0, small = 0;
        long steps = 0;
        double begin = -1, last_large = -1, now = 0;
        Travel end;
        flow->run(y, horizon, false, end, [&](const FlowStep& step) {
            if (begin < 0) begin = last_large = step.from;
            now = step.to;
            if (++steps > max_steps) return false;
            const auto peak = watch.look(step);
            if (!peak || peak->slip < slowest) return true;
            if (peak->slip < steady + 0.5 * swing)
                ++small;
            else
                small = 0, last_large = peak->t;
            return small < max_small && ++count < peaks;
        });
        y = end.y;
        if (small >= max_small) return false;
        // not enough jumps within the time or the steps: whether there still were some in the later half of it
        return count >= peaks || last_large - begin > 0.5 * (now - begin);
    }
};

// A start that the cycle takes up wherever it lives: the middle of its longest stick, which forgets where it came from.
// Without stick, a point outside of it.
std::vector<double> start_on(const Flow& flow, const Cycle& cycle, double steady) {
    const auto point = [&](std::size_t i) {
        std::vector<double> y;
        for (const auto& series : cycle.states) y.push_back(series[i]);
        return flow.placed(y);
    };
    double longest = 0, middle = 0, since = -1;
    for (std::size_t i = 0; i < cycle.t.size(); ++i) {
        const bool sticks = std::abs(flow.slip(point(i))) <= cycle.stick_speed;
        if (sticks && since < 0) since = cycle.t[i];
        if (sticks && cycle.t[i] - since > longest) {
            longest = cycle.t[i] - since;
            middle = 0.5 * (since + cycle.t[i]);
        }
        if (!sticks) since = -1;
    }
    if (longest > 0)
        return point(std::size_t(std::lower_bound(cycle.t.begin(), cycle.t.end(), middle) - cycle.t.begin()));
    std::vector<double> y = flow.placed(cycle.state);
    const double ratio = flow.direction() * flow.slip(y) / std::max(steady, 1e-300);
    y[1] *= ratio > 0 ? 1.3 : 1;
    return y;
}

// The living motion on its way through the parameter.
class Life {
  public:
    Life(const Family& family, const CycleOptions& options, const Progress& progress)
        : family_(family), options_(options), progress_(progress) {}

    double share = 0;        // of the work, for progress
    bool cancelled = false;  // by progress
    bool untold = false;     // somewhere a motion did not tell whether it lives

    // Begins with the stable cycle at p; false where there is none.
    bool begin(double p) {
        const Setup setup = family_(p);
        const auto flow = flow_of(setup, options_.tolerance);
        return take(setup, *flow, settle_anywhere(setup, *flow, options_, progress()));
    }
    // Whether the motion from the present start lives at p. Cheap, and blind to what other starts do.
    bool lives(double p) {
        std::vector<double> y = y_;
        return survives(p, y, 100);
    }
    // Whether it lives at p when it is carried there: the parameter changes a little after every few jumps, and the motion goes on. A
    // cycle whose basin is small is kept that way, where starts of its own miss it.
    bool lives_carried(double from, double p) {
        constexpr int steps = 25, jumps = 12;
        std::vector<double> y = y_;
        for (int i = 1; i <= steps; ++i)
            if (!survives(from + (p - from) * i / steps, y, i < steps ? jumps : 100)) return false;
        y_ = y;
        untold = false;  // it does live
        return true;
    }
    // Whether anything lives at p: the motion from the present start, from where it comes to, or from other starts. What
    // does is what goes on. Where a small motion has not settled (close to a Hopf point it hardly changes) nobody knows.
    bool anything_lives(double p) {
        if (!should_continue()) return false;
        const Setup there = family_(p);
        const auto flow = flow_of(there, options_.tolerance);
        const double least = 0.5 * cycle_.velocity_amplitude;  // a quarter of its swing, peak to peak
        for (const bool anywhere : {false, true}) {
            Settled settled =
                anywhere ? settle_anywhere(there, *flow, options_, progress())
                         : settle_from(there, *flow, y_, horizon(there), options_, [&] { return should_continue(); });
            if (cancelled) return false;
            if (take(there, *flow, settled)) return true;
            // a doubled and doubled again or irregular motion: it does not close, and does not come to rest
            const bool goes_on = settled.ends == Settled::To::open && settled.to != Settled::To::equilibrium;
            if (goes_on && !settled.grows && settled.swing > least) {
                y_ = settled.end;
                return true;
            }
            if (anywhere && goes_on && !settled.grows) untold = true;
        }
        // motions have to go somewhere
        if (steady_state_is_unstable(there)) untold = true;
        return false;
    }

  private:
    bool survives(double p, std::vector<double>& y, int jumps) {
        if (!should_continue()) return false;
        const Setup there = family_(p);
        const double steady = steady_slip(there.rig.equations());
        const Survival survival{std::max(1e-8, options_.tolerance),
                                horizon(there),
                                steady,
                                std::max(0.2 * cycle_.fastest, cycle_.fastest - steady),
                                options_.max_steps,
                                jumps};
        return survival(there, y);
    }
    bool should_continue() {
        if (!cancelled && progress_ && !progress_(share)) cancelled = true;
        return !cancelled;
    }
    Progress progress() {
        return [this](double) { return should_continue(); };
    }
    // A slower puller takes longer to load the spring than the cycle that is known took.
    double horizon(const Setup& there) const { return 100 * cycle_.period + horizon_of(there); }
    bool take(const Setup& setup, const Flow& flow, const Settled& settled) {
        if (settled.to != Settled::To::cycle || !settled.stable) return false;
        cycle_ = cycle_of(setup, flow, settled.scale, settled.orbit, options_.max_points);
        y_ = start_on(flow, cycle_, steady_slip(setup.rig.equations()));
        return true;
    }

    const Family& family_;
    const CycleOptions& options_;
    const Progress& progress_;
    Cycle cycle_;            // the last one that closed
    std::vector<double> y_;  // where motions start
};

}  // namespace

std::optional<double> death_between(const Family& family, double start, double toward, DeathSearch search,
                                    const CycleOptions& options, const Progress& progress) {
    if (family(start).run.method == Method::hybrid) return {};
    Life life(family, options, progress);
    if (!life.begin(start) || !life.lives(start)) return {};
    const bool by_factors = start * toward > 0 && std::max(start / toward, toward / start) > 10;
    const auto stride = [&](int i) {
        const double part = double(i) / search.strides;
        if (i == search.strides) return toward;
        return by_factors ? start * std::pow(toward / start, part) : start + (toward - start) * part;
    };
    double inside = start, outside = start;
    bool died = false;
    for (int i = 1; i <= search.strides && !died; ++i) {
        life.share = 0.7 * (i - 1) / search.strides;
        const double p = stride(i);
        died = !life.anything_lives(p) && !(search.carry && life.lives_carried(inside, p));
        (died ? outside : inside) = p;
    }
    if (!died || life.cancelled || life.untold) return {};
    // near 0 a share of the parameter is nothing
    const auto size = [&] { return std::max({std::abs(inside), std::abs(outside), 0.05 * std::abs(toward - start)}); };
    // down to half a per cent other starts have their say; then the motion that lives at the inner end decides
    life.share = 0.7;
    while (std::abs(outside - inside) > 5e-3 * size()) {
        const double middle = 0.5 * (inside + outside);
        const bool lives = life.anything_lives(middle) || (search.carry && life.lives_carried(inside, middle));
        (lives ? inside : outside) = middle;
        if (life.cancelled || life.untold) return {};
    }
    if (!life.lives(inside)) return {};
    life.share = 0.9;
    while (std::abs(outside - inside) > search.accuracy * size()) {
        const double middle = 0.5 * (inside + outside);
        (life.lives(middle) ? inside : outside) = middle;
        if (life.cancelled) return {};
    }
    return 0.5 * (inside + outside);
}

std::optional<double> cycle_extinction(const Family& family, double start, double toward, const CycleOptions& options,
                                       const Progress& progress) {
    return death_between(family, start, toward, {}, options, progress);
}

}  // namespace bristle::inline analysis
