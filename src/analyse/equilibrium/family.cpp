// Ends of branches: their names, and the conversion from the continuation.
#include "analyse/equilibrium/branch_end.hpp"

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

}  // namespace bristle::inline analysis::equilibrium

namespace bristle::inline analysis {

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

}  // namespace bristle::inline analysis
