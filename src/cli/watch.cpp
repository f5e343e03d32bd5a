// The progress line and the signal handlers.
#include "cli/watch.hpp"
#include "base/files.hpp"
#include <atomic>
#include <cmath>
#include <cstdio>
#include <string>
#include <unistd.h>

namespace bristle::cli {

namespace {

using namespace std::chrono_literals;

constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP};
std::atomic<int> caught = 0;  // written by a handler, read by many threads
static_assert(std::atomic<int>::is_always_lock_free);

}  // namespace

Watch::Watch(std::size_t runs)
    : runs_(runs), terminal_(isatty(STDERR_FILENO) == 1), begin_(Clock::now()), next_(begin_ + 2s) {
    caught = 0;
    struct sigaction note {};
    note.sa_handler = [](int signal) {
        int none = 0;
        if (!caught.compare_exchange_strong(none, signal) && remove_scratch_folders()) _exit(128 + signal);
    };
    sigemptyset(&note.sa_mask);
    for (std::size_t i = 0; i < std::size(signals); ++i) {
        sigaction(signals[i], nullptr, &before_[i]);
        // a signal that nohup or a background shell ignores stays ignored
        if (before_[i].sa_handler != SIG_IGN) sigaction(signals[i], &note, nullptr);
    }
}

Watch::~Watch() {
    for (std::size_t i = 0; i < std::size(signals); ++i) sigaction(signals[i], &before_[i], nullptr);
    if (shown_) std::fputs("\r\033[K", stderr);
}

Progress Watch::progress(std::size_t run, const char* what) {
    return [this, run, what](double fraction) {
        std::string doing = what;
        if (runs_ > 1) doing += " run " + std::to_string(run + 1) + " of " + std::to_string(runs_);
        show((double(run) + fraction) / double(runs_), doing);
        return caught == 0;
    };
}

bool Watch::report(std::size_t done, std::size_t all, const char* doing) {
    show(double(done) / double(all), doing);
    return caught == 0;
}

void Watch::show(double done, const std::string& doing) {
    if (!terminal_) return;
    const std::lock_guard lock(mutex_);
    const auto now = Clock::now();
    if (now < next_) return;
    next_ = now + 200ms;
    shown_ = true;
    constexpr int width = 24;
    const int filled = int(std::floor(width * done));
    const double spent = std::chrono::duration<double>(now - begin_).count();
    std::fprintf(stderr, "\r\033[K%s: [%s%s] %.0f %%", doing.c_str(), std::string(std::size_t(filled), '#').c_str(),
                 std::string(std::size_t(width - filled), ' ').c_str(), std::floor(100 * done));
    if (done > 0.01) std::fprintf(stderr, ", about %.0f s left", std::ceil(spent * (1 - done) / done));
    std::fputs(" (Ctrl-C stops)", stderr);
}

void Watch::check(bool written) const {
    if (caught != 0) throw Stopped{caught, written};
}

}  // namespace bristle::cli
