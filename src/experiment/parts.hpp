// The parts of an experiment, each read from its section. A part that cannot be read is reported in the section's diagnostics and
// returned as far as it was read, so that the other parts can still be checked.
#pragma once
#include "experiment/section.hpp"

#include <map>

namespace bristle::experiment {

class CsvFiles;
class Document;

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
// For the forces of a document. duration: of the run; 1 s if it is not > 0, because the file is wrong.
InputContext input_context(const Document& document, double duration);
std::optional<Input> read_input(Section& section, const InputContext& context);
// The motion of a contact or a part, with the key `quantity`.
std::optional<Input> read_motion(Section& section, InputContext context, Quantity& quantity);

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
LoadOn read_load_on(Section& law);

// True if the file has parts of a machine in place of [law] and [rig].
bool has_parts(const Node& root);
// rotary: the units of parts that do not give theirs.
Machine read_machine(Section& file, Section& run_section, const Run& run, bool rotary, const Document& document);

Run read_run(Section& section);
void check_method(Section& section, const Run& run, const LawPart& law, const RigPart& rig);
// What claims may be about.
struct ClaimContext {
    std::optional<std::vector<Named>> signals = {};  // std::nullopt: unknown, because the file has other problems
    double duration = 0;                             // of the run [s]; 0: unknown
    // Contacts that need run.stick_speed for claims about stick: the kind of the law by the name of the contact, "" for a rig.
    std::map<std::string, std::string> without_stick_speed = {};
    const Machine* machine = nullptr;  // null: a rig
};
std::vector<Claim> read_claims(Section& file, const ClaimContext& context);

}  // namespace bristle::experiment
