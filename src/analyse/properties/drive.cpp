// A contact moved by velocities, and a slider without mass pulled by forces.
#include "analyse/properties/drive.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::inline analysis::properties {

AnyContact::AnyContact(const AnyLaw& law, double load)
    : contact_(std::visit(
          [](const auto& l) -> detail::contacts<LawVariant>::type {
              return Contact<std::remove_cvref_t<decltype(l)>>(l);
          },
          law)),
      load_(load) {}

Step<double> AnyContact::step(double v, double dt) {
    return std::visit([&](auto& contact) { return contact.step(v, dt, load_); }, contact_);
}

std::optional<double> AnyContact::relative_deflection() const {
    return std::visit(
        [&](const auto& contact) -> std::optional<double> {
            const auto& law = contact.law();
            const double level = curve_under(law, load_).peak() * loads(law, load_).on_curve;
            if constexpr (requires { contact.state().z; }) {
                return std::abs(contact.state().z) * law.sigma0 / level;
            } else if constexpr (requires { contact.state().F; }) {
                double largest = 0;
                for (int i = 0; i < law.count(); ++i)
                    largest = std::max(largest, std::abs(contact.state().F[i]) / (law.nu[i] * level));
                return largest;
            } else {
                return {};
            }
        },
        contact_);
}

bool MasslessSlider::pull(double force, double dt) {
    const auto at = [&](double v) {
        AnyContact trial = contact_;
        return trial.step(v, dt);
    };
    const auto accept = [&](double v) {
        contact_.step(v, dt);
        x_ += v * dt;
        v_ = v;
        return true;
    };
    const Step<double> rest = at(0);
    if (rest.stuck ? force >= rest.low && force <= rest.high : force == rest.force_end) return accept(0);
    const double sign = force > rest.force_end ? 1 : -1, close = 1e-14 * peak_;
    const auto residual = [&](double speed) { return sign * (at(sign * speed).force_end - force); };
    // The smallest speed at which friction is as large as the force. The search starts just above the last speed, with strides that
    // double, because a falling level may leave a narrow range only. It starts near 0 if half the last speed is enough.
    const double before = sign * v_ > 0 ? sign * v_ : 0, least = 1e-9 * deflection_ / dt;
    double low = before > 0 ? 0.5 * before : 0,
           low_residual = before > 0 ? residual(low) : sign * (rest.force_end - force);
    double stride = 1e-3 * before, high = before;
    if (low_residual >= 0 || !(before > 0)) {
        low = 0;
        low_residual = sign * (rest.force_end - force);
        stride = high = least;
    }
    double high_residual = residual(high);
    while (!(high_residual >= 0)) {  // also if the residual is NaN
        low = high;
        low_residual = high_residual;
        high += stride;
        stride *= 2;
        if (high > max_speed_) return false;
        high_residual = residual(high);
    }
    // secants; every third step, or outside the bracket, bisection
    for (int i = 0; i < 100 && high_residual > close && high - low > 1e-15 * high; ++i) {
        const double secant = low + (high - low) * low_residual / (low_residual - high_residual);
        const double v = i % 3 == 2 || !(secant > low && secant < high) ? 0.5 * (low + high) : secant;
        const double now = residual(v);
        (now < 0 ? low : high) = v;
        (now < 0 ? low_residual : high_residual) = now;
        if (std::abs(now) <= close) return accept(sign * v);
    }
    return accept(sign * high);
}

}  // namespace bristle::analysis::properties
