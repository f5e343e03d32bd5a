// Progress for work on several threads: told by one at a time, and once it has said stop it is not asked again.
#pragma once
#include <bristle/base/progress.hpp>

#include <atomic>
#include <mutex>
#include <utility>

namespace bristle::inline base {

class SharedProgress {
  public:
    explicit SharedProgress(Progress progress) : progress_(std::move(progress)) {}
    // False: stop.
    bool tell(double share) {
        if (cancelled_) return false;
        const std::lock_guard lock(telling_);
        if (!cancelled_ && progress_ && !progress_(share)) cancelled_ = true;
        return !cancelled_;
    }
    bool cancelled() const { return cancelled_; }
    // A part of the work, from one share of the whole to another. The shared has to outlive it.
    Progress part(double from, double to) {
        return [this, from, to](double share) { return tell(from + (to - from) * share); };
    }

  private:
    Progress progress_;
    std::mutex telling_;
    std::atomic<bool> cancelled_ = false;
};

}  // namespace bristle::inline base
