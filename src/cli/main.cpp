// bristle: the command line. Selects the verb and turns errors into exit codes.
#include "cli/output.hpp"
#include "cli/verbs.hpp"
#include "cli/watch.hpp"
#include "experiment/experiment.hpp"
#include "base/text.hpp"
#include <cstdio>
#include <exception>
#include <new>

namespace {

using namespace bristle::cli;

template <class... Functions>
struct Cases : Functions... {
    using Functions::operator()...;
};

int dispatch(const Command& command) {
    return std::visit(Cases{[](const Run& arguments) { return run(arguments); }, [](const List&) { return list(); },
                            [](const Show& arguments) { return show(arguments); },
                            [](const Gallery& arguments) { return gallery(arguments); },
                            [](const Certify& arguments) { return certify(arguments); },
                            [](const Analyse& arguments) { return analyse(arguments); },
                            [](const Fit& arguments) { return fit(arguments); },
                            [](const Text& help) {
                                print(help.text);
                                return 0;
                            }},
                      command);
}

// Prints a message on standard error, each line with the name of the program.
int diagnose(const char* what, int code) {
    std::string text = "bristle: ";
    for (const char c : bristle::plain_lines(what)) c == '\n' ? text += "\nbristle: " : text += c;
    std::fprintf(stderr, "%s\n", text.c_str());
    return code;
}

}  // namespace

int main(int count, char** arguments) {
    keep_standard_streams();
    try {
        return dispatch(parse(count, arguments));
    } catch (const UsageError& problem) {
        return diagnose(problem.what(), 2);
    } catch (const bristle::experiment::Unreadable& problem) {
        return diagnose(problem.what(), 2);
    } catch (const Stopped& stop) {
        if (stop.signal != SIGPIPE)
            diagnose(stop.written ? "cancelled; the files were written" : "cancelled; nothing was written", 0);
        return 128 + stop.signal;
    } catch (const bristle::Error& problem) {
        return diagnose(problem.what(), 1);
    } catch (const std::bad_alloc&) {
        return diagnose("not enough memory for this run; reduce run.samples", 1);
    } catch (const std::exception& problem) {
        return diagnose(problem.what(), 1);
    }
}
