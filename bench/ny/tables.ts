import type { BoundedMeasure } from '../../shared/contracts/results/bounds.ts';
import { standardDeviation } from '../../shared/numeric/spread.ts';
import {
  formatCount,
  formatEstimate,
  formatPercent,
  formatSetting,
  roundToError,
} from '../../shared/report/words/format-number.ts';
import type { Patterns } from '../../shared/utility/pattern-distributions.ts';
import { markdownTable } from '../pages/insert-tables.ts';
import { type Finding, type Findings, WAYS } from './findings.ts';
import { SYNTHESIZERS } from './sample-releases.ts';
import type { SimulatedFindings, TriedFigures } from './simulated-findings.ts';

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

/** 001's own figures: its Tables 2 and 5, and its interval of occupied classes (section 2.3). */
const PUBLISHED = {
  dpmpm: { deviations: [908.7, 4790.8, 8082.6], disclosures: 115.25, occupied: '28 to 36' },
  areal: { deviations: [1710.5, 6416.5, 8884.3], disclosures: 88.15, occupied: '' },
  maximum: { disclosures: 175.33 },
};

/**
 * The tables of what the synthesizers do on simulated tables, by name: means over these with the standard deviation
 * between them.
 *
 * @param found the tables of each kind
 */
export function simulatedTables([independent, dependent]: readonly (readonly SimulatedFindings[])[]): Record<
  string,
  string
> {
  return { 'ny-simulated': simulatedRows(independent!), 'ny-dependent': simulatedRows(dependent!) };
}

function simulatedRows(found: readonly SimulatedFindings[]): string {
  const columns: ((of: SimulatedFindings) => TriedFigures)[] = [
    ({ synthesizers }) => synthesizers.unmoved,
    ({ synthesizers }) => synthesizers.dpmpm,
    ({ synthesizers }) => synthesizers.prior,
    ({ synthesizers }) => synthesizers.areal,
    ({ maximum }) => maximum,
  ];
  const row = (
    name: string,
    [dpmpm, areal, maximum]: readonly string[],
    pick: (of: TriedFigures) => number | null,
  ) => {
    const [unmoved, moved, prior, ofAreal, max] = columns.map((column) =>
      meanBetween(found.map((table) => pick(column(table)))),
    );
    return [name, dpmpm!, unmoved!, moved!, prior!, areal!, ofAreal!, maximum!, max!];
  };
  return markdownTable(
    [
      '',
      '001: DPMPM',
      'DPMPM without moves',
      'DPMPM',
      'without moves, classes from π',
      '001: DP-areal',
      'DP-areal',
      '001: Max',
      'Max',
    ],
    [
      ...WAYS.map((ways, w) =>
        row(
          `${ways}-way deviations`,
          [formatCount(PUBLISHED.dpmpm.deviations[w]!), formatCount(PUBLISHED.areal.deviations[w]!), ''],
          ({ deviations }) => deviations[w]!,
        ),
      ),
      row(
        'exact attribute disclosures',
        [PUBLISHED.dpmpm, PUBLISHED.areal, PUBLISHED.maximum].map(({ disclosures }) =>
          formatSetting(disclosures),
        ),
        ({ disclosures }) => disclosures,
      ),
      row(
        'occupied classes or clusters',
        [PUBLISHED.dpmpm.occupied, PUBLISHED.areal.occupied, ''],
        ({ occupied }) => occupied,
      ),
    ],
  );
}

/** The mean over tables, and the standard deviation between them as a spread, not an error. */
function meanBetween(values: readonly (number | null)[]): string {
  const defined = values.filter((value) => value !== null);
  if (defined.length === 0) return '';
  const mean = defined.reduce((sum, value) => sum + value, 0) / defined.length;
  const deviation = standardDeviation(defined);
  return `${roundToError(mean, deviation)[0]} (${formatSetting(Number(deviation.toPrecision(2)))})`;
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
