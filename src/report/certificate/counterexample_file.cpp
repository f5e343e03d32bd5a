// A counterexample as an experiment file.
#include "report/certificate/counterexample_file.hpp"

#include "analyse/counterexample/replay.hpp"
#include "base/text.hpp"
#include "report/certificate/sentences.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace bristle::report {

namespace {

using Points = std::vector<std::pair<double, double>>;

std::string list_of(const Points& points) {
    std::string out = "points = [";
    for (std::size_t i = 0; i < points.size(); ++i)
        out += (i % 4 ? " [" : "\n    [") + exact(points[i].first) + ", " + exact(points[i].second) + "],";
    return out + "\n]\n";
}

// A sentence as comment lines.
std::string comment(const std::string& text) {
    constexpr std::size_t width = 110;
    std::string out;
    for (std::size_t from = 0; from < text.size();) {
        std::size_t to = text.size();
        if (to - from > width) to = std::min(text.rfind(' ', from + width), to);
        if (to <= from) to = text.size();
        out += "# " + text.substr(from, to - from) + "\n";
        from = to + 1;
    }
    return out;
}

// [law] from the parameter table of the law: numbers, lists, points of a curve, and values for v < 0 if they differ.
template <class Law>
class LawText {
  public:
    explicit LawText(const Law& law) : law_(law) {
        Law::parameters(law, [&](const Parameter& p, const double& x) {
            const std::string name = p.name;
            if (*p.group) {
                put_negative(p, x);
            } else if (p.index < 0) {
                put(name, x, p.unit);
            } else if (*p.where) {
                in_curve_[name].push_back(x);
            } else {
                lists_[name] += (p.index > 0 ? ", " : "") + exact(x);
            }
        });
        if (!in_curve_.empty()) {
            Points points;
            for (std::size_t i = 0; i < in_curve_["v"].size(); ++i)
                points.emplace_back(in_curve_["v"][i], in_curve_["g"][i]);
            numbers_ += list_of(points);
        }
        for (const auto& [name, items] : lists_) numbers_ += name + " = [" + items + "]\n";
    }

    std::string text(std::string_view kind, const std::string& load) const {
        std::string out = "[law]\nkind = \"" + std::string(kind) + "\"\n" + words() + numbers_ + load;
        if (differs_) out += "\n[law.negative]\n" + negative_;
        return out;
    }

  private:
    void put(const std::string& name, double x, const std::string& unit) {
        numbers_ += name + " = " + exact(x) + (unit == "1" ? "" : "  # " + unit) + "\n";
        plain_[name] = x;
    }
    void put_negative(const Parameter& p, double x) {
        const auto other = plain_.find(p.name);
        differs_ = differs_ || other == plain_.end() || other->second != x;
        negative_ += std::string(p.name) + " = " + exact(x) + "\n";
    }
    static std::string word(const std::string& key, const std::string& value) { return key + " = " + value + "\n"; }
    std::string words() const {
        std::string out;
        if constexpr (requires { law_.curve.tabulated; })
            if (law_.curve.tabulated) out += word("curve", "\"table\"");
        if constexpr (requires { law_.curve.allow_rising; })
            if (law_.curve.allow_rising) out += word("allow_rising", "true");
        if constexpr (requires { law_.curve.stribeck; }) {
            const auto& stribeck = law_.curve.stribeck;
            const bool rising =
                stribeck.positive.allow_rising || (stribeck.directional && stribeck.negative.allow_rising);
            if (rising && !law_.curve.tabulated) out += word("allow_rising", "true");
        }
        if constexpr (requires { law_.curve.printed; })
            if (law_.curve.printed) out += word("conductance", "\"printed\"");
        if constexpr (requires { law_.a_rule; }) {
            constexpr std::array rules{"\"constant\"", "\"min\"", "\"max\""};
            out += word("a_rule", rules[std::size_t(law_.a_rule)]);
        }
        if constexpr (requires { law_.breakaway; })
            out += word("breakaway", law_.breakaway == Breakaway::fraction ? "\"fraction\"" : "\"constant\"");
        return out;
    }

    const Law& law_;
    std::string numbers_, negative_;
    bool differs_ = false;
    std::map<std::string, double> plain_;
    std::map<std::string, std::string> lists_;
    std::map<std::string, std::vector<double>> in_curve_;
};

}  // namespace

std::string law_text(const AnyLaw& law, const std::string& more) {
    return std::visit(
        [&]<class Law>(const Law& l) {
            const std::string on = l.load_on == LoadOn::all ? "load_on = \"all\"\n" : "";
            return LawText<Law>(l).text(kind_of(law), more + on);
        },
        law);
}

std::string experiment_text(const AnyLaw& law, const Counterexample& c) {
    const auto kind = kind_of(law);
    const bool varies = c.load.size() > 1;
    const double load = c.load.empty() ? 1 : c.load.front().second;
    const bool on_all = std::visit([](const auto& l) { return l.load_on == LoadOn::all; }, law);
    const std::string held = !varies && (load != 1 || on_all) ? "load = " + exact(load) + "  # N\n" : "";
    std::string out = "title = \"Energy from friction: " + std::string(kind) + "\"\n";
    out += "source = \"a counterexample to passivity\"\n" + comment(sentence_of(c, Units{})) + "\n";
    out += law_text(law, held);
    if (varies) out += "\n[load]\nkind = \"ramps\"\n" + list_of(c.load);
    out += "\n[rig]\nkind = \"prescribed\"\n";
    out += std::string("\n[input]  # velocity in m/s\nkind = \"") + (c.ramps ? "ramps" : "steps") + "\"\n" +
           list_of(c.velocity);
    out += "\n[run]\nduration = " + exact(c.duration) + "\nrtol = 1e-9\n";
    // the error of the solver is proportional to the gross energy
    const counterexample::Trace trace = counterexample::integrate(law, c);
    const double margin = 1e-4 * std::abs(c.energy) + 1e-6 * trace.gross + trace.tolerance();
    out += "\n[[claim]]\nmeasure = \"final\"\nsignal = \"work\"\nbetween = [" + exact(c.energy - margin) + ", " +
           exact(c.energy + margin) + "]  # J\nsource = \"Runge-Kutta: " + readable(c.energy, 6) +
           " J\"\ntext = \"energy supplied to the contact" +
           (c.energy < 0 ? ", which began relaxed: it is negative" : "") + "\"\n";
    return out;
}

}  // namespace bristle::report
