// An experiment as data: one TOML file with law, rig, input, run and claims. docs/experiments.md is the reference.
//
//   Experiment e = read(text, "my.toml");          throws Unreadable with every problem at once
//   auto verdicts = judge(e, simulate(e.setup));
#pragma once
#include <bristle/base/error.hpp>
#include <bristle/simulate/result.hpp>

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bristle::experiment {

// What must come out: a measure lies between two numbers.
struct Claim {
    std::string measure;         // stick_begin, period ...; max, min, final, value: of signal
    std::string signal;          // empty unless the measure takes one
    int at = 0;                  // which occurrence, from 1 (stick_begin, stick_end, v_zero); 0 for other measures
    std::optional<double> time;  // of value [s]
    double low, high;
    std::string source, text;
};

struct Experiment {
    std::string name;  // id of a shipped one, or the file's name
    std::string title, source;
    bool rotary = false;  // labels: N m and rad for N and m
    Setup setup;
    std::vector<Claim> claims;
};

// One problem of a file. line is 0 where there is none (a --set, a missing section).
struct Diagnostic {
    std::string place;  // file, or "--set"
    int line = 0;
    std::string key;    // law.sigma0, claim[2].measure (lists count from 1); empty for syntax
    std::string rule;   // what is wrong and what to do
    std::string value;  // what is there, with its unit; empty where nothing is
};
std::string sentence(const Diagnostic& diagnostic);  // "my.toml:7: law.sigma0 = -3 N/m: must be a finite number > 0"

struct Unreadable : Error {
    explicit Unreadable(std::vector<Diagnostic> all);  // what(): all sentences, one a line
    std::vector<Diagnostic> diagnostics;
};

// --set key=value, with the value as in TOML (a word without quotes is a string).
struct Override {
    std::string key, value;
};

// Files named in the text (csv inputs) are looked for beside `folder`. Throws Unreadable.
Experiment read(const std::string& text, const std::string& name, const std::filesystem::path& folder = {},
                const std::vector<Override>& overrides = {});

// The same for those who only want to know about the law: a file with [law] alone (and [load]) will do, as a prescribed rig without a motion.
Experiment read_for_law(const std::string& text, const std::string& name, const std::filesystem::path& folder = {},
                        const std::vector<Override>& overrides = {});

// The number at a key of the file ("law.sigma2"), after the overrides; nothing where there is none. Throws Unreadable if the text is no TOML.
std::optional<double> number_at(const std::string& text, const std::string& name,
                                const std::vector<Override>& overrides, const std::string& key);

struct Verdict {
    Claim claim;
    std::optional<double> measured;  // nothing where it did not occur
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
