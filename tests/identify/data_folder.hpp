// Folder of published records for tests: the environment variable BRISTLE_DATA, or ../shared/data beside the project.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <string>

namespace bristle {

inline std::filesystem::path data_folder() {
    if (const char* folder = std::getenv("BRISTLE_DATA")) return folder;
    return std::filesystem::path(__FILE__).parent_path() / "../../../shared/data";
}
inline bool has_data(const char* record) { return std::filesystem::exists(data_folder() / record); }
inline std::string no_data(const char* record) {
    return std::string("the record '") + record + "' is not in " + data_folder().string() +
           "; set BRISTLE_DATA to the folder that contains it";
}

}  // namespace bristle
