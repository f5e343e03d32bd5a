// What a record determines by the fit, and where the check before the fit judged otherwise.
#include "base/text.hpp"
#include "report/fit/fit_report.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::report {

namespace {

const char* judgement(const FittedParameter& p) {
    switch (p.determined()) {
        case Identifiable::yes:
            return "determined";
        case Identifiable::weak:
            return "weakly determined";
        case Identifiable::no:
            return "not determined";
    }
    return "";
}

// "sigma1 as not determined, sigma0 as weakly determined": the parameters that the check judged in another way than the fit.
std::string differences(const Outlook& before, const LawFit& fit) {
    std::string out;
    for (const FittedParameter& p : before.parameters) {
        const FittedParameter* now = fit.parameter(p.name);
        if (now && now->quantity == p.quantity && now->determined() != p.determined())
            append_item(out, plain_text(p.name) + " as " + judgement(p));
    }
    return out;
}

}  // namespace

std::vector<std::string> determined_sentences(const FitReport& report) {
    const Outlook& before = report.result.outlook;
    if (!report.is_converged()) return outlook_sentences(before, report.units());
    const LawFit& best = report.result.best();
    if (const FitFinding* cause = first_cause(report.result))
        return {cause->kind == FindingKind::sign_suspect
                    ? "Not known: the " + std::string(report.units().force()) + " drives the motion."
                    : std::string("Not known: the model lacks the inertia.")};
    Outlook found{
        .kind = best.kind, .parameters = best.parameters, .fit = best.fit, .findings = {}, .next = {}, .level = {}};
    const bool lacks_level = std::any_of(best.parameters.begin(), best.parameters.end(), [](const FittedParameter& p) {
        return p.is_level() && p.identifiable == Identifiable::no;
    });
    if (lacks_level && best.parameter(FittedQuantity::Fs)) found.level = before.level;
    if (report.result.static_points)  // bristle parameters, which no curve shows
        for (const FittedParameter& p : before.parameters)
            if (!std::isfinite(p.value) && !best.parameter(p.quantity)) found.parameters.push_back(p);
    std::vector<std::string> out = outlook_sentences(found, report.units());
    if (const std::string other = differences(before, best); !other.empty())
        out.push_back("The check before the fit judged " + other + ", because it " +
                      (before.kind != best.kind
                           ? "judges " + plain_text(before.kind) + "."
                           : std::string("takes the values of a rough fit to part of the rows, and its errors lack the "
                                         "change with the bandwidth.")));
    return out;
}

}  // namespace bristle::report
