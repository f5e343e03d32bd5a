// The referee: the numbers of an experiment's claims, computed independently.
//
// It reads the parameters of an experiment and shares no computing code with bristle: laws and rigs are written as the
// papers print them (referee_law.hpp, referee_rig.hpp), and integrated by an explicit Runge-Kutta method of order 5
// (referee_step.hpp) instead of a Rosenbrock method. The step is halved until no number changes by more than a
// hundredth of its claim's interval.
//
//   outside(setup)             a sentence if the referee cannot compute this, else empty
//   judge(experiment, claims)  the numbers of these claims
#pragma once
#include <cstdio>
#include "experiment/experiment.hpp"

#include "referee_run.hpp"

namespace referee {

using bristle::experiment::Claim, bristle::experiment::Experiment;

inline std::string outside(const bristle::Setup& setup) {
    if (setup.run.method == bristle::Method::hybrid)
        return "the rig hybrid is a closed form: no Runge-Kutta method has a part in it";
    if (law_of(setup.law).kind == Law::outside)
        return "the referee has no equations for this law; coulomb and stribeck stick exactly, which no explicit "
               "method can hold";
    if (Rig::type_of(setup.rig) == Rig::Type::outside) return "the referee has no equations for this rig";
    if (setup.run.method == bristle::Method::explicit_)
        return "the method explicit has an error of its own, which a Runge-Kutta method does not reproduce";
    return {};
}
inline std::string outside(const Claim& claim) {
    return claim.measure == "residual" ? "the residual is a matter of bristle's own books" : "";
}

// Returns the number of a claim; std::nullopt if it does not occur.
inline std::optional<double> number(const Outcome& o, const Claim& claim) {
    const auto occurrence = [&](const std::vector<double>& all) -> std::optional<double> {
        if (claim.at < 1 || std::size_t(claim.at) > all.size()) return {};
        return all[std::size_t(claim.at) - 1];
    };
    const auto of_signal = [&](const std::map<std::string, double>& all) -> std::optional<double> {
        const auto found = all.find(claim.signal);
        if (found == all.end()) return {};
        return found->second;
    };
    const std::string& m = claim.measure;
    if (m == "stick_begin") return occurrence(o.stick_begin);
    if (m == "stick_end") return occurrence(o.stick_end);
    if (m == "v_zero") return occurrence(o.v_zero);
    if (m == "period") return o.period;
    if (m == "breakaway_force") return o.breakaway_force;
    if (m == "drift") return o.drift;
    if (m == "amplitude") return o.amplitude;
    if (m == "loop_area") return o.loop_area;
    if (m == "amplitude_decay") return o.amplitude_decay;
    if (m == "max") return of_signal(o.max);
    if (m == "min") return of_signal(o.min);
    if (m == "final") return of_signal(o.final);
    if (m == "value" && claim.time && o.at.contains(*claim.time)) return of_signal(o.at.at(*claim.time));
    return {};
}

inline Wanted wanted_by(const std::vector<Claim>& claims) {
    Wanted wanted;
    for (const Claim& claim : claims) {
        if (claim.measure == "max" || claim.measure == "min") wanted.extremes.push_back(claim.signal);
        if (claim.measure == "value" && claim.time) wanted.times.push_back(*claim.time);
        if (claim.measure == "period" || claim.measure == "amplitude") wanted.series = true;
        if (claim.measure == "breakaway_force") wanted.breakaway = true;
    }
    return wanted;
}

struct Finding {
    Claim claim;
    std::optional<double> value;  // at the smallest steps; std::nullopt if it does not occur
    double change = 0;            // relative to steps of twice the size
    bool settled = false;
    bool inside() const { return value && *value >= claim.low && *value <= claim.high; }
};
inline std::string name_of(const Claim& claim) {
    std::string name = claim.measure;
    if (!claim.signal.empty()) name += " " + claim.signal;
    if (claim.at > 0) name += " " + std::to_string(claim.at);
    if (claim.time) name += " at " + std::to_string(*claim.time) + " s";
    return name;
}

inline std::string digits(double x) {
    char text[40];
    std::snprintf(text, sizeof text, "%.10g", x);
    return text;
}
inline std::string sentence(const Finding& f) {
    return name_of(f.claim) + (f.value ? " is " + digits(*f.value) : " did not occur") + ", claimed between " +
           digits(f.claim.low) + " and " + digits(f.claim.high);
}

struct Report {
    std::vector<Finding> findings;
    Outcome outcome;       // of the last run
    double tolerance = 0;  // of the last run
    long evaluations = 0;  // in all runs
    std::string trouble;   // a sentence if the numbers did not converge
};

inline Report judge(const Experiment& experiment, const std::vector<Claim>& claims, const Wanted& wanted,
                    double max_change = 0.01, long max_evaluations = 100'000'000) {
    // the local error of the pair falls with the fifth power of the step: tolerances smaller by 2^5 halve the steps
    constexpr double coarsest = 1e-7, finest = 3e-15, halving = 32;
    Report report;
    for (const Claim& claim : claims) report.findings.push_back({claim, {}, 0, false});
    for (double tolerance = coarsest; tolerance > finest; tolerance /= halving) {
        report.tolerance = tolerance;
        report.outcome = Run(experiment.setup, wanted, tolerance, max_evaluations - report.evaluations)();
        report.evaluations += report.outcome.evaluations;
        if (!report.outcome.trouble.empty()) break;
        bool settled = tolerance < coarsest;
        for (Finding& f : report.findings) {
            const auto before = f.value;
            f.value = number(report.outcome, f.claim);
            f.change = before && f.value ? std::abs(*f.value - *before) : std::numeric_limits<double>::infinity();
            f.settled = f.change <= max_change * (f.claim.high - f.claim.low);
            settled = settled && f.settled;
        }
        if (settled) return report;
    }
    report.trouble = "the referee's numbers have not settled: ";
    report.trouble += report.outcome.trouble.empty() ? "smaller steps drown in rounding" : report.outcome.trouble;
    for (const Finding& f : report.findings)
        if (!f.settled) report.trouble += "; " + sentence(f) + ", and still changes by " + digits(f.change);
    return report;
}
inline Report judge(const Experiment& experiment, const std::vector<Claim>& claims) {
    return judge(experiment, claims, wanted_by(claims));
}

}  // namespace referee
