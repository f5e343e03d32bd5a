// The text of an experiment: a file, or a shipped one by its id.
#pragma once
#include "experiment/document.hpp"

namespace bristle::cli {

// The text of a file. Throws UsageError with the reason if it cannot be read.
std::string contents(const std::string& name);

// A file name of letters and digits of any language, '.', '_' and '-': not hidden, not an option, at most 60 characters.
std::string safe_stem(const std::string& name);

struct Source {
    std::string text;
    std::string name;              // as given: file, or id
    std::filesystem::path folder;  // of the file and of csv files that it names
    std::string stem;              // first part of the names of output files; safe as a file name
};

// A name that ends in .toml or exists as a file is a file, any other an id. Throws UsageError.
Source locate(const std::string& name);
// Its text parsed, with the values of --set. Throws Unreadable if it is not TOML.
experiment::Document parsed(const Source& source, const std::vector<experiment::Override>& overrides = {});

// The shipped experiment of that id. Throws UsageError with the nearest ids.
const experiment::Shipped& shipped_as(const std::string& id);

}  // namespace bristle::cli
