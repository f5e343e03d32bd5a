// Progress and cancellation of long runs: a line on the terminal after two seconds, and Ctrl-C that cancels between two steps, so
// that no incomplete file remains.
#pragma once
#include <bristle/simulate/result.hpp>
#include <chrono>
#include <csignal>
#include <mutex>

namespace bristle::cli {

// Thrown after a signal.
struct Stopped {
    int signal;
    bool written = false;  // the files had been written
};

// While a Watch exists, SIGINT, SIGTERM and SIGHUP set a flag. A second signal removes all scratch folders and ends the program.
class Watch {
  public:
    explicit Watch(std::size_t runs);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    // The progress callback of the run with that number, counted from 0.
    Progress progress(std::size_t run, const char* doing = "simulating");
    // Reports that `done` of `all` pieces of work are done. Thread-safe. Returns false after a signal.
    bool report(std::size_t done, std::size_t all, const char* doing);
    // Throws Stopped after a signal.
    void check(bool written = false) const;

  private:
    using Clock = std::chrono::steady_clock;
    void show(double done, const std::string& doing);

    std::size_t runs_;
    bool terminal_, shown_ = false;
    Clock::time_point begin_, next_;
    std::mutex mutex_;
    struct sigaction before_[3];
};

}  // namespace bristle::cli
