// Other programs, started with an argument vector: there is no shell, so no text is ever read as a command.
#pragma once
#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace bristle::inline base {

// Keeps Ctrl-C, hang-up and termination waiting while it lives, so that files are finished or removed first; they arrive
// when it goes. It shields its own thread: with several, another may take a signal. Programs started meanwhile are not shielded.
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

// Runs arguments[0], looked up on PATH, in the folder, without input. What it prints goes to the file log in that
// folder. Returns its exit code (128 + number if a signal ended it), or nothing
// if there is no such program. Throws Error if it cannot be started for another reason.
std::optional<int> run(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                       const SignalsHeld& held);

}  // namespace bristle::inline base
