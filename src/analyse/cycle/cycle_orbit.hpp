// A closed motion seen once around: extremes, time in stick, points for drawing.
#pragma once
#include <limits>

#include "analyse/cycle/flow.hpp"

namespace bristle::inline analysis {

class OrbitWatch {
  public:
    OrbitWatch(const Flow& flow, double stick_speed) : flow_(flow), stick_speed_(stick_speed) {
        low.assign(flow.size(), std::numeric_limits<double>::infinity());
        high.assign(flow.size(), -std::numeric_limits<double>::infinity());
    }
    bool operator()(const FlowStep& step);

    std::vector<double> low, high;  // of every state; those of position and velocity are located
    double fastest = 0;             // |slip| [m/s]
    double stuck = 0;               // time with |slip| below the stick speed, or held [s]
    double begin = 0, end = 0;      // s
    std::vector<double> t;
    std::vector<std::vector<double>> points;  // as the flow orders the states

  private:
    void take(const std::vector<double>& y);
    const Flow& flow_;
    double stick_speed_;
    bool started_ = false;
};

}  // namespace bristle::inline analysis
