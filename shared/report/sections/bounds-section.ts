import { namesInWords } from '../../contracts/in-command.ts';
import type { BoundedMeasure, BoundsRow, FoundBounds, MeasureDistribution } from '../../contracts/results/bounds.ts';
import { type BoundsHistogram, boundsHistogramChart } from '../charts/bounds-histogram.ts';
import { renderFigure } from '../charts/figure.ts';
import { count, derived, figure, percent, quantity, worded } from '../figures/figure.ts';
import { type Html, html } from '../page/html.ts';
import { labels, shortened } from '../page/label.ts';
import type { Section } from '../page/section.ts';
import { framedTable } from '../page/table.ts';
import { formatEstimate, formatFigure, formatPercent, formatSupported } from '../words/format-number.ts';

/** A measure with its name, and what a histogram of it takes from the rows. */
interface NamedMeasure {
  readonly name: string;
  readonly measure: BoundedMeasure;
}

/**
 * The least and the most that such a release could disclose, and where the release lies: a table of all measures, and
 * the histograms of Hu & Savitsky (2018), Figure 4.
 *
 * @param rows of `inherent.csv`; null to leave the histograms to the page of the bounds
 */
export async function boundsSection(found: FoundBounds, rows: readonly BoundsRow[] | null): Promise<Section> {
  const { patterns } = found;
  const body = html`
<p>Each of ${quantity(found, 'resamples', 'resample')} under the minimum draws the synthesized values uniformly from the values
observed in the table; each under the maximum draws them from the records of the same pattern of the kept variables
(${labels(found.kept)}${patterns.banded.length === 0 ? [] : html`; ${labels(patterns.banded)} in ${quantity(patterns, 'bands', 'band')} of about equal numbers of records`}), as a perfect synthesizer would. There are ${quantity(patterns, 'count', 'pattern')};
${quantity(patterns, 'loneRecords', 'record')} (${percent(patterns, 'loneRecordShare')}) ${patterns.loneRecords === 1 ? 'shares its' : 'share their'} pattern with no other, and
under the maximum ${patterns.loneRecords === 1 ? 'keeps its' : 'keep their'} true values.</p>
${
  rows === null
    ? html`<p>Every resample is in <code>inherent.csv</code>, and <code>inherent.html</code> shows how they are spread.</p>`
    : html`<div class="figures-grid">
${await histograms(found, rows)}
</div>`
}
${measuresTable(found)}`;
  return { id: 'inherent', title: 'Least and most risk of such a release', answer: answer(found), body };
}

/** The histograms of the disclosures, and of the risk under each scenario. */
async function histograms(
  { synthesized, attributeDisclosures, identificationRisk }: FoundBounds,
  rows: readonly BoundsRow[],
): Promise<Html[]> {
  const first = identificationRisk[0]!.scenario;
  const figures = [
    await boundsFigure(
      `Exact attribute disclosures of ${names(synthesized)}`,
      histogram('Records disclosed', attributeDisclosures.all, ofScenario(rows, first), 'exact_disclosures'),
    ),
  ];
  for (const { scenario, known, synthesized: guessed, expectedMatchRisk } of identificationRisk) {
    figures.push(
      await boundsFigure(
        `Expected match risk, known: ${names([...known, ...guessed])}`,
        histogram('Expected match risk', expectedMatchRisk, ofScenario(rows, scenario), 'expected_match_risk'),
      ),
    );
  }
  return figures;
}

function names(variables: readonly string[]): string {
  return variables.length === 0 ? 'none' : namesInWords(variables);
}

function ofScenario(rows: readonly BoundsRow[], scenario: string): BoundsRow[] {
  return rows.filter((row) => row.scenario === scenario);
}

function histogram(
  title: string,
  measure: BoundedMeasure,
  rows: readonly BoundsRow[],
  column: 'exact_disclosures' | 'expected_match_risk',
): BoundsHistogram {
  const valuesOf = (bound: BoundsRow['bound']) => rows.filter((row) => row.bound === bound).map((row) => row[column]);
  return { title, minimum: valuesOf('minimum'), maximum: valuesOf('maximum'), release: measure.release ?? null };
}

function boundsFigure(title: string, found: BoundsHistogram): Promise<Html> {
  return renderFigure({
    title,
    chart: boundsHistogramChart(found),
    legend: {
      quiet: 'Resamples, minimum',
      mark: 'Resamples, maximum',
      ...(found.release !== null && { reference: 'The release: mean of its datasets, smallest and largest dashed' }),
    },
    caption:
      found.release === null
        ? 'A release below the bars of the minimum protects more than values drawn blindly; one beyond those of the maximum discloses more than a perfect synthesizer.'
        : 'Lines to the left, near the minimum, tell little of single records; lines at the bars of the maximum or beyond disclose as much as a perfect synthesizer, or more.',
  });
}

/** The main figure in a sentence. */
function answer(found: FoundBounds): Html {
  const { attributeDisclosures, table, datasets, synthesized } = found;
  const { minimum, maximum, release } = attributeDisclosures.all;
  const mean = (name: string, own: MeasureDistribution) =>
    html`${ofDistribution(own, formatSupported)} records (${derived(`${name}-share`, formatPercent(own.mean! / table.records))})`;
  const range = html`A release of ${labels(synthesized)} discloses the true values of ${mean('minimum', minimum)} when drawn blindly, and of ${mean('maximum', maximum)} when drawn perfectly.`;
  if (release === undefined || release.mean === null) return range;
  const position = release.shareOfRange === null ? [] : html`, ${percent(release, 'shareOfRange')} of the way between them`;
  const own = datasets === 1 ? html`This dataset discloses` : html`These ${count(found, 'datasets')} datasets disclose on average`;
  return html`${range} ${own} ${figure(release, 'mean')} records (${derived('release-share', formatPercent(release.mean / table.records))})${position}.`;
}

/** The mean of a bound with its error, which is a member of its own. */
function ofDistribution(own: MeasureDistribution, words: (mean: number, standardError: number | null) => string): Html {
  const { mean, standardError } = own;
  return mean === null ? html`undefined` : worded(own, 'mean', words(mean, standardError));
}

function measuresTable(found: FoundBounds): Html {
  const hasRelease = found.datasets > 0;
  const measures: NamedMeasure[] = [
    { name: 'Exact attribute disclosures', measure: found.attributeDisclosures.all },
    ...(found.synthesized.length > 1
      ? found.attributeDisclosures.byVariable.map(({ variable, ...measure }) => ({ name: `… of ${variable} alone`, measure }))
      : []),
    ...found.identificationRisk.flatMap((scenario) => {
      const suffix = `known: ${names([...scenario.known, ...scenario.synthesized])}`;
      return [
        { name: `Expected match risk, ${suffix}`, measure: scenario.expectedMatchRisk },
        { name: `True match rate, ${suffix}`, measure: scenario.trueMatchRate },
        { name: `False match rate, ${suffix}`, measure: scenario.falseMatchRate },
        { name: `Unique matches, ${suffix}`, measure: scenario.uniqueMatches },
      ];
    }),
  ];
  const rows = measures.map(
    ({ name, measure: { minimum, maximum, release } }) => html`<tr><th scope="row">${shortened(name)}</th>
<td>${estimate(minimum)}</td><td>${estimate(maximum)}</td>${
      hasRelease ? html`<td>${figure(release!, 'mean')}</td><td>${percent(release!, 'shareOfRange')}</td>` : []
    }</tr>
`,
  );
  const caption = `Means over the resamples, with their Monte Carlo standard errors${hasRelease ? '; the release: mean of its datasets' : ''}`;
  const heads = ['Measure', 'Minimum', 'Maximum', ...(hasRelease ? ['The release', 'Share of the range'] : [])];
  return html`${framedTable('inherent-caption', caption, heads, rows)}
<p class="note">A false match rate falls as risk grows, so that the maximum has the smaller one; it is undefined where no record has a unique match, and its means are over the resamples that define it.</p>`;
}

const estimate = (own: MeasureDistribution): Html =>
  ofDistribution(own, (mean, error) => (error === null ? formatFigure(mean) : formatEstimate(mean, error)));
