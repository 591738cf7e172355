/** The style of the table of all records, and of the view of one. Part of `report-style.ts`, whose colours it uses. */
export const RECORDS_STYLE = `
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
