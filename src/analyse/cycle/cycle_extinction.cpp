// Extinction of stick-slip along one parameter: by simulation and bisection.
#include <bristle/base/error.hpp>

#include <algorithm>
#include <cmath>

#include "analyse/cycle/cycle_build.hpp"
#include "analyse/cycle/extinction_search.hpp"
#include "analyse/cycle/cycle_transient.hpp"
#include "base/shared_progress.hpp"

namespace bristle::inline analysis::cycle {

namespace {

// Decides whether a motion is still in stick-slip after many periods.
struct PersistenceTest {
    double tolerance, horizon;
    double steady;   // slip of steady sliding, in the direction of the flow [m/s]
    double swing;    // maximum slip of the cycle minus steady slip [m/s]
    long max_steps;  // of the solver
    int peaks = 100;

    // Returns true if the motion from y persists in stick-slip; y becomes its last state.
    bool operator()(const Setup& setup, std::vector<double>& y) const {
        // without steady sliding a contact that oscillates in stick has peaks above steady slip too
        const double slowest = steady + (steady > 0 ? 1e-3 : 0.05) * swing;
        constexpr int max_small = 4;  // in a row: a doubled period has slips of two sizes
        const auto flow = flow_of(setup, tolerance);
        PeakDetector detector(*flow);
        int count = 0, small = 0;
        long steps = 0;
        double begin = -1, last_large = -1, now = 0;
        FlowResult end;
        flow->run(y, horizon, false, end, [&](const FlowStep& step) {
            if (begin < 0) begin = last_large = step.from;
            now = step.to;
            if (++steps > max_steps) return false;
            const auto peak = detector.detect(step);
            if (!peak || peak->slip < slowest) return true;
            if (peak->slip < steady + 0.5 * swing)
                ++small;
            else
                small = 0, last_large = peak->t;
            return small < max_small && ++count < peaks;
        });
        y = end.y;
        if (small >= max_small) return false;
        // too few slips within the limits: persists if there were some in the later half
        return count >= peaks || last_large - begin > 0.5 * (now - begin);
    }
};

// Returns a start that leads to the cycle wherever it exists: the middle of its longest stick phase, in which all motions
// converge. Without stick: a point outside the cycle.
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

// The last stick-slip motion found while the parameter changes.
class MotionTracker {
  public:
    MotionTracker(const Family& family, const CycleOptions& options, const Progress& progress)
        : family_(family), options_(options), progress_(progress) {}

    double fraction = 0;     // of the work, for progress
    bool cancelled = false;  // by progress
    bool undecided = false;  // motions did not decide at some value

    // Starts with the stable cycle at p. Returns false if there is none.
    bool begin(double p) {
        const Setup setup = family_(p);
        const auto flow = flow_of(setup, options_.tolerance);
        return take(setup, *flow, settle_anywhere(setup, *flow, options_, progress()));
    }
    // Returns true if the motion from the present start persists at p. Cheap; other starts are not tried.
    bool persists(double p) {
        std::vector<double> y = y_;
        return motion_persists(p, y, 100);
    }
    // Returns true if one motion persists while the parameter changes from `from` to p in small steps, a few slips each.
    // It stays in a cycle whose basin is too small for other starts.
    bool persists_continued(double from, double p) {
        constexpr int steps = 25, slips = 12;
        std::vector<double> y = y_;
        for (int i = 1; i <= steps; ++i)
            if (!motion_persists(from + (p - from) * i / steps, y, i < steps ? slips : 100)) return false;
        y_ = y;
        undecided = false;
        return true;
    }
    // Returns true if stick-slip is found at p: from the present start, or from the nine starts of limit_cycle. The motion
    // found becomes the present one. Sets undecided if a small motion has not settled, as close to a Hopf point.
    bool finds_cycle(double p) {
        if (!should_continue()) return false;
        const Setup there = family_(p);
        const auto flow = flow_of(there, options_.tolerance);
        const double least = 0.5 * cycle_.velocity_amplitude;  // a quarter of its peak-to-peak
        for (const bool anywhere : {false, true}) {
            Settled settled =
                anywhere ? settle_anywhere(there, *flow, options_, progress())
                         : settle_from(there, *flow, y_, horizon(there), options_, [&] { return should_continue(); });
            if (cancelled) return false;
            if (take(there, *flow, settled)) return true;
            // a motion of doubled period or an irregular one neither closes nor comes to rest
            const bool goes_on = settled.ends == Settled::To::unsettled && settled.to != Settled::To::equilibrium;
            if (goes_on && !settled.grows && settled.swing > least) {
                y_ = settled.end;
                return true;
            }
            if (anywhere && goes_on && !settled.grows) undecided = true;
        }
        // no attractor was found
        if (steady_state_is_unstable(there)) undecided = true;
        return false;
    }

  private:
    bool motion_persists(double p, std::vector<double>& y, int slips) {
        if (!should_continue()) return false;
        const Setup there = family_(p);
        const double steady = steady_slip(there.rig.equations());
        const PersistenceTest test{std::max(1e-8, options_.tolerance),
                                   horizon(there),
                                   steady,
                                   std::max(0.2 * cycle_.fastest, cycle_.fastest - steady),
                                   options_.max_steps,
                                   slips};
        return test(there, y);
    }
    bool should_continue() {
        if (!cancelled && progress_ && !progress_(fraction)) cancelled = true;
        return !cancelled;
    }
    Progress progress() {
        return [this](double) { return should_continue(); };
    }
    // A slower puller needs longer to load the spring than in the last cycle.
    double horizon(const Setup& there) const { return 100 * cycle_.period + horizon_of(there); }
    bool take(const Setup& setup, const Flow& flow, const Settled& settled) {
        if (settled.to != Settled::To::cycle || !settled.stable) return false;
        cycle_ = cycle_of(setup, flow, settled.scale, settled.orbit, options_.max_points, CycleSource::own_start);
        y_ = start_on(flow, cycle_, steady_slip(setup.rig.equations()));
        return true;
    }

    const Family& family_;
    const CycleOptions& options_;
    const Progress& progress_;
    Cycle cycle_;            // the last one that was closed
    std::vector<double> y_;  // the present start
};

}  // namespace

std::optional<double> extinction_between(const Family& family, double start, double toward, ExtinctionSearch search,
                                         const CycleOptions& options, const Progress& progress) {
    if (family(start).run.method == Method::hybrid) return {};
    MotionTracker motion(family, options, progress);
    if (!motion.begin(start) || !motion.persists(start)) return {};
    const bool by_factors = start * toward > 0 && std::max(start / toward, toward / start) > 10;
    const auto stride = [&](int i) {
        const double part = double(i) / search.strides;
        if (i == search.strides) return toward;
        return by_factors ? start * std::pow(toward / start, part) : start + (toward - start) * part;
    };
    double inside = start, outside = start;
    bool extinct = false;
    for (int i = 1; i <= search.strides && !extinct; ++i) {
        motion.fraction = 0.7 * (i - 1) / search.strides;
        const double p = stride(i);
        extinct = !motion.finds_cycle(p) && !(search.continues_motions && motion.persists_continued(inside, p));
        (extinct ? outside : inside) = p;
    }
    if (!extinct || motion.cancelled || motion.undecided) return {};
    // accuracy is relative to the parameter, or to the interval if the parameter is near 0
    const auto size = [&] { return std::max({std::abs(inside), std::abs(outside), 0.05 * std::abs(toward - start)}); };
    // all starts down to 0.5 %, then the motion that persists at the inner end
    motion.fraction = 0.7;
    while (std::abs(outside - inside) > 5e-3 * size()) {
        const double middle = 0.5 * (inside + outside);
        const bool persists =
            motion.finds_cycle(middle) || (search.continues_motions && motion.persists_continued(inside, middle));
        (persists ? inside : outside) = middle;
        if (motion.cancelled || motion.undecided) return {};
    }
    if (!motion.persists(inside)) return {};
    motion.fraction = 0.9;
    while (std::abs(outside - inside) > search.accuracy * size()) {
        const double middle = 0.5 * (inside + outside);
        (motion.persists(middle) ? inside : outside) = middle;
        if (motion.cancelled) return {};
    }
    return 0.5 * (inside + outside);
}

}  // namespace bristle::analysis::cycle

namespace bristle::inline analysis {

std::optional<double> cycle_extinction(const Family& family, double start, double toward, const CycleOptions& options,
                                       const Progress& progress) {
    SharedProgress shared(progress);
    const auto found = cycle::extinction_between(family, start, toward, {}, options, shared.part(0, 1));
    if (shared.cancelled()) throw Cancelled();
    return found;
}

}  // namespace bristle::analysis
