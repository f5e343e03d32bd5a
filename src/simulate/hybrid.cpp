// The closed form of the hybrid stick/slip model: slip by A08 (S6), A08 (S7) as a damped oscillation, stick by A08 (S5).
#include <bristle/simulate/hybrid.hpp>

#include <bristle/base/error.hpp>
#include <bristle/relaxation.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace bristle::inline simulation {

namespace {

using Mode = HybridPhase::Mode;
constexpr double never = std::numeric_limits<double>::infinity();

double side_of(Mode mode) { return mode == Mode::slip_negative ? -1 : 1; }

// Slip as w'' + 2 a w' + omega^2 w = 0 in w = v - vp. All numbers are computed without cancellation.
struct Oscillator {
    double omega2, omega;  // k/m and its root
    double a;              // sigma2/(2 m)
    bool oscillates;       // a < omega
    double split;          // sqrt|omega^2 - a^2|: the frequency, or half the difference of the two decay rates
    double slow, fast;     // decay rates; both a if it oscillates

    explicit Oscillator(const HybridPhase& p)
        : omega2(p.stiffness / p.mass),
          omega(std::sqrt(omega2)),
          a(0.5 * p.sigma2 / p.mass),
          oscillates(a < omega),
          split(std::sqrt(std::abs(omega - a) * (omega + a))),
          slow(oscillates ? a : omega2 / (a + split)),
          fast(oscillates ? a : a + split) {}

    // Returns the first time > 0 at which split cot(split t) falls to excess, if it oscillates; otherwise at which
    // split coth(split t) falls to excess + split; infinity if there is none.
    double first_time(double excess) const {
        if (oscillates) return std::atan2(split, excess) / split;
        if (!(excess > 0)) return never;
        return split > 0 ? std::log1p(2 * split / excess) / (2 * split) : 1 / excess;
    }
};

// Response of the oscillator to a unit impulse, as functions of tau = omega t, with S(0) = 0, S'(0) = 1:
struct Response {
    double S;
    double G, left;  // integral of S, and 1 - G
    double H, rest;  // integral of G, and tau - H
    double P;        // integral of S^2
};

// Taylor series for small tau, for which the closed forms cancel.
Response early_response(double zeta, double tau) {
    constexpr int terms = 30;  // S^2 decays with up to 4 zeta tau <= 2: 2^30/30! < 1e-23
    const double p = 2 * zeta * tau, q = tau * tau;
    Response r{};
    // s and w: terms of S and of S^2, for which y''' + 6 zeta y'' + (4 + 8 zeta^2) y' + 8 zeta y = 0
    double s_before = 0, s = tau, w_first = 0, w_before = 0, w = 0;
    for (int i = 1; i <= terms; ++i) {
        const double n = i;
        r.S += s;
        r.G += s * tau / (n + 1);
        r.H += s * q / ((n + 1) * (n + 2));
        r.P += w * tau / (n + 1);
        const double s_next = -(p * s + q * s_before / n) / (n + 1);
        double w_next = q;
        if (i > 1)
            w_next = -(3 * p * w + ((4 * q + 2 * p * p) * w_before + 4 * p * q * w_first / (n - 1)) / n) / (n + 1);
        s_before = s;
        s = s_next;
        w_first = w_before;
        w_before = w;
        w = w_next;
    }
    r.left = 1 - r.G;
    r.rest = tau - r.H;
    return r;
}

bool is_early(const Oscillator& o, double time) { return std::max(o.omega, 2 * o.a) * time <= 1; }

// Returns the response for circles, spirals and the neighbourhood of critical damping.
Response response(const Oscillator& o, double time) {
    const double tau = o.omega * time, zeta = o.a / o.omega;
    if (is_early(o, time)) return early_response(zeta, tau);
    const double slow = o.slow / o.omega, fast = o.fast / o.omega, split = o.split / o.omega, gap = 2 * split;
    Response r{};
    double slope;  // S'
    if (o.oscillates) {
        const double e = std::exp(-zeta * tau), c = std::cos(split * tau), half = std::sin(split * tau / 2);
        r.S = e * std::sin(split * tau) / split;
        r.left = e * c + zeta * r.S;
        slope = e * c - zeta * r.S;
        r.G = 2 * e * half * half - std::expm1(-zeta * tau) - zeta * r.S;  // without cancellation after whole periods
    } else {
        const double e = std::exp(-fast * tau);
        r.S = tau * std::exp(-slow * tau) * relax(gap * tau).phi;
        r.left = e + fast * r.S;
        slope = e - slow * r.S;
        r.G = 1 - r.left;
    }
    r.H = tau - r.S - 2 * zeta * r.G;
    if (zeta < 0.5) {
        const double e = std::exp(-2 * zeta * tau), c = std::cos(gap * tau), s = std::sin(gap * tau);
        r.P = (tau * relax(2 * zeta * tau).phi - (zeta * (1 - e * c) + split * e * s) / 2) / (gap * split);
    } else {
        // energy balance of the oscillator, which loses 2 zeta S'^2
        r.P = (1 - slope * slope - r.S * r.S) / (4 * zeta) - r.S * slope - zeta * r.S * r.S;
    }
    r.rest = r.S + 2 * zeta * r.G;
    return r;
}

// One number in two forms, start - amplitude done = end + amplitude left. The form with the smaller terms has the smaller
// rounding error; that from the start is preferred because the start is exact.
struct Between {
    double start, end, amplitude, done, left;
    bool from_start() const {
        return std::abs(start) + std::abs(amplitude * done) <= 2 * (std::abs(end) + std::abs(amplitude * left));
    }
    double value() const { return from_start() ? start - amplitude * done : end + amplitude * left; }
};

// State of a slip after some time, and the integrals for the ledger.
struct Slid {
    double l, v;
    double travel;   // integral of v      [m]
    double viscous;  // sigma2 times that of v^2  [J]
    double impulse;  // k times that of l  [N s]
};

// Returns the elongation in steady sliding [m].
double centre_of(const HybridPhase& p) { return (side_of(p.mode) * p.Fc + p.sigma2 * p.velocity) / p.stiffness; }

// Slip with two well separated decay rates: v tends fast to a base, then slowly to vp,
//   v = base + gain (1 - e^{-slow t}) + jump e^{-fast t}.
Slid slide_overdamped(const HybridPhase& p, const Oscillator& o, double time) {
    const double vp = p.velocity, base = (p.drive - o.slow * (p.v0 + vp)) / (2 * o.split);
    const double gain = vp - base, jump = p.v0 - base, centre = centre_of(p);
    const auto slow = relax(o.slow * time);
    const double done = -std::expm1(-o.fast * time), left = std::exp(-o.fast * time), brief = done / o.fast;
    const double first = time * slow.one_minus_phi,
                 lasting = time * slow.phi;  // integrals of 1 - e^{-slow t} and of e^{-slow t}

    const double v = Between{base, vp, -gain, slow.gain, slow.decay}.value() + jump * left;
    const Between path{base * time, vp * time, -gain, first, lasting};
    const Between pull{p.l0, centre, -gain / o.slow, slow.gain, slow.decay};
    const Between sum{p.l0 * time, centre * time, -gain / o.slow, first, lasting};
    const double l = pull.value() + jump / o.fast * (pull.from_start() ? -done : left);
    const double l_sum = sum.value() + jump / o.fast * (sum.from_start() ? brief - time : brief);

    // square of the slow part, twice its product with the fast part, square of the fast part
    const double mixed = (o.slow * done - o.fast * left * slow.gain) / (o.fast * (o.slow + o.fast));
    const double slowly = path.from_start()
                              ? base * (base * time + 2 * gain * first) + gain * gain * time * loss(slow)
                              : vp * (vp * time - 2 * gain * lasting) + gain * gain * lasting * (1 + slow.decay) / 2;
    const double squares = slowly + jump * (2 * (base * brief + gain * mixed) + jump * brief * (1 + left) / 2);
    return {.l = l,
            .v = v,
            .travel = path.value() + jump * brief,
            .viscous = p.sigma2 * squares,
            .impulse = p.stiffness * l_sum};
}

// Returns the slip of A08 (S6), A08 (S7) after a time [s]; for sigma2 = 0 it is the circle A08 (S8).
// With u0 = v0 - vp, a0 = v0'/omega, y0 = (a0 + 2 zeta u0)/omega:
//   v = v0 - u0 G + a0 S,   l = l0 - y0 G - u0 S/omega
Slid slide(const HybridPhase& p, const Oscillator& o, double time) {
    if (o.a >= 1.5 * o.omega && !is_early(o, time)) return slide_overdamped(p, o, time);
    const double tau = o.omega * time, zeta = o.a / o.omega;
    const double vp = p.velocity, v0 = p.v0, u0 = v0 - vp, a0 = (p.drive - 2 * o.a * v0) / o.omega;
    const double le = centre_of(p), y0 = (a0 + 2 * zeta * u0) / o.omega;  // y0: l - le at the start
    const Response r = response(o, time);

    const double l = Between{p.l0, le, y0, r.G, r.left}.value() - u0 * r.S / o.omega;
    const double v = Between{v0, vp, u0, r.G, r.left}.value() + a0 * r.S;
    const Between path{v0 * tau, vp * tau, u0, r.H, r.rest};
    const double l_sum = Between{p.l0 * tau, le * tau, y0, r.H, r.rest}.value() - u0 * r.G / o.omega;

    // the integrals of G S, G^2 and (1 - G)^2 are G^2/2, H + common and rest + common
    double squares = 0;
    if (p.sigma2 > 0) {
        const double GG = r.G * r.G, common = r.P - r.G * r.S - zeta * GG;
        if (path.from_start())
            squares = v0 * (v0 * tau + 2 * (a0 * r.G - u0 * r.H)) + u0 * (u0 * (r.H + common) - a0 * GG);
        else
            squares = vp * (vp * tau + 2 * (a0 * r.G + u0 * r.rest)) +
                      u0 * (u0 * (r.rest + common) + a0 * r.G * (1 + r.left));
        squares += a0 * a0 * r.P;
    }
    return {.l = l,
            .v = v,
            .travel = (path.value() + a0 * r.G) / o.omega,
            .viscous = p.sigma2 * squares / o.omega,
            .impulse = p.stiffness * l_sum / o.omega};
}

// Returns the time until v = 0 [s]; infinity if there is no such time, or if it is known to exceed longest.
// Computed on the positive side: a slip to the negative side is its mirror image.
double slip_time(const HybridPhase& p, const Oscillator& o, double longest) {
    const double s = side_of(p.mode), v0 = std::abs(p.v0), vp = s * p.velocity, drive = s * p.drive;
    const double start = drive - 2 * o.a * v0;  // v' at the start

    if (std::isnan(start + vp)) return never;

    // vp = 0: v is a sine or two exponentials, with roots in closed form
    if (vp == 0) return o.first_time(o.slow - drive / v0);

    // v is monotone between its extrema, and no later minimum is lower than the first
    const bool rising = start > 0 || (start == 0 && vp > v0);
    const double extremum = o.first_time(start == 0 ? -never : o.slow - (vp - v0) * o.omega2 / start);
    const auto v_at = [&](double time) { return s * slide(p, o, time).v; };
    double low = 0, high = extremum;  // v > 0 at low, <= 0 at high
    if (rising) {
        low = extremum;
        high = o.oscillates ? extremum + std::numbers::pi / o.split : never;
    }
    if (high < never) {
        if (v_at(high) > 0) return never;
    } else {  // falls towards vp
        if (vp > 0) return never;
        double stride = 1 / std::max(o.omega, 2 * o.a);
        for (high = low + stride; v_at(high) > 0; high = low + stride) {
            if (high > longest) return never;
            low = high;
            stride *= 2;
        }
    }

    // Newton in the bracket; every third step bisects it, so that a zero that v only touches is found too
    double time = rising ? 0.5 * (low + high) : low;
    for (int i = 1; i < 300; ++i) {
        const Slid now = slide(p, o, time);
        const double v = s * now.v, slope = s * (p.stiffness * now.l - p.sigma2 * now.v) / p.mass - p.Fc / p.mass;
        (v > 0 ? low : high) = time;
        double next = time - v / slope;
        if (std::abs(next - time) <= std::numeric_limits<double>::epsilon() * time) return next;
        if (!(next > low && next < high) || i % 3 == 0) next = low + 0.5 * (high - low);
        if (!(next > low && next < high)) break;  // no number between low and high
        time = next;
    }
    return high;
}

// Returns the largest spring force that the contact holds at rest, towards this side [N].
double hold_of(const Hybrid::Side& side) { return std::max(side.Fs, side.Fc); }

}  // namespace

bool has_closed_form(const Rig& rig) { return std::holds_alternative<PulledSpring>(rig); }
bool has_closed_form(const AnyLaw& law) { return std::holds_alternative<AnyCoulomb>(law); }
bool has_closed_form(const Input& load) { return load.is_constant(); }

Hybrid hybrid_of(const Setup& setup) {
    if (!has_closed_form(setup.rig) || !has_closed_form(setup.law) || !has_closed_form(setup.load))
        throw Error(
            "the method hybrid is a closed form: it needs the rig pulled_spring, the law coulomb and a constant load");
    const auto& rig = std::get<PulledSpring>(setup.rig);
    const auto& law = std::get<AnyCoulomb>(setup.law);
    const auto& curve = law.curve;
    const Level& negative = curve.directional ? curve.negative : curve.positive;
    const double load = setup.load.piece(0).value(0.0);
    const auto n = loads(law, load);
    const auto side = [&](const Level& level, double sigma2) {
        const double scale = n.on_force * n.on_curve;
        return Hybrid::Side{scale * level.Fc, scale * level.Fs, n.on_force * sigma2};
    };
    return {rig.mass, rig.stiffness, rig.velocity, side(curve.positive, law.sigma2),
            side(negative, law.sigma2_negative)};
}

HybridPhase::State HybridPhase::at(double t) const {
    const bool end = t >= t1;
    const double time = end ? length : std::clamp(t - t0, 0.0, length), s = side_of(mode);
    if (mode == Mode::stick) {  // A08 (S5)
        const double now = end ? l1 : l0 + velocity * time;
        return {now, 0, stiffness * now, 0, stiffness * velocity * time * (l0 + 0.5 * velocity * time)};
    }
    const Slid now = slide(*this, Oscillator(*this), time);
    const double v = end ? v1 : s * std::max(s * now.v, 0.0);  // rounding at a stop must not change the sign of v
    return {end ? l1 : now.l, v, s * Fc + sigma2 * v, s * Fc * now.travel + now.viscous, velocity * now.impulse};
}

std::vector<HybridPhase> hybrid_motion(const Hybrid& rig, double l0, double v0, double duration, long max_phases) {
    const double up = hold_of(rig.positive), down = -hold_of(rig.negative), vp = rig.velocity;
    std::vector<HybridPhase> phases;
    // The spring force is stored beside l: at the end of stick it equals the hold bit by bit, so that Fs = Fc starts with
    // v' = 0. lost is the rounding error of t (compensated sum), so that it does not grow with the number of phases.
    double t = 0, lost = 0, l = l0, v = v0, spring = rig.stiffness * l0;
    for (long i = 0; i < max_phases; ++i) {
        Mode mode = Mode::stick;
        if (!(v <= 0) || (v == 0 && (spring > up || (spring == up && vp > 0))))
            mode = Mode::slip_positive;
        else if (v < 0 || (v == 0 && (spring < down || (spring == down && vp < 0))))
            mode = Mode::slip_negative;

        const double left = duration - t - lost;
        HybridPhase phase{mode, t, duration, left, l, v, 0, 0, 0, rig.mass, rig.stiffness, vp, 0, 0};
        double length = never;
        if (mode != Mode::stick) {
            const Hybrid::Side& side = mode == Mode::slip_positive ? rig.positive : rig.negative;
            phase.Fc = side.Fc;
            phase.sigma2 = side.sigma2;
            phase.drive = (spring - side_of(mode) * side.Fc) / rig.mass;
            length = slip_time(phase, Oscillator(phase), left);
        } else if (vp != 0) {
            length = ((vp > 0 ? up : down) - spring) / (rig.stiffness * vp);
        }
        const double add = length + lost, next = t + add;
        const bool last = !(next < duration);
        if (!last) {
            phase.t1 = next;
            phase.length = length;
        }
        if (mode != Mode::stick) {
            const Slid end = slide(phase, Oscillator(phase), phase.length);
            phase.l1 = l = end.l;
            phase.v1 = last ? side_of(mode) * std::max(side_of(mode) * end.v, 0.0) : 0;
            spring = rig.stiffness * l;
        } else if (!last) {
            spring = vp > 0 ? up : down;
            phase.l1 = l = spring / rig.stiffness;
        } else {
            phase.l1 = l + vp * phase.length;
        }
        if (last || phase.t1 > t) phases.push_back(phase);  // phases shorter than rounding of t are dropped
        if (last) break;
        v = 0;
        lost = add - (next - t);
        t = next;
    }
    return phases;
}

std::optional<HybridCycle> hybrid_cycle(const Hybrid& rig) {
    const bool forward = rig.velocity > 0;
    const Hybrid::Side &side = forward ? rig.positive : rig.negative, &other = forward ? rig.negative : rig.positive;
    const double s = forward ? 1 : -1, vp = s * rig.velocity, k = rig.stiffness, m = rig.mass;
    const double Fc = side.Fc, Fs = hold_of(side);
    if (!(vp > 0) || side.sigma2 != 0 || 2 * Fc - Fs < -hold_of(other)) return std::nullopt;

    const double stick = 2 * (Fs - Fc) / (k * vp);
    const double slip = std::sqrt(m / k) * (std::numbers::pi + 2 * std::atan2(vp * std::sqrt(k * m), Fs - Fc));
    const double period = stick + slip;
    return HybridCycle{.stick = stick,
                       .slip = slip,
                       .period = period,
                       .l_begin = s * (2 * Fc - Fs) / k,
                       .l_end = s * Fs / k,
                       .v_peak = s * (vp + std::hypot(vp, (Fs - Fc) / std::sqrt(k * m))),
                       .energy = Fc * vp * period};
}

}  // namespace bristle::simulation
