// The command line: a verb with its options.
#pragma once
#include <bristle/base/error.hpp>
#include "report/analysis/request.hpp"
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace bristle::cli {

// A wrong command line, or a name that does not exist: exit code 2. Other errors: 1.
struct UsageError : Error {
    using Error::Error;
};

struct Run {
    std::string experiment;              // a file, or the id of a shipped experiment
    std::vector<std::string> overrides;  // key=value, with commas between several values
    bool json = false, csv = false;      // printed in place of the summary
    bool plot = false;                   // write pictures, also without out
    std::string out;                     // folder; empty: not given
};
struct List {};
struct Show {
    std::string id;
};
struct Gallery {
    std::string paper;  // key or folder; empty: all
    std::string out;    // folder; empty: not given
    std::string from;   // folder with experiments that replace the shipped ones; empty: none
    bool json = false;
};
struct Certify {
    std::string experiment;  // a file, or the id of a shipped experiment; [law] alone is enough
    std::vector<std::string> overrides;
    std::optional<double> dt, vmax;  // s, m/s
    bool json = false;
    std::string out;  // folder; empty: not given
};
struct Analyse {
    std::string experiment;
    std::vector<std::string> overrides;
    report::Request request;
    std::string against;  // another experiment, for its law
    bool json = false, plot = false;
    std::string out;
};
struct Fit {
    std::vector<std::string> records;                           // files or patterns
    std::string map;                                            // file; empty: none
    std::vector<std::pair<std::string, std::string>> settings;  // keys of the map that were given as options
    std::vector<std::string> predict;                           // files or patterns
    bool check = false;                                         // no law is fitted
    bool json = false;
    std::string out;  // folder; empty: not given
};
// Help or the version, to print.
struct Text {
    std::string text;
};
using Command = std::variant<Run, List, Show, Gallery, Certify, Analyse, Fit, Text>;

// Throws UsageError.
Command parse(int count, const char* const* arguments);

}  // namespace bristle::cli
