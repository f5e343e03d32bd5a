// Page of a certificate: sections, figures of the counterexample, and how to replay it.
#include "report/certificate/certificate.hpp"
#include "experiment/write_law.hpp"
#include "report/page/html.hpp"
#include "report/run/quantity.hpp"
#include "report/run/result_figure.hpp"
#include "base/text.hpp"

#include "analyse/counterexample/sweep.hpp"

#include <cmath>
#include <limits>

namespace bristle::report {

namespace {

// Energy returned by releasing z and energy needed to deflect it, per metre of z: energy can be extracted where the first is larger.
std::optional<NamedFigure> corridor(const Certified& c) {
    const AnyLaw& law = c.experiment.setup.law;
    const CertifyOptions& options = c.assessment.options;
    if (!counterexample::has_one_state(law)) return {};
    std::vector<double> loads{options.load_min};
    if (options.load_max > options.load_min) loads.push_back(options.load_max);
    Series released{"returned by release, at most", {}, {}}, deflected{"needed for deflection, at least", {}, {}};
    // at the speeds of the counterexample: extreme speeds would hide both lines
    double vmax = options.vmax.value_or(std::numeric_limits<double>::infinity());
    if (const auto& example = c.assessment.certificate.passive.counterexample) {
        vmax = 0;
        for (const auto& [t, v] : example->velocity) vmax = std::max(vmax, std::abs(v));
    }
    // in the direction in which more energy is returned
    auto all = counterexample::contrasts(law, loads, vmax, 1, 240);
    const auto best = [](const std::vector<counterexample::Contrast>& some) {
        double largest = -std::numeric_limits<double>::infinity();
        for (const auto& at : some) largest = std::max(largest, at.gain);
        return largest;
    };
    if (auto other = counterexample::contrasts(law, loads, vmax, -1, 240);
        best(other) > best(all) + 1e-6 * std::abs(best(all)))
        all = std::move(other);
    const bool forward = !all.empty() && all.front().z > 0;
    // for z < 0 the two velocities are exchanged
    const auto signed_quotient = [&](const counterexample::Contrast& at, counterexample::Held held) {
        return std::isfinite(at.gain) ? (forward ? 1 : -1) * counterexample::quotient(law, at.z, held) : std::nan("");
    };
    const auto returned = [&](const counterexample::Contrast& at) {
        return signed_quotient(at, forward ? at.minus : at.plus);
    };
    const auto cost = [&](const counterexample::Contrast& at) {
        return signed_quotient(at, forward ? at.plus : at.minus);
    };
    // the figure ends where the cost, which has no bound, is far above all other values; a proved law returns little energy, so the figure
    // includes the cost at half the deflection
    double roof = 0, reach = 0;
    for (const auto& at : all) {
        reach = std::max(reach, std::abs(at.z));
        if (const double y = returned(at); std::isfinite(y)) roof = std::max(roof, std::abs(y));
    }
    if (const double half = cost(all[all.size() / 2]); std::isfinite(half)) roof = std::max(roof, half);
    const Prefix prefix = prefix_for(reach);
    bool cut = false;
    for (const auto& at : all) {
        for (Series* series : {&released, &deflected}) series->x.push_back(std::abs(at.z) * prefix.factor);
        released.y.push_back(returned(at));
        const bool outside = cost(at) >= 3 * roof;
        cut = cut || outside;
        deflected.y.push_back(outside ? std::nan("") : cost(at));
    }
    NamedFigure out{certificate_figure::corridor, "", small_figure()};
    const std::string metre = unit_of(c.experiment, "m"), newton = unit_of(c.experiment, "N");
    out.figure.panels = {{{forward ? "deflection z" : "deflection -z", std::string(prefix.letter) + metre},
                          {"energy per deflection dE/dz", newton},
                          {released, deflected}}};
    const Verdict verdict = c.assessment.certificate.passive.verdict;
    out.caption =
        verdict == Verdict::refuted
            ? "Where the first line lies above the second, moving z back and forth extracts energy."
        : verdict == Verdict::proved
            ? "The first line lies nowhere above the second: the slope of a storage function fits between them."
            : "The slope of a storage function would have to fit between the two lines.";
    if (cut) out.caption += " The second line has no bound: it continues above the figure.";
    return out;
}

// One signal of the first legs as a function of another.
NamedFigure drawn_legs(const char* name, const std::string& caption, Series series, const AxisLabel& x,
                       const AxisLabel& y) {
    NamedFigure out{name, caption, small_figure()};
    out.figure.panels = {{x, y, {std::move(series)}}};
    return out;
}
double largest(const std::vector<double>& all) {
    double largest = 0;
    for (const double x : all) largest = std::max(largest, std::abs(x));
    return largest;
}
AxisLabel scaled(std::vector<double>& all, const std::string& name, const std::string& unit) {
    const Prefix prefix = prefix_for(largest(all));
    for (double& x : all) x *= prefix.factor;
    return {name, prefix.letter + unit};
}

const AxisLabel leg_axis{"leg of the input, all drawn equally wide", ""};

// Speeds of one order of magnitude on a linear axis; others by their logarithm, so that slow legs differ from rest.
NamedFigure velocity_figure(const Certified& c) {
    double slowest = std::numeric_limits<double>::infinity(), fastest = 0;
    for (const auto& at : c.begin)
        if (at.v != 0) {
            slowest = std::min(slowest, std::abs(at.v));
            fastest = std::max(fastest, std::abs(at.v));
        }
    const std::string unit = unit_of(c.experiment, "m/s"),
                      caption = "The first legs of the input that extracts energy.";
    if (!(fastest > 30 * slowest)) {
        Series v;
        for (const auto& at : c.begin) {
            v.x.push_back(at.leg);
            v.y.push_back(at.v);
        }
        const AxisLabel label = scaled(v.y, "velocity v", unit);
        return drawn_legs(certificate_figure::velocity, caption, v, leg_axis, label);
    }
    Series forward{"forward", {}, {}}, backward{"backward", {}, {}};
    for (const auto& at : c.begin)
        for (Series* series : {&forward, &backward}) {
            const double v = series == &forward ? at.v : -at.v;
            series->x.push_back(at.leg);
            series->y.push_back(v > 0 ? std::log10(v) : std::nan(""));
        }
    NamedFigure out{certificate_figure::velocity, caption + " Speeds over many decades: logarithm.", small_figure()};
    out.figure.panels = {{leg_axis, {"speed, log10 of |v| in " + unit, ""}, {forward, backward}}};
    return out;
}

// Velocity, force over displacement, and energy over the legs.
std::vector<NamedFigure> begin_figures(const Certified& c) {
    Series force, work;
    force.mark = Mark::path;
    for (const auto& at : c.begin) {
        force.x.push_back(at.x);
        force.y.push_back(at.F);
        work.x.push_back(at.leg);
        work.y.push_back(at.work);
    }
    const AxisLabel x = scaled(force.x, "displacement x", unit_of(c.experiment, "m")),
                    F = scaled(force.y, "friction force F", unit_of(c.experiment, "N")),
                    J = scaled(work.y, "work done on the contact", "J");
    const std::string below_zero = "Below zero more energy is extracted than was supplied.";
    std::vector<NamedFigure> out{velocity_figure(c),
                                 drawn_legs(certificate_figure::force,
                                            "Force over displacement. Energy is extracted where the force drives "
                                            "the motion: below zero while x increases, "
                                            "above zero while x decreases.",
                                            force, x, F)};
    const auto& example = *c.assessment.certificate.passive.counterexample;
    const std::size_t legs = example.velocity.size() - (example.ramps ? 1 : 0);
    if (c.begin.back().leg + 0.5 > double(legs) || !c.replay)
        out.push_back(
            drawn_legs(certificate_figure::work, "Energy supplied to the contact. " + below_zero, work, leg_axis, J));
    else
        out.push_back({certificate_figure::work, "Energy supplied to the contact, over all cycles. " + below_zero,
                       panel_figure({&*c.replay}, {}, {"t", "work"})});
    return out;
}

std::string verdict_mark(Verdict verdict) {
    switch (verdict) {
        case Verdict::proved:
            return classed("span", "good", "✓ proved");
        case Verdict::refuted:
            return classed("span", "bad", "✗ refuted");
        case Verdict::undecided:
            break;
    }
    return classed("span", "flag", "? undecided");
}

}  // namespace

std::vector<NamedFigure> certificate_figures(const Certified& c) {
    std::vector<NamedFigure> out;
    if (auto figure = corridor(c)) out.push_back(std::move(*figure));
    if (!c.begin.empty())
        for (NamedFigure& figure : begin_figures(c)) out.push_back(std::move(figure));
    for (NamedFigure& figure : out) {
        figure.caption = in_words_of_axis(c.experiment, figure.caption);
        if (has_rotary_units(c.experiment)) figure.figure = with_rotary_words(std::move(figure.figure));
    }
    return out;
}

std::string certificate_page(const Certified& c, const std::vector<NamedFigure>& figures,
                             const std::vector<std::string>& pictures) {
    const std::string title = c.experiment.title.empty() ? c.experiment.name : c.experiment.title;
    std::string body =
        tag("h1", "Certificate") + tag("p", html(title)) +
        classed("p", "soft", html(c.experiment.name) + " · law " + html(std::string(kind_of(c.experiment.setup.law))));
    std::string changed;
    for (const experiment::Override& one : c.overrides) append_item(changed, one.key + "=" + one.text);
    body += classed("section", "box",
                    tag("h3", "The law") +
                        tag("pre", html_lines(experiment::law_section(c.experiment.setup.law, "",
                                                                      has_rotary_units(c.experiment)))) +
                        (changed.empty() ? "" : tag("p", "Changed by --set: " + html(changed))) +
                        (!experiment::has_rotary_units(c.experiment)
                             ? ""
                             : tag("p", "The axis is rotary: torques in N m, angles in rad.")));
    for (const CertificateSection& section : certificate_sections(c)) {
        std::string text =
            tag("h3", html(section.heading) + (section.verdict ? " " + verdict_mark(*section.verdict) : std::string()));
        for (const std::string& sentence : section.sentences) text += tag("p", html(sentence));
        body += classed("section", "box", text);
    }
    std::string shown;
    for (std::size_t i = 0; i < figures.size(); ++i) {
        if (i >= pictures.size() || pictures[i].empty()) continue;
        shown += classed("div", "picture",
                         inlined(pictures[i], figures[i].name + "-", figures[i].caption) +
                             classed("p", "soft", html(figures[i].caption)));
    }
    const Verdict verdict = c.assessment.certificate.passive.verdict;
    const char* heading = verdict == Verdict::refuted  ? "The worst case"
                          : verdict == Verdict::proved ? "Why it is passive"
                                                       : "What is known";
    // two columns: wide enough for the labels
    if (!shown.empty())
        body +=
            classed("section", "box",
                    tag("h3", heading) + tag("div", shown,
                                             "class=\"pictures\" style=\"display: grid; grid-template-columns: "
                                             "repeat(auto-fit, minmax(min(100%, 28rem), 1fr)); max-width: 70rem\""));
    if (!c.counterexample.empty())
        body += classed("section", "box",
                        tag("h3", "Replay") + tag("p", "The counterexample is an experiment file beside this page:") +
                            tag("pre", "bristle run " + html(c.stem) + "-counterexample.toml --plot",
                                "style=\"white-space: pre-wrap\""));
    body += classed(
        "p", "soft",
        "A08: Åström and Canudas de Wit, Revisiting the LuGre friction model, 2008. B05: Benitez, Acho and Guerra, "
        "Dynamic "
        "hysteresis model derivated from LuGre model, 2005. K08: Koopman, Jeltsema and Verhaegen, Port-Hamiltonian "
        "formulation and analysis of the LuGre friction model, 2008.");
    return document("Certificate: " + title, body);
}

}  // namespace bristle::report
