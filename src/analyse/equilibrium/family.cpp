// Families by key, and the ends of branches.
#include "analyse/equilibrium/branch_end.hpp"

#include <bristle/base/error.hpp>
#include <bristle/simulate/check.hpp>
#include <bristle/simulate/keyed.hpp>

#include <string>
#include <utility>

namespace bristle::inline analysis::equilibrium {

BranchEnd branch_end(numerics::ContinuationEnd end) {
    switch (end) {
        case numerics::ContinuationEnd::window:
            return BranchEnd::window;
        case numerics::ContinuationEnd::closed:
            return BranchEnd::closed;
        case numerics::ContinuationEnd::nothing_beyond:
            return BranchEnd::nothing_beyond;
        case numerics::ContinuationEnd::max_points:
            return BranchEnd::max_points;
        case numerics::ContinuationEnd::cancelled:
            return BranchEnd::cancelled;
        default:
            return BranchEnd::no_convergence;
    }
}

double present_value(const Setup& setup, std::string_view key) {
    if (const auto value = number_at(setup, key)) return *value;
    throw Error("the set-up has no number \"" + std::string(key) + "\"; numbers_of(setup) lists its keys");
}

namespace {

// Checks law, rig, load, input and start. An analysis does not use the run, so its rules do not apply.
Setup checked(Setup setup) {
    const Run run = std::exchange(setup.run, Run{.duration = 1});
    check(setup);
    setup.run = run;
    return setup;
}

}  // namespace

}  // namespace bristle::analysis::equilibrium

namespace bristle::inline analysis {

Family family_of(const Setup& setup, std::string_view key) {
    equilibrium::present_value(setup, key);
    return
        [setup, key = std::string(key)](double value) { return equilibrium::checked(with_number(setup, key, value)); };
}

Family2 family_of(const Setup& setup, std::string_view first, std::string_view second) {
    equilibrium::present_value(setup, first);
    equilibrium::present_value(setup, second);
    return [setup, first = std::string(first), second = std::string(second)](double p, double q) {
        return equilibrium::checked(with_number(with_number(setup, first, p), second, q));
    };
}

const char* name_of(BranchEnd end) {
    switch (end) {
        case BranchEnd::window:
            return "window";
        case BranchEnd::closed:
            return "closed";
        case BranchEnd::nothing_beyond:
            return "nothing_beyond";
        case BranchEnd::no_convergence:
            return "no_convergence";
        case BranchEnd::max_points:
            return "max_points";
        default:
            return "cancelled";
    }
}

}  // namespace bristle::analysis
