// What a certificate may cost: every search asks here before each piece of work, so that all of them end, and a caller can stop them.
//
// A unit is about a microsecond of work. Units are counted, not timed: a law gets the same certificate on every machine.
//   WorkBudget part(300'000);                   from here on, in this thread, and no more than an WorkBudget further out has left
//   while (...) { if (!spend()) break; }    in the searches, which know nothing of who pays
//   part.exhausted()                            whether a search had to stop early: what it gives is then less than it could be
// Where no WorkBudget lives, nothing is limited.
#pragma once
#include <functional>

namespace bristle::inline base {

class WorkBudget {
  public:
    // should_continue is asked every few milliseconds; where it says false, spend throws Error("stopped").
    explicit WorkBudget(long units, std::function<bool()> should_continue = {});
    ~WorkBudget();
    WorkBudget(const WorkBudget&) = delete;
    WorkBudget& operator=(const WorkBudget&) = delete;
    bool exhausted() const { return left_ < 0; }

  private:
    friend bool spend(long units);
    static constexpr long between_questions = 4096;
    long left_, asked_ = 0;
    std::function<bool()> go_on_;
    WorkBudget* outer_;
};

// False where nothing is left.
bool spend(long units = 1);

}  // namespace bristle::inline base
