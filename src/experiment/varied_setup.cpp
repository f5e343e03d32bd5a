// Set-ups and machines from copies of one document.
#include "experiment/varied_setup.hpp"

namespace bristle::experiment {

VariedDocument::VariedDocument(const Document& document, std::vector<std::string> keys)
    : document_(document), keys_(std::move(keys)) {}

std::unique_ptr<Document> VariedDocument::take() const {
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
void VariedDocument::give_back(std::unique_ptr<Document> document) const {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(document));
}

template <class Part>
Part VariedDocument::read_with(std::initializer_list<double> values, Part (*read)(const Document&)) const {
    auto document = take();
    for (std::size_t i = 0; i < keys_.size(); ++i) document->set(keys_[i], values.begin()[i]);
    try {
        Part part = read(*document);
        give_back(std::move(document));
        return part;
    } catch (const Unreadable& problem) {
        give_back(std::move(document));
        throw Error(problem.what());
    }
}

Setup VariedSetup::operator()(std::initializer_list<double> values) const { return read_with(values, &read_setup); }
Machine VariedMachine::operator()(std::initializer_list<double> values) const {
    return read_with(values, &read_machine_alone);
}

}  // namespace bristle::experiment
