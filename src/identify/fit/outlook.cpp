// Identifiability before the fit.
#include "identify/fit/outlook.hpp"

#include "identify/fit/delay.hpp"
#include "identify/fit/findings.hpp"
#include "identify/fit/statistics.hpp"
#include "identify/fit/uncertainty.hpp"

#include <array>
#include <limits>

namespace bristle::inline identification {

Outlook outlook_of(const FitContext& context, const FittedLaw& rough) {
    Outlook out;
    if (!rough.converged) return out;
    out.kind = rough.kind;
    FitContext all = context;
    if (context.hold_out_used) {
        all.hold_out_used = false;
        split_rows(all);
    }
    const FittedLaw from = context.hold_out_used ? rough_fit(all) : rough;
    if (!from.converged) return {};
    FittedLaw law = at_values(all, from);
    law.use = context.record.compared;
    if (!law.rows.finite) return {};
    const double rows = double(fit_error(context.record, law.rows.residual, law.y, law.use).rows);
    LawFit described_law =
        described(context, law, rows / correlation_length(context.record, law.rows.residual, law.use));
    for (const FitFinding& finding : described_law.findings)
        if (finding.kind == FindingKind::inseparable) out.findings.push_back(finding);
    out.fit = described_law.fit;
    if (context.record.points)  // a curve has no presliding
        for (const auto& [name, unit, doc] : {std::array{"sigma0", "N/m", "stiffness of the bristle"},
                                              std::array{"sigma1", "N s/m", "damping of the bristle"}})
            described_law.parameters.push_back({.name = name,
                                                .unit = unit,
                                                .value = std::numeric_limits<double>::quiet_NaN(),
                                                .se = std::numeric_limits<double>::infinity(),
                                                .low = 0,
                                                .high = std::numeric_limits<double>::infinity(),
                                                .identifiable = Identifiable::no,
                                                .doc = doc,
                                                .table_name = name});
    out.next = next_measurements(context, described_law);
    out.parameters = std::move(described_law.parameters);
    return out;
}

}  // namespace bristle::identification
