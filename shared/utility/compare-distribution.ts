import { type ContinuousDeclaration, stepOf } from '../contracts/continuous.ts';
import type { UtilityDistribution } from '../contracts/results/utility.ts';
import { unitScale } from '../model/mixed/unit-scale.ts';
import { quantile } from '../numeric/quantile.ts';
import { standardDeviation } from '../numeric/spread.ts';
import { type CountedRows, recordsOfRows } from '../table/counted-rows.ts';
import { valuesOf } from './regression/column-of.ts';
import type { UtilityInput } from './utility-input.ts';

/** Bins of equal width on the declared scale, whatever the table. */
const BINS = 40;

/** Shares of the table's values below the lower bound of its tails, and above the upper one. */
const TAIL = 0.01;

/** A continuous variable whose distributions are compared. */
export interface DeclaredVariable {
  /** Its index in the table. */
  readonly variable: number;
  readonly declared: ContinuousDeclaration;
}

/** A figure of the table beside the mean of the datasets, with its error between them. */
function beside(original: number, datasets: readonly number[]) {
  const synthetic = datasets.reduce((sum, one) => sum + one, 0) / datasets.length;
  const syntheticSe = datasets.length < 2 ? null : standardDeviation(datasets) / Math.sqrt(datasets.length);
  return { original, synthetic, syntheticSe, datasets: [...datasets] };
}

const shareOf = (values: Float64Array, holds: (value: number) => boolean) =>
  values.reduce((count, value) => count + (holds(value) ? 1 : 0), 0) / values.length;

/**
 * How a continuous variable is distributed in a table and in its datasets: shares of values in bins of its declared scale and at its
 * masses, at multiples of a power of ten, and beyond the table's own percentiles.
 *
 * @param input rows without missing values; at least one in the table and in each dataset
 */
export function compareDistribution({ table, datasets }: UtilityInput, { variable, declared }: DeclaredVariable): UtilityDistribution {
  const valuesIn = (rows: CountedRows) => valuesOf(recordsOfRows(rows), variable);
  const own = valuesIn(table);
  const others = datasets.map(valuesIn);
  const compare = (holds: (value: number) => boolean) =>
    beside(
      shareOf(own, holds),
      others.map((values) => shareOf(values, holds)),
    );
  const { toUnit, fromUnit } = unitScale(declared);
  const half = stepOf(declared.decimals) / 2;
  const place = (value: number) => BINS * toUnit(Math.min(declared.span[1], Math.max(declared.span[0], value)));
  /** Adds a value to the bins that hold what is rounded to it: bins that are not multiples of the step would be uneven otherwise. */
  const spread = (value: number, counts: Float64Array) => {
    const [from, to] = [place(value - half), place(value + half)];
    for (let bin = Math.min(BINS - 1, Math.floor(from)); bin < BINS && bin < to; bin++) {
      counts[bin]! += (Math.min(to, bin + 1) - Math.max(from, bin)) / (to - from);
    }
  };
  const isMass = (value: number) => declared.masses.includes(value);
  const [original, ...synthetic] = [own, ...others].map((values) => {
    const counts = new Float64Array(BINS);
    for (const value of values) if (!isMass(value)) spread(value, counts);
    return counts.map((count) => count / values.length);
  }) as [Float64Array, ...Float64Array[]];
  const sorted = own.slice().sort();
  const [low, high] = [quantile(sorted, TAIL), quantile(sorted, 1 - TAIL)];
  return {
    variable: table.schema.variables[variable]!.name,
    bins: Array.from({ length: BINS }, (_, b) => ({
      from: fromUnit(b / BINS),
      to: fromUnit((b + 1) / BINS),
      original: original[b]!,
      synthetic: synthetic.reduce((sum, shares) => sum + shares[b]!, 0) / synthetic.length,
    })),
    masses: declared.masses.map((mass) => ({ value: mass, ...compare((value) => value === mass) })),
    heaping: heapingOf(
      [own, ...others].map((values) => values.filter((value) => !isMass(value))),
      declared,
    ),
    tails: { low, high, ...compare((value) => value < low || value > high) },
    ...(datasets.length < 2 && { reason: 'One dataset does not say how datasets differ: their figures have no error.' }),
  };
}

/** Standard errors of chance beyond which values count as heaped. */
const BEYOND_CHANCE = 3;

/**
 * Shares of values at multiples of the power of ten at which the table's values heap most: beyond what values of so many decimals
 * without heaps would have there. Null where the table or a dataset has no values.
 */
function heapingOf(all: readonly Float64Array[], { decimals, span }: ContinuousDeclaration): UtilityDistribution['heaping'] {
  if (all.some(({ length }) => length === 0)) return null;
  const farthest = Math.max(...span.map(Math.abs));
  const units = all.map((values) => values.map((value) => Math.round(value * Number(`1e${decimals}`))));
  const stepAt = (power: number) => Number(`1e${power - decimals}`);
  // Where nothing heaps, those of the smallest power stand for all.
  let [best, excess] = [1, 0];
  for (let power = 1; power === 1 || stepAt(power) <= farthest; power++) {
    const chance = Number(`1e-${power}`);
    const rises = shareOf(units[0]!, isMultiple(power)) - chance;
    if (rises > Math.max(excess, BEYOND_CHANCE * Math.sqrt(chance / units[0]!.length))) [best, excess] = [power, rises];
  }
  const [original, ...synthetic] = units.map((values) => shareOf(values, isMultiple(best))) as [number, ...number[]];
  return { step: stepAt(best), ...beside(original, synthetic) };
}

const isMultiple = (power: number) => (units: number) => units % Number(`1e${power}`) === 0;
