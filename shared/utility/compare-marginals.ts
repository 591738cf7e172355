import { bandOf } from '../contracts/config/bands.ts';
import type { UtilityMarginal } from '../contracts/results/utility.ts';
import { quantile } from '../numeric/quantile.ts';
import { standardDeviation } from '../numeric/spread.ts';
import type { CountedRows } from '../table/counted-rows.ts';
import type { UtilityInput } from './utility-input.ts';

/** Categories of a variable that stand by themselves at most: those that most records of the table have. */
const MOST_CATEGORIES = 12;

/** Bins of a number, about. */
const BINS = 10;

/** Shares of the table's values below the bins of a number, and above them, at most. */
const TAIL = 0.01;

/**
 * The distribution of a variable in the table and in its datasets: categories in their order, a number in bins of a round width.
 *
 * @param input rows without missing values
 */
export function compareMarginal({ table, datasets }: UtilityInput, variable: number): UtilityMarginal {
  const { name } = table.schema.variables[variable]!;
  const { names, sharesOf } = cellsOf(table, variable);
  const original = sharesOf(table);
  const others = datasets.map(sharesOf);
  const beside = (cells: readonly number[]) => {
    const sum = (shares: Float64Array) =>
      Math.min(
        1,
        cells.reduce((total, cell) => total + shares[cell]!, 0),
      );
    const each = others.map(sum);
    return {
      original: sum(original),
      synthetic: each.reduce((total, one) => total + one, 0) / each.length,
      syntheticSe: each.length < 2 ? null : standardDeviation(each) / Math.sqrt(each.length),
    };
  };
  const all = [...names.keys()];
  const rare = new Set(
    names.length > MOST_CATEGORIES + 1 ? all.toSorted((a, b) => original[b]! - original[a]!).slice(MOST_CATEGORIES) : [],
  );
  const apart = (shares: Float64Array) => Math.min(1, shares.reduce((sum, share, cell) => sum + Math.abs(share - original[cell]!), 0) / 2);
  return {
    variable: name,
    totalVariation: others.map(apart).reduce((sum, one) => sum + one, 0) / others.length,
    categories: all.filter((cell) => !rare.has(cell)).map((cell) => ({ category: names[cell]!, ...beside([cell]) })),
    ...(rare.size > 0 && { others: { categories: rare.size, ...beside([...rare]) } }),
    ...(datasets.length < 2 && { reason: 'One dataset does not show how datasets differ: its shares have no error.' }),
  };
}

/** The cells of a variable by their names, and what share of the records of some rows is in each. */
function cellsOf(table: CountedRows, variable: number) {
  const described = table.schema.variables[variable]!;
  const edges = described.type === 'continuous' ? roundEdges(table, variable) : [];
  const names = described.type === 'continuous' ? binNames(edges) : described.categories;
  const sharesOf = ({ columns, counts, records }: CountedRows): Float64Array => {
    const column = columns[variable]!;
    const found = new Float64Array(names.length);
    for (let row = 0; row < counts.length; row++) {
      found[column.type === 'categorical' ? column.codes[row]! : bandOf(edges, column.values[row]!) + 1]! += counts[row]!;
    }
    return found.map((count) => count / records);
  };
  return { names, sharesOf };
}

/** Where bins of a number begin, but for the first: multiples of 1, 2 or 5 times a power of ten within the table's percentiles. */
function roundEdges({ columns, counts }: CountedRows, variable: number): number[] {
  const column = columns[variable]!;
  if (column.type === 'categorical') throw new RangeError('a categorical variable has categories');
  // Rows with numbers are records; those without any are not of the table.
  const sorted = column.values.filter((_, row) => counts[row]! > 0).sort();
  const [low, high] = [quantile(sorted, TAIL), quantile(sorted, 1 - TAIL)];
  if (!(high > low)) return [low];
  const width = (high - low) / BINS;
  const power = Number(`1e${width.toExponential().split('e')[1]}`);
  const step = power * ([1, 2, 5, 10].find((times) => times * power >= width) ?? 10);
  const first = Math.floor(low / step) + 1;
  const last = Math.max(first, Math.floor(high / step));
  return Array.from({ length: last - first + 1 }, (_, place) => Number(((first + place) * step).toPrecision(12)));
}

const binNames = (edges: readonly number[]): string[] => [
  `below ${edges[0]}`,
  ...edges.slice(1).map((edge, place) => `${edges[place]} to below ${edge}`),
  `${edges.at(-1)} or more`,
];
