// Certificates, equilibria, limit cycles and hysteresis: one header for all of bristle::analyse
// (find_package(bristle COMPONENTS analyse)).
//
//   #include <bristle/analyse.hpp>
//   using namespace bristle;
//
//   const LuGre law{.sigma0 = 1e5, .sigma1 = 316.2, .sigma2 = 0.4, .curve = {.Fc = 1, .Fs = 1.5, .vs = 1e-3}};
//   const Setup axis{.law = law, .rig = PulledSpring{.mass = 1, .stiffness = 2, .velocity = 0.1}};
//
//   certify(law).passive.verdict;         // Verdict::refuted: energy can be extracted from this law
//   equilibria(axis);                     // steady sliding and rest, with eigenvalues
//   limit_cycle(axis).period;             // of stick-slip [s]; exists is false if there is none
//   follow(axis, "rig.velocity", 0.01, 1).folds;   // pulling speeds at which stick-slip ends [m/s]
//
// Errors: a function throws Error if the rig or the law does not fit the analysis. Long analyses take a progress function that
// can cancel them; maps and basins use all cores.
#pragma once
#include <bristle/analyse/assessment.hpp>
#include <bristle/analyse/basin.hpp>
#include <bristle/analyse/certificate.hpp>
#include <bristle/analyse/cycle.hpp>
#include <bristle/analyse/equilibrium.hpp>
#include <bristle/analyse/family.hpp>
#include <bristle/analyse/hysteresis.hpp>
#include <bristle/analyse/limit.hpp>
#include <bristle/analyse/machine_equilibrium.hpp>
#include <bristle/analyse/machine_limit.hpp>
#include <bristle/analyse/port_hamiltonian.hpp>
#include <bristle/analyse/properties.hpp>
#include <bristle/analyse/reason.hpp>
#include <bristle/analyse/step_limits.hpp>
#include <bristle/analyse/trends.hpp>
#include <bristle/simulate.hpp>
