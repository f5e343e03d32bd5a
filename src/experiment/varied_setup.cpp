// Set-ups from copies of one document.
#include "experiment/varied_setup.hpp"

namespace bristle::experiment {

VariedSetup::VariedSetup(const Document& document, std::vector<std::string> keys)
    : document_(document), keys_(std::move(keys)) {}

std::unique_ptr<Document> VariedSetup::take() const {
    {
        const std::lock_guard lock(mutex_);
        if (!free_.empty()) {
            auto document = std::move(free_.back());
            free_.pop_back();
            return document;
        }
    }
    return std::make_unique<Document>(document_);
}
void VariedSetup::give_back(std::unique_ptr<Document> document) const {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(document));
}

Setup VariedSetup::operator()(std::initializer_list<double> values) const {
    auto document = take();
    for (std::size_t i = 0; i < keys_.size(); ++i) document->set(keys_[i], values.begin()[i]);
    try {
        Setup setup = read_setup(*document);
        give_back(std::move(document));
        return setup;
    } catch (const Unreadable& problem) {
        give_back(std::move(document));
        throw Error(problem.what());
    }
}

}  // namespace bristle::experiment
