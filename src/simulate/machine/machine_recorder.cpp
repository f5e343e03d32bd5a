// Signals, events, extremes and ledger of a machine.
#include "simulate/machine/machine_recorder.hpp"

#include <bristle/search.hpp>

#include "numerics/bisect.hpp"
#include "simulate/machine/part_units.hpp"

namespace bristle::inline simulation {

namespace {

// Names of the states of a contact.
std::vector<std::string> state_names_of(const ContactLaw& law) {
    std::vector<std::string> out;
    if (law.states() == 1) return {"z"};
    for (std::size_t i = 1; i <= law.states(); ++i) out.push_back(std::string("F").append(std::to_string(i)));
    return out;
}

bool has_load_signal(const ContactPart& contact) {
    return !contact.load_spring.empty() || (contact.load && !contact.load->is_constant());
}

}  // namespace

MachineRecorder::MachineRecorder(const MachineSystem& system, const Progress& progress)
    : system_(system), progress_(progress), run_(system.machine().run) {
    make_signals();
    extremes_.resize(signals_.size());
    for (Signal& signal : signals_) signal.values.reserve(std::size_t(run_.samples));
    for (Row* row : {&row_, &now_, &last_}) row->resize(signals_.size());
    for (Row& row : rows_) row.resize(signals_.size());
    for (const ContactPart& contact : system.machine().contacts)
        stick_speed_.push_back(run_.stick_speed > 0 ? run_.stick_speed : stribeck_velocity(contact.law));
}

void MachineRecorder::add(const std::string& name, const char* unit, const char* title) {
    signals_.push_back({name, unit, title, {}});
}

std::vector<Named> MachineRecorder::signal_names() const {
    std::vector<Named> names;
    for (const Signal& signal : signals_) names.push_back({signal.name, signal.unit});
    return names;
}

void MachineRecorder::make_signals() {
    const Machine& m = system_.machine();
    const auto has_angle = [&](const auto& part) { return units_of(m, part) == PartUnits::rotary; };
    add("t", "s", "time");
    const auto moves = [&](const std::string& name, bool rotary) {
        add(name + ".x", rotary ? "rad" : "m", rotary ? "angle" : "position");
        add(name + ".v", rotary ? "rad/s" : "m/s", rotary ? "angular velocity" : "velocity");
    };
    for (const Body& body : m.bodies) moves(body.name, body.rotary);
    for (const PrescribedMotion& motion : m.motions) moves(motion.name, motion.rotary);
    for (std::size_t i = 0; i < m.springs.size(); ++i) {
        const bool rotary = has_angle(m.springs[i]);
        add(m.springs[i].name + ".s", rotary ? "rad" : "m", "elongation of the spring");
        add(m.springs[i].name + ".F", rotary ? "N m" : "N", rotary ? "torque of the spring" : "force of the spring");
    }
    for (std::size_t i = 0; i < m.contacts.size(); ++i) {
        const bool rotary = has_angle(m.contacts[i]);
        const std::string& name = m.contacts[i].name;
        slips_.push_back(signals_.size());
        add(name + ".slip", rotary ? "rad/s" : "m/s", "slip velocity");
        add(name + ".F", rotary ? "N m" : "N", rotary ? "friction torque" : "friction force");
        const auto states = state_names_of(system_.law(i));
        for (const std::string& state : states)
            add(name + "." + state,
                states.size() > 1 ? (rotary ? "N m" : "N")
                : rotary          ? "rad"
                                  : "m",
                states.size() > 1 ? "force of an element" : "bristle deflection");
        has_load_.push_back(has_load_signal(m.contacts[i]));
        if (has_load_.back()) add(name + ".load", rotary ? "N m" : "N", "load");
    }
    for (const Force& force : m.forces) {
        const bool rotary = has_angle(force);
        add(force.name + ".F", rotary ? "N m" : "N", rotary ? "applied torque" : "applied force");
    }
    for (std::size_t i = 0; i < m.motors.size(); ++i) {
        const bool rotary = has_angle(m.motors[i]);
        add(m.motors[i].name + ".F", rotary ? "N m" : "N", rotary ? "motor torque" : "motor force");
    }
    for (std::size_t i = 0; i < m.controllers.size(); ++i) {
        const Controller& controller = m.controllers[i];
        const Motor& motor = m.motors[std::size_t(index_of(m.motors, controller.motor))];
        const char *angle = signal_units_of(m, controller) == PartUnits::rotary ? "rad" : "m",
                   *force = has_angle(motor) ? "N m" : "N";
        add(controller.name + ".r", angle, "reference");
        add(controller.name + ".e", angle, "tracking error");
        add(controller.name + ".u", force, "command without its limits");
        if (system_.drives().integral(i) >= 0) add(controller.name + ".I", force, "integral part of the command");
        if (system_.drives().filtered(i) >= 0) add(controller.name + ".D", force, "derivative part of the command");
    }
}

void MachineRecorder::fill(double t, const std::vector<double>& y, const MachineValues<double>& k, Row& row) const {
    const Machine& m = system_.machine();
    const Assembly& assembly = system_.assembly();
    std::size_t i = 0;
    row[i++] = t;
    const auto moves = [&](const Node& node) {
        row[i++] = system_.position(node, t, y);
        row[i++] = system_.velocity(node, t, y);
    };
    for (const Node& body : assembly.bodies) moves(body);
    for (std::size_t j = 0; j < m.motions.size(); ++j) moves({.motion = int(j)});
    for (std::size_t j = 0; j < m.springs.size(); ++j) {
        row[i++] = k.stretch[j];
        row[i++] = k.spring_force[j];
    }
    for (std::size_t j = 0; j < m.contacts.size(); ++j) {
        row[i++] = k.c[j];
        const bool undetermined = !system_.is_free(j) && system_.law(j).dry() && k.c[j] == 0;
        row[i++] = undetermined ? 0 : k.force[j];  // at rest between two given motions
        for (std::size_t s = 0; s < system_.law(j).states(); ++s) row[i++] = y[system_.first_state(j) + s];
        if (has_load_[j]) row[i++] = k.load[j];
    }
    for (std::size_t j = 0; j < m.forces.size(); ++j) row[i++] = system_.applied(j, t);
    for (std::size_t j = 0; j < m.motors.size(); ++j) row[i++] = k.drives.force[j];
    for (std::size_t j = 0; j < m.controllers.size(); ++j) {
        row[i++] = system_.drives().reference(j, t);
        row[i++] = k.drives.error[j];
        row[i++] = k.drives.command[j];
        for (const int s : {system_.drives().integral(j), system_.drives().filtered(j)})
            if (s >= 0) row[i++] = y[std::size_t(s)];
    }
}

double MachineRecorder::sample_time(long i) const {
    return i == run_.samples - 1 ? run_.duration : run_.duration * double(i) / double(run_.samples - 1);
}

void MachineRecorder::sample(const Row& row) {
    ++next_sample_;
    for (std::size_t i = 0; i < signals_.size(); ++i) signals_[i].values.push_back(row[i]);
}
void MachineRecorder::record_at(double time, const Row& row) {
    for (std::size_t i = 0; i < signals_.size(); ++i) at_times_[time][signals_[i].name] = row[i];
}

void MachineRecorder::start(const std::vector<double>& y) {
    y_ = y;
    fill(0, y, now_);
    for (std::size_t i = 0; i < signals_.size(); ++i) extremes_[i].include(now_[i]);
    for (std::size_t i = 0; i < slips_.size(); ++i) sticks_.push_back(std::abs(now_[slips_[i]]) < stick_speed_[i]);
    watch_servos();
    sample(now_);
    for (const double t : run_.sample_times)
        if (t <= 0) record_at(t, now_);
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

// Finds the signals that the measures of each controller need.
void MachineRecorder::watch_servos() {
    const Machine& m = system_.machine();
    const auto column = [&](const std::string& name) {
        std::size_t i = 0;
        while (signals_[i].name != name) ++i;
        return i;
    };
    for (std::size_t i = 0; i < m.controllers.size(); ++i) {
        const Controller& controller = m.controllers[i];
        const Motor& motor = m.motors[std::size_t(index_of(m.motors, controller.motor))];
        const std::string& sensor = controller.sensor.empty() ? motor.body : controller.sensor;
        ServoWatch::Columns columns{column(sensor + ".x"), column(sensor + ".v"), column(controller.name + ".e")};
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
    constexpr double near = 1e-3, fractions[points] = {0, near, 0.25, 0.5, 0.75, 1 - near, 1};
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
    for (int k = 0; k < points; ++k) {
        times_[k] = k == points - 1 ? end : t + (end - t) * fractions[k];
        if (k == 0 && system_.mode() == mode_) {  // the last point of the step before
            std::swap(rows_[0], rows_[points - 1]);
            continue;
        }
        max_stored_ = std::max(max_stored_, system_.stored(fill_at(times_[k], rows_[k])));
        for (std::size_t i = 0; i < signals_.size(); ++i) extremes_[i].include(rows_[k][i]);
        if (k == 0) continue;
        detect_stick(times_[k - 1], times_[k], rows_[k], at);
        for (ServoWatch& servo : servos_) servo.point(times_[k - 1], times_[k], rows_[k], at);
    }
    mode_ = system_.mode();
    refine_peaks(at);
    record_samples(t, end, at);
    return report_progress(end);
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
    for (std::size_t i = 0; i < signals_.size(); ++i) extremes_[i].include(now_[i]);
    detect_stick(t, end, now_, at);
    for (ServoWatch& servo : servos_) servo.point(t, end, now_, at);
    record_samples(t, end, at);
    return report_progress(end);
}

void MachineRecorder::record_samples(double t, double end, const At& at) {
    while (next_sample_ < run_.samples && sample_time(next_sample_) <= end) sample(at(sample_time(next_sample_)));
    for (const double time : run_.sample_times)
        if (time > t && time <= end) record_at(time, at(time));
}
bool MachineRecorder::report_progress(double end) {
    if (!progress_ || ++steps_since_progress_ < 256) return true;
    steps_since_progress_ = 0;
    return progress_(end / run_.duration);
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

// Locates peaks between the points of a step that can change an extreme (golden section).
void MachineRecorder::refine_peaks(const At& at) {
    for (int k = 1; k + 1 < points; ++k) {
        const Row &last = rows_[k - 1], &now = rows_[k], &next = rows_[k + 1];
        const double before = times_[k] - times_[k - 1], after = times_[k + 1] - times_[k];
        for (std::size_t i = 0; i < now.size(); ++i) {
            const double left = now[i] - last[i], right = now[i] - next[i];
            if (!(left * right > 0)) continue;
            const double sign = left > 0 ? 1 : -1,
                         rise = std::max(sign * left * after / before, sign * right * before / after);
            if (!(sign * now[i] + rise > (sign > 0 ? extremes_[i].high : -extremes_[i].low))) continue;
            const auto height = [&](double t) { return sign * at(t)[i]; };
            extremes_[i].include(sign *
                                 bristle::detail::golden_section(times_[k - 1], times_[k + 1], 40, height).value);
        }
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
        while (next_sample_ < run_.samples) sample(now_);
        for (const double time : run_.sample_times)
            if (!at_times_.contains(time)) record_at(time, now_);
        for (std::size_t i = 0; i < signals_.size(); ++i) {
            const std::string& name = signals_[i].name;
            result.measures.max[name] = extremes_[i].high;
            result.measures.min[name] = extremes_[i].low;
            result.measures.final[name] = now_[i];
        }
        result.measures.at = std::move(at_times_);
        for (const ServoWatch& servo : servos_) result.servos.push_back(servo.measures(t));
    } else {
        result.message = failure(result.status, t);
    }
    result.signals = std::move(signals_);
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
