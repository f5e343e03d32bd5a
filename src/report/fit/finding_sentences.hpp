// Sentences for the data of a fit: findings, verdicts on laws, notes on parameters, next measurements.
#pragma once
#include <bristle/identify/fit.hpp>
#include "experiment/rotary.hpp"

namespace bristle::report {

// Numbers with the units of an axis, from units as in FittedParameter::unit: on a rotary axis N s/m is N m s/rad.
class AxisUnits {
  public:
    explicit AxisUnits(bool rotary) { axis_.rotary = rotary; }
    std::string name(const std::string& unit) const;
    // False for kg and for numbers without a unit or per second: a prefix would be misread.
    static bool takes_prefix(const std::string& unit);
    // "14.3 mm/s": with a prefix.
    std::string operator()(double x, const std::string& unit, int digits = 3) const;
    bool rotary() const { return axis_.rotary; }
    // The text, with torque for force and angle for position if the axis is rotary.
    std::string words(const std::string& text) const { return axis_.rotary ? experiment::rotary_words(text) : text; }
    const char* force() const { return axis_.rotary ? "torque" : "force"; }
    const char* position() const { return axis_.rotary ? "angle" : "position"; }

  private:
    experiment::Experiment axis_{};
};

// "for v > 0" of a direction of 1; empty for 0, both directions.
std::string direction_in_words(int direction);
// The text with these words behind it.
std::string with_direction(const std::string& text, int direction);

// What was found, what it means and what to do. Numbers that are not finite are left out.
std::string sentence_of(const FitFinding& finding, const AxisUnits& units);
// True if the sentence of a kind names the file (place) of the finding. False also for kinds whose place is no file.
bool states_place(FindingKind kind);

// The kind, and "+/-" after it if the law has a curve for each direction.
std::string name_with_directions(const LawFit& law);

// "refused: no better than coulomb, which has fewer parameters"
std::string verdict_in_words(const LawFit& law);

// "at bound", "weak", "not determined"; empty for a parameter without restriction.
std::string note_of(const FittedParameter& parameter);

// Meaning of a parameter: "static friction, for v < 0"; ", of the axis" if it does not belong to the law.
std::string meaning_of(const FittedParameter& parameter);

// Parameters that the record determines, weakly or not at all, before a law is fitted; empty if that is not known.
std::vector<std::string> outlook_sentences(const Outlook& outlook, const AxisUnits& units);

// Motions that would determine what is missing, one sentence for each motion; one sentence if nothing is missing.
std::vector<std::string> next_sentences(const FitResult& result, const AxisUnits& units);

// How the standard errors were computed.
std::string errors_in_words(const FitResult& result);

// A number for people, rounded to that many significant digits and written without an exponent from 1e-4 to 1e8: "120", not "1.2e+02".
std::string rounded(double x, int digits);
// "4.5 %"; "unknown" if the fraction is not finite.
std::string percent(double fraction, int digits = 3);
// In place of a number that does not exist.
inline constexpr const char* no_value = "-";
// The relative error; no_value if it was computed from no rows, because the fit did not converge.
std::string percent(const FitError& error);

}  // namespace bristle::report
