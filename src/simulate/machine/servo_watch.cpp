// Measures of a controlled axis.
#include "simulate/machine/servo_watch.hpp"

#include <bristle/search.hpp>

#include "numerics/bisect.hpp"
#include "simulate/period.hpp"

namespace bristle::inline simulation {

namespace {
constexpr double settling_band = 0.02;   // of the range of the reference
constexpr double dies_out_below = 0.95;  // ratio of the ranges of two periods and of the two before
}

ServoWatch::ServoWatch(const MachineSystem& system, std::size_t controller, const Columns& columns, double stick_speed,
                       const Row& first)
    : system_(system),
      controller_(controller),
      columns_(columns),
      stick_speed_(stick_speed),
      before_(first),
      reference_before_(system.drives().reference(controller, 0)),
      reference_low_(reference_before_),
      reference_high_(reference_before_),
      first_error_(std::abs(first[columns.error])) {
    reversals_.push_back({0, first[columns.position]});
}

void ServoWatch::point(double from, double to, const Row& now, const At& at) {
    const double v0 = before_[columns_.velocity], v1 = now[columns_.velocity];
    if (v0 * v1 < 0) {
        const double t =
            numerics::bisect(to, from, 60, [&](double time) { return at(time)[columns_.velocity] * v1 > 0; }).holds;
        reversals_.push_back({t, at(t)[columns_.position]});
    }
    if (columns_.slip >= 0) {
        const auto slips = [&](const Row& row) { return !(std::abs(row[std::size_t(columns_.slip)]) < stick_speed_); };
        if (slips(now) && !slips(before_)) {
            const double t = numerics::bisect(to, from, 60, [&](double time) { return slips(at(time)); }).holds;
            slips_.push_back({t, now[std::size_t(columns_.slip)] > 0});
        }
    }
    watch_reference(from, to, now, at);
    before_ = now;
}

// Returns the first time in the interval at which the reference moves in its direction at the end with at least this speed.
double ServoWatch::reference_time(double from, double to, double speed) const {
    const auto rate = [&](double t) { return system_.drives().reference_rate(controller_, t); };
    const double sign = rate(to) > 0 ? 1 : -1;
    const auto reached = [&](double t) { return sign * rate(t) >= speed && sign * rate(t) > 0; };
    return reached(from) ? from : numerics::bisect(to, from, 60, reached).holds;
}

// Returns the largest |e| of the interval, or `known` if that is larger.
double ServoWatch::largest_error(double from, double to, const At& at, double known) const {
    const auto size = [&](double t) { return std::abs(at(t)[columns_.error]); };
    known = std::max({known, size(from), size(to)});
    return std::max(known, bristle::detail::golden_section(from, to, 20, size).value);
}

void ServoWatch::watch_reference(double from, double to, const Row& now, const At& at) {
    const double r = system_.drives().reference(controller_, to),
                 rate = system_.drives().reference_rate(controller_, to);
    const double e0 = before_[columns_.error], e1 = now[columns_.error];
    const bool moves = std::abs(rate) > 1e-9 * fastest_;  // a move ends at rest, to rounding
    reference_low_ = std::min(reference_low_, r);
    reference_high_ = std::max(reference_high_, r);
    if (moves) {
        moved_ = true;
        fastest_ = std::max(fastest_, std::abs(rate));
        tracking_ = largest_error(from, to, at, tracking_);
        const int direction = rate > 0 ? 1 : -1;
        if (direction_ != 0 && direction != direction_) reversed_at_ = reference_time(from, to, 0);
        direction_ = direction;
        if (reversed_at_) {
            const bool fast = std::abs(rate) >= 0.5 * fastest_;
            glitch_ = largest_error(std::max(from, *reversed_at_), fast ? reference_time(from, to, 0.5 * fastest_) : to,
                                    at, glitch_);
            if (fast) reversed_at_.reset();
        }
        rest_since_ = to;
    } else if (std::abs(r - reference_before_) > 1e-12 * (std::abs(r) + std::abs(reference_before_))) {
        rest_since_ = from;  // a step of the reference
    }
    reference_before_ = r;
    const double band = settling_band * std::max(reference_high_ - reference_low_, first_error_);
    if (std::abs(e1) > band)
        outside_until_ = to;
    else if (std::abs(e0) > band)
        outside_until_ =
            numerics::bisect(from, to, 60, [&](double t) { return std::abs(at(t)[columns_.error]) > band; }).holds;
}

// The time from the last slip back to the one before it in the same direction.
std::optional<double> ServoWatch::slip_period(double t) const {
    for (std::size_t i = slips_.size(); i > 1; --i)
        if (slips_[i - 2].forward == slips_.back().forward) return period_between(slips_[i - 2].t, slips_.back().t, t);
    return {};
}

// The time between the last two maxima of the position with a minimum between them that is lower by at least half of the range since then.
std::optional<double> ServoWatch::swing_period(double t) const {
    const double since = std::max(rest_since_, 0.5 * t);
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Reversal& reversal : reversals_)
        if (reversal.t >= since) low = std::min(low, reversal.position), high = std::max(high, reversal.position);
    if (!(high > low)) return {};
    const double middle = 0.5 * (low + high), quarter = 0.25 * (high - low);
    std::vector<Reversal> maxima;  // the highest reversal of each stay above the middle
    bool was_low = false;
    for (const Reversal& reversal : reversals_) {
        if (reversal.t < since) continue;
        if (reversal.position < middle - quarter) was_low = true;
        if (reversal.position < middle + quarter) continue;
        if (was_low || maxima.empty())
            maxima.push_back(reversal);
        else if (reversal.position > maxima.back().position)
            maxima.back() = reversal;
        was_low = false;
    }
    if (maxima.size() < 3) return {};
    return period_between(maxima[maxima.size() - 2].t, maxima.back().t, t);
}

double ServoWatch::half_range(double begin, double end) const {
    double low = before_[columns_.position], high = low;
    for (const Reversal& reversal : reversals_)
        if (reversal.t >= begin && reversal.t <= end) {
            low = std::min(low, reversal.position);
            high = std::max(high, reversal.position);
        }
    return 0.5 * (high - low);
}

// True if the motion of the last two periods is clearly smaller than that of the two before. Two: hunting can alternate.
bool ServoWatch::dies_out(double period, double t) const {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Reversal& reversal : reversals_)
        if (reversal.t >= t - 4 * period && reversal.t < t - 2 * period) {
            low = std::min(low, reversal.position);
            high = std::max(high, reversal.position);
        }
    return t - 4 * period >= rest_since_ && half_range(t - 2 * period, t) < dies_out_below * 0.5 * (high - low);
}

ServoMeasures ServoWatch::measures(double t) const {
    ServoMeasures out{.name = system_.machine().controllers[controller_].name};
    const bool rests = system_.drives().reference_rate(controller_, t) == 0;
    if (moved_) out.tracking_error = tracking_;
    if (glitch_ > 0) out.quadrant_glitch = glitch_;
    if (!rests) return out;
    out.period = columns_.slip >= 0 ? slip_period(t) : swing_period(t);
    if (out.period && t - *out.period < rest_since_) out.period = std::nullopt;  // still part of the move
    if (out.period && dies_out(*out.period, t)) out.period = std::nullopt;
    if (out.period) {
        out.amplitude = half_range(t - *out.period, t);
        return out;
    }
    if (outside_until_ < t) out.settling_time = std::max(0.0, outside_until_ - rest_since_);
    if (columns_.slip >= 0 && std::abs(before_[std::size_t(columns_.slip)]) < stick_speed_)
        out.stuck_error = before_[columns_.error];
    return out;
}

}  // namespace bristle::simulation
