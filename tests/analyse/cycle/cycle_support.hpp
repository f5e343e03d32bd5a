// Shipped experiments as set-ups and as families, and long simulations, for the tests of cycles.
#pragma once
#include <bristle/analyse/cycle.hpp>

#include <cstdio>

#include "../../support/sets.hpp"
#include "analyse/cycle/flow.hpp"
#include "experiment/experiment.hpp"

namespace bristle::inline analysis {

using namespace cycle;

using Overrides = std::vector<experiment::Override>;

inline std::string number(double x) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17e", x);
    return text;
}
inline bristle::Setup shipped_setup(const char* id, const Overrides& overrides = {}) {
    return experiment::read(std::string(experiment::find_shipped(id)->text), id, {}, overrides).setup;
}
inline Family shipped_family(const char* id, const char* key) {
    return [=](double p) { return shipped_setup(id, {{key, number(p)}}); };
}

// A simulation that starts at the end of a long one: its measures are those of the attractor.
struct Lasting {
    Result result;
    bristle::Setup setup;
};
inline Lasting lasting(bristle::Setup setup, double transient, double duration) {
    setup.run.rtol = setup.run.atol = 1e-11;
    setup.run.method = Method::adaptive;
    setup.run.samples = 11;
    setup.run.duration = transient;
    const auto first = simulate(setup);
    for (const auto& state : state_names(setup.law, setup.rig))
        setup.start[state.name] = first.measures.final.at(state.name);
    setup.run.duration = duration;
    return {simulate(setup), setup};
}

// Returns true if the simulation from the start of the set-up ends in stick-slip: more than two stick phases in 30 s.
inline bool ends_in_stick_slip(const bristle::Setup& setup, double transient = 300) {
    const auto end = lasting(setup, transient, 30).result;
    return end.measures.stick_begin.size() > 2;
}

}  // namespace bristle::analysis
