// Hysteresis operators: friction force of a law as a function of path length [m], for a prescribed displacement u(t) [m].
//
//   rho_u(t) = integral of |u'|      path length: total variation of u on [0, t]                          N13 2.1
//   psi_u(rho_u(t)) = u(t)           u as a function of path length; |psi'| = 1 almost everywhere         N13 lemma 1
//   u(t/gamma)                       time scale gamma: the same path, gamma times slower; psi is the same N13 lemma 2
//   phi_gamma(rho)                   force as a function of path length at the time scale gamma:
//     dx/drho = -sigma0 x/g(v/gamma) + psi'                                                              N13 (7)
//     x(0) = x0                                                                                          N13 (8)
//     phi     = sigma0 x + (sigma1/gamma) |v| dx/drho + f(v/gamma),  v = u' as a function of rho          N13 (9)
//   phi*(rho)                        limit for gamma -> infinity: the rate-independent part              N13 (10)
//     where psi' = s:  sigma0 x = s g(0) + (sigma0 x(start) - s g(0)) exp(-sigma0 (rho - start)/g(0))
//   phi_o(rho)                       limit of phi* on the k-th period: the hysteresis loop               N13 (11)
//   For one rise and one fall a period, with c = sigma0 (umax - umin)/g(0), a = 2/(1 + exp(-c)):
//     rising   F = g(0) ( 1 - a exp(-sigma0 (u - umin)/g(0)))                                            N13 (29)
//     falling  F = g(0) (-1 + a exp(-sigma0 (umax - u)/g(0)))                                            N13 (30)
//     symmetric about ((umin + umax)/2, 0); area (2 g(0)^2/sigma0) (c - 2 tanh(c/2)); the distance of the k-th period
//     from the loop falls by exp(-2 c) a period (ours)
// f(0) = 0 for every law here. N13 (11) as printed starts from phi_o(0)/sigma0; with f(0) != 0 it must start from
// (phi_o(0) - f(0))/sigma0. N13 (21), in the proof, needs an upper bound of g; N13 (20) gives a lower one. The bound of dy/drho
// further on in the proof needs the lower one.
//
// Order of convergence of phi_gamma to phi*, for a Stribeck curve with Fs != Fc (ours): gamma^-alpha for x. For F it is
// gamma^-alpha if sigma1 = sigma2 = 0, else gamma^-min(1, alpha).
//
// Sign: F opposes the motion, so that the integral of F du over a loop is the dissipated energy [J].
// N13 (7) exists for LuGre, with constant or decreasing sigma1, and Dahl. For other laws phi_gamma is a simulation in time, and phi* a
// quasi-static motion. Over curves that vanish at v = 0 (smooth, Makkar) phi* is 0. A law that stores its last velocity (B05) has no
// phi*: its limit depends on the sign of the acceleration.
// Limits: at most 4e6/points strokes (20 000). A displacement that jumps has a path length (straight across) and a phi*, but no
// velocity, hence no phi_gamma.
#pragma once
#include <bristle/simulate/input.hpp>
#include <bristle/simulate/law.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace bristle::inline analysis {

// ---- path length -------------------------------------------------------------------------------------------------------

// Interval of time in which u is smooth and monotone.
struct Stroke {
    double t0, t1;      // s; equal if u jumps
    double u0, u1;      // m
    double rho0, rho1;  // path length at both ends [m]
    double direction() const { return u1 < u0 ? -1 : 1; }
};

// Sign change of u'.
struct Reversal {
    double t, u, rho;  // s, m, m
    bool maximum;
};

struct Variation {
    Input input;                  // u [m]
    double duration = 0;          // s
    std::vector<Stroke> strokes;  // in order; intervals of rest are left out
    std::vector<Reversal> reversals;

    double total() const { return strokes.empty() ? 0 : strokes.back().rho1; }
    double rho(double t) const;      // path length at t [m]; the value after a jump, if u jumps at t
    double psi(double rho) const;    // u at this path length [m]
    double slope(double rho) const;  // psi': 1 or -1; at a reversal that of the next stroke
    double time(
        double rho) const;  // first t with this path length; near a reversal to about 1e-8 of the stroke's time [s]
    double velocity(double rho) const;  // u' at this path length [m/s]; infinite inside a jump
    bool jumps() const;
};
// Returns the variation of u from 0 to duration. Throws Error if u has more than a million reversals.
Variation variation_of(const Input& u, double duration);

// Returns u(t/gamma).
Input time_scaled(const Input& u, double gamma);

// ---- hysteresis ----------------------------------------------------------------------------------------------------

struct PathPoint {
    double rho, u, F;  // m, m, N
    double z;          // bristle deflection [m]; 0 for a law without one
};
// Force as a function of path length. Reversals appear twice, as the end of one stroke and the start of the next.
struct HysteresisPath {
    double gamma;  // infinity: the limit
    std::vector<PathPoint> points;
    std::optional<double> area = {};                       // integral of F du over the last period, by quadrature [J]
    std::optional<double> distance = {}, distance_z = {};  // largest distance from phi* [N], of the deflection [m]
    // -d log distance/d log gamma from the path before; std::nullopt if the distance is only an error of the integration
    std::optional<double> rate = {}, rate_z = {};
};

// Hysteresis loop in closed form, N13 (29) and N13 (30).
struct ClosedFormLoop {
    double umin, umax;               // m
    double level;                    // g(0) [N]
    double sigma0;                   // N/m
    double c() const;                // sigma0 (umax - umin)/g(0)
    double a() const;                // 2/(1 + exp(-c))
    double rising(double u) const;   // N13 (29) [N]
    double falling(double u) const;  // N13 (30) [N]
    double area() const;             // J
    double contraction() const;      // exp(-2 c): factor of the distance from the loop per period
};

// The k-th period of phi*, compared with the loop.
struct HysteresisPeriod {
    int k;
    double distance;                   // largest |phi*_k - phi_o| [N]
    std::optional<double> ratio = {};  // to the period before; std::nullopt if the distance is rounding
};

struct Hysteresis {
    std::string kind;                     // of the law
    std::vector<Reversal> reversals;      // of u
    double path_length = 0;               // rho at the end [m]
    std::optional<double> period;         // of u [s]
    std::vector<HysteresisPath> paths;    // phi_gamma, in the order of the given gammas
    std::optional<HysteresisPath> limit;  // phi*
    std::optional<HysteresisPath> loop;   // phi_o, one period, with its area by quadrature
    std::optional<ClosedFormLoop> closed_form;
    std::optional<double> closed_form_error;  // largest distance of the loop from it [N]
    std::vector<HysteresisPeriod> periods;
    std::optional<double> contraction;                 // per period, from the closed form of phi*, if u is periodic
    std::optional<double> rate_theory, rate_z_theory;  // std::nullopt if theory gives none or the distance is 0
    bool cancelled = false;                            // by progress: paths are missing
};

struct HysteresisOptions {
    std::vector<double> gammas = {1, 10, 100};
    std::optional<double> period = {};  // of u [s]; std::nullopt: that of a sine, none for other inputs
    double z0 = 0;                      // deflection at the start [m]; laws with one bristle
    double load = 1;                    // N
    int points = 200;                   // of each stroke; even
    int periods = 6;                    // periods of phi* compared with the loop
    double rtol = 1e-9;                 // of the solver, for laws without N13 (7)
    double max_steps = 2e8;             // of one path by N13 (7), half a minute; more throws
};

// Studies the hysteresis of a law for u from 0 to duration. Throws Error if law, input or options are invalid.
Hysteresis hysteresis_loop(const AnyLaw& law, const Input& u, double duration, const HysteresisOptions& options = {},
                           const std::function<bool(double fraction)>& progress = {});

// Returns phi_gamma alone: by N13 (7), N13 (8) and N13 (9) if the law has them and by_solver is false, else by simulation in time.
HysteresisPath hysteresis_path(const AnyLaw& law, const Variation& variation, double gamma,
                               const HysteresisOptions& options = {}, bool by_solver = false);
// Returns phi* alone, N13 (10); std::nullopt for a law that stores its last velocity (B05).
std::optional<HysteresisPath> hysteresis_limit(const AnyLaw& law, const Variation& variation,
                                               const HysteresisOptions& options = {});
// Returns N13 (29) and N13 (30) between umin and umax; std::nullopt for a law without N13 (7), or if g(0) depends on direction.
std::optional<ClosedFormLoop> closed_form_loop(const AnyLaw& law, double umin, double umax, double load = 1);

}  // namespace bristle::analysis
