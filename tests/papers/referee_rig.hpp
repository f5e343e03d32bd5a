// Rigs and signals of time of the referee: the equations of motion as printed, with the law of referee_law.hpp.
#pragma once
#include <limits>

#include "referee_law.hpp"

namespace referee {

// The input or the load between two corners: offset + slope (t - from) + amplitude sin(phase + omega t + bend t^2).
struct Wave {
    double offset = 0, slope = 0, from = 0, amplitude = 0, omega = 0, bend = 0, phase = 0;

    double operator()(double t) const {
        const double line = offset + slope * (t - from);
        return amplitude == 0 ? line : line + amplitude * std::sin(phase + omega * t + bend * t * t);
    }
    double rate(double t) const {
        return amplitude == 0 ? slope
                              : slope + amplitude * (omega + 2 * bend * t) * std::cos(phase + omega * t + bend * t * t);
    }
    double second(double t) const {
        if (amplitude == 0) return 0;
        const double angle = phase + omega * t + bend * t * t, frequency = omega + 2 * bend * t;
        return amplitude * (2 * bend * std::cos(angle) - frequency * frequency * std::sin(angle));
    }
};

class Drive {
  public:
    explicit Drive(const bristle::Input& from) : from_(from) {}
    bool waves() const { return from_.kind == Kind::wave && from_.wave.amplitude != 0; }
    bool changes() const { return waves() || (stepped() && from_.points.size() > 1); }
    // Returns the piece that holds from t on, t included.
    Wave at(double t) const {
        if (!stepped()) {
            const auto& w = from_.wave;
            return {.offset = w.offset, .amplitude = w.amplitude, .omega = w.omega, .bend = w.bend, .phase = w.phase};
        }
        const auto& points = from_.points;
        const bool ramps = from_.kind == Kind::ramps;
        if (t < points.front().t) return {.offset = ramps ? points.front().value : 0};
        const auto next =
            std::upper_bound(points.begin(), points.end(), t, [](double time, const auto& p) { return time < p.t; });
        const auto i = std::size_t(next - points.begin()) - 1;
        const auto &a = points[i], &b = points[std::min(i + 1, points.size() - 1)];
        return {.offset = a.value, .slope = ramps && b.t > a.t ? (b.value - a.value) / (b.t - a.t) : 0, .from = a.t};
    }
    void corners(std::vector<double>& out) const {
        if (stepped())
            for (const auto& point : from_.points) out.push_back(point.t);
    }
    // The period of a sine; infinity for everything else.
    double period() const { return waves() && from_.wave.bend == 0 ? two_pi / from_.wave.omega : infinite; }
    double shortest_period(double duration) const {
        if (!waves()) return infinite;
        return two_pi / std::max({std::abs(from_.wave.omega),
                                  std::abs(from_.wave.omega + 2 * from_.wave.bend * duration), 1e-300});
    }

  private:
    using Kind = bristle::Input::Kind;
    static constexpr double infinite = std::numeric_limits<double>::infinity(), two_pi = 6.283185307179586476925;
    bool stepped() const { return from_.kind == Kind::steps || from_.kind == Kind::ramps; }
    const bristle::Input& from_;
};

// Indices of the states: position and velocity of the rig, integral of the control error, work of friction, heat, bristles.
enum Place { position, velocity, integral, work, heat, bristle_states };
using State = std::array<double, bristle_states + max_states>;

class Rig {
  public:
    enum class Type { prescribed, forced_mass, pulled_spring, pid_servo, conveyor, pendulum, outside };
    static Type type_of(const bristle::Rig& rig) {
        constexpr const char* kinds[] = {"prescribed", "forced_mass", "pulled_spring",
                                         "pid_servo",  "conveyor",    "pendulum"};
        return Type(std::find(std::begin(kinds), std::end(kinds), std::string_view(rig.info().kind)) - kinds);
    }
    explicit Rig(const bristle::Setup& setup)
        : law(law_of(setup.law)),
          type(type_of(setup.rig)),
          states(std::size_t(bristle_states + law.states)),
          displacement_(setup.rig.has_displacement_input()),
          given_(setup.rig.equations()) {}

    const Law law;
    const Type type;
    const std::size_t states;
    Wave input, load;  // of the present interval
    Memory memory;

    bool prescribed() const { return type == Type::prescribed; }
    bool pulled() const { return type == Type::pulled_spring; }
    double belt(double t) const {
        return type == Type::conveyor ? given_.belt_speed * (1 - std::exp(-t / given_.belt_time)) : 0;
    }
    // The velocity of the contact.
    double slip(double t, const State& y) const {
        switch (type) {
            case Type::prescribed:
                return displacement_ ? input.rate(t) : input(t);
            case Type::conveyor:
                return belt(t) - y[velocity];
            case Type::pendulum:
                return given_.ratio * y[velocity];
            default:
                return y[velocity];
        }
    }
    // Returns the sign of the change of a prescribed contact velocity.
    int given_branch(double t) const {
        const double rise = displacement_ ? input.second(t) : input.rate(t);
        return (rise > 0) - (rise < 0);
    }
    double at_position(double t, const State& y) const {
        return prescribed() && displacement_ ? input(t) : y[position];
    }
    double at_velocity(double t, const State& y) const { return prescribed() ? slip(t, y) : y[velocity]; }
    // Returns the position of the mass: of a pulled spring vp t - l, otherwise the position of the rig.
    double at_mass(double t, const State& y) const {
        return pulled() ? given_.drift * t - y[position] : at_position(t, y);
    }
    // Returns the rate of the position.
    double growth(double t, const State& y) const { return pulled() ? given_.drift - y[velocity] : at_velocity(t, y); }
    // Returns the sum of all forces on the inertia except friction.
    double push(double t, const State& y) const {
        const auto& r = given_;
        switch (type) {
            case Type::forced_mass:
                return input(t);
            case Type::pulled_spring:
                return r.kq * y[position];  // A08 (15)
            case Type::pid_servo:
                return r.kv * y[velocity] + r.kq * (y[position] - r.target) + r.kI * y[integral];
            case Type::conveyor:
                return r.kq * y[position];  // M05 section III
            case Type::pendulum:
                return r.ks * std::sin(y[position]);
            default:
                return 0;
        }
    }
    Friction friction(double t, const State& y) const { return friction(t, y, push(t, y)); }
    void rates(double t, const State& y, State& dy) const {
        const double pushed = push(t, y), c = slip(t, y);
        const Friction f = friction(t, y, pushed);
        dy[position] = prescribed() ? c : growth(t, y);
        dy[integral] = type == Type::pid_servo ? y[position] - given_.target : 0;
        dy[velocity] = prescribed()             ? 0
                       : type == Type::conveyor ? (pushed + f.F) / given_.inertia
                       : type == Type::pendulum ? (pushed - given_.ratio * f.F) / given_.inertia
                                                : (pushed - f.F) / given_.inertia;
        dy[work] = f.F * c;
        dy[heat] = dy[work] - law.stored_power(&y[bristle_states], f, load(t));
        for (std::size_t i = 0; i < std::size_t(law.states); ++i) dy[bristle_states + i] = f.dz[i];
    }

    // ---- scales for tolerances
    double typical(std::size_t i, double duration) const {
        const double N = load(0), F = law.typical_level(N) * (law.load_on_all ? N : 1), speed = law.typical_speed();
        const double deflection = law.kind == Law::maxwell ? F / *std::max_element(law.k.begin(), law.k.end())
                                  : law.sigma0 > 0         ? law.typical_level(N) / law.sigma0
                                                           : speed * std::min(1.0, duration);
        const double arm = type == Type::pendulum ? given_.ratio : 1;
        switch (i) {
            case position:
                return deflection / arm;
            case velocity:
                return speed / arm;
            case integral:
                return deflection * std::min(1.0, duration);
            case work:
            case heat:
                return F * deflection;
            default:
                return law.kind == Law::maxwell ? law.typical_level(N) : deflection;
        }
    }

  private:
    // For a hysteretic contact: dv/dt of the contact as a function of the friction force.
    Law::Rise rise(double t, double pushed) const {
        const double m = given_.inertia;
        switch (type) {
            case Type::prescribed:
                return {false, 0, 0};
            case Type::conveyor:  // belt' - v', and F drives the block
                return {true, given_.belt_speed / given_.belt_time * std::exp(-t / given_.belt_time) - pushed / m,
                        1 / m};
            case Type::pendulum:
                return {true, given_.ratio * pushed / m, given_.ratio * given_.ratio / m};
            default:
                return {true, pushed / m, 1 / m};
        }
    }
    Friction friction(double t, const State& y, double pushed) const {
        return law(&y[bristle_states], slip(t, y), load(t), rise(t, pushed), memory);
    }

    const bool displacement_;
    const bristle::RigEquations given_;  // read for its parameters only
};

}  // namespace referee
