import { nonNegativeOrNull } from './number-schemas.ts';

/** The errors of a figure, by what they are called beside it. */
export type ErrorsOf<Name extends string, Value = number | null> = {
  readonly [Key in `${Name}Se` | `${Name}SimulationSe` | `${Name}ReleaseSe`]: Value;
};

/** The names of a figure and of its errors. */
export const withErrorNames = <Name extends string>(name: Name) => [name, `${name}Se`, `${name}SimulationSe`, `${name}ReleaseSe`] as const;

/** 97.5 % quantile of the standard normal distribution. */
export const NORMAL_QUANTILE = 1.959963984540054;

/** Fields of the errors of a figure: of simulation and release together, and either part. */
export const ERROR_FIELDS = {
  se: nonNegativeOrNull.describe(
    'Its standard error over releases: of simulation and release together. Null where it is not known how releases differ, as for one dataset; the part of simulation is known all the same.',
  ),
  simulationSe: nonNegativeOrNull.describe(
    'The part of simulation: how another evaluation of this release would differ (Monte Carlo). 0 where the figure is exact.',
  ),
  releaseSe: nonNegativeOrNull.describe(
    'The part of the release: how another release of the table would differ, by leaving out one dataset at a time. Null where it is not known.',
  ),
} as const;

/** {@link ERROR_FIELDS} of a figure, by what they are called beside it. */
export const errorFields = <Name extends string>(name: Name) =>
  ({
    [`${name}Se`]: ERROR_FIELDS.se,
    [`${name}SimulationSe`]: ERROR_FIELDS.simulationSe,
    [`${name}ReleaseSe`]: ERROR_FIELDS.releaseSe,
  }) as ErrorsOf<Name, typeof ERROR_FIELDS.se>;

/** A figure with its errors, as fields. */
export function withErrors<Name extends string, Value extends number | null>(
  name: Name,
  value: Value,
  { se, simulationSe, releaseSe }: { readonly se: number | null; readonly simulationSe: number | null; readonly releaseSe: number | null },
): Readonly<Record<Name, Value>> & ErrorsOf<Name> {
  return { [name]: value, [`${name}Se`]: se, [`${name}SimulationSe`]: simulationSe, [`${name}ReleaseSe`]: releaseSe } as Readonly<
    Record<Name, Value>
  > &
    ErrorsOf<Name>;
}

/**
 * Half the width of a 95 % interval: the root of the sum of the squares of each part times the quantile that it has by itself,
 * normal for simulation and Student's t for the release. It covers 95 % at least, however the parts compare (Banerjee 1960;
 * docs/explanation/estimators.md, errors).
 *
 * @param releaseQuantile of a 95 % interval by the part of the release alone: Student's t for the datasets less 1
 * @returns null where a part is not known
 */
export function halfWidth(simulationSe: number | null, releaseSe: number | null, releaseQuantile: number | null): number | null {
  if (simulationSe === null || releaseSe === null || releaseQuantile === null) return null;
  const [simulation, release] = [NORMAL_QUANTILE * simulationSe, releaseQuantile * releaseSe];
  return Math.sqrt(simulation * simulation + release * release);
}

/** The same of a figure of attribute risk. */
export function halfWidthOf<Name extends string>(
  risk: { readonly releaseQuantile: number | null } & ErrorsOf<Name>,
  name: Name,
): number | null {
  const errors = risk as Readonly<Record<string, number | null>>;
  return halfWidth(errors[`${name}SimulationSe`]!, errors[`${name}ReleaseSe`]!, risk.releaseQuantile);
}
