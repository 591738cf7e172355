import { standardDeviation } from '../../numeric/spread.ts';

/** Figures of every dataset over all of them: of what is null in some, null. */
interface OverDatasets<Figures> {
  readonly mean: Figures;
  /** Standard errors over releases of the table; null of one dataset. */
  readonly errors: { readonly [Name in keyof Figures]: number | null } | null;
}

/** Means over datasets and their errors: the jackknife over datasets, which for a mean is their spread by the root of their number. */
export function overDatasets<Figures extends { readonly [Name in keyof Figures]: number | null }>(
  datasets: readonly Figures[],
): OverDatasets<Figures> {
  const names = Object.keys(datasets[0]!) as (keyof Figures)[];
  const each = <Value>(of: (values: readonly number[]) => Value) =>
    Object.fromEntries(
      names.map((name) => {
        const values = datasets.map((one) => one[name]).filter((value) => value !== null);
        return [name, values.length < datasets.length ? null : of(values)];
      }),
    ) as { [Name in keyof Figures]: Value | null };
  const mean = each((values) => {
    const meanOfValues = values.reduce((sum, value) => sum + value, 0) / values.length;
    // Rounding must not carry a share beyond 1.
    return Math.min(meanOfValues, Math.max(...values));
  });
  // What is equal in all has no error, not even that of rounding.
  const spread = (values: readonly number[]) => (values.every((value) => value === values[0]) ? 0 : standardDeviation(values));
  const errors = datasets.length < 2 ? null : each((values) => spread(values) / Math.sqrt(values.length));
  return { mean: mean as Figures, errors };
}
