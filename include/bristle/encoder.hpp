// Velocity from a quantised position, by the time between counts.
//
//   Encoder wheel{2 * pi / 16384};                     // one count [m] (rotary: rad)
//   double F = joint.step_to(wheel, x, dt).force;      // x: the encoder's position
//   wheel.lag();                                       // age of the velocity [s]
//
// The difference quotient of a position that moves by one count in many samples is 0 or count/dt. Here the velocity is the distance
// between two edges (the positions at which the count changes) over the time between them. Two edges of one direction are at least 20
// samples apart in time, because each is known to one sample: the error of a constant velocity is below 5 %, from the third count and 20
// samples on. Between counts |v| is at most one count over the time since the last one; after timeout without a count it is 0.
// At a reversal the edge is crossed twice: the velocity is 0 until the next count.
// Limits: the velocity lags the motion by lag(); the path of the contact is the integral of this velocity and differs from x by some counts.
// No heap, no lock, no throw; memory: 20 intervals.
#pragma once
#include <bristle/scalar.hpp>

namespace bristle {

template <class T>
class basic_encoder {
  public:
    // resolution: one count [m]. timeout: time without a count after which the velocity is 0 [s]. Both > 0.
    constexpr explicit basic_encoder(T resolution, T timeout = T(0.1)) noexcept
        : resolution_(resolution), timeout_(timeout) {}

    // Returns the velocity [m/s] at the position x [m], reached dt [s] after the last one. The first call returns 0. Returns NaN and keeps
    // the state if x is not finite, dt is not finite and > 0, or resolution or timeout are not > 0.
    constexpr T velocity(T x, T dt) noexcept {
        if (!isfinite(x) || !isfinite(dt) || !(dt > T(0)) || !(resolution_ > T(0)) || !(timeout_ > T(0)))
            return unset<T>();
        if (!has_position_) {
            has_position_ = true;
            x_ = x;
            return T(0);
        }
        since_ += dt;
        const T moved = x - x_;
        if (abs(moved) < T(0.5) * resolution_) return between_counts();
        count(moved, dt);
        x_ = x;
        since_ = T(0);
        return v_;
    }
    // Returns the age of the velocity [s]: half the time over which it is the mean, and the time since the last count.
    constexpr T lag() const noexcept { return T(0.5) * span_ + since_; }
    // Deletes the motion; resolution and timeout stay.
    constexpr void reset() noexcept { *this = basic_encoder(resolution_, timeout_); }

  private:
    static constexpr int capacity = 20;  // samples that two edges are apart, and intervals that this can take

    constexpr T between_counts() noexcept {
        if (since_ > timeout_) {
            v_ = span_ = T(0);
            size_ = 0;
            direction_ = T(0);
        }
        const T most = resolution_ / since_;
        return abs(v_) > most ? side(v_) * most : v_;
    }
    // Takes a change by one or more counts.
    constexpr void count(T moved, T dt) noexcept {
        const T direction = side(moved);
        if (direction !=
            direction_) {  // a reversal or the first count: the edge before it is on this side of the last position
            size_ = 0;
            direction_ = direction;
            v_ = larger(abs(moved) - resolution_, T(0)) * direction / since_;
            span_ = since_;
            return;
        }
        newest_ = (newest_ + 1) % capacity;
        travel_[newest_] = abs(moved);
        time_[newest_] = since_;
        if (size_ < capacity) ++size_;
        T travel{}, time{};
        for (int i = 0; i < size_ && time < T(capacity) * dt; ++i) {
            const int at = (newest_ + capacity - i) % capacity;
            travel += travel_[at];
            time += time_[at];
        }
        v_ = direction * travel / time;
        span_ = time;
    }

    T resolution_, timeout_;
    T x_{}, v_{}, direction_{};  // last position [m], velocity at the last count [m/s], its sign (0: none)
    T since_{}, span_{};         // time since the last count, and time over which v_ is the mean [s]
    T travel_[capacity]{}, time_[capacity]{};  // between successive edges of one direction
    int newest_ = 0, size_ = 0;
    bool has_position_ = false;
};
using Encoder = basic_encoder<double>;

}  // namespace bristle
