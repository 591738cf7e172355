/**
 * The style of the report; then how it is printed; then the table of all records, and the view of one. Colours are custom
 * properties, which the charts use too: one palette for light and print, one for dark, each with a contrast of at least 4.5 to 1
 * for text. In print the banner is a header that every sheet repeats, as the head of a table that is longer than one, and sheets
 * are numbered where the browser can.
 */
export const REPORT_STYLE = `
:root {
  color-scheme: light dark;
  --page: #f5f6f8; --surface: #ffffff; --ink: #18202c; --muted: #535f70; --line: #dde2e8;
  --mark: #14619c; --mark-quiet: #6f8fab; --reference: #b4500a;
  --link: #14619c; --alert: #a01c2c; --alert-surface: #fdf1ea; --good: #1b6e3f; --good-surface: #eef7f1;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #10141a; --surface: #191f28; --ink: #e9ecf1; --muted: #a6b1c0; --line: #303946;
    --mark: #6fb4ee; --mark-quiet: #587896; --reference: #f3a25f;
    --link: #8cc4f4; --alert: #ff9c9c; --alert-surface: #2b211d; --good: #7ed3a0; --good-surface: #17251e;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--page); color: var(--ink); overflow-wrap: anywhere;
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif;
}
header, .frame, footer { max-width: 66rem; margin: 0 auto; padding: 0 1.5rem; }
p, ul, ol, dl { margin: 0 0 1rem; }
p, li { max-width: 46rem; }
a { color: var(--link); text-underline-offset: 0.15em; }
:focus-visible { outline: 3px solid var(--reference); outline-offset: 2px; }
main:focus { outline: none; }
code { font-family: ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; font-size: 0.9em; unicode-bidi: isolate; }
math { font-size: 1.0625em; }
.skip { position: absolute; left: -100rem; top: 0; z-index: 2; padding: 0.5rem 1rem; background: var(--surface); }
.skip:focus { left: 0; }
.confidential { background: #8b1526; color: #ffffff; padding: 0.75rem 1.5rem; }
.confidential p { max-width: 63rem; margin: 0 auto; }
header { padding-top: 2.5rem; padding-bottom: 1.5rem; }
.overline { margin: 0; color: var(--muted); font-weight: 600; letter-spacing: 0.06em; }
h1 { margin: 0.25rem 0 0.5rem; font-size: 2.25rem; line-height: 1.15; letter-spacing: -0.015em; text-wrap: balance; }
.subtitle { max-width: none; color: var(--muted); font-size: 1.125rem; }
.contents { font-size: 0.9375rem; line-height: 1.4; }
.contents p { margin: 0 0 0.5rem; color: var(--muted); font-weight: 600; }
.contents ol, .contents ul { margin: 0; padding: 0; list-style: none; }
.contents li { margin: 0 0 0.375rem; }
.contents ul { margin: 0.25rem 0 0.75rem; padding-left: 0.75rem; border-left: 2px solid var(--line); font-size: 0.875rem; }
.contents a { text-decoration: none; }
.contents a:hover { text-decoration: underline; }
main > section { padding-top: 1.75rem; margin-top: 2.25rem; border-top: 1px solid var(--line); }
main > section:first-child { margin-top: 0; padding-top: 0; border-top: 0; }
.part { margin-top: 2.25rem; }
h2 { margin: 0 0 1rem; font-size: 1.625rem; line-height: 1.25; letter-spacing: -0.01em; text-wrap: balance; }
h3 { margin: 2rem 0 0.5rem; font-size: 1.1875rem; line-height: 1.3; }
.part > h3 { margin-top: 0; }
h4 { margin: 1.5rem 0 0.5rem; font-size: 1rem; line-height: 1.3; }
.lead { max-width: 46rem; text-wrap: pretty; font-size: 1.25rem; line-height: 1.45; }
.note { color: var(--muted); font-size: 0.875rem; line-height: 1.5; }
dt, dd { margin: 0; }
.judgement { margin: 0 0 1.5rem; padding: 1.25rem 1.5rem; background: var(--surface); border: 1px solid var(--line); border-left: 0.375rem solid var(--muted); border-radius: 0.5rem; }
.judgement p { margin: 0; }
.judgement .ruling { margin: 0 0 0.375rem; font-size: 1.375rem; font-weight: 600; line-height: 1.3; letter-spacing: -0.01em; }
.judgement.is-met { border-left-color: var(--good); background: var(--good-surface); }
.judgement.is-not-met { border-left-color: var(--alert); background: var(--alert-surface); }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr)); gap: 1rem; margin: 1.5rem 0; }
.figures > div { background: var(--surface); border: 1px solid var(--line); border-radius: 0.5rem; padding: 1rem 1.125rem; }
.figures dt, .comparison { color: var(--muted); font-size: 0.875rem; line-height: 1.4; }
.value { margin: 0.25rem 0; font-size: 1.75rem; font-weight: 600; line-height: 1.2; letter-spacing: -0.01em; font-variant-numeric: tabular-nums; }
.value .error { color: var(--muted); font-size: 1.125rem; font-weight: 400; white-space: nowrap; }
.headline { font-size: 1.125rem; font-weight: 600; white-space: nowrap; }
.headline .error { color: var(--muted); font-size: 0.875rem; font-weight: 400; }
.decision { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr)); gap: 0.75rem 2rem; }
.decision dt { color: var(--muted); font-size: 0.875rem; }
.decision dd { min-height: 1.75rem; border-bottom: 1px solid var(--muted); }
.more { margin: 1rem 0; }
.facts { margin: 1.5rem 0; }
.facts > div { display: grid; grid-template-columns: 14rem minmax(0, 1fr); gap: 0.25rem 1.5rem; padding: 0.5rem 0; border-top: 1px solid var(--line); }
.facts dt { color: var(--muted); }
.facts dd { max-width: 46rem; }
.warnings { padding: 0; list-style: none; }
.warnings li { max-width: none; margin-bottom: 0.75rem; padding: 0.875rem 1.125rem; background: var(--alert-surface); border: 1px solid var(--line); border-left: 0.3rem solid var(--reference); border-radius: 0.375rem; }
.warnings p { margin: 0; }
.figures-grid { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 1.5rem; margin: 1.5rem 0; align-items: start; }
figure { min-width: 0; margin: 0; padding: 1.25rem; background: var(--surface); border: 1px solid var(--line); border-radius: 0.5rem; }
figcaption { margin-bottom: 0.5rem; }
figure .note { margin: 0.75rem 0 0; }
.chart svg { display: block; width: 100%; max-width: 28rem; height: auto; }
.behind { margin-top: 0.75rem; font-size: 0.875rem; }
.behind summary, .more summary { color: var(--link); cursor: pointer; }
.behind .table-scroll { max-height: 24rem; margin: 0.5rem 0 0; overflow: auto; }
.legend { display: flex; flex-wrap: wrap; gap: 0.125rem 1rem; margin-bottom: 0.75rem; padding: 0; list-style: none; color: var(--muted); font-size: 0.8125rem; line-height: 1.5; }
.swatch { display: inline-block; width: 0.75rem; height: 0.75rem; margin-right: 0.4rem; border-radius: 0.125rem; vertical-align: -0.0625rem; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.swatch-mark { background: var(--mark); }
.swatch-quiet { background: var(--mark-quiet); }
.swatch-hollow { border: 2px solid var(--mark-quiet); border-radius: 50%; }
.swatch-reference { height: 0.1875rem; vertical-align: 0.25rem; background: var(--reference); }
.table-scroll { overflow-x: auto; margin: 1.5rem 0; background: var(--surface); border: 1px solid var(--line); border-radius: 0.5rem; }
table { width: 100%; border-collapse: collapse; font-size: 0.875rem; line-height: 1.45; font-variant-numeric: tabular-nums; overflow-wrap: break-word; }
caption { padding: 0.875rem 1rem 0.5rem; text-align: left; font-weight: 600; }
th, td { padding: 0.5rem 1rem; text-align: right; vertical-align: top; max-width: 18rem; }
thead th { color: var(--muted); font-weight: 600; vertical-align: bottom; border-bottom: 1px solid var(--muted); }
th:first-child { text-align: left; }
tbody th { font-weight: 600; }
th.words, td.words { text-align: left; }
th code { font-weight: 400; }
tbody tr { border-top: 1px solid var(--line); }
.glossary { min-width: 44rem; }
.glossary td { text-align: left; }
.riskiest { min-width: 52rem; }
.riskiest strong { white-space: nowrap; }
.riskiest th, .riskiest td { padding-inline: 0.625rem; }
.riskiest th:first-child, .riskiest td:first-child { padding-left: 1rem; }
.riskiest .interval { color: var(--muted); white-space: nowrap; }
.riskiest tr.values { border-top: 0; }
.riskiest tr.values td { max-width: none; padding-top: 0; padding-bottom: 0.75rem; text-align: left; }
.values ul { display: flex; flex-wrap: wrap; gap: 0 1rem; margin: 0; padding: 0; list-style: none; font-size: 0.8125rem; }
.values li span { color: var(--muted); }
.met { color: var(--good); font-weight: 600; }
.not-met { color: var(--alert); }
.commands { margin: 1rem 0; padding: 0; list-style: none; }
.commands li { max-width: none; margin-bottom: 1rem; }
.commands code { display: block; margin-top: 0.25rem; padding: 0.625rem 0.875rem; background: var(--surface); border: 1px solid var(--line); border-radius: 0.375rem; }
.equation { margin: 1rem 0; padding-left: 1rem; border-left: 3px solid var(--line); overflow-x: auto; }
.references li { margin-bottom: 0.5rem; }
footer { margin-top: 3rem; padding-top: 1.25rem; padding-bottom: 2.5rem; color: var(--muted); font-size: 0.875rem; }
@media screen and (min-width: 72rem) {
  header, .frame, footer { max-width: 86rem; }
  .confidential p { max-width: 83rem; }
  .frame { display: grid; grid-template-columns: 15rem minmax(0, 66rem); gap: 3rem; align-items: start; }
  .contents { position: sticky; top: 1.5rem; max-height: calc(100vh - 1.5rem); overflow-y: auto; padding: 0 0.25rem 2rem; }
}
@media (max-width: 71.99rem) {
  .contents { padding-bottom: 2rem; }
  .contents ul { display: none; }
}
@media (min-width: 56rem), print {
  .figures-grid > figure:nth-child(odd):last-child { display: grid; grid-column: 1 / -1; grid-template: "chart title" auto "chart legend" auto "chart below" 1fr / minmax(0, 28rem) minmax(0, 1fr); gap: 0.5rem 2.5rem; }
  .figures-grid > figure:nth-child(odd):last-child > figcaption { grid-area: title; }
  .figures-grid > figure:nth-child(odd):last-child > .legend { grid-area: legend; flex-direction: column; }
  .figures-grid > figure:nth-child(odd):last-child > .chart { grid-area: chart; }
  .figures-grid > figure:nth-child(odd):last-child > .below { grid-area: below; min-width: 0; }
}
@media (max-width: 40rem) {
  header, .frame, footer { padding-inline: 1rem; }
  header { padding-top: 1.5rem; }
  .confidential { padding-inline: 1rem; }
  h1 { font-size: 1.75rem; }
  h2 { font-size: 1.375rem; }
  .lead { font-size: 1.125rem; }
  .judgement { padding: 1rem; }
  .judgement .ruling { font-size: 1.1875rem; }
  .figures { gap: 0.75rem; }
  .figures > div { padding: 0.75rem 0.875rem; }
  .value { font-size: 1.5rem; }
  .facts > div { grid-template-columns: minmax(0, 1fr); }
  figure { padding: 1rem 0.75rem; }
  th, td { padding: 0.5rem 0.625rem; }
  .contents ol { display: flex; gap: 1.25rem; overflow-x: auto; white-space: nowrap; }
  .headlines thead { display: none; }
  .headlines table, .headlines tbody, .headlines caption { display: block; }
  .headlines tr { display: grid; grid-template-columns: minmax(0, 1fr) auto; }
  .headlines tr > .words { grid-column: 1 / -1; max-width: none; padding-top: 0; }
}

@media print {
  :root { --page: #ffffff; }
  @page { margin: 11mm 14mm 14mm; @bottom-right { content: counter(page) " / " counter(pages); font: 8pt sans-serif; color: #535f70; } }
  html { font-size: 9.5pt; }
  body { display: table; width: 100%; table-layout: fixed; border-spacing: 0; }
  .confidential { display: table-header-group; break-inside: avoid; color: #000000; background: none; padding: 0; font-size: 8pt; line-height: 1.4; }
  .confidential p { max-width: none; margin: 0 0 2mm; padding: 1mm 3mm; border: 1.5pt solid #8b1526; }
  .skip, .contents, .behind, .screen-only { display: none; }
  header { padding-top: 0; }
  header, .frame, footer { max-width: none; padding-inline: 0; }
  p, li, .lead, .facts dd { max-width: none; }
  h1 { margin: 0 0 1mm; font-size: 16pt; }
  header { padding-bottom: 2mm; }
  .overline { display: none; }
  .subtitle { margin: 0; font-size: 10pt; }
  #verdict { break-after: page; font-size: 8.5pt; line-height: 1.4; }
  #verdict h2 { margin-bottom: 2mm; }
  #verdict h3 { margin: 3mm 0 1mm; font-size: 10pt; }
  #verdict p, #verdict ul, #verdict .table-scroll { margin: 0 0 2mm; }
  #verdict .judgement { margin-bottom: 2mm; padding: 1mm 3mm; }
  #verdict .judgement p { margin: 0; }
  #verdict .judgement .ruling { margin: 0; font-size: 11pt; }
  #verdict .warnings li { margin-bottom: 1mm; padding: 1mm 3mm; font-size: 8pt; }
  #verdict .lead { font-size: 10pt; line-height: 1.35; text-wrap: wrap; }
  #verdict table { line-height: 1.3; }
  #verdict caption { padding: 1mm 0; }
  #verdict .warnings li > p { display: inline; margin: 0 1mm 0 0; }
  #verdict .warnings .note { display: none; }
  .headline { font-size: 10pt; }
  .decision { grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 1.5mm 5mm; }
  .decision dt { font-size: 7.5pt; }
  .decision dd { min-height: 6mm; }
  h2 { font-size: 13pt; }
  main > section { margin-top: 1rem; padding-top: 1rem; }
  .part { margin-top: 1.25rem; }
  .lead { font-size: 11.5pt; }
  .value { font-size: 15pt; }
  .value .error { font-size: 11pt; }
  .figures { grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 0.75rem; }
  .figures-grid { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1rem; }
  h2, h3, h4, caption { break-after: avoid; }
  figure, tr, .figures > div, .warnings li, .judgement, .facts > div, .commands li { break-inside: avoid; }
  .riskiest tbody { break-inside: avoid; }
  .table-scroll { overflow: visible; border: 0; margin: 1rem 0; }
  table { font-size: 8pt; }
  th, td { padding: 0.25rem 0.375rem; }
  .riskiest, .glossary { min-width: 0; font-size: 7.5pt; }
  .riskiest th, .riskiest td { padding-inline: 0.25rem; }
  .values ul { font-size: 7pt; }
}

.records-form { display: grid; grid-template-columns: 2fr repeat(4, minmax(0, 1fr)) auto; gap: 0.75rem; align-items: end; margin: 1.5rem 0 0.5rem; }
.records-form .field { min-width: 0; }
.records-form label { display: block; margin-bottom: 0.25rem; color: var(--muted); font-size: 0.875rem; }
.records-form input, .records-form select, .records-tool button, .record button {
  width: 100%; min-height: 2.5rem; padding: 0.375rem 0.625rem; font: inherit; font-size: 0.9375rem; color: var(--ink);
  background: var(--surface); border: 1px solid var(--muted); border-radius: 0.375rem;
}
.records-tool button, .record button { width: auto; cursor: pointer; color: var(--link); }
.records-tool button:disabled, .record button:disabled { color: var(--muted); border-color: var(--line); cursor: default; }
.records-status { margin: 1rem 0 0; font-weight: 600; }
.records-tool .table-scroll { margin-top: 0.75rem; }
.records-table { min-width: 46rem; }
.records-table tr.values { border-top: 0; }
.records-table tr.values td { padding-top: 0; padding-left: 1rem; text-align: left; }
.records-table tbody tr:not(.values) td { white-space: nowrap; }
.records-table tbody tr:not(.values) td.words { white-space: normal; }
.records-table th, .records-table td { padding: 0.375rem 0.625rem; }
.records-table th:first-child { padding-left: 1rem; }
.records-table thead th button { min-height: 1.75rem; padding: 0.125rem 0.25rem; border: 0; background: none; font-size: inherit; font-weight: 600; text-align: inherit; }
.records-table th[aria-sort] button::after { content: ""; display: inline-block; width: 1em; text-align: right; }
.records-table th[aria-sort="descending"] button::after { content: "\\2193"; }
.records-table th[aria-sort="ascending"] button::after { content: "\\2191"; }
.records-table .interval { color: var(--muted); white-space: nowrap; }
.records-table th.words, .records-table td.words { text-align: left; }
.records-table td.words { overflow-wrap: anywhere; }
.records-table td ul, .record-own { display: flex; flex-wrap: wrap; gap: 0 0.75rem; margin: 0; padding: 0; list-style: none; }
.records-table td ul { font-size: 0.8125rem; }
.records-table td li span, .record-own span { color: var(--muted); }
.records-table td bdi, .record bdi { unicode-bidi: isolate; }
.records-table tbody tr:focus-within, .records-table tbody tr:focus-within + .values { background: var(--page); }
.records-pages { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
.records-place { padding: 0 0.5rem; color: var(--muted); font-size: 0.9375rem; }
.record { width: min(66rem, calc(100vw - 2rem)); max-height: calc(100dvh - 2rem); padding: 0 1.5rem 1.5rem; overflow: auto; color: var(--ink); background: var(--page); border: 1px solid var(--muted); border-radius: 0.5rem; }
.record::backdrop { background: rgb(0 0 0 / 0.55); }
.record-bar { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; padding: 0.75rem 0; background: var(--page); border-bottom: 1px solid var(--line); }
.record-bar h2 { flex: 1 1 8rem; margin: 0; }
.record-own { margin: 1rem 0; }
.record-own li, .record bdi, .records-table bdi { overflow-wrap: anywhere; }
.record h2:focus { outline: none; }
.record td { min-width: 4rem; }
.record .lead { font-size: 1.125rem; overflow-wrap: anywhere; }
.record tbody th { min-width: 10rem; max-width: 24rem; }
.record .densities th, .record .densities td { min-width: 0; padding: 0.375rem 0.5rem; }
.record .densities .table-scroll { margin: 0.75rem 0 0; border: 0; }
.record .truth, .record .given-away { background: var(--alert-surface); }
@media (max-width: 60rem) { .records-form { grid-template-columns: repeat(2, minmax(0, 1fr)); } .records-form .field:first-child { grid-column: 1 / -1; } }
@media (max-width: 40rem) { .record { width: 100vw; max-width: 100vw; height: 100dvh; max-height: 100dvh; margin: 0; padding: 0 1rem 1rem; border: 0; border-radius: 0; } }
.record-banner { display: none; }
@media print {
  .records-tool { display: none; }
  body:has(dialog[open]) :is(header, .confidential, .contents, footer, main > section:not(#records), #records > :not(dialog)) { display: none; }
  .record { position: static; width: auto; max-width: none; max-height: none; height: auto; margin: 0; padding: 0; overflow: visible; border: 0; }
  .record-paper { display: table; width: 100%; table-layout: fixed; }
  .record-banner { display: table-header-group; break-inside: avoid; color: #000000; font-size: 8pt; font-weight: 600; }
  .record-bar { position: static; }
  .record-bar button { display: none; }
}
`;
