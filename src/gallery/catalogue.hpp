// The content of the gallery: gallery/<paper>.toml lists the figures of a paper with their experiments, gallery/errata.toml the
// formulas that are printed wrong. Both are compiled in, as the experiments are.
#pragma once
#include "experiment/experiment.hpp"
#include "report/analysis/request.hpp"
#include "report/run/result_figure.hpp"

namespace bristle::gallery {

struct Figure {
    std::string name;    // unique within its paper
    std::string source;  // "A08 fig 6"
    std::string title, text;
    std::vector<std::string> runs;    // ids of shipped experiments, drawn in one picture
    std::vector<std::string> labels;  // one for each run; none for a single run
    std::vector<report::PanelView> panels;
    std::string erratum;  // "E2" if the runs show an erratum side by side; else empty
};

// A number in the JSON of an analysis lies between two others; true counts as 1, false as 0.
struct StudyClaim {
    std::string pointer;  // "/points/0/value" (RFC 6901)
    double low, high;
    std::string unit;  // of all three numbers; empty: a pure number
    std::string source, text;
};
// An analysis of an experiment: `bristle analyse EXPERIMENT --ANALYSE WINDOW`.
struct Study {
    std::string name;  // unique within its paper, among figures too
    std::string source, title, text;
    std::string experiment;  // id of a shipped one
    report::Request request;
    std::vector<StudyClaim> claims;
};

struct Paper {
    std::string key;     // "A08"
    std::string folder;  // "astrom2008", of its experiments
    std::string citation, text;
    std::vector<Figure> figures;
    std::vector<Study> studies;
    bool is_published = true;  // false: experiments of our own
};

struct Formula {
    std::string id, name, paper, where, printed, derived, text;
    std::string test;  // name of the test that computes both
};

struct Catalogue {
    std::vector<Paper> papers;
    std::vector<Formula> formulas;
};

// The compiled-in files.
std::span<const experiment::Shipped> files();

// Throws experiment::Unreadable with every problem at once: unknown keys and experiments, missing texts, a wrong number of labels.
Catalogue read(std::span<const experiment::Shipped> files);
// The catalogue of the compiled-in files, read at the first call.
const Catalogue& shipped_catalogue();

}  // namespace bristle::gallery
