// Child processes with an argument vector, without a shell.
#include <bristle/base/error.hpp>
#include "base/process.hpp"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bristle::inline base {

SignalsHeld::SignalsHeld() noexcept {
    sigset_t wait;
    sigemptyset(&wait);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&wait, signal);
    pthread_sigmask(SIG_BLOCK, &wait, &before_);
}
SignalsHeld::~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

std::optional<int> run(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                       const SignalsHeld& held) {
    std::vector<char*> argv;
    for (const auto& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);

    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addchdir_np(&files, folder.c_str());
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "log", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
    posix_spawnattr_t how;
    posix_spawnattr_init(&how);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&how, &held.before());

    pid_t child = 0;
    const int problem = posix_spawnp(&child, argv[0], &files, &how, argv.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    if (problem == ENOENT || problem == ENOTDIR || problem == EACCES) return std::nullopt;
    if (problem != 0) throw Error("cannot start " + arguments[0] + ": " + std::strerror(problem));

    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) throw Error("cannot wait for " + arguments[0] + ": " + std::strerror(errno));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace bristle::base
