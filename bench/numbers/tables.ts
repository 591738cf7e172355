import { markdownTable } from '../../scripts/pages/insert-tables.ts';
import { standardDeviation } from '../../shared/numeric/spread.ts';
import { formatEstimate, formatPercentEstimate } from '../../shared/report/words/format-number.ts';
import type { Dependence } from './local-dependence.ts';
import { type Found, SYNTHESIZED, type Synthesized, type SynthesizerName } from './runs.ts';

/** A synthesizer with what its releases came to. */
export interface Compared {
  readonly synthesized: Synthesized;
  readonly name: SynthesizerName;
  readonly found: readonly Found[];
}

/** What regressions within classes make of held-out records: bits a record more than without, and their error. */
export interface Scored {
  readonly classes: number;
  readonly slopePrecision: number;
  readonly dependence: Dependence;
  readonly bits: number;
  readonly more: number;
  readonly moreSe: number;
}

const NAMES: Record<SynthesizerName, string> = { mixed: '`mixed`', bands: '`dpmpm` in bands', trees: '`cart`' };
const WHAT: Record<Synthesized, string> = { numbers: SYNTHESIZED.numbers.join(' and '), all: 'all variables' };
const REGRESSIONS: Record<Dependence, string> = { none: 'none', numbers: 'on numbers', all: 'on all variables' };

/** Mean over releases with its error; a dash where a synthesizer has no such figure. */
function over(found: readonly Found[], of: (found: Found) => number | null | undefined, write = formatEstimate): string {
  const values = found.map(of).filter((value) => value !== null && value !== undefined);
  if (values.length === 0) return '-';
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return write(mean, standardDeviation(Float64Array.from(values)) / Math.sqrt(values.length));
}

const within = (name: string, which: 'withinBefore' | 'withinAfter' | 'coveredAfter') => (found: Found) =>
  found.summary.attributeRisk[0]!.continuousVariables?.find(({ variable }) => variable === name)?.[which];

/** Expected matches of an intruder, mean over the datasets; nothing where nobody was asked to match. */
const matched = ({ summary }: Found) => {
  const [scenario] = summary.identificationRisk;
  if (!scenario?.applies) return null;
  return scenario.datasets.reduce((sum, { expectedMatchRisk }) => sum + expectedMatchRisk, 0) / scenario.datasets.length;
};

/** The tables of docs/explanation/numbers.md, by name. */
export function numbersTables(compared: readonly Compared[], scored: readonly Scored[]): Record<string, string> {
  const risk =
    (of: (found: Found) => number | null | undefined, write = formatEstimate) =>
    (row: Compared) =>
      over(row.found, of, write);
  const rows = (columns: readonly ((row: Compared) => string)[]) =>
    compared.map((row) => [WHAT[row.synthesized], NAMES[row.name], ...columns.map((column) => column(row))]);
  return {
    risk: markdownTable(
      ['synthesized', 'by', 'gain, bits', 'claimed', 'guessed right, without', 'with', 'found by matching'],
      rows([
        risk(({ summary }) => summary.attributeRisk[0]!.gainBitsMean),
        risk(({ summary }) => summary.attributeRisk[0]!.gainBitsClaimed),
        risk(({ summary }) => summary.attributeRisk[0]!.firstGuessRightBefore, formatPercentEstimate),
        risk(({ summary }) => summary.attributeRisk[0]!.firstGuessRightAfter, formatPercentEstimate),
        risk(matched),
      ]),
    ),
    near: markdownTable(
      ['synthesized', 'variable', 'within 10 %, without', 'with', '90 % intervals hold'],
      compared
        .filter(({ name }) => name === 'mixed')
        .flatMap(({ synthesized, found }) =>
          ['Expenditure', 'Income'].map((variable) => [
            WHAT[synthesized],
            variable,
            over(found, within(variable, 'withinBefore'), formatPercentEstimate),
            over(found, within(variable, 'withinAfter'), formatPercentEstimate),
            over(found, within(variable, 'coveredAfter'), formatPercentEstimate),
          ]),
        ),
    ),
    utility: markdownTable(
      ['synthesized', 'by', 'pairs in another cell', 'pMSE ratio by a tree', 'intervals of regressions overlap'],
      rows([
        risk(({ inBands }) => inBands.twoWayTotalVariation, formatPercentEstimate),
        risk(({ inBands }) => inBands.propensityRatioTree),
        risk(
          ({ summary }) => (summary.utility && 'figures' in summary.utility ? summary.utility.figures.intervalOverlapMean : null),
          formatPercentEstimate,
        ),
      ]),
    ),
    regressions: markdownTable(
      ['classes', 'regressions', 'precision of slopes', 'bits a record', 'more than without'],
      scored.map(({ classes, slopePrecision, dependence, bits, more, moreSe }) => [
        String(classes),
        REGRESSIONS[dependence],
        dependence === 'none' ? '' : String(slopePrecision),
        bits.toFixed(3),
        dependence === 'none' ? '' : formatEstimate(more, moreSe),
      ]),
    ),
  };
}
