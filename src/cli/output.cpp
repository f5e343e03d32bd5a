// Writing to standard output.
#include <bristle/base/error.hpp>
#include "cli/output.hpp"
#include "cli/watch.hpp"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <fcntl.h>
#include <unistd.h>

namespace bristle::cli {

void keep_standard_streams() {
    for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (fcntl(number, F_GETFD) < 0 && errno == EBADF)
            // gets the lowest free number, which is this one; read-only, so that printing fails
            open("/dev/null", number == STDERR_FILENO ? O_WRONLY : O_RDONLY);
}

void print(std::string_view text) {
    errno = 0;
    const bool done = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    if (done) return;
    if (errno == EPIPE) throw Stopped{SIGPIPE};
    throw Error(std::string("cannot write to standard output: ") + std::strerror(errno ? errno : EIO));
}

}  // namespace bristle::cli
