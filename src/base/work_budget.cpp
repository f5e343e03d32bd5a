#include "base/work_budget.hpp"
#include <bristle/base/error.hpp>

#include <utility>

namespace bristle::inline base {

namespace {

thread_local WorkBudget* innermost = nullptr;

}  // namespace

WorkBudget::WorkBudget(long units, std::function<bool()> should_continue)
    : left_(units), go_on_(std::move(should_continue)), outer_(std::exchange(innermost, this)) {}
WorkBudget::~WorkBudget() { innermost = outer_; }

bool spend(long units) {
    bool enough = true;
    for (WorkBudget* effort = innermost; effort; effort = effort->outer_) {
        if (effort->left_ >= 0) effort->left_ -= units;
        enough = enough && effort->left_ >= 0;
        if (!effort->go_on_ || (effort->asked_ += units) < WorkBudget::between_questions) continue;
        effort->asked_ = 0;
        if (!effort->go_on_()) throw Error("stopped");
    }
    return enough;
}

}  // namespace bristle::inline base
