// JSON of a certificate.
#include "report/certificate/certificate.hpp"
#include "report/certificate/sentences.hpp"
#include "report/run/json.hpp"
#include "report/run/quantity.hpp"

#include <bristle/describe.hpp>

namespace bristle::report {

namespace {

// speed: null if the property holds at every speed.
Json json_of(const Certified& c, const Finding& finding, const std::string& text) {
    return {{"verdict", name_of(finding.verdict)},
            {"theorem", name_with_reference(finding.theorem)},
            {"text", in_words_of_axis(c.experiment, text)},
            {"speed", number_or_null(finding.speed)}};
}

Json passive_of(const Certified& c) {
    const Finding& finding = c.assessment.certificate.passive;
    const Units units{&c.experiment};
    Json out = json_of(c, finding, passivity_text(finding, c.assessment.options, units));
    out["margin"] = number_or_null(finding.margin);
    out["margin_unit"] = unit_of(c.experiment, finding.margin_unit);
    out["margin_key"] = finding.margin_key;
    out["nearest"] = nullptr;
    if (const auto& change = finding.nearest)
        out["nearest"] = {{"key", change->key}, {"from", change->from}, {"to", change->to}};
    out["counterexample"] = nullptr;
    if (const auto& example = finding.counterexample)
        out["counterexample"] = {{"energy", example->energy},
                                 {"energy_per_cycle", example->energy_per_cycle},
                                 {"duration", example->duration},
                                 {"text", in_words_of_axis(c.experiment, sentence_of(*example, units))},
                                 {"experiment", c.counterexample.empty() ? Json() : Json(c.counterexample)},
                                 {"reason", c.no_file ? Json(*c.no_file) : Json()}};
    return out;
}

Json stepping_of(const Certified& c, const Stepping& stepping, const std::string& text) {
    return {{"stable", stepping.stable ? Json(*stepping.stable) : Json()},
            {"passive", name_of(stepping.passive)},
            {"text", in_words_of_axis(c.experiment, text)}};
}

Json sampled_of(const Certified& c) {
    const Assessment& a = c.assessment;
    Json out{{"dt", number_or_null(a.dt)},
             {"exact", stepping_of(c, a.exact, exact_step_text(a))},
             {"coupled", stepping_of(c, a.coupled, coupled_step_text(a))},
             {"explicit", stepping_of(c, a.explicit_, explicit_step_text(a))}};
    out["explicit"]["limit"] = number_or_null(a.limits.explicit_limit);
    out["explicit"]["plain_limit"] = number_or_null(a.limits.plain_limit);
    out["coupled"]["unique_limit"] = number_or_null(a.limits.unique_limit);
    out["resonance"] = number_or_null(a.limits.resonance);
    out["resolving_step"] = number_or_null(a.limits.resolving_step);
    return out;
}

Json design_of(const Design& d) {
    return {{"zeta", d.zeta},
            {"zeta_max", number_or_null(d.zeta_max)},
            {"sigma1_critical", number_or_null(d.sigma1_critical)},
            {"vc_critical", number_or_null(d.vc_critical)}};
}

// Every number of the law with its unit.
Json parameters_of(const Certified& c) {
    Json out = Json::array();
    std::visit(
        [&]<class Law>(const Law& law) {
            Law::parameters(law, [&](const Parameter& p, const double& x) {
                out.push_back({{"key", full_name(p)}, {"value", x}, {"unit", unit_if_any(c.experiment, p.unit)}});
            });
        },
        c.experiment.setup.law);
    return out;
}
}  // namespace

Json certificate_json(const Certified& c) {
    const Assessment& a = c.assessment;
    const Units units{&c.experiment};
    return Json{{"name", c.experiment.name},
                {"title", c.experiment.title},
                {"law", kind_of(c.experiment.setup.law)},
                {"parameters", parameters_of(c)},
                {"set", report::json_of(c.overrides)},
                {"load", {a.options.load_min, a.options.load_max}},
                {"vmax", number_or_null(a.options.vmax)},
                {"bounded", json_of(c, a.certificate.bounded, text_of(a.certificate.bounded, units))},
                {"dissipative", json_of(c, a.certificate.dissipative, text_of(a.certificate.dissipative, units))},
                {"passive", passive_of(c)},
                {"sampled", sampled_of(c)},
                {"design", a.design ? design_of(*a.design) : Json()},
                {"fast_start", a.fast_start ? Json{{"force", a.fast_start->force},
                                                   {"without_sigma1", a.fast_start->without_sigma1},
                                                   {"ratio", a.fast_start->ratio()}}
                                            : Json()}};
}

}  // namespace bristle::report
