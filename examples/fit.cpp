// A law from a measured record: parameters with 95 % intervals, and the certificate of the fitted law.
//
//   fit               the synthetic record of axis_record.hpp
//   fit RECORD...     CSV files with time, position and actuator force; several files are several runs
#include <bristle/identify.hpp>
#include "axis_record.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

using namespace bristle;

namespace {

// The record in files, or the synthetic one if there are none.
Record record_of(const std::vector<std::string>& files) {
    if (files.empty()) return read_record({RecordText{"axis.csv", axis::csv()}}, {});
    return read_record(matching_files(files), {});
}

// Prints value ± half width of the interval, both rounded to the first digit of the half width.
void print(const FittedParameter& parameter) {
    const double half = (parameter.high - parameter.low) / 2;
    const int digits = half > 0 ? -int(std::floor(std::log10(half))) : 3;
    const auto rounded = [&](double x) { return std::round(x * std::pow(10, digits)) / std::pow(10, digits); };
    std::printf("  %-8s%8.*f ± %.*f %s\n", parameter.name.c_str(), std::max(digits, 0), rounded(parameter.value),
                std::max(digits, 0), rounded(half), parameter.unit.c_str());
}

}  // namespace

int main(int count, char** arguments) try {
    const Record record = record_of({arguments + 1, arguments + count});
    const FitResult found = fit(record, {.model = {.measured = Measured::actuator, .inertia = Setting::find()},
                                         .laws = {"coulomb", "stribeck", "lugre"}});  // none named: all laws
    const LawFit& best = found.best();
    std::printf("%s, %s; error on held-out rows %.1f %%\n", best.kind.c_str(),
                found.has_recommendation ? "recommended" : "not recommended", 100 * best.heldout.relative);
    for (const FittedParameter& parameter : best.parameters) print(parameter);
    std::printf("passive: %s\n", name_of(certify(best.law).passive.verdict));
} catch (const Error& problem) {
    std::fprintf(stderr, "fit: %s\n", problem.what());
    return 2;
}
