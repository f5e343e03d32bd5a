// An experiment as data: one TOML file with law, rig, input, run and claims, or with the parts of a machine in place of law and rig.
// docs/experiments.md is the reference.
//
//   Experiment e = read(text, "my.toml");          throws Unreadable with every problem at once
//   auto verdicts = judge(e, simulate(e));
#pragma once
#include <bristle/base/error.hpp>
#include <bristle/simulate/machine.hpp>
#include "experiment/node.hpp"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bristle::experiment {

// An interval in which a measure must lie.
struct Claim {
    std::string measure;         // stick_begin, period ...; max, min, final, value: of signal
    std::string signal;          // empty unless the measure takes one
    int at = 0;                  // which occurrence, from 1 (stick_begin, stick_end, v_zero); 0 for other measures
    std::optional<double> time;  // of value [s]
    double low = 0, high = 0;
    std::string source, text;
    std::string part = {};  // contact of a machine, of an event
};

// The value of a text on the command line: TOML, or a number such as .5 and 5., or else a string without quotes.
Node parsed_value(const std::string& text);

// --set key=value.
struct Override {
    Override(std::string key_text, std::string value_text)
        : key(std::move(key_text)), text(std::move(value_text)), value(parsed_value(text)) {}
    // With a value that is known. text: as messages show it.
    Override(std::string key_text, std::string value_text, Node known)
        : key(std::move(key_text)), text(std::move(value_text)), value(std::move(known)) {}
    std::string key, text;
    Node value;
};

struct Experiment {
    std::string name;  // id of a shipped one, or the file's name
    std::string title, source;
    bool rotary = false;             // labels: N m and rad for N and m
    Setup setup;                     // of a file with one rig
    std::optional<Machine> machine;  // of a file with parts; setup is not used then
    std::vector<Claim> claims;
    std::vector<Override> changes =
        {};  // by --set: values that differ from those of the file, for which the claims are

    const Run& run() const { return machine ? machine->run : setup.run; }
};

// Simulates the set-up or the machine.
Result simulate(const Experiment& experiment, const Progress& progress = {});
// Names and units of its signals.
std::vector<Named> signal_names(const Experiment& experiment);

// The law of each contact of a machine as an experiment of its own: its load, and a prescribed rig without motion. Throws Error if a
// load is the force of a spring.
std::vector<Experiment> contact_laws(const Experiment& machine);

inline constexpr const char* place_of_overrides = "--set";

// One problem of a file. line: 0 if there is none (a --set, a missing section).
struct Diagnostic {
    enum class Kind { broken, missing };
    std::string place;  // file, or place_of_overrides
    int line = 0;
    std::string key;         // law.sigma0, claim[2].measure (lists count from 1); empty for syntax
    std::string rule;        // broken: the rule and what to do; missing: a description of what the file needs
    std::string value = {};  // as in the file; of a part of a machine with its unit. Empty if there is none
    std::string unit = {};   // of the value in a linear rig; empty if it has none
    Kind kind = Kind::broken;
    bool operator==(const Diagnostic&) const = default;
};
using Diagnostics = std::vector<Diagnostic>;
// "law.sigma0 = -3 N/m: must be a finite number > 0", "rig.mass: is missing: mass that moves, in kg; ..."
std::string broken_rule(const Diagnostic& diagnostic);
std::string sentence(const Diagnostic& diagnostic);  // the same with its place: "my.toml:7: law.sigma0 = ..."

struct Unreadable : Error {
    explicit Unreadable(std::vector<Diagnostic> all);  // what(): all sentences, one per line
    std::vector<Diagnostic> diagnostics;
};

class Document;  // experiment/document.hpp

// The experiment of a parsed file. Throws Unreadable.
Experiment read(const Document& document);
// The same for its law alone: a file with [law] (and [load]) is enough, and stands for a prescribed rig without motion. A machine is
// read whole.
Experiment read_for_law(const Document& document);
// The set-up alone, for a document that read() has accepted before some of its numbers were changed: the names of keys, texts and
// claims are not read again. Throws Unreadable; a machine has no set-up.
Setup read_setup(const Document& document);
// The same for a file with parts: the machine without the times of its claims. Throws Unreadable; a rig is no machine.
Machine read_machine_alone(const Document& document);

// The same from text. Files named in it (csv inputs) are relative to `folder`.
Experiment read(const std::string& text, const std::string& name, const std::filesystem::path& folder = {},
                const std::vector<Override>& overrides = {});
Experiment read_for_law(const std::string& text, const std::string& name, const std::filesystem::path& folder = {},
                        const std::vector<Override>& overrides = {});

struct Verdict {
    Claim claim;
    std::optional<double> measured;  // std::nullopt if it did not occur
    bool holds = false;
};
std::vector<Verdict> judge(const Experiment& experiment, const Result& result);

// The shipped experiments, compiled in: experiments/<paper>/<figure>.toml has the id <paper>/<figure>.
struct Shipped {
    std::string_view id, text;
};
std::span<const Shipped> shipped();
const Shipped* find_shipped(std::string_view id);

}  // namespace bristle::experiment
