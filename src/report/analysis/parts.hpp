// Complex numbers as JSON and text, labels and headings: shared by the reports of analyses. Includes the JSON library.
#pragma once
#include "report/analysis/analysis.hpp"
#include "report/run/json.hpp"

#include <complex>

namespace bristle::report {

Json json_of(const std::vector<std::complex<double>>& numbers);  // [[re, im], ...]
std::string in_words(const std::vector<std::complex<double>>& numbers, std::size_t most = 4);

// "σ₂" in "N s/m"
AxisLabel axis_of_key(const experiment::Experiment& experiment, const std::string& key);
// "σ₂ = 0.2 N s/m"
std::string key_in_words(const experiment::Experiment& experiment, const std::string& key, double value);

// Eigenvalues of one equilibrium, with its kind and stability; their figure in the complex plane, with those near zero in a panel of their own.
struct EigenvalueSet {
    std::string name;
    std::vector<std::complex<double>> values;
};
Figure eigenvalue_figure(const std::string& title, const std::vector<EigenvalueSet>& sets);

// A report with its heading and the first line of its text.
Analysis report_on(const experiment::Experiment& experiment, const std::string& first_line);
std::string unit_of_state(const experiment::Experiment& experiment, const std::string& state);

// Returns true if a window spans more than a factor of 30: then steps and axis are even in the logarithm.
bool by_decades(double from, double to);
}  // namespace bristle::report
