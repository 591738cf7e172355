import { namesInWords } from '../contracts/in-command.ts';
import type { ComparedRun, Comparison, Measure, RunFigure } from '../contracts/results/comparison.ts';
import { renderFigure } from './charts/figure.ts';
import { riskUtilityMap } from './charts/risk-utility-map.ts';
import { type Html, html } from './page/html.ts';
import { renderPage } from './page/page.ts';
import type { Section } from './page/section.ts';
import { renderTable } from './page/table.ts';
import { differenceInWords, dominationInWords, figureInWords } from './words/comparison-in-words.ts';
import { formatCount, formatQuantity } from './words/format-number.ts';
import { COVERS_IN_WORDS, measureInWords } from './words/measures-in-words.ts';

/** The page of the command `compare`: one HTML file like the report of a run. Equal input gives equal bytes. */
export async function renderComparison(found: Comparison): Promise<string> {
  const { runs, version } = found;
  return renderPage({
    title: 'Runs side by side',
    confidentiality: html`This page is for those who judge risk and utility. It tells how near releases come to the confidential table, and is no part of any of them.`,
    heading: 'Which release reveals less, and which serves better?',
    subtitle: `${formatQuantity(runs.length, 'run')} of one table`,
    sections: [
      await mapSection(found),
      runsSection(found),
      measuresSection(found, 'risk', 'Risk'),
      measuresSection(found, 'utility', 'Utility'),
      differencesSection(found),
      readingSection(found),
    ],
    run: { version },
  });
}

async function mapSection(found: Comparison): Promise<Section> {
  const { map, mapReason } = found;
  if (map === null) return { id: 'map', title: 'Risk and utility', body: html`<p>${mapReason!}</p>` };
  const better = (name: string) => found.measures.find((one) => one.name === name)!.better;
  const where = (name: string) => (better(name) === 'smaller' ? 'smaller' : 'larger');
  const { chart, unnamed } = await riskUtilityMap(found, map);
  const figure = await renderFigure({
    title: `${measureInWords(map.risk)}, against ${measureInWords(map.utility)}`,
    chart,
    legend: { mark: 'no other run dominates it', quiet: 'another run dominates it' },
    caption: `A ${where(map.risk)} risk and a ${where(map.utility)} measure of utility are better. Boxes reach from quartile to quartile of the datasets where each has a figure of its own, which is then a point, and else a standard error to both sides; where neither is known they are lines.${unnamed === 0 ? '' : ` There is no room for ${formatQuantity(unnamed, 'name')}: the numbers of the chart have all.`}`,
  });
  return { id: 'map', title: 'Risk and utility', body: figure };
}

function runsSection({ runs, dominated }: Comparison): Section {
  const rows = runs.map((run) => {
    const by = dominated.find((one) => one.run === run.name)?.by ?? [];
    return html`<tr><th scope="row">${run.name}</th><td>${run.model}</td><td>${formatCount(run.datasets)}</td>
<td>${run.kind === 'full' ? 'all' : namesInWords(run.synthesized)}</td><td>${by.length === 0 ? 'none' : by.map(dominationInWords).join('; ')}</td></tr>
`;
  });
  const heads = ['Run', 'Model', 'Datasets', 'Synthesized', 'Dominated by'];
  return { id: 'runs', title: 'The runs', body: renderTable('runs-caption', 'In the order given', heads, rows) };
}

function measuresSection({ runs, measures }: Comparison, kind: Measure['of'], title: string): Section {
  const own = measures.filter(({ of }) => of === kind);
  if (own.length === 0) {
    return { id: kind, title, body: html`<p>No two of these runs have a measure of it in common.</p>` };
  }
  const cell = (run: ComparedRun, name: string) => {
    const figure: RunFigure | undefined = run[kind][name];
    return html`<td>${figure === undefined ? '' : figureInWords(figure)}</td>`;
  };
  const rows = own.map(
    ({
      name,
      better,
      caution,
    }): Html => html`<tr><th scope="row">${measureInWords(name)}${better === 'larger' ? ' (larger is better)' : ''}${caution === undefined ? '' : ' *'}</th>${runs.map((run) => cell(run, name))}</tr>
`,
  );
  const cautions = own.filter((one) => one.caution !== undefined);
  const notes = cautions.map(
    ({ name, caution }) => html`<li>* ${measureInWords(name)}: ${caution!}</li>
`,
  );
  const body = html`${renderTable(`${kind}-caption`, 'Figures with standard errors, where these are known', ['Measure', ...runs.map(({ name }) => name)], rows)}
${cautions.length === 0 ? [] : html`<ul class="note">${notes}</ul>`}`;
  return { id: kind, title, body };
}

function differencesSection({ differences, map }: Comparison): Section {
  const shown = differences.filter(({ measure }) => measure === map?.risk || measure === map?.utility);
  const rows = shown.map(
    (own) => html`<tr><th scope="row">${measureInWords(own.measure)}</th><td>${own.b} less ${own.a}</td>
<td>${differenceInWords(own)}</td><td>${own.seReason ?? ''}</td></tr>
`,
  );
  const body = html`
<p>Of the two measures of the map, with standard errors of the difference; <code>differences.csv</code> has all.</p>
${renderTable('differences-caption', 'Differences', ['Measure', 'Runs', 'Difference', 'Why there is no error'], rows)}`;
  return { id: 'differences', title: 'Differences', body };
}

function readingSection({ measures }: Comparison): Section {
  const kinds = [...new Set(measures.flatMap(({ covers }) => (covers === null ? [] : [covers])))];
  const of = (kind: (typeof kinds)[number]) => measures.filter(({ covers }) => covers === kind).map(({ name }) => measureInWords(name));
  const body = html`
<h3>What the errors hold</h3>
<ul>
${kinds.map(
  (kind) => html`<li><strong>${COVERS_IN_WORDS[kind]}</strong>: ${of(kind).join('; ')}.</li>
`,
)}</ul>
<p>Errors of a difference take the runs for independent. None of them says how figures would be of another table.</p>
<h3>What dominated means</h3>
<p>Another run has no more risk and no less utility by the two measures of the map, and one of them better. Estimates decide, and of many runs some are dominated by chance; beyond errors says that a measure is better by more than half of the 95 % interval of the difference. Other measures may say otherwise: they are in the tables.</p>
<h3>What can be held against each other</h3>
<p>Risk has the same meaning in two runs where the intruder knows and considers the same. Where settings of a measure differ, a star says which.</p>`;
  return { id: 'reading', title: 'How to read this', body };
}
