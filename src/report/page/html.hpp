// HTML pages that need nothing else: their one style, text that cannot act, and pictures put inside. Light and dark, phone and desk, and fit
// for paper; no script, nothing from the network.
#pragma once
#include <string>
#include <string_view>

namespace bristle::report {

// A whole page around the body; the title is plain text.
std::string document(const std::string& title, const std::string& body);

// Text as HTML shows it: no tag, no entity and no attribute can begin in it.
std::string html(std::string_view text);
std::string tag(const char* name, const std::string& content, const std::string& attributes = "");
std::string classed(const char* name, const char* style_class, const std::string& content);

// gnuplot's SVG inside a page: without its prologue and its ground, with names of its own (all pictures use the same ones), and with
// a title for those who cannot see it.
std::string inlined(const std::string& svg, const std::string& prefix, const std::string& title);

}  // namespace bristle::report
