// Work budgets of a thread, innermost first.
#include "base/work_budget.hpp"
#include <bristle/base/error.hpp>

#include <utility>

namespace bristle::inline base {

namespace {

thread_local WorkBudget* innermost = nullptr;

}  // namespace

WorkBudget::WorkBudget(long units, std::function<bool()> should_continue)
    : left_(units), should_continue_(std::move(should_continue)), outer_(std::exchange(innermost, this)) {}
WorkBudget::~WorkBudget() { innermost = outer_; }

bool spend(long units) {
    bool available = true;
    for (WorkBudget* budget = innermost; budget; budget = budget->outer_) {
        if (budget->left_ >= 0) budget->left_ -= units;
        available = available && budget->left_ >= 0;
        if (!budget->should_continue_ || (budget->since_call_ += units) < WorkBudget::call_interval) continue;
        budget->since_call_ = 0;
        if (!budget->should_continue_()) throw Cancelled();
    }
    return available;
}

}  // namespace bristle::base
