// One step of a planar arm with friction in two joints, with an energy balance exact to rounding.
//
//   M(q) q'' + Vm(q, q') q' + G(q) + f = tau                                                     M05 (1)
// Point mass at the end of each link, gravity; q1 from hanging straight down, q2 from the line of the first link.
// With p = M q', A = M^-1 and H = p'A p/2 + V the same arm is  q' = dH/dp,  p' = tau - f - dH/dq. The step:
//   q+ = q + dt w,   w = (A + A+)/2 (p + p+)/2
//   p+ = p + dt (tau - F(w) - grad V - (p'A'p + p+'A'p+)/4 e2),   A' = (A+ - A)/(q2+ - q2)
// grad V and A' are divided differences, so V+ - V = grad V . (q+ - q) holds, and therefore
//   H+ - H + change of the bristles' energy + heat = dt w . tau       to rounding, for every dt.
// F(w) is the mean friction over the step. The two unknowns w are found by Newton; the Jacobian is that of the equation
// by dual numbers, plus F and dF/dw from Contact::respond.
// Second order. No drift in stick. If dt does not resolve the stick oscillation, the velocity alternates in sign and decays.
#pragma once
#include <bristle/bristle.hpp>
#include <array>

namespace two_link {

using Pair = std::array<double, 2>;
using bristle::abs;
using bristle::Dual;
using bristle::sin;

template <class S>
struct Symmetric {
    S a, b, c;  // [[a, b], [b, c]]
    S form(const S& x, const S& y) const { return a * x * x + (b + b) * x * y + c * y * y; }
};

// cos x and sin(x)/x for double and dual numbers.
template <class S>
S cosine(const S& x) {
    return sin(x + 1.57079632679489661923);
}
template <class S>
S sinc(const S& x) {
    const S q = x * x;
    return abs(x) < S(1e-2) ? S(1.) - q * (S(1. / 6) - q * (S(1. / 120) - q * (1. / 5040))) : sin(x) / x;
}
// (cos(b) - cos(a))/(b - a)
template <class S>
S cosine_slope(double a, const S& b) {
    return -sin(0.5 * (a + b)) * sinc(0.5 * (b - a));
}

struct Arm {
    double m1 = 2, m2 = 1;      // masses [kg]
    double l1 = 0.4, l2 = 0.3;  // lengths [m]
    double gravity = 9.81;      // [m/s^2]

    // M = [[alpha + 2 beta cos q2, delta + beta cos q2], [the same, delta]]  [kg m^2]
    double alpha() const { return (m1 + m2) * l1 * l1 + delta(); }
    double beta() const { return m2 * l1 * l2; }
    double delta() const { return m2 * l2 * l2; }
    template <class S>
    S determinant(const S& cos2) const {
        return alpha() * delta() - delta() * delta() - beta() * beta() * cos2 * cos2;
    }
    // A det M
    template <class S>
    Symmetric<S> adjugate(const S& cos2) const {
        return {S(delta()), -delta() - beta() * cos2, alpha() + 2 * beta() * cos2};
    }
    // V = -first cos q1 - second cos(q1 + q2)
    double first() const { return (m1 + m2) * gravity * l1; }
    double second() const { return m2 * gravity * l2; }
    double potential(const Pair& q) const { return -first() * std::cos(q[0]) - second() * std::cos(q[0] + q[1]); }
    double kinetic(const Pair& q, const Pair& p) const {
        const double cos2 = std::cos(q[1]);
        return 0.5 * adjugate(cos2).form(p[0], p[1]) / determinant(cos2);
    }
    Pair momentum(const Pair& q, const Pair& velocity) const {
        const double off = delta() + beta() * std::cos(q[1]);
        return {(alpha() + 2 * beta() * std::cos(q[1])) * velocity[0] + off * velocity[1],
                off * velocity[0] + delta() * velocity[1]};
    }
    Pair velocity(const Pair& q, const Pair& p) const {
        const double cos2 = std::cos(q[1]), det = determinant(cos2);
        const auto A = adjugate(cos2);
        return {(A.a * p[0] + A.b * p[1]) / det, (A.b * p[0] + A.c * p[1]) / det};
    }
};

struct Motion {
    Pair q{};  // angles [rad]
    Pair p{};  // momenta [N m s]
};

// Result of a step.
struct Moved {
    Pair w{};         // mean velocities [rad/s]
    Pair friction{};  // mean torques [N m]
    double work = 0;  // done by the motors [J]
    double heat = 0;  // dissipated in the joints [J]
    int trials = 0;   // evaluations of the equation; Newton steps + 1
    bool found = false;
};

// Returns two half steps combined.
inline Moved joined(const Moved& a, const Moved& b, int trials_before) {
    return {.w = {(a.w[0] + b.w[0]) / 2, (a.w[1] + b.w[1]) / 2},
            .friction = {(a.friction[0] + b.friction[0]) / 2, (a.friction[1] + b.friction[1]) / 2},
            .work = a.work + b.work,
            .heat = a.heat + b.heat,
            .trials = trials_before + a.trials + b.trials,
            .found = b.found};
}

// The equation at a trial velocity. next is p+ by the momentum balance; residual is the difference of p+ by the mean
// velocity from it; relative is the largest |residual| relative to the terms of the equation.
template <class S>
struct Trial {
    std::array<S, 2> residual, next;
    Pair friction;
    double relative;
};

template <class Joint>
Trial<Dual<double, 2>> attempt(const Arm& arm, const Motion& from, const std::array<Joint, 2>& joints, const Pair& tau,
                               double dt, const Pair& w) {
    using D = Dual<double, 2>;
    const D w1 = D::variable(w[0], 0), w2 = D::variable(w[1], 1), angle = from.q[0] + dt * w1;
    const D bend = from.q[1] + dt * w2;
    const double cos2 = std::cos(from.q[1]), det = arm.determinant(cos2), beta = arm.beta();
    const D cos2_next = cosine(bend), det_next = arm.determinant(cos2_next);
    const auto N = arm.adjugate(cos2);
    const auto N_next = arm.adjugate(cos2_next);

    // the mean of A, and p+ from w = mean A (p + p+)/2
    const Symmetric<D> A{0.5 * (N.a / det + N_next.a / det_next), 0.5 * (N.b / det + N_next.b / det_next),
                         0.5 * (N.c / det + N_next.c / det_next)};
    const D scale = 2. / (A.a * A.c - A.b * A.b);
    const D p1 = scale * (A.c * w1 - A.b * w2) - from.p[0], p2 = scale * (A.a * w2 - A.b * w1) - from.p[1];

    // A' by the product rule of divided differences: no difference of two nearly equal numbers
    const D cos_slope = cosine_slope(from.q[1], bend), inverse = 0.5 * (1. / det + 1. / det_next);
    const D bulge = beta * beta * (cos2 + cos2_next) / (det * det_next);
    const Symmetric<D> slope{cos_slope * (0.5 * (N.a + N_next.a) * bulge),
                             cos_slope * (0.5 * (N.b + N_next.b) * bulge - beta * inverse),
                             cos_slope * (0.5 * (N.c + N_next.c) * bulge + 2 * beta * inverse)};
    const D swing = 0.25 * (slope.form(D(from.p[0]), D(from.p[1])) + slope.form(p1, p2));

    // gravity by its discrete gradient
    const D lower = -arm.second() * cosine_slope(from.q[0] + from.q[1], D(angle + bend));
    const D upper = lower - arm.first() * cosine_slope(from.q[0], angle);

    // friction: value + slope dw
    const auto r1 = joints[0].respond(w[0], dt), r2 = joints[1].respond(w[1], dt);
    const D F1 = D::chain(r1.force, r1.slope, w1), F2 = D::chain(r2.force, r2.slope, w2);

    Trial<D> t;
    t.next = {from.p[0] + dt * (tau[0] - F1 - upper), from.p[1] + dt * (tau[1] - F2 - lower - swing)};
    t.residual = {p1 - t.next[0], p2 - t.next[1]};
    t.friction = {r1.force, r2.force};
    const double size = std::abs(p1.v) + std::abs(p2.v) + std::abs(from.p[0]) + std::abs(from.p[1]) +
                        dt * (std::abs(tau[0]) + std::abs(tau[1]) + std::abs(F1.v) + std::abs(F2.v) +
                              std::abs(upper.v) + std::abs(lower.v) + std::abs(swing.v));
    t.relative = size > 0 ? std::fmax(std::abs(t.residual[0].v), std::abs(t.residual[1].v)) / size : 0;
    return t;
}

inline constexpr int max_trials = 30, max_halvings = 10;

// Advances the arm and its joints by dt [s] with the motor torques tau [N m] held. A Joint offers respond(w, dt) and
// step(w, dt) as bristle::Contact does. If Newton does not converge, the step is divided into two halves. found is false
// if the halves do not converge either; then the arm and the joints keep their state.
template <class Joint>
Moved step(const Arm& arm, Motion& motion, std::array<Joint, 2>& joints, const Pair& tau, double dt,
           int halvings = max_halvings) {
    Moved m;
    m.w = arm.velocity(motion.q, motion.p);
    auto now = attempt(arm, motion, joints, tau, dt, m.w);
    m.trials = 1;
    double fraction = 1;
    while (now.relative > 1e-15 && m.trials < max_trials) {
        const auto& [a, b] = now.residual;
        const double det = a.d[0] * b.d[1] - a.d[1] * b.d[0];
        const Pair better{m.w[0] - fraction * (a.v * b.d[1] - b.v * a.d[1]) / det,
                          m.w[1] - fraction * (b.v * a.d[0] - a.v * b.d[0]) / det};
        const auto next = attempt(arm, motion, joints, tau, dt, better);
        ++m.trials;
        if (next.relative < now.relative) {
            m.w = better;
            now = next;
            fraction = 1;
        } else if (now.relative < 1e-13) {
            break;  // the residual is rounding
        } else {
            fraction *= 0.5;  // a Newton step across the kink of friction at w = 0 may be too long
        }
    }
    m.found = now.relative < 1e-13;
    if (!m.found) {
        if (halvings == 0) return m;
        const Motion before = motion;
        const auto joints_before = joints;
        const Moved one = step(arm, motion, joints, tau, dt / 2, halvings - 1);
        const Moved two = one.found ? step(arm, motion, joints, tau, dt / 2, halvings - 1) : one;
        if (!two.found) {
            motion = before;
            joints = joints_before;
        }
        return joined(one, two, m.trials);
    }

    motion.q = {motion.q[0] + dt * m.w[0], motion.q[1] + dt * m.w[1]};
    motion.p = {now.next[0].v, now.next[1].v};
    m.friction = now.friction;
    for (std::size_t i = 0; i < 2; ++i) {
        m.work += dt * m.w[i] * tau[i];
        m.heat += joints[i].step(m.w[i], dt).dissipation;
    }
    return m;
}

}  // namespace two_link
