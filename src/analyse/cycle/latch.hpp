// Progress for work on several threads: told by one at a time, and once it has said stop it is not asked again.
#pragma once
#include <bristle/analyse/cycle.hpp>

#include <atomic>
#include <mutex>
#include <utility>

namespace bristle::analyse {

class Latch {
  public:
    explicit Latch(Progress progress) : progress_(std::move(progress)) {}
    // False: stop.
    bool tell(double share) {
        if (stopped_) return false;
        const std::lock_guard lock(telling_);
        if (!stopped_ && progress_ && !progress_(share)) stopped_ = true;
        return !stopped_;
    }
    bool stopped() const { return stopped_; }
    // A part of the work, from one share of the whole to another. The latch has to outlive it.
    Progress part(double from, double to) {
        return [this, from, to](double share) { return tell(from + (to - from) * share); };
    }

  private:
    Progress progress_;
    std::mutex telling_;
    std::atomic<bool> stopped_ = false;
};

}  // namespace bristle::analyse
