// Builds the signal of a counterexample leg by leg.
#pragma once
#include <bristle/analyse/certificate.hpp>

#include <algorithm>

namespace bristle::inline analysis::counterexample {

class SignalBuilder {
  public:
    explicit SignalBuilder(double load) : load_(load) {}

    // Holds v for a time [s]; returns the time after rounding. A leg whose time rounds to zero is left out.
    double hold(double v, double time) {
        const double before = now_;
        now_ += time;
        if (now_ > before) signal_.velocity.emplace_back(before, v);
        return now_ - before;
    }
    // Changes the load within a time [s] while v is held; returns the time after rounding.
    double change_load(double load, double time, double v = 0) {
        const double before = now_, taken = hold(v, std::max(time, 1e-14 * now_));
        if (loads_.empty() && before > 0) loads_.emplace_back(0, load_);
        loads_.emplace_back(before, load_);
        loads_.emplace_back(now_, load);
        load_ = load;
        return taken;
    }
    double load() const { return load_; }
    double now() const { return now_; }
    // Number of velocity points: the index of the next one.
    std::size_t legs() const { return signal_.velocity.size(); }

    Counterexample take() {
        if (loads_.empty() && load_ != 1) loads_.emplace_back(0, load_);
        signal_.load = std::move(loads_);
        signal_.duration = now_;
        return std::move(signal_);
    }

  private:
    Counterexample signal_;
    std::vector<std::pair<double, double>> loads_;
    double load_, now_ = 0;
};

}  // namespace bristle::analysis::counterexample
