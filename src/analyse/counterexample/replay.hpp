// The energy that a signal puts into a contact, computed twice, neither time with the exact step of the law.
//
//   supplied  E(T) = integral of F v dt from 0 to T, from a relaxed contact (z = 0, F_i = 0) at t = 0     [J]
// Sign: F opposes the plant, so E > 0 is work done on the contact and E < 0 energy drawn from it.
// Changing a load works on the contact too, but not at the port (v, F): it is not counted.
//
//   integrate(law, signal)  Dormand and Prince 5(4), rate and force from the law at an instant, restarted at every corner, where v or
//                           the hysteretic law's w passes zero, and where an element of Maxwell-slip begins to slip
//   replay(law, signal)     the same beside simulate() (Rodas5P) on a prescribed rig
#pragma once
#include <bristle/analyse/certificate.hpp>

namespace bristle::inline analysis {

struct Trace {
    double energy =
        0;  // supplied at the port [J]; NaN where the integration gave up, which leaves the corners incomplete
    double gross = 0;             // integral of |F v| dt [J]
    double clock = 0;             // what rounding the time of every corner once amounts to [J]
    std::vector<double> corners;  // energy supplied up to each point of velocity [J]
    // Energies nearer to each other than this count as equal: a ten-millionth of the gross energy, and what a clock that counts from the
    // start may be wrong by in legs that are short beside the run (a leg takes tens of steps).
    double tolerance() const { return 1e-7 * gross + 32 * clock; }
};
// tolerance: error allowed in each step, relative to the deflection's bound and to the energy in play.
Trace integrate(const AnyLaw& law, const Counterexample& signal, double tolerance = 1e-11);

struct Replay {
    double integrated = 0;  // J
    double simulated = 0;   // J
    double gross = 0;       // J
    double tolerance = 0;   // J, of the Trace
    bool agree() const;     // false where one is NaN
    bool draws() const;     // both give out energy, beyond the tolerance
};
Replay replay(const AnyLaw& law, const Counterexample& signal);

}  // namespace bristle::inline analysis
