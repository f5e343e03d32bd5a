// Checks and messages of `bristle fit` that name files and columns of the record.
#pragma once
#include <bristle/identify/fit.hpp>

namespace bristle::cli {

// Throws Error if the record does not have the channel that the model compares: names the first file, the columns in use and the
// options that select a column.
void check_measured_channel(const Record& record, const FitModel& model,
                            const std::vector<std::filesystem::path>& files);

// The message with one line for each problem. Problems with the same rule become the first of them with the number of further lines
// of its file and of the other files.
std::string joined_problems(const std::vector<RecordProblem>& problems);

// Name of the output: that of the file without its ending; of several files that of their folder.
std::string name_of_output(const std::vector<std::filesystem::path>& files);

}  // namespace bristle::cli
