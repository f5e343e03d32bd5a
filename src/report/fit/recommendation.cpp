// The recommendation of a fit in words, and the laws that were not fitted.
#include "report/fit/fit_report.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::report {

namespace {

// The law in a few words, from the catalogue; its kind if it is unknown.
std::string title_of(const std::string& kind) {
    std::string out = kind;
    for_each_law([&](const auto& entry) {
        if (kind == entry.kind) out = entry.title;
    });
    return out;
}

std::string law_in_words(const LawFit& law) {
    return plain_text(law.kind) + " (" + plain_text(title_of(law.kind)) +
           (law.own_directions ? ", with a curve for each direction)" : ")");
}

// The law with the smallest value among those other than the first whose fit converged; nullptr if there is none.
template <class Value>
const LawFit* least_of_others(const FitResult& result, const Value& value) {
    const LawFit* out = nullptr;
    for (const LawFit& law : result.laws)
        if (&law != &result.best() && law.reason != RefusalReason::did_not_converge && std::isfinite(value(law)) &&
            (!out || value(law) < value(*out)))
            out = &law;
    return out;
}

// Comparison of the recommended law with the others, as the end of a sentence that begins with the number of laws.
std::string comparison_in_words(const FitResult& result) {
    const LawFit& best = result.best();
    const auto error = [](const LawFit& law) { return law.heldout.rows > 0 ? law.heldout.relative : INFINITY; };
    if (!result.method.hold_out_used || !std::isfinite(error(best))) {
        const LawFit* other = least_of_others(result, [](const LawFit& law) { return law.bic; });
        return (other && other->bic < best.bic ? "it has the best information criterion (BIC) of those not refused"
                                               : "it has the best information criterion (BIC)") +
               std::string("; no rows were held out.");
    }
    const LawFit* other = least_of_others(result, error);
    if (!other || error(best) <= error(*other)) return "it describes the held-out rows best.";
    // a difference of 10 % is clear, as in the comparison of the fit
    if (error(best) <= 1.1 * error(*other))
        return "none describes the held-out rows clearly better (by more than 10 %).";
    return name_with_directions(*other) + " has a smaller error (" + percent(error(*other)) + " with " +
           counted(std::size_t(other->free), "parameter", "parameters") + ", not " + std::to_string(best.free) +
           "), but is " + verdict_in_words(*other) + ".";
}

// Number of the law's parameters that the record does not determine.
std::string support_in_words(const LawFit& law) {
    std::size_t all = 0, missing = 0, weak = 0;
    for (const FittedParameter& p : law.parameters) {
        if (!p.of_law()) continue;
        ++all;
        missing += p.identifiable == Identifiable::no;
        weak += p.identifiable == Identifiable::weak;
    }
    if (all == 0) return "";
    const std::string of_all = " of its " + counted(all, "parameter", "parameters");
    const auto are = [](std::size_t n) { return n == 1 ? " is " : " are "; };
    if (missing > 0) return " " + std::to_string(missing) + of_all + are(missing) + "not determined by this record.";
    if (weak > 0) return " " + std::to_string(weak) + of_all + are(weak) + "poorly determined by this record.";
    return " This record determines each" + of_all + ".";
}

// Gear laws have no load: neither a column, nor a number, nor the force of an actuator along a motion.
bool has_no_load(const FitReport& report) {
    const FitModel& model = report.options.model;
    return report.constant_load() && model.load.kind != Setting::Kind::given &&
           (model.measured == Measured::friction || report.result.static_points);
}
bool is_gear(const std::string& kind) {
    const auto law = law_of_kind(kind);
    return law && neutral_load_of(*law) == 0;
}

}  // namespace

std::string recommendation(const FitReport& report) {
    const FitResult& result = report.result;
    if (!report.has_law()) return "No law could be fitted to this record.";
    const LawFit& best = result.best();
    if (!report.is_converged())
        return "No law deserves a recommendation: " +
               (result.laws.size() == 1 ? "the fit of " + law_in_words(best) + " did not converge."
                                        : "none of the " + std::to_string(result.laws.size()) + " fits converged.");
    if (const FitFinding* cause = first_cause(result))
        return "No law deserves a recommendation. " + sentence_of(*cause, report.units());
    const bool held_out = result.method.hold_out_used && best.heldout.rows > 0 && std::isfinite(best.heldout.relative);
    const std::string error =
        held_out ? percent(best.heldout) + " on held-out rows" : percent(best.fit) + " on the fitted rows";
    if (!result.has_recommendation)
        return "No law deserves a recommendation. The first of the comparison is " + law_in_words(best) +
               ", with an error of " + error + "; " + verdict_in_words(best) + ".";
    std::string out = "Recommended law: " + law_in_words(best) + ", with an error of " + error + ". ";
    if (result.laws.size() == 1)
        out += "No other law was fitted.";
    else
        out += "Of the " + counted(result.laws.size(), "law", "laws") + " that were fitted, " +
               comparison_in_words(result);
    return out + support_in_words(best);
}

std::vector<std::string> unfitted_sentences(const FitReport& report) {
    std::vector<std::string> wanted = report.options.laws;
    if (wanted.empty()) for_each_law([&](const auto& entry) { wanted.emplace_back(entry.kind); });
    std::string with_memory, without_load, without_position;
    for (const std::string& kind : wanted) {
        const bool fitted = std::any_of(report.result.laws.begin(), report.result.laws.end(),
                                        [&](const LawFit& law) { return law.kind == kind; });
        if (fitted) continue;
        if (report.result.static_points && !kind_is_static(kind))
            append_item(with_memory, kind);
        else if (is_gear(kind) && has_no_load(report))
            append_item(without_load, kind);
        else if (report.options.model.output == Output::position)
            append_item(without_position, kind);
    }
    std::vector<std::string> out;
    if (!without_load.empty())
        out.push_back(
            "Not fitted, because they need a load besides the measured force (--load COLUMN, --model.load NUMBER, or "
            "--gravity): " +
            without_load + ".");
    if (!with_memory.empty())
        out.push_back("Not fitted, because points of a curve show static laws only: " + with_memory + ".");
    if (!without_position.empty())
        out.push_back("Not fitted, because they have no position output: " + without_position + ".");
    return out;
}

}  // namespace bristle::report
