import { describe, expect, it } from 'vitest';
import { UTILITY_DEFAULTS } from '../../../shared/contracts/config/utility.ts';
import { finish } from '../../../shared/contracts/stepwise.ts';
import { TaskPool } from '../../../shared/pipeline/tasks/task-pool.ts';
import { cutUtility, inSharedMemory, measureShare } from '../../../shared/pipeline/utility/measure-share.ts';
import { seededStreams } from '../../../shared/random/streams.ts';
import { countedRows, rowsOfRecords } from '../../../shared/table/counted-rows.ts';
import { joinUtility, measureUtility, utilityUnits } from '../../../shared/utility/measure-utility.ts';
import { openUtility } from '../../../shared/utility/open-utility.ts';
import { prepareUtility } from '../../../shared/utility/prepare-utility.ts';
import { listedParts } from '../../../shared/utility/utility-parts.ts';
import { referenceTables } from '../../utility/reference-tables.ts';

const QUICK = { ...UTILITY_DEFAULTS, permutations: 3 };

function what(kind: 'full' | 'partial'): Parameters<typeof prepareUtility> {
  const [table, ...datasets] = referenceTables(3, kind).map(kind === 'full' ? countedRows : rowsOfRecords);
  const opened = openUtility(QUICK, {}, table!.schema, kind === 'full' ? [0, 1, 2, 3] : [2, 3]);
  return [{ table: table!, datasets }, opened, (name) => seededStreams(1).open(name)];
}

const bytesOf = (measured: unknown) => JSON.stringify(measured);

describe('cutUtility()', () => {
  it('cuts a measurement into shares of all parts and units, of which no small one is by itself', () => {
    const given = what('partial');
    const { shares, units } = cutUtility(prepareUtility(...given));
    const parts = listedParts(prepareUtility(...given));
    expect(shares.map(({ from }) => from)).toEqual([0, ...shares.slice(0, -1).map(({ to }) => to)]);
    expect(shares.at(-1)!.to).toBe(parts.length);
    expect(shares.length).toBeLessThan(parts.length);
    const all = utilityUnits(given[0], given[1]);
    expect(units.reduce((sum, one) => sum + one, 0) / all).toBeCloseTo(1, 9);
    expect(Math.min(...units.slice(0, -1))).toBeGreaterThanOrEqual(all / 64 - 1e-9);
  });
});

describe('measureShare()', () => {
  it.each(['full', 'partial'] as const)('finds in shared memory and in any order what one thread finds: %s', (kind) => {
    const prepared = inSharedMemory(prepareUtility(...what(kind)));
    const { shares, units } = cutUtility(prepared);
    const found: unknown[][] = [];
    for (const place of [...shares.keys()].reverse()) {
      let told = 0;
      found[place] = measureShare(structuredClone(shares[place]!), (more = 1) => {
        told += more;
      });
      expect(told).toBeCloseTo(units[place]!, 6);
    }
    expect(bytesOf(joinUtility(prepared, found.flat()))).toBe(bytesOf(finish(measureUtility(...what(kind)))));
  });
});

describe('inSharedMemory()', () => {
  it('keeps all data, and has every array once in memory that a clone shares', () => {
    const codes = Uint16Array.of(1, 2, 3);
    const data = { first: { codes }, again: [codes], names: new Set(['a']), none: null, text: 'x' };
    const shared = inSharedMemory(data);
    expect(shared).toEqual(data);
    expect(shared.again[0]).toBe(shared.first.codes);
    structuredClone(shared).first.codes[0] = 9;
    expect([shared.first.codes[0], codes[0]]).toEqual([9, 1]);
  });
});

describe('TaskPool.measure()', () => {
  const pooled = (threads: number) =>
    new TaskPool(new URL('../../../dist/worker.mjs', import.meta.url), { directory: '.', keyPrefix: '' }, threads);

  it('finds the same with one thread, two and three, and knows how much is left', async () => {
    const alone = bytesOf(finish(measureUtility(...what('partial'))));
    for (const threads of [1, 2, 3]) {
      const pool = pooled(threads);
      try {
        expect(bytesOf(await pool.measure(...what('partial')))).toBe(alone);
        expect(pool.secondsLeft()).toBe(0);
      } finally {
        await pool.close();
      }
    }
  });

  it('ends without a result where it is stopped', async () => {
    const pool = pooled(1);
    try {
      const measured = pool.measure(...what('partial'));
      pool.stop();
      expect(await measured).toBeNull();
    } finally {
      await pool.close();
    }
  });

  it('throws what a thread throws', async () => {
    const pool = pooled(2);
    try {
      const [input, opened, open] = what('full');
      const broken = { ...opened, patterns: { by: [99], of: [0] } };
      await expect(pool.measure(input, broken, open)).rejects.toThrow();
    } finally {
      await pool.close();
    }
  });
});
