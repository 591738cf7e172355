import { type ContinuousDeclaration, roundedTo, stepOf } from '../../contracts/continuous.ts';
import { exp, log } from '../../numeric/portable-math.ts';

type Transform = (value: number) => number;

const asinh = (value: number): number => (value < 0 ? -asinh(-value) : log(value + Math.sqrt(value * value + 1)));

/** Each scale with its inverse and its slope. */
const SCALES: Readonly<
  Record<ContinuousDeclaration['scale'], { readonly to: Transform; readonly from: Transform; readonly slope: Transform }>
> = {
  none: { to: (value) => value, from: (scaled) => scaled, slope: () => 1 },
  log: { to: log, from: exp, slope: (value) => 1 / value },
  asinh: { to: asinh, from: (scaled) => (exp(scaled) - exp(-scaled)) / 2, slope: (value) => 1 / Math.sqrt(value * value + 1) },
  sqrt: { to: Math.sqrt, from: (scaled) => scaled * scaled, slope: (value) => 1 / (2 * Math.sqrt(value)) },
};

/** Points of the unit scale over which the step of rounding is averaged. */
const AVERAGED = 64;

/** A continuous variable on the unit scale, on which its declared range without masses is [0, 1]. */
export interface UnitScale {
  /** u = (s(v) - s(low)) / (s(high) - s(low)), s the declared scale. */
  toUnit(value: number): number;
  /** The inverse, before rounding. */
  fromUnit(unit: number): number;
  /** What is released of a number in [0, 1]: rounded to the declared decimals; beside a mass, not at it, where it would round to one. */
  released(unit: number): number;
  /** Standard deviation of rounding to the declared decimals, its geometric mean over the unit scale: no class has less. */
  readonly smallest: number;
}

/** The unit scale of a variable, from its declaration alone. */
export function unitScale({ scale, masses, decimals, span: [low, high] }: ContinuousDeclaration): UnitScale {
  const { to, from, slope } = SCALES[scale];
  const [start, length] = [to(low), to(high) - to(low)];
  const toUnit = (value: number) => (to(value) - start) / length;
  const fromUnit = (unit: number) => from(start + unit * length);
  let logSlopes = 0;
  for (let k = 0; k < AVERAGED; k++) logSlopes += log(slope(fromUnit((k + 0.5) / AVERAGED)));
  return {
    toUnit,
    fromUnit,
    released(unit) {
      const exact = fromUnit(unit);
      let value = Math.min(high, Math.max(low, roundedTo(decimals, exact)));
      const step = exact < value ? -stepOf(decimals) : stepOf(decimals);
      while (masses.includes(value)) value = roundedTo(decimals, value + step);
      return value;
    },
    smallest: (exp(logSlopes / AVERAGED) * stepOf(decimals)) / length / Math.sqrt(12),
  };
}
