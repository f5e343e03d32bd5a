// A contact whose law is known at run time only, moved by velocities or pulled by forces.
#pragma once
#include <bristle/contact.hpp>
#include <bristle/simulate/law.hpp>

namespace bristle::inline analysis {

namespace held {
template <class Laws>
struct contacts;
template <class... Law>
struct contacts<std::variant<Law...>> {
    using type = std::variant<Contact<Law>...>;
};
}  // namespace held

class AnyContact {
  public:
    AnyContact(const AnyLaw& law, double load);
    Step<double> step(double v, double dt);
    // How far the bristle is bent, of what the peak of the curve would bend it [1]; the most of several bristles.
    // Nothing for a law without one.
    std::optional<double> bend() const;

  private:
    held::contacts<LawVariant>::type contact_;
    double load_;
};

// A slider without mass: at the end of every step friction equals the force that pulls.
class Pulled {
  public:
    // deflection and peak are sizes of the law, most the highest speed that is looked at
    Pulled(const AnyContact& contact, double deflection, double peak, double most)
        : contact_(contact), deflection_(deflection), peak_(peak), most_(most) {}
    // False, and nothing moved, where no speed up to most makes friction that large: it breaks away.
    bool pull(double force, double dt);
    double x() const { return x_; }

  private:
    AnyContact contact_;
    double deflection_, peak_, most_;
    double x_ = 0, v_ = 0;
};

}  // namespace bristle::inline analysis
