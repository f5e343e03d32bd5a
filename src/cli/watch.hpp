// Keeps an eye on long runs: a line on the terminal once they take more than two seconds, and Ctrl-C that ends them
// between two steps, so that nothing is left behind.
#pragma once
#include <bristle/simulate/result.hpp>
#include <chrono>
#include <csignal>
#include <mutex>

namespace bristle::cli {

// Thrown where a signal asked to stop.
struct Stopped {
    int signal;
    bool written = false;  // the files were finished first
};

// While it lives, Ctrl-C, hang-up and termination are noted instead of obeyed; a second one ends the program at once.
class Watch {
  public:
    explicit Watch(std::size_t runs);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    // To be handed to simulate for the run of that number, counted from 0.
    Progress progress(std::size_t run, const char* doing = "simulating");
    // So many of all pieces of work are done; from any thread. False if a signal has come.
    bool tell(std::size_t done, std::size_t all, const char* doing);
    // Throws Stopped if a signal has come.
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
