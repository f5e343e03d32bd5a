// [law]: numbers and words come from the law's own tables, under the names, units and bounds that they give.
#include "experiment/keys.hpp"
#include "experiment/parts.hpp"

#include <bristle/describe.hpp>

#include <algorithm>
#include <cmath>

namespace bristle::experiment {

namespace {

Words law_kinds() {
    Words kinds;
    for_each_law([&](const auto& entry) { kinds.emplace_back(entry.kind); });
    return kinds;
}

// The index of the word that a section gives, 0 if it gives none; std::nullopt if its value is wrong, which is reported.
std::optional<std::size_t> index_of(Section& section, const Choice& choice) {
    if (choice.count() > 0) return section.choice(choice.name, Words(choice.words, choice.words + choice.count()), 0);
    if (!section.find(choice.name)) return 0;
    const auto yes = section.yes_or_no(choice.name);
    return yes ? std::optional<std::size_t>(*yes) : std::nullopt;
}

template <class Law>
class LawReader {
  public:
    LawReader(Section& section, Law& law) : section_(section), law_(law) {}

    // The words, and the number of elements and points: they decide which numbers the table has.
    bool read_shape() {
        const bool sized = read_words() && read_points() && read_lists();
        bool two_sided = false;
        Law::parameters(law_, [&](const Parameter& p, double&) { two_sided = two_sided || *p.group; });
        if (two_sided) negative_.emplace(section_.below("negative"));
        const bool directional = two_sided && negative_->there();
        if constexpr (requires { law_.curve.directional; }) law_.curve.directional = directional;
        if constexpr (requires { law_.curve.stribeck; }) law_.curve.stribeck.directional = directional;
        if (directional) read_words();  // once more for the curve of v < 0
        return sized;
    }

    void read_numbers() {
        Law::parameters(law_, [&](const Parameter& p, double& x) {
            if (p.index >= 0 && !is_list(p)) return;  // a point of the curve, read already
            Section& section = *p.group ? *negative_ : section_;
            const bool given = section.has(p.name);
            const auto number = p.index < 0 ? section.number(std::string_view(p.name)) : item(p);
            if (given)
                x = number.value_or(unset<double>());
            else if (std::string_view(p.name) == "sigma0" && section_.has("presliding"))
                x = 1;  // read_presliding sets it
            else if (const auto other = taken_over(p))
                x = *other;
            else if (std::isnan(x))
                section.missing(p.name, described(p));
            values_.push_back({p.group, p.name, x, given});
        });
    }

    // sigma0 from the presliding distance: the deflection at which the bristle carries the largest level. load [N] at t = 0.
    void read_presliding(double load) {
        if constexpr (requires { law_.sigma0; }) {
            constexpr Key presliding{{"presliding", "m", "presliding distance", bound::positive}};
            if (!section_.find("presliding")) return;
            if (section_.has("sigma0"))
                return section_.diagnose("presliding", "is given beside sigma0; give one of the two");
            const auto distance = section_.number(presliding);
            const double sigma0 = presliding_stiffness<double>(
                curve_under(law_, load).peak() * loads(law_, load).on_curve, distance.value_or(unset<double>()));
            if (sigma0 > 0) law_.sigma0 = sigma0;  // otherwise a number of the formula is wrong and reported
        }
    }

    // sigma1 from the damping ratio of the mass in stick. mass: at the contact [kg]; 0: there is none; std::nullopt: unknown.
    void read_zeta(std::optional<double> mass) {
        if constexpr (requires { law_.sigma1; }) {
            constexpr Key zeta{{"zeta", "1", "damping ratio in stick", bound::positive}};
            if (!section_.find("zeta")) return;
            if (section_.has("sigma1")) return section_.diagnose("zeta", "is given beside sigma1; give one of the two");
            const auto ratio = section_.number(zeta);
            if (!mass) return;
            if (!(*mass > 0))
                return section_.diagnose("zeta", "needs a mass that the contact moves; give sigma1 instead");
            const double sigma1 = microdamping(law_.sigma0, *mass, ratio.value_or(unset<double>()), law_.sigma2);
            if (std::isnan(sigma1)) return;  // a number of the formula is wrong and reported
            law_.sigma1 = sigma1;
            if (sigma1 >= 0) return;
            const double least = law_.sigma2 / (2 * std::sqrt(law_.sigma0 * *mass));
            section_.diagnose("zeta", "gives sigma1 = " + quantity(sigma1, "N s/m") +
                                          ", which must not be negative; the smallest zeta beside this sigma2 is " +
                                          quantity(least, ""));
            law_.sigma1 = 0;
        }
    }

    // The rules of the law itself. Problems that were reported while reading are not reported again.
    void check() {
        std::vector<Problem> reported;
        problems(law_, [&](const Problem& problem) {
            const Parameter& p = problem.parameter;
            if (std::isnan(problem.value)) return;
            const auto same = [&](const Problem& other) {
                return std::string_view(other.parameter.name) == p.name && other.rule == problem.rule;
            };
            const bool own = !*p.group || negative_->has(p.name);
            if (!own && std::any_of(reported.begin(), reported.end(), same)) return;
            reported.push_back(problem);
            Section& section = *p.group ? *negative_ : section_;
            if (p.index < 0)
                section.diagnose_of(p.name, problem.rule, quantity(problem.value, ""), p.unit);
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
        std::string_view group, name;
        double x;
        bool given;
    };
    struct Word {
        std::string_view name;
        std::size_t index;
    };

    // False if a word is wrong that decides which numbers the table has. A word is read once and then holds for every place of
    // the law that has it.
    bool read_words() {
        bool sound = true;
        for_each_choice(law_, [&]<class Held>(const Choice& choice, Held& x) {
            auto word = std::find_if(words_.begin(), words_.end(), [&](auto& w) { return w.name == choice.name; });
            if (word == words_.end()) {
                const auto index = index_of(section_, choice);
                sound = sound && (index || !choice.selects_parameters);
                word = words_.insert(words_.end(), {choice.name, index.value_or(0)});
            }
            x = Held(word->index);
        });
        return sound;
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
                if (!list && !there) section_.missing(p.name, "a list, one number for each element: " + described(p));
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

    // The value of another parameter for one that is not given: for v < 0 that of v > 0, unless that one is not given either and
    // the table names a fallback.
    std::optional<double> taken_over(const Parameter& p) const {
        const auto find = [&](std::string_view group, std::string_view name) {
            const auto found = std::find_if(values_.begin(), values_.end(), [&](const Value& value) {
                return value.group == group && value.name == name;
            });
            return found == values_.end() ? nullptr : &*found;
        };
        const Value* other_side = *p.group ? find("", p.name) : nullptr;
        if (other_side && other_side->given) return other_side->x;
        if (p.fallback) {
            if (const Value* neighbour = find(p.group, p.fallback)) return neighbour->x;
        }
        if (other_side) return other_side->x;
        return {};
    }

    Section& section_;
    Law& law_;
    std::optional<Section> negative_;
    std::vector<Parameter> lists_;  // the parameters that are lists in the file
    std::vector<Value> values_;
    std::vector<Word> words_;
};

// The mass at the contact [kg]; 0 if nothing moves freely, std::nullopt if the rig could not be read.
std::optional<double> mass_at_contact(const RigPart& part, const LoadPart& load) {
    if (!part.usable) return {};
    if (part.rig->is_prescribed()) return 0;
    const double mass = part.rig->equations().contact_mass();
    // a load N on the whole force makes the bristle N times stiffer, which is as a mass N times smaller
    return load.on == LoadOn::all && load.load ? mass / load.load->piece(0).value(0.0) : mass;
}

}  // namespace

LoadOn read_load_on(Section& law) {
    return law.has(load_on_choice.name) ? LoadOn(index_of(law, load_on_choice).value_or(0)) : LoadOn::curve;
}

LawPart read_law(Section section, const RigPart& rig, const LoadPart& load) {
    LawPart part;
    const Words kinds = law_kinds();
    const auto kind = section.kind(kinds);
    if (!kind) return part;
    section.find("load");
    section.find(load_on_choice.name);
    const std::size_t before = section.diagnostics().size();
    part.law = law_of_kind(kinds[*kind]);
    const bool shaped = std::visit(
        [&]<class Law>(Law& law) {
            LawReader<Law> reader(section, law);
            const bool sized = reader.read_shape();
            if (sized) {
                law.load_on = load.on;
                reader.read_numbers();
                reader.read_presliding(load.load ? load.load->piece(0).value(0.0) : neutral_load<Law>);
                reader.read_zeta(mass_at_contact(rig, load));
                reader.check();
                reader.close();
            }
            return sized;
        },
        *part.law);
    part.usable = section.diagnostics().size() == before;
    if (!shaped) part.law.reset();
    return part;
}

LoadPart read_load(Section law, Section load, const RigPart& rig, const InputContext& context) {
    LoadPart part;
    const Node* kind = law.find("kind");
    const auto known = kind ? law_of_kind(kind->text) : std::nullopt;
    const bool inside = known && neutral_load_of(*known) == 0;  // the load acts inside the curve
    part.load = Input::constant(inside ? 0 : 1);
    const bool given = law.has("load") || load.there(), on_given = law.has(load_on_choice.name);
    const bool makkar = kind && kind->text == "makkar";
    const auto* belt = rig.rig ? std::get_if<Conveyor>(&*rig.rig) : nullptr;
    const bool on_belt = belt;

    part.on = !on_given && makkar && on_belt ? LoadOn::all : read_load_on(law);
    if (inside && part.on == LoadOn::all) {
        law.diagnose("load_on", "must be curve or absent: the load acts inside the curve of this law");
        part.on = LoadOn::curve;
    }
    if (law.has("load") && load.there()) {
        law.diagnose("load", "is given here and in the section [load]; remove one");
    } else if (law.has("load")) {
        const auto number = law.number(inside ? Key{{"load", "N", "transmitted load", bound::nonnegative}}
                                              : Key{{"load", "N", "normal load", bound::positive}});
        if (number) part.load = Input::constant(*number);
    } else if (load.there()) {
        part.load = read_input(load, context);
        if (part.load) load.close();
        const double low = part.load ? part.load->range().low : 1;
        if (!(known ? accepts_load(*known, low) : low > 0))
            load.diagnose(std::string("must stay ") + (inside ? ">=" : ">") + " 0 N; its smallest value is " +
                          quantity(low, "N"));
    }
    if (!given && on_belt && (makkar || on_given) && !inside) {
        // coefficients on a belt: the load is the weight of the block
        const double weight = rig.usable ? belt->mass * belt->gravity : 1;
        if (!(weight > 0 && weight < bound::infinite))
            law.diagnose("kind",
                         "the weight mass times gravity must be a finite load > 0, is " + quantity(weight, "N"));
        part.load = Input::constant(weight);
    } else if (!given && on_given && !inside) {
        law.diagnose("load_on", "needs a load; give law.load or a section [load]");
    }
    return part;
}

}  // namespace bristle::experiment
