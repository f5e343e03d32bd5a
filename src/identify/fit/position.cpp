// Simulation in segments, elimination of the start states.
#include "identify/fit/position.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::inline identification {

namespace {

using Q = FittedQuantity;
constexpr double longest_substep =
    3e-3;  // s; half of it changes the fit of a servo (bam_servo) by less than its standard errors

int* column_of(AxisColumns& columns, const FreeParameter& p) {
    switch (p.quantity) {
        case Q::gain:
            return &columns.gain;
        case Q::back_emf:
            return &columns.back_emf;
        case Q::inertia:
        case Q::armature:
            return &columns.inertia;
        case Q::gravity:
            return &columns.gravity;
        case Q::gravity_cos:
            return &columns.gravity_cos;
        case Q::offset:
            return &columns.offset;
        default:
            return nullptr;
    }
}

// Least squares of target - S c over the rows used, by the 2 x 2 normal equations with columns of unit length. A column that is almost
// zero or almost parallel to the first gets no part.
class StartFit {
  public:
    StartFit(const std::vector<double>& S, std::span<const std::uint8_t> use) : S_(S), use_(use) {
        for (std::size_t i = 0; i < use.size(); ++i)
            if (use[i]) {
                a_ += S[2 * i] * S[2 * i];
                b_ += S[2 * i] * S[2 * i + 1];
                c_ += S[2 * i + 1] * S[2 * i + 1];
            }
    }
    struct Change {
        double x0 = 0, v0 = 0;
    };
    Change of(const double* target, std::size_t stride) const {
        double r = 0, q = 0;
        for (std::size_t i = 0; i < use_.size(); ++i)
            if (use_[i]) {
                r += S_[2 * i] * target[i * stride];
                q += S_[2 * i + 1] * target[i * stride];
            }
        const double determinant = a_ * c_ - b_ * b_;
        if (determinant > 1e-8 * a_ * c_ && c_ > 1e-12 * a_)
            return {(c_ * r - b_ * q) / determinant, (a_ * q - b_ * r) / determinant};
        return {a_ > 0 ? r / a_ : 0, 0};
    }
    void project(double* target, std::size_t stride) const {
        const Change c = of(target, stride);
        for (std::size_t i = 0; i < use_.size(); ++i) target[i * stride] -= S_[2 * i] * c.x0 + S_[2 * i + 1] * c.v0;
    }

  private:
    const std::vector<double>& S_;
    std::span<const std::uint8_t> use_;
    double a_ = 0, b_ = 0, c_ = 0;
};

}  // namespace

std::vector<Segment> segments_of(const Prepared& smooth, double length) {
    std::vector<Segment> out;
    for (const PreparedRun& run : smooth.runs) {
        const auto count = std::max<std::size_t>(1, std::size_t(std::lround(double(run.size) * run.dt / length)));
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t from = run.begin + run.size * k / count, to = run.begin + run.size * (k + 1) / count;
            out.push_back({from, to - from, smooth.x[from], smooth.v[from], smooth.a.empty() ? 0 : smooth.a[from]});
        }
    }
    return out;
}

PositionProblem::PositionProblem(const Prepared& record, const Axis& axis, AnyLaw law, const std::vector<double>& input,
                                 std::vector<Segment> segments)
    : FitProblem(record, axis, std::move(law)), input_(input), segments_(std::move(segments)) {}

AxisNumbers PositionProblem::numbers_at(std::span<const double> values) const {
    return {term_value(Q::inertia, values) + term_value(Q::armature, values),
            term_value(Q::gravity, values),
            term_value(Q::gravity_cos, values),
            term_value(Q::offset, values),
            axis_value(Q::gain, values),
            axis_value(Q::back_emf, values)};
}

void PositionProblem::set_start_forces(std::span<const double> values) {
    const AxisNumbers axis = numbers_at(values);
    for (Segment& s : segments_) {
        const bool off = !record().drive_off.empty() && record().drive_off[s.begin];
        const double motor = off ? 0 : axis.gain * (input_[s.begin] - axis.back_emf * s.v0);
        s.start_force = motor - axis.gravity * std::sin(s.x0) - axis.gravity_cos * std::cos(s.x0) - axis.offset -
                        axis.inertia * s.acceleration;
    }
}

void PositionProblem::simulate(const Segment& segment, std::span<const double> values, bool derivatives,
                               Table& out) const {
    const AnyLaw law = law_at(values);
    const AxisFunction function = axis_function(law);
    const auto& free = parameters();
    const std::size_t n = segment.size, p = free.size(), all = derivatives ? p + 2 : 1;
    const AxisNumbers numbers = numbers_at(values);
    const auto part = [&](const auto& from) {
        using Number = typename std::remove_cvref_t<decltype(from)>::value_type;
        return from.empty() ? std::span<const Number>{} : std::span<const Number>(from).subspan(segment.begin, n);
    };
    const double dt = record().dt[segment.begin];
    const AxisSegment motion{
        dt,         part(input_), part(record().drive_off), part(record().load),
        segment.x0, segment.v0,   segment.start_force,      std::max(1, int(std::ceil(dt / longest_substep)))};
    out.x.resize(n);
    out.start.assign(2 * n, 0.0);
    out.J.assign(n * p, 0.0);
    std::vector<double> rows(n * pass_row_width);
    // columns: start position, start velocity, then the parameters
    for (std::size_t first = 0; first < all; first += axis_pass_width) {
        AxisColumns columns;
        columns.of_parameter.assign(numbers_of_law(law).size(), -1);
        const std::size_t count = derivatives ? std::min(axis_pass_width, all - first) : 0;
        for (std::size_t c = 0; c < count; ++c) {
            const std::size_t k = first + c;
            if (k < 2)
                (k == 0 ? columns.x0 : columns.v0) = int(c);
            else if (free[k - 2].of_law())
                for (const std::size_t i : free[k - 2].numbers) columns.of_parameter[i] = int(c);
            else if (int* column = column_of(columns, free[k - 2]))
                *column = int(c);
        }
        function(law, numbers, columns, motion, rows.data());
        for (std::size_t i = 0; i < n; ++i) {
            out.x[i] = rows[i * pass_row_width];
            for (std::size_t c = 0; c < count; ++c) {
                const std::size_t k = first + c;
                (k < 2 ? out.start[2 * i + k] : out.J[i * p + k - 2]) = rows[i * pass_row_width + 1 + c];
            }
        }
    }
}

void PositionProblem::evaluate(std::span<const double> values, Rows& rows) const {
    const std::size_t n = record().rows(), p = parameters().size();
    rows.residual.assign(n, 0.0);
    rows.J.assign(n * p, 0.0);
    rows.friction.assign(n, 0.0);
    rows.finite = true;
    Table table;
    for (const Segment& segment : segments_) {
        simulate(segment, values, true, table);
        const auto use = std::span<const std::uint8_t>(record().compared).subspan(segment.begin, segment.size);
        double* residual = rows.residual.data() + segment.begin;
        double* J = rows.J.data() + segment.begin * p;
        for (std::size_t i = 0; i < segment.size; ++i) {
            residual[i] = record().y[segment.begin + i] - table.x[i];
            rows.finite = rows.finite && std::isfinite(residual[i]);
        }
        std::copy(table.J.begin(), table.J.end(), J);
        for (const double x : table.J) rows.finite = rows.finite && std::isfinite(x);
        if (!rows.finite) return;
        const StartFit start(table.start, use);
        start.project(residual, 1);
        for (std::size_t k = 0; k < p; ++k) start.project(J + k, p);
    }
}

void PositionProblem::correct_starts(std::span<const double> values) {
    set_start_forces(values);
    Table table;
    for (Segment& segment : segments_) {
        const auto use = std::span<const std::uint8_t>(record().compared).subspan(segment.begin, segment.size);
        std::vector<double> residual(segment.size);
        const auto cost = [&] {
            double sum = 0;
            for (std::size_t i = 0; i < segment.size; ++i) {
                residual[i] = record().y[segment.begin + i] - table.x[i];
                if (use[i]) sum += residual[i] * residual[i];
            }
            return sum;
        };
        simulate(segment, values, true, table);
        const double before = cost();
        const StartFit::Change change = StartFit(table.start, use).of(residual.data(), 1);
        for (const double fraction : {1.0, 0.5, 0.25}) {
            Segment moved = segment;
            moved.x0 += fraction * change.x0;
            moved.v0 += fraction * change.v0;
            simulate(moved, values, false, table);
            if (cost() < before) {
                segment = moved;
                break;
            }
        }
    }
}

bool has_position_output(std::string_view kind) { return axis_function(law_of_kind(kind).value()) != nullptr; }

}  // namespace bristle::identification
