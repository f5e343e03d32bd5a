// Standard output, with its failures noticed.
#pragma once
#include <string_view>

namespace bristle::cli {

// Makes sure that the numbers 0, 1 and 2 are taken, so that no file of ours is opened as one of them and printed into.
void keep_standard_streams();

// Throws Error if it cannot be written; ends quietly where the reader has gone (`| head`).
void print(std::string_view text);

}  // namespace bristle::cli
