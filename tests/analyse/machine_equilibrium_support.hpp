// Machines whose equilibria are tested, and the machine with an equilibrium as its start.
#pragma once
#include <bristle/analyse/machine_equilibrium.hpp>
#include <gtest/gtest.h>

#include <cmath>

#include "../simulate/cases.hpp"

namespace bristle::machine_equilibria {

inline MachineEquilibrium only(const Machine& machine) {
    const MachineEquilibria all = equilibria(machine);
    EXPECT_TRUE(all.complete);
    EXPECT_EQ(all.found.size(), 1u);
    return all.found.at(0);
}

inline std::vector<std::string> all_kinds() {
    std::vector<std::string> out;
    for_each_law([&](const auto& entry) { out.push_back(entry.kind); });
    return out;
}

// Two blocks on a belt: ground - k1 - A - k2 - B.
struct Chain {
    static constexpr double m1 = 1.5, m2 = 0.7, k1 = 40, k2 = 90, d2 = 0.2;
    LuGre first{.sigma0 = 3e3, .sigma1 = 20, .sigma2 = 0.4, .curve = {.Fc = 1, .Fs = 1.5, .vs = 0.02}};
    LuGre second{.sigma0 = 5e3, .sigma1 = 10, .sigma2 = 0.1, .curve = {.Fc = 0.6, .Fs = 0.9, .vs = 0.05}};
    double speed = 0.1;
    Machine machine() const {
        return {.bodies = {{.name = "A", .mass = m1}, {.name = "B", .mass = m2}},
                .motions = {{.name = "belt", .value = Input::constant(speed)}},
                .springs = {{.name = "left", .first = "A", .stiffness = k1},
                            {.name = "middle", .first = "B", .second = "A", .stiffness = k2, .damping = d2}},
                .contacts = {{.name = "a", .first = "belt", .second = "A", .law = first},
                             {.name = "b", .first = "belt", .second = "B", .law = second}},
                .run = {.duration = 4}};
    }
    static double level(const LuGre& law, double v) {
        const auto& c = law.curve;
        return c.Fc + (c.Fs - c.Fc) * std::exp(-(v / c.vs) * (v / c.vs));
    }
    static double slope(const LuGre& law, double v) {
        const auto& c = law.curve;
        return (c.Fs - c.Fc) * std::exp(-(v / c.vs) * (v / c.vs)) * (-2 * v / (c.vs * c.vs));
    }
};

// Motor, compliant gearbox, load with friction; PID at the motor.
struct Geared {
    static constexpr double Jm = 4e-4, Jl = 8e-4, k = 60, d = 0.01, Kp = 2, Kd = 0.05, sigma2 = 2e-3;
    static Machine machine(double Ki) {
        return {.bodies = {{.name = "motor", .mass = Jm, .rotary = true}, {.name = "load", .mass = Jl, .rotary = true}},
                .springs = {{.name = "gearbox", .first = "motor", .second = "load", .stiffness = k, .damping = d}},
                .contacts = {{.name = "guide",
                              .first = "load",
                              .law = LuGre{.sigma0 = 100,
                                           .sigma1 = 0.5,
                                           .sigma2 = sigma2,
                                           .curve = {.Fc = 0.08, .Fs = 0.14, .vs = 0.5}}}},
                .motors = {{.name = "drive", .body = "motor", .limit = 1}},
                .controllers = {{.name = "servo",
                                 .motor = "drive",
                                 .law = Pid{.Kp = Kp, .Ki = Ki, .Kd = Kd},
                                 .reference = Input::trapezoid(0, 1, 8, 200, 0.05)}},
                .run = {.duration = 1}};
    }
    // (Jm s^2 + A1 s + A0 + Ki/s)(Jl s^2 + B1 s + k) - (d s + k)^2, times s
    static std::vector<double> coefficients(double Ki) {
        const double A1 = d + Kd, A0 = k + Kp, B1 = d + sigma2;
        return {Jm * Jl,
                Jm * B1 + A1 * Jl,
                Jm * k + A1 * B1 + A0 * Jl - d * d,
                A1 * k + A0 * B1 + Ki * Jl - 2 * d * k,
                A0 * k + Ki * B1 - k * k,
                Ki * k};
    }
    // All entries of the first column of Routh's array are positive.
    static bool routh_stable(const std::vector<double>& p) {
        std::vector<double> above{p[0], p[2], p[4]}, row{p[1], p[3], p[5]};
        if (!(above[0] > 0)) return false;
        for (int i = 0; i < 5; ++i) {
            if (!(row[0] > 0)) return false;
            std::vector<double> next(3, 0);
            for (std::size_t j = 0; j < 2; ++j) next[j] = (row[0] * above[j + 1] - above[0] * row[j + 1]) / row[0];
            above = row;
            row = next;
        }
        return true;
    }
};

// Guide of a table; the spring "preload" presses on it besides the load [N].
inline ContactPart pressed_guide(double load) {
    return {.name = "guide",
            .first = "table",
            .law = LuGre{.sigma0 = 1e4,
                         .sigma1 = 100,
                         .sigma2 = 1,
                         .curve = {.Fc = 0.2, .Fs = 0.3, .vs = 0.01},
                         .load_on = LoadOn::all},
            .load = Input::constant(load),
            .load_spring = "preload"};
}

// Table behind a nut with backlash, driven by a cascade with a lag and measured at the table; a spring that presses on its guide.
inline Machine feed_axis() {
    return {
        .bodies = {{.name = "motor", .mass = 0.5}, {.name = "table", .mass = 3, .force = 2}},
        .motions = {{.name = "rail", .value = Input::constant(0.05)}},
        .springs = {{.name = "nut", .first = "motor", .second = "table", .stiffness = 1e5, .damping = 20, .gap = 1e-4},
                    {.name = "preload", .first = "table", .stiffness = 200, .rest = -0.01}},
        .contacts =
            {pressed_guide(3),
             {.name = "seal", .first = "rail", .second = "motor", .law = Coulomb{.curve = {.Fc = 0.5, .Fs = 0.5}}}},
        .motors = {{.name = "drive", .body = "motor", .limit = 50, .lag = 1e-3}},
        .controllers = {{.name = "servo",
                         .motor = "drive",
                         .sensor = "table",
                         .law = Cascade{.Kx = 20, .Kv = 50, .Ki = 100},
                         .reference = Input::constant(0.02)}},
        .run = {.duration = 1}};
}

// A table on a guide that a spring of 200 N/m presses; a PID moves it to a reference.
inline Machine pressed_servo(double load, double rest, double reference) {
    return {.bodies = {{.name = "table", .mass = 1}},
            .springs = {{.name = "preload", .first = "table", .stiffness = 200, .rest = rest}},
            .contacts = {pressed_guide(load)},
            .motors = {{.name = "drive", .body = "table"}},
            .controllers = {{.name = "servo",
                             .motor = "drive",
                             .law = Pid{.Kp = 200, .Ki = 100, .Kd = 5},
                             .reference = Input::steps({{0, 0}, {0.1, reference}})}},
            .run = {.duration = 1}};
}

// A table on a belt with a spring that carries it and presses on it: the load of the contact depends on its force.
inline Machine pressed_table() {
    return {.bodies = {{.name = "table", .mass = 3}},
            .motions = {{.name = "belt", .value = Input::steps({{0, 0.2}, {1, 0.5}})}},
            .springs = {{.name = "preload", .first = "table", .stiffness = 200, .damping = 5, .rest = -0.01}},
            .contacts = {{.name = "guide",
                          .first = "belt",
                          .second = "table",
                          .law = LuGre{.sigma0 = 1e4,
                                       .sigma1 = 100,
                                       .sigma2 = 0.1,
                                       .curve = {.Fc = 0.2, .Fs = 0.3, .vs = 0.01},
                                       .load_on = LoadOn::all},
                          .load = Input::constant(3),
                          .load_spring = "preload"}},
            .run = {.duration = 1}};
}

// Motor with a constant torque, gear 5:1, shaft and load; friction at both.
inline Machine geared_drive(double torque) {
    return {
        .bodies = {{.name = "motor", .mass = 1e-3, .rotary = true},
                   {.name = "pinion", .mass = 2e-3, .rotary = true},
                   {.name = "load", .mass = 0.1, .rotary = true}},
        .springs = {{.name = "shaft", .first = "pinion", .second = "load", .stiffness = 60, .damping = 0.05}},
        .gears = {{.name = "gear", .driver = "motor", .driven = "pinion", .ratio = 5}},
        .contacts =
            {{.name = "bearing",
              .first = "motor",
              .law = LuGre{.sigma0 = 2, .sigma1 = 0.01, .sigma2 = 1e-3, .curve = {.Fc = 0.02, .Fs = 0.03, .vs = 0.5}}},
             {.name = "guide",
              .first = "load",
              .law = LuGre{.sigma0 = 400, .sigma1 = 5, .sigma2 = 0.4, .curve = {.Fc = 2, .Fs = 3, .vs = 0.05}}}},
        .motors = {{.name = "drive", .body = "motor", .command = Input::constant(torque)}},
        .run = {.duration = 1}};
}

// The machine with an equilibrium as its start, displaced.
inline Machine started(Machine machine, const MachineEquilibrium& e, double displacement) {
    for (Body& body : machine.bodies) {
        body.x = e.value(body.name + ".x") + displacement;
        body.v = e.value(body.name + ".v");
    }
    for (std::size_t i = 0; i < machine.contacts.size(); ++i) {
        ContactPart& contact = machine.contacts[i];
        if (const double z = e.value(contact.name + ".z"); !std::isnan(z)) contact.start = {z};
        // elements that slip are at their level: 1e-12 above it, so that rounding does not make them stick
        for (int j = 1; !std::isnan(e.value(contact.name + ".F" + std::to_string(j))); ++j)
            contact.start.push_back(e.value(contact.name + ".F" + std::to_string(j)) *
                                    (e.contacts[i].holds ? 1 : 1 + 1e-12));
    }
    for (Controller& controller : machine.controllers) {
        if (const double I = e.value(controller.name + ".I"); !std::isnan(I)) controller.start = I;
        if (const double D = e.value(controller.name + ".D"); !std::isnan(D)) controller.start_D = D;
    }
    for (Motor& motor : machine.motors)
        if (const double F = e.value(motor.name + ".F"); !std::isnan(F)) motor.start = F;
    return machine;
}

}  // namespace bristle::machine_equilibria
