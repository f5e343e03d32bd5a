#include <gallery/studies.hpp>
#include <report/files.hpp>
#include <report/json.hpp>

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

void carry_out(StudyExhibit& exhibit, const report::Subject& subject, const report::Progress& progress) {
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

bool draws(const StudyExhibit& exhibit) { return !exhibit.analysis.figure.panels.empty(); }

std::string draw(StudyExhibit& exhibit, const std::filesystem::path& folder) {
    const std::string name = exhibit.paper->folder + "-" + exhibit.study->name;
    report::Figure& figure = exhibit.analysis.figure;
    figure.title = "";  // the page has it
    figure.png = false;
    if (!report::write(figure, folder, name).note.empty()) return no_gnuplot;
    exhibit.picture = report::load(folder / (name + ".svg"));
    return "";
}

std::string command(const Study& study) {
    std::string out = "bristle analyse " + study.experiment + " --" + report::name_of(study.request.asked);
    if (!study.request.window.empty()) out += " " + study.request.window;
    return out;
}

}  // namespace bristle::gallery
