#include "report/certificate/certificate.hpp"
#include "report/run/quantity.hpp"
#include "base/text.hpp"

#include <array>
#include <cctype>
#include <utility>

namespace bristle::report {

namespace {

std::string subject(const Certified& c) {
    const experiment::Experiment& e = c.experiment;
    std::string out = plain_text(e.name);
    if (!e.title.empty()) out += ": " + plain_text(e.title);
    return out + " (" + std::string(kind_of(e.setup.law)) + ")";
}

std::string change_in_words(const experiment::Experiment& e, const Change& change, Verdict verdict) {
    const std::string unit = unit_of_key(e, "law." + change.key);
    int digits = 4;  // as many as tell the two apart
    while (digits < 17 && readable(change.from, digits) == readable(change.to, digits)) ++digits;
    return "The nearest single change that " + std::string(verdict == Verdict::proved ? "breaks" : "mends") +
           " it: " + symbol(change.key) + " from " + readable(change.from, digits) + " to " +
           readable(change.to, digits) + (unit.empty() ? "" : " " + unit) + ".";
}

// By what it is proved or refuted; a storage that would have proved it is no reason of a refutation.
void add_theorem(CertificateSection& section, const Finding& finding) {
    if (finding.theorem.empty()) return;
    const bool tried = finding.verdict == Verdict::refuted && finding.theorem.starts_with("storage");
    const char* how = finding.verdict == Verdict::undecided ? "Tried: " : tried ? "Judged with the " : "By ";
    section.sentences.push_back(how + finding.theorem + ".");
}

CertificateSection section_of(const Certified& c, const char* heading, const Finding& finding) {
    CertificateSection out{heading, finding.verdict, {with_units_of(c.experiment, finding.text)}};
    add_theorem(out, finding);
    return out;
}

CertificateSection passive_section(const Certified& c) {
    const Finding& finding = c.assessment.certificate.passive;
    CertificateSection out = section_of(c, "Passive", finding);
    if (finding.nearest) out.sentences.push_back(change_in_words(c.experiment, *finding.nearest, finding.verdict));
    if (finding.counterexample) {
        out.sentences.push_back("Counterexample: " + with_units_of(c.experiment, finding.counterexample->text));
        if (c.counterexample.empty())
            out.sentences.push_back("It is not given as a file: `bristle run` does not take an input like this (" +
                                    in_units(finding.counterexample->duration, "s") + " long).");
    }
    if (c.replay && c.replay->result.status != Status::done)
        out.sentences.push_back("The replay failed: " + c.replay->result.message);
    if (c.replay && c.replay->result.status == Status::done) {
        const double work = c.replay->result.measures.final.at("work");
        out.sentences.push_back("Replayed by the adaptive solver: the contact took in " + in_units(work, "J") +
                                (work < 0 ? ", that is, it gave energy out."
                                          : "; more cycles, which each draw energy, would pay for that."));
    }
    return out;
}

CertificateSection sampled_section(const Assessment& a) {
    return {"Step size", {}, {a.explicit_.text, a.coupled.text, a.exact.text}};
}

CertificateSection design_section(const Certified& c, const Design& d) {
    CertificateSection out{"Design help", {}, {}};
    const std::string damping_unit = " " + unit_of(c.experiment, "N s/m");
    std::string damping = "In stick the damping ratio is " + readable(d.zeta, 3);
    if (d.zeta_max)
        damping += d.zeta <= *d.zeta_max
                       ? ", within the " + readable(*d.zeta_max, 3) + " that A08 (8) allows a passive law"
                       : "; A08 (8) allows a passive law " + readable(*d.zeta_max, 3) + " at most";
    out.sentences = {damping + "."};
    if (d.sigma1_critical) {
        std::string critical = "For critical damping sigma1 would be " + readable(*d.sigma1_critical, 4) + damping_unit;
        if (d.vc_critical)
            critical += "; let it fade as exp(-(v/vc)^2) with vc below " +
                        in_units(*d.vc_critical, unit_of(c.experiment, "m/s"), 3) +
                        " and the law (kind = \"lugre_microdamped\") is passive at every speed (A08 property 4)";
        out.sentences.push_back(critical + ".");
    }
    return out;
}

// ---- units --------------------------------------------------------------------------------------------------------------

constexpr std::array prefixes{"", "µ", "m", "k", "M", "G", "n", "p", "T"};
constexpr std::array units{"N s/m", "N/m", "s/m", "m/s", "N", "m"};  // "N s/m" before "N"

// Whether a number ends just before a place.
bool number_before(const std::string& text, std::size_t at) {
    return at > 0 && std::isdigit(static_cast<unsigned char>(text[at - 1]));
}
// The unit with its prefix that stands at a place, as {prefix, unit}; a letter behind it makes it another word.
std::optional<std::pair<std::string, std::string>> unit_at(const std::string& text, std::size_t at) {
    for (const char* unit : units)
        for (const char* prefix : prefixes) {
            const std::string whole = std::string(prefix) + unit;
            const std::size_t end = at + whole.size();
            if (text.compare(at, whole.size(), whole) != 0) continue;
            if (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '/'))
                continue;
            return std::pair{std::string(prefix), std::string(unit)};
        }
    return {};
}

// Broken at blanks; lines after the first are indented.
void wrap(std::string& out, const std::string& text, std::size_t width, std::size_t indent) {
    std::size_t column = indent;
    out.append(indent, ' ');
    std::size_t from = 0;
    while (from < text.size()) {
        const std::size_t to = std::min(text.find(' ', from), text.size());
        const std::string word = text.substr(from, to - from);
        if (column > indent && column + 1 + letters(word) > width) {
            out.append("\n").append(indent, ' ');
            column = indent;
        } else if (column > indent) {
            out += ' ';
            ++column;
        }
        out += word;
        column += letters(word);
        from = to + 1;
    }
    out += '\n';
}

}  // namespace

std::string with_units_of(const experiment::Experiment& experiment, const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        out += text[i];
        if (text[i] != ' ' || !number_before(text, i)) continue;
        if (const auto found = unit_at(text, i + 1)) {
            const auto& [prefix, unit] = *found;
            out += prefix + unit_of(experiment, unit);
            i += prefix.size() + unit.size();
        }
    }
    return out;
}

std::vector<CertificateSection> certificate_sections(const Certified& c) {
    const Assessment& a = c.assessment;
    std::vector<CertificateSection> out{section_of(c, "Bounded", a.certificate.bounded),
                                        section_of(c, "Dissipative inside", a.certificate.dissipative),
                                        passive_section(c), sampled_section(a)};
    if (a.design) out.push_back(design_section(c, *a.design));
    return out;
}

std::string certificate_text(const Certified& c, std::size_t width) {
    std::string out = subject(c) + "\n";
    if (!c.overrides.empty()) out += "  set " + in_words(c.overrides) + "\n";
    for (const CertificateSection& section : certificate_sections(c)) {
        out += "\n" + section.heading;
        if (section.verdict) out += std::string(": ") + name_of(*section.verdict);
        out += '\n';
        for (const std::string& sentence : section.sentences) wrap(out, sentence, width, 2);
    }
    return out;
}

}  // namespace bristle::report
