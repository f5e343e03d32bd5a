// Verdicts on the fitted laws.
#include "identify/fit/compare.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::inline identification {

namespace {

const FitError& tested(const LawFit& law, bool held_out) { return held_out ? law.heldout : law.fit; }

void refuse(LawFit& law, RefusalReason reason, std::string than = "") {
    law.verdict = LawVerdict::refused;
    law.reason = reason;
    law.than = std::move(than);
}

bool has_negative_inertia(const LawFit& law) {
    const FittedParameter* inertia = law.parameter(FittedQuantity::inertia);
    return inertia != nullptr && inertia->high < 0;
}

// Number of parameters of the law that the record does not determine.
long undetermined(const LawFit& law) {
    return std::count_if(law.parameters.begin(), law.parameters.end(),
                         [](const FittedParameter& p) { return p.of_law() && p.identifiable == Identifiable::no; });
}

}  // namespace

bool compare(std::vector<LawFit>& laws, const std::vector<double>& costs, double independent_rows, bool held_out) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < laws.size(); ++i) {
        LawFit& law = laws[i];
        const double rows = std::max(1.0, double(law.fit.rows));
        law.bic =
            independent_rows * std::log(std::max(costs[i], 1e-300) / rows) + law.free * std::log(independent_rows);
        if (law.reason == RefusalReason::did_not_converge) {
            law.verdict = LawVerdict::refused;
            law.bic = std::numeric_limits<double>::infinity();
            continue;
        }
        if (has_negative_inertia(law))
            refuse(law, RefusalReason::negative_inertia);
        else if (const double error = tested(law, held_out).nrmse; error > 0)
            least = std::min(least, error);
    }
    for (LawFit& law : laws)
        if (law.verdict != LawVerdict::refused)
            if (const FitError& error = tested(law, held_out); error.r2 < 0.5 || error.nrmse > 2 * least)
                refuse(law, RefusalReason::fails_held_out);
    for (LawFit& law : laws) {
        if (law.verdict == LawVerdict::refused) continue;
        const LawFit* better = nullptr;
        for (const LawFit& other : laws) {
            const bool stands =
                other.verdict != LawVerdict::refused || other.reason == RefusalReason::no_better_than_simpler;
            const bool as_good =
                other.bic <= law.bic && tested(other, held_out).nrmse <= 1.05 * tested(law, held_out).nrmse;
            if (&other != &law && stands && other.free < law.free && as_good && (!better || other.bic < better->bic))
                better = &other;
        }
        if (better) refuse(law, RefusalReason::no_better_than_simpler, better->kind);
    }
    std::stable_sort(laws.begin(), laws.end(), [](const LawFit& a, const LawFit& b) {
        const bool ra = a.verdict == LawVerdict::refused, rb = b.verdict == LawVerdict::refused;
        return ra != rb ? rb : a.bic < b.bic;
    });
    if (laws.empty() || laws.front().verdict == LawVerdict::refused) return false;
    // a clearly smaller held-out error outweighs the criterion
    if (held_out) {
        auto best = laws.begin();
        for (auto law = laws.begin(); law != laws.end(); ++law)
            if (law->verdict != LawVerdict::refused && law->heldout.nrmse * 1.1 < best->heldout.nrmse) best = law;
        std::rotate(laws.begin(), best, best + 1);
    }
    // of laws with almost the same held-out error, the one with the fewest parameters that the record does not determine
    const double limit = 1.1 * tested(laws.front(), held_out).nrmse;
    auto clearest = laws.begin();
    for (auto law = laws.begin(); law != laws.end(); ++law)
        if (law->verdict != LawVerdict::refused && tested(*law, held_out).nrmse <= limit &&
            undetermined(*law) < undetermined(*clearest))
            clearest = law;
    std::rotate(laws.begin(), clearest, clearest + 1);
    laws.front().verdict = LawVerdict::recommended;
    return true;
}

}  // namespace bristle::identification
