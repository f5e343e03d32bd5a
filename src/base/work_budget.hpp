// Work budget of a computation. A search calls spend() before each unit of work (about 1 us) and stops when it returns false.
//
// Units are counted, not timed, so that the result does not depend on the machine.
//   const WorkBudget budget(300'000);      limits this thread until its destruction; also limited by the budgets around it
//   while (...) { if (!spend()) break; }   in a search, which does not need a reference to the budget
//   budget.exhausted()                     whether a search stopped early
// Without a WorkBudget nothing is limited.
#pragma once
#include <functional>

namespace bristle::inline base {

class WorkBudget {
  public:
    // should_continue is called every few milliseconds; if it returns false, spend throws Cancelled.
    explicit WorkBudget(long units, std::function<bool()> should_continue = {});
    ~WorkBudget();
    WorkBudget(const WorkBudget&) = delete;
    WorkBudget& operator=(const WorkBudget&) = delete;
    bool exhausted() const { return left_ < 0; }

  private:
    friend bool spend(long units);
    static constexpr long call_interval = 4096;  // units between two calls of should_continue
    long left_, since_call_ = 0;
    std::function<bool()> should_continue_;
    WorkBudget* outer_;
};

// Returns false if a budget of this thread is exhausted.
bool spend(long units = 1);

}  // namespace bristle::base
