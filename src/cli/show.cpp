// bristle show: the file of an experiment.
#include "cli/locate.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"

namespace bristle::cli {

int show(const Show& arguments) {
    print(locate(arguments.id).text);
    return 0;
}

}  // namespace bristle::cli
