import { namesInWords } from '../../contracts/in-command.ts';
import type { UtilityDistribution, UtilityRegression, UtilitySummary } from '../../contracts/results/utility.ts';
import { distributionChart } from '../charts/distribution-chart.ts';
import { framed, renderFigure } from '../charts/figure.ts';
import { shareBars } from '../charts/share-bars.ts';
import { associationPlot, coefficientIntervalsChart, drawnCoefficients, patternSharesChart } from '../charts/utility-charts.ts';
import { count, derived, figure, percent, percentEstimate, quantity, withError } from '../figures/figure.ts';
import { type Html, html } from '../page/html.ts';
import { label, labels, shortened } from '../page/label.ts';
import { fold, type Section } from '../page/section.ts';
import { labelledTable } from '../page/table.ts';
import { formatCount, formatFigure } from '../words/format-number.ts';
import { EXPECTED_IN_WORDS, PROPENSITY_FIGURES, TERMS_IN_WORDS } from '../words/utility-in-words.ts';

/** Regressions whose coefficients are drawn: those that overlap least. */
const DRAWN_REGRESSIONS = 2;

/** A formula is shown with its variables, if they are not very many. */
const FORMULA_CHARACTERS = 200;

/** What stands in the place of a figure that there is not. */
const UNDEFINED = 'not defined';

/** How well the datasets serve for what the table does: figures of each measure, and where they fail most. */
export async function utilitySection(utility: UtilitySummary): Promise<Section> {
  const body = html`
${leadIn(utility)}
${tablesTable(utility)}
${propensityTable(utility)}
<p class="note">An error after ± is over releases of the table, by the spread between datasets; of the ratio by a tree, permutations are in it as well. Other figures have none. ${utility.figuresSeReason}</p>
${utility.regressions.length === 0 ? html`<p>No regression is compared. ${utility.regressionsReason ?? ''}</p>` : []}
<div class="figures-grid">
${await associationFigure(utility)}
${await patternFigure(utility)}
${await distributionFigures(utility)}
</div>
${marginalFigures(utility)}
${fold(
  'Regressions, distributions and patterns',
  html`${utility.regressions.length === 0 ? [] : regressionsTable(utility.regressions)}
<div class="figures-grid">
${await coefficientFigures(utility.regressions)}
</div>
${distributionsTable(utility)}
${patternsTable(utility)}`,
)}`;
  return { id: 'utility', title: 'Utility', answer: utilityAnswer(utility), body };
}

/** How far the datasets can be told from the table, in a sentence. */
export function utilityAnswer({ figures, figuresSe }: UtilitySummary): Html {
  const ratios = (['propensityRatioMain', 'propensityRatioPairs', 'propensityRatioTree'] as const).filter((name) => figures[name] !== null);
  const key = ratios.toSorted((a, b) => figures[b]! - figures[a]!)[0];
  const told =
    key === undefined
      ? html`Distinguishability from the table is not defined.`
      : html`The largest pMSE ratio of the datasets is ${withError(figures, key, figuresSe, 'number')} (1 is expected by chance).`;
  return figures.intervalOverlapMean === null
    ? told
    : html`${told} Intervals of regressions overlap by ${percent(figures, 'intervalOverlapMean')} on average.`;
}

function leadIn(utility: UtilitySummary): Html {
  const { synthesized, kind } = utility;
  return html`<p>${quantity(utility, 'datasets', 'dataset')} beside ${quantity(utility, 'records', 'record')} of the table; ${kind === 'full' ? 'every variable is synthesized' : html`${labels(synthesized)} synthesized, the other variables kept`}. No figure says whether the datasets serve a purpose that nobody named: name the regressions that matter.</p>`;
}

function tablesTable({ tables }: UtilitySummary): Html {
  return labelledTable(
    'utility-tables',
    'Tables of counts: absolute differences between table and datasets, summed over the cells of a table',
    ['Variables', 'Tables', 'Mean', '95 % interval', 'Largest', 'By chance alone', 'Records in another cell'],
    tables.map((one) => [
      String(one.way),
      one.tables < one.tablesInAll ? html`${count(one, 'tables')} of ${count(one, 'tablesInAll')}` : count(one, 'tables'),
      figure(one, 'meanAbsoluteDeviation'),
      one.low === null ? 'one dataset' : html`${figure(one, 'low')} to ${figure(one, 'high')}`,
      figure(one, 'maxAbsoluteDeviation'),
      figure(one, 'expected'),
      percent(one, 'totalVariation'),
    ]),
  );
}

/** What both ratios say where some variables are kept. */
const KEPT_NOTE = html`<p class="note">Some variables are kept. The ratio from pairs of rows asks whether a record and its own synthetic row could be swapped: it stays 1 on average however closely kept variables determine the others. The ratio by formula (Snoke et al. 2018) counts the coefficients of synthesized variables: it compares releases of one table by one yardstick, and is below 1 where kept variables determine the others more closely than the terms say.</p>`;

function propensityTable({ propensity, figures, figuresSe }: UtilitySummary): Html {
  const reasons = propensity.filter(({ mean }) => mean === null);
  return html`${labelledTable(
    'utility-propensity',
    'Distinguishability from the table (pMSE), means over datasets',
    [
      'By',
      'Coefficients or leaves, first dataset',
      'pMSE',
      'Expected by chance',
      'Standard deviation of chance',
      'Ratio',
      'Standardized',
      'Ratio by formula',
    ],
    propensity.map((own) => {
      const { terms, mean, expectedBy } = own;
      return [
        TERMS_IN_WORDS[terms],
        count(own, 'coefficients'),
        mean === null ? UNDEFINED : withError(figures, PROPENSITY_FIGURES[terms].pmse, figuresSe, 'number'),
        mean === null || expectedBy === null ? UNDEFINED : html`${figure(mean, 'expected')} ${EXPECTED_IN_WORDS[expectedBy]}`,
        mean === null ? UNDEFINED : figure(mean, 'expectedDeviation'),
        mean === null ? UNDEFINED : withError(figures, PROPENSITY_FIGURES[terms].ratio, figuresSe, 'number'),
        mean === null ? UNDEFINED : figure(mean, 'standardized'),
        mean === null || mean.ratioFormula === null ? UNDEFINED : figure(mean, 'ratioFormula'),
      ];
    }),
  )}
${propensity.some(({ expectedBy }) => expectedBy === 'pairs of rows') ? KEPT_NOTE : ''}
${reasons.map(({ terms, reason }) => html`<p class="note">${TERMS_IN_WORDS[terms]}: ${reason ?? 'some dataset has none'}</p>`)}`;
}

/** Mean squared error of what the datasets' regressions predict of the table's held-out records. */
function predictedBy({ heldOut }: UtilityRegression, place: number): Html {
  const found = heldOut.datasets.filter((one) => one !== null);
  if (found.length === 0) return html`${UNDEFINED}`;
  const mean = found.reduce((sum, one) => sum + one.meanSquaredError, 0) / found.length;
  return derived(`foretold-${place}`, formatFigure(mean));
}

function regressionsTable(regressions: readonly UtilityRegression[]): Html {
  const reasons = regressions.flatMap(({ formula, coefficients }) => {
    const found = [...new Set(coefficients.flatMap(({ reason }) => (reason === undefined ? [] : reason.split('; '))))];
    return found.length === 0 ? [] : [html`<li><code>${shortened(formula, FORMULA_CHARACTERS)}</code>: ${found.join('; ')}</li>`];
  });
  return html`${labelledTable(
    'utility-regressions',
    'Regressions on the table and on the datasets, and their mean squared error on held-out records',
    ['Regression', 'Coefficients', 'Overlap', 'Difference, standard errors', 'Error from the table', 'From the datasets'],
    regressions.map((one, place) => [
      html`<code>${shortened(one.formula, FORMULA_CHARACTERS)}</code>`,
      derived(`coefficients-${place}`, formatCount(one.coefficients.length)),
      percent(one, 'meanIntervalOverlap'),
      figure(one, 'meanAbsoluteStandardizedDifference'),
      one.heldOut.original === null ? UNDEFINED : figure(one.heldOut.original, 'meanSquaredError'),
      predictedBy(one, place),
    ]),
  )}
${reasons.length === 0 ? [] : html`<p>Coefficients without an estimate or an interval, which the means leave out:</p><ul>${reasons}</ul>`}`;
}

async function coefficientFigures(regressions: readonly UtilityRegression[]): Promise<Html[]> {
  const drawn = regressions
    .filter((one) => drawnCoefficients(one).length > 0)
    .toSorted((a, b) => (a.meanIntervalOverlap ?? 2) - (b.meanIntervalOverlap ?? 2))
    .slice(0, DRAWN_REGRESSIONS);
  return Promise.all(
    drawn.map(
      async (regression) =>
        await renderFigure({
          title: shortened(regression.formula.split('~')[0]!.trim()),
          chart: coefficientIntervalsChart(regression),
          legend: { mark: 'Datasets: estimate and 95 % interval by combining rules', quiet: '95 % interval of the table' },
          caption: 'Of the regressions that overlap least, the coefficients that differ most.',
        }),
    ),
  );
}

async function associationFigure({ associations }: UtilitySummary): Promise<Html | []> {
  if (associations.mostChanged === null) return [];
  return await renderFigure({
    title: 'Associations of every two variables',
    chart: associationPlot(associations),
    legend: { mark: 'Pairs of variables', reference: 'The pair that changed most, and where nothing changes' },
    caption: html`They differ by ${figure(associations, 'meanAbsoluteDifference')} on average, most between ${labels(associations.mostChanged)}. Cramér’s V, correlation ratios, and correlations of two numbers.`,
  });
}

async function patternFigure({ patterns }: UtilitySummary): Promise<Html | []> {
  const shown = patterns?.variables[0]?.shown[0];
  if (shown === undefined) return [];
  const { of } = patterns!.variables[0]!;
  return await renderFigure({
    title: `${shortened(of)} in the largest pattern`,
    chart: patternSharesChart(shown, of),
    legend: { reference: 'Table', mark: 'Datasets, mean' },
    caption: html`${quantity(shown, 'records', 'record')} that share ${labels(patterns!.by)}.`,
  });
}

function patternsTable({ patterns, patternsReason }: UtilitySummary): Html {
  if (patterns === null) return html`<p class="note">Distributions within patterns: ${patternsReason ?? ''}</p>`;
  return labelledTable(
    'utility-patterns',
    `Distributions within patterns of ${shortened(namesInWords(patterns.by))}: distance from 0, the same, to 1, nothing in common`,
    ['Variable', 'Records of a pattern', 'Patterns', 'Mean distance'],
    patterns.variables.flatMap(({ of, classes }) =>
      classes.map((own) => [
        label(of),
        own.to === null ? html`${count(own, 'from')} or more` : html`${count(own, 'from')} to ${count(own, 'to')}`,
        count(own, 'patterns'),
        figure(own, 'meanDistance'),
      ]),
    ),
  );
}

/** Variables whose distributions are drawn at most: those that differ most. */
const DRAWN_MARGINALS = 24;

/** Original beside synthetic distributions, variable by variable, as compare() of synthpop draws them. */
function marginalFigures({ marginals = [] }: UtilitySummary): Html | [] {
  if (marginals.length === 0) return [];
  const chosen = new Set(marginals.toSorted((a, b) => b.totalVariation - a.totalVariation).slice(0, DRAWN_MARGINALS));
  const [{ reason }] = marginals as [(typeof marginals)[number]];
  return fold(
    'Table and datasets, variable by variable',
    html`<p class="note">Share of the records in each category or bin, in the table and on average in the datasets.${
      marginals.length > DRAWN_MARGINALS ? ` Drawn are the variables that differ most; the summary has all.` : ''
    } ${reason ?? ''}</p>
<div class="figures-grid">
${marginals
  .filter((own) => chosen.has(own))
  .map((own) => {
    const { svg, table } = shareBars(own);
    const caption = html`${percent(own, 'totalVariation')} of the records would have to move to another category.`;
    return framed({ title: shortened(own.variable), chart: { table }, legend: { quiet: 'Table', mark: 'Datasets, mean' }, caption }, svg);
  })}
</div>`,
  );
}

/** Distributions of continuous variables that are drawn; all are in the table below them. */
const DRAWN_DISTRIBUTIONS = 6;

async function distributionFigures({ distributions = [] }: UtilitySummary): Promise<Html[]> {
  return Promise.all(
    distributions
      .slice(0, DRAWN_DISTRIBUTIONS)
      .map(
        async (own) =>
          await renderFigure({
            title: `${shortened(own.variable)} in the table and in the datasets`,
            chart: distributionChart(own),
            legend: { quiet: 'Table', mark: 'Datasets, mean' },
            caption: massesInWords(own),
          }),
      ),
  );
}

const massesInWords = ({ masses }: UtilityDistribution): Html =>
  masses.length === 0
    ? html`Shares of all values.`
    : html`Shares of all values, without the masses: ${masses.map((own, place) => html`${place === 0 ? '' : '; '}${figure(own, 'value')} has ${percent(own, 'original')} in the table and ${percentEstimate(own, 'synthetic')} in the datasets`)}.`;

function distributionsTable({ distributions = [] }: UtilitySummary): Html | [] {
  if (distributions.length === 0) return [];
  return html`${labelledTable(
    'utility-distributions',
    'What normal kernels leave out: heaps at round numbers, and tails',
    [
      ...['Variable', 'Heaps at multiples of', 'In the table', 'In the datasets'],
      ...['1st to 99th percentile of the table', 'Beyond, in the table', 'Beyond, in the datasets'],
    ],
    distributions.map(({ variable, heaping, tails }) => [
      label(variable),
      heaping === null ? UNDEFINED : count(heaping, 'step'),
      heaping === null ? UNDEFINED : percent(heaping, 'original'),
      heaping === null ? UNDEFINED : percentEstimate(heaping, 'synthetic'),
      html`${figure(tails, 'low')} to ${figure(tails, 'high')}`,
      percent(tails, 'original'),
      percentEstimate(tails, 'synthetic'),
    ]),
  )}
<p class="note">Heaps: the share of values, masses aside, that are multiples of the power of ten at which the table has the most of them beyond
chance. An error after ± is of the mean of the datasets, by the spread between them. ${distributions[0]!.reason ?? ''}</p>`;
}
