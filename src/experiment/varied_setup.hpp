// Set-ups of one document with some of its numbers changed: the families that continuation and maps walk along.
#pragma once
#include "experiment/document.hpp"

namespace bristle::experiment {

// Thread-safe: each call works on a copy of the document that no other call uses. There are as many copies as threads.
class VariedSetup {
  public:
    // document: accepted by read(). keys: of the numbers that change, such as "law.sigma2".
    VariedSetup(const Document& document, std::vector<std::string> keys);

    // The set-up with one value for each key. Throws Error if a value breaks a rule.
    Setup operator()(std::initializer_list<double> values) const;

  private:
    std::unique_ptr<Document> take() const;
    void give_back(std::unique_ptr<Document> document) const;

    Document document_;
    std::vector<std::string> keys_;
    mutable std::mutex mutex_;
    mutable std::vector<std::unique_ptr<Document>> free_;
};

}  // namespace bristle::experiment
