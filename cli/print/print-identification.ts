import { namesInWords } from '../../shared/contracts/in-command.ts';
import type { AppliedIdentificationRisk, IdentificationRiskSummary, MatchFigures } from '../../shared/contracts/results/identification.ts';
import type { Summary } from '../../shared/contracts/results/summary.ts';
import { copiesLines } from '../../shared/report/words/copies-in-words.ts';
import { formatCount, formatFigure, roundToError } from '../../shared/report/words/format-number.ts';
import { ROW_ORDER_ASSUMED, radiusInWords, sweepCaution } from '../../shared/report/words/identification-in-words.ts';
import type { TableCopies } from '../../shared/risk/copies/count-copies.ts';
import { acceptanceLines } from './print-acceptance.ts';
import { type Printing, writeFindings } from './write-lines.ts';

/** Datasets that are listed one by one at most. */
const LISTED_DATASETS = 20;

const MEASURES = {
  'expected match risk': 'expectedMatchRisk',
  'true match rate': 'trueMatchRate',
  'false match rate': 'falseMatchRate',
  'unique matches': 'uniqueMatches',
} as const satisfies Record<string, keyof MatchFigures>;

type Measure = (typeof MEASURES)[keyof typeof MEASURES];

/** A figure of each measure, or a dash where there is none. */
type Row = readonly [name: string, figure: (measure: Measure) => string];

const figure = (value: number | null) => (value === null ? '-' : formatFigure(value));

/** Rows of text under a header, their columns aligned. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('   '),
  );
}

function figureLines({ datasets, mean, standardDeviation, minimum, maximum }: AppliedIdentificationRisk) {
  const listed = datasets.length <= LISTED_DATASETS ? datasets : [];
  const ofMeasure = (figures: { readonly [M in Measure]: number | null }) => (measure: Measure) => figure(figures[measure]);
  const spread = (measure: Measure) => {
    const deviation = standardDeviation?.[measure] ?? null;
    const average = mean[measure];
    if (average === null || deviation === null) return [figure(average), '-'];
    return roundToError(average, deviation);
  };
  const rows: Row[] = [
    ...listed.map((figures, l): Row => [String(l + 1), ofMeasure(figures)]),
    ['mean', (measure) => spread(measure)[0]!],
    ['sd', (measure) => spread(measure)[1]!],
    ['least', ofMeasure(minimum)],
    ['most', ofMeasure(maximum)],
  ];
  return aligned([['dataset', ...Object.keys(MEASURES)], ...rows.map(([name, shown]) => [name, ...Object.values(MEASURES).map(shown)])]);
}

function sweepLines({ sweep }: AppliedIdentificationRisk): string[] {
  if (sweep === undefined) return [];
  const caution = sweepCaution(sweep);
  return [
    '',
    'Radii that were tried, the one of most risk marked:',
    ...aligned([
      ['', ...sweep.variables, 'expected match risk'],
      ...sweep.points.map(({ radii, expectedMatchRiskMean }, point) => [
        point === sweep.maximum ? '*' : '',
        ...sweep.variables.map((name) => radiusInWords(radii[name]!)),
        formatFigure(expectedMatchRiskMean),
      ]),
    ]),
    ...(caution === null ? [] : ['', caution]),
  ];
}

/**
 * Identification risk under one scenario as lines for a person.
 *
 * @param byData whether the synthesized variables are those that differ, rather than those that were named
 */
export function riskLines(risk: IdentificationRiskSummary, byData: boolean): string[] {
  const heading = `Identification risk, ${risk.scenario}`;
  if (!risk.applies) return [heading, `  does not apply: ${risk.reason}`];
  const { known, synthesized, records, radii, shape } = risk;
  const near = Object.entries(radii).map(([name, radius]) => `${name} ${radiusInWords(radius)}`);
  return [
    heading,
    `  known         ${namesInWords(known) || 'nothing'}`,
    `  synthesized   ${namesInWords(synthesized) || 'nothing'}${byData ? ' (the variables that differ)' : ''}`,
    ...(near.length > 0 ? [`  radii         ${near.join(', ')}${near.length > 1 ? `, ${shape}` : ''}`] : []),
    `  records       ${formatCount(records)}`,
    '',
    ...figureLines(risk),
    ...sweepLines(risk),
  ];
}

/**
 * Prints what `identify` found: as JSON an element of `identificationRisk`, a list of them for several scenarios. Where
 * rules were applied, every element has all of their results, as those of a run are in its summary.
 */
export function printIdentification(
  found: readonly { readonly summary: IdentificationRiskSummary; readonly byData: boolean }[],
  { acceptance, copies, sampleUniques }: TableCopies & Pick<Summary, 'acceptance'>,
  printing: Printing,
): void {
  if (printing.json) {
    const summaries = found.map(({ summary }) => ({ ...summary, copies, ...(acceptance.length === 0 ? {} : { acceptance }) }));
    process.stdout.write(`${JSON.stringify(summaries.length === 1 ? summaries[0] : summaries, null, 2)}\n`);
    return;
  }
  const lines = found.flatMap(({ summary, byData }) => [...riskLines(summary, byData), '']);
  writeFindings(
    [...lines, ...copiesLines(copies, sampleUniques), ROW_ORDER_ASSUMED, ...acceptanceLines(acceptance, found.length > 1)],
    printing,
  );
}
