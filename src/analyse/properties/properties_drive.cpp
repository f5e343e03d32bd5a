#include "analyse/properties/properties_drive.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::inline analysis {

AnyContact::AnyContact(const AnyLaw& law, double load)
    : contact_(std::visit(
          [](const auto& l) -> held::contacts<LawVariant>::type {
              return Contact<std::remove_cvref_t<decltype(l)>>(l);
          },
          law)),
      load_(load) {}

Step<double> AnyContact::step(double v, double dt) {
    return std::visit([&](auto& contact) { return contact.step(v, dt, load_); }, contact_);
}

std::optional<double> AnyContact::bend() const {
    return std::visit(
        [&](const auto& contact) -> std::optional<double> {
            const auto& law = contact.law();
            const double level = bristle::detail::curve_of(law).peak() * loads(law, load_).on_curve;
            if constexpr (requires { contact.state().z; }) {
                return std::abs(contact.state().z) * law.sigma0 / level;
            } else if constexpr (requires { contact.state().F; }) {
                double most = 0;
                for (int i = 0; i < law.count(); ++i)
                    most = std::max(most, std::abs(contact.state().F[i]) / (law.nu[i] * level));
                return most;
            } else {
                return {};
            }
        },
        contact_);
}

bool Pulled::pull(double force, double dt) {
    const auto at = [&](double v) {
        AnyContact trial = contact_;
        return trial.step(v, dt);
    };
    const auto take = [&](double v) {
        contact_.step(v, dt);
        x_ += v * dt;
        v_ = v;
        return true;
    };
    const Step<double> rest = at(0);
    if (rest.stuck ? force >= rest.low && force <= rest.high : force == rest.force_end) return take(0);
    const double side = force > rest.force_end ? 1 : -1, close = 1e-14 * peak_;
    const auto miss = [&](double speed) { return side * (at(side * speed).force_end - force); };
    // The smallest speed that is enough. It is looked for just beyond the one before, in strides that double: a level
    // that falls may leave only a narrow range. Where half of the one before is enough, from next to nothing on.
    const double before = side * v_ > 0 ? side * v_ : 0, least = 1e-9 * deflection_ / dt;
    double low = before > 0 ? 0.5 * before : 0, low_miss = before > 0 ? miss(low) : side * (rest.force_end - force);
    double stride = 1e-3 * before, high = before;
    if (low_miss >= 0 || !(before > 0)) {
        low = 0;
        low_miss = side * (rest.force_end - force);
        stride = high = least;
    }
    double high_miss = miss(high);
    while (!(high_miss >= 0)) {  // also where numbers overflow
        low = high;
        low_miss = high_miss;
        high += stride;
        stride *= 2;
        if (high > most_) return false;
        high_miss = miss(high);
    }
    // chords, with a halving where they do not close in
    for (int i = 0; i < 100 && high_miss > close && high - low > 1e-15 * high; ++i) {
        const double chord = low + (high - low) * low_miss / (low_miss - high_miss);
        const double v = i % 3 == 2 || !(chord > low && chord < high) ? 0.5 * (low + high) : chord;
        const double now = miss(v);
        (now < 0 ? low : high) = v;
        (now < 0 ? low_miss : high_miss) = now;
        if (std::abs(now) <= close) return take(side * v);
    }
    return take(side * high);
}

}  // namespace bristle::inline analysis
