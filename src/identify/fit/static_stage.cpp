// Static curve by linear least squares; scans of Stribeck velocity and delay.
#include "identify/fit/static_stage.hpp"

#include <bristle/search.hpp>

#include "identify/fit/least_squares.hpp"
#include "identify/fit/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace bristle::inline identification {

namespace {

// Columns of the static curve, filtered as the record: s (1 - e) of both sides, or of each side if the axis has no offset (a
// difference of both levels cannot be told from an offset); then s e and v of both sides or of each side. Without vs: e = 1, Coulomb
// friction, and the first columns are absent.
struct StaticTable {
    std::vector<double> J;
    std::size_t levels, sides;  // columns of s (1 - e); of s e and of v
    std::size_t p;
    std::size_t curve() const { return levels + 2 * sides; }
};
// Stribeck velocities of both directions and the exponent.
struct Shape {
    double vs_positive, vs_negative, alpha;
};
class Stage {
  public:
    static constexpr int grid = 14;  // Stribeck velocities of a scan

    Stage(const Prepared& record, const Axis& axis, std::span<const std::uint8_t> use)
        : record_(record), axis_(axis), use_(use) {
        for (const Term& t : axis.terms)
            if (t.found) {
                found_.push_back(&t);
                has_offset_ = has_offset_ || t.quantity == FittedQuantity::offset;
            }
        base_.assign(record.rows(), 0.0);
        for (const Term& t : axis.terms)
            if (!t.found)
                for (std::size_t i = 0; i < record.rows(); ++i) base_[i] += t.coefficient * t.column[i];
        finds_gain_ = axis.gain.kind == Setting::Kind::find;
    }

    StaticTable table(bool own, std::optional<Shape> shape) const {
        const std::size_t n = record_.rows(), sides = own ? 2 : 1, levels = !shape ? 0 : own && !has_offset_ ? 2 : 1;
        StaticTable out{{}, levels, sides, levels + 2 * sides + found_.size() + finds_gain_};
        const std::size_t curve = out.curve();
        std::vector<double> lanes(n * curve, 0.0);
        for (std::size_t i = 0; i < n; ++i) {
            const double v = record_.v[i], load = record_.load.empty() ? 1 : record_.load[i];
            if (v == 0) continue;
            const double s = (v > 0 ? 1 : -1) * load;
            const double ratio = shape ? std::abs(v) / (v > 0 ? shape->vs_positive : shape->vs_negative) : 0;
            const double e = std::exp(-(shape && shape->alpha == 1 ? ratio : ratio * ratio));
            const std::size_t side = own && v < 0;
            double* row = lanes.data() + i * curve;
            if (shape) row[levels == 2 ? side : 0] = s * (1 - e);
            row[levels + side] = s * e;
            row[levels + sides + side] = v;
        }
        record_.filter(lanes.data(), curve);
        const double gain = finds_gain_ ? 1 : axis_.gain.value;
        out.J.resize(n * out.p);
        for (std::size_t i = 0; i < n; ++i) {
            double* row = out.J.data() + i * out.p;
            for (std::size_t k = 0; k < curve; ++k) row[k] = lanes[i * curve + k] / gain;
            for (std::size_t k = 0; k < found_.size(); ++k) row[curve + k] = found_[k]->column[i] / gain;
            if (finds_gain_) row[out.p - 1] = base_[i];
        }
        return out;
    }
    struct Linear {
        std::vector<double> x;
        double norm;
    };
    Linear fitted(const StaticTable& table, const std::vector<double>& y) const {
        std::vector<double> rest = y;
        if (!finds_gain_)
            for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= base_[i] / axis_.gain.value;
        for (std::size_t i = 0; i < rest.size(); ++i)
            rest[i] -= axis_.back_emf.kind == Setting::Kind::given ? axis_.back_emf.value * record_.v[i] : 0;
        const Folded folded = fold(table.J.data(), table.p, rest.data(), rest.size(), table.p, use_, weight_);
        std::vector<std::uint8_t> nonnegative(table.p, 0);
        std::fill_n(nonnegative.begin(), table.curve(), std::uint8_t(1));
        for (std::size_t k = 0; k < found_.size(); ++k) nonnegative[table.curve() + k] = found_[k]->nonnegative;
        Linear out{nonnegative_solution(folded, nonnegative), 0};
        out.norm = residual_norm(folded, out.x);
        return out;
    }
    std::vector<double> residual(const StaticTable& table, const Linear& linear, const std::vector<double>& y) const {
        std::vector<double> out(y.size());
        for (std::size_t i = 0; i < y.size(); ++i) {
            double sum = finds_gain_ ? 0 : base_[i] / axis_.gain.value;
            if (axis_.back_emf.kind == Setting::Kind::given) sum += axis_.back_emf.value * record_.v[i];
            for (std::size_t k = 0; k < table.p; ++k) sum += linear.x[k] * table.J[i * table.p + k];
            out[i] = y[i] - sum;
        }
        return out;
    }
    // Best Stribeck velocities on a grid within the speeds of the record: of both directions together, then of each.
    struct Best {
        Shape shape{};
        Linear linear{{}, std::numeric_limits<double>::infinity()};
        StaticTable table{};
    };
    Best best(bool own, double alpha, const std::vector<double>& y) const {
        Best out;
        const double high = record_.max_speed, low = slowest();
        const auto scan = [&](auto&& shape_at) {
            for (int i = 0; i < grid; ++i) {
                const Shape shape = shape_at(low * std::pow(high / low, i / double(grid - 1)));
                StaticTable here = table(own, shape);
                if (Linear linear = fitted(here, y); linear.norm < out.linear.norm) {
                    here.J = {};  // several of them would take more memory than a law in work
                    out = {shape, std::move(linear), std::move(here)};
                }
            }
        };
        scan([&](double vs) { return Shape{vs, vs, alpha}; });
        if (own) {
            scan([&](double vs) { return Shape{out.shape.vs_positive, vs, alpha}; });
            scan([&](double vs) { return Shape{vs, out.shape.vs_negative, alpha}; });
        }
        return out;
    }
    // Improves the Stribeck velocities of a point of the grid by a golden section between its neighbours: of both directions together, or of
    // each.
    void refine(Best& at, bool own, const std::vector<double>& y) const {
        const double ratio = std::pow(record_.max_speed / slowest(), 1 / double(grid - 1));
        const auto improve = [&](double start, auto&& shape_at) {
            const double low = std::log(std::max(start / ratio, slowest()));
            const double high = std::log(std::min(start * ratio, record_.max_speed));
            detail::golden_section(low, high, 8, [&](double log_vs) {
                const Shape shape = shape_at(std::exp(log_vs));
                StaticTable here = table(own, shape);
                Linear linear = fitted(here, y);
                const double norm = linear.norm;
                here.J = {};
                if (norm < at.linear.norm) at = {shape, std::move(linear), std::move(here)};
                return -norm;
            });
        };
        const Shape start = at.shape;
        if (!own) return improve(start.vs_positive, [&](double vs) { return Shape{vs, vs, start.alpha}; });
        improve(start.vs_positive, [&](double vs) { return Shape{vs, at.shape.vs_negative, start.alpha}; });
        improve(start.vs_negative, [&](double vs) { return Shape{at.shape.vs_positive, vs, start.alpha}; });
    }
    // Weights of the Huber loss, from the residuals of Stribeck curves with own directions.
    void set_weights(const std::vector<double>& y) {
        for (int round = 0; round < 3; ++round) {
            const Best curve = best(true, 2, y);
            const std::vector<double> r = residual(table(true, curve.shape), curve.linear, y);
            const double scale = robust_scale(r, use_);
            if (!(scale > 0)) return;
            weight_.assign(r.size(), 1.0);
            for (std::size_t i = 0; i < r.size(); ++i)
                if (std::abs(r[i]) > scale) weight_[i] = std::sqrt(scale / std::abs(r[i]));
        }
    }
    bool finds_gain() const { return finds_gain_; }

  private:
    // The speed below which a hundredth of the moving rows lie, at least 1/300 of the largest.
    double slowest() const {
        std::vector<double> speeds;
        for (std::size_t i = 0; i < record_.rows(); ++i)
            if (use_[i] && record_.v[i] != 0) speeds.push_back(std::abs(record_.v[i]));
        if (speeds.empty()) return 1e-3;
        const auto one = speeds.begin() + std::ptrdiff_t(speeds.size() / 100);
        std::nth_element(speeds.begin(), one, speeds.end());
        return std::clamp(*one, record_.max_speed / 300, record_.max_speed / 3);
    }

    const Prepared& record_;
    const Axis& axis_;
    std::span<const std::uint8_t> use_;
    std::vector<const Term*> found_;
    std::vector<double> base_;    // N: terms with given coefficients
    std::vector<double> weight_;  // of the rows; empty: 1
    bool finds_gain_ = false, has_offset_ = false;
};

// Delay [s] with the least error of a Coulomb and viscous model: a scan in samples, or in steps of 0.5 ms if samples are shorter, then a
// parabola.
double scanned_delay(const Prepared& record, const Stage& stage) {
    constexpr int before = 8, after = 24;
    const StaticTable table = stage.table(true, std::nullopt);
    const double period = std::max(1 / record.sample_rate, 0.5e-3);
    std::vector<double> squares;
    const double longest = longest_delay(record);
    for (int shift = -before; shift <= after; ++shift) {
        if (std::abs(shift * period) > longest) {  // not a minimum
            squares.push_back(std::numeric_limits<double>::infinity());
            continue;
        }
        const double norm = stage.fitted(table, measured_ahead(record, shift * period)).norm;
        squares.push_back(norm * norm);
    }
    const auto least = std::min_element(squares.begin(), squares.end());
    const auto at = int(least - squares.begin());
    if (at == 0 || at + 1 == int(squares.size()) || !std::isfinite(*least))
        return 0;  // no minimum: presliding or backlash, not a delay
    double shift = at - before;
    const double a = least[-1], b = least[0], c = least[1], bend = a - 2 * b + c;
    if (bend > 0 && std::isfinite(bend)) shift += 0.5 * (a - c) / bend;
    return shift * period;
}

StaticCurve curve_from(const Stage::Best& best, std::size_t side, double gain) {
    const std::vector<double>& x = best.linear.x;
    const StaticTable& table = best.table;
    const double Fc = x[table.levels == 2 ? side : 0] * gain, Fs = x[table.levels + side] * gain;
    const double least = smallest_level * std::max({Fc, Fs, 1e-12});
    return {std::max(Fc, least), std::max(Fs, least), side == 0 ? best.shape.vs_positive : best.shape.vs_negative,
            std::max(x[table.levels + table.sides + side] * gain, 0.0), best.shape.alpha};
}

}  // namespace

StaticStage static_stage(const Prepared& record, Axis& axis, Directions directions, std::span<const std::uint8_t> use,
                         Loss loss) {
    Stage stage(record, axis, use);
    if (axis.delay.kind == Setting::Kind::find) axis.delay.value = scanned_delay(record, stage);
    const std::vector<double> y = measured_ahead(record, axis.delay.value);
    if (loss == Loss::huber) stage.set_weights(y);
    Stage::Best same = stage.best(false, 2, y), own = stage.best(true, 2, y);
    StaticStage out;
    double rows = 0;
    for (const std::uint8_t u : use) rows += u;
    const auto residual = [&](const Stage::Best& best) {
        return stage.residual(stage.table(&best == &own, best.shape), best.linear, y);
    };
    out.independent_rows = rows / correlation_length(record, residual(own), use);
    bool both_ways = false, forward = false, backward = false;
    for (std::size_t i = 0; i < record.rows(); ++i) {
        forward = forward || (use[i] && record.v[i] > 0);
        backward = backward || (use[i] && record.v[i] < 0);
    }
    both_ways = forward && backward;
    // the exponent 1 needs clear evidence
    for (Stage::Best* one : {&same, &own})
        if (Stage::Best other = stage.best(one == &own, 1, y);
            2 * out.independent_rows * std::log(one->linear.norm / other.linear.norm) > 4)
            *one = std::move(other);
    if (directions == Directions::automatic) {
        const double gained = 2 * out.independent_rows * std::log(same.linear.norm / own.linear.norm);
        axis.own_directions = both_ways && gained > 4 * std::log(out.independent_rows);
    } else
        axis.own_directions = both_ways && directions == Directions::own;
    Stage::Best& best = axis.own_directions ? own : same;
    stage.refine(best, axis.own_directions, y);
    out.residual = residual(best);
    out.cost = best.linear.norm * best.linear.norm;
    const std::vector<double>& x = best.linear.x;
    if (stage.finds_gain()) axis.gain.value = x.back() > 0 ? 1 / x.back() : 1;
    const double gain = stage.finds_gain() ? axis.gain.value : 1;
    out.positive = curve_from(best, 0, gain);
    out.negative = axis.own_directions ? curve_from(best, 1, gain) : out.positive;
    std::size_t k = best.table.curve();
    for (Term& t : axis.terms)
        if (t.found) t.coefficient = x[k++] * gain;
    return out;
}

double ripple_period(const Prepared& record, std::span<const double> residual, std::span<const std::uint8_t> use,
                     double independent_rows) {
    if (record.points || record.travel <= 0 || independent_rows < 50) return 0;
    // thinned so that the scan costs the same for every record; the step stays below a tenth of the shortest period
    std::size_t used = 0;
    for (const std::uint8_t u : use) used += u;
    const std::size_t every = std::max<std::size_t>(1, used / 20000);
    std::vector<double> x, r;
    double square = 0;
    for (std::size_t i = 0, j = 0; i < record.rows(); ++i)
        if (use[i] && j++ % every == 0) {
            x.push_back(record.x[i]);
            r.push_back(residual[i]);
            square += residual[i] * residual[i];
        }
    const double n = double(x.size());
    // fraction of the variance that a sine of this wave number [1/m] explains
    const auto explained = [&](double wave) {
        double c = 0, s = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double angle = 2 * 3.141592653589793 * wave * x[i];
            c += r[i] * std::cos(angle);
            s += r[i] * std::sin(angle);
        }
        return 2 * (c * c + s * s) / (n * square);
    };
    // from four periods in the travel up to what the speed and the bandwidth let through
    const double lowest = 4 / record.travel;
    const double bandwidth = record.bandwidth > 0 ? record.bandwidth : 0.5 * record.sample_rate;
    const double highest = std::min(400 / record.travel, 1.5 * bandwidth / std::max(record.max_speed, 1e-300));
    const double step = 0.25 / record.travel;
    double best = 0, power = 0;
    for (double wave = lowest; wave <= highest; wave += step)
        if (const double e = explained(wave); e > power) {
            power = e;
            best = wave;
        }
    // a sine explains 2/n of white noise on average; the highest of many trials some ln(trials) times that
    const double trials = std::max(2.0, (highest - lowest) / step);
    if (best == 0 || power < 0.03 || power * independent_rows < 6 * std::log(trials)) return 0;
    for (double width = step; width > 1e-5 * best; width *= 0.5)
        for (const double to : {best - 0.5 * width, best + 0.5 * width})
            if (const double e = explained(to); e > power) {
                power = e;
                best = to;
            }
    return 1 / best;
}

}  // namespace bristle::identification
