// The parts of an experiment, each read from its section. A part that cannot be read is reported in the section's diagnostics and
// returned as far as it was read, so that the other parts can still be checked.
#pragma once
#include "experiment/section.hpp"

namespace bristle::experiment {

class CsvFiles;

struct RigPart {
    std::optional<Rig> rig;  // std::nullopt if its kind is unknown
    bool usable = false;     // every number is within its bounds
    bool hybrid = false;     // kind = "hybrid": pulled_spring by the method hybrid
};
RigPart read_rig(Section section);

// Common to [input] and [load].
struct InputContext {
    double duration = 1;                      // s, of the run
    std::filesystem::path folder;             // of csv files
    std::span<const std::string_view> units;  // allowed for the values of a csv file
    CsvFiles* csv_files = nullptr;            // points read before; null: none are kept
};
inline constexpr std::string_view force_units[] = {"N", "N m"};
std::optional<Input> read_input(Section& section, const InputContext& context);

// The rows of a csv input: a header `t [s],F [N]`, then two numbers a line. Empty if there is a problem.
std::vector<Point> read_points(std::string_view text, const std::string& place, std::span<const std::string_view> units,
                               Diagnostics& diagnostics);

struct LawPart {
    std::optional<AnyLaw> law;  // std::nullopt if its kind or its number of elements is unknown
    bool usable = false;        // every number is within its bounds
};
struct LoadPart {
    std::optional<Input> load;
    LoadOn on = LoadOn::curve;
};
LawPart read_law(Section section, const RigPart& rig, const LoadPart& load);
LoadPart read_load(Section law, Section load, const RigPart& rig, const InputContext& context);

Run read_run(Section& section);
void check_method(Section& section, const Run& run, const LawPart& law, const RigPart& rig);
// setup: null if the law, the rig or the load is unknown. sound: the law's numbers, and with them its stick speed, are valid.
std::vector<Claim> read_claims(Section& file, const Setup* setup, bool sound);

}  // namespace bristle::experiment
