// Child processes, started with an argument vector and without a shell: no text is interpreted as a command.
#pragma once
#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace bristle::inline base {

// Blocks SIGINT, SIGTERM and SIGHUP in this thread while it exists, so that files are completed or removed first; blocked signals
// arrive after the destructor. Other threads and child processes still receive them.
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

// Runs arguments[0], searched on PATH, in the folder, without input. Its output goes to the file `log` in that folder. Returns its
// exit code (128 + number if a signal ended it), std::nullopt if there is no such program. Throws Error if it cannot be started
// for another reason.
std::optional<int> run(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                       const SignalsHeld& held);

}  // namespace bristle::base
