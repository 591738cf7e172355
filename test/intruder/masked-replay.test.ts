import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { MaskingMethod } from '../../shared/contracts/config/masking.ts';
import { newKey } from '../../shared/contracts/secret-key.ts';
import { finish } from '../../shared/contracts/stepwise.ts';
import { maskTable } from '../../shared/masking/mask-table.ts';
import { KeyedStreams, seededStreams } from '../../shared/random/streams.ts';
import { readTable } from '../../shared/table/files/read-table.ts';
import type { Table } from '../../shared/table/table.ts';
import { mixedTable } from '../pipeline/small-run.ts';
import { filesBelow, synthrisk, temporaryFolder } from '../run-command.ts';

/** Methods that draw, of whose releases an intruder would repeat the draws to check a guess. */
const DRAWN: MaskingMethod[] = [
  { method: 'rank-swap', p: 10 },
  { method: 'noise', noise: 0.1 },
  { method: 'noise-mixture', noise: 0.1, separation: 0.9 },
  { method: 'errors', errors: 0.5 },
];

let table: Table;
const places = { variables: [1, 4], swap: [3], strata: [0] };
type Open = Parameters<typeof maskTable>[3];
const release = (how: MaskingMethod, open: Open, sample: number | null = null) =>
  JSON.stringify(finish(maskTable(table, { how, sample }, places, open)).masked.columns);
const keyed = (key: Uint8Array): Open => {
  const streams = new KeyedStreams(key, 1);
  return (name) => streams.openReleased(name);
};

beforeAll(async () => {
  const variables = { age: { type: 'continuous' }, income: { type: 'continuous' } } as const;
  ({ table } = await readTable(mixedTable(), { variables, missing: 'refuse' }));
});

describe('a masked release that somebody tries to replay', () => {
  it.each(DRAWN)('comes again under its key, and under no other: %o', (how) => {
    const key = newKey();
    const released = release(how, keyed(key));
    expect(release(how, keyed(key))).toBe(released);
    for (let attempt = 0; attempt < 10; attempt++) expect(release(how, keyed(newKey()))).not.toBe(released);
    for (let seed = 0; seed < 100; seed++) expect(release(how, (name) => seededStreams(seed).open(name))).not.toBe(released);
  });

  it('draws samples and swaps under its key alone', () => {
    const sample = { method: 'sample' } as const;
    const key = newKey();
    expect(release(sample, keyed(key), 0.5)).toBe(release(sample, keyed(key), 0.5));
    expect(release(sample, keyed(key), 0.5)).not.toBe(release(sample, keyed(newKey()), 0.5));
  });
});

describe('the folder of mask', () => {
  const directory = temporaryFolder();

  it('has a key of its own in every run, and nothing open but the release', async () => {
    writeFileSync(join(directory, 'table.csv'), mixedTable());
    const config = 'variables: { age: { type: continuous }, income: { type: continuous } }\n';
    writeFileSync(join(directory, 'run.yaml'), config);
    const args = ['mask', 'table.csv', '--method', 'noise', '--config', 'run.yaml', '--quiet', '--out'];
    for (const out of ['one', 'two']) expect((await synthrisk(directory, [...args, out], { keys: 'its-own' })).code).toBe(0);
    const [one, two] = ['one', 'two'].map((out) => readFileSync(join(directory, out, 'release', 'masked-1.csv'), 'utf8'));
    expect(one).not.toBe(two);
    const open = filesBelow(join(directory, 'one')).filter((path) => !path.startsWith('confidential/'));
    expect(open).toEqual(['release/masked-1.csv']);
  });
});
