// Simulation of mechanisms with dry friction: one header for all of bristle::simulate (find_package(bristle COMPONENTS simulate)).
//
//   #include <bristle/simulate.hpp>
//   using namespace bristle;
//
//   Setup axis{.law = LuGre{.sigma0 = 1e5, .sigma1 = 316.2, .sigma2 = 0.4,                       // N/m, N s/m, N s/m
//                           .curve = {.Fc = 1, .Fs = 1.5, .vs = 1e-3}},                          // N, N, m/s
//              .rig = PulledSpring{.mass = 1, .stiffness = 2, .velocity = 0.1},                  // kg, N/m, m/s
//              .run = {.duration = 40}};                                                         // s
//   Result run = simulate(axis);
//   run.signal("v")->values;        // velocity [m/s] at 1001 times
//   run.measures.period.value();    // of stick-slip [s]
//   run.energy.residual();          // supplied - stored - dissipated [J]
//
// A law is any law of the core by value (also over a table or with directions), a rig any struct of simulate/rig.hpp.
// Errors: simulate() throws Error if the method cannot serve the law or the rig. A run that ends early is a Result with a
// status and a message. The core (bristle/bristle.hpp) is for real-time code; this part allocates and throws.
#pragma once
#include <bristle/base/error.hpp>
#include <bristle/base/progress.hpp>
#include <bristle/bristle.hpp>
#include <bristle/simulate/check.hpp>
#include <bristle/simulate/hybrid.hpp>
#include <bristle/simulate/input.hpp>
#include <bristle/simulate/keyed.hpp>
#include <bristle/simulate/law.hpp>
#include <bristle/simulate/machine.hpp>
#include <bristle/simulate/machine_parameters.hpp>
#include <bristle/simulate/result.hpp>
#include <bristle/simulate/rig.hpp>
#include <bristle/simulate/setup.hpp>
