// Parameters, residuals and derivatives of a fit.
#include "identify/fit/problem.hpp"

#include "analyse/viscous.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace bristle::inline identification {

namespace {

using Q = FittedQuantity;

Term term(Q quantity, const char* name, const char* unit, const char* doc, const Setting& setting,
          std::vector<double> column) {
    return {.name = name,
            .unit = unit,
            .doc = doc,
            .quantity = quantity,
            .column = std::move(column),
            .found = setting.kind == Setting::Kind::find,
            .coefficient = setting.value,
            .nonnegative = quantity == Q::armature};
}

std::vector<double> filtered(const Prepared& record, std::vector<double> column) {
    record.filter(column.data(), 1);
    return column;
}

// Numbers of a law that a fit does not change: words of the model more than numbers, or without effect on a force.
bool is_fixed(const AnyLaw& law, Q quantity) {
    return quantity == Q::alpha || quantity == Q::a_scale || quantity == Q::C ||
           (has_elements(law) && quantity == Q::vs);
}

// Which numbers of the law are its viscous friction, in the order of its table.
std::vector<bool> viscous_numbers(AnyLaw law) {
    std::vector<bool> out;
    std::visit(
        [&]<class Law>(Law& l) {
            Law::parameters(l, [&](const Parameter&, double& x) { out.push_back(is_viscous(l, x)); });
        },
        law);
    return out;
}

// The sum of 0 x is NaN if an x is not finite. Four sums, so that the additions overlap.
bool all_finite(const std::vector<double>& numbers) {
    double sum[4] = {};
    std::size_t i = 0;
    for (; i + 4 <= numbers.size(); i += 4)
        for (std::size_t l = 0; l < 4; ++l) sum[l] += 0 * numbers[i + l];
    for (; i < numbers.size(); ++i) sum[0] += 0 * numbers[i];
    return sum[0] + sum[1] + sum[2] + sum[3] == 0;
}

}  // namespace

bool FreeParameter::linear() const {
    return is_axis_term(quantity) || quantity == Q::back_emf || quantity == Q::viscous || quantity == Q::sigma1;
}

Axis axis_of(const Prepared& record, const FitModel& model) {
    Axis axis;
    const std::size_t n = record.rows();
    const auto present = [](const Setting& s) { return s.kind != Setting::Kind::absent; };
    if (model.measured != Measured::friction && !record.points) {
        if (present(model.inertia))
            axis.terms.push_back(term(Q::inertia, "inertia", "kg", "moving inertia", model.inertia, record.a));
        if (present(model.armature))
            axis.terms.push_back(term(Q::armature, "armature", "kg", "inertia of the rotor", model.armature, record.a));
        if (present(model.gravity)) {
            std::vector<double> column(n);
            for (std::size_t i = 0; i < n; ++i) column[i] = std::sin(record.x[i]);
            axis.terms.push_back(term(Q::gravity, "gravity", "N", "gravity: factor of sin(position)", model.gravity,
                                      filtered(record, std::move(column))));
        }
        if (present(model.gravity_cos)) {
            std::vector<double> column(n);
            for (std::size_t i = 0; i < n; ++i) column[i] = std::cos(record.x[i]);
            axis.terms.push_back(term(Q::gravity_cos, "gravity_cos", "N", "gravity: factor of cos(position)",
                                      model.gravity_cos, filtered(record, std::move(column))));
        }
    }
    if (present(model.offset))
        axis.terms.push_back(
            term(Q::offset, "offset", "N", "constant force", model.offset, std::vector<double>(n, 1.0)));
    if (model.measured == Measured::voltage) {
        axis.gain = model.gain;
        if (axis.gain.kind == Setting::Kind::absent) axis.gain = Setting::given(1);
        axis.back_emf = model.back_emf;
    } else {
        axis.gain = Setting::given(1);
    }
    if (!record.points) {
        axis.gap = model.gap;
        axis.delay = model.delay;
    }
    return axis;
}

void add_ripple(Axis& axis, const Prepared& record, double period) {
    std::erase_if(axis.terms, [](const Term& t) { return is_ripple(t.quantity); });
    axis.ripple_period = period;
    std::vector<double> cosine(record.rows()), sine(record.rows());
    for (std::size_t i = 0; i < record.rows(); ++i) {
        const double angle = 2 * std::numbers::pi * record.x[i] / period;
        cosine[i] = std::cos(angle);
        sine[i] = std::sin(angle);
    }
    axis.terms.push_back(term(Q::ripple_cos, "ripple_cos", "N", "force that varies with position, cosine part",
                              Setting::find(), filtered(record, std::move(cosine))));
    axis.terms.push_back(term(Q::ripple_sin, "ripple_sin", "N", "force that varies with position, sine part",
                              Setting::find(), filtered(record, std::move(sine))));
}

FitProblem::FitProblem(const Prepared& record, const Axis& axis, AnyLaw law)
    : record_(record), axis_(axis), law_(std::move(law)), start_force_(record.runs.size(), 0.0) {
    add_law_parameters();
    add_axis_parameters();
}

void FitProblem::add_law_parameters() {
    const auto numbers = numbers_of_law(law_);
    const std::vector<bool> viscous = viscous_numbers(law_);
    bool offset = false;
    for (const Term& t : axis_.terms) offset = offset || (t.found && t.quantity == Q::offset);
    double level = 0;  // size of the friction force, for scales
    for (const LawNumber& number : numbers)
        if (number.parameter.dimension() == Dimension::force) level = std::max(level, std::abs(number.value));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const auto& [p, value] = numbers[i];
        const bool negative = is_of_negative_side(p);
        const Q quantity = viscous[i] ? Q::viscous : quantity_of_row(p.name);
        if (is_fixed(law_, quantity)) continue;
        // Fs = Fc: a sliding record does not show a stiction that acts at rest only
        if ((has_stiction_at_rest_only(law_) || axis_.one_level) && quantity == Q::Fs) {
            for (FreeParameter& other : parameters_)
                if (other.quantity == Q::Fc && other.holds_for(negative ? -1 : 1)) other.numbers.push_back(i);
            continue;
        }
        // tied to the number of the other direction; Fc also if an offset is found, which a difference of both levels cannot be told from
        if (negative && (!axis_.own_directions || (offset && quantity == Q::Fc))) {
            for (FreeParameter& other : parameters_)
                if (other.table_name == p.name && other.direction == 0) other.numbers.push_back(i);
            continue;
        }
        FreeParameter free;
        free.quantity = quantity;
        free.table_name = p.name;
        free.index = p.index;
        if (p.index >= 0) free.table_name += "[" + std::to_string(p.index) + "]";
        bool has_both = negative;
        for (const LawNumber& other : numbers)
            has_both =
                has_both || (std::string_view(other.parameter.name) == p.name && is_of_negative_side(other.parameter));
        if (axis_.own_directions && has_both && !(offset && quantity == Q::Fc)) free.direction = negative ? -1 : 1;
        free.name = free.table_name + (free.direction < 0 ? "-" : free.direction > 0 ? "+" : "");
        // such a number has a row of its own in the law's table; others share the row of v > 0
        free.doc_has_direction = negative && p.fallback != nullptr;
        free.unit = p.unit;
        free.dimension = p.dimension();
        free.doc = p.doc;
        free.numbers = {i};
        // factors and slopes of M05 (2) may be 0, but a search over decades needs their logarithm
        const bool makkar = quantity >= Q::g1 && quantity <= Q::g5 && value > 0;
        free.log = p.bound.low == 0 && (!p.bound.closed_low || makkar) && p.bound.high > 1e300;
        free.low = std::max(p.bound.low, free.log ? value * 1e-4 : -1e300);
        free.high = std::min(p.bound.high, free.log ? value * 1e4 : 1e300);
        if (free.dimension == Dimension::force && free.log) {
            free.low = smallest_level * level;
            free.high = 10 * level;
        }
        if (quantity == Q::vs) {
            free.low = std::max(record_.max_speed / 300, 1e-300);
            free.high = record_.max_speed;
        }
        if (p.bound.high < 1e300 && !free.log) {
            free.low += 1e-6 * (free.high - free.low);
            free.high -= 1e-6 * (free.high - free.low);
        }
        const double speed = std::max(record_.max_speed, 1e-300);
        free.scale =
            free.dimension == Dimension::damping ? std::max(level / speed, 1e-300) : std::max(std::abs(value), 1e-12);
        parameters_.push_back(free);
        start_.push_back(value);
    }
}

void FitProblem::widen_bounds(double level) {
    for (FreeParameter& free : parameters_)
        if (free.dimension == Dimension::force && free.log) {
            free.low = std::min(free.low, smallest_level * level);
            free.high = std::max(free.high, 10 * level);
        }
}

void FitProblem::add_axis_parameters() {
    for (std::size_t k = 0; k < axis_.terms.size(); ++k) {
        const Term& t = axis_.terms[k];
        if (!t.found) continue;
        FreeParameter free{t.name, t.unit, t.doc, t.quantity, {}, k, t.nonnegative ? 0 : -1e300, 1e300, false, 1};
        double square = 0;
        for (const double c : t.column) square += c * c;
        free.scale = 1 / std::max(std::sqrt(square / std::max(1.0, double(t.column.size()))), 1e-300);
        parameters_.push_back(free);
        start_.push_back(t.coefficient);
    }
    const auto add = [&](const Setting& setting, Q quantity, const char* name, const char* unit, const char* doc,
                         double low, double high, double scale, bool log) {
        if (setting.kind != Setting::Kind::find) return;
        parameters_.push_back({name, unit, doc, quantity, {}, 0, low, high, log, scale});
        start_.push_back(setting.value);
    };
    add(axis_.gain, Q::gain, "gain", "N/V", "force per volt", 1e-9 * axis_.gain.value, 1e9 * axis_.gain.value,
        axis_.gain.value, true);
    add(axis_.back_emf, Q::back_emf, "back_emf", "V s/m", "induced voltage per velocity", 0, 1e300, 1, false);
    add(axis_.gap, Q::gap, "gap", "m", "width of the backlash in series", 0, record_.travel,
        std::max(0.1 * record_.travel, 1e-300), false);
    const double period = record_.sample_rate > 0 ? 1 / record_.sample_rate : 1;
    const double longest = longest_delay(record_);
    add(axis_.delay, Q::delay, "delay", "s", "time by which the force lags the motion",
        -std::min(std::max(20 * period, 5e-3), longest), std::min(std::max(40 * period, 20e-3), longest), period,
        false);
}

AnyLaw FitProblem::law_at(std::span<const double> values) const {
    std::vector<double> numbers;
    for (const LawNumber& number : numbers_of_law(law_)) numbers.push_back(number.value);
    for (std::size_t k = 0; k < parameters_.size(); ++k)
        if (parameters_[k].of_law())
            for (const std::size_t i : parameters_[k].numbers) numbers[i] = values[k];
    return with_numbers(law_, numbers);
}

double FitProblem::axis_value(Q quantity, std::span<const double> values) const {
    for (std::size_t k = 0; k < parameters_.size(); ++k)
        if (parameters_[k].quantity == quantity) return values[k];
    switch (quantity) {
        case Q::gain:
            return axis_.gain.value;
        case Q::back_emf:
            return axis_.back_emf.value;
        case Q::gap:
            return axis_.gap.value;
        default:
            return axis_.delay.value;
    }
}

double FitProblem::term_value(Q quantity, std::span<const double> values) const {
    for (std::size_t k = 0; k < parameters_.size(); ++k)
        if (parameters_[k].quantity == quantity) return values[k];
    for (const Term& t : axis_.terms)
        if (t.quantity == quantity) return t.coefficient;
    return 0;
}

// Force, and its derivatives with respect to numbers of the law and the gap divided by the gain, in as many passes as needed.
void FitProblem::respond(std::span<const double> values, double gain, Rows& rows) const {
    const std::size_t n = record_.rows(), p = parameters_.size();
    const AnyLaw law = law_at(values);
    const Pass pass = pass_of(law);
    const double gap = axis_value(Q::gap, values);
    std::vector<std::size_t> wanted;
    for (std::size_t k = 0; k < p; ++k)
        if (parameters_[k].of_law() || parameters_[k].quantity == Q::gap) wanted.push_back(k);
    rows.friction.resize(n);
    const auto part = [&](const std::vector<double>& all, const PreparedRun& run) {
        return all.empty() ? std::span<const double>{} : std::span<const double>(all).subspan(run.begin, run.size);
    };
    for (std::size_t first = 0; first == 0 || first < wanted.size(); first += pass.width) {
        PassColumns columns;
        columns.of_parameter.assign(numbers_of_law(law).size(), -1);
        const std::size_t count = std::min(pass.width, wanted.size() - first);
        for (std::size_t c = 0; c < count; ++c) {
            const FreeParameter& parameter = parameters_[wanted[first + c]];
            if (parameter.quantity == Q::gap) columns.of_gap = int(c);
            for (const std::size_t i : parameter.numbers) columns.of_parameter[i] = int(c);
        }
        for (std::size_t j = 0; j < record_.runs.size(); ++j) {
            const PreparedRun& run = record_.runs[j];
            const auto v = part(record_.v, run);
            // static points have no time: each is a sample of its own
            const bool of_teeth = record_.load.empty() && neutral_load_of(law) == 0;
            const ContactMotion motion{part(record_.points ? record_.v : record_.dt, run),
                                       part(record_.points ? record_.v : record_.x, run),
                                       v,
                                       part(of_teeth ? record_.gear_load : record_.load, run),
                                       start_force_[j],
                                       record_.velocity_error};
            pass.respond(law, columns, gap, motion,
                         {rows.friction.data() + run.begin, rows.J.data() + run.begin * p, p,
                          std::span(wanted).subspan(first, count)});
        }
    }
    std::vector<Lane> lanes{{rows.friction.data(), 1}};
    for (const std::size_t k : wanted) lanes.push_back({rows.J.data() + k, p});
    record_.filter(lanes);
    if (gain == 1) return;
    for (std::size_t i = 0; i < n; ++i)
        for (const std::size_t k : wanted) rows.J[i * p + k] /= gain;
}

void FitProblem::move(double delay, Rows& rows) const {
    move_by(record_, delay, rows.friction, 1);
    move_by(record_, delay, rows.J, parameters_.size());
    const std::vector<double> slope = move_by(record_, delay, rows.residual, 1);
    for (std::size_t k = 0; k < parameters_.size(); ++k)
        if (parameters_[k].quantity == Q::delay)
            for (std::size_t i = 0; i < slope.size(); ++i) rows.J[i * parameters_.size() + k] = -slope[i];
}

void FitProblem::evaluate(std::span<const double> values, Rows& rows) const {
    const std::size_t n = record_.rows(), p = parameters_.size();
    rows.residual.resize(n);
    rows.J.resize(n * p);
    const double gain = axis_value(Q::gain, values), back_emf = axis_value(Q::back_emf, values);
    respond(values, gain, rows);
    const double delay = axis_value(Q::delay, values);
    const double by_gain = 1 / gain;
    struct Column {
        const double* column;
        double coefficient;
        std::size_t k;  // parameter; p: given
    };
    std::vector<Column> terms;
    for (const Term& t : axis_.terms) terms.push_back({t.column.data(), t.coefficient, p});
    std::size_t of_gain = p, of_back_emf = p, of_delay = p;
    for (std::size_t k = 0; k < p; ++k) {
        const FreeParameter& parameter = parameters_[k];
        if (is_axis_term(parameter.quantity)) terms[parameter.term] = {terms[parameter.term].column, values[k], k};
        if (parameter.quantity == Q::gain) of_gain = k;
        if (parameter.quantity == Q::back_emf) of_back_emf = k;
        if (parameter.quantity == Q::delay) of_delay = k;
    }
    std::vector<double>& model = rows.residual;
    for (std::size_t i = 0; i < n; ++i) {
        double force = rows.friction[i];
        double* J = rows.J.data() + i * p;
        for (const Column& t : terms) {
            force += t.coefficient * t.column[i];
            if (t.k < p) J[t.k] = by_gain * t.column[i];
        }
        model[i] = by_gain * force + back_emf * record_.v[i];
        if (of_gain < p) J[of_gain] = -by_gain * by_gain * force;
        if (of_back_emf < p) J[of_back_emf] = record_.v[i];
        if (of_delay < p) J[of_delay] = 0;  // below
    }
    if (axis_.delay.kind == Setting::Kind::find || delay != 0) move(delay, rows);
    for (std::size_t i = 0; i < n; ++i) rows.residual[i] = record_.y[i] - model[i];
    rows.finite = all_finite(rows.residual) && all_finite(rows.J);
}

void FitProblem::set_start_forces(std::span<const double> values) {
    if (record_.points) return;
    Rows rows;
    evaluate(values, rows);
    const double gain = axis_value(Q::gain, values);
    for (std::size_t j = 0; j < record_.runs.size(); ++j) {
        const std::size_t i = record_.runs[j].begin;
        start_force_[j] += gain * rows.residual[i];
    }
}

}  // namespace bristle::identification
