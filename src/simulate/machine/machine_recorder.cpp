// Signals, events and ledger of a machine.
#include "simulate/machine/machine_recorder.hpp"

#include "numerics/bisect.hpp"
#include "simulate/machine/part_units.hpp"
#include "simulate/names.hpp"

namespace bristle::inline simulation {

namespace {

bool has_load_signal(const ContactPart& contact) {
    return !contact.load_spring.empty() || (contact.load && !contact.load->is_constant());
}

// True for a signal in rad, rad/s or N m. The command of a controller has the unit of its motor, r and e that of the sensor.
template <class Part>
bool is_rotary(const Machine& m, const Part& part, SignalRole) {
    return units_of(m, part) == PartUnits::rotary;
}
bool is_rotary(const Machine& m, const Controller& controller, SignalRole role) {
    if (role == SignalRole::reference || role == SignalRole::error)
        return signal_units_of(m, controller) == PartUnits::rotary;
    return units_of(m, m.motors[std::size_t(index_of(m.motors, controller.motor))]) == PartUnits::rotary;
}

}  // namespace

MachineRecorder::MachineRecorder(const MachineSystem& system, const Progress& progress)
    : system_(system), run_(system.machine().run), rows_(system.machine().run, progress) {
    for (const ContactPart& contact : system.machine().contacts) {
        has_load_.push_back(has_load_signal(contact));
        stick_speed_.push_back(run_.stick_speed > 0 ? run_.stick_speed : stribeck_velocity(contact.law));
    }
    make_signals();
    for (Row* row : {&row_, &now_, &last_}) row->resize(rows_.signals().size());
}

std::vector<Named> MachineRecorder::signal_names() const {
    std::vector<Named> names;
    for (const Signal& signal : rows_.signals()) names.push_back({signal.name, signal.unit, signal.part, signal.role});
    return names;
}

// Calls visit(part, role, value, i) for every signal in order. value(at) returns it at an Instant; i: index of the state, if it is one.
template <class Visit>
void MachineRecorder::for_each_signal(const Visit& visit) const {
    using enum SignalRole;
    using I = const Instant&;
    const Machine& m = system_.machine();
    const Drives& drives = system_.drives();
    const auto moves = [&](const auto& part, const Node& node) {
        visit(part, position, [&](I at) { return system_.position(node, at.t, at.y); });
        visit(part, velocity, [&](I at) { return system_.velocity(node, at.t, at.y); });
    };
    for (std::size_t j = 0; j < m.bodies.size(); ++j) moves(m.bodies[j], system_.assembly().bodies[j]);
    for (std::size_t j = 0; j < m.motions.size(); ++j) moves(m.motions[j], {.motion = int(j)});
    for (std::size_t j = 0; j < m.springs.size(); ++j) {
        visit(m.springs[j], elongation, [&](I at) { return at.k.stretch[j]; });
        visit(m.springs[j], spring_force, [&](I at) { return at.k.spring_force[j]; });
    }
    for (std::size_t j = 0; j < m.contacts.size(); ++j) {
        visit(m.contacts[j], slip, [&](I at) { return at.k.c[j]; });
        visit(m.contacts[j], friction, [&](I at) {
            const bool undetermined = !system_.is_free(j) && system_.law(j).dry() && at.k.c[j] == 0;
            return undetermined ? 0 : at.k.force[j];  // at rest between two given motions
        });
        for (std::size_t i = 0; i < system_.law(j).states(); ++i)
            visit(
                m.contacts[j], state, [&](I at) { return at.y[system_.first_state(j) + i]; }, i);
        if (has_load_[j]) visit(m.contacts[j], load, [&](I at) { return at.k.load[j]; });
    }
    for (std::size_t j = 0; j < m.forces.size(); ++j)
        visit(m.forces[j], applied_force, [&](I at) { return system_.applied(j, at.t); });
    for (std::size_t j = 0; j < m.motors.size(); ++j)
        visit(m.motors[j], motor_force, [&](I at) { return at.k.drives.force[j]; });
    for (std::size_t j = 0; j < m.controllers.size(); ++j) {
        visit(m.controllers[j], reference, [&](I at) { return drives.reference(j, at.t); });
        visit(m.controllers[j], error, [&](I at) { return at.k.drives.error[j]; });
        visit(m.controllers[j], command, [&](I at) { return at.k.drives.command[j]; });
        const auto part = [&](SignalRole role, int s) {
            if (s >= 0) visit(m.controllers[j], role, [&](I at) { return at.y[std::size_t(s)]; });
        };
        part(integral, drives.integral(j));
        part(derivative, drives.filtered(j));
    }
}

void MachineRecorder::make_signals() {
    const Machine& m = system_.machine();
    std::vector<Signal> signals{{"t", "s", "time", {}, true, {}, SignalRole::time}};
    for_each_signal([&]<class Part>(const Part& part, SignalRole role, const auto&,
                                    [[maybe_unused]] std::size_t i = 0) {
        const std::size_t column = signals.size();
        const bool rotary = is_rotary(m, part, role);
        if (role == SignalRole::slip) slips_.push_back(column);
        if (role == SignalRole::error) errors_.push_back(column);
        if constexpr (std::is_same_v<Part, Body>)
            if (role == SignalRole::position) bodies_.push_back(column);
        if constexpr (std::is_same_v<Part, ContactPart>)
            if (role == SignalRole::state) {
                const Named state = contact_states(part.law)[i];
                const std::string unit = !rotary ? state.unit : state.unit == "N" ? "N m" : "rad";
                signals.push_back(
                    {signal_name(part.name, state.name), unit, title_of(state), {}, true, part.name, role});
                return;
            }
        const RoleLabel& label = label_of(role);
        const char *unit = rotary ? label.rotary_unit : label.unit, *title = rotary ? label.rotary_title : label.title;
        signals.push_back({signal_name(part.name, role), unit, title, {}, true, part.name, role});
    });
    rows_.set_signals(std::move(signals));
}

void MachineRecorder::fill(double t, const std::vector<double>& y, const MachineValues<double>& k, Row& row) const {
    const Instant at{t, y, k};
    std::size_t i = 0;
    row[i++] = t;
    for_each_signal([&](const auto&, SignalRole, const auto& value, std::size_t = 0) { row[i++] = value(at); });
}

void MachineRecorder::start(const std::vector<double>& y) {
    y_ = y;
    fill(0, y, system_.values(0, y), now_);
    for (std::size_t i = 0; i < slips_.size(); ++i) sticks_.push_back(std::abs(now_[slips_[i]]) < stick_speed_[i]);
    watch_servos();
    rows_.start(now_);
    max_stored_ = system_.stored(0, y);
    stored_at_start_ = stores(0, y);
}

std::vector<double> MachineRecorder::stores(double t, const std::vector<double>& y) const {
    const Machine& m = system_.machine();
    std::vector<double> out;
    for (std::size_t i = 0; i < m.springs.size(); ++i) out.push_back(system_.stored_in_spring(i, t, y));
    for (std::size_t i = 0; i < m.contacts.size(); ++i) out.push_back(system_.stored_in_contact(i, t, y));
    return out;
}

// Passes the columns of the signals that the measures of each controller need.
void MachineRecorder::watch_servos() {
    const Machine& m = system_.machine();
    for (std::size_t i = 0; i < m.controllers.size(); ++i) {
        const Controller& controller = m.controllers[i];
        const std::size_t position = bodies_[std::size_t(index_of(m.bodies, measured_body(m, controller)))];
        ServoWatch::Columns columns{position, position + 1, errors_[i]};
        double stick_speed = 0;
        bool at_sensor = false;  // the first contact of the sensor's coordinate, otherwise the first one
        for (std::size_t j = m.contacts.size(); j-- > 0;) {
            const bool here = system_.assembly().jacobian(j, std::size_t(system_.drives().sensor(i).coordinate)) != 0;
            if (!(stick_speed_[j] > 0) || (at_sensor && !here)) continue;
            at_sensor = here;
            columns.slip = int(slips_[j]);
            stick_speed = stick_speed_[j];
        }
        servos_.emplace_back(system_, i, columns, stick_speed, now_);
    }
}

bool MachineRecorder::step(const MachineStepper& stepper, double t, double end) {
    constexpr int points = RowRecorder::points;
    const auto fill_at = [&](double time, Row& row) -> const MachineSystem::Values& {
        const double fraction = time >= end ? 1.0 : (time - t) / (end - t);
        for (std::size_t i = 0; i < system_.size(); ++i)
            y_[i] = fraction == 1 ? stepper.y1()[i] : stepper.at(i, fraction);
        const auto& k = system_.values(time, y_);
        fill(time, y_, k, row);
        return k;
    };
    const At at = [&](double time) -> const Row& {
        fill_at(time, row_);
        return row_;
    };
    rows_.place_points(t, end);
    for (int k = 0; k < points; ++k) {
        if (k == 0 && system_.mode() == mode_) {  // the same equations: the same values
            rows_.continue_row();
            continue;
        }
        Row& row = rows_.row(k);
        max_stored_ = std::max(max_stored_, system_.stored(fill_at(rows_.time(k), row)));
        rows_.include(row);
        if (k > 0) detect(rows_.time(k - 1), rows_.time(k), row, at);
    }
    mode_ = system_.mode();
    rows_.refine_peaks(at);
    rows_.record_samples(t, end, at);
    return rows_.should_continue(end);
}

bool MachineRecorder::step(double t, double end, const std::vector<double>& y, const MachineValues<double>& values,
                           double stored) {
    last_ = now_;
    fill(end, y, values, now_);
    const At at = [&](double time) -> const Row& {
        const double fraction = (time - t) / (end - t);
        if (fraction >= 1) return now_;
        for (std::size_t i = 0; i < row_.size(); ++i) row_[i] = last_[i] + fraction * (now_[i] - last_[i]);
        row_[0] = time;
        return row_;
    };
    max_stored_ = std::max(max_stored_, stored);
    rows_.include(now_);
    detect(t, end, now_, at);
    rows_.record_samples(t, end, at);
    return rows_.should_continue(end);
}

void MachineRecorder::detect(double from, double to, const Row& now, const At& at) {
    detect_stick(from, to, now, at);
    for (ServoWatch& servo : servos_) servo.point(from, to, now, at);
}

void MachineRecorder::detect_stick(double from, double to, const Row& now, const At& at) {
    for (std::size_t i = 0; i < slips_.size(); ++i) {
        const bool sticks = std::abs(now[slips_[i]]) < stick_speed_[i];
        if (sticks == sticks_[i]) continue;
        sticks_[i] = sticks;
        const double t = numerics::bisect(to, from, 60, [&](double time) {
                             return (std::abs(at(time)[slips_[i]]) < stick_speed_[i]) == sticks;
                         }).holds;
        events_.push_back(
            {t, sticks ? Event::Kind::stick_begin : Event::Kind::stick_end, system_.machine().contacts[i].name});
    }
}

void MachineRecorder::reversal(double t, std::size_t contact) {
    events_.push_back({t, Event::Kind::v_zero, system_.machine().contacts[contact].name});
}

void MachineRecorder::close_parts(Result& result, double t, const std::vector<double>& y, const Final& final) const {
    const Machine& m = system_.machine();
    const Slots& slots = system_.slots();
    const double* w = &y[system_.size()];
    Energy& energy = result.energy;
    double kinetic[2]{}, spring[2]{}, bristle[2]{};
    const std::vector<double> first = system_.start();
    for (std::size_t i = 0; i < m.bodies.size(); ++i) {
        const Node& node = system_.assembly().bodies[i];
        const double v0 = system_.velocity(node, 0, first), v = system_.velocity(node, t, y),
                     half = 0.5 * m.bodies[i].mass;
        energy.parts.push_back({m.bodies[i].name, half * v0 * v0, half * v * v, w[slots.bodies + 2 * i],
                                w[slots.bodies + 2 * i + 1], 0, final.numerical[i]});
        energy.numerical += final.numerical[i];
        kinetic[0] += half * v0 * v0;
        kinetic[1] += half * v * v;
    }
    for (std::size_t i = 0; i < m.springs.size(); ++i) {
        const double start = stored_at_start_[i], end = final.stores[i];
        energy.parts.push_back(
            {m.springs[i].name, start, end, w[slots.springs + 2 * i], 0, w[slots.springs + 2 * i + 1]});
        spring[0] += start;
        spring[1] += end;
    }
    for (std::size_t i = 0; i < m.contacts.size(); ++i) {
        const double start = stored_at_start_[m.springs.size() + i], end = final.stores[m.springs.size() + i];
        const double* of = w + slots.contacts + 3 * i;
        energy.parts.push_back({m.contacts[i].name, start, end, of[0], of[2], of[1]});
        bristle[0] += start;
        bristle[1] += end;
    }
    for (std::size_t i = 0; i < m.motions.size(); ++i)
        energy.parts.push_back({m.motions[i].name, 0, 0, -w[slots.motions + i], w[slots.motions + i], 0});
    for (std::size_t i = 0; i < m.forces.size(); ++i)
        energy.parts.push_back({m.forces[i].name, 0, 0, -w[slots.forces + i], w[slots.forces + i], 0});
    for (std::size_t i = 0; i < m.motors.size(); ++i)
        energy.parts.push_back({m.motors[i].name, 0, 0, -w[slots.motors + i], w[slots.motors + i], 0});
    energy.stores.push_back({"kinetic", kinetic[0], kinetic[1]});
    if (!m.springs.empty()) energy.stores.push_back({"spring", spring[0], spring[1]});
    if (!m.contacts.empty()) energy.stores.push_back({"bristle", bristle[0], bristle[1]});
}

void MachineRecorder::close(Result& result, double t, const std::vector<double>& y) {
    close(result, t, y,
          {system_.values(t, y), stores(t, y), std::vector<double>(system_.machine().bodies.size(), 0.0)});
}

void MachineRecorder::close(Result& result, double t, const std::vector<double>& y, const Final& final) {
    std::stable_sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) { return a.t < b.t; });
    fill(t, y, final.values, now_);
    if (result.status == Status::done) {
        rows_.complete(now_);
        rows_.put_measures(result.measures, now_);
        for (const ServoWatch& servo : servos_) result.servos.push_back(servo.measures(t));
    } else {
        result.message = failure(result.status, t);
    }
    result.signals = rows_.take_signals();
    result.events = std::move(events_);
    result.energy.supplied = y[system_.size()];
    result.energy.dissipated = y[system_.size() + 1];
    close_parts(result, t, y, final);
    result.energy.scale = std::abs(result.energy.supplied) + std::abs(result.energy.dissipated) +
                          std::abs(result.energy.numerical) + max_stored_;
    for (const Energy::Store& store : result.energy.stores)
        result.energy.scale += std::abs(store.start) + std::abs(store.end);
}

}  // namespace bristle::simulation
