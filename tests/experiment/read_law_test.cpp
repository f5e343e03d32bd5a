// [law]: every kind, through its own table; curves, directions, load, damping ratio.
#include "reading.hpp"

#include "base/text.hpp"

#include <cmath>
#include <map>

namespace {

using namespace reading;

const std::string mass = "[rig]\nkind = \"forced_mass\"\nmass = 4\n[input]\nkind = \"constant\"\nvalue = 1\n";
const std::string run = "[run]\nduration = 1\n";
const std::string lugre = "[law]\nkind = \"lugre\"\nsigma0 = 100\nFc = 1\nFs = 1.5\nvs = 0.1\n";

AnyLaw law_of(const std::string& law, const std::vector<Override>& overrides = {}) {
    return experiment_of(law + mass + run, overrides).setup.law;
}
void expect_law_fault(const std::string& law, int line, const std::string& key, const std::string& rule) {
    const auto found = diagnostics_of(law + mass + run);
    ASSERT_EQ(found.size(), 1u) << law << sentences(found);
    EXPECT_EQ(found[0].line, line) << sentences(found);
    EXPECT_EQ(found[0].key, key);
    EXPECT_NE(broken_rule(found[0]).find(rule), std::string::npos) << broken_rule(found[0]);
}

// A value within every bound and every rule between parameters, not the default: near the example of the table.
double sample(const Parameter& p) {
    const double example = example_of(p, 1), other = example * (*p.group ? 1.1875 : 1.125);
    return p.index < 0 && p.bound.holds(other) ? other : example;
}

// Written with the table of the law, read back through the file: the same numbers.
TEST(ReadLaw, EveryKindIsReadBackAsWritten) {
    for_each_law([](const auto& entry) {
        using Law = OverAny<typename std::remove_cvref_t<decltype(entry)>::law>;
        Law law{};
        if constexpr (requires { law.size; }) law.size = 2;
        if constexpr (requires { law.curve.directional; }) law.curve.directional = true;
        if constexpr (requires { law.curve.stribeck; }) law.curve.stribeck.directional = true;
        std::string text = std::string("[law]\nkind = \"") + entry.kind + "\"\n", negative = "[law.negative]\n";
        std::map<std::string, std::string> lists;
        bool two_sided = false;
        Law::parameters(law, [&](const Parameter& p, double& x) {
            x = sample(p);
            std::string& to = *p.group ? negative : text;
            two_sided = two_sided || *p.group;
            if (p.index >= 0)
                lists[p.name] += (p.index > 0 ? ", " : "") + exact(x);
            else
                to += std::string(p.name) + " = " + exact(x) + "\n";
        });
        for (const auto& [name, list] : lists) text += name + " = [" + list + "]\n";
        const auto read = law_of(text + (two_sided ? negative : ""));
        ASSERT_EQ(kind_of(read), entry.kind);
        const Law& got = std::get<Law>(read);
        std::vector<double> expected, found;
        Law::parameters(law, [&](const Parameter&, double& x) { expected.push_back(x); });
        Law::parameters(got, [&](const Parameter&, const double& x) { found.push_back(x); });
        EXPECT_EQ(found, expected) << entry.kind;
    });
}

// Without its required numbers each kind reports exactly those that have no default.
TEST(ReadLaw, EveryKindReportsMissingNumbers) {
    for_each_law([](const auto& entry) {
        using Law = OverAny<typename std::remove_cvref_t<decltype(entry)>::law>;
        std::vector<std::string> expected;
        const Law law{};
        Law::parameters(law, [&](const Parameter& p, const double& x) {
            if (std::isnan(x) && !p.fallback && !*p.group) expected.push_back(std::string("law.") + p.name);
        });
        if constexpr (requires { law.size; }) expected = {"law.k", "law.nu"};  // how many there are comes first
        std::vector<std::string> found;
        for (const auto& diagnostic :
             diagnostics_of(std::string("[law]\nkind = \"") + entry.kind + "\"\n" + mass + run)) {
            found.push_back(diagnostic.key);
            EXPECT_EQ(diagnostic.line, 1);
        }
        EXPECT_EQ(found, expected) << entry.kind;
    });
}

TEST(ReadLaw, CoulombHasFsEqualToFcUnlessGiven) {
    const auto law = std::get<AnyCoulomb>(law_of("[law]\nkind = \"coulomb\"\nFc = 2\n"));
    EXPECT_EQ(law.curve.positive.Fs, 2);
    EXPECT_FALSE(law.curve.directional);
    // on the other side too, if neither side gives it
    const auto both = std::get<AnyCoulomb>(law_of("[law]\nkind = \"coulomb\"\nFc = 2\n[law.negative]\nFc = 3\n"));
    EXPECT_EQ(both.curve.negative.Fs, 3);
}

TEST(ReadLaw, TheNegativeSideInheritsNumbersThatItDoesNotGive) {
    const auto law = std::get<AnyLuGre>(law_of(lugre + "sigma2 = 0.5\nalpha = 1\n[law.negative]\nFc = 0.75\n"));
    EXPECT_TRUE(law.curve.stribeck.directional);
    const Stribeck& side = law.curve.stribeck.negative;
    EXPECT_EQ(side.Fc, 0.75);
    EXPECT_EQ(side.Fs, 1.5);
    EXPECT_EQ(side.vs, 0.1);
    EXPECT_EQ(side.alpha, 1);
    EXPECT_EQ(law.sigma2_negative, 0.5);
    EXPECT_EQ(std::get<AnyLuGre>(law_of(lugre + "[law.negative]\nsigma2 = 3\n")).sigma2_negative, 3);
    EXPECT_EQ(std::get<AnyLuGre>(law_of(lugre + "sigma2 = 3\n")).sigma2_negative, 3);
}

TEST(ReadLaw, FaultsOfTheNegativeSideAreReportedThere) {
    expect_law_fault(lugre + "[law.negative]\nFc = 2\n", 7, "law.negative.Fs", "must be >= Fc");
    expect_law_fault(lugre + "[law.negative]\nsigma0 = 2\n", 8, "law.negative.sigma0", "is not a key here");
    expect_law_fault("[law]\nkind = \"dahl\"\nsigma0 = 1\nFc = 1\n[law.negative]\nFc = 2\n", 5, "law.negative",
                     "is not a key here");
    // an inherited number is reported once, at its own line
    expect_law_fault(with(lugre, "vs = 0.1", "vs = -1") + "[law.negative]\nFc = 1\n", 6, "law.vs", "> 0");
}

TEST(ReadLaw, FsBelowFcNeedsAllowRising) {
    const auto rising = with(lugre, "Fs = 1.5", "Fs = 0.5");
    expect_law_fault(rising, 5, "law.Fs", "must be >= Fc");
    EXPECT_TRUE(diagnostics_of(rising + "allow_rising = true\n" + mass + run).empty());
    expect_law_fault(lugre + "allow_rising = 1\n", 7, "law.allow_rising", "must be true or false, is a whole number");
}

TEST(ReadLaw, TablesAreReadFromPoints) {
    const std::string table = "[law]\nkind = \"lugre\"\nsigma0 = 100\ncurve = \"table\"\n";
    const auto law = std::get<AnyLuGre>(law_of(table + "points = [[0, 1.5], [0.1, 1.25], [1, 1]]\n"));
    EXPECT_TRUE(law.curve.tabulated);
    ASSERT_EQ(law.curve.table.size, 3);
    EXPECT_EQ(law.curve.table.v[1], 0.1);
    EXPECT_EQ(law.curve.table.g[1], 1.25);

    expect_law_fault(table, 1, "law.points", "is missing");
    expect_law_fault(table + "points = [[0, 1]]\n", 5, "law.points", "must be 2 to 64 points");
    expect_law_fault(table + "points = 3\n", 5, "law.points", "must be a list, is a whole number");
    expect_law_fault(table + "points = [[0, 1],\n[1]]\n", 6, "law.points[2]", "must be two finite numbers");
    expect_law_fault(table + "points = [[0, 1],\n[1, nan]]\n", 6, "law.points[2]", "must be two finite numbers");
    expect_law_fault(table + "points = [[0, 1],\n[0, 2]]\n", 6, "law.points[2]", "larger than the speed before it");
    expect_law_fault(table + "points = [[0, 1],\n[1, -2]]\n", 6, "law.points[2]", "must be a finite number > 0");
    expect_law_fault(table + "points = [[0, 1], [1, 2]]\nFc = 1\n", 6, "law.Fc", "is not a key here");
    expect_law_fault(table + "points = [[0, 1], [1, 2]]\nv = 1\n", 6, "law.v", "is not a key here");
    expect_law_fault(with(table, "table", "tabel"), 4, "law.curve", "did you mean table?");
}

TEST(ReadLaw, ElementsAreReadFromListsOfOneLength) {
    const std::string curve = "[law]\nkind = \"maxwell_slip\"\nC = 10\nFc = 1\nFs = 1.5\nvs = 0.1\n";
    const auto law = std::get<AnyMaxwellSlip>(law_of(curve + "k = [1, 2]\nnu = [0.25, 0.75]\n"));
    ASSERT_EQ(law.size, 2);
    EXPECT_EQ(law.k[1], 2);
    EXPECT_EQ(law.nu[1], 0.75);

    // elements over a measured curve: its points are not lists
    const std::string table = "[law]\nkind = \"maxwell_slip\"\nC = 10\ncurve = \"table\"\npoints = [[0, 2], [1, 1]]\n";
    EXPECT_EQ(std::get<AnyMaxwellSlip>(law_of(table + "k = [1]\nnu = [1]\n")).curve.table.g[0], 2);
    expect_law_fault(table + "k = [1]\nnu = [1]\ng = [1, 2]\n", 8, "law.g", "is not a key here");

    expect_law_fault(curve + "k = [1, 2]\nnu = [1]\n", 8, "law.nu", "must have as many numbers as k: 2");
    expect_law_fault(curve + "k = []\nnu = [1]\n", 7, "law.k", "must have 1 to 16 numbers");
    expect_law_fault(curve + "k = 5\nnu = [1]\n", 7, "law.k", "must be a list");
    expect_law_fault(curve + "k = [1,\n-2]\nnu = [0.5, 0.5]\n", 8, "law.k[2]", "> 0");
    expect_law_fault(curve + "k = [1,\n\"a\"]\nnu = [0.5, 0.5]\n", 8, "law.k[2]", "must be a finite number");
    expect_law_fault(curve + "k = [1, 2]\nnu = [0.5, 0.75]\n", 8, "law.nu", "must add up to 1");
}

TEST(ReadLaw, WordsOfTheLawsAreRead) {
    const std::string curve = "sigma0 = 100\nFc = 1\nFs = 1.5\nvs = 0.1\n";
    const std::string smooth = "[law]\nkind = \"lugre_smooth\"\nc = 10\n" + curve;
    EXPECT_FALSE(std::get<AnySmoothLuGre>(law_of(smooth)).curve.printed);
    EXPECT_TRUE(std::get<AnySmoothLuGre>(law_of(smooth + "conductance = \"printed\"\n")).curve.printed);
    const std::string hysteretic = "[law]\nkind = \"hysteretic\"\na = 1e-6\nsigma1 = 1\n" + curve;
    EXPECT_EQ(std::get<AnyHysteretic>(law_of(hysteretic)).a_rule, ShiftRule::constant);
    EXPECT_EQ(std::get<AnyHysteretic>(law_of(hysteretic)).a_scale, 1);
    EXPECT_EQ(std::get<AnyHysteretic>(law_of(hysteretic + "a_rule = \"min\"\n")).a_rule, ShiftRule::min);
    EXPECT_EQ(std::get<AnyHysteretic>(law_of(hysteretic + "a_rule = \"max\"\n")).a_rule, ShiftRule::max);
    const std::string plastic = "[law]\nkind = \"elastoplastic\"\nkappa = 0.5\n" + curve;
    EXPECT_EQ(std::get<AnyElastoPlastic>(law_of(plastic)).breakaway, Breakaway::fraction);
    EXPECT_EQ(std::get<AnyElastoPlastic>(law_of(plastic + "breakaway = \"constant\"\n")).breakaway,
              Breakaway::constant);
    expect_law_fault(hysteretic + "a_rule = \"mean\"\n", 9, "law.a_rule", "must be constant, min or max");
}

// sigma0 z is the largest level at the presliding distance: 1.5 N in 15 um is 1e5 N/m; with a load N on the curve N times as much.
TEST(ReadLaw, PreslidingGivesSigma0) {
    const auto sigma0 = [](const std::string& law) { return std::get<AnyLuGre>(law_of(law)).sigma0; };
    const std::string given = with(lugre, "sigma0 = 100\n", "presliding = 15e-6\n");
    EXPECT_DOUBLE_EQ(sigma0(given), 1e5);
    EXPECT_DOUBLE_EQ(sigma0(given + "load = 4\n"), 4e5);
    EXPECT_DOUBLE_EQ(sigma0(given + "load = 4\nload_on = \"all\"\n"), 1e5);
    EXPECT_DOUBLE_EQ(std::get<Dahl>(law_of("[law]\nkind = \"dahl\"\npresliding = 1e-5\nFc = 2\n")).sigma0, 2e5);
    // zeta with that sigma0: 2 sqrt(1e5 4)
    EXPECT_DOUBLE_EQ(std::get<AnyLuGre>(law_of(given + "zeta = 1\n")).sigma1, 2 * std::sqrt(4e5));
    expect_law_fault(lugre + "presliding = 1e-5\n", 7, "law.presliding", "is given beside sigma0");
    expect_law_fault(with(given, "15e-6", "0"), 3, "law.presliding", "> 0");
    expect_law_fault(with(given, "vs = 0.1", "vs = -1"), 6, "law.vs", "> 0");
    expect_law_fault("[law]\nkind = \"coulomb\"\nFc = 1\npresliding = 1\n", 4, "law.presliding", "is not a key here");
}

// A08 before (8): sigma1 = 2 zeta sqrt(sigma0 m) - sigma2, here 2*1*sqrt(100*4) - 0.5 = 39.5.
TEST(ReadLaw, ZetaGivesSigma1FromTheMassOfTheRig) {
    const auto sigma1 = [](const std::string& text) {
        return std::get<AnyLuGre>(experiment_of(text).setup.law).sigma1;
    };
    EXPECT_DOUBLE_EQ(sigma1(lugre + "sigma2 = 0.5\nzeta = 1\n" + mass + run), 39.5);
    // mass*length^2/radius^2 = 1*0.25/0.01 = 25 at the joint's surface: 2 sqrt(100*25) = 100
    const std::string pendulum = "[rig]\nkind = \"pendulum\"\nmass = 1\nlength = 0.5\ngravity = 10\nradius = 0.1\n";
    EXPECT_NEAR(sigma1(lugre + "zeta = 1\n" + pendulum + run), 100, 1e-12);
    // a load of 4 on the whole force: N sigma0 = 400, N sigma1 = 2 sqrt(400*4) = 80
    EXPECT_DOUBLE_EQ(sigma1(lugre + "zeta = 1\nload = 4\nload_on = \"all\"\n" + mass + run), 20);

    expect_law_fault(lugre + "zeta = 1\nsigma1 = 3\n", 7, "law.zeta", "is given beside sigma1");
    expect_law_fault(lugre + "zeta = -1\n", 7, "law.zeta", "> 0");
    // 2*0.1*20 = 4 < 5; the smallest zeta is 5/40
    expect_law_fault(lugre + "sigma2 = 5\nzeta = 0.1\n", 8, "law.zeta", "gives sigma1 = -1 N s/m");
    expect_law_fault(lugre + "sigma2 = 5\nzeta = 0.1\n", 8, "law.zeta", "is 0.125");
    const std::string prescribed = "[rig]\nkind = \"prescribed\"\n[input]\nkind = \"constant\"\nvalue = 1\n";
    EXPECT_EQ(diagnostics_of(lugre + "zeta = 1\n" + prescribed + run).at(0).key, "law.zeta");
    expect_law_fault("[law]\nkind = \"coulomb\"\nFc = 1\nzeta = 1\n", 4, "law.zeta", "is not a key here");
}

// ---- load ----------------------------------------------------------------------------------------------------------

// Oracle of the wave: offset + amplitude sin(omega t) at t = pi/2: 3 + 2 = 5 N.
TEST(ReadLaw, LoadIsANumberOrASection) {
    const auto e = experiment_of(lugre + "load = 5\n" + mass + run);
    EXPECT_EQ(e.setup.load.piece(0).value(0.0), 5);
    EXPECT_EQ(std::get<AnyLuGre>(e.setup.law).load_on, LoadOn::curve);
    const auto all = experiment_of(lugre + "load = 5\nload_on = \"all\"\n" + mass + run);
    EXPECT_EQ(std::get<AnyLuGre>(all.setup.law).load_on, LoadOn::all);
    const auto wave =
        experiment_of(lugre + mass + run + "[load]\nkind = \"sine\"\noffset = 3\namplitude = 2\nomega = 1\n");
    EXPECT_NEAR(wave.setup.load.piece(0).value(1.5707963267948966), 5, 1e-12);

    expect_law_fault(lugre + "load = 0\n", 7, "law.load", "> 0");
    expect_law_fault(lugre + "load_on = \"all\"\n", 7, "law.load_on", "needs a load");
    expect_law_fault(lugre + "load = 1\nload_on = \"some\"\n", 8, "law.load_on", "must be curve or all");
    expect_law_fault(lugre + "load = 1\n[load]\nkind = \"constant\"\nvalue = 1\n", 7, "law.load",
                     "is given here and in the section [load]");
    for (const char* load :
         {"kind = \"sine\"\noffset = 1\namplitude = 1\nomega = 1\n", "kind = \"constant\"\nvalue = 0\n",
          "kind = \"ramps\"\npoints = [[0, 1], [1, -1]]\n", "kind = \"steps\"\npoints = [[0.5, 1]]\n",
          "kind = \"chirp\"\namplitude = 1\nf0 = 1\nf1 = 2\n"})
        expect_law_fault(lugre + "[load]\n" + load, 7, "load", "must stay > 0");
}

// Gear laws: the load acts inside the curve. Without one it is 0, and it may be 0; ks is kc unless it is given.
TEST(ReadLaw, GearLawsTakeATransmittedLoad) {
    const std::string gear = "[law]\nkind = \"lugre_gear\"\nsigma0 = 100\nFc = 1\nFs = 1.5\nvs = 0.1\nkc = 0.2\n";
    const auto plain = experiment_of(gear + mass + run);
    EXPECT_EQ(plain.setup.load.piece(0).value(0.0), 0);
    EXPECT_EQ(std::get<AnyGearLuGre>(plain.setup.law).curve.positive.ks, 0.2);
    const auto own = std::get<AnyGearLuGre>(law_of(gear + "ks = 0.3\n[law.negative]\nkc = 0.25\n")).curve;
    EXPECT_TRUE(own.directional);
    EXPECT_EQ(own.negative.kc, 0.25);
    EXPECT_EQ(own.negative.ks, 0.3);
    EXPECT_EQ(experiment_of(gear + "load = 5\n" + mass + run).setup.load.piece(0).value(0.0), 5);
    EXPECT_EQ(experiment_of(gear + "load = 0\nload_on = \"curve\"\n" + mass + run).setup.load.piece(0).value(0.0), 0);
    const auto wave =
        experiment_of(gear + mass + run + "[load]\nkind = \"sine\"\noffset = 2\namplitude = 2\nomega = 1\n");
    EXPECT_NEAR(wave.setup.load.range().low, 0, 1e-15);
    const std::string belt =
        "[rig]\nkind = \"conveyor\"\nmass = 2\nstiffness = 10\ngravity = 10\nbelt_speed = 0.1\nbelt_time = 1\n" + run;
    EXPECT_EQ(experiment_of(gear + belt).setup.load.piece(0).value(0.0), 0);

    expect_law_fault(gear + "load = -1\n", 8, "law.load", ">= 0");
    expect_law_fault(gear + "load = 1\nload_on = \"all\"\n", 9, "law.load_on", "must be curve or absent");
    expect_law_fault(gear + "ks = 0.1\n", 8, "law.ks", "must be >= kc");
    expect_law_fault(gear + "[load]\nkind = \"ramps\"\npoints = [[0, 1], [1, -1]]\n", 8, "load", "must stay >= 0");
}

TEST(ReadLaw, CoefficientsOnABeltGetTheWeightAsLoad) {
    const std::string belt =
        "[rig]\nkind = \"conveyor\"\nmass = 2\nstiffness = 10\ngravity = 10\nbelt_speed = 0.1\nbelt_time = 1\n" + run;
    const std::string makkar = "[law]\nkind = \"makkar\"\ng1 = 0.25\ng2 = 100\ng3 = 10\ng4 = 0.5\ng5 = 100\n";
    const auto e = experiment_of(makkar + belt);
    EXPECT_EQ(e.setup.load.piece(0).value(0.0), 20);
    EXPECT_EQ(std::get<Makkar>(e.setup.law).load_on, LoadOn::all);
    const auto plain = experiment_of(lugre + belt);  // forces, not coefficients
    EXPECT_EQ(plain.setup.load.piece(0).value(0.0), 1);
    const auto coefficients = experiment_of(lugre + "load_on = \"curve\"\n" + belt);
    EXPECT_EQ(coefficients.setup.load.piece(0).value(0.0), 20);
    EXPECT_EQ(std::get<AnyLuGre>(coefficients.setup.law).load_on, LoadOn::curve);
    EXPECT_EQ(experiment_of(lugre + "load_on = \"all\"\nload = 7\n" + belt).setup.load.piece(0).value(0.0), 7);
    // on other rigs Makkar's numbers are forces
    EXPECT_EQ(experiment_of(makkar + mass + run).setup.load.piece(0).value(0.0), 1);
}

}  // namespace
