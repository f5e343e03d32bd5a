// Basins: which starts end in the limit cycle (stick-slip, hunting) and which in steady sliding or rest.
//
// The starts are a grid over two states; the other states are those of the file. Each motion is followed from one
// fastest slip to the next until it comes much closer to the stable cycle than the unstable one is (a third of the way,
// at most a twentieth of its size), or has less than half the swing of the unstable cycle. The unstable cycle lies on
// the edge of the basins and is found by edge tracking: a start between the two is halved until it stays on neither
// side for long, and Newton closes the loop it then makes.
//
// Limits: one stable cycle, one steady state. Where no unstable cycle is found between them a motion has to come within
// a thousandth of the cycle, or its swing has to fall to a thousandth of the cycle's. A motion without a fastest moment
// for a sixth of the time it is followed (a servo: for 30 periods of its cycle) has come to the steady state, too. One
// that does none of it within max_periods or cycle.max_steps stays open, and none comes to an unstable steady state.
#pragma once
#include <bristle/analyse/cycle.hpp>

namespace bristle::inline analysis {

struct BasinAxis {
    std::string state;  // by name, as in state_names
    double from = 0, to = 0;
    int count = 200;  // of starts, both ends included
};
enum class BasinOutcome : unsigned char { steady, cycle, open };

struct BasinOptions {
    double tolerance = 1e-7;  // of the motions, relative
    int max_periods = 400;
    CycleOptions cycle = {};  // for the two cycles
};

struct Basin {
    BasinAxis across, up;
    std::vector<BasinOutcome> outcomes;    // row by row: outcomes[j * across.count + i] belongs to across i, up j
    long steady = 0, cycle = 0, open = 0;  // how many of each
    Cycle stable;                          // where the motions of BasinOutcome::cycle end; exists = false: nowhere
    Cycle edge;                            // the unstable cycle between the basins, where there is one
    bool cancelled = false;                // by progress
};

// Two of the set-up's states. Works on all cores. Throws Error for a rig without autonomous motion, for the rig hybrid,
// and for a state that the rig does not have.
Basin basin(const Setup& setup, const BasinAxis& across, const BasinAxis& up, const BasinOptions& options = {},
            const Progress& progress = {});

// Two axes around both, in position and velocity: a quarter beyond the cycle on either side; where there is none, as far
// around the steady state as limit_cycle starts. Throws Error where there is neither.
std::pair<BasinAxis, BasinAxis> basin_axes(const Setup& setup, const Cycle& cycle, int count = 200);

}  // namespace bristle::inline analysis
