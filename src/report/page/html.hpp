// Self-contained HTML pages: one style, escaped text, inline pictures, no script, nothing from the network. For light and dark
// screens, phones and paper.
#pragma once
#include <string>
#include <string_view>

namespace bristle::report {

// A whole page around the body; the title is plain text.
std::string document(const std::string& title, const std::string& body);

// Text escaped for HTML content and attributes.
std::string html(std::string_view text);
// The same for several lines: line breaks are kept.
std::string html_lines(const std::string& text);
std::string tag(const char* name, const std::string& content, const std::string& attributes = "");
std::string classed(const char* name, const char* style_class, const std::string& content);

// An SVG of gnuplot for use inside a page: without prologue and background, with `prefix` before its ids (all pictures have the same
// ones), and with a title for screen readers.
std::string inlined(const std::string& svg, const std::string& prefix, const std::string& title);

}  // namespace bristle::report
