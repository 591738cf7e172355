import { MISSING, type MixedRows } from '../../model/mixed/mixed-rows.ts';

/** What a dataset has beside each row, in the places of the rows' own parts; what was not synthesized is missing. */
export interface Beside {
  /** parts x rows. */
  readonly codes: Uint16Array;
  /** continuous parts x rows. */
  readonly values: Float64Array;
}

/** The values of a dataset's rows that were synthesized, nothing of the others. */
export function besideOf(
  dataset: MixedRows,
  { parts, continuous }: { readonly parts: readonly number[]; readonly continuous: readonly number[] },
): Beside {
  const indicators = continuous.map((part) => dataset.continuous[part]!.indicator);
  const codes = dataset.codes.map((code, at) => {
    const part = Math.floor(at / dataset.rows);
    return parts.includes(part) || indicators.includes(part) ? code : MISSING;
  });
  return { codes, values: dataset.values.map((value, at) => (continuous.includes(Math.floor(at / dataset.rows)) ? value : Number.NaN)) };
}
