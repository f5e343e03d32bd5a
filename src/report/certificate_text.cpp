#include <report/certificate.hpp>
#include <report/quantity.hpp>
#include <report/text.hpp>

namespace bristle::report {

namespace {

using analyse::Finding, analyse::Verdict;

std::string subject(const Certified& c) {
    const experiment::Experiment& e = c.experiment;
    std::string out = plain(e.name);
    if (!e.title.empty()) out += ": " + plain(e.title);
    return out + " (" + std::string(simulate::kind_of(e.setup.law)) + ")";
}

std::string change_in_words(const experiment::Experiment& e, const analyse::Change& change, Verdict verdict) {
    const std::string unit = unit_of_key(e, "law." + change.key);
    return "The nearest single change that " + std::string(verdict == Verdict::proved ? "breaks" : "mends") +
           " it: " + symbol(change.key) + " from " + readable(change.from, 4) + " to " + readable(change.to, 4) +
           (unit.empty() ? "" : " " + unit) + ".";
}

CertificateSection section_of(const char* heading, const Finding& finding) {
    CertificateSection out{heading, finding.verdict, {finding.text}};
    if (!finding.theorem.empty()) out.sentences.push_back("By " + finding.theorem + ".");
    return out;
}

CertificateSection passive_section(const Certified& c) {
    const analyse::Assessment& a = c.assessment;
    const Finding& finding = a.certificate.passive;
    CertificateSection out{"Passive", finding.verdict, {}};
    std::string head;
    if (a.options.load_max > a.options.load_min)
        head = "While the load varies between " + in_units(a.options.load_min, "N") + " and " +
               in_units(a.options.load_max, "N") + ": ";
    if (a.options.vmax)
        head += "For |v| <= " + in_units(*a.options.vmax, "m/s") + " it is " +
                (finding.verdict == Verdict::proved    ? "passive. "
                 : finding.verdict == Verdict::refuted ? "not passive. "
                                                       : "open. ");
    out.sentences.push_back(head + finding.text);
    if (!finding.theorem.empty()) out.sentences.push_back("By " + finding.theorem + ".");
    if (finding.nearest) out.sentences.push_back(change_in_words(c.experiment, *finding.nearest, finding.verdict));
    if (finding.counterexample) out.sentences.push_back("Counterexample: " + finding.counterexample->text);
    if (c.replay && c.replay->result.status != simulate::Status::done)
        out.sentences.push_back("The replay failed: " + c.replay->result.message);
    if (c.replay && c.replay->result.status == simulate::Status::done) {
        const double work = c.replay->result.measures.final.at("work");
        out.sentences.push_back("Replayed by the adaptive solver: the contact took in " + in_units(work, "J") +
                                (work < 0 ? ", that is, it gave energy out." : "."));
    }
    return out;
}

CertificateSection sampled_section(const analyse::Assessment& a) {
    return {"Step size", {}, {a.explicit_.text, a.coupled.text, a.exact.text}};
}

CertificateSection design_section(const analyse::Assessment& a) {
    CertificateSection out{"Design help", {}, {}};
    const analyse::Design& d = *a.design;
    std::string damping = "In stick the damping ratio is " + readable(d.zeta, 3);
    if (d.zeta_max)
        damping += d.zeta <= *d.zeta_max
                       ? ", within the " + readable(*d.zeta_max, 3) + " that A08 (8) allows a passive law"
                       : "; A08 (8) allows a passive law " + readable(*d.zeta_max, 3) + " at most";
    out.sentences = {damping + ".", "For critical damping sigma1 would be " + readable(d.sigma1_critical, 4) +
                                        " N s/m; let it fade as exp(-(v/vc)^2) with vc below " +
                                        in_units(d.vc_critical, "m/s", 3) +
                                        " and the law is passive at every speed (A08 property 4)."};
    if (d.sigma2_passive > 0)
        out.sentences.push_back("As it stands, sigma2 >= " + readable(d.sigma2_passive, 4) +
                                " N s/m would be enough (A08 7).");
    return out;
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

std::vector<CertificateSection> certificate_sections(const Certified& c) {
    const analyse::Assessment& a = c.assessment;
    std::vector<CertificateSection> out{section_of("Bounded", a.certificate.bounded),
                                        section_of("Dissipative inside", a.certificate.dissipative), passive_section(c),
                                        sampled_section(a)};
    if (a.design) out.push_back(design_section(a));
    if (c.experiment.rotary)
        out.push_back({"Units", {}, {"The axis is rotary: read N as N m, m as rad, kg as kg m²."}});
    return out;
}

std::string certificate_text(const Certified& c, std::size_t width) {
    std::string out = subject(c) + "\n";
    for (const CertificateSection& section : certificate_sections(c)) {
        out += "\n" + section.heading;
        if (section.verdict) out += std::string(": ") + analyse::name_of(*section.verdict);
        out += '\n';
        for (const std::string& sentence : section.sentences) wrap(out, sentence, width, 2);
    }
    return out;
}

}  // namespace bristle::report
