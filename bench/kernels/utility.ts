import { UTILITY_DEFAULTS } from '../../shared/contracts/config/utility.ts';
import { finish } from '../../shared/contracts/stepwise.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { seededStreams } from '../../shared/random/streams.ts';
import { countedRows } from '../../shared/table/counted-rows.ts';
import type { Table } from '../../shared/table/table.ts';
import { measureUtility } from '../../shared/utility/measure-utility.ts';
import { openUtility } from '../../shared/utility/open-utility.ts';
import { cpuMilliseconds, type Growth, growth } from './measure.ts';

/** Categories of twelve variables, and the datasets of a release. */
const SIZES = [2, 3, 4, 5, 2, 6, 5, 4, 3, 2, 8, 5];
const DATASETS = 5;

/** Records from which the time grows: fewer than models are fitted to, up to as many. */
const RECORDS = [12_500, 25_000, 50_000, 100_000];

/** A table whose variables depend on a class of six, or a dataset that has the dependence a little otherwise. */
function draw(records: number, number: number): Table {
  const random = new RandomStream(number, `bench/utility/${records}`);
  const columns = SIZES.map(() => new Uint8Array(records));
  for (let record = 0; record < records; record++) {
    const own = random.below(6);
    for (const [v, size] of SIZES.entries()) {
      const share = random.uniform() ** (1 + (number > 0 ? 0.02 : 0) + ((own + v) % 3));
      columns[v]![record] = Math.min(size - 1, Math.floor(size * share));
    }
  }
  const variables = SIZES.map((size, v) => ({
    name: `V${v}`,
    type: 'categorical' as const,
    categories: Array.from({ length: size }, (_, code) => `${code}`),
  }));
  return { schema: { variables }, records, columns: columns.map((codes) => ({ type: 'categorical', codes })) };
}

/** How the time of all default measures of utility grows with the records of twelve variables and five datasets. */
export async function growUtility(): Promise<Growth[]> {
  const points = [];
  for (const records of RECORDS) {
    const [table, ...datasets] = Array.from({ length: DATASETS + 1 }, (_, l) => draw(records, l));
    const all = SIZES.map((_, v) => v);
    const opened = openUtility(UTILITY_DEFAULTS, {}, table!.schema, all);
    const input = { table: countedRows(table!), datasets: datasets.map(countedRows) };
    const measure = () => finish(measureUtility(input, opened, (name) => seededStreams(1).open(name)));
    points.push({ size: records, milliseconds: await cpuMilliseconds(measure) });
  }
  return [growth('utility, all defaults', 'records', points)];
}
