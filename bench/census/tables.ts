import { markdownTable } from '../../scripts/pages/insert-tables.ts';
import { quantile } from '../../shared/numeric/quantile.ts';
import { formatCount, formatFigure, formatPercent } from '../../shared/report/words/format-number.ts';
import { type CensusResults, namedEvaluations, type TableFacts } from './census-results.ts';
import { formatRange } from './format-range.ts';
import { PUBLISHED, PUBLISHED_COEFFICIENTS } from './published.ts';
import { rankedWithin } from './rank-agreement.ts';
import { gainsTable, repeatsTable, standingTable } from './rank-tables.ts';
import { TOP } from './setting.ts';

/** The tables of docs/studies/census.md, by name. */
export function studyTables(results: CensusResults): Record<string, string> {
  return {
    'census-tables': factsTable(results),
    'census-pairs': pairsTable(results),
    'census-regression': regressionTable(results),
    'census-ranks': ranksTable(results),
    'census-probabilities': probabilitiesTable(results),
    'census-repeats': repeatsTable(results),
    'census-gains': gainsTable(results),
    'census-standing': standingTable(results),
    'census-unknown': unknownTable(results),
  };
}

function factsTable({ table, simulated }: CensusResults): string {
  const rows: [string, string, (facts: TableFacts) => string][] = [
    ['records', formatCount(PUBLISHED.records), ({ records }) => formatCount(records)],
    ['variables', `${PUBLISHED.variables}`, ({ variables }) => `${variables}`],
    ['combinations', formatCount(PUBLISHED.combinations), ({ combinations }) => formatCount(combinations)],
    [
      'of which once, twice, three times',
      PUBLISHED.repeated.map(formatCount).join(', '),
      ({ repeated }) => repeated.map(formatCount).join(', '),
    ],
  ];
  return markdownTable(
    ['', 'the paper', 'census extract', 'simulated table'],
    rows.map(([name, published, of]) => [name, published, of(table.facts), of(simulated.facts)]),
  );
}

function pairsTable({ distances }: CensusResults): string {
  const { median, largest, chanceMedian, chanceLargest } = distances;
  return markdownTable(
    ['mean of five', 'median pair', 'farthest pair'],
    [
      ['datasets', formatPercent(median), formatPercent(largest)],
      ['resamples of the table', formatPercent(chanceMedian), formatPercent(chanceLargest)],
    ],
  );
}

/** Hu et al. (2014), Table 2. */
function regressionTable({ regression }: CensusResults): string {
  const three = (value: number) => formatSigned(value, 3);
  const interval = ([low, high]: readonly [number, number]) => `${three(low)} to ${three(high)}`;
  return markdownTable(
    ['the paper', 'original', 'm = 5', '95 % interval', 'here', 'original', 'm = 5', '95 % interval', 'holds it'],
    regression.map(({ name, original, synthetic }, k) => {
      const published = PUBLISHED_COEFFICIENTS[k]!;
      return [
        published.name,
        three(published.original),
        three(published.synthetic),
        interval(published.interval),
        name,
        three(original),
        three(synthetic.mean),
        `${interval(synthetic.interval)}${synthetic.fallback ? ' *' : ''}`,
        synthetic.interval[0] <= original && original <= synthetic.interval[1] ? 'yes' : 'no',
      ];
    }),
  );
}

const formatSigned = (value: number, decimals: number) => value.toFixed(decimals).replace('-', '\u2212');

/** Figure 3 in numbers: mean over evaluations. */
function ranksTable(results: CensusResults): string {
  const rows = namedEvaluations(results).map(({ name, candidates, evaluations }) => {
    const combinations = evaluations[0]!.rank.length;
    const ranks = evaluations.map(({ rank }) => quantile(rank.slice().sort(), 0.5));
    return [
      name,
      formatCount(combinations),
      formatRange(rankedWithin(evaluations, 1), formatCount),
      formatRange(rankedWithin(evaluations, TOP), formatCount),
      ...guesses(combinations, candidates),
      `${formatRange(ranks, formatFigure)} of ${candidates}`,
    ];
  });
  const { combinations, candidates, rankedFirst, rankedTop } = PUBLISHED;
  return markdownTable(
    ['estimator', 'combinations', 'truth first', 'in the first three', 'guessing: first', 'in the first three', 'median rank'],
    [
      [
        '**the paper, published**',
        formatCount(combinations),
        `${rankedFirst}`,
        `${rankedTop}`,
        ...guesses(combinations, candidates),
        `not given, of ${candidates}`,
      ],
      ...rows,
    ],
  );
}

function guesses(combinations: number, candidates: number): string[] {
  return [1, TOP].map((top) => formatCount((combinations * top) / candidates));
}

/** What Hu et al. (2014) call a high probability, 0.08, as a multiple of their uniform one. */
const HIGH_RATIO = PUBLISHED.high.probability * PUBLISHED.candidates;

/** Figure 4 in numbers, for the first evaluation. */
function probabilitiesTable(results: CensusResults): string {
  const rows = namedEvaluations(results).map(({ name, candidates, evaluations }) => {
    const { probability, rank } = evaluations[0]!;
    const high = [...probability.keys()].filter((i) => probability[i]! * candidates > HIGH_RATIO);
    const ratios = probability.map((value) => value * candidates).sort();
    const share = (test: (ratio: number) => boolean) => ratios.filter(test).length / ratios.length;
    return [
      name,
      formatFigure(ratios.at(-1)! / candidates),
      formatFigure(ratios.at(-1)!),
      formatCount(ratios.filter((ratio) => ratio > 2).length),
      formatCount(high.length),
      formatCount(high.filter((i) => rank[i]! <= TOP).length),
      formatPercent(share((ratio) => ratio <= 1)),
      [0.05, 0.5, 0.95].map((place) => quantile(ratios, place).toFixed(2)).join(', '),
    ];
  });
  const largest = Math.max(...results.publishedRanks.map(({ probability }) => probability));
  const above = results.publishedRanks.filter(({ probability }) => probability * PUBLISHED.candidates > 2);
  return markdownTable(
    [
      'estimator',
      'largest probability',
      'times uniform',
      'combinations above twice uniform',
      `above ${HIGH_RATIO.toFixed(1)} times`,
      'of these in the first three',
      'at most uniform',
      'times uniform: 5 %, median, 95 %',
    ],
    [
      [
        '**the paper, published**',
        formatFigure(largest),
        formatFigure(largest * PUBLISHED.candidates),
        `${above.length} in its Table 3 alone`,
        `${PUBLISHED.high.combinations}`,
        `${results.publishedRanks.filter(({ probability }) => probability > PUBLISHED.high.probability).length}`,
        'not given',
        'not given',
      ],
      ...rows,
    ],
  );
}

/** Hu et al. (2014), section 4.2, eq. 16: an intruder who lacks some values alone. */
function unknownTable({ unknown, summaries, augmented }: CensusResults): string {
  const once = [...unknown.count.keys()].filter((i) => unknown.count[i] === 1);
  const figures = (name: string, of: CensusResults['summaries']['unknown']) => [
    name,
    formatPercent(of.priorProbabilityMean!),
    formatPercent(of.probabilityMean!, of.probabilityMeanSe),
    formatPercent(of.priorFirstShare!),
    formatPercent(of.truthRankedFirstShare!, of.truthRankedFirstShareSe),
  ];
  const firsts = once.filter((i) => unknown.rank[i] === 1).length;
  const odds = augmented[0]!.priorOddsToFirst.slice().sort();
  return [
    markdownTable(
      ['prior', 'probability of the truth, before', 'after', 'truth first, before', 'after'],
      [figures('uniform', summaries.unknown), figures('of the model', summaries.modelled)],
    ),
    '',
    `Of ${formatCount(once.length)} combinations that occur once, ${formatCount(firsts)} have their truth ranked first under the uniform prior, and ${formatCount(once.filter((i) => unknown.probability[i]! >= 0.3695).length)} with a probability of 0.3695 or more. With one change the prior odds that would bring the truth to the top (eq. 18) are ${quantile(odds, 0.5).toFixed(2)} in the median combination, and 1.46 or less in ${formatCount(odds.filter((value) => value <= 1.46).length)} of ${formatCount(odds.length)}.`,
  ].join('\n');
}
