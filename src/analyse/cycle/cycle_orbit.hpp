// Extremes, time in stick and recorded points of a motion over one period.
#pragma once
#include <limits>

#include "analyse/cycle/flow.hpp"

namespace bristle::inline analysis::cycle {

class OrbitRecorder {
  public:
    OrbitRecorder(const Flow& flow, double stick_speed) : flow_(flow), stick_speed_(stick_speed) {
        low.assign(flow.size(), std::numeric_limits<double>::infinity());
        high.assign(flow.size(), -std::numeric_limits<double>::infinity());
    }
    bool operator()(const FlowStep& step);

    std::vector<double> low, high;  // of each state; those of position and velocity are located within a step
    double fastest = 0;             // largest slip speed [m/s]
    double stuck = 0;               // time with a slip speed below the stick speed, or held [s]
    double begin = 0, end = 0;      // s
    std::vector<double> t;
    std::vector<std::vector<double>> points;  // in the order of the flow

  private:
    void take(const std::vector<double>& y);
    const Flow& flow_;
    double stick_speed_;
    bool started_ = false;
};

}  // namespace bristle::analysis::cycle
