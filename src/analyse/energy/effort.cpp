#include <analyse/energy/effort.hpp>
#include <bristle/simulate/error.hpp>

#include <utility>

namespace bristle::analyse {

namespace {

thread_local Effort* innermost = nullptr;

}  // namespace

Effort::Effort(long units, std::function<bool()> go_on)
    : left_(units), go_on_(std::move(go_on)), outer_(std::exchange(innermost, this)) {}
Effort::~Effort() { innermost = outer_; }

bool spend(long units) {
    bool enough = true;
    for (Effort* effort = innermost; effort; effort = effort->outer_) {
        if (effort->left_ >= 0) effort->left_ -= units;
        enough = enough && effort->left_ >= 0;
        if (!effort->go_on_ || (effort->asked_ += units) < Effort::between_questions) continue;
        effort->asked_ = 0;
        if (!effort->go_on_()) throw Error("stopped");
    }
    return enough;
}

}  // namespace bristle::analyse
