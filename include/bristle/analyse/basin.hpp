// Basins of attraction: which starts end in the limit cycle (stick-slip, hunting) and which in steady sliding or rest.
//
// The starts are a grid over two states; the other states are those of the set-up. A motion is followed from one
// maximum of slip to the next. It is assigned to
//   cycle   if its distance to the stable cycle is below 0.3 of the distance between stable and unstable cycle, at most
//           0.05 of the size of the stable cycle
//   steady  if its maximum slip exceeds steady slip by less than half of what the unstable cycle does, twice in a row
// The unstable cycle lies on the boundary of the basins. It is found by edge tracking: a start between the steady state
// and the stable cycle is bisected until the motion stays between both, and Newton's method closes its loop.
//
// Limits: one stable cycle, one steady state. If no unstable cycle is found between them, the two bounds above are 0.001
// of the cycle. A motion without a maximum of slip for a sixth of the time limit (a servo: for 30 periods of its cycle)
// counts as steady. A motion that reaches max_periods or cycle.max_steps is undecided. No motion is assigned to an
// unstable steady state.
#pragma once
#include <bristle/analyse/cycle.hpp>

#include <string>
#include <utility>

namespace bristle::inline analysis {

struct BasinAxis {
    std::string state;  // a name of state_names
    double from = 0, to = 0;
    int count = 200;  // of starts, both ends included

    double value(int i) const { return count == 1 ? from : from + (to - from) * i / (count - 1); }  // of start i
};
enum class BasinOutcome : unsigned char { steady, cycle, undecided };

struct BasinOptions {
    double tolerance = 1e-7;  // of the motions, relative
    int max_periods = 400;    // of a motion
    CycleOptions cycle = {};  // for the two cycles
};

struct Basin {
    BasinAxis across, up;
    std::vector<BasinOutcome> outcomes;         // row by row: outcomes[j * across.count + i] is that of across i, up j
    long steady = 0, cycle = 0, undecided = 0;  // number of starts of each outcome
    Cycle stable;                               // attractor of BasinOutcome::cycle; exists = false: there is none
    Cycle edge;              // the unstable cycle on the boundary of the basins; exists = false: none was found
    bool cancelled = false;  // by progress
};

// Returns the outcome of each start of a grid over two states. Uses all cores. Throws Error for a rig without autonomous
// motion, for Method::hybrid, and for a state that the rig does not have.
Basin basin(const Setup& setup, const BasinAxis& across, const BasinAxis& up, const BasinOptions& options = {},
            const Progress& progress = {});

// Returns axes of position and velocity around cycle and steady state: a quarter of its size beyond the cycle on either
// side. Without a cycle: as far around the steady state as the starts of limit_cycle. Throws Error if there is neither.
std::pair<BasinAxis, BasinAxis> basin_axes(const Setup& setup, const Cycle& cycle, int count = 200);

}  // namespace bristle::analysis
