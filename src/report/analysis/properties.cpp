// What the law does and does not do, with the number behind each answer.
#include <bristle/analyse/properties.hpp>
#include <report/analysis/parts.hpp>
#include <report/text.hpp>

namespace bristle::report {

Analysis property_report(const experiment::Experiment& experiment, const Progress& progress) {
    analyse::PropertyOptions options;
    options.load = experiment.setup.load.piece(0).value(0.0);
    const auto all = analyse::properties_of({experiment.setup.law}, options, progress);
    Analysis out;
    out.text = heading(experiment, "Properties, measured");
    Json list = Json::array();
    for (const analyse::LawProperties& law : all)
        for (const analyse::Property& p : law.properties) {
            const std::string answer = analyse::name_of(p.holds);
            out.text += "  " + p.question + std::string(p.question.size() < 64 ? 64 - p.question.size() : 1, ' ') +
                        answer + std::string(answer.size() < 9 ? 9 - answer.size() : 1, ' ') + readable(p.measured, 3) +
                        "\n";
            list.push_back({{"name", p.name},
                            {"question", p.question},
                            {"holds", answer},
                            {"measured", p.measured},
                            {"nothing", p.nothing},
                            {"something", p.something},
                            {"text", p.text}});
        }
    out.json = text_of({{"law", simulate::kind_of(experiment.setup.law)}, {"properties", list}});
    return out;
}

}  // namespace bristle::report
