// [law] from the law's own tables: words, numbers, lists, points of a curve, and the numbers for v < 0 if they differ.
#include "experiment/write_law.hpp"
#include "experiment/rotary.hpp"
#include "base/text.hpp"

#include <map>
#include <set>

namespace bristle::experiment {

namespace {

template <class Law>
class LawText {
  public:
    LawText(const Law& law, bool rotary) : rotary_(rotary) {
        for_each_choice(law, [&](const Choice& choice, const auto& x) { put(choice, x); });
        Law::parameters(law, [&](const Parameter& p, const double& x) { put(p, x); });
        if (!in_curve_.empty()) {
            std::vector<std::pair<double, double>> points;
            for (std::size_t i = 0; i < in_curve_["v"].size(); ++i)
                points.emplace_back(in_curve_["v"][i], in_curve_["g"][i]);
            numbers_ += points_text(points);
        }
        for (const auto& [name, items] : lists_) numbers_ += name + " = [" + items + "]\n";
        if (law.load_on != LoadOn::curve) load_on_ = word(load_on_choice, std::size_t(law.load_on));
    }

    std::string text(std::string_view kind, const std::string& more) const {
        std::string out = "[law]\nkind = \"" + std::string(kind) + "\"\n" + words_ + numbers_ + more + load_on_;
        if (differs_) out += "\n[law.negative]\n" + negative_;
        return out;
    }

  private:
    static std::string word(const Choice& choice, std::size_t index) {
        const std::string value =
            choice.count() == 0 ? "true" : std::string("\"").append(choice.words[index]).append("\"");
        return std::string(choice.name) + " = " + value + "\n";
    }
    // An enumeration is always written, a flag if it is set. A word of both directions is written once.
    template <class Value>
    void put(const Choice& choice, const Value& x) {
        if (std::same_as<Value, bool> && !bool(x)) return;
        if (written_.insert(choice.name).second) words_ += word(choice, std::size_t(x));
    }
    void put(const Parameter& p, double x) {
        const std::string name = p.name, unit = rotary_ ? rotary_unit(p.unit) : p.unit;
        if (*p.group) {
            const auto other = plain_.find(name);
            differs_ = differs_ || other == plain_.end() || other->second != x;
            negative_ += name + " = " + exact(x) + "\n";
        } else if (p.index < 0) {
            numbers_ += name + " = " + exact(x) + (unit == "1" ? "" : "  # " + unit) + "\n";
            plain_[name] = x;
        } else if (*p.where) {
            in_curve_[name].push_back(x);
        } else {
            lists_[name] += (p.index > 0 ? ", " : "") + exact(x);
        }
    }

    std::set<std::string> written_;  // names of the words
    std::string words_, numbers_, negative_, load_on_;
    bool rotary_, differs_ = false;
    std::map<std::string, double> plain_;
    std::map<std::string, std::string> lists_;
    std::map<std::string, std::vector<double>> in_curve_;  // points of a table: speeds v and levels g
};

}  // namespace

std::string law_section(const AnyLaw& law, const std::string& more, bool rotary) {
    return std::visit([&]<class Law>(const Law& l) { return LawText<Law>(l, rotary).text(kind_of(law), more); }, law);
}

std::string points_text(const std::vector<std::pair<double, double>>& points) {
    std::string out = "points = [";
    for (std::size_t i = 0; i < points.size(); ++i)
        out += (i % 4 ? " [" : "\n    [") + exact(points[i].first) + ", " + exact(points[i].second) + "],";
    return out + "\n]\n";
}

}  // namespace bristle::experiment
