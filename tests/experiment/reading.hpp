// Helpers for tests of the experiment reader.
#pragma once
#include "experiment/experiment.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace reading {

using namespace bristle;
using namespace bristle::experiment;

// The sections of a file behind its [law].
inline const std::string driven_mass = R"([rig]
kind = "forced_mass"
mass = 4
[input]
kind = "sine"
amplitude = 1
frequency = 2
[run]
duration = 2
)";

inline Experiment experiment_of(const std::string& text, const std::vector<Override>& overrides = {},
                                const std::filesystem::path& folder = {}) {
    return read(text, "my.toml", folder, overrides);
}

// The diagnostics of a text; empty if the reader accepts it.
inline std::vector<Diagnostic> diagnostics_of(const std::string& text, const std::vector<Override>& overrides = {},
                                              const std::filesystem::path& folder = {}) {
    try {
        experiment_of(text, overrides, folder);
    } catch (const Unreadable& error) {
        return error.diagnostics;
    }
    return {};
}
inline std::string sentences(const std::vector<Diagnostic>& diagnostics) {
    std::string text;
    for (const Diagnostic& diagnostic : diagnostics) text += sentence(diagnostic) + "\n";
    return text;
}

// The text with its first occurrence of one piece replaced by another.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    if (at == text.npos) throw std::logic_error("the test's text has no " + from);
    return text.replace(at, from.size(), to);
}

// One fault of a text, and the place of its diagnostic.
struct Fault {
    const char *from, *to;
    int line;
    const char *key, *rule;  // part of the rule
};
// Exactly one diagnostic, at that place.
inline void expect_fault(const std::string& text, const Fault& fault) {
    SCOPED_TRACE(std::string(fault.from) + " -> " + fault.to);
    const auto found = diagnostics_of(with(text, fault.from, fault.to));
    ASSERT_EQ(found.size(), 1u) << sentences(found);
    EXPECT_EQ(found[0].place, "my.toml");
    EXPECT_EQ(found[0].line, fault.line) << sentences(found);
    EXPECT_EQ(found[0].key, fault.key);
    EXPECT_NE(broken_rule(found[0]).find(fault.rule), std::string::npos) << broken_rule(found[0]);
}

}  // namespace reading
