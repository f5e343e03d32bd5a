// Messages of `bristle fit` that name files of the record.
#pragma once
#include <bristle/identify/record.hpp>

namespace bristle::cli {

// The message with one line for each problem. Problems of the same kind, channel and column become the first of them with the number of
// further lines of its file and of the other files. The last line counts the problems that the reader does not list.
std::string joined_problems(const std::vector<RecordProblem>& problems);

// Name of the output: that of the file without its ending; of several files that of their folder.
std::string name_of_output(const std::vector<std::filesystem::path>& files);

}  // namespace bristle::cli
