// A contact with a law chosen at run time, moved by a velocity or pulled by a force.
#pragma once
#include <bristle/contact.hpp>
#include <bristle/simulate/law.hpp>

namespace bristle::inline analysis::properties {

namespace detail {
template <class Laws>
struct contacts;
template <class... Law>
struct contacts<std::variant<Law...>> {
    using type = std::variant<Contact<Law>...>;
};
}  // namespace detail

class AnyContact {
  public:
    AnyContact(const AnyLaw& law, double load);
    Step<double> step(double v, double dt);
    // Deflection as a fraction of that at the peak of the curve [1], the largest of several bristles.
    // std::nullopt for a law without a bristle.
    std::optional<double> relative_deflection() const;

  private:
    detail::contacts<LawVariant>::type contact_;
    double load_;
};

// A slider without mass: at the end of each step friction equals the pulling force.
class MasslessSlider {
  public:
    // deflection [m] and peak [N] are scales of the law; max_speed is the highest speed tried [m/s]
    MasslessSlider(const AnyContact& contact, double deflection, double peak, double max_speed)
        : contact_(contact), deflection_(deflection), peak_(peak), max_speed_(max_speed) {}
    // Advances by dt under a force. Returns false and keeps the state if friction is smaller at all speeds up to max_speed: breakaway.
    bool pull(double force, double dt);
    double x() const { return x_; }  // m

  private:
    AnyContact contact_;
    double deflection_, peak_, max_speed_;
    double x_ = 0, v_ = 0;
};

}  // namespace bristle::analysis::properties
