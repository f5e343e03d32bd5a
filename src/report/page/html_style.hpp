// The style of all pages: one column on a phone, pictures side by side on a wide screen, light and dark, printable.
#pragma once

namespace bristle::report {

inline constexpr const char* html_style = R"(
:root { color-scheme: light dark; --ink: #1d2733; --soft: #5b6876; --paper: #fff; --ground: #f4f5f7; --line: #d8dde3;
        --accent: #12355b; --good: #1f7a45; --bad: #b3261e; --flag: #8a5300; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8ee; --soft: #a3afbd; --paper: #1b222b; --ground: #12171e; --line: #37424f; --accent: #9cc4f2;
          --good: #6fcf97; --bad: #ff8a80; --flag: #f0b95a; }
  .picture svg { filter: invert(0.92) hue-rotate(180deg) brightness(1.15); }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 0 1rem 4rem; max-width: 76rem; background: var(--ground); color: var(--ink);
       font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
h1 { margin: 2rem 0 0.25rem; line-height: 1.2; } h2 { margin: 3.5rem 0 0.25rem; line-height: 1.25; }
h3 { margin: 0; line-height: 1.3; } p { margin: 0.5rem 0; max-width: 48rem; } a { color: var(--accent); }
.soft { color: var(--soft); font-size: 0.9rem; }
.good { color: var(--good); font-weight: 600; white-space: nowrap; } .bad { color: var(--bad); font-weight: 600; white-space: nowrap; }
.flag { color: var(--flag); font-weight: 600; } .whole { white-space: nowrap; }
.box { background: var(--paper); border: 1px solid var(--line); border-radius: 0.5rem; padding: 1rem 1.25rem; margin: 1.25rem 0; }
.pictures { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; margin: 0.75rem 0; }
.picture { flex: 1 1 20rem; min-width: 0; max-width: 34rem; margin: 0; } .picture svg { display: block; width: 100%; height: auto; }
.wide { overflow-x: auto; } .all { max-height: 26rem; overflow: auto; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--paper); }
table { border-collapse: collapse; width: 100%; font-size: 0.875rem; } caption { text-align: left; padding: 0.25rem 0; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.75rem 0.3rem 0; border-bottom: 1px solid var(--line); }
.all th, .all td { padding-left: 0.75rem; } .all td.number { white-space: normal; } .all th { position: sticky; top: 0; background: var(--paper); }
td.number { font-variant-numeric: tabular-nums; white-space: nowrap; } td.claim { min-width: 14rem; }
.correlations { width: auto; } .correlations th, .correlations td { padding: 0.25rem 0.4rem; text-align: right; vertical-align: bottom;
  font-variant-numeric: tabular-nums; white-space: nowrap; } .correlations tbody th { position: sticky; left: 0; background: var(--paper); text-align: left; }
.correlations thead th { text-align: center; } .correlations thead span { writing-mode: vertical-rl; transform: rotate(180deg); }
code, pre { font: 0.85rem/1.45 ui-monospace, monospace; } pre { margin: 0.5rem 0 0; padding: 0.5rem 0.75rem; overflow-x: auto;
  background: var(--ground); border: 1px solid var(--line); border-radius: 0.35rem; }
nav ul { list-style: none; margin: 0.5rem 0; padding: 0; }
@media (max-width: 40rem) {  /* a claim is a short paragraph there, and nothing is wider than the screen */
  .box { padding: 0.75rem; } pre { white-space: pre-wrap; } .claims thead { display: none; } .claims tr { display: block; border-bottom: 1px solid var(--line); padding: 0.4rem 0; }
  .all tr { padding: 0.4rem 0.75rem; } .claims td, .claims th { display: inline; border: 0; padding: 0 0.4rem 0 0; } .all td { padding-left: 0; }
  .claims td.claim { display: block; } .claims td.source { display: block; color: var(--soft); }
  .claims td.number { white-space: normal; } .expected::before { content: "expected "; color: var(--soft); }
  .papers thead { display: none; } .papers tr { display: block; border-bottom: 1px solid var(--line); padding: 0.4rem 0; }
  .papers td { display: inline; border: 0; padding: 0 0.4rem 0 0; } .papers td:nth-child(2) { display: block; }
  .papers td:nth-child(3)::after { content: " experiments"; } .papers td:nth-child(4)::after { content: " claims"; }
  .errata thead { display: none; } .errata tr { display: block; border-bottom: 1px solid var(--line); padding: 0.4rem 0; }
  .errata td { display: block; border: 0; padding: 0; } .errata td:first-child, .errata td:nth-child(2) { display: inline; padding-right: 0.4rem; }
  .printed::before { content: "printed "; color: var(--soft); } .derived::before { content: "derived "; color: var(--soft); }
  .measured::before { content: "measured "; color: var(--soft); }
  .correlations, .correlations code { font-size: 0.68rem; } .correlations th, .correlations td { padding: 0.2rem 0.12rem; }
  .named thead { display: none; } .named tr { display: block; border-bottom: 1px solid var(--line); padding: 0.4rem 0; }
  .named td { display: inline-block; border: 0; padding: 0 0.4rem 0 0; } .named td:last-child { display: block; }
  .named td:not([data-name=""])::before { content: attr(data-name) " "; color: var(--soft); }
}
@media print { body { max-width: none; background: #fff; } .all { max-height: none; overflow: visible; border: 0; } .box { break-inside: avoid; }
  .picture svg { filter: none; } }
)";

}  // namespace bristle::report
