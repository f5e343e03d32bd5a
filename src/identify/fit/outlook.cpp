// Identifiability before the fit.
#include "identify/fit/outlook.hpp"

#include <bristle/identify/stages.hpp>

#include "identify/fit/delay.hpp"
#include "identify/fit/findings.hpp"
#include "identify/fit/statistics.hpp"
#include "identify/fit/uncertainty.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace bristle::inline identification {

namespace {

// The law described at the values of a rough fit, on all rows of the context; empty if it is not finite.
std::optional<LawFit> described_on_all_rows(const FitContext& context, const FittedLaw& from) {
    // the elements of Maxwell-slip begin each window of a short record with unknown deflections
    FittedLaw law = from.has_elements() ? refit(context, from) : at_values(context, from);
    law.use = rows_for(from.law, context.record, context.record.compared);
    if (!law.converged || !law.rows.finite) return {};
    const double rows = double(fit_error(context.record, law.rows.residual, law.y, law.use).rows);
    return described(context, law, rows / correlation_length(context.record, law.rows.residual, law.use));
}

bool is_Fc(const FittedParameter& p) { return p.quantity == FittedQuantity::Fc; }
bool is_determined(const FittedParameter& p) { return p.determined() == Identifiable::yes; }

// The level of the law with Fs = Fc, if the record determines this level but not Fc beside Fs.
std::vector<FittedParameter> single_level(const FitContext& context, const LawFit& law) {
    bool missing = false, has_static_level = false;
    for (const FittedParameter& p : law.parameters) {
        missing = missing || (is_Fc(p) && !is_determined(p));
        has_static_level = has_static_level || p.quantity == FittedQuantity::Fs;
    }
    if (!missing || !has_static_level) return {};
    FitContext one = context;
    one.axis.one_level = one.short_axis.one_level = true;
    const FittedLaw rough = rough_fit(one, law.kind, {});
    if (!rough.converged) return {};
    const auto found = described_on_all_rows(one, rough);
    std::vector<FittedParameter> out;
    for (const FittedParameter& p : found ? found->parameters : std::vector<FittedParameter>{})
        if (is_Fc(p)) out.push_back(p);
    return std::all_of(out.begin(), out.end(), is_determined) ? out : std::vector<FittedParameter>{};
}

}  // namespace

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
    std::optional<LawFit> law = described_on_all_rows(all, from);
    if (!law) return {};
    for (const FitFinding& finding : law->findings)
        if (finding.kind == FindingKind::inseparable) out.findings.push_back(finding);
    out.fit = law->fit;
    out.level = single_level(all, *law);
    if (context.record.points && rough.kind == kind_of_check(true))  // a curve has no presliding
        for (const auto& [quantity, name, unit, doc] :
             {std::tuple{FittedQuantity::sigma0, "sigma0", "N/m", "stiffness of the bristle"},
              std::tuple{FittedQuantity::sigma1, "sigma1", "N s/m", "damping of the bristle"}})
            law->parameters.push_back({.name = name,
                                       .unit = unit,
                                       .value = std::numeric_limits<double>::quiet_NaN(),
                                       .se = std::numeric_limits<double>::infinity(),
                                       .low = 0,
                                       .high = std::numeric_limits<double>::infinity(),
                                       .identifiable = Identifiable::no,
                                       .quantity = quantity,
                                       .doc = doc,
                                       .table_name = name});
    out.next = next_measurements(context, *law);
    out.parameters = std::move(law->parameters);
    return out;
}

}  // namespace bristle::identification
