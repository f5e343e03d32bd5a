// Experiments by file name or id.
#include "cli/arguments.hpp"
#include "cli/locate.hpp"
#include "experiment/spelling.hpp"
#include "base/text.hpp"
#include <cerrno>
#include <cstring>
#include <fstream>

namespace bristle::cli {

namespace fs = std::filesystem;

namespace {

// Far above the size of any experiment; limits the reading of endless devices.
constexpr std::size_t max_bytes = 16 << 20;

}  // namespace

std::string safe_stem(const std::string& name) {
    std::string out;
    for (const char c : shortened(plain_text(name), 60)) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c & 0x80);
        const bool inner = c == '_' || (!out.empty() && (c == '.' || c == '-'));
        out += letter || inner ? c : c == '/' ? '-' : '_';
    }
    return out.empty() ? "experiment" : out;
}

std::string contents(const std::string& name) {
    const auto refuse = [&](const std::string& why) { throw UsageError("cannot read " + name + ": " + why); };
    std::error_code problem;
    if (fs::is_directory(name, problem)) refuse("it is a folder");
    errno = 0;
    std::ifstream file(name, std::ios::binary);
    if (!file) refuse(std::strerror(errno ? errno : ENOENT));
    std::string text;
    for (char block[4096]; file.read(block, sizeof block) || file.gcount() > 0;) {
        text.append(block, std::size_t(file.gcount()));
        if (text.size() > max_bytes) refuse("it is larger than 16 MB");
    }
    if (file.bad()) refuse(std::strerror(errno ? errno : EIO));
    return text;
}

const experiment::Shipped& shipped_as(const std::string& id) {
    if (const experiment::Shipped* found = experiment::find_shipped(id)) return *found;
    std::vector<std::string_view> ids;
    for (const experiment::Shipped& one : experiment::shipped()) ids.push_back(one.id);
    std::string hint;
    for (const std::string& close : experiment::nearest(id, ids, 3))
        hint += (hint.empty() ? " Did you mean " : " or ") + close;
    throw UsageError("there is no file and no shipped experiment '" + id + "'." + hint + (hint.empty() ? "" : "?") +
                     " `bristle list` shows all ids.");
}

experiment::Document parsed(const Source& source, const std::vector<experiment::Override>& overrides) {
    return {source.text, source.name, source.folder, overrides};
}

Source locate(const std::string& name) {
    std::error_code problem;
    const auto status = fs::status(name, problem);
    if (name.ends_with(".toml") || (fs::exists(status) && !fs::is_directory(status))) {
        const fs::path path(name);
        return {contents(name), name, path.parent_path(), safe_stem(path.stem().string())};
    }
    const experiment::Shipped& found = shipped_as(name);
    return {std::string(found.text), std::string(found.id), {}, safe_stem(std::string(found.id))};
}

}  // namespace bristle::cli
