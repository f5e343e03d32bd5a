// Text of a certificate: sections of sentences, wrapped to a width.
#include "report/certificate/certificate.hpp"
#include "report/certificate/sentences.hpp"
#include "report/run/quantity.hpp"
#include "base/text.hpp"

namespace bristle::report {

namespace {

std::string subject(const Certified& c) {
    return titled(c.experiment) + " (" + std::string(kind_of(c.experiment.setup.law)) + ")";
}

std::string change_in_words(const experiment::Experiment& e, const Change& change, Verdict verdict) {
    const std::string unit = unit_of_key(e, "law." + change.key);
    const int digits = distinguishing_digits({change.from, change.to}, 4);
    return "The nearest single change that " +
           std::string(verdict == Verdict::proved ? "breaks passivity" : "makes it passive") + ": " +
           symbol(change.key) + " from " + readable(change.from, digits) + " to " + readable(change.to, digits) +
           (unit.empty() ? "" : " " + unit) + ".";
}

// The theorem behind a verdict. A storage function that fails does not refute by itself.
std::string theorem_sentence(const Finding& finding) {
    if (finding.theorem == Theorem::none) return "";
    const bool tried = finding.verdict == Verdict::refuted && finding.theorem == Theorem::element_storage;
    const char* how = finding.verdict == Verdict::undecided ? "Tried: " : tried ? "Decided with the " : "By ";
    return how + name_with_reference(finding.theorem) + ".";
}

CertificateSection section_of(const char* heading, const Finding& finding, const std::string& text) {
    CertificateSection out{heading, finding.verdict, {text}};
    if (const std::string theorem = theorem_sentence(finding); !theorem.empty()) out.sentences.push_back(theorem);
    return out;
}

CertificateSection passive_section(const Certified& c) {
    const Finding& finding = c.assessment.certificate.passive;
    const Units units{&c.experiment};
    CertificateSection out = section_of("Passive", finding, passivity_text(finding, c.assessment.options, units));
    if (finding.nearest) out.sentences.push_back(change_in_words(c.experiment, *finding.nearest, finding.verdict));
    if (finding.counterexample) {
        out.sentences.push_back("Counterexample: " + sentence_of(*finding.counterexample, units));
        if (c.no_file)
            out.sentences.push_back("It is not given as a file: `bristle run` would reject it (" + *c.no_file + ").");
    }
    if (c.replay && c.replay->result.status != Status::done)
        out.sentences.push_back("The replay failed: " + c.replay->result.message);
    if (c.replay && c.replay->result.status == Status::done) {
        const double work = c.replay->result.measures.final.at("work");
        out.sentences.push_back("Replayed by the adaptive solver: " + in_units(work, "J") +
                                " is supplied to the contact" +
                                (work < 0 ? ", that is, energy is extracted."
                                          : "; more cycles, each of which extracts energy, would recover that."));
    }
    return out;
}

CertificateSection sampled_section(const Assessment& a) {
    return {"Step size", {}, {explicit_step_text(a), coupled_step_text(a), exact_step_text(a)}};
}

// A warning; empty if breakaway is not far above the level.
std::string fast_start_sentence(const Certified& c) {
    const auto& start = c.assessment.fast_start;
    if (!start || !start->is_high()) return "";
    return "At a fast start, a step of force of " + readable(fast_start) + " times the level, " +
           sentence_of(*start, Units{&c.experiment}) + ".";
}

CertificateSection design_section(const Certified& c, const Design& d) {
    CertificateSection out{"Design help", {}, {}};
    const std::string damping_unit = " " + unit_of(c.experiment, "N s/m");
    std::string damping = "In stick the damping ratio is " + readable(d.zeta, 3);
    if (d.zeta_max)
        damping += d.zeta <= *d.zeta_max
                       ? ", within the " + readable(*d.zeta_max, 3) + " that A08 (8) allows for a passive law"
                       : "; A08 (8) allows at most " + readable(*d.zeta_max, 3) + " for a passive law";
    out.sentences = {damping + "."};
    if (d.sigma1_critical) {
        std::string critical = "For critical damping sigma1 is " + readable(*d.sigma1_critical, 4) + damping_unit;
        if (d.vc_critical)
            critical += "; if it fades as exp(-(v/vc)^2) with vc below " +
                        in_units(*d.vc_critical, unit_of(c.experiment, "m/s"), 3) +
                        ", the law (kind = \"lugre_microdamped\") is passive at every speed (A08 property 4)";
        out.sentences.push_back(critical + ".");
    }
    if (const std::string warning = fast_start_sentence(c); !warning.empty()) out.sentences.push_back(warning);
    return out;
}

}  // namespace

std::vector<CertificateSection> certificate_sections(const Certified& c) {
    const Assessment& a = c.assessment;
    const auto section = [&](const char* heading, const Finding& finding) {
        return section_of(heading, finding, text_of(finding, Units{&c.experiment}));
    };
    std::vector<CertificateSection> out{section("Bounded", a.certificate.bounded),
                                        section("Dissipative inside", a.certificate.dissipative), passive_section(c),
                                        sampled_section(a)};
    if (a.design) out.push_back(design_section(c, *a.design));
    for (CertificateSection& part : out)
        for (std::string& sentence : part.sentences) sentence = in_words_of_axis(c.experiment, sentence);
    return out;
}

std::string certificate_text(const Certified& c, std::size_t width) {
    std::string out = subject(c) + "\n";
    for (const CertificateSection& section : certificate_sections(c)) {
        out += "\n" + section.heading;
        if (section.verdict) out += std::string(": ") + name_of(*section.verdict);
        out += '\n';
        for (const std::string& sentence : section.sentences) append_wrapped(out, sentence, width, 2);
    }
    return out;
}

}  // namespace bristle::report
