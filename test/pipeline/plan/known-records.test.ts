import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../shared/contracts/sha256.ts';
import { digestKnownFiles, knownRecords } from '../../../shared/pipeline/plan/known-records.ts';
import { seededStreams } from '../../../shared/random/streams.ts';
import { combinationsFromCodes } from '../../../shared/table/distinct-rows.ts';
import { smallConfig } from '../small-run.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

/** Twelve records of three combinations, by turns. */
const records = combinationsFromCodes(
  Uint16Array.from({ length: 12 }, (_, i) => i % 3),
  12,
  1,
);

const configOf = (...knows: unknown[]) =>
  smallConfig({
    attributeRisk: { scenarios: knows.map((one, s) => ({ name: `s${s}`, candidates: 'one-change', ...(one ? { knows: one } : {}) })) },
  });

const codeOf = async (work: () => unknown) => {
  try {
    await work();
    return null;
  } catch (error) {
    return error as { code: string; where?: object; message: string };
  }
};

describe('digestKnownFiles()', () => {
  const [first, second] = [utf8('record\n1\n'), utf8('record\n2\n')];
  const files = new Map([
    ['a.csv', first],
    ['b.csv', second],
    ['same.csv', first.slice()],
  ]);

  it('puts digests and numbers in the place of paths, and leaves all else', async () => {
    const config = configOf(null, { file: 'b.csv' }, 'nothing', { file: 'a.csv' }, { share: 0.5 }, { file: 'same.csv' });
    const digested = await digestKnownFiles(config, files);
    const [a, b] = [await sha256(first), await sha256(second)];
    expect(digested.config.attributeRisk.scenarios.map(({ knows }) => knows)).toEqual([
      undefined,
      { file: b, number: 1 },
      'nothing',
      { file: a, number: 2 },
      { share: 0.5 },
      { file: a, number: 2 },
    ]);
    expect([...digested.files]).toEqual([
      [b, second],
      [a, first],
    ]);
    const { attributeRisk, ...others } = digested.config;
    expect({ ...others, attributeRisk: { ...attributeRisk, scenarios: config.attributeRisk.scenarios } }).toEqual(config);
  });

  it('refuses a file that nobody has read, and one with a number', async () => {
    expect(await codeOf(() => digestKnownFiles(configOf({ file: 'c.csv' }), files))).toMatchObject({ code: 'known-records-unread' });
    expect(await codeOf(() => digestKnownFiles(configOf({ file: 'a.csv' })))).toMatchObject({ code: 'known-records-unread' });
    expect(await codeOf(() => digestKnownFiles(configOf({ file: 'a.csv', number: 1 }), files))).toMatchObject({ code: 'numbered-file' });
  });
});

describe('knownRecords()', () => {
  const known = (knows: unknown, files = new Map<string, Uint8Array>(), seed = 1) =>
    [...knownRecords(configOf(knows), files, records, seededStreams(seed)).values()].map((counts) => [...counts]);
  const ofFile = (text: string) => known({ file: 'digest', number: 1 }, new Map([['digest', utf8(text)]]));

  it('counts nothing, a share, or the records of a file, by combination', () => {
    expect(known('nothing')).toEqual([[0, 0, 0]]);
    // Records 1, 4 and 7 are of the first combination, 12 of the last.
    expect(ofFile('id,record,record name\nx,1,9\ny,12,9\nz,7,9\nu,4,9\n')).toEqual([[3, 0, 1]]);
    const [share] = known({ share: 0.4 });
    // 4.8 records are five.
    expect(share!.reduce((sum, count) => sum + count, 0)).toBe(5);
    expect(share!.every((count) => count <= 4)).toBe(true);
  });

  it('names them by what is known, once for each', () => {
    const found = knownRecords(
      configOf({ share: 0.4 }, null, 'nothing', { share: 0.4 }, { share: 0.25 }),
      new Map(),
      records,
      seededStreams(1),
    );
    expect([...found.keys()]).toEqual(['share-0.4', 'nothing', 'share-0.25']);
  });

  it('draws each record into a share equally often', () => {
    const alone = combinationsFromCodes(
      Uint16Array.from({ length: 6 }, (_, i) => i),
      6,
      1,
    );
    const times = new Float64Array(6);
    const n = 600;
    for (let seed = 1; seed <= n; seed++) {
      const [counts] = knownRecords(configOf({ share: 0.5 }), new Map(), alone, seededStreams(seed)).values();
      for (const [record, count] of counts!.entries()) times[record]! += count;
    }
    for (const count of times) expect(Math.abs(count - n / 2)).toBeLessThan(4.5 * Math.sqrt(n / 4));
  });

  it.each([0.01, 0.99])('refuses a share of %d, which comes to no record or to all', async (share) => {
    const refusal = await codeOf(() => known({ share }));
    expect(refusal).toMatchObject({ code: 'share-of-none' });
    expect(refusal!.message).toContain(share < 0.5 ? 'none of them' : 'all of them');
  });

  it.each<[string, string, object]>([
    ['id\n1\n', 'no-record-column', {}],
    ['record,record\n1,2\n', 'no-record-column', {}],
    ['record\n1\n0\n', 'no-such-record', { row: 2 }],
    ['record\n13\n', 'no-such-record', { row: 1 }],
    ['record\n1.0\n', 'no-such-record', { row: 1 }],
    ['record\n01\n', 'no-such-record', { row: 1 }],
    ['record\n1x\n', 'no-such-record', { row: 1 }],
    ['record\n3\n4\n3\n', 'repeated-record', { row: 3 }],
    ['record\n', 'no-known-records', {}],
    [`record\n${[...new Array(12).keys()].map((i) => i + 1).join('\n')}\n`, 'nobody-outside', {}],
  ])('refuses the file %j as %s', async (text, code, where) => {
    expect(await codeOf(() => ofFile(text))).toMatchObject({ code, where });
  });

  it('takes all records but one', () => {
    expect(ofFile(`record\n${[...new Array(11).keys()].map((i) => i + 1).join('\n')}\n`)).toEqual([[4, 4, 3]]);
  });
});
