// The parts of an experiment, each read from its section. A part that cannot be read is told in the section's diagnostics and
// comes back as far as it is known, so that the others can still be checked.
#pragma once
#include "experiment/section.hpp"

namespace bristle::experiment {

struct RigPart {
    std::optional<Rig> rig;  // std::nullopt if its kind is not known
    bool usable = false;     // every number is right
    bool hybrid = false;     // kind = "hybrid": pulled_spring by the method hybrid
};
RigPart read_rig(Section section);

// What [input] and [load] have in common.
struct InputContext {
    double duration = 1;             // s, of the run
    std::filesystem::path folder;    // where csv files are looked for
    std::vector<std::string> units;  // that a csv file may give its values in
};
std::optional<Input> read_input(Section& section, const InputContext& context);

// The rows of a csv input: a header `t [s],F [N]`, then two numbers a line. Empty where anything is wrong.
std::vector<Point> read_points(std::string_view text, const std::string& place, const std::vector<std::string>& units,
                               Diagnostics& diagnostics);

struct LawPart {
    std::optional<AnyLaw> law;  // nothing: its kind or its number of elements is not known
    bool usable = false;        // every number is right
};
struct LoadPart {
    std::optional<Input> load;
    LoadOn on = LoadOn::curve;
};
LawPart read_law(Section section, const RigPart& rig, const LoadPart& load);
LoadPart read_load(Section law, Section load, const RigPart& rig, const InputContext& context);

// Whether the law changes its equations on the way, which an integrator without events cannot follow.
bool switches(const AnyLaw& law);

Run read_run(Section& section);
void check_method(Section& section, const Run& run, const LawPart& law, const RigPart& rig);
// setup: null while the law, the rig or the load is not known. sound: the law's numbers are, and with them its stick speed.
std::vector<Claim> read_claims(Section& file, const Setup* setup, bool sound);

}  // namespace bristle::experiment
