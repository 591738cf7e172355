import { logSumExp } from '../../numeric/log-sum-exp.ts';
import { exp, log } from '../../numeric/portable-math.ts';
import { standardDeviation } from '../../numeric/spread.ts';
import { distinctRecords } from '../../table/distinct-rows.ts';
import type { Table } from '../../table/table.ts';

const LOG_2_PI = log(2 * Math.PI);

/** Spread of each continuous variable of a table of at least two records, 1 where all are equal; null for a categorical one. */
export const spreads = ({ columns }: Table): (number | null)[] =>
  columns.map((column) => (column.type === 'categorical' ? null : standardDeviation(column.values) || 1));

/**
 * Logarithms of a kernel density of a sample at some points, over all variables. Kernels are products: of a continuous variable a
 * normal density of Silverman's (1986, section 4.3) bandwidth s (4 / ((q + 2) n))^(1 / (q + 4)), with spread s, q continuous variables
 * and n records; of a categorical one of c categories 1 - b where they are equal and b / (c - 1) where not (Aitchison and Aitken 1976),
 * with b = (c - 1) / c n^(-2 / (q + 4)), which falls with n as is best beside such a bandwidth (Li and Racine 2003).
 *
 * @param scales spread of each continuous variable
 */
export function logDensities(sample: Table, points: Table, scales: readonly (number | null)[]): Float64Array {
  const { records, schema } = sample;
  const continuous = scales.filter((scale) => scale !== null).length;
  const share = exp((-2 / (continuous + 4)) * log(records));
  const bandwidth = exp(log(4 / ((continuous + 2) * records)) / (continuous + 4));
  const rows = distinctRecords(sample);
  const asked = distinctRecords(points);
  const logCounts = Float64Array.from(rows.counts, (count) => log(count / records));
  const logs = new Float64Array(logCounts.length);
  const densities = Float64Array.from(asked.counts, (_, point) => {
    logs.set(logCounts);
    let norm = 0;
    for (const [v, column] of rows.distinct.columns.entries()) {
      const [variable, own] = [schema.variables[v]!, asked.distinct.columns[v]!];
      if (column.type === 'continuous' && own.type === 'continuous') {
        const width = scales[v]! * bandwidth;
        norm += log(width) + LOG_2_PI / 2;
        for (let row = 0; row < logs.length; row++) {
          const apart = (column.values[row]! - own.values[point]!) / width;
          logs[row]! -= (apart * apart) / 2;
        }
      } else if (column.type === 'categorical' && own.type === 'categorical' && variable.type === 'categorical') {
        const categories = variable.categories.length;
        const [equal, unequal] = [log(1 - (share * (categories - 1)) / categories), log(share / categories)];
        for (let row = 0; row < logs.length; row++) logs[row]! += column.codes[row] === own.codes[point] ? equal : unequal;
      }
    }
    return logSumExp(logs) - norm;
  });
  return Float64Array.from(asked.rowOfRecord, (row) => densities[row]!);
}
