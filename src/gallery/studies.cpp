// Analyses of the gallery and their verdicts.
#include "gallery/studies.hpp"
#include "report/run/json.hpp"

#include <cmath>

namespace bristle::gallery {

namespace {

std::optional<double> number_at(const report::Json& json, const std::string& pointer) {
    try {
        const report::Json& value = json.at(report::Json::json_pointer(pointer));
        if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
        if (value.is_number() && std::isfinite(value.get<double>()))
            return value.get<double>();  // else written as null
    } catch (const report::Json::exception&) {
    }
    return {};
}

}  // namespace

void carry_out(StudyExhibit& exhibit, const Documents& documents, const Progress& progress) {
    try {
        const experiment::Document document = documents(exhibit.study->experiment);
        exhibit.analysis = report::analysis_of(exhibit.study->request, {document.name(), document}, progress);
    } catch (const Error& problem) {
        exhibit.message = problem.what();
    }
    for (const StudyClaim& claim : exhibit.study->claims) {
        const auto measured = number_at(exhibit.analysis.json, claim.pointer);
        exhibit.verdicts.push_back({&claim, measured, measured && *measured >= claim.low && *measured <= claim.high});
    }
}

std::string command(const Exhibition& exhibition, const Study& study) {
    const auto file = exhibition.replaced.find(study.experiment);
    std::string out = "bristle analyse " + (file == exhibition.replaced.end() ? study.experiment : file->second) +
                      " --" + report::name_of(study.request.asked);
    if (!study.request.window.empty()) out += " " + study.request.window;
    if (study.request.starts != report::Request{}.starts) out += " --starts " + std::to_string(study.request.starts);
    return out;
}

}  // namespace bristle::gallery
