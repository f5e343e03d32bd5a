// Names of the enumerations of cycles.
#include <bristle/analyse/cycle.hpp>

namespace bristle::inline analysis {

const char* name_of(CycleSource source) {
    switch (source) {
        case CycleSource::own_start:
            return "own_start";
        case CycleSource::spread_start:
            return "spread_start";
        case CycleSource::guess:
            return "guess";
        case CycleSource::edge_tracking:
            return "edge_tracking";
        default:
            return "closed_form";
    }
}

const char* name_of(NoCycle reason) {
    switch (reason) {
        case NoCycle::not_searched:
            return "not_searched";
        case NoCycle::all_settle:
            return "all_settle";
        case NoCycle::unstable_steady_state:
            return "unstable_steady_state";
        case NoCycle::limit_reached:
            return "limit_reached";
        case NoCycle::grows:
            return "grows";
        case NoCycle::slip_does_not_stop:
            return "slip_does_not_stop";
        case NoCycle::no_convergence:
            return "no_convergence";
        default:
            return "no_edge";
    }
}

const char* name_of(MotionEnd end) {
    switch (end) {
        case MotionEnd::unknown:
            return "unknown";
        case MotionEnd::this_cycle:
            return "this_cycle";
        case MotionEnd::steady_state:
            return "steady_state";
        default:
            return "not_periodic";
    }
}

const char* name_of(CycleEnd::Kind kind) {
    switch (kind) {
        case CycleEnd::Kind::window:
            return "window";
        case CycleEnd::Kind::equilibrium:
            return "equilibrium";
        case CycleEnd::Kind::explosion:
            return "explosion";
        case CycleEnd::Kind::lost:
            return "lost";
        case CycleEnd::Kind::max_points:
            return "max_points";
        default:
            return "cancelled";
    }
}

const char* name_of(NoBranch reason) {
    switch (reason) {
        case NoBranch::not_searched:
            return "not_searched";
        case NoBranch::jump_on_section:
            return "jump_on_section";
        case NoBranch::no_cycle:
            return "no_cycle";
        default:
            return "no_convergence";
    }
}

const char* name_of(BoundaryPoint::Kind kind) {
    switch (kind) {
        case BoundaryPoint::Kind::fold:
            return "fold";
        case BoundaryPoint::Kind::flip:
            return "flip";
        default:
            return "extinction";
    }
}

const char* name_of(BoundaryOutcome outcome) {
    switch (outcome) {
        case BoundaryOutcome::not_searched:
            return "not_searched";
        case BoundaryOutcome::followed:
            return "followed";
        case BoundaryOutcome::by_simulation:
            return "by_simulation";
        case BoundaryOutcome::cycle_everywhere:
            return "cycle_everywhere";
        case BoundaryOutcome::cycle_nowhere:
            return "cycle_nowhere";
        case BoundaryOutcome::not_located:
            return "not_located";
        case BoundaryOutcome::undecided:
            return "undecided";
        default:
            return "cancelled";
    }
}

const char* name_of(ExtinctionOutcome outcome) {
    switch (outcome) {
        case ExtinctionOutcome::not_searched:
            return "not_searched";
        case ExtinctionOutcome::found:
            return "found";
        case ExtinctionOutcome::no_cycle_at_start:
            return "no_cycle_at_start";
        case ExtinctionOutcome::persists:
            return "persists";
        default:
            return "undecided";
    }
}

}  // namespace bristle::analysis
