// [law]: the numbers come from the law's own table, under the names, units and bounds that it gives.
#include "experiment/keys.hpp"
#include "experiment/parts.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace bristle::experiment {

namespace {

std::vector<std::string> law_kinds() {
    std::vector<std::string> kinds;
    for_each_law([&](const auto& entry) { kinds.emplace_back(entry.kind); });
    return kinds;
}

template <class Law>
class LawReader {
  public:
    LawReader(Section& section, Law& law) : section_(section), law_(law) {}

    // The words, and how many elements and points there are: what decides which numbers the table has.
    bool read_shape() {
        const bool sized = read_curve() && read_points() && read_lists();
        read_words();
        bool two_sided = false;
        Law::parameters(law_, [&](const Parameter& p, double&) { two_sided = two_sided || *p.group; });
        if (two_sided) negative_.emplace(section_.below("negative"));
        const bool directional = two_sided && negative_->there();
        if constexpr (requires { law_.curve.directional; }) law_.curve.directional = directional;
        if constexpr (requires { law_.curve.stribeck; }) law_.curve.stribeck.directional = directional;
        return sized;
    }

    void read_numbers() {
        Law::parameters(law_, [&](const Parameter& p, double& x) {
            if (p.index >= 0 && !is_list(p)) return;  // a point of the curve, read already
            Section& section = *p.group ? *negative_ : section_;
            const bool given = section.has(p.name);
            const auto number = p.index < 0 ? section.number(std::string(p.name)) : item(p);
            const std::string name = *p.group ? std::string(p.group) + "." + p.name : p.name;
            if (given)
                x = number.value_or(unset<double>());
            else if (const auto other = taken_over(p))
                x = *other;
            else if (std::isnan(x))
                section.missing(p.name, described(p));
            values_[name] = {x, given};
        });
    }

    // sigma1 from the damping ratio of the mass in stick. mass: felt at the contact; 0: there is none; nothing: not known.
    void read_zeta(std::optional<double> mass) {
        if constexpr (requires { law_.sigma1; }) {
            constexpr Key zeta{{"zeta", "1", "damping ratio in stick", bound::positive}};
            if (!section_.find("zeta")) return;
            if (section_.has("sigma1")) return section_.diagnose("zeta", "stands for sigma1: give one of the two");
            const auto ratio = section_.number(zeta);
            if (!mass) return;
            if (!(*mass > 0)) return section_.diagnose("zeta", "needs a rig with a mass; give sigma1 instead");
            const double sigma1 = microdamping(law_.sigma0, *mass, ratio.value_or(unset<double>()), law_.sigma2);
            if (std::isnan(sigma1)) return;  // told where it comes from
            law_.sigma1 = sigma1;
            if (sigma1 >= 0) return;
            const double least = law_.sigma2 / (2 * std::sqrt(law_.sigma0 * *mass));
            section_.diagnose("zeta", "gives sigma1 = " + quantity(sigma1, "N s/m") +
                                          ", which must not be negative; the smallest zeta beside this sigma2 is " +
                                          quantity(least, ""));
            law_.sigma1 = 0;
        }
    }

    // The rules of the law itself. What was told while reading is not told again.
    void check() {
        std::vector<Problem> told;
        problems(law_, [&](const Problem& problem) {
            const Parameter& p = problem.parameter;
            if (std::isnan(problem.value)) return;
            const auto same = [&](const Problem& other) {
                return std::string_view(other.parameter.name) == p.name && other.rule == problem.rule;
            };
            const bool own = !*p.group || negative_->has(p.name);
            if (!own && std::any_of(told.begin(), told.end(), same)) return;
            told.push_back(problem);
            Section& section = *p.group ? *negative_ : section_;
            if (p.index < 0)
                section.diagnose_of(p.name, problem.rule, quantity(problem.value, p.unit));
            else
                section.diagnose_item(is_list(p) ? p.name : "points", static_cast<std::size_t>(p.index), problem.rule);
        });
    }

    void close() {
        if (negative_) negative_->close();
        section_.close();
    }

  private:
    struct Value {
        double x;
        bool given;
    };

    bool tabulated() const {
        if constexpr (requires { law_.curve.tabulated; })
            return law_.curve.tabulated;
        else
            return false;
    }

    bool read_curve() {
        if constexpr (requires { law_.curve.tabulated; }) {
            const auto kind = section_.choice("curve", {"stribeck", "table"}, 0);
            law_.curve.tabulated = kind == 1u;
            return kind.has_value();
        }
        return true;
    }
    void read_words() {
        if constexpr (requires { law_.curve.allow_rising; })
            law_.curve.allow_rising = section_.yes_or_no("allow_rising").value_or(false);
        if constexpr (requires { law_.curve.stribeck; })
            if (!tabulated())
                law_.curve.stribeck.positive.allow_rising = law_.curve.stribeck.negative.allow_rising =
                    section_.yes_or_no("allow_rising").value_or(false);
        if constexpr (requires { law_.curve.printed; })
            law_.curve.printed = section_.choice("conductance", {"consistent", "printed"}, 0) == 1u;
        if constexpr (requires { law_.a_rule; })
            law_.a_rule = ShiftRule(section_.choice("a_rule", {"constant", "min", "max"}, 0).value_or(0));
        if constexpr (requires { law_.breakaway; })
            law_.breakaway = Breakaway(section_.choice("breakaway", {"fraction", "constant"}, 0).value_or(0));
    }

    // The points of a measured curve.
    bool read_points() {
        if constexpr (requires { law_.curve.table; }) {
            if (!law_.curve.tabulated) return true;
            auto& table = law_.curve.table;
            if (!section_.find("points"))
                section_.missing("points", "the measured curve, [[speed in m/s, level in N], ...]");
            const auto points = section_.pairs("points");
            if (!points) return false;
            if (points->size() < 2 || points->size() > std::size_t(table.capacity)) {
                section_.diagnose_of("points", "must be 2 to " + std::to_string(table.capacity) + " points",
                                     std::to_string(points->size()) + " points");
                return false;
            }
            for (const auto& [v, g] : *points) {
                table.v[table.size] = v;
                table.g[table.size++] = g;
            }
        }
        return true;
    }

    // The lists of a law with elements: all of one length.
    bool read_lists() {
        if constexpr (requires { law_.size; }) {
            Law one{};
            one.size = 1;
            Law::parameters(one, [&](const Parameter& p, double&) {
                if (p.index == 0) lists_.push_back(p);
            });
            std::optional<std::size_t> length;
            bool sound = true;
            const auto refuse = [&](const Parameter& p, const std::string& rule) {
                section_.diagnose(p.name, rule);
                sound = false;
            };
            for (const Parameter& p : lists_) {
                const bool there = section_.has(p.name);
                const Node* list = section_.list(p.name);
                if (!list && !there) refuse(p, "is missing: a list, one number for each element: " + described(p));
                sound = sound && list;
                if (!list) continue;
                if (list->items.empty() || list->items.size() > std::size_t(law_.capacity))
                    refuse(p, "must have 1 to " + std::to_string(law_.capacity) + " numbers");
                else if (length.value_or(list->items.size()) != list->items.size())
                    refuse(p, "must have as many numbers as " + std::string(lists_.front().name) + ": " +
                                  std::to_string(*length));
                else
                    length = list->items.size();
            }
            if (sound && length) law_.size = static_cast<int>(*length);
            return sound;
        }
        return true;
    }
    bool is_list(const Parameter& p) const {
        return std::any_of(lists_.begin(), lists_.end(),
                           [&](const Parameter& list) { return std::string_view(list.name) == p.name; });
    }
    std::optional<double> item(const Parameter& p) {
        const Node& node = section_.find(p.name)->items[static_cast<std::size_t>(p.index)];
        if (node.is_number() && std::isfinite(node.number)) return node.number;
        section_.diagnose_item(p.name, static_cast<std::size_t>(p.index), "must be a finite number");
        return {};
    }

    // The value of another parameter for one that is not given: for v < 0 what holds for v > 0, unless that was not given
    // either and the table names a neighbour.
    std::optional<double> taken_over(const Parameter& p) const {
        const auto find = [&](const std::string& name) {
            const auto found = values_.find(name);
            return found == values_.end() ? nullptr : &found->second;
        };
        const Value* other_side = *p.group ? find(p.name) : nullptr;
        if (other_side && other_side->given) return other_side->x;
        if (p.fallback) {
            const Value* neighbour = *p.group ? find(std::string(p.group) + "." + p.fallback) : find(p.fallback);
            if (neighbour) return neighbour->x;
        }
        if (other_side) return other_side->x;
        return {};
    }

    Section& section_;
    Law& law_;
    std::optional<Section> negative_;
    std::vector<Parameter> lists_;  // the parameters that are lists in the file
    std::map<std::string, Value> values_;
};

// The mass that the contact feels; 0 where nothing moves freely, nothing where the rig could not be read.
std::optional<double> mass_at_contact(const RigPart& part, const LoadPart& load) {
    if (!part.usable) return {};
    if (part.rig->is_prescribed()) return 0;
    const RigEquations rig = part.rig->equations();
    const double mass = rig.inertia / (rig.ratio * rig.ratio);
    // a load on the whole force makes the bristle as much stiffer as the mass would be lighter
    return load.on == LoadOn::all && load.load ? mass / load.load->piece(0).value(0.0) : mass;
}

}  // namespace

LawPart read_law(Section section, const RigPart& rig, const LoadPart& load) {
    LawPart part;
    if (!section.there()) {
        section.diagnose("is missing: a section [law] with kind = " + listed(law_kinds()));
        return part;
    }
    const auto kind = section.choice("kind", law_kinds());
    if (!kind) return part;
    section.find("load");
    section.find("load_on");
    const std::size_t told = section.diagnostics().size();
    part.law = law_of_kind(law_kinds()[*kind]);
    const bool shaped = std::visit(
        [&]<class Law>(Law& law) {
            LawReader<Law> reader(section, law);
            const bool sized = reader.read_shape();
            if (sized) {
                law.load_on = load.on;
                reader.read_numbers();
                reader.read_zeta(mass_at_contact(rig, load));
                reader.check();
                reader.close();
            }
            return sized;
        },
        *part.law);
    part.usable = section.diagnostics().size() == told;
    if (!shaped) part.law.reset();
    return part;
}

bool switches(const AnyLaw& law) {
    return std::visit(
        []<class Law>(const Law&) {
            return SticksExactly<Law> || RemembersVelocity<Law> || std::same_as<Law, AnyMaxwellSlip>;
        },
        law);
}

LoadPart read_load(Section law, Section load, const RigPart& rig, const InputContext& context) {
    LoadPart part;
    part.load = Input::constant(1);
    const bool given = law.has("load") || load.there(), on_given = law.has("load_on");
    const Node* kind = law.find("kind");
    const bool makkar = kind && kind->text == "makkar";
    const auto* belt = rig.rig ? std::get_if<Conveyor>(&*rig.rig) : nullptr;
    const bool on_belt = belt;

    const auto on = law.choice("load_on", {"curve", "all"}, makkar && on_belt ? 1 : 0);
    part.on = on == 1u ? LoadOn::all : LoadOn::curve;
    if (law.has("load") && load.there()) {
        law.diagnose("load", "is given twice: here and in the section [load]; remove one");
    } else if (law.has("load")) {
        const auto number = law.number(Key{{"load", "N", "normal load", bound::positive}});
        if (number) part.load = Input::constant(*number);
    } else if (load.there()) {
        part.load = read_input(load, context);
        if (part.load) load.close();
        if (part.load && !(part.load->range().low > 0))
            load.diagnose("must stay > 0; its smallest value is " + quantity(part.load->range().low, "N"));
    }
    if (!given && on_belt && (makkar || on_given)) {
        // coefficients on a belt: the block's own weight presses it down
        const double weight = rig.usable ? belt->mass * belt->gravity : 1;
        if (!(weight > 0 && weight < bound::infinite))
            law.diagnose("kind",
                         "the weight on the belt, mass times gravity, is no usable load: " + quantity(weight, "N"));
        part.load = Input::constant(weight);
    } else if (!given && on_given) {
        law.diagnose("load_on", "says what a load multiplies, and there is no load: give load or a section [load]");
    }
    return part;
}

}  // namespace bristle::experiment
