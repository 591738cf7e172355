/**
 * How a page is printed: the banner is a header that every sheet repeats, as the head of a table that is longer than one,
 * and sheets are numbered where the browser can.
 */
export const PRINT_STYLE = `
@media print {
  :root { --page: #ffffff; }
  @page { margin: 14mm 14mm 16mm; @bottom-right { content: counter(page) " / " counter(pages); font: 8pt sans-serif; color: #535f70; } }
  html { font-size: 9.5pt; }
  body { display: table; width: 100%; table-layout: fixed; border-spacing: 0; }
  .confidential { display: table-header-group; break-inside: avoid; color: #000000; background: none; padding: 0; font-size: 8pt; line-height: 1.4; }
  .confidential p { max-width: none; margin: 0 0 4mm; padding: 1.5mm 3mm; border: 1.5pt solid #8b1526; }
  .skip, .contents, .behind, .screen-only { display: none; }
  header { padding-top: 2mm; }
  header, .frame, footer { max-width: none; padding-inline: 0; }
  h1 { font-size: 20pt; }
  h2 { font-size: 14pt; }
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
`;
