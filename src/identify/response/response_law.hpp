// The response of one law. The build makes .cpp files with a few rows of the catalogue each, their numbers as the
// arguments of BRISTLE_RESPONSE.
#pragma once
#include "identify/response/axis_motion_law.hpp"
#include "identify/response/dual_law.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace bristle::inline identification {

template <std::size_t Row>
void respond(const AnyLaw& law, const PassColumns& columns, double gap, const ContactMotion& motion,
             const PassRows& rows);
template <std::size_t Row>
void respond_wide(const AnyLaw& law, const PassColumns& columns, double gap, const ContactMotion& motion,
                  const PassRows& rows);

namespace response_detail {

// Motion of the contact behind a gap.
template <class D>
class Gap {
  public:
    Gap(double width, int column) : half_(0.5 * width), open_(width > 0 || column >= 0) {
        if (column >= 0) half_.d[column] = 0.5;
    }
    void start(double x) { contact_ = D(x); }
    // Returns the displacement [m] of the contact when the motion goes from `before` to x [m].
    D to(double x, double before) {
        if (!open_) return D(x - before);
        if (side_ == 0) side_ = D(x) - half_ > contact_ ? 1 : D(x) + half_ < contact_ ? -1 : 0;
        if (side_ == 0) return D(0.0);
        const D next = side_ > 0 ? D(x) - half_ : D(x) + half_;
        const D step = next - contact_;
        contact_ = next;
        return step;
    }
    // The part of that displacement [m] that is left if the elastic force changed from `old` to `now` through 0: the contact is
    // left behind there. std::nullopt if it still carries the motion.
    std::optional<D> released(const D& step, const D& old, const D& now) {
        if (!open_ || side_ == 0 || now.v * side_ >= 0) return std::nullopt;
        const D part = old.v * side_ > 0 ? D(step * (old / (old - now))) : D(0.0);
        contact_ = contact_ - step + part;
        side_ = 0;
        return part;
    }
    bool carries() const { return !open_ || side_ != 0; }

  private:
    D half_, contact_{};
    int side_ = 0;  // of the gap that is closed; 0: open
    bool open_;
};

// The motion from the sample before to sample i: a cubic with the positions and velocities of both. It is cut into parts, more where the
// velocity changes much: the law is advanced with one mean velocity in each. by_branch: also where dv/dt changes its sign. At least `least` parts, a power of 2.
class SampleMotion {
  public:
    static constexpr int max_parts = 16;
    SampleMotion(const ContactMotion& motion, std::size_t i, int least, bool by_branch)
        : x0_(motion.x[i - 1]), x1_(motion.x[i]), v0_(motion.v[i - 1]), v1_(motion.v[i]), dt_(motion.dt[i]) {
        const double change = std::abs(v1_ - v0_), size = std::max(std::abs(v0_), std::abs(v1_));
        parts_ = std::max(least, change <= 0.05 * size ? 1 : change <= 0.2 * size ? 2 : 4);
        for (int part = 0; part <= parts_; ++part) u_[part] = double(part) / parts_;
        if (!by_branch) return;
        const double mean = (x1_ - x0_) / dt_, a0 = 3 * mean - 2 * v0_ - v1_, a1 = v0_ + 2 * v1_ - 3 * mean;
        if (a0 * a1 >= 0) return;
        const double turn = a0 / (a0 - a1);
        const auto end = std::upper_bound(u_, u_ + parts_ + 1, turn);
        if (turn - end[-1] < 1e-9 || (end <= u_ + parts_ && *end - turn < 1e-9)) return;  // a part needs a length
        std::copy_backward(end, u_ + parts_ + 1, u_ + parts_ + 2);
        *end = turn;
        ++parts_;
    }
    int parts() const { return parts_; }
    // Load in the middle of a part [N], linear between the samples.
    double load(const ContactMotion& motion, std::size_t i, int part) const {
        return std::lerp(motion.load[i - 1], motion.load[i], 0.5 * (u_[part] + u_[part + 1]));
    }
    // Length of a part [s]; position [m] and velocity [m/s] at its start.
    double h(int part) const { return (u_[part + 1] - u_[part]) * dt_; }
    double x(int part) const {
        if (part == 0) return x0_;
        if (part == parts_) return x1_;
        const double u = u_[part], way = x1_ - x0_;
        return x0_ + u * (dt_ * v0_ + u * (3 * way - dt_ * (2 * v0_ + v1_) + u * (dt_ * (v0_ + v1_) - 2 * way)));
    }
    double v(int part) const {
        const double u = u_[part], mean = (x1_ - x0_) / dt_;
        return v0_ + u * (6 * mean - 4 * v0_ - 2 * v1_ + u * 3 * (v0_ + v1_ - 2 * mean));
    }

  private:
    double x0_, x1_, v0_, v1_, dt_;
    int parts_;
    double u_[max_parts + 2];  // from 0 to 1
};

// Parts of a sample that a law needs whose step is not exact: the elasto-plastic law between elastic and sliding, where the step is of
// second order in the displacement relative to the sliding deflection.
template <class Law, class D = typename Law::scalar>
int transition_parts(const Law& law, const typename Law::State& state, const ContactMotion& motion, std::size_t i,
                     const D& load) {
    if constexpr (requires { law.kappa; }) {
        const double way = motion.x[i] - motion.x[i - 1], direction = way < 0 ? -1 : 1;
        const double sliding = level(law.curve, D(way / motion.dt[i])).v * loads(law, load).on_curve.v / law.sigma0.v;
        const double from = direction * state.z.v / sliding, by = std::abs(way) / sliding;
        if (from > 0.999 || from + by < law.kappa.v) return 1;
        int parts = 1;
        while (parts < SampleMotion::max_parts && by > 0.06 * parts) parts *= 2;
        return parts;
    } else
        return 1;
}

// Elastic force of the contact, up to a factor > 0.
template <class D, class State>
D elastic(const State& state) {
    if constexpr (requires { state.z; })
        return state.z;
    else {
        D sum(0.0);
        for (const D& F : state.F) sum = sum + F;
        return sum;
    }
}

template <class Law, class D = typename Law::scalar>
void set_start(const Law& law, typename Law::State& state, double force, const D& load) {
    if constexpr (!StaticLaw<Law>) {
        const auto n = loads(law, load);
        const double max_force = (n.on_curve * curve_under(law, load).peak()).v;
        const D held(std::clamp(n.on_force.v > 0 ? force / n.on_force.v : 0.0, -max_force, max_force));
        if constexpr (requires { state.z; })
            state.z = held / law.sigma0;
        else
            for (int i = 0; i < law.count(); ++i) state.F[i] = held * law.nu[i];
    }
}

// Advances the state by dt [s] at a velocity: finish(hold(...)) without its forces and energies, which take a third of the time of a pass.
template <class Law, class D = typename Law::scalar>
void advance_state(const Law& law, typename Law::State& state, const D& v, double dt, const D& load) {
    if constexpr (BristleLaw<Law>) {
        const auto flow = law_under(law, load).flow(state, v, loads(law, load).on_curve, D(dt));
        state.z = relaxed(relax(D(flow.h * dt)), state.z, flow.target);
        if constexpr (RemembersVelocity<Law>) state.v = v;
    } else
        finish(law, state, hold(law, state, v, D(dt), load), D(dt));
}

// The force [N] at a sample. rise: change of the velocity there, for laws with a branch for rising and one for falling speed.
// velocity_error: of smooth static laws [m/s].
template <class Law, class D = typename Law::scalar>
D force_at(const Law& law, const typename Law::State& state, const D& v, double rise, const D& load,
           double velocity_error) {
    if constexpr (StaticLaw<Law>) {
        if (SticksExactly<Law> && v.v == 0) return D(0.0);
        const D F = force(law, v, load);
        if (SticksExactly<Law> || velocity_error <= 0) return F;
        const D h(std::numbers::sqrt2 * velocity_error);
        return 0.25 * (force(law, D(v - h), load) + 2 * F + force(law, D(v + h), load));
    } else if constexpr (requires { state.v; })
        return force(law, state.z, v, load, D(sign0(rise)));
    else if constexpr (requires { state.z; })
        return force(law, state.z, v, load);
    else
        return force(law, state, v, load);
}

template <class Law, class D = typename Law::scalar>
void respond_along(const Law& law, const Gap<D>& start, const ContactMotion& motion, const PassRows& rows) {
    Gap<D> play = start;
    typename Law::State state{};
    const auto load_at = [&](std::size_t i) { return motion.load.empty() ? neutral_load<Law> : D(motion.load[i]); };
    const std::size_t n = motion.x.size();
    if (n > 0) {
        set_start(law, state, motion.start_force, load_at(0));
        play.start(motion.x[0]);
    }
    double* J = rows.J;
    for (std::size_t i = 0; i < n; ++i, J += rows.stride) {
        const D load = load_at(i);
        double v = motion.v[i];
        if constexpr (!StaticLaw<Law>)
            if (i > 0) {
                constexpr bool by_branch = requires { state.v; };
                const SampleMotion sample(motion, i, transition_parts(law, state, motion, i, load), by_branch);
                for (int part = 0; part < sample.parts(); ++part) {
                    const double h = sample.h(part);
                    const D during = motion.load.empty() ? load : D(sample.load(motion, i, part));
                    const D step = play.to(sample.x(part + 1), sample.x(part));
                    const auto before = state;
                    const auto advance_by = [&](const D& by) {
                        const D mean(by * (1 / h));
                        if constexpr (by_branch)  // the branch is that of the change of velocity in this part
                            state.v = mean - D(sample.v(part + 1) - sample.v(part));
                        advance_state(law, state, mean, h, during);
                    };
                    advance_by(step);
                    if (const auto rest = play.released(step, elastic<D>(before), elastic<D>(state))) {
                        state = before;
                        advance_by(*rest);
                    }
                }
                if (!play.carries()) v = 0;
            }
        const double rise = motion.v[std::min(i + 1, n - 1)] - motion.v[i > 0 ? i - 1 : 0];
        const D F = force_at(law, state, D(v), rise, load, motion.velocity_error);
        rows.force[i] = F.v;
        for (std::size_t k = 0; k < rows.columns.size(); ++k) J[rows.columns[k]] = F.d[k];
    }
}

// Flattened: if each function of the law is a call, the derivatives pass through memory between them.
template <std::size_t Row>
[[gnu::flatten]] void respond_flat(const DualLaw<Row>& law, const Gap<D>& play, const ContactMotion& motion,
                                   const PassRows& rows) {
    respond_along(law, play, motion, rows);
}
template <std::size_t Row, class From>
void respond_law(const From& from, const PassColumns& columns, double gap, const ContactMotion& motion,
                 const PassRows& rows) {
    respond_flat<Row>(dual_law<Row>(from, columns), Gap<D>(gap, columns.of_gap), motion, rows);
}

#if BRISTLE_HAS_AVX2
using W = WidePassScalar;
template <std::size_t Row>
BRISTLE_AVX2_FUNCTION void respond_flat_wide(const DualLaw<Row, W>& law, const Gap<W>& play,
                                             const ContactMotion& motion, const PassRows& rows) {
    respond_along(law, play, motion, rows);
}
template <std::size_t Row, class From>
void respond_law_wide(const From& from, const PassColumns& columns, double gap, const ContactMotion& motion,
                      const PassRows& rows) {
    if constexpr (has_wide_pass<From>)
        respond_flat_wide<Row>(dual_law<Row, W>(from, columns), Gap<W>(gap, columns.of_gap), motion, rows);
}
#define BRISTLE_RESPONSE_WIDE(row)                                                                                 \
    template <>                                                                                                    \
    void respond_wide<row>(const AnyLaw& law, const PassColumns& columns, double gap, const ContactMotion& motion, \
                           const PassRows& rows) {                                                                 \
        response_detail::respond_law_wide<row>(std::get<row>(law), columns, gap, motion, rows);                    \
    }
#else
#define BRISTLE_RESPONSE_WIDE(row)
#endif

}  // namespace response_detail
}  // namespace bristle::identification

#define BRISTLE_RESPONSE(row)                                                                                 \
    namespace bristle::inline identification {                                                                \
    template <>                                                                                               \
    void respond<row>(const AnyLaw& law, const PassColumns& columns, double gap, const ContactMotion& motion, \
                      const PassRows& rows) {                                                                 \
        response_detail::respond_law<row>(std::get<row>(law), columns, gap, motion, rows);                    \
    }                                                                                                         \
    BRISTLE_RESPONSE_WIDE(row)                                                                                \
    template <>                                                                                               \
    void move_axis<row>(const AnyLaw& law, const AxisNumbers& axis, const AxisColumns& columns,               \
                        const AxisSegment& segment, double* rows) {                                           \
        response_detail::move_axis_law<row>(std::get<row>(law), axis, columns, segment, rows);                \
    }                                                                                                         \
    }
