// bristle show: the file of a shipped experiment.
#include "cli/locate.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"

namespace bristle::cli {

int show(const Show& arguments) {
    print(shipped_as(arguments.id).text);
    return 0;
}

}  // namespace bristle::cli
