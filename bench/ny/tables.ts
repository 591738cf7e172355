import type { BoundedMeasure } from '../../shared/contracts/results/bounds.ts';
import {
  formatCount,
  formatEstimate,
  formatPercent,
  formatSetting,
} from '../../shared/report/words/format-number.ts';
import { markdownTable } from '../pages/insert-tables.ts';
import { type Finding, type Findings, WAYS } from './findings.ts';
import type { Patterns } from './pattern-shares.ts';
import { SYNTHESIZERS } from './sample-releases.ts';

const COLUMNS = ['Min', ...Object.values(SYNTHESIZERS).map(({ name }) => name), 'Max'];

/** Records from which a pattern belongs to the next class of sizes. */
const SIZE_LIMITS = [10, 50, 200, Infinity];

/** The tables of the study in docs/matching.md, by name. */
export function studyTables(findings: Findings, patterns: Patterns): Record<string, string> {
  return {
    'ny-matches': matchesTable(findings),
    'ny-disclosures': disclosuresTable(findings),
    'ny-deviations': deviationsTable(findings),
    'ny-patterns': patternsTable(findings, patterns),
    'ny-chains': chainsTable(findings),
  };
}

/** 001, Table 4. */
function matchesTable({ synthesizers }: Findings): string {
  const rows = synthesizers[0]!.inherent.identificationRisk.flatMap(({ known }, scenario) => {
    const row = (
      name: string,
      pick: (of: Finding['inherent']['identificationRisk'][number]) => BoundedMeasure,
    ) => [
      known.join(', '),
      name,
      ...means(synthesizers.map(({ inherent }) => pick(inherent.identificationRisk[scenario]!))),
    ];
    return [
      row('expected match risk', ({ expectedMatchRisk }) => expectedMatchRisk),
      row('true match rate', ({ trueMatchRate }) => trueMatchRate),
      row('false match rate', ({ falseMatchRate }) => falseMatchRate),
      row('unique matches', ({ uniqueMatches }) => uniqueMatches),
    ];
  });
  return markdownTable(['known, beside the joint variable', '', ...COLUMNS], rows);
}

/** 001, Table 5. */
function disclosuresTable({ synthesizers }: Findings): string {
  const found = synthesizers.map(({ inherent }) => inherent.attributeDisclosures.all);
  const { records } = synthesizers[0]!.inherent.table;
  const { minimum, maximum } = found[0]!;
  const releases = found.map(({ release }) => release!);
  return markdownTable(
    ['', ...COLUMNS],
    [
      ['exact attribute disclosures', ...means(found)],
      [
        'share of the records',
        ...[minimum, ...releases, maximum].map(({ mean }) => formatPercent(mean! / records)),
      ],
      [
        'of the way from Min to Max',
        '0',
        ...releases.map(({ shareOfRange }) =>
          shareOfRange === null ? 'undefined' : shareOfRange.toFixed(2),
        ),
        '1',
      ],
      [
        'smallest to largest',
        ...[minimum, ...releases, maximum].map(
          ({ smallest, largest }) => `${formatCount(smallest!)} to ${formatCount(largest!)}`,
        ),
      ],
    ],
  );
}

/** 001, Table 2. */
function deviationsTable({ synthesizers }: Findings): string {
  const rows = WAYS.map((ways, w) => [
    `${ways}-way`,
    ...means(synthesizers.map(({ deviations }) => deviations[w]!)),
  ]);
  return markdownTable(['tables', ...COLUMNS], rows);
}

/** What 001, Figure 3, shows by eye, in numbers. */
function patternsTable({ synthesizers, distances }: Findings, { records }: Patterns): string {
  const all = [...records.keys()];
  const rows = SIZE_LIMITS.map((limit, place) => {
    const from = SIZE_LIMITS[place - 1] ?? 1;
    const chosen = all.filter((b) => records[b]! >= from && records[b]! < limit);
    const meanOf = (values: Float64Array) =>
      (chosen.reduce((sum, b) => sum + values[b]!, 0) / chosen.length).toFixed(3);
    const [first, second] = synthesizers;
    return [
      limit === Infinity ? `${from} or more` : `${from} to ${limit - 1}`,
      `${chosen.length}`,
      ...synthesizers.map((found) => meanOf(found.distances)),
      meanOf(distances),
      `${chosen.filter((b) => first!.distances[b]! < second!.distances[b]!).length}`,
    ];
  });
  return markdownTable(
    ['records', 'patterns', ...COLUMNS.slice(1), `${COLUMNS[1]} nearer than ${COLUMNS[2]}`],
    rows,
  );
}

function chainsTable({ synthesizers }: Findings): string {
  const names = {
    alpha: 'alpha',
    occupied: 'occupied classes or clusters',
    logLikelihood: 'log-likelihood',
    expectedDisclosures: 'expected exact disclosures',
  };
  const traces = Object.keys(names) as (keyof typeof names)[];
  const rows = synthesizers.flatMap((found, s) =>
    traces.map((trace) => {
      const { mean, standardDeviation, rHat, bulkEffectiveSize, tailEffectiveSize } = found.traces[trace];
      return [
        COLUMNS[s + 1]!,
        names[trace],
        formatSetting(mean),
        formatSetting(standardDeviation),
        rHat === null ? 'undefined' : rHat.toFixed(3),
        bulkEffectiveSize === null ? 'undefined' : formatCount(bulkEffectiveSize),
        tailEffectiveSize === null ? 'undefined' : formatCount(tailEffectiveSize),
      ];
    }),
  );
  return markdownTable(
    ['', 'traced', 'mean', 'standard deviation', 'R-hat', 'effective size, bulk', 'effective size, tail'],
    rows,
  );
}

/** A measure in the four columns: the mean with its Monte Carlo error, and the standard deviation around it. */
function means(found: readonly BoundedMeasure[]): string[] {
  const { minimum, maximum } = found[0]!;
  return [minimum, ...found.map(({ release }) => release!), maximum].map((of) => {
    if (of.mean === null) return 'undefined';
    const values = 'defined' in of ? of.defined : of.byDataset.filter((value) => value !== null).length;
    if (of.standardDeviation === null || of.standardDeviation === 0) return formatSetting(of.mean);
    const estimate = formatEstimate(of.mean, of.standardDeviation / Math.sqrt(values));
    return `${estimate} (${formatSetting(Number(of.standardDeviation.toPrecision(2)))})`;
  });
}
