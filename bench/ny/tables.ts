import { markdownTable } from '../../scripts/pages/insert-tables.ts';
import type { BoundedMeasure } from '../../shared/contracts/results/bounds.ts';
import { standardDeviation } from '../../shared/numeric/spread.ts';
import { formatCount, formatEstimate, formatSetting, roundToError } from '../../shared/report/words/format-number.ts';
import { boundedDeviations, type Findings, WAYS } from './findings.ts';
import type { SynthesizerRun } from './runs.ts';
import { KNOWN, REGRESSION, SYNTHESIZERS } from './setting.ts';
import type { SimulatedFindings, TriedFigures } from './simulated-findings.ts';

const COLUMNS = ['Min', ...Object.values(SYNTHESIZERS).map(({ name }) => name), 'Max'];

/** Coefficients that are shown: those of the kept variables, and so many of the joint one. */
const JOINT_COEFFICIENTS = 5;

/** The tables of the study in docs/studies/many-categories.md, by name. */
export function studyTables(findings: Findings): Record<string, string> {
  return {
    'ny-matches': matchesTable(findings),
    'ny-disclosures': disclosuresTable(findings),
    'ny-deviations': deviationsTable(findings),
    'ny-coefficients': coefficientsTable(findings),
    'ny-patterns': patternsTable(findings),
  };
}

/** Figures of Hu & Savitsky (2018): their Tables 2 and 5, and their interval of occupied classes (section 2.3). */
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
export function simulatedTables([independent, dependent]: readonly (readonly SimulatedFindings[])[]): Record<string, string> {
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
  const row = (name: string, [dpmpm, areal, maximum]: readonly string[], pick: (of: TriedFigures) => number | null) => {
    const [unmoved, moved, prior, ofAreal, max] = columns.map((column) => meanBetween(found.map((table) => pick(column(table)))));
    return [name, dpmpm!, unmoved!, moved!, prior!, areal!, ofAreal!, maximum!, max!];
  };
  return markdownTable(
    [
      '',
      'the paper: DPMPM',
      'DPMPM without moves',
      'DPMPM',
      'without moves, classes from π',
      'the paper: DP-areal',
      'DP-areal',
      'the paper: Max',
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
        [PUBLISHED.dpmpm, PUBLISHED.areal, PUBLISHED.maximum].map(({ disclosures }) => formatSetting(disclosures)),
        ({ disclosures }) => disclosures,
      ),
      row('occupied classes or clusters', [PUBLISHED.dpmpm.occupied, PUBLISHED.areal.occupied, ''], ({ occupied }) => occupied),
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

/** Hu & Savitsky (2018), Table 4. */
function matchesTable({ runs }: Findings): string {
  const rows = runs[0]!.inherent.identificationRisk.flatMap(({ known }, scenario) => {
    const row = (name: string, pick: (of: SynthesizerRun['inherent']['identificationRisk'][number]) => BoundedMeasure) => [
      known.join(', '),
      name,
      ...means(runs.map(({ inherent }) => pick(inherent.identificationRisk[scenario]!))),
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

/** Hu & Savitsky (2018), Table 5. */
function disclosuresTable({ runs }: Findings): string {
  const found = runs.map(({ inherent }) => inherent.attributeDisclosures.all);
  const releases = found.map(({ release }) => release!);
  return markdownTable(
    ['', ...COLUMNS],
    [
      ['exact attribute disclosures', ...means(found)],
      [
        'of the way from Min to Max',
        '0',
        ...releases.map(({ shareOfRange }) => (shareOfRange === null ? 'undefined' : shareOfRange.toFixed(2))),
        '1',
      ],
    ],
  );
}

/** Hu & Savitsky (2018), Table 2. */
function deviationsTable(findings: Findings): string {
  const rows = WAYS.map((way) => [
    `${way}-way`,
    ...means(findings.runs.map((_, synthesizer) => boundedDeviations(findings, synthesizer, way))),
  ]);
  return markdownTable(['tables', ...COLUMNS], rows);
}

/** Hu & Savitsky (2018), Table 3: intervals of some coefficients in the table, and of each synthesizer by combining rules. */
function coefficientsTable({ runs }: Findings): string {
  const regressions = runs.map(({ utility }) => {
    const found = utility.regressions.find(({ formula }) => formula === REGRESSION);
    if (found === undefined) throw new RangeError(`${REGRESSION} was not fitted`);
    return found;
  });
  const interval = (of: { low: number | null; high: number | null } | null) =>
    of?.low == null || of.high === null ? 'undefined' : `${of.low.toFixed(2)} to ${of.high.toFixed(2)}`;
  const told = regressions[0]!.coefficients.filter((_, at) =>
    regressions.every(({ coefficients }) => coefficients[at]!.intervalOverlap !== null),
  );
  const isThreshold = (term: string) => term.includes('|');
  const ofKept = told.filter(({ term }) => KNOWN.some((name) => term.startsWith(name)) && !isThreshold(term));
  const ofJoint = told.filter(({ term }) => !KNOWN.some((name) => term.startsWith(name)) && !isThreshold(term));
  const rows = [...ofKept, ...ofJoint.slice(0, JOINT_COEFFICIENTS)].map(({ term, original }) => {
    const own = regressions.map(({ coefficients }) => coefficients.find((one) => one.term === term)!);
    return [
      term,
      interval(original),
      ...own.flatMap(({ synthetic, intervalOverlap }) => [
        interval(synthetic),
        intervalOverlap === null ? 'undefined' : intervalOverlap.toFixed(2),
      ]),
    ];
  });
  const mean = regressions.flatMap(({ meanIntervalOverlap }) => [
    '',
    meanIntervalOverlap === null ? 'undefined' : meanIntervalOverlap.toFixed(2),
  ]);
  return markdownTable(
    ['coefficient', 'table', ...COLUMNS.slice(1, -1).flatMap((name) => [name, 'overlap'])],
    [...rows, ['mean of all that are finite', '', ...mean]],
  );
}

/** What Hu & Savitsky (2018), Figure 3, shows by eye, in numbers: as the command divides patterns by their records. */
function patternsTable({ runs, bounds: { distances, records } }: Findings): string {
  const found = runs.map(({ utility }) => utility.patterns!.variables[0]!);
  const rows = found[0]!.classes.map(({ from, to, patterns }, at) => {
    const own = [...records.keys()].filter((b) => records[b]! >= from && records[b]! <= (to ?? Infinity));
    const maximum = own.reduce((sum, b) => sum + distances[b]!, 0) / own.length;
    return [
      to === null ? `${from} or more` : `${from} to ${to}`,
      `${patterns}`,
      ...found.map(({ classes }) => classes[at]!.meanDistance.toFixed(3)),
      maximum.toFixed(3),
    ];
  });
  return markdownTable(['records', 'patterns', ...COLUMNS.slice(1)], rows);
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
