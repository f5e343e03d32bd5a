// Report of a certificate: text, JSON, and a page with figures of the counterexample.
#pragma once
#include "analyse/counterexample/legs.hpp"
#include <bristle/analyse/assessment.hpp>
#include "report/figure/figure.hpp"
#include "report/run/json.hpp"
#include "report/run/outcome.hpp"

namespace bristle::report {

// A certified experiment, and the replay of its counterexample.
struct Certified {
    experiment::Experiment experiment;
    std::string stem;  // file names are STEM-certificate.html, STEM-counterexample.toml
    std::vector<experiment::Override> overrides;
    Assessment assessment;
    std::string counterexample;          // experiment file; empty: none, or none that `bristle run` accepts
    std::optional<std::string> no_file;  // why there is a counterexample but no file
    std::optional<Outcome> replay;       // of that file
    std::vector<bristle::counterexample::LegSample> begin;  // its first legs
};

// Sentences in lines up to the width.
std::string certificate_text(const Certified& certified, std::size_t width = 100);
// {"bounded", "dissipative", "passive", "sampled", "design"}
Json certificate_json(const Certified& certified);

// Names of all figures that a certificate can have.
namespace certificate_figure {
inline constexpr const char *corridor = "corridor", *velocity = "velocity", *force = "force", *work = "work";
}
inline constexpr const char* certificate_figure_names[] = {certificate_figure::corridor, certificate_figure::velocity,
                                                           certificate_figure::force, certificate_figure::work};

// Figures of the page: energy returned by releasing the bristle and energy needed to deflect it, and the replay.
std::vector<NamedFigure> certificate_figures(const Certified& certified);

// HTML page. pictures: SVG text in the order of the figures, empty if there is none.
std::string certificate_page(const Certified& certified, const std::vector<NamedFigure>& figures,
                             const std::vector<std::string>& pictures);

// Section of text and page.
struct CertificateSection {
    std::string heading;
    std::optional<Verdict> verdict;
    std::vector<std::string> sentences;
};
std::vector<CertificateSection> certificate_sections(const Certified& certified);

}  // namespace bristle::report
