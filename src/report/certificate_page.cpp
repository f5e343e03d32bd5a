#include <report/certificate.hpp>
#include <report/html.hpp>
#include <report/result_figure.hpp>
#include <report/text.hpp>

#include <analyse/energy/sweep.hpp>

#include <cmath>

namespace bristle::report {

namespace {

using analyse::Verdict;

Figure small_figure() {
    Figure figure;
    figure.width = 460;
    figure.panel_height = 310;
    figure.most_points = 1500;
    figure.png = false;
    return figure;
}

// Where the curve of what comes back lies above that of what bending costs, energy can be drawn.
std::optional<CertificateFigure> corridor(const Certified& c) {
    const simulate::AnyLaw& law = c.experiment.setup.law;
    const analyse::CertifyOptions& options = c.assessment.options;
    if (!analyse::has_one_state(law)) return {};
    std::vector<double> loads{options.load_min};
    if (options.load_max > options.load_min) loads.push_back(options.load_max);
    Series back{"returned while it goes back, at most", {}, {}}, forth{"cost of bending further, at least", {}, {}};
    // at the speeds of the example, or every line would be lost beside what absurd speeds give
    double vmax = options.vmax.value_or(std::numeric_limits<double>::infinity());
    if (const auto& example = c.assessment.certificate.passive.counterexample) {
        vmax = 0;
        for (const auto& [t, v] : example->velocity) vmax = std::max(vmax, std::abs(v));
    }
    double roof = 0, reach = 0;
    const auto all = analyse::contrasts(law, loads, vmax, 1, 240);
    const auto quotient = [&](const analyse::Contrast& at, analyse::Held held) {
        return std::isfinite(at.gain) ? analyse::quotient(law, at.z, held) : std::nan("");
    };
    for (const auto& at : all) {
        reach = std::max(reach, std::abs(at.z));
        const double returned = quotient(at, at.minus);
        if (std::isfinite(returned)) roof = std::max(roof, std::abs(returned));
    }
    const Prefix prefix = prefix_for(reach);
    for (const auto& at : all) {
        const double returned = quotient(at, at.minus), cost = quotient(at, at.plus);
        for (Series* series : {&back, &forth}) series->x.push_back(at.z * prefix.factor);
        back.y.push_back(returned);
        forth.y.push_back(cost < 3 * roof ? cost : std::nan(""));  // it grows without bound where sliding begins
    }
    CertificateFigure out{"corridor", "", small_figure()};
    out.figure.panels = {
        {"deflection z [" + std::string(prefix.letter) + "m]", "energy per way of z [N]", {back, forth}}};
    out.caption = c.assessment.certificate.passive.verdict == Verdict::refuted
                      ? "Where the first line lies above the second, going to and fro draws energy."
                      : "The slope of a storage has to fit between the two lines.";
    return out;
}

CertificateFigure replayed(const char* name, const std::string& caption, const Outcome& outcome, const char* x,
                           const char* y) {
    return {name, caption, panel_figure({&outcome}, {}, {x, y})};
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

std::vector<CertificateFigure> certificate_figures(const Certified& c) {
    std::vector<CertificateFigure> out;
    if (auto figure = corridor(c)) out.push_back(std::move(*figure));
    if (c.closer) {
        out.push_back(replayed("velocity", "The input that draws energy: how it begins.", *c.closer, "t", "v"));
        out.push_back(
            replayed("force", "Force over displacement. Where the way back lies above the way there, energy comes out.",
                     *c.closer, "x", "F"));
    }
    if (c.replay)
        out.push_back(replayed("work",
                               "Energy that the contact has taken in. Below zero it has given more than it got.",
                               *c.replay, "t", "work"));
    return out;
}

std::string certificate_page(const Certified& c, const std::vector<CertificateFigure>& figures,
                             const std::vector<std::string>& pictures) {
    const std::string title = c.experiment.title.empty() ? c.experiment.name : c.experiment.title;
    std::string body =
        tag("h1", "Certificate") + tag("p", html(title)) +
        classed("p", "soft",
                html(c.experiment.name) + " · law " + html(std::string(simulate::kind_of(c.experiment.setup.law))));
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
    if (!shown.empty())
        body += classed("section", "box", tag("h3", "The worst case") + classed("div", "pictures", shown));
    if (!c.counterexample.empty())
        body +=
            classed("section", "box",
                    tag("h3", "Replay it") + tag("p", "The counterexample is an experiment file beside this page:") +
                        tag("pre", "bristle run " + html(c.stem) + "-counterexample.toml --plot"));
    return document("Certificate: " + title, body);
}

}  // namespace bristle::report
