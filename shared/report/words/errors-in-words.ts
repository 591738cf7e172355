import type { ErrorsOf } from '../../contracts/figure-errors.ts';
import type { AttributeRiskSummary } from '../../contracts/results/summary.ts';

/** The standard error that is shown beside a figure: over releases where that is known, and else of simulation alone. */
export function shownError<Name extends string>(of: Partial<ErrorsOf<Name, number | null | undefined>>, name: Name): number | null {
  const errors = of as Readonly<Record<string, number | null | undefined>>;
  return errors[`${name}Se`] ?? errors[`${name}SimulationSe`] ?? null;
}

/** Which error stands after a ± of a scenario: in a few words, and why. */
export function errorsInWords({ releaseQuantile, releaseSeReason }: AttributeRiskSummary): string {
  return releaseQuantile === null
    ? `± is the Monte Carlo standard error alone (${releaseSeReason})`
    : '± is the standard error over releases of this table, simulation included; figures without the release have their Monte Carlo error alone';
}
