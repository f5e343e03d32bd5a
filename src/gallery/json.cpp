// The gallery as JSON.
#include "gallery/page.hpp"
#include "gallery/studies.hpp"
#include "report/run/json.hpp"

namespace bristle::gallery {

// {"claims": [...], "failed", "experiments": [...], "analyses": [...], "replaced": {id: file}, "errata": [...], "missing_pictures": [...]}
report::Json json(const Catalogue& catalogue, const Exhibition& exhibition) {
    using report::Json;
    Json claims = Json::array(), runs = Json::array(), analyses = Json::array(), missing = Json::array(),
         errata = Json::array(), replaced = Json::object();
    std::map<std::string, const Exhibit*> first;  // the first figure of an experiment
    for (const Exhibit& exhibit : exhibition.exhibits) {
        for (const std::string& id : exhibit.figure->runs) first.emplace(id, &exhibit);
        for (std::size_t i = 0; i < exhibit.pictures.size(); ++i)
            if (exhibit.pictures[i].empty()) missing.push_back(picture_name(exhibit, i));
        if (!exhibit.figure->erratum.empty())
            errata.push_back({{"id", exhibit.figure->erratum},
                              {"paper", exhibit.paper->key},
                              {"source", exhibit.figure->source},
                              {"experiments", exhibit.figure->runs}});
    }
    for (const auto& [id, outcome] : exhibition.outcomes) {
        const Exhibit& shown = *first.at(id);
        runs.push_back({{"experiment", id}, {"done", !outcome.failure}, {"message", outcome.failure.value_or("")}});
        for (Json& claim : report::claims_of(outcome)) {
            Json row = {{"paper", shown.paper->key}, {"figure", shown.figure->name}, {"experiment", id}};
            row.update(claim);
            claims.push_back(std::move(row));
        }
    }
    for (const StudyExhibit& s : exhibition.studies) {
        analyses.push_back(
            {{"analysis", command(exhibition, *s.study)}, {"done", s.message.empty()}, {"message", s.message}});
        for (std::size_t i = 0; i < s.pictures.size(); ++i)
            if (s.pictures[i].empty()) missing.push_back(picture_name(s, i));
        for (const StudyVerdict& v : s.verdicts)
            claims.push_back({{"paper", s.paper->key},
                              {"figure", s.study->name},
                              {"experiment", s.study->experiment},
                              {"analysis", command(exhibition, *s.study)},
                              {"text", v.claim->text},
                              {"source", v.claim->source},
                              {"measure", v.claim->pointer},
                              {"measured", report::number_or_null(v.measured)},
                              {"expected", {v.claim->low, v.claim->high}},
                              {"unit", v.claim->unit},
                              {"holds", v.holds}});
    }
    for (const Formula& f : catalogue.formulas)
        errata.push_back({{"id", f.id},
                          {"paper", f.paper},
                          {"source", f.paper + " " + f.where},
                          {"printed", f.printed},
                          {"derived", f.derived},
                          {"test", f.test}});
    for (const auto& [id, file] : exhibition.replaced) replaced[id] = file;
    return {{"claims", claims},           {"failed", exhibition.failed()}, {"experiments", runs},
            {"analyses", analyses},       {"replaced", replaced},          {"errata", errata},
            {"missing_pictures", missing}};
}

std::string json_text(const report::Json& json) { return report::lines_of(json, {"claims"}) + "\n"; }

}  // namespace bristle::gallery
