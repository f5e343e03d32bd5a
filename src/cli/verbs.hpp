// The verbs. Each returns the exit code, and throws UsageError, Unreadable or Error.
#pragma once
#include "cli/arguments.hpp"

namespace bristle::cli {

int run(const Run& arguments);
int list();
int show(const Show& arguments);
int gallery(const Gallery& arguments);
int certify(const Certify& arguments);
int analyse(const Analyse& arguments);
int fit(const Fit& arguments);

}  // namespace bristle::cli
