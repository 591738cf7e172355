import { spawnSync } from 'node:child_process';
import { finish } from '../../shared/contracts/stepwise.ts';
import { maskTable } from '../../shared/masking/mask-table.ts';
import { mdavGroups } from '../../shared/masking/mdav.ts';
import { exp } from '../../shared/numeric/portable-math.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { normal } from '../../shared/random/ziggurat.ts';
import type { Table } from '../../shared/table/table.ts';
import { cpuMilliseconds, growth } from '../kernels/measure.ts';
import { attackTable } from './attack.ts';
import { plainMdav } from './plain-mdav.ts';

/** What a million records took in a process of their own. */
export interface MillionMeasured {
  readonly records: number;
  readonly maskSeconds: number;
  readonly linkSeconds: number;
  readonly wallSeconds: number;
  readonly peakMiB: number;
  readonly reidentifiedShare: number;
}

/** MDAV against the obvious program, in seconds of CPU. */
export interface MdavMeasured {
  readonly records: number;
  readonly variables: number;
  readonly seconds: number;
  readonly plainSeconds: number;
  readonly sizes: readonly number[];
  readonly sizeSeconds: readonly number[];
  readonly exponent: number;
}

/** Independent lognormal variables, skewed as amounts are. */
function skewedTable(records: number, variables: number): Table {
  const random = new RandomStream(1, `masking/speed/${records}`);
  const columns = Array.from({ length: variables }, () => ({
    type: 'continuous' as const,
    values: Float64Array.from({ length: records }, () => Math.round(1e6 * exp(normal(random)))),
  }));
  const named = columns.map((_, v) => ({ name: `V${v + 1}`, type: 'continuous' as const }));
  return { schema: { variables: named }, records, columns };
}

/** Individual ranking of a million records on three variables, and their re-identification. */
export async function measureMillion(records = 1_000_000): Promise<MillionMeasured> {
  const table = skewedTable(records, 3);
  const variables = [0, 1, 2];
  const how = { method: 'individual-ranking', k: 3, aggregate: 'mean' } as const;
  const started = performance.now();
  let masked = table;
  const maskMs = await cpuMilliseconds(() => {
    const open = () => new RandomStream(1, 'unused');
    masked = finish(maskTable(table, { how, sample: null }, { variables, swap: [], strata: [] }, open)).masked;
  });
  let reidentifiedShare = 0;
  const linkMs = await cpuMilliseconds(() => {
    const told = { method: 'individual-ranking', k: 3 } as const;
    ({ reidentifiedShare } = attackTable(masked, told, { variables }, table, 1));
  });
  return {
    records,
    maskSeconds: maskMs / 1000,
    linkSeconds: linkMs / 1000,
    wallSeconds: (performance.now() - started) / 1000,
    peakMiB: process.resourceUsage().maxRSS / 1024,
    reidentifiedShare,
  };
}

/** The same in a process of its own, whose memory it alone takes. */
export function spawnMillion(): MillionMeasured {
  const args = [...process.argv.slice(1).filter((arg) => arg !== '--million'), '--million'];
  const { stdout, status } = spawnSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  if (status !== 0) throw new Error(`the million records exited with ${status}`);
  return JSON.parse(stdout.toString('utf8')) as MillionMeasured;
}

/** MDAV of 10,000 records on ten variables, how it grows, and the obvious program on the same points. */
export async function measureMdav(records = 10_000, variables = 10): Promise<MdavMeasured> {
  const k = 3;
  const random = new RandomStream(1, 'masking/speed/mdav');
  const points = Float64Array.from({ length: 2 * records * variables }, () => normal(random));
  const timed = (size: number) => cpuMilliseconds(() => finish(mdavGroups(points.subarray(0, size * variables), variables, k)));
  await timed(records / 8);
  const sizes = [records / 4, records / 2, records, 2 * records];
  const milliseconds: number[] = [];
  for (const size of sizes) milliseconds.push(await timed(size));
  const rows = Array.from({ length: records }, (_, i) => [...points.subarray(i * variables, (i + 1) * variables)]);
  const plainMs = await cpuMilliseconds(() => plainMdav(rows, k));
  const measured = sizes.map((size, i) => ({ size, milliseconds: milliseconds[i]! }));
  return {
    records,
    variables,
    seconds: milliseconds[2]! / 1000,
    plainSeconds: plainMs / 1000,
    sizes,
    sizeSeconds: milliseconds.map((ms) => ms / 1000),
    exponent: growth('MDAV', 'records', measured).exponent,
  };
}
