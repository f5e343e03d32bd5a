// Size of the terminal and whether it can draw.
#include "report/figure/terminal.hpp"
#include <algorithm>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

namespace bristle::report {

int terminal_columns() {
    int columns = 0;
    if (const char* wish = std::getenv("COLUMNS")) columns = int(std::clamp(std::strtol(wish, nullptr, 10), 0L, 1000L));
    if (winsize size{}; columns == 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) columns = size.ws_col;
    return std::clamp(columns == 0 ? 80 : columns, 60, 160);
}

std::size_t text_columns() { return std::size_t(std::clamp(terminal_columns() - 1, 60, 110)); }

}  // namespace bristle::report
