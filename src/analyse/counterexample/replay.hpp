// Energy that a signal supplies to a contact, by two integrators that do not use the step of the law.
//
//   supplied  E(T) = integral of F v dt from 0 to T, from a relaxed contact (z = 0, F_i = 0) at t = 0     [J]
// Sign: F opposes the plant, so E > 0 is work done on the contact and E < 0 energy extracted from it.
// The work of a changing load does not pass the port (v, F): it is not counted.
//
//   integrate(law, signal)  Dormand and Prince 5(4), with rate and force of the law, restarted at every corner, at zeros of v and of w
//                           (hysteretic law), and when an element of Maxwell-slip begins to slip. NaN for a law that is neither static,
//                           nor Maxwell-slip, nor has one state
//   replay(law, signal)     the same, and simulate() (Rodas5P) on a prescribed rig
#pragma once
#include <bristle/analyse/certificate.hpp>
#include <bristle/simulate/setup.hpp>

namespace bristle::inline analysis::counterexample {

struct Trace {
    double energy = 0;            // supplied at the port [J]; NaN if the integration failed, then corners is incomplete
    double gross = 0;             // integral of |F v| dt [J]
    double clock = 0;             // energy error if the time of each corner is rounded once [J]
    std::vector<double> corners;  // energy supplied up to each point of velocity [J]
    // Energies that differ by less than this count as equal [J]: 1e-7 of the gross energy, and the rounding of time in legs that are
    // short relative to the run (a leg takes tens of steps).
    double tolerance() const { return 1e-7 * gross + 32 * clock; }
    // Writes energy, gross and tolerance of a signal.
    void record_in(Counterexample& signal) const {
        signal.energy = energy;
        signal.gross = gross;
        signal.tolerance = tolerance();
    }
};
// tolerance: error allowed in each step, relative to the bound of the deflection and to the energy scale.
Trace integrate(const AnyLaw& law, const Counterexample& signal, double tolerance = 1e-11);

// The signal on a prescribed rig, with tolerances of 1e-9.
Setup setup_of(const AnyLaw& law, const Counterexample& signal);

struct Replay {
    double integrated = 0;  // J
    double simulated = 0;   // J
    double gross = 0;       // J
    double tolerance = 0;   // J, of the Trace
    bool extracts() const;  // both energies are below zero by more than the tolerance
};
Replay replay(const AnyLaw& law, const Counterexample& signal);

}  // namespace bristle::analysis::counterexample
