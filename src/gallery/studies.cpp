#include "gallery/studies.hpp"
#include "report/run/json.hpp"

namespace bristle::gallery {

namespace {

std::optional<double> number_at(const report::Json& json, const std::string& pointer) {
    try {
        const report::Json& value = json.at(report::Json::json_pointer(pointer));
        if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
        if (value.is_number()) return value.get<double>();
    } catch (const report::Json::exception&) {
    }
    return {};
}

}  // namespace

void carry_out(StudyExhibit& exhibit, const report::Subject& subject, const Progress& progress) {
    try {
        exhibit.analysis = report::analysis_of(exhibit.study->request, subject, progress);
    } catch (const Error& problem) {
        exhibit.message = problem.what();
    }
    const report::Json json =
        exhibit.message.empty() ? report::Json::parse(exhibit.analysis.json) : report::Json::object();
    for (const StudyClaim& claim : exhibit.study->claims) {
        const auto measured = number_at(json, claim.pointer);
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
