// Where an experiment is: a file, or one that was compiled in.
#pragma once
#include "experiment/experiment.hpp"

namespace bristle::cli {

// The text of a file; throws UsageError with the reason where it cannot be read.
std::string contents(const std::string& name);

struct Source {
    std::string text;
    std::string name;              // as given: file, or id
    std::filesystem::path folder;  // of the file, for what it refers to
    std::string stem;              // what files written about it are called; safe as a file name
};

// What ends in .toml or is there as a file is a file, anything else an id. Throws UsageError.
Source locate(const std::string& name);

// The shipped experiment of that id. Throws UsageError with the nearest ids.
const experiment::Shipped& shipped_as(const std::string& id);

}  // namespace bristle::cli
