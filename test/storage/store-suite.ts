import { describe, expect, it } from 'vitest';
import { ArtifactError } from '../../shared/contracts/errors.ts';
import type { Store } from '../../shared/storage/store.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

/**
 * What every store promises. `open` gives an empty store that takes keys below `runs/r1/`; the suite opens
 * one for each test.
 */
export function storeSuite(name: string, open: () => Store | Promise<Store>): void {
  describe(`${name} as a store`, () => {
    it('gives back the bytes that were put', async () => {
      const store = await open();
      const bytes = Uint8Array.from({ length: 100_000 }, (_, i) => i % 251);
      expect(await store.put('runs/r1/draws/base/1.npz', bytes)).toBe('written');
      expect(await store.get('runs/r1/draws/base/1.npz')).toEqual(bytes);
    });

    it('keeps an empty object apart from an absent one', async () => {
      const store = await open();
      await store.put('runs/r1/empty', new Uint8Array(0));
      expect(await store.get('runs/r1/empty')).toEqual(new Uint8Array(0));
      expect(await store.get('runs/r1/empty', { start: 0, end: 5 })).toEqual(new Uint8Array(0));
      expect(await store.head('runs/r1/empty')).toEqual({ bytes: 0 });
      expect(await store.list('runs/r1/')).toEqual(['runs/r1/empty']);
    });

    it('puts the view that it was given, not the buffer behind it', async () => {
      const store = await open();
      await store.put('runs/r1/view', bytesOf('abcdef').subarray(2, 4));
      expect(await store.get('runs/r1/view')).toEqual(bytesOf('cd'));
    });

    it('reads a range without its end', async () => {
      const store = await open();
      await store.put('runs/r1/plan.json', bytesOf('0123456789'));
      expect(await store.get('runs/r1/plan.json', { start: 3, end: 6 })).toEqual(bytesOf('345'));
      expect(await store.get('runs/r1/plan.json', { start: 0, end: 10 })).toEqual(bytesOf('0123456789'));
      expect(await store.get('runs/r1/plan.json', { start: 4, end: 4 })).toEqual(new Uint8Array(0));
    });

    it('cuts a range at the end of the object', async () => {
      const store = await open();
      await store.put('runs/r1/plan.json', bytesOf('0123456789'));
      expect(await store.get('runs/r1/plan.json', { start: 8, end: 100 })).toEqual(bytesOf('89'));
      expect(await store.get('runs/r1/plan.json', { start: 10, end: 20 })).toEqual(new Uint8Array(0));
      expect(await store.get('runs/r1/plan.json', { start: 50, end: 60 })).toEqual(new Uint8Array(0));
    });

    it.each([
      { start: -1, end: 3 },
      { start: 3, end: 2 },
      { start: 0.5, end: 2 },
      { start: 0, end: Number.NaN },
    ])('refuses the range from $start to $end', async (range) => {
      const store = await open();
      await store.put('runs/r1/plan.json', bytesOf('0123456789'));
      await expect(store.get('runs/r1/plan.json', range)).rejects.toThrow(RangeError);
    });

    it('overwrites', async () => {
      const store = await open();
      await store.put('runs/r1/run.json', bytesOf('a long first state'));
      expect(await store.put('runs/r1/run.json', bytesOf('second'))).toBe('written');
      expect(await store.get('runs/r1/run.json')).toEqual(bytesOf('second'));
    });

    it('puts an object in pieces, in place of what was there', async () => {
      const store = await open();
      // More than a part of an upload in parts, in pieces that end elsewhere.
      const piece = Uint8Array.from({ length: 7_000_001 }, (_, i) => i % 251);
      for (const count of [5, 0, 1]) {
        await store.putPieces('runs/r1/pieces', Array(count).fill(piece));
        expect(await store.head('runs/r1/pieces')).toEqual({ bytes: count * piece.length });
        const whole = await store.get('runs/r1/pieces');
        for (let i = 0; i < count; i++) {
          expect(Buffer.compare(whole.subarray(i * piece.length, (i + 1) * piece.length), piece)).toBe(0);
        }
      }
    });

    it('puts pieces that are waited for', async () => {
      const store = await open();
      const pieces = async function* () {
        for (const text of ['first, ', 'then ', 'last']) yield await Promise.resolve(bytesOf(text));
      };
      await store.putPieces('runs/r1/pieces', pieces());
      expect(await store.get('runs/r1/pieces')).toEqual(bytesOf('first, then last'));
    });

    it.each([0, 5])('leaves what was there when pieces end in an error after %i', async (count) => {
      const store = await open();
      await store.put('runs/r1/pieces', bytesOf('first'));
      const pieces = function* () {
        for (let i = 0; i < count; i++) yield new Uint8Array(7_000_001);
        throw new RangeError('no more');
      };
      await expect(store.putPieces('runs/r1/pieces', pieces())).rejects.toThrow(new RangeError('no more'));
      expect(await store.get('runs/r1/pieces')).toEqual(bytesOf('first'));
    });

    it('changes what is there, makes what is not, and leaves what is not to be changed', async () => {
      const store = await open();
      await store.change('runs/r1/run.json', (bytes) => (bytes === null ? bytesOf('first') : null));
      await store.change('runs/r1/run.json', (bytes) => (bytes === null ? null : bytesOf(`${new TextDecoder().decode(bytes)}, second`)));
      await store.change('runs/r1/run.json', () => null);
      expect(await store.get('runs/r1/run.json')).toEqual(bytesOf('first, second'));
      await store.change('runs/r1/absent', () => null);
      expect(await store.head('runs/r1/absent')).toBeNull();
    });

    it('loses no change of several at once', async () => {
      const store = await open();
      const longer = (bytes: Uint8Array | null) => bytesOf('x'.repeat((bytes?.length ?? 0) + 1));
      await Promise.all(Array.from({ length: 12 }, () => store.change('runs/r1/run.json', longer)));
      expect((await store.get('runs/r1/run.json')).length).toBe(12);
    });

    it('passes on what the maker of a change throws, and goes on with the next', async () => {
      const store = await open();
      const failing = store.change('runs/r1/run.json', () => {
        throw new Error('not made');
      });
      await expect(failing).rejects.toThrow('not made');
      await store.change('runs/r1/run.json', () => bytesOf('made'));
      expect(await store.get('runs/r1/run.json')).toEqual(bytesOf('made'));
    });

    it('leaves a present object as it is with ifAbsent', async () => {
      const store = await open();
      expect(await store.put('runs/r1/part', bytesOf('first'), { ifAbsent: true })).toBe('written');
      expect(await store.put('runs/r1/part', bytesOf('second'), { ifAbsent: true })).toBe('present');
      expect(await store.get('runs/r1/part')).toEqual(bytesOf('first'));
    });

    it('lets exactly one of many concurrent writers write with ifAbsent', async () => {
      const store = await open();
      const writers = Array.from({ length: 32 }, (_, i) => bytesOf(`writer ${i} ${'x'.repeat(1000)}`));
      const answers = await Promise.all(writers.map((bytes) => store.put('runs/r1/part', bytes, { ifAbsent: true })));
      expect(answers.filter((answer) => answer === 'written')).toHaveLength(1);
      expect(await store.get('runs/r1/part')).toEqual(writers[answers.indexOf('written')]);
    });

    it('keeps one writer whole when many overwrite at once', async () => {
      const store = await open();
      const writers = Array.from({ length: 16 }, (_, i) => bytesOf(String(i).repeat(10_000)));
      await Promise.all(writers.map((bytes) => store.put('runs/r1/run.json', bytes)));
      expect(writers).toContainEqual(await store.get('runs/r1/run.json'));
    });

    it('keeps its bytes when the caller changes the buffer after a put, or what a get gave', async () => {
      const store = await open();
      const bytes = bytesOf('original');
      await store.put('runs/r1/run.json', bytes);
      bytes.fill(0);
      const read = await store.get('runs/r1/run.json');
      expect(read).toEqual(bytesOf('original'));
      read.fill(0);
      expect(await store.get('runs/r1/run.json')).toEqual(bytesOf('original'));
    });

    it('lists by any prefix, a folder or not, sorted by code unit', async () => {
      const store = await open();
      const keys = ['runs/r1/a/2', 'runs/r1/a/10', 'runs/r1/ab', 'runs/r1/B', 'runs/r1/a-b', 'runs/r1/é'];
      for (const key of keys) await store.put(key, bytesOf(key));
      expect(await store.list('runs/r1/')).toEqual(['runs/r1/B', 'runs/r1/a-b', 'runs/r1/a/10', 'runs/r1/a/2', 'runs/r1/ab', 'runs/r1/é']);
      expect(await store.list('runs/r1/a')).toEqual(['runs/r1/a-b', 'runs/r1/a/10', 'runs/r1/a/2', 'runs/r1/ab']);
      expect(await store.list('runs/r1/a/')).toEqual(['runs/r1/a/10', 'runs/r1/a/2']);
      expect(await store.list('runs/r1/a/1')).toEqual(['runs/r1/a/10']);
      expect(await store.list('runs/r1/ab')).toEqual(['runs/r1/ab']);
      expect(await store.list('')).toHaveLength(keys.length);
      expect(await store.list('runs/r1/nothing')).toEqual([]);
      expect(await store.list('runs/r2/')).toEqual([]);
    });

    it('lists more than a thousand keys', async () => {
      const store = await open();
      const keys = Array.from({ length: 1_050 }, (_, i) => `runs/r1/parts/${String(i).padStart(6, '0')}/p`);
      for (let i = 0; i < keys.length; i += 50) {
        await Promise.all(keys.slice(i, i + 50).map((key) => store.put(key, bytesOf('p'))));
      }
      expect(await store.list('runs/r1/parts/')).toEqual(keys);
    });

    it('tells the size of an object', async () => {
      const store = await open();
      await store.put('runs/r1/plan.json', bytesOf('0123456789'));
      expect(await store.head('runs/r1/plan.json')).toEqual({ bytes: 10 });
    });

    it('names the key of an absent object', async () => {
      const store = await open();
      await store.put('runs/r1/parts/1', bytesOf('p'));
      // A folder is no object, and an object is no folder.
      for (const key of ['runs/r1/plan.json', 'runs/r1/parts', 'runs/r1/parts/1/2', 'runs/r1/no/plan.json']) {
        expect(await store.head(key)).toBeNull();
        const get = store.get(key);
        await expect(get).rejects.toThrow(ArtifactError);
        await expect(get).rejects.toMatchObject({ code: 'artifact-not-found', message: expect.stringContaining(key) });
      }
    });

    it.each([
      '',
      '/runs/r1/a',
      'runs/r1/',
      'runs/r1//a',
      'runs/r1/../r2/a',
      'runs/r1/./a',
      'runs/r1/..',
      'runs/r1/.tmp/a',
      'runs/r1/a\\..\\b',
      'runs/r1/a\u0000b',
    ])('refuses the key %j', async (key) => {
      const store = await open();
      await expect(store.put(key, bytesOf('x'))).rejects.toThrow(RangeError);
      await expect(store.put(key, bytesOf('x'), { ifAbsent: true })).rejects.toThrow(RangeError);
      await expect(store.get(key)).rejects.toThrow(RangeError);
      await expect(store.head(key)).rejects.toThrow(RangeError);
      expect(await store.list('runs/')).toEqual([]);
    });
  });
}
