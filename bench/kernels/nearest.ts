import { type Neighbours, nearestRecords, valueRanges } from '../../shared/risk/attack/nearest/nearest-records.ts';
import type { Table } from '../../shared/table/table.ts';
import { matchingTables } from '../tables/matching-table.ts';
import { compared, cpuMilliseconds, type Growth, growth, type Measurement, milliseconds } from './measure.ts';

/** Records whose nearest are sought. */
const SOUGHT = 1000;

/** Categorical and continuous variables: one way of looking each, and both together. */
const SHAPES: readonly [categorical: number, continuous: number][] = [
  [7, 0],
  [6, 2],
  [1, 3],
];

interface Search {
  readonly candidates: Table;
  readonly records: Table;
  readonly variables: readonly number[];
  readonly ranges: readonly (number | null)[];
}

function searchOf(size: number, [categorical, continuous]: readonly [number, number]): Search {
  const shape = { datasets: 1, categorical, continuous };
  const candidates = matchingTables(size, shape).datasets[0]!;
  const { table: records } = matchingTables(SOUGHT, shape);
  const variables = [...candidates.columns.keys()];
  return { candidates, records, variables, ranges: valueRanges([candidates, records], variables) };
}

const found = ({ candidates, records, variables, ranges }: Search): Neighbours =>
  nearestRecords(candidates, records, { variables, ranges });

/** Distances to the nearest and the second nearest, by looking at every pair: the program that one writes first. */
function everyPair({ candidates, records, ranges }: Search): Pick<Neighbours, 'distance' | 'second'> {
  const [distance, second] = [new Float64Array(records.records), new Float64Array(records.records)];
  const values = ({ columns }: Table) => columns.map((column) => (column.type === 'categorical' ? column.codes : column.values));
  const [own, others] = [values(candidates), values(records)];
  for (let record = 0; record < records.records; record++) {
    let [least, next] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let row = 0; row < candidates.records; row++) {
      let apart = 0;
      for (const [v, range] of ranges.entries()) {
        const [a, b] = [own[v]![row]!, others[v]![record]!];
        apart += range === null ? Number(a !== b) : Math.abs(a / range - b / range);
      }
      if (apart < least) [least, next] = [apart, least];
      else if (apart < next) next = apart;
    }
    distance[record] = least;
    second[record] = next;
  }
  return { distance, second };
}

/** The nearest of 20,000 rows against the program that looks at every pair; they must agree. */
export async function measureNearest(): Promise<Measurement[]> {
  const measurements = [];
  for (const [categorical, continuous] of SHAPES) {
    const search = searchOf(20_000, [categorical, continuous]);
    const work = `the nearest of 20,000 rows for ${SOUGHT} records, ${categorical} categories, ${continuous} numbers`;
    const ours = found(search);
    let theirs: ReturnType<typeof everyPair> | undefined;
    const slow = await cpuMilliseconds(() => {
      theirs = everyPair(search);
    });
    for (const what of ['distance', 'second'] as const) {
      if (ours[what].some((one, record) => one !== theirs![what][record])) throw new Error(`${work}: ${what} differs`);
    }
    const fast = milliseconds(1, () => found(search));
    measurements.push(compared(work, fast, 'every pair', slow));
  }
  return measurements;
}

/** How the search grows with the rows among which the nearest are sought. */
export function growNearest(): Growth[] {
  return SHAPES.map(([categorical, continuous]) =>
    growth(
      `the nearest for ${SOUGHT} records, ${categorical} categories, ${continuous} numbers`,
      'rows',
      [10_000, 40_000, 160_000].map((size) => {
        const search = searchOf(size, [categorical, continuous]);
        return { size, milliseconds: milliseconds(1, () => found(search)) };
      }),
    ),
  );
}
