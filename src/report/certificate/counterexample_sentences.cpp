// One sentence for each construction of a counterexample: what the input does, and the energy that it extracts.
#include "report/certificate/sentences.hpp"

#include "base/text.hpp"

namespace bristle::report {

namespace {

struct ConstructionSentence {
    const Counterexample& example;
    const Units& units;

    std::string energy(double joule) const { return units(joule, "J", 3); }
    std::string per_cycle() const { return energy(-example.energy_per_cycle); }
    static std::string times(int count) { return std::to_string(count) + (count == 1 ? " time" : " times"); }

    std::string operator()(const Counterexample::Constant& c) const {
        return "Hold " + units(c.v, "m/s", 3) + ": the force is " + units(c.force, "N", 3) +
               " and drives the motion at all times.";
    }
    std::string operator()(const Counterexample::Shuttle& c) const {
        const auto deflection = [&](double z) { return units(z, "m", 5); };
        const auto leg = [&](double v, double load) {
            return units(v, "m/s", 3) + (c.load_varies() ? " under " + units.plain(load, "N") : "");
        };
        const std::string text = "From z = 0 deflect z to " + deflection(c.high > 0 ? c.low : c.high) +
                                 ", then move it " + times(c.cycles) + " between " + deflection(c.low) + " and " +
                                 deflection(c.high) + ", up at " + leg(c.v_up, c.load_up) + " and down at " +
                                 leg(c.v_down, c.load_down) + ": each cycle extracts " + per_cycle();
        if (example.energy < 0)
            return text + ", and in total " + energy(-example.energy) + " more is extracted than was put in.";
        return text + "; the first deflection costs " + energy(c.deflection_energy) + " net, so that about " +
               readable(c.cycles_needed, 3) + " cycles recover it.";
    }
    std::string operator()(const Counterexample::Lever& c) const {
        return std::string("Deflect the ") + (c.springs ? "springs by " : "bristles to ") +
               units(c.deflection, "m", 3) + " under " + units(c.load_low, "N", 3) + ", raise the load to " +
               units(c.load_high, "N", 3) + " at rest and release them: each cycle extracts " + per_cycle() +
               ", which the change of the load supplies and not the motion.";
    }
    std::string operator()(const Counterexample::Climb& c) const {
        return "Elements that slip at " + units(c.v_low, "m/s", 3) + " (level " + units(c.level_low, "N", 3) +
               ") move at " + units(c.v_high, "m/s", 3) + " until they have climbed to " + units(c.level_high, "N", 3) +
               " nearly without motion, and push the contact back by " + units(c.back, "m", 3) + ": " + per_cycle() +
               " in every cycle" +
               (example.energy < 0 ? "." : ", which does not recover the first deflection within so many cycles.");
    }
    std::string operator()(const Counterexample::Sawtooth& c) const {
        return std::string(c.deflects ? "After z has been deflected forward, " : "") + "v rises from " +
               units(-c.depth, "m/s", 3) + " to 0 in " + units(c.rise, "s", 3) +
               " and falls back at once, repeatedly: v + a > 0 keeps z forward while the contact moves backward, and "
               "each "
               "period extracts " +
               per_cycle() + ".";
    }
    std::string operator()(const Counterexample::Search& c) const {
        return "Found by a search: a cycle of " + std::to_string(c.legs) + " legs, " + times(c.cycles) + ". In total " +
               energy(-example.energy) + " is extracted; one more cycle extracts " + per_cycle() + ".";
    }
};

}  // namespace

std::string sentence_of(const Counterexample& example, const Units& units) {
    return std::visit(ConstructionSentence{example, units}, example.construction);
}

}  // namespace bristle::report
