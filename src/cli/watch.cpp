#include <cli/watch.hpp>
#include <cmath>
#include <cstdio>
#include <unistd.h>

namespace bristle::cli {

namespace {

using namespace std::chrono_literals;

constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP};
volatile std::sig_atomic_t caught = 0;

}  // namespace

Watch::Watch(std::size_t runs)
    : runs_(runs), terminal_(isatty(STDERR_FILENO) == 1), begin_(Clock::now()), next_(begin_ + 2s) {
    caught = 0;
    struct sigaction note {};
    note.sa_handler = [](int signal) { caught = signal; };
    note.sa_flags = static_cast<int>(SA_RESETHAND);
    sigemptyset(&note.sa_mask);
    for (std::size_t i = 0; i < std::size(signals); ++i) {
        sigaction(signals[i], nullptr, &before_[i]);
        // what nohup or a shell in the background switched off stays off
        if (before_[i].sa_handler != SIG_IGN) sigaction(signals[i], &note, nullptr);
    }
}

Watch::~Watch() {
    for (std::size_t i = 0; i < std::size(signals); ++i) sigaction(signals[i], &before_[i], nullptr);
    if (shown_) std::fputs("\r\033[K", stderr);
}

simulate::Progress Watch::progress(std::size_t run) {
    return [this, run](double share) { return tell(run, share); };
}

bool Watch::tell(std::size_t run, double share) {
    if (const auto now = Clock::now(); terminal_ && now >= next_) {
        next_ = now + 200ms;
        shown_ = true;
        const double done = (double(run) + share) / double(runs_);
        const double spent = std::chrono::duration<double>(now - begin_).count();
        std::fprintf(stderr, "\r\033[Ksimulating: %.0f %%", std::floor(100 * done));
        if (runs_ > 1) std::fprintf(stderr, ", run %zu of %zu", run + 1, runs_);
        if (done > 0.01) std::fprintf(stderr, ", about %.0f s left", std::ceil(spent * (1 - done) / done));
        std::fputs(" (Ctrl-C stops)", stderr);
    }
    return caught == 0;
}

void Watch::check() const {
    if (caught != 0) throw Stopped{caught};
}

}  // namespace bristle::cli
