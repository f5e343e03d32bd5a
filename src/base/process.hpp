// Child processes, started with an argument vector: no shell interprets the text.
#pragma once
#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace bristle::inline base {

// Blocks SIGINT, SIGTERM and SIGHUP while it exists, so that files are finished or removed first; they are delivered
// afterwards. It acts on its own thread: another thread may receive a signal. Child processes are not affected.
class SignalsHeld {
  public:
    SignalsHeld() noexcept;
    ~SignalsHeld();
    SignalsHeld(const SignalsHeld&) = delete;
    SignalsHeld& operator=(const SignalsHeld&) = delete;
    const sigset_t& before() const noexcept { return before_; }

  private:
    sigset_t before_;
};

// Runs arguments[0], found on PATH, in the folder, with empty input. Its output goes to the file log in that folder.
// Returns its exit code (128 + number if a signal ended it), or std::nullopt if there is no such program.
// Throws Error if it cannot be started for another reason.
std::optional<int> run(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                       const SignalsHeld& held);

}  // namespace bristle::inline base
