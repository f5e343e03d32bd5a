// Sentences for the data of a certificate: reasons, counterexamples, theorems and steps, with the units of an experiment.
#pragma once
#include <bristle/analyse/assessment.hpp>
#include "experiment/experiment.hpp"

namespace bristle::report {

// Numbers with the units of an experiment: on a rotary axis N s/m is N m s/rad.
struct Units {
    const experiment::Experiment* experiment = nullptr;  // nullptr: a linear axis

    std::string name(const std::string& unit) const;
    // "14.3 mm/s": with a prefix.
    std::string operator()(double x, const std::string& unit, int digits = 4) const;
    // "0.4 N s/m": without a prefix.
    std::string plain(double x, const std::string& unit, int digits = 4) const;
};

std::string sentence_of(const Reason& reason, const Units& units);
std::string sentence_of(const Counterexample& example, const Units& units);
std::string sentence_of(const StepWarning& warning);
// "the largest friction force before breakaway is 4.44 N, 2.95 times the 1.504 N without sigma1; ..."
std::string sentence_of(const BreakawayPeak& breakaway, const Units& units);

// The reasons of a finding, one sentence after the other.
std::string text_of(const Finding& finding, const Units& units);
// The same for passivity, beginning with verdict, speeds and loads: "Not passive for |v| <= 10 mm/s."
std::string passivity_text(const Finding& passive, const CertifyOptions& options, const Units& units);

// "P3 (A08 (6), A08 (7), K08 (21))"; empty for Theorem::none.
std::string name_with_reference(Theorem theorem);

// The three schemes of an assessment.
std::string explicit_step_text(const Assessment& assessment);
std::string coupled_step_text(const Assessment& assessment);
std::string exact_step_text(const Assessment& assessment);

}  // namespace bristle::report
