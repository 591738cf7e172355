import { describe, expect, it } from 'vitest';
import { finish } from '../../../shared/contracts/stepwise.ts';
import { cutUtility, inSharedMemory, measureShare } from '../../../shared/pipeline/utility/measure-share.ts';
import { joinUtility, measureUtility, utilityUnits } from '../../../shared/utility/measure-utility.ts';
import { prepareUtility } from '../../../shared/utility/prepare-utility.ts';
import { listedParts } from '../../../shared/utility/utility-parts.ts';
import { referenceMeasurement as what } from '../../utility/reference-tables.ts';

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
