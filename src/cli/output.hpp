// Standard output, with errors reported.
#pragma once
#include <string_view>

namespace bristle::cli {

// Opens the file descriptors 0, 1 and 2 if they are closed, so that no output file gets one of these numbers.
void keep_standard_streams();

// Throws Error if the text cannot be written, Stopped if the reader has ended (`| head`).
void print(std::string_view text);

}  // namespace bristle::cli
