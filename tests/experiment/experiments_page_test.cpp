// docs/experiments.md has the tables of the reader. If one differs, the test prints the right one.
#include "experiment/keys.hpp"

#include <bristle/describe.hpp>
#include <bristle/simulate/machine_parameters.hpp>

#include <cmath>
#include <fstream>
#include <sstream>
#include <gtest/gtest.h>

namespace {

using namespace bristle;
using namespace bristle::experiment;

std::string text_of(const char* path) {
    std::ifstream file(std::filesystem::path(__FILE__).parent_path() / path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}
std::string page() { return text_of("../../docs/experiments.md"); }

std::string code(const std::string& word) { return "`" + word + "`"; }
std::string escaped(std::string text) {
    for (std::size_t at = 0; (at = text.find('|', at)) != text.npos; at += 2) text.insert(at, "\\");
    return text;
}
std::string row(const std::vector<std::string>& cells) {
    std::string text = "|";
    for (const std::string& cell : cells) text += " " + escaped(cell) + " |";
    return text + "\n";
}
std::string key_row(const Key& key) {
    const Parameter& p = key.parameter;
    const std::string otherwise = key.default_doc ? key.default_doc
                                  : key.otherwise ? quantity(*key.otherwise, "")
                                                  : "required";
    return row({code(p.name), *p.unit ? p.unit : "that of the input", p.bound.rule, otherwise, p.doc});
}

void expect_on_page(const std::string& table) {
    EXPECT_NE(page().find(table), std::string::npos) << "docs/experiments.md needs:\n" << table;
}

TEST(ExperimentsPage, RigsAreThoseOfTheTable) {
    std::string table =
        "| kind | rig | keys, all required | states beside the bristle's | input |\n|---|---|---|---|---|\n";
    for_each_rig([&](const auto& rig) {
        std::string keys;
        rig.parameters(rig, [&](const Parameter& p, double) {
            keys += (keys.empty() ? "" : ", ") + code(p.name) + " [" + p.unit + "]";
        });
        // a law without a state of its own leaves those of the rig
        std::string states;
        for (const auto& state : state_names(*law_of_kind("coulomb"), Rig(rig)))
            states += (states.empty() ? "" : ", ") + code(state.name) + " [" + state.unit + "]";
        table += row({code(rig.info.kind), rig.info.title, keys.empty() ? "none" : keys,
                      states.empty() ? "none" : states, rig.info.takes_input ? "yes" : "no"});
    });
    expect_on_page(table);
}

TEST(ExperimentsPage, EquationsOfRigsAreThoseOfTheTable) {
    std::string table = "| kind | equation of motion and control |\n|---|---|\n";
    for_each_rig([&](const auto& rig) { table += row({code(rig.info.kind), rig.info.equation}); });
    expect_on_page(table);
}

TEST(ExperimentsPage, InputsAreThoseOfTheReader) {
    std::string table = "| kind | signal |\n|---|---|\n";
    for (const InputKind& kind : input_kinds) table += row({code(kind.name), kind.doc});
    expect_on_page(table);
    std::string numbers = "| key | unit | rule | default | meaning |\n|---|---|---|---|---|\n";
    for (const Key& key : input_keys) numbers += key_row(key);
    expect_on_page(numbers);
}

TEST(ExperimentsPage, RunKeysAreThoseOfTheReader) {
    std::string table = "| key | unit | rule | default | meaning |\n|---|---|---|---|---|\n";
    for (const Key& key : run_keys) table += key_row(key);
    table += row({code("method"), "", "must be " + listed(names_of(methods())), methods().front().name, "solver"});
    expect_on_page(table);
}

// The keys that claims about it take.
const char* taken_by(MeasureKind::Of of) {
    using Of = MeasureKind::Of;
    return of == Of::occurrence || of == Of::stick ? "`at`"
           : of == Of::signal                      ? "`signal`"
           : of == Of::instant                     ? "`signal`, `time`"
           : of == Of::servo                       ? "`part`"
                                                   : "";
}

TEST(ExperimentsPage, MeasuresAreThoseOfTheReader) {
    std::string table = "| measure | takes | meaning |\n|---|---|---|\n";
    for (const MeasureKind& kind : measure_kinds()) table += row({code(kind.name), taken_by(kind.of), kind.doc});
    expect_on_page(table);
}

// The page refers to the pages of the laws: one for each kind of the catalogue, with its parameters.
TEST(ExperimentsPage, LinksToTheFolderThatHasAPageForEveryLaw) {
    EXPECT_NE(page().find("(models/README.md)"), std::string::npos);
    for_each_law([&](const auto& entry) {
        const std::string text = text_of(("../../docs/models/" + std::string(entry.kind) + ".md").c_str());
        using Law = typename std::remove_cvref_t<decltype(entry)>::law;
        Law law{};
        set_example(law);
        Law::parameters(law, [&](const Parameter& p, const double&) {
            const std::string key = std::string(p.name) + (p.index < 0 ? "" : "[i]");
            EXPECT_NE(text.find(key + "` | `"), std::string::npos) << entry.kind << ": " << key;
        });
    });
}

// The examples of the page, a rig and a machine, run unchanged and their claims hold.
TEST(ExperimentsPage, ItsExamplesRunAndTheirClaimsHold) {
    const std::string text = page();
    int machines = 0, rigs = 0;
    for (auto begin = text.find("```toml\n"); begin != text.npos; begin = text.find("```toml\n", begin + 8)) {
        const auto end = text.find("```", begin + 8);
        ASSERT_NE(end, text.npos);
        const Experiment example = read(text.substr(begin + 8, end - begin - 8), "docs/experiments.md");
        (example.machine ? machines : rigs) += 1;
        ASSERT_FALSE(example.claims.empty());
        for (const Verdict& verdict : judge(example, simulate(example)))
            EXPECT_TRUE(verdict.holds) << verdict.claim.text;
    }
    EXPECT_EQ(rigs, 1);
    EXPECT_EQ(machines, 1);
}

std::string row_of_part(const std::string& part, const PartParameter& p, double x) {
    const Parameter rotary = p.in_units(PartUnits::rotary);
    const std::string otherwise = p.fallback      ? p.fallback
                                  : std::isnan(x) ? "required"
                                  : std::isinf(x) ? "no limit"
                                                  : quantity(x, "");
    const std::string key = p.rotary_name ? code(p.name) + ", " + code(p.rotary_name) : code(p.name);
    return row({part, key, p.unit, rotary.unit, std::string(p.bound.rule) + (p.not_zero ? ", not 0" : ""), otherwise,
                p.rotary_name ? std::string(p.doc) + ", " + p.rotary_name : p.doc});
}

TEST(ExperimentsPage, NumbersOfPartsAreThoseOfTheTable) {
    std::string table = "| section | key | unit | rotary | rule | default | meaning |\n|---|---|---|---|---|---|---|\n";
    const Machine one{.bodies = {{}},
                      .motions = {{}},
                      .springs = {{}},
                      .gears = {{}},
                      .contacts = {{}},
                      .forces = {{}},
                      .motors = {{}},
                      .controllers = {{}}};
    const auto rows = [&](const std::string& part, const auto& object, int skipped = 0) {
        parameters(object, [&](const PartParameter& p, double x) {
            if (skipped-- <= 0) table += row_of_part(part, p, x);
        });
    };
    for_each_list(one, [&](const PartKind& kind, const auto& parts) {
        const std::string part = code("[[" + std::string(kind.section) + "]]");
        if constexpr (requires { parts[0].reference; }) {
            rows(part + " pid", Pid{});
            rows(part + " cascade", Cascade{});
            rows(part, parts[0], 4);  // behind those of its law
        } else {
            rows(part, parts[0]);
        }
    });
    expect_on_page(table);
}

// The table of parts has the keys of the reader: each key in backticks of its row is accepted or reported as wrong, never as unknown.
TEST(ExperimentsPage, KeysOfPartsAreThoseOfTheReader) {
    const std::string text = page();
    for (const std::string kind : {"body", "motion", "spring", "gear", "contact", "force", "motor", "controller"}) {
        const std::string head = "| `[[" + kind + "]]` |";
        const auto begin = text.find(head);
        ASSERT_NE(begin, text.npos) << kind;
        const std::string row = text.substr(begin + head.size(), text.find('\n', begin) - begin - head.size());
        std::string file = "[[" + kind + "]]\nname = \"a\"\n";
        int keys = 0;
        for (auto at = row.find('`'); at != row.npos; at = row.find('`', at + 1)) {
            const auto end = row.find('`', at + 1);
            ASSERT_NE(end, row.npos) << row;
            const std::string key = row.substr(at + 1, end - at - 1);
            at = end;
            if (key.find_first_of("[\"") != key.npos) continue;
            file += key + " = false\n";
            ++keys;
        }
        EXPECT_GE(keys, 1) << row;
        try {
            read(file, "table.toml");
            ADD_FAILURE() << kind;
        } catch (const Unreadable& error) {
            EXPECT_EQ(std::string(error.what()).find("is not a key here"), std::string::npos) << error.what();
        }
    }
}

}  // namespace
