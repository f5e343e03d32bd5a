// A certificate for people and programs: plain sentences, JSON, and a page with the worst case as a picture.
#pragma once
#include "analyse/counterexample/legs.hpp"
#include <bristle/analyse/assessment.hpp>
#include "report/figure/figure.hpp"
#include "report/run/json.hpp"
#include "report/run/outcome.hpp"

namespace bristle::report {

// What is certified, and the replay of its counterexample where there is one.
struct Certified {
    experiment::Experiment experiment;
    std::string stem;  // what files about it are called: STEM-certificate.html, STEM-counterexample.toml
    std::vector<experiment::Override> overrides;
    Assessment assessment;
    std::string counterexample;     // experiment file; empty: none, or none that `bristle run` takes
    std::optional<Outcome> replay;  // of that file
    std::vector<LegSample> begin;   // its first legs
};

// A text of the engine, which counts in N and m, with the units of the experiment: on a rotary axis "3 N s/m" becomes "3 N m s/rad".
std::string with_units_of(const experiment::Experiment& experiment, const std::string& text);

// Sentences, lines up to the width.
std::string certificate_text(const Certified& certified, std::size_t width = 100);
// {"bounded", "dissipative", "passive", "sampled", "design"}
Json certificate_json(const Certified& certified);

// The pictures of the page: what letting the bristle back returns against what bending it costs, and the replay.
struct CertificateFigure {
    std::string name, caption;
    Figure figure;
};
std::vector<CertificateFigure> certificate_figures(const Certified& certified);

// A page of its own; the pictures as SVG text, in the order of the figures, empty where there is none.
std::string certificate_page(const Certified& certified, const std::vector<CertificateFigure>& figures,
                             const std::vector<std::string>& pictures);

// The sections of text and page: a heading and its sentences.
struct CertificateSection {
    std::string heading;
    std::optional<Verdict> verdict;
    std::vector<std::string> sentences;
};
std::vector<CertificateSection> certificate_sections(const Certified& certified);

}  // namespace bristle::report
