// bristle list: the shipped experiments, one per line: id, title, source.
#include "cli/output.hpp"
#include "cli/verbs.hpp"
#include "experiment/experiment.hpp"
#include "base/text.hpp"
#include <algorithm>

namespace bristle::cli {

int list() {
    struct Row {
        std::string id, title, source;
    };
    std::vector<Row> rows;
    std::size_t widest_id = 0, widest_title = 0;
    for (const experiment::Shipped& shipped : experiment::shipped()) {
        const std::string id(shipped.id);
        const auto found = experiment::read(std::string(shipped.text), id);
        rows.push_back({id, plain_text(found.title), plain_text(found.source)});
        widest_id = std::max(widest_id, letters(id));
        widest_title = std::max(widest_title, letters(rows.back().title));
    }
    std::string out;
    for (const Row& row : rows) {
        std::string line = row.id + std::string(widest_id + 2 - letters(row.id), ' ') + row.title;
        if (!row.source.empty()) line += std::string(widest_title + 2 - letters(row.title), ' ') + row.source;
        out += line + '\n';
    }
    print(out);
    return 0;
}

}  // namespace bristle::cli
