// Hysteresis operators: a law as a map from the displacement u(t) to the force, seen against the way travelled.
//
//   rho_u(t) = integral of |u'|      the way travelled: total variation of u on [0, t]                   N13 2.1
//   psi_u(rho_u(t)) = u(t)           u against the way; |psi'| = 1 almost everywhere                     N13 lemma 1
//   u(t/gamma)                       the same way, gamma times as slowly: psi does not change            N13 lemma 2
//   phi_gamma(rho)                   the force against the way, at the time scale gamma
//     dx/drho = -sigma0 x/g(v(rho)/gamma) + psi',  x(0) = x0,  v = u' as a function of the way           N13 (7)-(8)
//     phi     = sigma0 x + (sigma1/gamma) |v| dx/drho + f(v/gamma)                                       N13 (9)
//   phi*(rho)                        limit for gamma -> infinity: what remains when time plays no part   N13 (10)
//     where psi' = s:  sigma0 x = s g(0) + (sigma0 x(start) - s g(0)) exp(-sigma0 (rho - start)/g(0))
//   phi_o(rho)                       limit of phi* on the k-th period: the hysteresis loop               N13 (11)
//   For one rise and one fall a period, with c = sigma0 (umax - umin)/g(0), a = 2/(1 + exp(-c)):
//     rising   F = g(0) ( 1 - a exp(-sigma0 (u - umin)/g(0)))                                            N13 (29)
//     falling  F = g(0) (-1 + a exp(-sigma0 (umax - u)/g(0)))                                            N13 (30)
//     symmetric about ((umin + umax)/2, 0); area (2 g(0)^2/sigma0) (c - 2 tanh(c/2)); the distance of the k-th period
//     from the loop falls by exp(-2 c) a period (ours)
// f(0) = 0 for every law here. N13 (11) as printed starts from phi_o(0)/sigma0; with f(0) != 0 it must start from
// (phi_o(0) - f(0))/sigma0. The proof's (21) needs an upper bound of g where (20) gives a lower one; the lower one is
// what the bound of dy/drho further on needs.
//
// How fast phi_gamma tends to phi*, for a Stribeck curve with Fs != Fc (ours): gamma^-alpha for x, and for F too unless
// sigma1 or sigma2 is there: then gamma^-min(1, alpha).
//
// Sign: F opposes the motion, so that the integral of F du over a loop is what friction takes [J].
// Only LuGre, with fading damping or without, and Dahl have an equation (7). For the other laws phi_gamma is a run of
// the solver in time, phi* a run at a speed next to nothing. Over curves that vanish at v = 0 (smooth, Makkar) it is 0:
// moved slowly enough they do not resist. The law of B05 has no phi* here: its limit depends on the sign of the
// acceleration.
// Limits: at most 4e6/points strokes (20 000). A displacement that jumps has a way (straight across) and a phi*, but no velocity, hence no phi_gamma.
#pragma once
#include <bristle/simulate/input.hpp>
#include <bristle/simulate/law.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace bristle::inline analysis {

// ---- the way travelled ----------------------------------------------------------------------------------------------

// A stretch of time over which u is smooth and rises, or falls.
struct Stroke {
    double t0, t1;      // s; equal where u jumps
    double u0, u1;      // m
    double rho0, rho1;  // way travelled at both ends [m]
    double direction() const { return u1 < u0 ? -1 : 1; }
};

// Where u turns round.
struct Reversal {
    double t, u, rho;  // s, m, m
    bool maximum;
};

struct Variation {
    Input input;                  // u [m]
    double duration = 0;          // s
    std::vector<Stroke> strokes;  // in order; stretches where u rests are left out
    std::vector<Reversal> reversals;

    double total() const { return strokes.empty() ? 0 : strokes.back().rho1; }
    double rho(double t) const;         // the way travelled at t; after a jump, where u jumps
    double psi(double rho) const;       // u where the way is rho
    double slope(double rho) const;     // psi': 1 or -1; at a turn that of the stroke that begins
    double time(double rho) const;      // the first t with that way; exact to about 1e-8 of a stroke's time near a turn
    double velocity(double rho) const;  // u' there [m/s]; infinite inside a jump
    bool jumps() const;
};
// u from 0 to duration. Throws Error where u turns more than a million times.
Variation variation_of(const Input& u, double duration);

// u(t/gamma).
Input stretched(const Input& u, double gamma);

// ---- hysteresis ----------------------------------------------------------------------------------------------------

struct PathPoint {
    double rho, u, F;  // m, m, N
    double z;          // deflection of the bristle [m]; 0 for a law without one
};
// A force against the way. Turns appear twice, as the end of one stroke and the start of the next.
struct Path {
    double gamma;  // infinity: the limit
    std::vector<PathPoint> points;
    std::optional<double> area = {};                       // integral of F du over the last period, by quadrature [J]
    std::optional<double> distance = {}, distance_z = {};  // largest distance from phi* [N], of the deflection [m]
    // -d log distance/d log gamma from the path before; nothing where the distance is only an error of the integration
    std::optional<double> rate = {}, rate_z = {};
};

// N13 (29)-(30).
struct ClosedLoop {
    double umin, umax;               // m
    double level;                    // g(0) [N]
    double sigma0;                   // N/m
    double c() const;                // sigma0 (umax - umin)/g(0)
    double a() const;                // 2/(1 + exp(-c))
    double rising(double u) const;   // N
    double falling(double u) const;  // N
    double area() const;             // J
    double round_factor() const;     // exp(-2 c): the distance from the loop falls by it every period
};

// The k-th period of phi*.
struct Round {
    int k;
    double distance;                   // largest |phi*_k - phi_o| [N]
    std::optional<double> ratio = {};  // to the one before; nothing where rounding is all that is left
};

struct Hysteresis {
    std::string kind;                 // of the law
    std::vector<Reversal> reversals;  // of u
    double way = 0;                   // rho at the end [m]
    std::optional<double> period;     // of u [s]
    std::vector<Path> paths;          // phi_gamma, in the order of gamma as asked
    std::optional<Path> limit;        // phi*
    std::optional<Path> loop;         // phi_o, one period, with its area by quadrature
    std::optional<ClosedLoop> closed;
    std::optional<double> closed_error;  // largest distance of the loop from it [N]
    std::vector<Round> rounds;
    std::optional<double> round_factor;                // per period, from the closed form, where u is periodic
    std::optional<double> rate_theory, rate_z_theory;  // nothing where theory is silent or there is no error to fall
    bool cancelled = false;                            // by progress: tables are short
};

struct HysteresisOptions {
    std::vector<double> gammas = {1, 10, 100};
    std::optional<double> period = {};  // of u [s]; nothing: that of a sine, none for other inputs
    double z0 = 0;                      // deflection at the start [m]; laws with one bristle
    double load = 1;                    // N
    int points = 200;                   // of each stroke; even
    int rounds = 6;                     // periods of phi* that are compared with the loop
    double rtol = 1e-9;                 // of the solver, for laws without (7)
    double max_steps = 2e8;             // of one path by (7), half a minute; more throws
};

// One force-displacement study: u from 0 to duration. Throws Error for a law, input or option that cannot be used.
Hysteresis hysteresis_loop(const AnyLaw& law, const Input& u, double duration, const HysteresisOptions& options = {},
                           const std::function<bool(double share)>& progress = {});

// phi_gamma alone. By (7)-(9) for LuGre and its relatives, otherwise (or if by_solver) by a run of the solver in time.
Path path_at(const AnyLaw& law, const Variation& variation, double gamma, const HysteresisOptions& options = {},
             bool by_solver = false);
// phi* alone; nothing for the law of B05.
std::optional<Path> path_in_the_limit(const AnyLaw& law, const Variation& variation,
                                      const HysteresisOptions& options = {});
// (29)-(30) between umin and umax; nothing for a law without (7), or whose level at rest differs by direction.
std::optional<ClosedLoop> closed_loop(const AnyLaw& law, double umin, double umax, double load = 1);

}  // namespace bristle::inline analysis
