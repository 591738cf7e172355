import { type ContinuousDeclaration, roundedTo } from '../../contracts/continuous.ts';
import { exp, log } from '../../numeric/portable-math.ts';

type Transform = (value: number) => number;

const asinh = (value: number): number => (value < 0 ? -asinh(-value) : log(value + Math.sqrt(value * value + 1)));

/** Each scale with its inverse. */
const SCALES: Readonly<Record<ContinuousDeclaration['scale'], { readonly to: Transform; readonly from: Transform }>> = {
  none: { to: (value) => value, from: (scaled) => scaled },
  log: { to: log, from: exp },
  asinh: { to: asinh, from: (scaled) => (exp(scaled) - exp(-scaled)) / 2 },
  sqrt: { to: Math.sqrt, from: (scaled) => scaled * scaled },
};

/** A continuous variable on the unit scale, on which its declared range without masses is [0, 1]. */
export interface UnitScale {
  /** u = (s(v) - s(low)) / (s(high) - s(low)), s the declared scale. */
  toUnit(value: number): number;
  /** The inverse, before rounding. */
  fromUnit(unit: number): number;
  /** What is released of a number on the unit scale: rounded to the declared decimals; NaN where that is outside the range, or a mass. */
  released(unit: number): number;
  /** Standard deviation of rounding to the declared decimals, on the unit scale in the middle of the range: no class has less. */
  readonly smallest: number;
}

/** The unit scale of a variable, from its declaration alone. */
export function unitScale({ scale, masses, decimals, span: [low, high] }: ContinuousDeclaration): UnitScale {
  const { to, from } = SCALES[scale];
  const [start, length] = [to(low), to(high) - to(low)];
  const toUnit = (value: number) => (to(value) - start) / length;
  const fromUnit = (unit: number) => from(start + unit * length);
  const step = 10 ** -decimals;
  const middle = fromUnit(0.5);
  // The slope of the scale over a step, which stays inside the range however short that is.
  const [below, above] = [Math.max(low, middle - step / 2), Math.min(high, middle + step / 2)];
  const slope = (toUnit(above) - toUnit(below)) / (above - below);
  return {
    toUnit,
    fromUnit,
    released(unit) {
      const value = roundedTo(decimals, fromUnit(unit));
      return value >= low && value <= high && !masses.includes(value) ? value : Number.NaN;
    },
    smallest: (slope * step) / Math.sqrt(12),
  };
}
