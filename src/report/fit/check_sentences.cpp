// Sentences of a check: the static curve and the first estimate of the law.
#include "report/fit/fit_report.hpp"

#include "base/text.hpp"

namespace bristle::report {

namespace {

// "Fc 20.4 ± 0.3 N, sigma2 203 ± 12 N s/m, offset not determined" of the law or of the axis. direction: 1 or -1 for a law that has its own
// curve there; 0: both.
std::string numbers_of(const LawFit& law, bool of_law, int direction, const AxisUnits& units) {
    std::string out;
    for (const FittedParameter& p : law.parameters) {
        if (p.of_law() != of_law || p.direction * direction < 0) continue;
        append_item(out, (direction * p.direction > 0 ? p.table_name : plain_text(p.name)) + " " +
                             (p.identifiable == Identifiable::no ? "not determined"
                                                                 : value_in_words(p, units, law.parameters)));
    }
    return out;
}

}  // namespace

std::vector<std::string> curve_sentences(const FitReport& report) {
    const CurveStage& stage = report.check->curve;
    const AxisUnits units = report.units();
    if (!stage.describes_record())
        return {"None: a curve without presliding does not describe this record (error " + percent(stage.law.fit) +
                ")."};
    std::vector<std::string> out;
    if (stage.own_directions) {
        out.push_back("v > 0: " + numbers_of(stage.law, true, 1, units) + ".");
        out.push_back("v < 0: " + numbers_of(stage.law, true, -1, units) + ".");
    } else {
        out.push_back("Both directions: " + numbers_of(stage.law, true, 0, units) + ".");
    }
    if (const std::string axis = numbers_of(stage.law, false, 0, units); !axis.empty())
        out.push_back("Axis: " + axis + ".");
    if (!stage.has_stribeck_part())
        out.push_back(
            "The curve does not determine Fs and vs: it shows no change of the level with speed, or none that ends "
            "within the measured speeds. The numbers are those of a constant level with viscous friction.");
    out.push_back("It leaves an error of " + percent(stage.law.fit) + ".");
    return out;
}

std::vector<std::string> estimate_sentences(const FitReport& report) {
    const Outlook& outlook = report.result.outlook;
    if (outlook.parameters.empty()) return {};
    std::vector<std::string> out{"It leaves an error of " + percent(outlook.fit) +
                                 ". Rough errors lack the change with the bandwidth: a fit gives the 95 % intervals."};
    if (report.check->zeta) out.push_back("Damping ratio in stick: " + rounded(*report.check->zeta, 2) + ".");
    return out;
}

}  // namespace bristle::report
