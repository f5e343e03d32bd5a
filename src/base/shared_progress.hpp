// Progress for work on several threads: calls are serialised, and none is made after a cancellation.
#pragma once
#include <bristle/base/progress.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

namespace bristle::inline base {

class SharedProgress {
  public:
    explicit SharedProgress(Progress progress) : progress_(std::move(progress)) {}
    // Reports the completed fraction, 0 to 1, or the largest one reported before. Returns false if the work is cancelled.
    bool tell(double fraction) {
        if (cancelled_) return false;
        const std::lock_guard lock(telling_);
        reached_ = std::max(reached_, fraction);
        if (!cancelled_ && progress_ && !progress_(reached_)) cancelled_ = true;
        return !cancelled_;
    }
    // Asks whether to go on, without progress.
    bool should_continue() { return tell(0); }
    bool cancelled() const { return cancelled_; }
    // Returns the progress of a part of the work, between two fractions of the whole. Valid while this object exists.
    Progress part(double from, double to) {
        return [this, from, to](double fraction) { return tell(from + (to - from) * fraction); };
    }

  private:
    Progress progress_;
    std::mutex telling_;
    double reached_ = 0;
    std::atomic<bool> cancelled_ = false;
};

}  // namespace bristle::base
