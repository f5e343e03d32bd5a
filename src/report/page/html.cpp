// HTML text, tags and inline pictures.
#include "report/page/html.hpp"
#include "report/page/html_style.hpp"
#include "base/text.hpp"

namespace bristle::report {

std::string html(std::string_view text) {
    std::string out;
    for (const char c : plain_text(text)) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            case '\'':
                out += "&#39;";
                break;
            default:
                out += c;
        }
    }
    return out;
}
std::string html_lines(const std::string& text) {
    std::string out;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t to = std::min(text.find('\n', from), text.size());
        out += html(std::string_view(text).substr(from, to - from)) + "\n";
        from = to + 1;
    }
    return out;
}

std::string tag(const char* name, const std::string& content, const std::string& attributes) {
    return std::string("<") + name + (attributes.empty() ? "" : " " + attributes) + ">" + content + "</" + name + ">";
}
std::string classed(const char* name, const char* style_class, const std::string& content) {
    return tag(name, content, std::string("class=\"") + style_class + '"');
}

std::string inlined(const std::string& svg, const std::string& prefix, const std::string& title) {
    const auto begin = svg.find("<svg"), open_end = svg.find('>', begin);
    if (begin == svg.npos || open_end == svg.npos) return "";
    std::string out = svg.substr(begin, open_end - begin);
    out += " role=\"img\">" + tag("title", html(title));
    std::size_t at = open_end + 1;
    const auto copy_until = [&](std::size_t end) {
        out.append(svg, at, end - at);
        at = end;
    };
    while (at < svg.size()) {
        // names stand in id='..', id="..", '#..' and (#..)
        const std::size_t found = svg.find_first_of("#i<", at);
        if (found == svg.npos) break;
        copy_until(found);
        const auto is = [&](std::string_view text) { return svg.compare(at, text.size(), text) == 0; };
        if (is("<rect x=\"0\" y=\"0\"")) {  // the ground, which the page has itself
            at = svg.find("/>", at);
            at = at == svg.npos ? svg.size() : at + 2;
        } else if (is("<title>") || is("<desc>")) {
            at = svg.find("</", at);
            at = at == svg.npos ? svg.size() : svg.find('>', at) + 1;
        } else if (is("id='gp") || is("id=\"gnuplot") || is("id='textbox") || is("id='greybox")) {
            copy_until(at + 4);
            out += prefix;
        } else if (is("#gp") || is("#textbox") || is("#greybox")) {
            copy_until(at + 1);
            out += prefix;
        } else {
            copy_until(at + 1);
        }
    }
    return out.append(svg, at);
}

std::string document(const std::string& title, const std::string& body) {
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
           tag("title", html(title)) + "\n<style>" + html_style + "</style>\n</head>\n<body>\n" + body +
           "\n</body>\n</html>\n";
}

}  // namespace bristle::report
