// Set-ups and machines of one document with some of its numbers changed: the families along which continuation, maps and limits go.
#pragma once
#include "experiment/document.hpp"

namespace bristle::experiment {

// A document with some of its numbers changed. Thread-safe: each call works on a copy of the document that no other call uses. There are
// as many copies as threads.
class VariedDocument {
  public:
    // document: accepted by read(). keys: of the numbers that change, such as "law.sigma2".
    VariedDocument(const Document& document, std::vector<std::string> keys);

  protected:
    // What `read` takes from the document with one value for each key. Throws Error if a value breaks a rule.
    template <class Part>
    Part read_with(std::initializer_list<double> values, Part (*read)(const Document&)) const;

  private:
    std::unique_ptr<Document> take() const;
    void give_back(std::unique_ptr<Document> document) const;

    Document document_;
    std::vector<std::string> keys_;
    mutable std::mutex mutex_;
    mutable std::vector<std::unique_ptr<Document>> free_;
};

struct VariedSetup : VariedDocument {
    using VariedDocument::VariedDocument;
    // The set-up with one value for each key. Throws Error if a value breaks a rule.
    Setup operator()(std::initializer_list<double> values) const;
};

struct VariedMachine : VariedDocument {
    using VariedDocument::VariedDocument;
    // The same for a machine.
    Machine operator()(std::initializer_list<double> values) const;
};

}  // namespace bristle::experiment
