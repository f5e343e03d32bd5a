// What the law does and does not do, with the number behind each answer.
#include <bristle/analyse/properties.hpp>
#include <bristle/catalogue.hpp>
#include "report/analysis/parts.hpp"
#include "report/run/quantity.hpp"
#include "base/text.hpp"
#include "simulate/c95_law.hpp"

namespace bristle::report {

namespace {

Json json_of(const LawProperties& law) {
    Json list = Json::array();
    for (const Property& p : law.properties)
        list.push_back({{"name", p.name},
                        {"question", p.question},
                        {"holds", name_of(p.holds)},
                        {"measured", p.measured},
                        {"nothing", p.nothing},
                        {"something", p.something},
                        {"text", p.text}});
    return {{"law", law.kind}, {"properties", list}};
}

}  // namespace

Analysis property_table(const Progress& progress) {
    std::vector<AnyLaw> laws;
    for_each_law([&](const auto& entry) { laws.push_back(c95_law(entry.kind)); });
    const auto all = properties_of(laws, {}, progress);
    Analysis out;
    Json list = Json::array();
    if (!all.empty()) {
        out.text = "Every law with the numbers of C95\n" + padded("", 20);
        for (const Property& p : all.front().properties) out.text += padded(p.name, 18);
        out.text += "\n";
    }
    for (const LawProperties& law : all) {
        out.text += padded(law.kind, 20);
        for (const Property& p : law.properties) out.text += padded(name_of(p.holds), 18);
        out.text += "\n";
        list.push_back(json_of(law));
    }
    out.json = Json{{"laws", list}};
    return out;
}

Analysis property_report(const experiment::Experiment& experiment, const Progress& progress) {
    PropertyOptions options;
    options.load = experiment.setup.load.piece(0).value(0.0);
    const auto all = properties_of({experiment.setup.law}, options, progress);
    Analysis out;
    out.text = heading(experiment, "Properties, measured (numbers relative to the law's own force or deflection)");
    for (const LawProperties& law : all) {
        for (const Property& p : law.properties)
            out.text += "  " + padded(p.question, 64) + padded(name_of(p.holds), 9) + readable(p.measured, 3) +
                        (p.name == "passive" && p.measured != 0 ? " " + unit_of(experiment, "N s/m") : "") + "\n";
        out.json = json_of(law);
    }
    return out;
}

}  // namespace bristle::report
